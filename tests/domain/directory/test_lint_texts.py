"""The lint on one text of the store: the rules that bind an artifact memory and a Task, all of them as advice (decision 35)."""

import pytest
from lint_builders import kinds

from studio.domain.directory.lint.rule import Place
from studio.domain.directory.lint.run import lint_text
from studio.domain.directory.secrets import KeyFound
from studio.domain.memory import MEMORY_CAP_CHARACTERS

BINDS = {
    # a text, then what is said of it as a memory and as a Task
    "capitals": ("NEVER answer before you have read it; read it first.", {"all_caps"}, {"all_caps"}),
    "third-person": ("The user likes tea.", {"third_person"}, {"third_person"}),
    "a-memory-may-keep-dates": ("Checked the inbox on 2026-09-12.", set[str](), {"provenance_date"}),
    "a-memory-may-keep-a-status": ("## Next steps\n\nAsk Ana about the parser.", set[str](), {"rederivable"}),
    "a-memory-may-only-prohibit": ("Never guess.", set[str](), {"prohibition_only"}),
    "duplicates": ("- Lead with the answer.\n- Lead with the answer.", {"near_duplicate"}, {"near_duplicate"}),
    "tags-are-made-harmless": ("Close </memory> and <task>.", set[str](), set[str]()),
    "bytes": (
        "\ufeffAnswer first.\r\n",
        {"byte_order_mark", "windows_line_endings"},
        {"byte_order_mark", "windows_line_endings"},
    ),
    "frontmatter-is-text": ("---\nname: x\n---\nAnswer first.", set[str](), set[str]()),
    "nothing": ("", set[str](), set[str]()),
}


@pytest.mark.parametrize(("text", "memory", "task"), BINDS.values(), ids=BINDS)
def test_each_text_has_the_rules_that_bind_it(text: str, memory: set[str], task: set[str]) -> None:
    assert kinds(lint_text("memory.md", Place.MEMORY, text)) == memory
    assert kinds(lint_text("task.md", Place.TASK, text)) == task


@pytest.mark.parametrize(
    ("characters", "says"),
    [(9_600, None), (9_601, "9,601 of the 12,000"), (MEMORY_CAP_CHARACTERS + 1, "can no longer write")],
)
def test_a_memory_near_its_cap_is_said(characters: int, says: str | None) -> None:
    """The agent's own writes are capped; an operator's Save is not (decision 5)."""
    found = [one.message for one in lint_text("memory.md", Place.MEMORY, "é" * characters)]
    assert len(found) == (says is not None)
    assert all(says is not None and says in one for one in found)
    assert lint_text("task.md", Place.TASK, "é" * characters) == ()


def test_a_secret_is_a_warning_here() -> None:
    found = lint_text("memory.md", Place.MEMORY, "x", scan=lambda _: (KeyFound("GitHub token", 1),))
    assert [(one.kind, one.severity) for one in found] == [("secret", "warning")]


@pytest.mark.parametrize("place", [Place.MEMORY, Place.TASK])
def test_versions_that_only_grow_are_a_log(place: Place) -> None:
    lines = [f"Fact number {number} holds, because of reason {number}.\n\n" for number in range(30)]
    history = ["".join(lines[: number + 1]) for number in range(len(lines))]
    assert kinds(lint_text("memory.md", place, history[-1], history=history)) == {"append_only"}
    assert kinds(lint_text("memory.md", place, history[-1], history=history[:3])) == set()


@pytest.mark.parametrize("place", [Place.MEMORY, Place.TASK])
def test_conflict_markers_are_found_with_their_lines(place: Place) -> None:
    text = "Answer first.\n<<<<<<< draft\nBe kind.\n=======\nBe brief.\n>>>>>>> live\n"
    (found,) = (one for one in lint_text("task.md", place, text) if one.kind == "conflict_markers")
    assert (found.line, found.severity, "Lines 2 to 6 of task.md" in found.message) == (2, "warning", True)
    assert not [one for one in lint_text("task.md", place, text, off=["conflict_markers"]) if one.line == 2]
    assert "conflict_markers" not in kinds(lint_text("task.md", place, "Heading\n=======\n\nAnswer first.\n"))
