"""Rows of the live Task, its revisions and its draft."""

from collections.abc import Sequence
from dataclasses import replace

from studio.domain.authors import Author, AuthorKind
from studio.domain.chain import Seal
from studio.domain.paths import AgentId
from studio.domain.timeline import Actor, Facts, Revision, Status
from studio.store.database import Cursor, Row

FACTS = "version, sha256, characters, added, removed, since, only_changed"
"""The columns of `Facts` in task_revisions, in the order that `_facts` reads them."""
LIVE_FACTS_COLUMNS = (
    "task_version, task_sha256, task_characters, task_added, task_removed, task_since, task_only_changed"
)
"""The same of the live Task on the agent's row."""
SEAL = "digest, chain_before, chain_link"
"""The columns of `Seal` in task_revisions; the lists of versions do not read them."""
LIVE_SEAL = "task_digest, task_chain_before, task_chain_link"
"""The same of the live Task."""


def _facts(row: Row) -> Facts:
    version, sha256, characters, added, removed, since, only_changed = row
    status = Status.ADDED if version == 1 else Status.MODIFIED
    return Facts(version, sha256, characters, added, removed, since, status, only_changed=only_changed)


LIVE_FACTS = f"SELECT {LIVE_FACTS_COLUMNS}, {LIVE_SEAL} FROM agents WHERE agent_id = ?"


def live_facts(cursor: Cursor, agent: AgentId) -> Facts:
    """The live Task with its seal and without its text; the agent must exist."""
    row = cursor.execute(LIVE_FACTS, [agent]).fetchone()
    assert row is not None, f"agent {agent} was looked up before"  # noqa: S101 - a broken caller, not bad input
    sealed = row[7:]
    return replace(_facts(row[:7]), seal=None if None in sealed else Seal(*sealed))


LIVE_TEXT = "SELECT task FROM agents WHERE agent_id = ?"


def live_text(cursor: Cursor, agent: AgentId) -> str:
    """The live Task; the agent must exist."""
    row = cursor.execute(LIVE_TEXT, [agent]).fetchone()
    assert row is not None, f"agent {agent} was looked up before"  # noqa: S101 - a broken caller, not bad input
    return str(row[0])


REVISIONS = (
    f"SELECT {FACTS}, actor_kind, actor_name, replaced_at, occasion, note"
    " FROM task_revisions WHERE agent_id = ? ORDER BY version"
)


def revisions(cursor: Cursor, agent: AgentId) -> tuple[Revision, ...]:
    """Previous Tasks without their texts, oldest first."""
    found = []
    for row in cursor.execute(REVISIONS, [agent]).fetchall():
        kind, name, replaced_at, occasion, note = row[7:]
        actor = Actor(Author(AuthorKind(kind), name), replaced_at, occasion=occasion, note=note)
        found.append(Revision(_facts(row[:7]), actor))
    return tuple(found)


REVISION_TEXT = "SELECT text FROM task_revisions WHERE agent_id = ? AND version = ?"


def revision_text(cursor: Cursor, agent: AgentId, version: int) -> str | None:
    """The text of one previous Task, or None if it is not kept."""
    row = cursor.execute(REVISION_TEXT, [agent, version]).fetchone()
    return None if row is None else str(row[0])


INSERT_REVISION = f"INSERT INTO task_revisions VALUES ({', '.join('?' * 17)})"


def insert_revision(cursor: Cursor, agent: AgentId, facts: Facts, text: str, replaced_by: Actor) -> None:
    """Archive the Task that is about to be replaced."""
    held = [
        facts.number,
        text,
        facts.sha256,
        facts.characters,
        facts.added,
        facts.removed,
        facts.only_changed,
        facts.since,
    ]
    by = replaced_by
    replaced = [str(by.author.kind), by.author.name, by.at, by.occasion, by.note]
    cursor.execute(INSERT_REVISION, [agent, *held, *replaced, *(facts.seal or (None, None, None))])


UPDATE_LIVE = (
    "UPDATE agents SET task = ?, task_version = ?, task_sha256 = ?, task_characters = ?, task_added = ?, task_removed = ?,"
    " task_only_changed = ?, task_since = ?, task_digest = ?, task_chain_before = ?, task_chain_link = ? WHERE agent_id = ?"
)


def update_live(cursor: Cursor, agent: AgentId, facts: Facts, text: str) -> None:
    """Replace the live Task; the caller has archived it in the same transaction."""
    values = [
        text,
        facts.number,
        facts.sha256,
        facts.characters,
        facts.added,
        facts.removed,
        facts.only_changed,
        facts.since,
        *(facts.seal or (None, None, None)),
    ]
    cursor.execute(UPDATE_LIVE, [*values, agent])


PRUNE = "DELETE FROM task_revisions WHERE agent_id = ? AND version <= ?"
COUNT_AS_FIRST = (
    "UPDATE task_revisions SET removed = 0, only_changed = NULL, added ="
    " CASE WHEN text = '' THEN 0 ELSE length(text) - length(replace(text, chr(10), ''))"
    " + CASE WHEN ends_with(text, chr(10)) THEN 0 ELSE 1 END END"
    " WHERE agent_id = ? AND version = ?"
)


def prune(cursor: Cursor, agent: AgentId, up_to: int) -> None:
    """Drop the previous Tasks with this number and below (decision 11); the oldest kept then counts all its lines as added."""
    if up_to > 0:
        cursor.execute(PRUNE, [agent, up_to])
        cursor.execute(COUNT_AS_FIRST, [agent, up_to + 1])


WITH_EMBEDS = "SELECT agent_id, task FROM agents WHERE contains(task, '![[') AND agent_id IN (SELECT unnest(?))"


def with_embeds(cursor: Cursor, agents: Sequence[AgentId]) -> dict[AgentId, str]:
    """The live Tasks of these agents that may embed something."""
    return {AgentId(row[0]): str(row[1]) for row in cursor.execute(WITH_EMBEDS, [list(agents)]).fetchall()}


HOLDING = (
    "SELECT name, task FROM agents WHERE contains(task, '![[')"
    " AND len(list_filter(?, lambda path: contains(task, path))) > 0 ORDER BY name, agent_id"
)


def holding(cursor: Cursor, paths: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Name and live Task of every agent whose Task may embed one of these paths: its text holds one."""
    return tuple((str(row[0]), str(row[1])) for row in cursor.execute(HOLDING, [list(paths)]).fetchall())
