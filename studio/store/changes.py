"""Rows of the file-change ledger."""

from datetime import datetime

from studio.domain.authors import Author, AuthorKind
from studio.domain.changes import Action, FileChange, TextKind
from studio.domain.paths import AgentId, RunId
from studio.store.database import Cursor

INSERT = "INSERT INTO file_changes VALUES (nextval('file_change_numbers'), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


def insert(
    cursor: Cursor,
    agent: AgentId,
    *,
    path: str,
    file: TextKind,
    action: Action,
    version: int,
    sha256: str,
    author: Author,
    at: datetime,
    run: RunId | None = None,
    call: str | None = None,
) -> None:
    """Enter one change."""
    who = [str(author.kind), author.name, run, call]
    cursor.execute(INSERT, [agent, path, str(file), str(action), version, sha256, *who, at])


LIST = (
    "SELECT change_id, agent_id, path, file, action, version, sha256, author_kind, author_name, run_id, call_id, changed_at"
    " FROM file_changes WHERE agent_id = ? ORDER BY change_id DESC"
)


def of_agent(cursor: Cursor, agent: AgentId) -> tuple[FileChange, ...]:
    """All changes of one agent's files, newest first."""
    found = []
    for row in cursor.execute(LIST, [agent]).fetchall():
        number, agent_id, path, file, action, version, sha256, kind, name, run_id, call, at = row
        author = Author(AuthorKind(kind), name)
        run = None if run_id is None else RunId(run_id)
        change = FileChange(
            number, AgentId(agent_id), path, TextKind(file), Action(action), version, sha256, author, at, run, call
        )
        found.append(change)
    return tuple(found)


MADE = "SELECT count(*) FROM file_changes WHERE agent_id = ? AND file = ?"


def any_of(cursor: Cursor, agent: AgentId, file: TextKind) -> bool:
    """Whether this text of the agent was ever written."""
    row = cursor.execute(MADE, [agent, str(file)]).fetchone()
    return row is not None and bool(row[0])
