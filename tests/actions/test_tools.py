"""The tools of agents and coaches: what they answer and how a model is told about them (decisions 6, 7 and 36)."""

import inspect
import json
from pathlib import Path
from typing import Any

import pytest
from builders import open_store, overwrite, wake

from studio.actions.studio import Studio
from studio.actions.tools import (
    STUDIO_GET_MEMORY_VERSION,
    STUDIO_LIST_MEMORY_REVISIONS,
    TOOL_SCHEMAS,
    memory_write,
    studio_get_memory_version,
    studio_list_memory_revisions,
)
from studio.domain.settings import AgentSettings
from studio.errors import AmbiguousAgent, BadArgument, BadAuthorFilter, UnknownAgent, UnknownAuthor, UnknownVersion

MEMORY_WRITE = "memory_write"
LIST_FIELDS = {
    "version",
    "author",
    "at",
    "added",
    "removed",
    "characters",
    "status",
    "live",
    "run",
    "call",
    "based_on",
    "origin",
}


@pytest.fixture(autouse=True)
def agent(studio: Studio) -> str:
    return studio.create_agent("scout", focus="watch").id


# --- memory_write ---


def test_a_write_says_how_much_it_holds(studio: Studio, agent: str) -> None:
    run = wake(studio, "scout")
    answer = memory_write({"content": "é\n"}, agent=agent, studio=studio, run=run, call="c_1")
    assert "2" in answer
    assert not answer.startswith("ERROR")
    newest = studio.list_memory_versions("scout")[0]
    assert (newest.run, newest.call, studio.get_memory_version("scout").body.text) == (run, "c_1", "é\n")
    assert "unchanged" in memory_write({"content": "é\n"}, agent=agent, studio=studio)
    assert studio.list_memory_versions("scout")[0] == newest


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        pytest.param({"content": "x" * 12_001}, "ERROR: memory exceeds 12000 characters", id="memory-write-03"),
        pytest.param({"unchanged": True}, None, id="memory-write-12"),
        pytest.param({"content": "x", "unchanged": True}, None, id="memory-write-12-with-content"),
        pytest.param({}, None, id="missing"),
        pytest.param({"content": None}, None, id="null"),
        pytest.param({"content": 7}, None, id="number"),
        pytest.param({"content": ["x"]}, None, id="list"),
        pytest.param({"content": "x", "agent_id": "other"}, None, id="other-argument"),
        pytest.param({"content": "a\0"}, None, id="nul"),
        pytest.param({"content": "\ud800"}, None, id="lone-surrogate"),
    ],
)
def test_a_refusal_is_one_line_and_changes_nothing(
    studio: Studio, agent: str, arguments: dict[str, Any], answer: str | None
) -> None:
    overwrite(studio, "scout", "kept\n")
    before = (studio.list_memory_versions("scout"), studio.list_file_changes("scout"), studio.list_archive("scout"))
    said = memory_write(arguments, agent=agent, studio=studio)
    assert said.startswith("ERROR: ")
    assert len(said.splitlines()) == 1
    if answer is not None:
        assert said == answer
    after = (studio.list_memory_versions("scout"), studio.list_file_changes("scout"), studio.list_archive("scout"))
    assert after == before


def test_a_tool_that_is_off_answers_so(studio: Studio, agent: str) -> None:
    studio.configure_agent("scout", AgentSettings(memory_write=False))
    said = memory_write({"content": "x"}, agent=agent, studio=studio)
    assert said.startswith("ERROR: memory_write is not offered to scout")
    assert memory_write({"content": "x"}, agent="nobody", studio=studio).startswith("ERROR: There is no agent")


# --- the two studio tools ---


def test_a_list_has_the_fields_of_the_decision_and_no_text(studio: Studio, agent: str) -> None:
    """Decision 36."""
    studio.memory_write("scout", "the secret text\n", run=wake(studio, "scout"), call="c_1")
    listed = studio_list_memory_revisions(agent, studio=studio)
    assert [set(entry) for entry in listed] == [LIST_FIELDS, LIST_FIELDS | {"occasion"}], "the first says what made it"
    assert {frozenset(entry["author"]) for entry in listed} == {frozenset({"kind", "name", "via", "evidence"})}
    assert [entry["version"] for entry in listed] == [2, 1]
    assert "secret" not in json.dumps(listed)
    assert (listed[0]["call"], listed[0]["based_on"], listed[0]["live"]) == ("c_1", 1, True)


def test_a_list_is_twenty_long_unless_asked_and_goes_on_before_a_number(studio: Studio, agent: str) -> None:
    for number in range(30):
        overwrite(studio, "scout", f"{number}")
    first = studio_list_memory_revisions(agent, studio=studio)
    assert [entry["version"] for entry in first] == list(range(31, 11, -1))
    rest = studio_list_memory_revisions(agent, before=first[-1]["version"], limit=50, studio=studio)
    assert [entry["version"] for entry in rest] == list(range(11, 0, -1))
    assert studio_list_memory_revisions(agent, before=1, studio=studio) == []
    assert len(studio_list_memory_revisions(agent, limit=1, studio=studio)) == 1


def test_a_list_takes_a_kind_or_a_single_author(studio: Studio, agent: str) -> None:
    overwrite(studio, "scout", "1", by="Ana")
    overwrite(studio, "scout", "2", by="Ben")
    studio.memory_write("scout", "3")

    def versions(author: str) -> list[int]:
        return [entry["version"] for entry in studio_list_memory_revisions(agent, author=author, studio=studio)]

    assert (versions("operator"), versions("operator:Ana"), versions("agent"), versions("run")) == (
        [3, 2],
        [2],
        [4],
        [],
    )
    with pytest.raises(UnknownAuthor):
        versions("operator:Eve")
    with pytest.raises(BadAuthorFilter):
        versions("somebody")


