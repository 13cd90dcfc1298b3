"""Rows of Task drafts."""

from studio.domain.authors import Author, AuthorKind
from studio.domain.drafts import TaskDraft
from studio.domain.paths import AgentId
from studio.store.database import Cursor

GET = "SELECT agent_id, text, sha256, based_on, based_on_sha256, author_kind, author_name, saved_at FROM task_drafts WHERE agent_id = ?"


def get(cursor: Cursor, agent: AgentId) -> TaskDraft | None:
    """The draft of an agent's Task, or None."""
    row = cursor.execute(GET, [agent]).fetchone()
    if row is None:
        return None
    agent_id, text, sha256, based_on, based_on_sha256, kind, name, saved_at = row
    author = Author(AuthorKind(kind), name)
    return TaskDraft(AgentId(agent_id), text, sha256, based_on, based_on_sha256, author, saved_at)


PUT = "INSERT OR REPLACE INTO task_drafts VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


def put(cursor: Cursor, draft: TaskDraft) -> None:
    """Keep a draft in place of the one before."""
    author = draft.author
    held = [draft.agent, draft.text, draft.sha256, draft.based_on, draft.based_on_sha256]
    cursor.execute(PUT, [*held, str(author.kind), author.name, draft.saved_at])


DELETE = "DELETE FROM task_drafts WHERE agent_id = ?"


def delete(cursor: Cursor, agent: AgentId) -> None:
    """Drop a draft that was published or discarded."""
    cursor.execute(DELETE, [agent])
