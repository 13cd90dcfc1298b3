"""Carry out the calls of agents. Each tool is one function; an error is an answer too, one line `ERROR: …`."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from studio.actions import collections, groups, memory, notes
from studio.actions.access import Caller, full_path
from studio.actions.agent_tool_specs import AGENT_TOOLS, LIST_LIMIT_RECORDS
from studio.actions.bindings import offered_tools, why_no_memory_write
from studio.actions.context import Context, find_agent, find_open_run
from studio.domain.archive import iso_z
from studio.domain.bindings import GROUP_POST, MEMORY_WRITE
from studio.domain.collections import Record
from studio.domain.generation import ToolAnswer
from studio.domain.memory import write_answer
from studio.domain.moments import read_moment
from studio.domain.notes import FIND_LIMIT_NOTES
from studio.domain.places import Level
from studio.domain.run_machine import ERROR
from studio.errors import BadArgument, NoMemoryWrite, StudioError

ERROR_CAP_CHARACTERS = 300
"""How long a complaint about arguments may be: it quotes them."""
NAME_CAP_CHARACTERS = 80
"""How much of the name of a tool that is not there a complaint quotes."""
Arguments = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asking:
    """Which call is carried out."""

    agent: str
    """Id or unique name of the agent."""
    run: str | None = None
    """The run that calls."""
    call: str | None = None
    """The id of the call within the run."""

    @property
    def caller(self) -> Caller:
        """The agent as notes and collections know who asks."""
        return Caller(agent=self.agent, run=self.run)


def call_tool(
    context: Context, asking: Asking, name: str, arguments: Arguments | str, offered: tuple[str, ...] | None = None
) -> ToolAnswer:
    """Carry out one call, of a tool that is offered: off anywhere is off (decision 10).

    Args:
        context: the open store.
        asking: who calls, in which run.
        name: the tool.
        arguments: as an object, or as the JSON text that a model gave.
        offered: the tools of the run, where its runner knows them. Else they are looked up: those of the open run that calls, or
            what the agent is offered now where none calls. Every other name is answered as unknown.
    """
    try:
        known = _offered(context, asking, name) if offered is None else offered
        if name not in known or name not in _CARRY_OUT:
            raise _no_tool(name, known, asking)
        return ToolAnswer(_CARRY_OUT[name](context, asking, _checked(name, arguments)), accepted=True)
    except StudioError as error:
        return ToolAnswer(error_line(error), accepted=False)


def _offered(context: Context, asking: Asking, name: str) -> tuple[str, ...]:
    """The tools that whoever calls may use; `memory_write` has a sentence of its own where an operator can turn it on."""
    with context.database.read() as cursor:
        who = find_agent(cursor, asking.agent)
        if asking.run is not None:
            return find_open_run(cursor, who, asking.run).tools
        tools = offered_tools(cursor, who)
        if name == MEMORY_WRITE and name not in tools:
            raise NoMemoryWrite(who.name, why_no_memory_write(cursor, who))
    return tools


def _no_tool(name: str, known: tuple[str, ...], asking: Asking) -> BadArgument:
    """Why a call of a tool that is not offered is not carried out."""
    whose = "this agent" if asking.run is None else "this run"
    has = f"the tools of {whose} are {', '.join(known)}" if known else f"{whose} has no tools"
    quoted = name if len(name) <= NAME_CAP_CHARACTERS else f"{name[:NAME_CAP_CHARACTERS]}…"
    return BadArgument(f"there is no tool {quoted!r}; {has}")


def error_line(error: StudioError) -> str:
    """An error as a model reads it: one line."""
    return ERROR + " ".join(str(error).split())


def _checked(name: str, arguments: Arguments | str) -> Arguments:
    """The arguments as the tool's schema allows them."""
    try:
        given = json.loads(arguments) if isinstance(arguments, str) else arguments
    except (ValueError, RecursionError):
        raise BadArgument(f"the arguments of {name} are not JSON") from None
    if not isinstance(given, dict):
        raise BadArgument(f"{name} takes its arguments as an object")
    if name == MEMORY_WRITE:
        return given  # it has sentences of its own (decision 6)
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - only calls need it, and it costs start-up time
    from jsonschema.exceptions import best_match  # noqa: PLC0415

    worst = best_match(Draft202012Validator(AGENT_TOOLS[name].parameters).iter_errors(given))
    if worst is not None:
        where = "".join(f" {part}:" for part in worst.absolute_path)
        raise BadArgument(f"{name}:{where} {worst.message}"[:ERROR_CAP_CHARACTERS])
    return given


