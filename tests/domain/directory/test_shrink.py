"""Shrink before you grow: the three steps in their order, with candidates whose sizes are true."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lint_builders import a_block, a_tree

from studio.domain.directory.proposal import SAYS, Candidate, Proposal, Step
from studio.domain.directory.shrink import propose

INDEX = "Open memory before answering about a person you do not know.\n"
PRINCIPLE = "- Lead with the answer, because the user reads the first line and skims the rest."
COMMANDS = "```sh\nmake\nmake test\nmake lint\ngit status\ngit push\n```"
STATUS = "## Current status\n\nTwo of three are finished."
STEPS = "1. Stop the service.\n2. Copy the file.\n3. Start the service."
HOW_TO = "## How to release\n\nTag it, then wait for the build, and tell the team."
DETAIL = "## Billing service\n\n" + "\n".join(
    f"The `billing-{n}` host answers on port 80{n:02}, owned by team Mercury in Berlin since version {n}.2."
    for n in range(6)
)
TWICE = "- Verify claims against the running system before reporting them."


def proposed(*parts: str, config: str | None = None) -> Proposal:
    files = {"MEMORY.md": INDEX, "persona.md": a_block("\n\n".join(parts))}
    if config is not None:
        files[".memfs.config.json"] = config
    return propose(a_tree(files))


CASES: dict[str, tuple[str, Step, int]] = {
    # a part of a file, the step proposed for it, how many candidates
    "rederivable-commands": (COMMANDS, Step.DELETE, 1),
    "rederivable-status": (STATUS, Step.DELETE, 1),
    "stale-dated": ("Keep diffs small, as agreed with all of them (2026-03-11).", Step.DELETE, 1),
    "duplicated": (f"{TWICE}\n- Something else in between.\n{TWICE}", Step.DELETE, 1),
    "numbered-steps": (STEPS, Step.SKILL, 1),
    "how-to-section": (HOW_TO, Step.SKILL, 1),
    "subject-detail": (DETAIL, Step.MOVE, 1),
    "a-principle": (
        "- Ask first where a step cannot be undone, because a wrong guess costs more than a question.",
        Step.DELETE,
        0,
    ),
}


@pytest.mark.parametrize(("part", "step", "count"), CASES.values(), ids=CASES)
def test_each_kind_of_content_has_its_step(part: str, step: Step, count: int) -> None:
    found = proposed(PRINCIPLE, "# Rules", part).candidates
    assert [one.step for one in found] == [step] * count


def test_steps_are_in_the_order_of_the_specification() -> None:
    found = proposed(PRINCIPLE, "# Rules", STEPS, DETAIL, HOW_TO, STATUS, COMMANDS)
    assert [one.step for one in found.candidates] == sorted(
        (one.step for one in found.candidates), key=list(Step).index
    )
    assert {one.step for one in found.candidates} == set(Step)
    assert list(SAYS) == [Step.DELETE, Step.MOVE, Step.SKILL]
    assert found.frees() == sum(found.frees(step) for step in Step)
    assert "billing-service.md" in (found.of(Step.MOVE)[0].pointer or "")


def without(text: str, candidates: tuple[Candidate, ...]) -> str:
    """The text without the lines of all candidates."""
    cut = {number for one in candidates for number in range(one.line, one.end_line + 1)}
    kept = [line for number, line in enumerate(text.split("\n"), 1) if number not in cut]
    return "\n".join(kept)


@given(
    st.lists(
        st.sampled_from([PRINCIPLE, COMMANDS, STATUS, STEPS, HOW_TO, DETAIL, TWICE, "# Rules", "", "Tail."]), max_size=9
    ),
    st.booleans(),
)
def test_what_candidates_free_is_true(parts: list[str], crlf: bool) -> None:  # noqa: FBT001
    """Law: without the lines of all candidates the file is shorter by what they free and the pointers take; none overlap."""
    text = a_block("\n\n".join(parts))
    text = text.replace("\n", "\r\n") if crlf else text
    found = propose(a_tree({"MEMORY.md": INDEX, "persona.md": text})).candidates
    pointers = sum(len(one.pointer) + 1 for one in found if one.pointer)
    assert len(text) - len(without(text, found)) == sum(one.frees for one in found) + pointers
    lines = [number for one in found for number in range(one.line, one.end_line + 1)]
    assert len(lines) == len(set(lines))


@pytest.mark.parametrize(("cap", "needed"), [(None, False), (400, True), (100_000, False)])
def test_it_is_needed_from_four_fifths_of_a_limit_on(cap: int | None, needed: bool) -> None:  # noqa: FBT001
    """memfs-lint-09; asked for, the candidates are the same."""
    config = None if cap is None else json.dumps({"version": 1, "maxCoreMemoryCharacters": cap})
    found = proposed(PRINCIPLE, STATUS, HOW_TO, config=config)
    assert found.needed is needed
    assert [one.limit_of for one in found.near] == (["core"] if needed else [])
    assert found.excess == (max(0, found.gauges[0].used - 320) if needed else 0)
    assert len(found.candidates) == 2


def test_deferred_memory_and_skills_are_left_alone() -> None:
    files = {
        "MEMORY.md": INDEX,
        "a/MEMORY.md": STATUS,
        "a/b.md": a_block(COMMANDS, "b"),
        "skills/c/SKILL.md": a_block(STEPS, "c"),
    }
    assert propose(a_tree(files)).candidates == ()
