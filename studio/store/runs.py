"""Rows of runs and their messages."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from studio.domain.agents import DEFAULT_MAX_TOOL_CALLS
from studio.domain.bodies import Body
from studio.domain.chain import run_seal
from studio.domain.compose import MadeOf
from studio.domain.paths import AgentId, RunId
from studio.domain.run_kinds import RunKind
from studio.domain.runs import (
    DEFAULT_MAX_STEPS,
    OPENING_CAP_CHARACTERS,
    Message,
    Role,
    Run,
    RunOutline,
    RunStatus,
    ToolCall,
)
from studio.store.database import Cursor, Row
from studio.store.paging import rows_of

COLUMNS = (
    "run_id, agent_id, kind, status, created_at, composed_from, finished_at, instruction, tags, metadata,"
    " tools, max_steps, max_tool_calls"
)
"""The columns of `Run`, in the order that `_run` reads them."""


def _made_of(stored: dict[str, Any]) -> MadeOf:
    """What a prompt was composed from; a run stored before there were embedded notes or warnings names none."""
    notes = tuple((path, sha256) for path, sha256 in stored.get("notes", ()))
    return MadeOf(**stored | {"notes": notes, "warnings": tuple(stored.get("warnings", ()))})


def _run(row: Row) -> Run:
    run_id, agent, kind, status, created_at, composed_from, finished_at, instruction, tags, metadata, *allowed = row
    tools, max_steps, max_tool_calls = allowed
    known = json.loads(metadata)
    return Run(
        id=RunId(run_id),
        agent=AgentId(agent),
        kind=RunKind(kind),
        status=RunStatus(status),
        created_at=created_at,
        composed_from=_made_of(json.loads(composed_from)),
        finished_at=finished_at,
        instruction=instruction,
        tags=tuple(json.loads(tags)) if tags else (),
        memory_skipped=bool(known.get("memory_skipped", False)),
        failure=known.get("failure"),
        tools=tuple(json.loads(tools)) if tools else (),
        max_steps=max_steps or DEFAULT_MAX_STEPS,
        max_tool_calls=max_tool_calls or DEFAULT_MAX_TOOL_CALLS,
    )


GET = f"SELECT {COLUMNS} FROM runs WHERE run_id = ?"


def get(cursor: Cursor, run: str) -> Run | None:
    """The run with this id, or None."""
    row = cursor.execute(GET, [run]).fetchone()
    return None if row is None else _run(row)


OF_AGENT = f"SELECT {COLUMNS} FROM runs WHERE agent_id = ? ORDER BY number DESC"
PAGE = f"{OF_AGENT} LIMIT ? OFFSET ?"


def of_agent(cursor: Cursor, agent: AgentId, limit: int | None = None, offset: int = 0) -> tuple[Run, ...]:
    """The runs of one agent, newest first by their sequence (decision 14): all, or a page of them."""
    rows = (
        cursor.execute(OF_AGENT, [agent])
        if limit is None
        else cursor.execute(PAGE, [agent, rows_of(limit), rows_of(offset)])
    )
    return tuple(_run(row) for row in rows.fetchall())


COUNT = "SELECT count(*) FROM runs WHERE agent_id = ?"


def count(cursor: Cursor, agent: AgentId) -> int:
    """How many runs an agent has."""
    row = cursor.execute(COUNT, [agent]).fetchone()
    return 0 if row is None else int(row[0])


PLACE = (
    "SELECT count(*) FROM runs AS newer, runs AS one WHERE one.run_id = ? AND newer.agent_id = one.agent_id"
    " AND newer.number > one.number"
)


def place(cursor: Cursor, run: str) -> int:
    """How many runs of the same agent are newer."""
    row = cursor.execute(PLACE, [run]).fetchone()
    return 0 if row is None else int(row[0])


OUTLINES = (
    "SELECT run_id, count(*) FILTER (role = 'assistant'), count(*) FILTER (role = 'tool'),"
    f" coalesce(max(left(content, {OPENING_CAP_CHARACTERS})) FILTER (position = 1 AND role = 'user'), '')"
    " FROM messages WHERE run_id IN (SELECT unnest(?)) GROUP BY run_id"
)


def outlines(cursor: Cursor, runs: Sequence[str]) -> dict[str, RunOutline]:
    """The outline of each of these runs, in one query; a run without rows is left out."""
    return {run: RunOutline(*facts) for run, *facts in cursor.execute(OUTLINES, [list(runs)]).fetchall()}


LAST_WAKE = (
    "SELECT created_at FROM runs WHERE agent_id = ? AND kind = 'schedule' AND coalesce(instruction, '') = ?"
    " ORDER BY number DESC LIMIT 1"
)


def last_wake(cursor: Cursor, agent: AgentId, instruction: str) -> datetime | None:
    """When the agent's schedule with this instruction last created a run (UTC), or None; a schedule without one has ''."""
    row = cursor.execute(LAST_WAKE, [agent, instruction]).fetchone()
    return None if row is None else row[0]