def _memory_write(context: Context, asking: Asking, arguments: Arguments) -> str:
    content = _content_of(arguments)
    saved = memory.memory_write(context, asking.agent, content, run=asking.run, call=asking.call)
    return write_answer(saved, content)


def _content_of(arguments: Arguments) -> str:
    """The one argument of `memory_write` (decision 6)."""
    others = sorted(str(name) for name in arguments if name != "content")
    if others:
        complaint = f"memory_write takes only content, the whole new memory; it does not take {', '.join(others)}"
        raise BadArgument(complaint[:ERROR_CAP_CHARACTERS])
    content = arguments.get("content")
    if not isinstance(content, str):
        raise BadArgument("memory_write needs content, the whole new memory as text")
    return content


def _note_find(context: Context, asking: Asking, arguments: Arguments) -> str:
    level = arguments.get("level")
    found = notes.find_notes(
        context,
        arguments["query"],
        level=None if level is None else Level(level),
        limit=arguments.get("limit", FIND_LIMIT_NOTES),
        caller=asking.caller,
    )
    return _json(
        [
            {
                "path": hit.facts.path,
                "title": hit.facts.title,
                "line": hit.line,
                "updated_at": iso_z(hit.facts.updated_at),
            }
            for hit in found
        ]
    )


def _note_get(context: Context, asking: Asking, arguments: Arguments) -> str:
    note = notes.get_note(context, arguments["path"], asking.caller)
    facts = note.facts
    return f"path: {facts.path}\ntitle: {facts.title}\nupdated_at: {iso_z(facts.updated_at)}\n\n{note.body}"


def _note_write(context: Context, asking: Asking, arguments: Arguments) -> str:
    level = Level(arguments.get("level", Level.AGENT))
    path = _note_path(context, asking.agent, arguments["path"], level)
    caller, title = asking.caller, arguments.get("title")
    written = notes.write_note(context, path, arguments["body"], title=title, caller=caller)
    return f"Note {'saved' if written.changed else 'unchanged'}: {written.facts.path}"


def _note_path(context: Context, agent: str, path: str, level: Level) -> str:
    """The display path that an agent means: its own, its guild's or the organisation's where it gives a file name."""
    match level:
        case Level.AGENT:
            return full_path(context, path, "notes", agent=agent)
        case Level.GUILD:
            return full_path(context, path, "notes", guild=groups.guild_of(context, agent))
        case Level.ORG:
            return full_path(context, path, "notes")


def _note_delete(context: Context, asking: Asking, arguments: Arguments) -> str:
    notes.delete_note(context, arguments["path"], caller=asking.caller)
    return f"Note deleted: {arguments['path']}"


def _record_list(context: Context, asking: Asking, arguments: Arguments) -> str:
    found = collections.list_records(
        context,
        arguments["collection"],
        since=_time(arguments.get("since")),
        equals=arguments.get("equals"),
        limit=arguments.get("limit", LIST_LIMIT_RECORDS),
        caller=asking.caller,
    )
    return _json([_record(one) for one in found])


def _time(text: str | None) -> datetime | None:
    """A time with its offset, as State and wake-ups spell it."""
    if text is None:
        return None
    time = read_moment(text)
    if time is None:
        raise BadArgument(f"since must be a time like 2026-09-12T09:00:07Z, not {text[:60]!r}")
    return time


def _record(one: Record) -> dict[str, Any]:
    return {"id": one.id, "values": one.values, "updated_at": iso_z(one.updated_at)}


def _record_write(context: Context, asking: Asking, arguments: Arguments) -> str:
    written = collections.write_record(
        context,
        arguments["collection"],
        arguments["values"],
        record_id=arguments.get("id"),
        caller=asking.caller,
    )
    return _json(_record(written.record) | {"changed": written.changed})


def _group_post(context: Context, asking: Asking, arguments: Arguments) -> str:
    groups.post_message(context, asking.agent, arguments["text"], tags=tuple(arguments.get("tags", ())), run=asking.run)
    return "Posted to the group chat."


def _report_issue(context: Context, asking: Asking, arguments: Arguments) -> str:
    return f"Filed for the operator: {groups.report_problem(context, asking.agent, arguments['report'], asking.run)}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


_CARRY_OUT: dict[str, Callable[[Context, Asking, Arguments], str]] = {
    MEMORY_WRITE: _memory_write,
    "note_find": _note_find,
    "note_get": _note_get,
    "note_write": _note_write,
    "note_delete": _note_delete,
    "record_list": _record_list,
    "record_write": _record_write,
    GROUP_POST: _group_post,
    "report_issue": _report_issue,
}
