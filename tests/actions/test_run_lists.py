"""Lists of runs: pages, places and outlines, without the texts of their chat rows."""

from collections.abc import Iterator

import pytest
from builders import blank_store

from studio import RunKind, Studio, Trigger
from studio.domain.runs import OPENING_CAP_CHARACTERS, Message, Role, RunOutline, ToolCall
from studio.errors import UnknownRun


@pytest.fixture
def studio() -> Iterator[Studio]:
    with blank_store() as opened:
        opened.create_agent("desk")
        opened.create_agent("other")
        yield opened


def direct(studio: Studio, message: str | None = None, agent: str = "desk") -> str:
    return studio.create_run(agent, Trigger(kind=RunKind.DIRECT, message=message)).id


def test_pages_of_runs_are_the_list_cut_up(studio: Studio) -> None:
    for _ in range(5):
        direct(studio)
    direct(studio, agent="other")
    everything = studio.list_runs("desk")
    assert studio.count_runs("desk") == len(everything) == 5
    assert studio.list_runs("desk", limit=2) == everything[:2]
    assert studio.list_runs("desk", limit=2, offset=4) == everything[4:]
    assert studio.list_runs("desk", limit=2, offset=5) == ()


def test_a_run_stands_behind_the_newer_ones_of_its_own_agent(studio: Studio) -> None:
    for _ in range(4):
        direct(studio)
        direct(studio, agent="other")
    assert [studio.count_newer_runs(run.id) for run in studio.list_runs("desk")] == [0, 1, 2, 3]
    with pytest.raises(UnknownRun, match="r_nothing"):
        studio.count_newer_runs("r_nothing")


def test_an_outline_counts_steps_and_answered_calls_and_holds_the_opening_message(studio: Studio) -> None:
    silent, talking = direct(studio), direct(studio, "Good morning. " * 50)
    call = ToolCall("c_1", "note_find", "{}")
    now = studio.now()
    studio.add_messages(
        talking,
        (
            Message(2, Role.ASSISTANT, "", now, tool_calls=(call,)),
            Message(3, Role.TOOL, "Nothing.", now, tool_call_id="c_1"),
            Message(4, Role.ASSISTANT, "Done.", now),
        ),
    )
    outlines = studio.outline_runs([silent, talking, "r_nothing"])
    assert outlines[silent] == outlines["r_nothing"] == RunOutline()
    assert outlines[talking] == RunOutline(2, 1, ("Good morning. " * 50)[:OPENING_CAP_CHARACTERS])
    assert studio.outline_runs([]) == {}
