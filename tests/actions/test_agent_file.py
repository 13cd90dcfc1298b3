"""The JSON file of `agents set --from`: what it sets, and that it sets all of it or nothing."""

import json
from typing import Any

import pytest

from studio.actions.studio import Studio
from studio.domain import agent_file
from studio.domain.agent_file import KEYS, parse_json
from studio.errors import BadAgentFile

documented = agent_file.__doc__ or ""
EXAMPLE: dict[str, Any] = json.loads(documented[documented.index("    {") : documented.index("Exceptions")])


def state(studio: Studio, agent: str = "scout") -> dict[str, Any]:
    section = studio.preview(agent).text.split("<state>\n")[1].split("\n</state>")[0]
    return dict(json.loads(section.split("\n\n", 1)[1]))


@pytest.fixture(autouse=True)
def agents(studio: Studio) -> None:
    """One agent in a guild, one without."""
    studio.create_agent("scout", guild="Desk")
    studio.create_agent("loner")


def findings(studio: Studio, data: object, agent: str = "scout") -> list[str]:
    """What is wrong with a file; nothing of it is set."""
    before = (state(studio, agent), studio.get_rights(agent), studio.collections.list())
    with pytest.raises(BadAgentFile) as refused:
        studio.configure_agent_from(agent, data)
    assert (state(studio, agent), studio.get_rights(agent), studio.collections.list()) == before
    assert all(finding in str(refused.value) for finding in refused.value.findings)
    return list(refused.value.findings)


def test_the_documented_example_has_every_key_and_is_taken(studio: Studio) -> None:
    assert tuple(EXAMPLE) == KEYS
    studio.configure_agent_from("scout", EXAMPLE)
    shown = state(studio)
    assert shown["guild"] == {"about": "The sales desk.", "description": "How we work."}
    assert shown["operators"] == ["Ana", "Ben"]
    assert shown["group_history"] == [{"from": "Ana", "at": "2026-09-13T09:00:12Z", "text": "Hello"}]
    assert shown["writable_levels"] == ["agent", "guild"]
    assert [one["name"] for one in shown["collections"]] == ["leads"]
    assert [one["name"] for one in (*shown["scripts"], *shown["environments"], *shown["repositories"])] == [
        "chart.py",
        "prod",
        "site",
    ]
    assert [one["id"] for one in shown["prices"]] == ["bitcoin"]


def test_taking_it_twice_changes_nothing(studio: Studio) -> None:
    studio.configure_agent_from("scout", EXAMPLE)
    once = state(studio)
    studio.configure_agent_from("scout", EXAMPLE)
    assert state(studio) == once


def test_an_empty_file_changes_nothing(studio: Studio) -> None:
    studio.configure_agent_from("scout", EXAMPLE)
    before = state(studio)
    studio.configure_agent_from("scout", {})
    assert state(studio) == before


def test_a_key_replaces_what_was_under_it(studio: Studio) -> None:
    studio.configure_agent_from("scout", EXAMPLE)
    studio.configure_agent_from(
        "scout", {"tools": [], "scripts": [], "environments": [], "collections": [], "guild": {"about": None}}
    )
    shown = state(studio)
    assert not {"scripts", "environments", "repositories"} & set(shown)
    assert shown["collections"] == []
    assert shown["guild"] == {"description": "How we work."}
    assert [one.collection.name for one in studio.collections.list()] == ["leads"]


def test_a_collection_keeps_what_the_file_leaves_out(studio: Studio) -> None:
    studio.configure_agent_from("scout", EXAMPLE)
    studio.collections.write("leads", {"company": "ACME", "status": "won"}, record_id="acme")
    studio.configure_agent_from("scout", {"collections": [{"name": "leads", "scope": "guild", "access": "read"}]})
    (grant,) = studio.collections.list(as_agent="scout")
    assert (str(grant.access), grant.collection.purpose, len(grant.collection.columns)) == ("read", "Who may buy.", 2)
    changed = {"name": "leads", "scope": "guild", "access": None, "columns": [{"name": "status"}, {"name": "next"}]}
    studio.configure_agent_from("scout", {"collections": [changed]})
    assert studio.collections.list(as_agent="scout") == ()
    assert studio.collections.records("leads")[0].values == {"status": "won"}


def test_messages_are_appended_once_in_their_order(studio: Studio) -> None:
    rows = [{"from": "Ana", "at": "2026-09-13T09:00:12+02:00", "text": text} for text in ("one", "two", "one")]
    studio.configure_agent_from("scout", {"guild": {"messages": rows}})
    assert [row["text"] for row in state(studio)["group_history"]] == ["one", "two"]
    studio.configure_agent_from("scout", {"guild": {"messages": [*rows, {**rows[0], "text": "three"}]}})
    assert [row["text"] for row in state(studio)["group_history"]] == ["one", "two", "three"]
    assert state(studio)["group_history"][0]["at"] == "2026-09-13T07:00:12Z"


def test_null_takes_a_binding_back(studio: Studio) -> None:
    studio.configure_agent_from("scout", {"bindings": {"agent": {"note_find": False, "memory_write": False}}})
    assert not {"note_find", "memory_write"} & set(studio.get_rights("scout").tools)
    studio.configure_agent_from("scout", {"bindings": {"agent": {"note_find": None, "memory_write": None}}})
    assert {"note_find", "memory_write"} <= set(studio.get_rights("scout").tools)


