"""Rows of chains' entries that are not versions, and where a chain ends (decision 38)."""

from datetime import datetime

from studio.domain import chain
from studio.domain.authors import Author
from studio.domain.chain import Entry, EntryKind, Seal, Written
from studio.domain.changes import TextKind
from studio.domain.paths import AgentId
from studio.domain.timeline import Actor, Facts
from studio.store.database import Cursor, Row

ENTRY = "position, after_version, kind, content, made_at, chain_before, chain_link"
"""The columns of `Entry`, in their order."""
NEWEST = f"SELECT {ENTRY} FROM chain_entries WHERE agent_id = ? AND file = ? ORDER BY position DESC LIMIT 1"


def _entry(row: Row) -> Entry:
    position, after, kind, *rest = row
    return Entry(position, after, EntryKind(kind), *rest)


def newest(cursor: Cursor, agent: AgentId, text: TextKind) -> Entry | None:
    """The last entry of a chain that is not a version, or None."""
    row = cursor.execute(NEWEST, [agent, str(text)]).fetchone()
    return None if row is None else _entry(row)


def end(cursor: Cursor, agent: AgentId, text: TextKind, last: Facts | None) -> str:
    """The link of a chain's last entry, or where the chain starts.

    Args:
        cursor: the store.
        agent: whose text.
        text: which.
        last: the newest version with its seal; None where there is none.
    """
    entry = newest(cursor, agent, text)
    if entry is not None and entry.after >= (0 if last is None else last.number):
        return entry.link
    sealed = None if last is None else last.seal
    return chain.start(agent, text) if sealed is None else sealed.link


def append(
    cursor: Cursor, agent: AgentId, text: TextKind, last: Facts, kind: EntryKind, content: str, at: datetime
) -> Entry:
    """Add an entry behind the newest version; takes what `end` does, and what the entry says as JSON."""
    entry = newest(cursor, agent, text)
    before = end(cursor, agent, text, last)
    link = chain.entry_link(before, kind, content, at)
    after = 0 if kind is EntryKind.RESTART else last.number  # the numbers that follow begin at 1
    made = Entry(1 if entry is None else entry.position + 1, after, kind, content, at, before, link)
    cursor.execute(INSERT, [agent, str(text), made.position, made.after, str(kind), content, at, before, link])
    return made


RENAME = "UPDATE {table} SET renamed = ? WHERE agent_id = ? AND version = ?"


def rename(cursor: Cursor, agent: AgentId, version: int, author: Author | None) -> None:
    """Give one version's author another name beside the recorded one, which stays; None takes that one again (decision 38)."""
    for table in ("memory", "memory_revisions"):
        cursor.execute(RENAME.format(table=table), [chain.author_json(author), agent, version])


INSERT = "INSERT INTO chain_entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"


def seal_of(before: str, facts: Facts, actor: Actor) -> Seal:
    """The seal of a version that follows the entry with the link `before`."""
    written = Written(actor.author, facts.since, actor.run, actor.call)
    return chain.seal(before, facts.number, facts.sha256, facts.characters, str(facts.status), written)
