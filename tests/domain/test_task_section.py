"""The Task section and the Task a new agent starts from."""

import pytest

from studio.domain import task


def test_the_intro_says_whose_purpose_this_is() -> None:
    section = task.content("Watch the inbox.", memory_write=False)
    intro, body = section.split("\n\n")
    assert "standing purpose" in intro
    assert "memory" not in intro.lower()
    assert body == "Watch the inbox."


def test_with_memory_write_the_intro_says_that_the_task_is_not_rewritten_with_it() -> None:
    intro = task.content("Watch the inbox.", memory_write=True).split("\n\n")[0]
    assert "not rewritten with `memory_write`" in intro


@pytest.mark.parametrize(
    ("focus", "expected"),
    [
        ("Keeps the changelog.\n", "Keeps the changelog.\n"),
        ("  two blanks stay", "  two blanks stay"),
        (None, "template"),
        ("", "template"),
        (" \n", "template"),
    ],
    ids=["focus", "as written", "none given", "empty", "blank"],
)
def test_a_new_agent_starts_from_its_focus_else_from_the_template(focus: str | None, expected: str) -> None:
    assert task.new_task_text(focus, "template") == expected
