"""Which versions were changed outside of the program, found once for each text while a store is open (decision 38).

Nobody else can write to a store while it is open, and what is written then is written with its hashes. So the texts of a timeline are
read and hashed with the first look at it, and no list reads them again.
"""

from collections.abc import Mapping

from studio.domain.changes import TextKind
from studio.domain.checking_chain import Text, changed_outside
from studio.domain.paths import AgentId
from studio.store.checking_reader import Reader, Some
from studio.store.checking_versions import memories, tasks
from studio.store.memory import RECENT_REVISIONS
from studio.store.transactions import Cursor

LIVE = "SELECT version FROM memory WHERE agent_id = ?"
KEPT_ALL = "SELECT 1 FROM memory_revisions WHERE revision_key = ?"


class Outside:
    """What was found in one open store."""

    def __init__(self) -> None:
        self._found: dict[tuple[AgentId, TextKind], Mapping[int, str]] = {}

    def of(self, cursor: Cursor, agent: AgentId, text: TextKind) -> Mapping[int, str]:
        """How versions of a text do not match what was stored with them, by number; empty where all do."""
        key = (agent, text)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = _look(cursor, agent, text)
        return found

    def forget(self, agent: AgentId, text: TextKind) -> None:
        """Look again at a text next time: its numbers begin anew."""
        self._found.pop((agent, text), None)


def _look(cursor: Cursor, agent: AgentId, text: TextKind) -> dict[int, str]:
    reader, own = Reader(cursor), Some.of_agents(agent)
    read = (
        tasks(reader, own, bodies=False)
        if text is TextKind.TASK
        else memories(reader, _archived(cursor, agent), own, bodies=False)
    )
    versions = read.get(agent, [])
    other = frozenset(one.held.number for one in versions if not one.text_ok)
    return changed_outside(Text(agent, text, tuple(one.held for one in versions)), other)


def _archived(cursor: Cursor, agent: AgentId) -> Some:
    """The archive of an agent, by keys where those of the newest versions are all: see `memory.revisions`."""
    row = cursor.execute(LIVE, [agent]).fetchone()
    if row is None:
        return Some.of_agents(agent)
    numbers = range(int(row[0]) - RECENT_REVISIONS, int(row[0]))
    if numbers.start > 1 and cursor.execute(KEPT_ALL, [f"{agent}/{numbers.start}"]).fetchone():
        return Some.of_agents(agent)
    keys = tuple(f"{agent}/{number}" for number in numbers)
    return Some(f"revision_key IN ({', '.join('?' * len(keys))})", keys)
