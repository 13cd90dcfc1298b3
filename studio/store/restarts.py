"""Empty an agent's memory, so that an import can start its numbers anew (decision 48)."""

from studio.domain.paths import AgentId
from studio.store.database import Cursor
from studio.store.memory import DELETE_LIVE

CLEAR_ARCHIVE = "DELETE FROM memory_revisions WHERE agent_id = ?"


def clear(cursor: Cursor, agent: AgentId) -> None:
    """Drop the live row and the whole archive; the caller stores the versions that come instead in the same transaction."""
    cursor.execute(CLEAR_ARCHIVE, [agent])
    cursor.execute(DELETE_LIVE, [agent])
