"""The methods of `Studio` as calls from elsewhere: which there are, who may make each, and how one is carried out.

This is the other end of `remote`. A new method of `Studio` or of one of its `SHELVES` needs its line here; a test says so.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, get_type_hints

from studio.actions.directory.shelf import Directories
from studio.actions.shelves import Collections, Notes, Tokens
from studio.actions.studio import Studio
from studio.domain.authors import operator
from studio.domain.exchange import Json, NotOfType, from_json, to_json
from studio.domain.tokens import Role, Visitor
from studio.errors import AmbiguousAgent, BadArgument, NotAllowed, NotFound, OnThatMachineOnly, UnknownRun

SHELVES: Mapping[str, type[Notes] | type[Collections] | type[Directories] | type[Tokens]] = {
    "notes": Notes,
    "collections": Collections,
    "directories": Directories,
    "tokens": Tokens,
}
"""The parts of `Studio` that are nouns of their own, by the name of the property."""

HERE = frozenset(
    {"close", "announce", "withdraw", "admit", "acting_as", "visited", "ticket_of", "may_write", "once", "stop_runs"}
    | {
        "drive_run",
        "continue_run",
        "run_agent",
        "import_git",
        "import_history_file",
        "preview_git",
        "preview_history_file",
    }
    | {"notes", "collections", "directories", "tokens"}
)
"""What is no call: it concerns the process itself, or is made of other calls, with files and models of whoever calls."""

_OPERATORS = frozenset({Role.OPERATOR})
_READERS = frozenset({Role.OPERATOR, Role.VIEWER})
_RUNTIMES = frozenset({Role.OPERATOR, Role.AGENT})
_EVERYONE = frozenset(Role)

READS: Mapping[str, frozenset[Role]] = {
    **dict.fromkeys(("operator", "now", "check", "commits", "lost"), _EVERYONE),
    **dict.fromkeys(("path", "prompts_folder", "verify"), _OPERATORS),
    **dict.fromkeys(("get_agent", "get_rights", "get_memory_version", "get_task_version", "preview"), _EVERYONE),
    **dict.fromkeys(("list_runs", "count_runs", "get_run", "check_open"), _EVERYONE),
    **dict.fromkeys(("notes.path", "notes.list", "notes.get", "notes.find"), _EVERYONE),
    **dict.fromkeys(("collections.path", "collections.list", "collections.get", "collections.records"), _EVERYONE),
    **dict.fromkeys(("list_agents", "count_agents", "list_guilds", "list_operators", "list_problems"), _READERS),
    **dict.fromkeys(
        ("list_broken_links", "expand_task", "get_task_draft", "list_replaced_drafts", "review_task"), _READERS
    ),
    **dict.fromkeys(("list_memory_versions", "list_memory_authors", "compare_memory"), _READERS),
    **dict.fromkeys(("list_task_versions", "compare_task", "list_file_changes", "open_step"), _READERS),
    **dict.fromkeys(("count_newer_runs", "outline_runs", "notes.count", "notes.embedded_in"), _READERS),
    **dict.fromkeys(("directories.get", "directories.tree", "directories.findings", "directories.compile"), _READERS),
    **dict.fromkeys(
        ("directories.links", "directories.history", "directories.authors", "directories.version"), _READERS
    ),
    **dict.fromkeys(("directories.compare", "directories.diff", "directories.headroom"), _READERS),
    **dict.fromkeys(("directories.survey", "directories.advise", "directories.judge", "directories.audit"), _READERS),
    **dict.fromkeys(("directories.changes", "directories.change", "directories.file"), _READERS),
    **dict.fromkeys(("directories.lint", "directories.shrink", "lint_memory", "lint_task"), _READERS),
    **dict.fromkeys(("list_archive", "read_archive", "agent_authors", "has_full_history", "tokens.list"), _OPERATORS),
}
"""What changes nothing, so that it can be asked again, and who may."""

WRITES: Mapping[str, frozenset[Role]] = {
    **dict.fromkeys(("create_run", "take_run", "renew_run", "give_back_run", "add_messages"), _RUNTIMES),
    **dict.fromkeys(("finish_run", "call_tool", "memory_write"), _RUNTIMES),
    **dict.fromkeys(("notes.create", "notes.edit", "notes.write", "notes.move", "notes.delete"), _RUNTIMES),
    "collections.write": _RUNTIMES,
    **dict.fromkeys(("create_agent", "configure_agent", "configure_agent_from", "set_binding"), _OPERATORS),
    **dict.fromkeys(("save_memory", "restore_memory", "save_task", "publish_task", "restore_task"), _OPERATORS),
    **dict.fromkeys(
        ("draft_task", "discard_task_draft", "restore_task_draft", "load_demo", "import_history"), _OPERATORS
    ),
    **dict.fromkeys(("directories.begin", "directories.link", "directories.unlink", "directories.edit"), _OPERATORS),
    "directories.restore": _OPERATORS,
    **dict.fromkeys(("collections.create", "collections.grant", "tokens.create", "tokens.revoke"), _OPERATORS),
    "backup": _OPERATORS,
}
"""What writes, and who may."""

LOCAL = frozenset({"backup", "directories.begin", "directories.link"})
"""What only programs of the system user who serves may call: it reads or writes files where the store is."""
PLACES = frozenset({"file", "repository"})
"""Arguments of those that name a place on this machine: sent in full, since the owner stands in another folder."""
LEASES = frozenset({"renew_run", "give_back_run"})
"""Writes that can be repeated as they are."""
WITHHELD = frozenset({"operator", "number", "task", "offered"})
"""Arguments that an agent may not give: a person's name, an old version (decision 18), a Task whose embeds would be read as an operator
reads them, tools that its run or its operator does not offer it."""


@dataclass(frozen=True)
class Method:
    """One method that can be called from elsewhere."""

    name: str
    """As `save_memory`, or `notes.edit` for one of a shelf."""
    function: Callable[..., Any]
    """The method itself, unbound; of a property its getter."""
    roles: frozenset[Role]
    """Who may call it; an agent only for itself."""
    writes: bool
    """Whether it changes something."""

    @property
    def is_property(self) -> bool:
        """Whether it is read like a field."""
        return isinstance(inspect.getattr_static(Studio, self.name, None), property)

    @property
    def tells_secret(self) -> bool:
        """Whether its value is stored nowhere, so that it is told once only."""
        return self.name == "tokens.create"

    @property
    def takes(self) -> tuple[str, ...]:
        """The names of its arguments."""
        return tuple(self.signature.parameters)[1:]

    @property
    def signature(self) -> inspect.Signature:
        """How it is called, `self` first."""
        return _signature(self.function)

    def types(self) -> Mapping[str, Any]:
        """The types of its arguments by name, and of its value as `return`."""
        return _types(self.function)


@cache
def _signature(function: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(function)


@cache
def _types(function: Callable[..., Any]) -> Mapping[str, Any]:
    return get_type_hints(function)


def find_method(name: str) -> Method | None:
    """The method of a name, if it can be called from elsewhere."""
    roles = READS.get(name) or WRITES.get(name)
    if roles is None:
        return None
    shelf, _, own = name.rpartition(".")
    found = inspect.getattr_static(SHELVES[shelf] if shelf else Studio, own)
    function: Any = found.fget if isinstance(found, property) else found
    return Method(name, function, roles, name in WRITES)


def carry_out(studio: Studio, visitor: Visitor, method: Method, given: Mapping[str, Json]) -> Json:
    """Make a call for a visitor and give its value as JSON.

    Args:
        studio: the open store.
        visitor: who calls; an operator's writes bear the visitor's name, an agent acts as itself.
        method: what is called.
        given: the arguments by name, as JSON.

    Raises:
        NotAllowed: the visitor's role does not reach this, or not for these arguments.
        OnThatMachineOnly: it is for programs of the system user who serves.
        BadArgument: an argument is missing, unknown or of another type.
        StudioError: what the method raises.
    """
    if visitor.role not in method.roles:
        raise NotAllowed(visitor.role, method.name)
    if method.name in LOCAL and not visitor.local:
        raise OnThatMachineOnly(method.name)
    arguments = _read(method, given)
    acting = studio.acting_as(visitor.name)
    if visitor.agent is not None:
        _as_agent(acting, visitor.agent, method, arguments)
    elif not visitor.local:
        _as_operator(visitor, method, arguments)
    shelf, _, own = method.name.rpartition(".")
    target = getattr(acting, shelf) if shelf else acting
    value = getattr(target, own) if method.is_property else getattr(target, own)(**arguments)
    return to_json(value, method.types()["return"])


def _read(method: Method, given: Mapping[str, Json]) -> dict[str, Any]:
    """The arguments as values, checked against the method's signature."""
    types = method.types()
    try:
        method.signature.bind(None, **given)
        return {name: from_json(value, types[name]) for name, value in given.items()}
    except (TypeError, NotOfType) as error:
        raise BadArgument(f"{method.name}: {error}.") from None


