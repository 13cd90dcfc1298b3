"""Rows of the versions of memories that would have deserved a question (decision 39); most have none."""

from studio.domain.paths import AgentId
from studio.store.database import Cursor

OF_AGENT = "SELECT version, marks FROM marked_versions WHERE agent_id = ?"


def of_agent(cursor: Cursor, agent: AgentId) -> dict[int, tuple[str, ...]]:
    """The marks of an agent's versions, by number."""
    return {row[0]: tuple(row[1].split(",")) for row in cursor.execute(OF_AGENT, [agent]).fetchall()}


INSERT = "INSERT OR REPLACE INTO marked_versions VALUES (?, ?, ?)"


def insert(cursor: Cursor, agent: AgentId, version: int, marks: tuple[str, ...]) -> None:
    """Mark a version; without marks nothing is entered."""
    if marks:
        cursor.execute(INSERT, [agent, version, ",".join(marks)])


PRUNE = "DELETE FROM marked_versions WHERE agent_id = ? AND version <= ?"


def prune(cursor: Cursor, agent: AgentId, up_to: int) -> None:
    """Drop the marks of versions with this number and below, which are no longer kept."""
    cursor.execute(PRUNE, [agent, up_to])
