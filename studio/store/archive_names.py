"""The names that the archive of memory has for its versions (decision 12)."""

from studio.domain.paths import AgentId
from studio.store.database import Cursor

BY_NAME = "SELECT version FROM memory_revisions WHERE agent_id = ? AND archive_name = ?"


def version_of(cursor: Cursor, agent: AgentId, name: str) -> int | None:
    """The number of the version that an archive name holds, or None."""
    row = cursor.execute(BY_NAME, [agent, name]).fetchone()
    return None if row is None else int(row[0])


OF_AGENT = "SELECT version, archive_name FROM memory_revisions WHERE agent_id = ? ORDER BY version"


def of_agent(cursor: Cursor, agent: AgentId) -> dict[int, str]:
    """The archive's file names by the version they hold."""
    return dict(cursor.execute(OF_AGENT, [agent]).fetchall())


STARTING_WITH = "SELECT archive_name FROM memory_revisions WHERE agent_id = ? AND starts_with(archive_name, ?)"


def starting_with(cursor: Cursor, agent: AgentId, stamp: str) -> tuple[str, ...]:
    """The archive's file names that begin with this stamp."""
    return tuple(str(row[0]) for row in cursor.execute(STARTING_WITH, [agent, stamp]).fetchall())
