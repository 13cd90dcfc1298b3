"""The tools of agents: what a run is offered, what calls answer, and what no tool reaches."""

import json
from typing import Any

import pytest
from builders import Clock, blank_store, overwrite, publish
from jsonschema import Draft202012Validator

from studio.actions.agent_tool_specs import AGENT_TOOLS
from studio.actions.studio import Studio
from studio.actions.tools import TOOL_SCHEMAS, memory_write
from studio.domain.agents import Agent
from studio.domain.bindings import TOOLS, Scope
from studio.domain.collections import Access, Column
from studio.domain.run_kinds import RunKind
from studio.domain.runs import RunStatus, Trigger
from studio.domain.settings import AgentSettings

DIRECT = Trigger(RunKind.DIRECT)
ARGUMENTS: dict[str, dict[str, Any]] = {
    "memory_write": {"content": "x"},
    "note_find": {"query": "x"},
    "note_get": {"path": "a.md"},
    "note_write": {"path": "a.md", "body": "x"},
    "note_delete": {"path": "a.md"},
    "record_list": {"collection": "ships"},
    "record_write": {"collection": "ships", "values": {}},
    "group_post": {"text": "x"},
    "report_issue": {"report": "x"},
}
"""Arguments that each tool takes."""


@pytest.fixture(autouse=True)
def agent(studio: Studio) -> Agent:
    studio.create_agent("mate", focus="help", guild="harbour")
    return studio.create_agent("scout", focus="watch", guild="harbour")


def answer(studio: Studio, name: str, **arguments: Any) -> str:
    run = studio.create_run("scout", DIRECT).id
    found = studio.call_tool("scout", name, arguments, run=run, call="c_1")
    assert "\n" not in found.text or found.accepted
    assert found.accepted is not found.text.startswith("ERROR: ")
    return found.text


def answered(studio: Studio, name: str, **arguments: Any) -> Any:
    return json.loads(answer(studio, name, **arguments))


def test_there_is_one_schema_for_each_tool() -> None:
    assert tuple(AGENT_TOOLS) == TOOLS
    for name, spec in AGENT_TOOLS.items():
        Draft202012Validator.check_schema(spec.parameters)
        assert (spec.name, spec.parameters["additionalProperties"]) == (name, False)
        assert TOOL_SCHEMAS[name]["parameters"] == spec.parameters


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_that_is_off_anywhere_is_not_offered(studio: Studio, name: str) -> None:
    """Decision 10: the stored run and its prompt agree."""
    assert studio.create_run("scout", Trigger(RunKind.DIRECT)).tools == TOOLS
    studio.set_binding(Scope.INSTANCE, "*", name, turned_on=False)
    made = studio.create_run("scout", Trigger(RunKind.DIRECT))
    assert made.tools == tuple(tool for tool in TOOLS if tool != name)
    composed = studio.get_run(made.id)[1][0].content
    assert ("memory_write" in composed) is (name != "memory_write")


def test_memory_write_that_a_scope_turned_off_is_refused(studio: Studio) -> None:
    before = studio.create_run("scout", DIRECT).id
    studio.set_binding(Scope.GUILD, "harbour", "memory_write", turned_on=False)
    for run in (None, before):
        assert studio.call_tool("scout", "memory_write", {"content": "x"}, run=run).text == (
            "ERROR: memory_write is not offered to scout: its guild turns it off; 'studio agents set scout --from FILE' with"
            ' {"bindings": {"guild": {"memory_write": null}}} in FILE takes that back.'
        )
    assert answer(studio, "memory_write", content="x").startswith("ERROR: there is no tool 'memory_write'; ")
    assert studio.get_memory_version("scout").body.text == ""


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_that_is_off_anywhere_is_not_carried_out(studio: Studio, name: str) -> None:
    """Decision 10: without a run what the agent is offered now binds, in a run what the run was offered."""
    studio.set_binding(Scope.GUILD, "harbour", name, turned_on=False)
    for run in (None, studio.create_run("scout", DIRECT).id):
        found = studio.call_tool("scout", name, ARGUMENTS[name], run=run)
        assert not found.accepted
        says = "is not offered" if name == "memory_write" and run is None else f"there is no tool {name!r}"
        assert says in found.text
    assert studio.list_problems() == ()


@pytest.mark.parametrize("name", TOOLS)
def test_a_call_in_a_run_needs_an_open_run_of_the_agent(studio: Studio, name: str) -> None:
    ended = studio.create_run("scout", DIRECT).id
    studio.finish_run(ended, RunStatus.COMPLETED)
    others = studio.create_run("mate", DIRECT).id
    for run, says in (
        ("r_none", "There is no run 'r_none' of scout; "),
        ("r_\ud800", "There is no run "),
        (others, f"There is no run {others!r} of scout; "),
        (ended, f"The run {ended} is completed; it takes no more rows or calls."),
    ):
        found = studio.call_tool("scout", name, ARGUMENTS[name], run=run)
        assert found.text.startswith(f"ERROR: {says}")
        assert not found.accepted
    assert (studio.list_problems(), studio.notes.find("x")) == ((), ())
    assert studio.get_memory_version("scout").version.number == 1