WRONG: dict[str, tuple[object, str]] = {
    "no object": ([], "the file is no object"),
    "unknown key": ({"tool": []}, f"tool is unknown; there are {', '.join(KEYS)}"),
    "unknown key below": ({"guild": {"abot": "x"}}, "guild.abot is unknown; there are about, description, repositories, messages"),
    "unknown tool": ({"tools": ["zap"]}, 'tools[0] must be one of search, browser, coding, sandbox, schedule, not "zap"'),
    "no list": ({"scripts": {}}, "scripts is no list"),
    "no name": ({"scripts": [{}]}, "scripts[0].name is missing"),
    "no text": ({"scripts": [{"name": 5}]}, "scripts[0].name must be a text, not 5"),
    "one name twice": ({"scripts": [{"name": "a"}, {"name": "a"}]}, "scripts[1] has the name 'a', which another one has"),
    "no switch": ({"environments": [{"name": "a", "bound": "yes"}]}, "environments[0].bound must be true or false"),
    "no values of environments": (
        {"environments": [{"name": "a", "value": "secret"}]},
        "environments[0].value is unknown; there are name, description, bound",
    ),
    "unknown scope": (
        {"collections": [{"name": "a", "scope": "team", "columns": [{"name": "b"}]}]},
        'collections[0].scope must be one of agent, guild, org, not "team"',
    ),
    "new without columns": ({"collections": [{"name": "a"}]}, "collections[0] needs columns: there is no agent collection 'a' yet"),
    "no columns": ({"collections": [{"name": "a", "columns": []}]}, "collections[0].columns needs at least one column"),
    "no time": (
        {"guild": {"messages": [{"from": "A", "text": "x", "at": "noon"}]}},
        "guild.messages[0].at must be a time like 2026-09-13T09:00:12Z",
    ),
    "before the first year": (
        {"guild": {"messages": [{"from": "A", "text": "x", "at": "0001-01-01T00:00:00+14:00"}]}},
        "guild.messages[0].at must be a time like 2026-09-13T09:00:12Z",
    ),
    "name with a slash": (
        {"collections": [{"name": "x/y", "columns": [{"name": "b"}]}]},
        "collections[0].name cannot be used: A collection cannot be named 'x/y'; use a name without slashes that is not only dots",
    ),
    "name that climbs": (
        {"collections": [{"name": ".."}]},
        "collections[0].name cannot be used: A collection cannot be named '..'; use a name without slashes that is not only dots",
    ),
    "name that no embed can have": (
        {"collections": [{"name": "a]]", "columns": [{"name": "b"}]}]},
        (
            "collections[0].name cannot be used: A collection named 'a]]' cannot be embedded; use a name without backticks,"
            " '[[', ']]', line breaks, a ']' as its last character and blanks at its ends"
        ),
    ),
    "collection without a name": ({"collections": [{"columns": [{"name": "b"}]}]}, "collections[0].name is missing"),
    "no address": ({"logins": [{"name": "m", "base_url": "market"}]}, "logins[0].base_url must begin with https:// or http://"),
    "unknown login": (
        {"bindings": {"agent": {"prices": "m"}}},
        "bindings.agent.prices names the login 'm', which is neither here nor in the store",
    ),
    "no binding value": ({"bindings": {"org": {"note_find": "no"}}}, "bindings.org.note_find must be true, false or null"),
}  # fmt: skip


@pytest.mark.parametrize(("data", "finding"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said_in_a_sentence(studio: Studio, data: object, finding: str) -> None:
    assert findings(studio, data) == [finding]


def test_everything_wrong_is_said_at_once_and_nothing_is_set(studio: Studio) -> None:
    all_wrong: dict[str, Any] = {}
    for name, (data, _) in WRONG.items():
        if isinstance(data, dict) and name != "no list":
            for key, value in data.items():
                held = all_wrong.get(key)
                if isinstance(held, dict):
                    held.update(value)
                elif isinstance(held, list):
                    held.extend(value)
                else:
                    all_wrong[key] = value.copy()
    assert len(findings(studio, {**EXAMPLE, **all_wrong})) >= 12


@pytest.mark.parametrize("text", ["a\0", "a\ud800"], ids=["NUL", "lone surrogate"])
def test_a_text_that_no_write_takes_decision_5(studio: Studio, text: str) -> None:
    found = findings(studio, {"guild": {"about": text}, "scripts": [{"name": text}], "operators": [text]})
    places = [one.split(" cannot be stored")[0] for one in found]
    assert sorted(places) == ["guild.about", "operators[0]", "scripts[0].name"]


def test_an_agent_without_a_guild_sets_none(studio: Studio) -> None:
    data = {
        "guild": {"about": "x"},
        "bindings": {"guild": {"note_find": False}},
        "collections": [{"name": "a", "scope": "guild"}],
    }
    assert len(findings(studio, data, "loner")) == 3


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"tools": [}', "line 1, column 12"),
        ("", "line 1, column 1"),
        ("[" * 100_000, "no JSON"),
        ('{"tools": [], "tools": []}', "the key 'tools' stands twice"),
    ],
    ids=["broken", "empty", "nested without end", "a key twice"],
)
def test_a_file_that_is_no_json(text: str, says: str) -> None:
    with pytest.raises(BadAgentFile, match=says):
        parse_json(text)


def test_a_byte_order_mark_before_the_json_is_no_fault() -> None:
    assert parse_json("\ufeff{}") == {}
