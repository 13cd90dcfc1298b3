"""Long sequences of anything, at home and through the owner: each step comes to the same, and so does all that is stored."""

import tempfile
from pathlib import Path
from typing import Any

from builders import TEXTS, Clock
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from served_stores import Door, at_home
from shapes import shape

from studio.actions.studio import Studio
from studio.domain.bindings import Scope
from studio.domain.run_kinds import RunKind
from studio.domain.runs import RunStatus, Trigger
from studio.domain.settings import AgentSettings
from studio.errors import StudioError

AGENTS = st.sampled_from(["scout", "desk", "nobody"])
BODIES = (
    st.sampled_from(["", "one\n", "one\r\ntwo\n", "\ufeffthree", "</memory>", "a\ud800", "b\0", "x" * 12_001]) | TEXTS
)
NUMBERS = st.integers(0, 6)
PATHS = st.sampled_from(
    ["org/o_1/notes/a.md", "org/o_1/agents/a_2/notes/b.md", "org/o_1/agents/a_2/memory.md", "nowhere"]
)
RUNS = st.sampled_from([f"r_{number}" for number in range(4, 9)])
CALLS = st.sampled_from(
    [
        ("memory_write", {"content": "by call"}),
        ("memory_write", {"content": "x", "unchanged": True}),
        ("note_write", {"path": "org/o_1/notes/a.md", "body": "# Note"}),
        ("note_find", {"query": "one"}),
        ("nothing", {}),
    ]
)
TRIGGERS = st.builds(
    Trigger,
    st.sampled_from(RunKind),
    message=st.none() | st.text("ab\n", max_size=3),
    tags=st.sampled_from([(), ("scout", "é")]),
)
LIVE, OLD = "LIVE", "0" * 64
EXPECTED = st.sampled_from([None, LIVE, OLD])


def step(name: str, /, **arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    return st.tuples(st.just(name), st.fixed_dictionaries(arguments))


FORCED, OPERATORS = st.booleans(), st.sampled_from([None, "Ben", "two\nlines"])
STEPS = st.one_of(
    step("save_memory", agent=AGENTS, text=BODIES, expect=EXPECTED, force=FORCED, operator=OPERATORS),
    step("memory_write", agent=AGENTS, content=BODIES),
    step("restore_memory", agent=AGENTS, number=NUMBERS),
    step("list_memory_versions", agent=AGENTS, limit=st.none() | NUMBERS, before=st.none() | NUMBERS),
    step("get_memory_version", agent=AGENTS, number=st.none() | NUMBERS),
    step("compare_memory", agent=AGENTS, number=NUMBERS, against=st.none() | NUMBERS),
    step("draft_task", agent=AGENTS, text=BODIES, expect=EXPECTED),
    step("review_task", agent=AGENTS),
    step("publish_task", agent=AGENTS, force=FORCED, note=st.none() | TEXTS),
    step("notes.create", path=PATHS, body=BODIES),
    step("notes.edit", path=PATHS, body=BODIES, force=FORCED),
    step("notes.delete", path=PATHS),
    step("notes.find", search=st.sampled_from(["one", "note", "\0"])),
    step("create_run", agent=AGENTS, trigger=TRIGGERS),
    step("finish_run", run=RUNS, status=st.sampled_from(RunStatus)),
    step("get_run", run=RUNS),
    step("list_runs", agent=AGENTS),
    step("preview", agent=AGENTS, kind=st.sampled_from(RunKind)),
    step(
        "set_binding", scope=st.just(Scope.AGENT), scope_id=st.just("a_2"), name=st.just("note_find"), turned_on=FORCED
    ),
    step("configure_agent", agent=AGENTS, settings=st.builds(AgentSettings, retention=NUMBERS, memory=FORCED)),
    st.tuples(AGENTS, CALLS, st.none() | RUNS).map(
        lambda one: ("call_tool", {"agent": one[0], "name": one[1][0], "arguments": one[1][1], "run": one[2]})
    ),
)


def came_to(studio: Studio, name: str, arguments: dict[str, Any]) -> Any:
    """What a step came to, as it can be compared."""
    shelf, _, own = name.rpartition(".")
    given = {key: live(studio, arguments["agent"]) if value == LIVE else value for key, value in arguments.items()}
    try:
        return shape(getattr(getattr(studio, shelf) if shelf else studio, own)(**given))
    except StudioError as error:
        return type(error), sorted(vars(error).items())


def live(studio: Studio, agent: str) -> str | None:
    """The sha256 of the live memory, as one has it who read it just now."""
    return None if agent == "nobody" else studio.get_memory_version(agent).version.sha256


def all_there_is(studio: Studio) -> Any:
    """What is stored, by what can be read of it."""
    agents = [one.agent.name for one in studio.list_agents()]
    asked = ("list_memory_versions", "list_task_versions", "list_file_changes", "list_runs", "get_task_draft")
    return [shape(getattr(studio, name)(agent)) for name in asked for agent in agents] + [shape(studio.notes.list())]


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=st.lists(STEPS, min_size=5, max_size=25))
def test_a_sequence_comes_to_the_same(door: Door, steps: list[tuple[str, dict[str, Any]]]) -> None:
    clocks = Clock(), Clock()
    with (
        tempfile.TemporaryDirectory() as here,
        tempfile.TemporaryDirectory() as there,
        at_home(Path(here), clocks[0]) as home,
        door.through_owner(Path(there), clocks[1]) as far,
    ):
        for studio in (home, far):
            studio.create_agent("scout", focus="Watch.")
            studio.create_agent("desk")
        for name, arguments in steps:
            for clock in clocks:
                clock.tick()
            assert came_to(far, name, arguments) == came_to(home, name, arguments)
        assert all_there_is(far) == all_there_is(home)