INSERT = f"INSERT INTO runs SELECT {', '.join('?' * 15)}, coalesce(max(number), 0) + 1, ? FROM runs"


def insert(cursor: Cursor, run: Run, prompt: str) -> None:
    """Enter a run with the next number, sealed with the first message that it is about to get."""
    made = run.composed_from
    tags = json.dumps(run.tags, ensure_ascii=False) if run.tags else None
    started = [
        run.id,
        run.agent,
        str(run.kind),
        str(run.status),
        run.instruction,
        tags,
        run.created_at,
        run.finished_at,
    ]
    composed = [made.task_version, made.memory_version, json.dumps(asdict(made)), json.dumps(run.metadata)]
    allowed = [json.dumps(run.tools), run.max_steps, run.max_tool_calls]
    fixed = (run.id, run.agent, str(run.kind), run.instruction, tags, *composed[:3], *allowed)
    cursor.execute(INSERT, [*started, *composed, *allowed, run_seal(fixed, run.created_at, Body(prompt).sha256)])


UPDATE = "UPDATE runs SET status = ?, finished_at = ?, metadata = ? WHERE run_id = ?"


def update(cursor: Cursor, run: Run) -> None:
    """Write where a run stands: its status, when it ended and its metadata; nothing else of it ever changes."""
    metadata = json.dumps(run.metadata, ensure_ascii=False)
    cursor.execute(UPDATE, [str(run.status), run.finished_at, metadata, run.id])


INSERT_MESSAGE = "INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


def add_messages(cursor: Cursor, run: RunId, messages: Iterable[Message]) -> None:
    """Append chat rows."""
    for message in messages:
        calls = [asdict(call) for call in message.tool_calls]
        said = [message.position, str(message.role), message.source, message.content]
        listed = json.dumps(calls, ensure_ascii=False) if calls else None
        cursor.execute(INSERT_MESSAGE, [run, *said, listed, message.tool_call_id, message.at])


NEXT_POSITION = "SELECT coalesce(max(position), -1) + 1 FROM messages WHERE run_id = ?"


def next_position(cursor: Cursor, run: RunId) -> int:
    """Where the next chat row of a run goes, without reading those there are."""
    row = cursor.execute(NEXT_POSITION, [run]).fetchone()
    return int(row[0]) if row else 0


MESSAGES = (
    "SELECT position, role, content, created_at, source, tool_calls, tool_call_id"
    " FROM messages WHERE run_id = ? ORDER BY position"
)


def messages(cursor: Cursor, run: RunId) -> tuple[Message, ...]:
    """The chat rows of a run in order."""
    found = []
    for position, role, content, at, source, calls, call_id in cursor.execute(MESSAGES, [run]).fetchall():
        listed = tuple(ToolCall(**call) for call in json.loads(calls)) if calls else ()
        found.append(Message(position, Role(role), content, at, source, listed, call_id))
    return tuple(found)
