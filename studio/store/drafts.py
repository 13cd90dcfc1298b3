"""Rows of Task drafts."""

from datetime import datetime

from studio.domain.authors import Author, AuthorKind
from studio.domain.drafts import ReplacedDraft, TaskDraft
from studio.domain.paths import AgentId
from studio.store.database import Cursor, Row

DRAFT = "agent_id, text, sha256, based_on, based_on_sha256, author_kind, author_name, saved_at"
"""The columns of a draft, in the order that `_draft` reads them."""
KEPT_OF_AGENT = 20
"""How many drafts that were replaced or discarded are kept of each agent."""


def _draft(row: Row) -> TaskDraft:
    agent_id, text, sha256, based_on, based_on_sha256, kind, name, saved_at = row
    author = Author(AuthorKind(kind), name)
    return TaskDraft(AgentId(agent_id), text, sha256, based_on, based_on_sha256, author, saved_at)


GET = f"SELECT {DRAFT} FROM task_drafts WHERE agent_id = ?"


def get(cursor: Cursor, agent: AgentId) -> TaskDraft | None:
    """The draft of an agent's Task, or None."""
    row = cursor.execute(GET, [agent]).fetchone()
    return None if row is None else _draft(row)


PUT = "INSERT OR REPLACE INTO task_drafts VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


def put(cursor: Cursor, draft: TaskDraft) -> None:
    """Keep a draft in place of the one before."""
    cursor.execute(PUT, _held(draft))


def _held(draft: TaskDraft) -> list[object]:
    author = draft.author
    text = [draft.agent, draft.text, draft.sha256, draft.based_on, draft.based_on_sha256]
    return [*text, str(author.kind), author.name, draft.saved_at]


DELETE = "DELETE FROM task_drafts WHERE agent_id = ?"


def delete(cursor: Cursor, agent: AgentId) -> None:
    """Drop a draft that was published or discarded."""
    cursor.execute(DELETE, [agent])


REPLACED = f"SELECT {DRAFT}, number, gone_at, gone_kind, gone_name FROM replaced_drafts WHERE agent_id = ? ORDER BY number DESC"


def replaced(cursor: Cursor, agent: AgentId) -> tuple[ReplacedDraft, ...]:
    """The drafts of an agent's Task that can be brought back, the last to go first."""
    return tuple(
        ReplacedDraft(number, _draft(tuple(held)), gone_at, Author(AuthorKind(kind), name))
        for *held, number, gone_at, kind, name in cursor.execute(REPLACED, [agent]).fetchall()
    )


KEEP = "INSERT INTO replaced_drafts VALUES (nextval('replaced_draft_numbers'), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
DROP = (
    "DELETE FROM replaced_drafts WHERE agent_id = ? AND number NOT IN"
    " (SELECT number FROM replaced_drafts WHERE agent_id = ? ORDER BY number DESC LIMIT ?)"
)


def keep_replaced(cursor: Cursor, draft: TaskDraft, at: datetime, by: Author) -> None:
    """Keep a draft that is about to go, and drop the oldest of its agent beyond `KEPT_OF_AGENT`."""
    cursor.execute(KEEP, [*_held(draft), at, str(by.kind), by.name])
    cursor.execute(DROP, [draft.agent, draft.agent, KEPT_OF_AGENT])