def test_notes_are_written_found_read_and_deleted(studio: Studio, agent: Agent) -> None:
    path = f"org/{agent.org}/agents/{agent.id}/notes/tides.md"
    assert answer(studio, "note_write", path="tides.md", body="# Tides\n\nHigh at six.\n") == f"Note saved: {path}"
    assert answer(studio, "note_write", path=path, body="# Tides\n\nHigh at six.\n") == f"Note unchanged: {path}"
    assert answered(studio, "note_find", query="SIX high") == [
        {"path": path, "title": "Tides", "line": "High at six.", "updated_at": "2026-09-12T09:00:07Z"}
    ]
    assert answer(studio, "note_get", path=path) == (
        f"path: {path}\ntitle: Tides\nupdated_at: 2026-09-12T09:00:07Z\n\n# Tides\n\nHigh at six.\n"
    )
    assert answer(studio, "note_delete", path=path) == f"Note deleted: {path}"
    assert answered(studio, "note_find", query="six") == []
    assert answer(studio, "note_get", path=path).startswith("ERROR: Unknown path")


@pytest.mark.parametrize(("level", "place"), [("agent", "agents/"), ("guild", "guilds/"), ("org", "notes/")])
def test_a_file_name_becomes_a_note_of_its_level(studio: Studio, agent: Agent, level: str, place: str) -> None:
    assert f"org/{agent.org}/{place}" in answer(studio, "note_write", path="a.md", body="x", level=level)


def test_a_word_that_only_the_archive_holds_is_not_found(studio: Studio) -> None:
    """archive-12."""
    overwrite(studio, "scout", "barnacle\n")
    overwrite(studio, "scout", "gone\n")
    publish(studio, "scout", "barnacle")
    publish(studio, "scout", "another purpose")
    assert answered(studio, "note_find", query="barnacle") == []


def test_an_archived_memory_is_answered_as_unknown(studio: Studio, agent: Agent) -> None:
    """archive-13: as a path that never existed."""
    overwrite(studio, "scout", "one\n")
    base = f"org/{agent.org}/agents/{agent.id}/history-archive"
    there = f"{base}/{studio.list_archive('scout')[1]}"
    assert studio.read_archive(there)
    for tool in ("note_get", "note_delete"):
        never = f"{base}/2020-01-01T00-00-00Z-nobody.md"
        assert answer(studio, tool, path=there).replace(there, "") == answer(studio, tool, path=never).replace(
            never, ""
        )
        assert answer(studio, tool, path=there).startswith("ERROR: Unknown path")


@pytest.mark.parametrize("file", ["task.md", "memory.md"])
@pytest.mark.parametrize("tool", ["note_get", "note_write", "note_delete"])
def test_the_prompt_files_are_no_notes(studio: Studio, agent: Agent, file: str, tool: str) -> None:
    """Spec: neither task.md nor memory.md is deletable, and agents never write the Task."""
    overwrite(studio, "scout", "kept\n")
    more = {"body": "x"} if tool == "note_write" else {}
    assert "not a note" in answer(studio, tool, path=f"org/{agent.org}/agents/{agent.id}/{file}", **more)
    assert studio.get_memory_version("scout").body.text == "kept\n"
    assert studio.get_task_version("scout").version.number == 1


def test_an_embed_grants_no_right_to_read(studio: Studio, agent: Agent) -> None:
    """embed-27."""
    path = f"org/{agent.org}/notes/house.md"
    studio.notes.create(path, "house rule\n")
    publish(studio, "scout", f"![[{path}]]")
    studio.set_binding(Scope.AGENT, "scout", "org_notes_read", turned_on=False)
    assert "house rule" in studio.preview("scout").text
    assert answer(studio, "note_get", path=path).startswith("ERROR: scout may not read")


