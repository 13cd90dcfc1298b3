"""Rows of the live memory and of its archive."""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from studio.domain.authors import Author, AuthorKind
from studio.domain.bodies import Body
from studio.domain.chain import Seal, author_json
from studio.domain.paths import AgentId, RunId
from studio.domain.stand_ins import StandIn, StandInKind
from studio.domain.timeline import Actor, Facts, Origin, Revision, Status
from studio.store.database import Cursor, Row

FACTS = (
    "version, sha256, characters, added, removed, since, status, raw IS NOT NULL, only_changed, stand_in,"
    " own_kind, own_name, own_via, own_evidence, own_run_id, own_call_id, own_based_on, own_occasion, origin, renamed"
)
"""The columns of `Facts`, in the order that `_facts` reads them."""
FACTS_COLUMNS = 20
"""How many they are."""
LIVE_COLUMNS = 25
"""How many columns the table of live rows has."""
REVISION_COLUMNS = 36
"""How many columns the archive's table has."""
SEAL = "digest, chain_before, chain_link"
"""The columns of `Seal`; the lists of versions do not read them."""
ACTOR = "actor_kind, actor_name, actor_via, actor_evidence, replaced_at, run_id, call_id, based_on, occasion"
"""The columns of `Actor`, in the order that `_actor` reads them."""


def _author(kind: str, name: str | None, via: str | None, evidence: str | None) -> Author:
    return Author(AuthorKind(kind), name, via, evidence)


def _facts(row: Row) -> Facts:
    (
        version,
        sha256,
        characters,
        added,
        removed,
        since,
        status,
        binary,
        only_changed,
        stand_in,
        *own,
        origin,
        renamed,
    ) = row
    return Facts(
        number=version,
        sha256=sha256,
        characters=characters,
        added=added,
        removed=removed,
        since=since,
        status=Status(status),
        binary=binary,
        only_changed=only_changed,
        own=_own(own, since),
        origin=None if origin is None else Origin(**json.loads(origin)),
        stand_in=None if stand_in is None else _stand_in(**json.loads(stand_in)),
        renamed=None if renamed is None else _author(*json.loads(renamed)),
    )


def _stand_in(kind: str, stands_for: str, bytes: int | None) -> StandIn:  # noqa: A002 - the name of the field
    return StandIn(StandInKind(kind), stands_for, bytes)


def _own(row: Sequence[Any], since: datetime) -> Actor | None:
    """Who wrote a version, where its own row tells."""
    kind, name, via, evidence, run_id, call_id, based_on, occasion = row
    if kind is None:
        return None
    run = None if run_id is None else RunId(run_id)
    return Actor(_author(kind, name, via, evidence), since, run, call_id, based_on, occasion)


def _actor(row: Row) -> Actor:
    kind, name, via, evidence, replaced_at, run_id, call_id, based_on, occasion = row
    run = None if run_id is None else RunId(run_id)
    return Actor(_author(kind, name, via, evidence), replaced_at, run, call_id, based_on, occasion)


def _held(facts: Facts, body: Body) -> list[object]:
    """The values of a version as both tables hold them, in the order of their columns."""
    return [
        facts.number,
        body.text,
        body.raw,
        facts.sha256,
        facts.characters,
        facts.added,
        facts.removed,
        facts.only_changed,
        str(facts.status),
        facts.since,
        *_own_values(facts.own),
        None if facts.origin is None else json.dumps(asdict(facts.origin), ensure_ascii=False),
    ]


def _revision_values(agent: AgentId, facts: Facts, body: Body, name: str, replaced_by: Actor) -> list[object]:
    """The values of a row of the archive, in the order of its columns."""
    key = _key(agent, facts.number)
    return [key, agent, *_held(facts, body), name, *_replaced(replaced_by), *_added(facts)]