def test_a_version_comes_with_its_text_or_its_change(studio: Studio, agent: str) -> None:
    text = "\ufeff</memory> {{x}}\r\n😀"
    overwrite(studio, "scout", text)
    overwrite(studio, "scout", "short\n")
    got = studio_get_memory_version(agent, 2, studio=studio)
    assert set(got) == LIST_FIELDS | {"text", "sha256"}
    assert got["text"] == text
    changed = studio_get_memory_version(agent, 3, against=2, studio=studio)
    assert set(changed) == LIST_FIELDS | {"change"}
    assert set(changed["change"]) == {"against", "added", "removed", "format", "blocks", "alike"}
    back = studio_get_memory_version(agent, 2, against=3, studio=studio)
    assert (changed["change"]["added"], changed["change"]["removed"]) == (
        back["change"]["removed"],
        back["change"]["added"],
    )
    for answer in (got, changed):
        assert json.loads(json.dumps(answer)) == answer


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"agent_id": "nobody"}, UnknownAgent),
        ({"agent_id": "\ud800"}, UnknownAgent),
        ({"agent_id": 7}, BadArgument),
        ({"agent_id": None}, BadArgument),
        ({"limit": 0}, BadArgument),
        ({"limit": 1_001}, BadArgument),
        ({"limit": True}, BadArgument),
        ({"limit": "20"}, BadArgument),
        ({"before": "3"}, BadArgument),
        ({"before": True}, BadArgument),
        ({"author": 3}, BadArgument),
        ({"author": "Ana"}, BadAuthorFilter),
    ],
)
def test_a_list_refuses_with_an_exception(
    studio: Studio, agent: str, arguments: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        studio_list_memory_revisions(**{"agent_id": agent, **arguments}, studio=studio)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"version": 9}, UnknownVersion),
        ({"version": 0}, UnknownVersion),
        ({"version": -1}, UnknownVersion),
        ({"version": True}, BadArgument),
        ({"version": "1"}, BadArgument),
        ({"version": None}, BadArgument),
        ({"version": 1, "against": 9}, UnknownVersion),
        ({"version": 1, "against": 1.0}, BadArgument),
        ({"agent_id": "nobody", "version": 1}, UnknownAgent),
    ],
)
def test_a_version_that_is_not_there_is_an_exception(
    studio: Studio, agent: str, arguments: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        studio_get_memory_version(**{"agent_id": agent, **arguments}, studio=studio)


def test_an_agent_may_be_named_where_the_name_is_unique(studio: Studio, agent: str) -> None:
    assert studio_list_memory_revisions("scout", studio=studio) == studio_list_memory_revisions(agent, studio=studio)
    studio.create_agent("scout", focus="another")
    with pytest.raises(AmbiguousAgent, match=agent):
        studio_list_memory_revisions("scout", studio=studio)


def test_without_a_studio_the_store_of_the_settings_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decision 36: `studio=None`."""
    with open_store(tmp_path / "s.duckdb") as made:
        made.create_agent("there", focus="x")
    monkeypatch.setenv("STUDIO_DB", str(tmp_path / "s.duckdb"))
    for _ in range(2):
        assert [entry["version"] for entry in studio_list_memory_revisions("there")] == [1]
        assert studio_get_memory_version("there", 1)["text"] == ""
        with open_store(tmp_path / "s.duckdb") as free:  # between two calls nobody is kept from it
            assert free.count_agents() == 1


# --- as a model is told ---

PARAMETERS: dict[str, Any] = {
    STUDIO_LIST_MEMORY_REVISIONS: studio_list_memory_revisions,
    STUDIO_GET_MEMORY_VERSION: studio_get_memory_version,
}


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_schema_is_the_signature(name: str) -> None:
    parameters = [one for one in inspect.signature(PARAMETERS[name]).parameters.values() if one.name != "studio"]
    schema = TOOL_SCHEMAS[name]["parameters"]
    assert list(schema["properties"]) == [one.name for one in parameters]
    assert schema["required"] == [one.name for one in parameters if one.default is inspect.Parameter.empty]
    for one in parameters:
        described = schema["properties"][one.name]
        assert described["description"]
        assert described["type"] == ("integer" if "int" in str(one.annotation) else "string")
        if "default" in described:
            assert described["default"] == one.default


def test_every_schema_is_closed_and_named() -> None:
    assert set(TOOL_SCHEMAS) >= {MEMORY_WRITE, STUDIO_LIST_MEMORY_REVISIONS, STUDIO_GET_MEMORY_VERSION}
    for name, schema in TOOL_SCHEMAS.items():
        assert schema["name"] == name
        assert schema["parameters"]["additionalProperties"] is False
        assert json.loads(json.dumps(schema)) == schema
    content = TOOL_SCHEMAS[MEMORY_WRITE]["parameters"]
    assert (list(content["properties"]), content["required"]) == (["content"], ["content"])
    assert content["properties"]["content"]["maxLength"] == 12_000


def test_memory_write_is_told_without_earlier_versions() -> None:
    """The prompt does not mention previous versions: the agent works from the live memory only."""
    told = json.dumps(TOOL_SCHEMAS[MEMORY_WRITE]).lower()
    assert not any(word in told for word in ("archive", "revision", "version", "history"))
