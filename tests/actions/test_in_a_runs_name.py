"""What an agent writes in the name of a run: only of its own, and only as long as that is open (decision 27)."""

from collections.abc import Callable

import pytest
from builders import context_of, wake

from studio import Studio
from studio.actions.groups import post_message, report_problem
from studio.domain.authors import Author, AuthorKind
from studio.domain.collections import Access, Column
from studio.domain.runs import RunStatus
from studio.errors import RunOver, StudioError, UnknownRun

Write = Callable[[Studio, str], object]
"""A write of scout in the name of a run."""

WRITES: dict[str, Write] = {
    "create a note": lambda studio, run: studio.notes.create(note(studio, "new"), "x", as_agent="scout", run=run),
    "edit a note": lambda studio, run: studio.notes.edit(note(studio), "y", force=True, as_agent="scout", run=run),
    "write a note": lambda studio, run: studio.notes.write(note(studio), "y", as_agent="scout", run=run),
    "move a note": lambda studio, run: studio.notes.move(note(studio), note(studio, "b"), as_agent="scout", run=run),
    "write a record": lambda studio, run: studio.collections.write(
        "leads", {"company": "B"}, as_agent="scout", run=run
    ),
    "write the memory": lambda studio, run: studio.memory_write("scout", "new", run=run),
    "post to the chat": lambda studio, run: post_message(context_of(studio), "scout", "hello", run=run),
    "file a problem": lambda studio, run: report_problem(context_of(studio), "scout", "no wind", run),
}
TOOLS: dict[str, dict[str, object]] = {
    "note_write": {"path": "a.md", "body": "y"},
    "note_delete": {"path": "a.md"},
    "record_write": {"collection": "leads", "values": {"company": "B"}},
    "memory_write": {"content": "new"},
    "group_post": {"text": "hello"},
    "report_issue": {"report": "no wind"},
}


@pytest.fixture
def scout(studio: Studio) -> Studio:
    studio.create_agent("scout", focus="Watch.", guild="Desk")
    studio.create_agent("desk", focus="Sell.")
    studio.notes.create(note(studio), "x")
    studio.collections.create(studio.collections.path("leads"), [Column("company")])
    studio.collections.grant("scout", "leads", Access.WRITE)
    return studio


def note(studio: Studio, name: str = "a") -> str:
    return studio.notes.path(f"{name}.md", agent="scout")


def ended(studio: Studio) -> str:
    run = wake(studio, "scout")
    studio.finish_run(run, RunStatus.COMPLETED)
    return run


RUNS: dict[str, tuple[Callable[[Studio], str], type[StudioError]]] = {
    "that has ended": (ended, RunOver),
    "of another agent": (lambda studio: wake(studio, "desk"), UnknownRun),
    "that is not there": (lambda _: "r_none", UnknownRun),
    "that no store can hold": (lambda _: "\0", UnknownRun),
}


@pytest.mark.parametrize(("of", "error"), RUNS.values(), ids=RUNS)
@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_nothing_is_written_in_the_name_of_a_run(
    scout: Studio, write: Write, of: Callable[[Studio], str], error: type[StudioError]
) -> None:
    run, before = of(scout), scout.commits
    with pytest.raises(error):
        write(scout, run)
    assert scout.commits == before


@pytest.mark.parametrize(("of", "error"), RUNS.values(), ids=RUNS)
@pytest.mark.parametrize("tool", TOOLS)
def test_nor_by_a_tool_whoever_says_that_it_is_offered(
    scout: Studio, tool: str, of: Callable[[Studio], str], error: type[StudioError]
) -> None:
    """Whoever carries a run out knows its tools; between that look and the call the run may have been stopped."""
    run = of(scout)
    arguments = {**TOOLS[tool], **({"path": note(scout)} if tool.startswith("note_") else {})}
    for offered in (None, (tool,)):
        before = scout.commits
        told = scout.call_tool("scout", tool, arguments, run=run, offered=offered)
        assert (told.accepted, scout.commits) == (False, before)
        assert ("takes no more rows or calls" in told.text) == (error is RunOver)


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_in_an_open_run_of_its_own_it_writes(scout: Studio, write: Write) -> None:
    before = scout.commits
    write(scout, wake(scout, "scout"))
    assert scout.commits == before + 2


def test_the_run_is_the_author(scout: Studio) -> None:
    run = wake(scout, "scout")
    assert scout.notes.write(note(scout), "y", as_agent="scout", run=run).facts.updated_by == Author(
        AuthorKind.RUN, run
    )
    assert str(scout.notes.write(note(scout), "z", as_agent="scout").facts.updated_by) == "agent scout"