def _own_values(own: Actor | None) -> list[object]:
    if own is None:
        return [None] * 8
    author = own.author
    return [
        str(author.kind),
        author.name,
        author.via,
        author.evidence,
        own.run,
        own.call,
        own.based_on,
        own.occasion,
    ]


def _added(facts: Facts) -> list[object]:
    """The values of the columns that later steps added, in their order."""
    stand_in = None if facts.stand_in is None else json.dumps(asdict(facts.stand_in), ensure_ascii=False)
    return [stand_in, author_json(facts.renamed), *(facts.seal or (None, None, None))]


def _replaced(actor: Actor) -> list[object]:
    """The values of who wrote the next version, in the order of their columns."""
    author = actor.author
    return [
        str(author.kind),
        author.name,
        author.via,
        author.evidence,
        actor.at,
        actor.run,
        actor.call,
        actor.based_on,
        actor.occasion,
    ]


LIVE_FACTS = f"SELECT {FACTS} FROM memory WHERE agent_id = ?"


def live_facts(cursor: Cursor, agent: AgentId) -> Facts | None:
    """The live version without its text, or None while the row is missing."""
    row = cursor.execute(LIVE_FACTS, [agent]).fetchone()
    return None if row is None else _facts(row)


LIVE = f"SELECT {FACTS}, {SEAL}, text, raw FROM memory WHERE agent_id = ?"


def live(cursor: Cursor, agent: AgentId) -> tuple[Facts, Body] | None:
    """The live version with its seal and its text, or None while the row is missing."""
    row = cursor.execute(LIVE, [agent]).fetchone()
    if row is None:
        return None
    *sealed, text, raw = row[FACTS_COLUMNS:]
    return replace(_facts(row[:FACTS_COLUMNS]), seal=_seal(sealed)), Body(text, raw)


def _seal(row: Sequence[Any]) -> Seal | None:
    """The seal, or None where somebody removed a part of it."""
    return None if None in row else Seal(*row)


def _key(agent: AgentId, version: int) -> str:
    """What a row of the archive is looked up by."""
    return f"{agent}/{version}"


RECENT_REVISIONS = 64
"""How many revisions are looked up by key: all of an agent that keeps 50 (decision 11)."""
RECENT = f"SELECT {FACTS}, {ACTOR} FROM memory_revisions WHERE revision_key IN ({', '.join('?' * RECENT_REVISIONS)})"
"""One mark for each key: DuckDB joins a list of more than fifty keys with the whole table, which took 10 ms where this takes 2."""
REVISIONS = f"SELECT {FACTS}, {ACTOR} FROM memory_revisions WHERE agent_id = ?"


def revisions(cursor: Cursor, agent: AgentId, live: int | None = None) -> tuple[Revision, ...]:
    """The archive without its texts, oldest first.

    Args:
        cursor: where to read.
        agent: whose archive.
        live: the number of the live version, where it is known. The archive then is the numbers right below it, down to the oldest
            kept, so a few keys find all of it; otherwise, and for a long archive, all agents' rows are scanned.
    """
    if live is not None:
        numbers = range(live - RECENT_REVISIONS, live)  # below 1 there are none
        rows = cursor.execute(RECENT, [_key(agent, number) for number in numbers]).fetchall()
    if live is None or (len(rows) == RECENT_REVISIONS and numbers.start > 1):
        rows = cursor.execute(REVISIONS, [agent]).fetchall()
    return _revisions(rows)


PAIR = f"SELECT {FACTS}, {ACTOR} FROM memory_revisions WHERE revision_key IN (?, ?)"


def revisions_around(cursor: Cursor, agent: AgentId, version: int) -> tuple[Revision, ...]:
    """The rows that hold a version and the one before it, as far as the archive has them, oldest first; no text is read."""
    return _revisions(cursor.execute(PAIR, [_key(agent, version - 1), _key(agent, version)]).fetchall())


