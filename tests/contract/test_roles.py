"""What each role reaches through the remote studio's door: its own and no more, whatever arguments it makes up."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import httpx
import pytest
from builders import Clock, overwrite, publish, wake
from served_stores import Door, at_home

from studio import open_studio
from studio.actions import calls
from studio.actions.calls import Method, find_method
from studio.actions.studio import Studio
from studio.domain.authors import Author, AuthorKind
from studio.domain.collections import Access, Column
from studio.domain.paths import archive_path, memory_path, task_path
from studio.domain.run_kinds import RunKind
from studio.domain.runs import Trigger
from studio.domain.tokens import Role
from studio.errors import BadArgument, BadName, NotAdmitted, NotAllowed, NotFound, StudioError, UnknownRun

SECRET = "SECRET"
"""Stands in every text that scout must never read."""
METHODS = [(name, role) for name in (*calls.READS, *calls.WRITES) for role in Role]


@dataclass
class Served:
    """A served store with the agents scout and desk, and tokens."""

    owner: Studio
    url: str
    tokens: dict[str, str]

    @contextmanager
    def opened(self, who: str) -> Iterator[Studio]:
        with open_studio(self.url, token=self.tokens[who], environment={}) as studio:
            yield studio

    def ask(self, who: str, method: str, arguments: dict[str, Any], **headers: str) -> httpx.Response:
        """A call as any program may send it."""
        bearer = {"Authorization": f"Bearer {self.tokens[who]}"}
        url = f"{self.url}api/studio/{method}"
        return httpx.post(url, json={"arguments": arguments}, headers={**bearer, **headers}, timeout=30)


@pytest.fixture(scope="module")
def served(door: Door, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One for all: what a refused call would have changed shows in `test_nothing_was_written`."""
    folder = tmp_path_factory.mktemp("roles")
    with at_home(folder, Clock()) as owner, door.serving(owner):
        fill(owner)
        made_tokens = {
            "operator": owner.tokens.create("Ben", Role.OPERATOR)[1],
            "viewer": owner.tokens.create("wall", Role.VIEWER)[1],
            "agent": owner.tokens.create("scout-runtime", Role.AGENT, agent="scout")[1],
            "local": Path(f"{owner.path}.secret").read_text().strip(),
        }
        yield Served(owner, door.url, made_tokens)


def fill(owner: Studio) -> None:
    """Texts that belong to others, and old ones, all hold the word."""
    owner.create_agent("scout", guild="Desk")
    owner.create_agent("desk", guild="Other")
    overwrite(owner, "scout", f"{SECRET} old memory")
    overwrite(owner, "scout", "live memory")
    publish(owner, "scout", f"{SECRET} old Task")
    publish(owner, "scout", "live Task")
    owner.draft_task("scout", f"{SECRET} draft")
    overwrite(owner, "desk", f"{SECRET} memory of desk")
    publish(owner, "desk", f"{SECRET} Task of desk")
    owner.notes.create(owner.notes.path("desk.md", agent="desk"), f"{SECRET} note of desk")
    owner.notes.create(owner.notes.path("other.md", guild="Other"), f"{SECRET} note of a guild")
    owner.notes.create(owner.notes.path("own.md", agent="scout"), "own note")
    owner.collections.create(owner.collections.path("leads"), (Column("company"),), purpose=f"{SECRET} purpose")
    owner.collections.grant("desk", "leads", Access.WRITE)
    owner.collections.write("leads", {"company": f"{SECRET} record"})
    run = owner.create_run("desk", Trigger(RunKind.DIRECT, message=f"{SECRET} message"))
    assert run.agent == owner.get_agent("desk").id


# --- the table ---

PLAUSIBLE: dict[str, Any] = {
    **dict.fromkeys(("agent", "as_agent", "owner"), "scout"),
    **dict.fromkeys(("name", "body", "text", "content", "message", "search", "task", "lease", "rule", "scope_id"), "x"),
    **{key: {} for key in ("values", "arguments", "data", "settings", "history")},
    **{key: [] for key in ("columns", "named", "messages")},
    **dict.fromkeys(("file", "repository"), "/nowhere/x"),
    **dict.fromkeys(("number", "version"), 1),
    **dict.fromkeys(("path", "to"), "x.md"),
    "run": "r_none",
    "collection": "leads",
    "status": "stopped",
    "trigger": {"kind": "direct"},
    "level": "org",
    "scope": "agent",
    "granted": None,
    "role": "viewer",
    **dict.fromkeys(("old", "commit"), "HEAD"),
}
"""One value of the right form for each argument that has no default."""