def test_records_are_written_and_listed(studio: Studio, agent: Agent, clock: Clock) -> None:
    path = f"org/{agent.org}/guilds/{agent.guild}/collections/ships"
    studio.collections.create(path, [Column("name"), Column("berth")], purpose="What lies here.")
    studio.collections.grant("scout", path, Access.WRITE)
    first = answered(studio, "record_write", collection="ships", values={"name": "Anna"}, id="1")
    assert (first["changed"], first["values"]) == (True, {"name": "Anna"})
    clock.tick()
    answered(studio, "record_write", collection="ships", values={"name": "Bertha", "berth": 3})
    listed = answered(studio, "record_list", collection=path)
    assert [one["values"]["name"] for one in listed] == ["Bertha", "Anna"]
    since = answered(studio, "record_list", collection="ships", since="2026-09-12T09:01:00Z")
    assert [one["values"]["name"] for one in since] == ["Bertha"]
    assert len(answered(studio, "record_list", collection="ships", equals={"berth": 3})) == 1
    assert len(answered(studio, "record_list", collection="ships", limit=1)) == 1
    studio.collections.grant("scout", path, Access.READ)
    refused = answer(studio, "record_write", collection="ships", values={"name": "x"})
    assert refused == "ERROR: scout may not write the collection ships; its grant is to read only."


def test_a_post_reaches_the_others_state(studio: Studio) -> None:
    assert answer(studio, "group_post", text="High tide at six.", tags=["mate"]) == "Posted to the group chat."
    assert "High tide at six." in studio.preview("mate").text
    assert answer(studio, "group_post", text=" \n").startswith("ERROR: The message is blank")


def test_a_problem_reaches_the_operator(studio: Studio, agent: Agent) -> None:
    assert answer(studio, "report_issue", report="note_find times out").startswith("Filed for the operator: p_")
    (filed,) = studio.list_problems()
    assert (filed.agent, filed.run, filed.report) == (agent.id, studio.list_runs("scout")[0].id, "note_find times out")


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("script_run", {}, "there is no tool 'script_run'; the tools of this agent are memory_write, "),
        ("studio_get_memory_version", {}, "there is no tool"),
        ("note_get", {}, "note_get: 'path' is a required property"),
        ("note_get", {"path": 7}, "note_get: path: 7 is not of type 'string'"),
        ("note_get", {"path": "a", "unchanged": True}, "unchanged"),
        ("note_find", {"query": "x", "limit": 0}, "limit: 0 is less than the minimum"),
        ("note_find", {"query": "x", "level": "moon"}, "level: 'moon' is not one of"),
        ("note_write", {"path": "a.md", "body": "a\0"}, "NUL"),
        ("note_write", {"path": "a.txt", "body": "a"}, "Unknown path"),
        ("record_list", {"collection": "none"}, "There is no collection 'none'"),
        ("record_list", {"collection": "none", "since": "yesterday"}, "since must be a time like"),
        ("record_list", {"collection": "none", "since": "2026-09-12T09:00:07"}, "since must be a time like"),
        ("record_list", {"collection": "none", "since": "9999-12-31T23:59:59-14:00"}, "since must be a time like"),
        ("memory_write", {}, "memory_write needs content"),
        ("memory_write", {"content": "x", "unchanged": True}, "it does not take unchanged"),
        ("memory_write", "{", "the arguments of memory_write are not JSON"),
        ("memory_write", "[]", "takes its arguments as an object"),
        ("note_get", "[" * 100_000, "the arguments of note_get are not JSON"),
    ],
)
def test_a_bad_call_is_answered_with_one_line(studio: Studio, name: str, arguments: Any, says: str) -> None:
    found = studio.call_tool("scout", name, arguments)
    assert not found.accepted
    assert found.text.startswith("ERROR: ")
    assert says in found.text
    assert "\n" not in found.text
    assert studio.get_memory_version("scout").version.number == 1


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("note_get", {"path": ["x" * 10_000]}),
        ("memory_write", {"content": "x", "y" * 10_000: 1}),
        ("x" * 10_000, {}),
    ],
    ids=["arguments", "names-of-arguments", "name-of-a-tool"],
)
def test_a_complaint_does_not_repeat_what_is_endless(studio: Studio, name: str, arguments: dict[str, Any]) -> None:
    found = studio.call_tool("scout", name, arguments)
    assert not found.accepted
    assert len(found.text) < 400


def test_an_agent_without_a_guild() -> None:
    with blank_store() as studio:
        studio.create_agent("scout", focus="watch")
        assert "group_post" not in studio.create_run("scout", Trigger(RunKind.DIRECT)).tools
        post = studio.call_tool("scout", "group_post", {"text": "x"})
        assert post.text.startswith("ERROR: there is no tool 'group_post'; ")
        note = studio.call_tool("scout", "note_write", {"path": "a.md", "body": "x", "level": "guild"})
        assert note.text == "ERROR: scout is in no guild."


def test_the_function_and_the_run_answer_memory_write_alike(studio: Studio) -> None:
    studio.configure_agent("scout", AgentSettings(memory_write=True))
    said = memory_write({"content": "x"}, agent="scout", studio=studio)
    assert said == "Memory saved: 1 of 12,000 characters."
    assert studio.call_tool("scout", "memory_write", {"content": "x"}).accepted
