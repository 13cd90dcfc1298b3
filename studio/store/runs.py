"""Rows of runs and their messages."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from studio.domain.compose import MadeOf
from studio.domain.paths import AgentId, RunId
from studio.domain.run_kinds import RunKind
from studio.domain.runs import Message, Role, Run, RunStatus, ToolCall
from studio.store.database import Cursor, Row

COLUMNS = "run_id, agent_id, kind, status, created_at, composed_from, finished_at, instruction, tags, metadata"
"""The columns of `Run`, in the order that `_run` reads them."""


def _made_of(stored: dict[str, Any]) -> MadeOf:
    """What a prompt was composed from; a run stored before notes could be embedded names none."""
    return MadeOf(**stored | {"notes": tuple((path, sha256) for path, sha256 in stored.get("notes", ()))})


def _run(row: Row) -> Run:
    run_id, agent, kind, status, created_at, composed_from, finished_at, instruction, tags, metadata = row
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
        memory_skipped=bool(json.loads(metadata).get("memory_skipped", False)),
    )


GET = f"SELECT {COLUMNS} FROM runs WHERE run_id = ?"


def get(cursor: Cursor, run: str) -> Run | None:
    """The run with this id, or None."""
    row = cursor.execute(GET, [run]).fetchone()
    return None if row is None else _run(row)


OF_AGENT = f"SELECT {COLUMNS} FROM runs WHERE agent_id = ? ORDER BY created_at DESC, run_id DESC"


def of_agent(cursor: Cursor, agent: AgentId) -> tuple[Run, ...]:
    """All runs of one agent, newest first."""
    return tuple(_run(row) for row in cursor.execute(OF_AGENT, [agent]).fetchall())


INSERT = "INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


def insert(cursor: Cursor, run: Run) -> None:
    """Enter a run."""
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
    composed = [made.task_version, made.memory_version, json.dumps(asdict(made)), _metadata(run.memory_skipped)]
    cursor.execute(INSERT, [*started, *composed])


FINISH = "UPDATE runs SET status = ?, finished_at = ?, metadata = ? WHERE run_id = ?"


def finish(cursor: Cursor, run: RunId, status: RunStatus, at: datetime, *, memory_skipped: bool) -> None:
    """Close a run."""
    cursor.execute(FINISH, [str(status), at, _metadata(memory_skipped), run])


def _metadata(memory_skipped: bool) -> str:  # noqa: FBT001 - one private flag
    return json.dumps({"memory_skipped": True} if memory_skipped else {})


INSERT_MESSAGE = "INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


def add_messages(cursor: Cursor, run: RunId, messages: Iterable[Message]) -> None:
    """Append chat rows."""
    for message in messages:
        calls = [asdict(call) for call in message.tool_calls]
        said = [message.position, str(message.role), message.source, message.content]
        listed = json.dumps(calls, ensure_ascii=False) if calls else None
        cursor.execute(INSERT_MESSAGE, [run, *said, listed, message.tool_call_id, message.at])


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