def needed(method: Method) -> dict[str, Any]:
    """The arguments without which a method cannot be called."""
    parameters = list(method.signature.parameters.values())[1:]
    return {one.name: PLAUSIBLE[one.name] for one in parameters if one.default is one.empty}


@pytest.mark.parametrize(("name", "role"), METHODS, ids=[f"{name}-{role}" for name, role in METHODS])
def test_a_role_calls_what_its_table_says(served: Served, name: str, role: Role) -> None:
    method = find_method(name)
    assert method is not None
    if role is Role.OPERATOR and name in {"load_demo", "tokens.create", "create_agent"}:
        return  # they would do it
    given = needed(method)
    if role is Role.OPERATOR and "agent" in given:
        given["agent"] = "nobody"  # so that nothing is written
    answer = served.ask(role, name, given)
    may = role in method.roles and name not in calls.LOCAL
    assert (answer.status_code == 403) == (role not in method.roles)
    refused = answer.json().get("error", {}).get("class") in ("NotAllowed", "OnThatMachineOnly")
    assert (refused or answer.status_code == 403) == (not may)


def test_a_viewer_writes_nothing_and_sees_no_archive_and_no_folder() -> None:
    assert [name for name, roles in calls.WRITES.items() if Role.VIEWER in roles] == []
    refused = [name for name, roles in calls.READS.items() if Role.VIEWER not in roles]
    assert refused == [
        "path",
        "prompts_folder",
        "verify",
        "list_archive",
        "read_archive",
        "agent_authors",
        "has_full_history",
        "tokens.list",
    ]


def test_a_method_that_is_none_is_not_found(served: Served) -> None:
    for name in (*calls.HERE, "_context", "__init__", "notes", "notes.__class__", "nothing"):
        assert served.ask("local", name, {}).status_code == 404


# --- an agent, whatever it makes up ---


def candidates(owner: Studio) -> dict[str, list[Any]]:
    """What an agent may try for each argument: its own, others', what is not there."""
    scout, desk = owner.get_agent("scout"), owner.get_agent("desk")
    org, guilds = scout.org, owner.list_guilds()
    theirs = owner.list_runs("desk")[0].id
    own = wake(owner, "scout")
    paths = [
        *(owner.notes.path(name, agent=name.removesuffix(".md")) for name in ("desk.md", "scout.md")),
        *(f"org/{org}/guilds/{guild.id}/notes/other.md" for guild in guilds),
        *(memory_path(org, one.id) for one in (scout, desk)),
        *(task_path(org, one.id) for one in (scout, desk)),
        archive_path(org, scout.id, owner.list_archive("scout")[2]),
        f"org/{org}/collections/leads",
    ]
    agents = [scout.id, "scout", desk.id, "desk", "nobody", "\ud800"]
    return {
        "agent": agents,
        "as_agent": [None, scout.id, desk.id],
        "owner": [None, desk.id],
        "guild": [None, *(guild.id for guild in guilds), "Other"],
        "run": [None, own, theirs, "r_none", "\0"],
        "path": paths,
        "to": [owner.notes.path("moved.md", agent="desk")],
        "collection": ["leads", paths[-1]],
        "number": [None, 1, 2],
        "task": [None, *(f"![[{path}]]" for path in paths)],
        "search": [SECRET],
        "name": ["x.md", "memory_write", "note_get", "note_find", "record_list"],
        "arguments": [{"query": SECRET}, *({"path": path} for path in paths), {"collection": "leads"}],
        "offered": [None, ["note_get", "record_list"]],
        "operator": [None, "Ana"],
    }


READABLE = [name for name, roles in {**calls.READS, **calls.WRITES}.items() if Role.AGENT in roles]