def _as_operator(visitor: Visitor, method: Method, arguments: dict[str, Any]) -> None:
    """Who came with a token acts under the token's name and no other (decision 4)."""
    named = arguments.get("operator")
    author = arguments.get("author") if method.writes else None
    if named not in (None, visitor.name) or author not in (None, operator(visitor.name)):
        raise NotAllowed(visitor.role, f"{method.name} in another operator's name")


def _as_agent(studio: Studio, agent: str, method: Method, arguments: dict[str, Any]) -> None:
    """An agent reaches itself and its own runs, and live texts only (decision 18); all else is as if it were not there."""
    refused = NotAllowed(Role.AGENT, f"{method.name} for another than itself")
    given = sorted(name for name in WITHHELD.intersection(arguments) if arguments[name] is not None)
    if given:
        raise NotAllowed(Role.AGENT, f"{method.name} with {given[0]}")
    if "as_agent" in method.takes:
        if arguments.get("as_agent") not in (None, agent):
            raise refused
        arguments["as_agent"] = agent
    named = arguments.get("agent")
    if named is not None and _id_of(studio, named) != agent:
        raise refused
    own = studio.get_agent(agent)
    if arguments.get("guild") not in (None, own.guild, own.guild_name):
        raise refused
    run = arguments.get("run")
    if run is not None and studio.get_run(run)[0].agent != agent:
        raise UnknownRun(run)


def _id_of(studio: Studio, agent: str) -> str | None:
    """The id of the agent that is named; None where there is none, or are several."""
    try:
        return studio.get_agent(agent).id
    except (NotFound, AmbiguousAgent):
        return None
