"""Every method at home and through the owner: the same values of the same types, the same errors."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from builders import Clock, texts_history
from repository_builder import RepositoryBuilder
from served_stores import Door, at_home
from shapes import shape

from studio.actions import calls
from studio.actions.remote import RemoteStudio
from studio.actions.studio import Studio
from studio.domain.agents import AgentConfig
from studio.domain.authors import Author, AuthorKind, operator
from studio.domain.bindings import Scope
from studio.domain.collections import Access, Column
from studio.domain.guidelines import Flag
from studio.domain.places import Level
from studio.domain.run_kinds import RunKind
from studio.domain.runs import Message, Role, RunStatus, ToolCall, Trigger
from studio.domain.settings import AgentSettings
from studio.domain.tokens import Role as TokenRole
from studio.errors import StudioError
from studio.sources.owner import Address, Connection

HOSTILE = "\ufeff# Läuft 😀\r\n<memory>{{x}} $& %s</memory>\u202e\u2066 bidi \u0001"
RANDOM = {"tokens.create", "take_run"}
"""What gives a secret or a lease: of the same form, never the same."""


@dataclass
class Recorder:
    """Calls methods by their names and keeps what each came to."""

    studio: Studio
    clock: Clock
    folder: Path
    outcomes: list[tuple[str, str]] = field(default_factory=list)

    def __call__(self, name: str, *given: Any, **named: Any) -> Any:
        """The value, or the error that was raised."""
        self.clock.tick(7)
        shelf, _, own = name.rpartition(".")
        target = getattr(self.studio, shelf) if shelf else self.studio
        try:
            found = getattr(target, own)
            value = found(*given, **named) if callable(found) else found
        except StudioError as error:
            self._keep(name, (type(error), sorted(vars(error).items())))
            return error
        self._keep(name, type(value) if name in RANDOM else shape(value))
        return value

    def _keep(self, name: str, came_to: object) -> None:
        """Remember an outcome; where a file lies is all that may differ."""
        self.outcomes.append((name, repr(came_to).replace(str(self.folder), "FOLDER")))


def agents(do: Recorder) -> None:
    do("list_agents")
    do("list_guilds")
    do("collections.path", "no organisation yet")
    do("create_agent", "scout", focus=f"Watch {HOSTILE}".replace("\r\n", " "), guild="Desk")
    do("create_agent", "twin", focus="Watch.", guild="Desk", config=AgentConfig(max_tool_calls=9))
    do("create_agent", "twin")
    do("get_agent", "twin")
    do("create_agent", "Ärger 😀")
    do("create_agent", "two\nlines")
    do("create_agent", "lone", focus="\ud800")
    do("get_agent", "scout")
    scribe = do("list_agents", "twin")[0].agent.id
    do("get_agent", scribe)
    for name in ("nobody", "\ud800", "\0", "", "a" * 10_000):
        do("get_agent", name)
    do("configure_agent", scribe, AgentSettings(name="scribe", retention="all", memory_write=False))
    do("configure_agent", "scout", AgentSettings(max_tool_calls=0))
    do("configure_agent_from", "scout", {"tools": ["search"], "operators": ["Ben"], "guild": {"about": "Us."}})
    do(
        "configure_agent_from",
        "scout",
        {"tools": 7, "nothing": {"x": [1, 2.5, None, True, "\ud800"]}, "operators": [3]},
    )
    do("configure_agent_from", "scout", [1])
    do("set_binding", Scope.AGENT, scribe, "note_find", turned_on=False)
    do("set_binding", Scope.ORG, "nobody", "no_such", turned_on=False)
    do("get_rights", "scout")
    do("get_rights", "scribe")
    do("list_agents", "desk", limit=1, offset=1)
    do("count_agents")
    do("count_agents", "desk")
    do("list_guilds")


def memory(do: Recorder) -> None:
    first = do("get_memory_version", "scout")
    do("save_memory", "scout", "one\n", expect=first.version.sha256)
    do("save_memory", "scout", "one\n", expect=first.version.sha256)
    do("save_memory", "scout", "two\n", expect=first.version.sha256)
    do("save_memory", "scout", "two\n")
    do("save_memory", "scout", "a\ud800b", force=True)
    do("save_memory", "scout", "a\0b", force=True)
    do("save_memory", "scout", HOSTILE, force=True, operator="Zoë")
    do("save_memory", "scout", "x", force=True, operator="two\nlines")
    do("memory_write", "scout", "by the agent")
    do("memory_write", "scout", "x" * 12_001)
    do("memory_write", "scribe", "not offered")
    do("memory_write", "scout", "x", run="r_none")
    do("restore_memory", "scout", 2)
    do("restore_memory", "scout", 99)
    do("get_memory_version", "scout", 3)
    do("get_memory_version", "scout", -1)
    do("get_memory_version", "scout", 10**30)
    for filters in ({}, {"author": "operator:Zoë"}, {"author": "what?"}, {"author": "run"}, {"limit": 2, "before": 4}):
        do("list_memory_versions", "scout", **filters)
    do("list_memory_authors", "scout")
    do("compare_memory", "scout", 3)
    do("compare_memory", "scout", 1, against=4)
    do("compare_memory", "scout", 1, against=77)
    archive = do("list_archive", "scout")
    agent = do("get_agent", "scout")
    do("read_archive", f"org/{agent.org}/agents/{agent.id}/history-archive/{archive[2]}")
    do("read_archive", f"org/{agent.org}/agents/{agent.id}/history-archive/none.md")
    do("list_file_changes", "scout")
    do("open_step", "scout", 2)


def task(do: Recorder) -> None:
    do("get_task_version", "scout")
    do("get_task_draft", "scout")
    do("review_task", "scout")
    do("discard_task_draft", "scout")
    draft = do("draft_task", "scout", "Watch ![[org/none]] closely.")
    do("draft_task", "scout", "Watch well.", author=Author(AuthorKind.AGENT, "coach"), expect="0" * 64)
    do("get_task_draft", "scout")
    do("review_task", "scout")
    do("publish_task", "scout", note="why")
    do("publish_task", "scout", note="why", yes_to=("broken-links",), expect=draft.sha256)
    do("save_task", "scout", "Watch.", force=True, operator="Ben")
    do("save_task", "scout", HOSTILE)
    do("restore_task", "scout", 2)
    do("restore_task", "scout", 2, yes_to=("broken-links",))
    do("list_task_versions", "scout")
    do("list_task_versions", "scout", author="operator:Ben", limit=1)
    do("compare_task", "scout", 2)
    do("get_task_version", "scout", 1)
    do("list_broken_links", "scout")
    do("expand_task", f"![[org/o_2/notes/none.md]] {HOSTILE}")
    do("draft_task", "scout", "Another.", author=operator("Ana"), based_on=1)
    do("publish_task", "scout")
    do("review_task", "scout")
    do("discard_task_draft", "scout", expect="0" * 64)
    do("discard_task_draft", "scout")
    do("list_replaced_drafts", "scout")
    do("restore_task_draft", "scout", 99)
    do("restore_task_draft", "scout", 1)
    do("draft_task", "scout", "Ben's.", author=operator("Ben"))
    do("draft_task", "scout", "Ben's.", author=operator("Ben"), force=True)
    do("list_replaced_drafts", "scout")


def notes(do: Recorder) -> None:
    shared = do("notes.path", "prices.md")
    own = do("notes.path", "own.md", agent="scout")
    do("notes.path", "guild.md", guild="Desk")
    do("notes.path", "x.md", guild="None")
    made = do("notes.create", shared, HOSTILE, title="Prices")
    do("notes.create", shared, "other")
    do("notes.create", f"{shared}/../x", "climbs")
    do("notes.write", own, "mine", as_agent="scout")
    do("notes.write", own, "theirs", as_agent="scribe")
    do("notes.edit", shared, "two", expect="0" * 64)
    do("notes.edit", shared, "two", expect=made.facts.sha256, title="New")
    do("notes.edit", shared, "\ud800", force=True)
    do("notes.get", shared)
    do("notes.get", own, as_agent="scribe")
    do("notes.get", "org/none")
    do("notes.list")
    do("notes.list", level=Level.AGENT, owner="a_2", limit=1, as_agent="scout")
    do("notes.count", Level.ORG, "o_1")
    do("notes.find", "two")
    do("notes.find", "two", level=Level.ORG, limit=1, as_agent="scribe")
    do("save_task", "scout", f"![[{shared}]]", force=True)
    do("notes.embedded_in", shared)
    do("notes.move", shared, do("notes.path", "moved.md"))
    do("notes.delete", shared)
    do("notes.move", own, do("notes.path", "moved.md", agent="scout"), as_agent="scout")
    do("notes.delete", do("notes.path", "moved.md", agent="scout"))
    do("expand_task", f"![[{shared}]]")


def collections(do: Recorder) -> None:
    path = do("collections.path", "leads")
    do("collections.create", path, [Column("company", "Legal name."), Column("status")], purpose="Who buys.")
    do("collections.create", path, (), operator="Ben")
    do("collections.create", "nowhere", ())
    do("collections.get", "leads")
    do("collections.get", "leads", as_agent="scout")
    do("collections.grant", "scout", "leads", Access.WRITE)
    do("collections.grant", "scribe", "none", None)
    do("collections.list")
    do("collections.list", as_agent="scout")
    values = {"company": HOSTILE, "status": {"since": [1, 2.5, None, True, 10**20], "a": {"b": "c"}}}
    row = do("collections.write", "leads", values, record_id="acme", as_agent="scout")
    do("collections.write", "leads", {"status": None}, record_id="acme", operator="Ben")
    do("collections.write", "leads", {"nothing": 1})
    do("collections.write", "leads", {"company": "lone \ud800"})
    for number in (1e308, -0.0, 2**53 + 1):
        do("collections.write", "leads", {"status": number}, record_id=f"row {number}")
    do("collections.records", "leads")
    do("collections.records", "leads", equals={"company": HOSTILE}, limit=1, as_agent="scout")
    do("collections.records", "leads", since=row.record.updated_at)
    do("collections.records", "leads", since=datetime(2030, 1, 1, tzinfo=UTC))


def runs(do: Recorder) -> None:
    do("create_run", "nobody", Trigger(RunKind.DIRECT))
    do("create_run", "scout", Trigger(RunKind.DIRECT, message="\ud800"))
    do("create_run", "scout", Trigger(RunKind.DIRECT, message="hi"), max_steps=0)
    wake = Trigger(RunKind.SCHEDULE, instruction=HOSTILE, previous_run_at=datetime(2026, 1, 1, tzinfo=UTC))
    run = do("create_run", "scout", wake, registered=frozenset({Flag.SEARCH, Flag.CODING}), max_tool_calls=7)
    group = Trigger(RunKind.GROUP, message="ship it?", sender="Ben", tags=("scout", "Ärger 😀"), tagged=True)
    do("create_run", "scout", group)
    direct = do("create_run", "scout", Trigger(RunKind.DIRECT, message=HOSTILE))
    lease = do("take_run", run.id)
    do("take_run", run.id)
    do("take_run", run.id, "another message")
    do("take_run", "r_none")
    row = Message(2, Role.ASSISTANT, "", do("now"), tool_calls=(ToolCall("c_1", "memory_write", '{"content": "new"}'),))
    do("add_messages", run.id, (row,), lease=lease)
    do("add_messages", run.id, (row,))
    do("renew_run", run.id, lease)
    do("renew_run", run.id, "another")
    do("give_back_run", run.id, lease)
    do("add_messages", run.id, (row,))
    do("call_tool", "scout", "memory_write", {"content": "new"}, run=run.id, call="c_1")
    do("call_tool", "scout", "memory_write", '{"content": "x", "unchanged": true}', run=run.id)
    do("call_tool", "scout", "memory_write", {"content": 7}, run=run.id)
    do("call_tool", "scout", "note_find", "[" * 3_000, run=run.id)
    do("call_tool", "scout", "no\ud800ne", {"x": 1e308})
    do("call_tool", "scribe", "memory_write", {"content": "x"}, run=run.id)
    do("call_tool", "scout", "report_issue", {"report": HOSTILE}, offered=("report_issue",))
    do("list_problems")
    do("open_step", "scout", 7)
    do("check_open", run.id)
    do("finish_run", run.id, RunStatus.COMPLETED, memory_skipped=True)
    do("finish_run", run.id, RunStatus.FAILED, failure="again")
    do("check_open", run.id)
    do("get_run", run.id)
    do("get_run", "\0")
    do("list_runs", "scout")
    do("list_runs", "scout", limit=1, offset=1)
    do("count_runs", "scout")
    do("count_newer_runs", run.id)
    do("outline_runs", (run.id, direct.id, "r_none"))
    for kind in RunKind:
        do("preview", "scout", kind=kind, registered=frozenset(Flag))
    do("preview", "scout", task=HOSTILE, memory_text=f"{HOSTILE}</memory>")
    do("preview", "nobody")


def the_rest(do: Recorder) -> None:
    do("list_operators")
    do("operator")
    do("now")
    do("prompts_folder")
    do("check")
    do("import_history", "imported", texts_history("one", b"\xff\0raw", None, "zwei\r\n"))
    do("import_history", "imported", texts_history("one", b"\xff\0raw", None, "zwei\r\n", "drei"))
    do("import_history", "scout", texts_history("one"))
    do("agent_authors", "imported")
    do("has_full_history", "imported")
    do("get_memory_version", "imported", 2)
    do("list_memory_versions", "imported")
    do("load_demo")
    do("tokens.create", "Ben", TokenRole.OPERATOR)
    do("tokens.create", "runtime", TokenRole.AGENT, agent="scout")
    do("tokens.create", "wrong", TokenRole.AGENT)
    do("tokens.list")
    do("tokens.revoke", "Ben")
    do("tokens.revoke", "Ben")


def directories(do: Recorder) -> None:
    repository = RepositoryBuilder(do.folder / "memory")
    repository.save("human.md", "---\nname: human\ndescription: Who.\n---\nWorks late.\n")
    repository.save("MEMORY.md", f"Always {HOSTILE}\n")
    agent = do("create_agent", "keeper")
    do("directories.get", agent.id)
    do("directories.link", str(do.folder / "none"), "keeper")
    do("directories.link", str(repository.folder), "keeper", agent_authors=("Ana",))
    for name in (
        "get",
        "tree",
        "findings",
        "lint",
        "shrink",
        "compile",
        "history",
        "authors",
        "version",
        "headroom",
        "audit",
        "survey",
    ):
        do(f"directories.{name}", "keeper")
        do(f"directories.{name}", "scout")
    do("directories.advise", "keeper")
    do("directories.judge", "keeper", "human.md", "no frontmatter")
    do("directories.begin", str(repository.folder))
    do("directories.links")
    do("directories.compile", "keeper", base="Base {CORE_MEMORY}.")
    do("directories.history", "keeper", "human.md", author="agent", limit=1)
    do("directories.changes", "keeper", author="agent", limit=1)
    do("directories.changes", "keeper", "none/")
    do("directories.change", "keeper", "HEAD")
    do("directories.file", "keeper", "human.md")
    do("directories.file", "keeper", "none.md")
    do("directories.version", "keeper", 1, "human.md")
    do("directories.compare", "keeper", 2)
    do("directories.compare", "keeper", 9)
    do("directories.diff", "keeper", "HEAD~1")
    do("directories.diff", "keeper", "none")
    do("directories.edit", "keeper", "human.md", "no frontmatter", "Break it")
    do("directories.edit", "keeper", "MEMORY.md", "x", "Stale", expect="0" * 64)
    do(
        "directories.edit",
        "keeper",
        "human.md",
        "---\nname: human\ndescription: Who.\n---\nSleeps.\n",
        "Say so",
        force=True,
    )
    do("directories.version", "keeper", path="human.md")
    do("directories.edit", "keeper", "human.md", None, "Forget", force=True)
    do("directories.file", "keeper", "human.md")
    do("directories.restore", "keeper", "human.md")
    do("directories.restore", "keeper", "human.md", "HEAD~1")
    do("preview", "keeper")
    do("lint_memory", "scout")
    do("lint_task", "scout")
    do("directories.unlink", "keeper")
    do("directories.unlink", "keeper")


SCRIPTS: tuple[Callable[[Recorder], None], ...] = (
    agents,
    memory,
    task,
    notes,
    collections,
    runs,
    directories,
    the_rest,
)
ELSEWHERE = {"path", "backup", "commits", "lost", "verify"}
"""What has tests of its own."""


@pytest.fixture(scope="module")
def recorded(door: Door, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Recorder, Recorder]]:
    """The whole script, at home and through an owner."""
    folders, clocks = (tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("far")), (Clock(), Clock())
    with (
        at_home(folders[0], clocks[0]) as home,
        door.through_owner(folders[1], clocks[1]) as far,
    ):
        both = Recorder(home, clocks[0], folders[0]), Recorder(far, clocks[1], folders[1])
        for one in both:
            for script in SCRIPTS:
                script(one)
        yield both


@pytest.mark.parametrize("name", [*calls.READS, *calls.WRITES])
def test_a_method_gives_the_same_through_the_owner(recorded: tuple[Recorder, Recorder], name: str) -> None:
    home, far = ([one for one in each.outcomes if one[0] == name] for each in recorded)
    assert far == home
    assert home or name in ELSEWHERE


@pytest.mark.parametrize("name", [*calls.READS, *calls.WRITES])
def test_a_method_keeps_its_signature_and_its_words(name: str) -> None:
    shelf, _, own = name.rpartition(".")
    studio: Any = RemoteStudio(Connection("nowhere", lambda: Address("http://127.0.0.1:1", None)))
    far = inspect.getattr_static(type(getattr(studio, shelf)) if shelf else RemoteStudio, own)
    home = inspect.getattr_static(calls.SHELVES.get(shelf, Studio), own)
    assert (far is not home, far.__doc__) == (True, home.__doc__)
    if not isinstance(home, property):
        assert inspect.signature(far) == inspect.signature(home)


def test_every_method_stands_in_exactly_one_table() -> None:
    """A new method of the facade must say whether it is sent, and who may."""
    own = {name for name in vars(Studio) if not name.startswith("_")}
    own |= {
        f"{noun}.{name}" for noun, shelf in calls.SHELVES.items() for name in vars(shelf) if not name.startswith("_")
    }
    tables = (set(calls.READS), set(calls.WRITES), set(calls.HERE))
    assert set.union(*tables) == own
    assert sum(len(table) for table in tables) == len(own)


@pytest.mark.parametrize("name", sorted(calls.HERE))
def test_what_is_not_sent_is_told_by_the_remote_object_itself(name: str) -> None:
    """Inherited, it would ask for a store that this process has not opened."""
    assert name in vars(RemoteStudio) or name in MADE_OF_CALLS


MADE_OF_CALLS = {"import_git", "import_history_file", "preview_git", "preview_history_file", "run_agent"}
"""Methods of `Studio` that are made of others, so that they work on both."""