def _revisions(rows: Sequence[Row]) -> tuple[Revision, ...]:
    found = (Revision(_facts(row[:FACTS_COLUMNS]), _actor(row[FACTS_COLUMNS:])) for row in rows)
    return tuple(sorted(found, key=lambda revision: revision.facts.number))


ARCHIVED_BODY = "SELECT text, raw FROM memory_revisions WHERE revision_key = ?"


def archived_body(cursor: Cursor, agent: AgentId, version: int) -> Body | None:
    """The text of one archived version, or None if the archive does not hold it."""
    row = cursor.execute(ARCHIVED_BODY, [_key(agent, version)]).fetchone()
    return None if row is None else Body(row[0], row[1])


NEWEST_REVISION = f"SELECT {FACTS}, {SEAL} FROM memory_revisions WHERE agent_id = ? ORDER BY version DESC LIMIT 1"


def newest_revision(cursor: Cursor, agent: AgentId) -> Facts | None:
    """The newest archived version with its seal, or None while the archive is empty."""
    row = cursor.execute(NEWEST_REVISION, [agent]).fetchone()
    return None if row is None else replace(_facts(row[:FACTS_COLUMNS]), seal=_seal(row[FACTS_COLUMNS:]))


INSERT_LIVE = f"INSERT INTO memory VALUES ({', '.join('?' * LIVE_COLUMNS)})"


def insert_live(cursor: Cursor, agent: AgentId, facts: Facts, body: Body) -> None:
    """Make the live row of an agent that has none."""
    cursor.execute(INSERT_LIVE, [agent, *_held(facts, body), *_added(facts)])


DELETE_LIVE = "DELETE FROM memory WHERE agent_id = ?"


def replace_live(cursor: Cursor, agent: AgentId, facts: Facts, body: Body) -> None:
    """Replace the live row; the caller has archived it in the same transaction.

    Deleting and inserting took 2 ms where an UPDATE of the long text took 8, at 10,000 agents.
    """
    cursor.execute(DELETE_LIVE, [agent])
    insert_live(cursor, agent, facts, body)


INSERT_REVISION = f"INSERT INTO memory_revisions VALUES ({', '.join('?' * REVISION_COLUMNS)})"


def insert_revision(cursor: Cursor, agent: AgentId, facts: Facts, body: Body, name: str, replaced_by: Actor) -> None:
    """Archive one version: its facts and text, its archive name, and who replaced it."""
    cursor.execute(INSERT_REVISION, _revision_values(agent, facts, body, name, replaced_by))


INSERT_REVISIONS = f"INSERT INTO memory_revisions SELECT {', '.join(['unnest(?)'] * REVISION_COLUMNS)}"


def insert_revisions(cursor: Cursor, agent: AgentId, rows: Sequence[tuple[Facts, Body, str, Actor]]) -> None:
    """Archive many versions in one statement; row by row took ten times as long."""
    if rows:
        values = [_revision_values(agent, *row) for row in rows]
        cursor.execute(INSERT_REVISIONS, [list(column) for column in zip(*values, strict=True)])


PRUNE = "DELETE FROM memory_revisions WHERE agent_id = ? AND version <= ?"
COUNT_AS_FIRST = (
    "UPDATE memory_revisions SET removed = 0, only_changed = NULL, added ="
    " CASE WHEN text = '' THEN 0 ELSE length(text) - length(replace(text, chr(10), ''))"
    " + CASE WHEN ends_with(text, chr(10)) THEN 0 ELSE 1 END END"
    " WHERE revision_key = ? AND text IS NOT NULL AND stand_in IS NULL"
)


def prune(cursor: Cursor, agent: AgentId, up_to: int) -> None:
    """Drop the archived versions with this number and below (decision 11).

    The oldest one kept then counts all its lines as added, since what it counted against is gone.
    """
    if up_to > 0:
        cursor.execute(PRUNE, [agent, up_to])
        cursor.execute(COUNT_AS_FIRST, [_key(agent, up_to + 1)])