@pytest.mark.parametrize("name", READABLE)
def test_an_agent_never_reads_what_is_not_its_own(served: Served, name: str) -> None:
    method, tried = find_method(name), candidates(served.owner)
    assert method is not None
    visitor = served.owner.admit(served.tokens["agent"])
    assert visitor is not None
    parameters = list(method.signature.parameters.values())[1:]
    names = [one.name for one in parameters if one.name in tried]
    fixed = {key: value for key, value in needed(method).items() if key not in names}
    for values in product(*(tried[one] for one in names)):
        given = {key: value for key, value in zip(names, values, strict=True) if value is not None}
        try:
            told = json.dumps(calls.carry_out(served.owner, visitor, method, {**fixed, **given}))
        except StudioError as error:
            told = error.message
        assert SECRET not in told.replace(json.dumps(SECRET), "").replace(repr(SECRET), ""), given


@pytest.mark.parametrize(
    ("name", "arguments", "error"),
    [
        ("create_run", {"agent": "desk", "trigger": {"kind": "direct"}}, NotAllowed),
        ("memory_write", {"agent": "desk", "content": "x"}, NotAllowed),
        ("memory_write", {"agent": "scout", "content": "x", "run": "THEIRS"}, UnknownRun),
        ("call_tool", {"agent": "desk", "name": "memory_write", "arguments": {"content": "x"}}, NotAllowed),
        ("call_tool", {"agent": "scout", "name": "memory_write", "arguments": {}, "run": "THEIRS"}, UnknownRun),
        ("call_tool", {"agent": "scout", "name": "note_get", "arguments": {}, "offered": ["note_get"]}, NotAllowed),
        ("take_run", {"run": "THEIRS"}, UnknownRun),
        ("add_messages", {"run": "THEIRS", "messages": []}, UnknownRun),
        ("finish_run", {"run": "THEIRS", "status": "stopped"}, UnknownRun),
        ("renew_run", {"run": "THEIRS", "lease": "x"}, UnknownRun),
        ("give_back_run", {"run": "THEIRS", "lease": "x"}, UnknownRun),
        ("get_run", {"run": "THEIRS"}, UnknownRun),
        ("check_open", {"run": "THEIRS"}, UnknownRun),
        ("notes.write", {"path": "x", "body": "y", "as_agent": "desk"}, NotAllowed),
        ("notes.create", {"path": "x", "body": "y", "operator": "Ana"}, NotAllowed),
        ("notes.path", {"name": "x.md", "agent": "desk"}, NotAllowed),
        ("notes.path", {"name": "x.md", "guild": "Other"}, NotAllowed),
        ("collections.path", {"name": "x", "agent": "nobody"}, NotAllowed),
        ("preview", {"agent": "scout", "task": "x"}, NotAllowed),
        ("get_memory_version", {"agent": "scout", "number": 1}, NotAllowed),
        ("get_task_version", {"agent": "scout", "number": 1}, NotAllowed),
        ("draft_task", {"agent": "scout", "text": "x"}, NotAllowed),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_an_agent_is_refused(served: Served, name: str, arguments: dict[str, Any], error: type[StudioError]) -> None:
    theirs = served.owner.list_runs("desk")[0].id
    given = {key: theirs if value == "THEIRS" else value for key, value in arguments.items()}
    assert served.ask("agent", name, given).json()["error"]["class"] == error.__name__


def test_an_agent_that_is_not_there_is_refused_like_anothers(served: Served) -> None:
    """Nobody learns which agents there are."""
    told = [served.ask("agent", "get_agent", {"agent": name}).json()["error"] for name in ("desk", "nobody")]
    assert told[0] == told[1]


def test_an_agent_runs_and_writes_as_itself(served: Served, tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    writes = {"tool_calls": [{"name": "memory_write", "arguments": {"content": "by its own runtime"}}]}
    script.write_text(json.dumps([writes, {"text": "Done."}]))
    with served.opened("agent") as scout:
        wake_up = Trigger(RunKind.SCHEDULE, instruction="look")
        run = scout.run_agent("scout", wake_up, f"scripted:{script}")
        assert scout.get_memory_version("scout").body.text == "by its own runtime"
        path = scout.notes.path("mine.md", agent="scout")
        assert str(scout.notes.write(path, "note").facts.updated_by) == "agent scout"
        assert path in [note.path for note in scout.notes.list()]
    newest = served.owner.list_memory_versions("scout")[0]
    assert (newest.author, newest.run) == (Author(AuthorKind.RUN, run.id), run.id)


# --- operators ---


def test_a_tokens_writes_bear_its_name(served: Served) -> None:
    with served.opened("operator") as studio:
        assert studio.operator == "Ben"
        studio.save_memory("desk", f"{SECRET} by Ben", force=True)
        studio.save_memory("desk", f"{SECRET} by Ben again", force=True, operator="Ben")
        for name in ("Ana", " Ben"):
            with pytest.raises(NotAllowed, match="another operator's name"):
                studio.save_memory("desk", "x", force=True, operator=name)
        with pytest.raises(NotAllowed):
            studio.draft_task("desk", "x", author=Author(AuthorKind.OPERATOR, "Ana"))
    newest = served.owner.list_memory_versions("desk")[0]
    assert str(newest.author) == "operator Ben"


def test_a_program_of_the_same_user_says_who_acts(served: Served) -> None:
    for sent, name in (("Zo%C3%AB", "Zoë"), ("Ana%20B", "Ana B")):
        assert served.ask("local", "operator", {}, **{"X-Studio-Operator": sent}).json() == {"value": name}
    assert served.ask("operator", "operator", {}, **{"X-Studio-Operator": "Ana"}).status_code == 403
    with pytest.raises(BadArgument, match="'Ben'"):
        open_studio(served.url, token=served.tokens["operator"], operator="Ana", environment={})


@pytest.mark.parametrize("operator", ["two\nlines", "\ud800", " ", "x" * 500], ids=repr)
def test_a_name_that_is_none_is_refused_as_at_home(served: Served, operator: str, tmp_path: Path) -> None:
    """It is refused where it would be written, since reading bears no name."""
    (tmp_path / "s.duckdb").symlink_to(served.owner.path)
    with open_studio(tmp_path / "s.duckdb", operator=operator, environment={}) as studio:
        assert studio.count_agents() == 2
        with pytest.raises(BadName):
            studio.save_memory("desk", "x", force=True)


@pytest.mark.parametrize("token", [None, "", "nope", "studio_" + "x" * 40])
def test_what_is_no_token_lets_nobody_in(served: Served, token: str | None) -> None:
    with pytest.raises(NotAdmitted, match="STUDIO_TOKEN"):
        open_studio(served.url, token=token, environment={})


def test_the_token_is_also_read_from_the_environment(served: Served) -> None:
    with open_studio(environment={"STUDIO_DB": served.url, "STUDIO_TOKEN": served.tokens["viewer"]}) as studio:
        assert studio.count_agents() == 2
        with pytest.raises(NotAllowed, match="viewer"):
            studio.save_memory("scout", "x", force=True)
        with pytest.raises(NotFound):
            studio.get_agent("nobody")


# --- hostile arguments ---


@pytest.mark.parametrize(
    "arguments",
    [
        {"self": 1, "agent": "scout"},
        {"agent": 7},
        {"agent": None},
        {"agent": ["scout"]},
        {"agent": {"name": "scout"}},
        {},
        {"agent": "scout", "nothing": 1},
        {"agent": "scout", "number": True},
        {"agent": "scout", "number": 1.0},
        {"agent": "scout", "number": "1"},
    ],
    ids=repr,
)
def test_arguments_of_another_form_are_refused_in_words(served: Served, arguments: dict[str, Any]) -> None:
    answer = served.ask("local", "get_memory_version", arguments)
    assert (answer.status_code, answer.json()["error"]["class"]) == (422, "BadArgument")
    assert answer.json()["detail"].startswith("get_memory_version: ")


def test_nothing_was_written(served: Served) -> None:
    """No call above changed a text that was not its caller's."""
    assert served.owner.get_task_version("desk").body.text == f"{SECRET} Task of desk"
    assert served.owner.list_runs("desk")[0].status == "open"
    assert served.owner.get_task_version("scout").body.text == "live Task"
