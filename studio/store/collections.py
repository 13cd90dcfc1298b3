"""Rows of collections, of the grants on them, and of their records."""

import json
from collections.abc import Sequence
from datetime import datetime

from studio.domain.authors import Author, AuthorKind
from studio.domain.collections import Access, Collection, Column, Grant, Record
from studio.domain.paths import AgentId
from studio.domain.places import Level, Place
from studio.store.database import Cursor, Row

COLUMNS = "c.path, c.level, c.name, c.purpose, c.columns"
"""The columns of `Collection`, in the order that `_collection` reads them."""
ORDER = " ORDER BY c.level, c.path"
"""By level and path: the levels' names are in the order of `Level`."""


def _collection(row: Row) -> Collection:
    path, level, name, purpose, columns = row[:5]
    return Collection(path, Level(level), name, purpose, tuple(Column(*pair) for pair in json.loads(columns)))


GET = f"SELECT {COLUMNS} FROM collections c WHERE c.path = ?"


def get(cursor: Cursor, path: str) -> Collection | None:
    """The collection at this path, or None."""
    row = cursor.execute(GET, [path]).fetchone()
    return None if row is None else _collection(row)


BY_PATHS = f"SELECT {COLUMNS} FROM collections c WHERE c.path IN (SELECT unnest(?))"


def by_paths(cursor: Cursor, paths: Sequence[str]) -> dict[str, Collection]:
    """The collections at these paths, in one query; a path without one is left out."""
    if not paths:
        return {}
    return {row[0]: _collection(row) for row in cursor.execute(BY_PATHS, [list(paths)]).fetchall()}


LIST = f"SELECT {COLUMNS} FROM collections c"


def all_of(cursor: Cursor) -> tuple[Collection, ...]:
    """Every collection by level and path."""
    return tuple(_collection(row) for row in cursor.execute(LIST + ORDER).fetchall())


UPSERT = (
    "INSERT INTO collections VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (path) DO UPDATE SET purpose = excluded.purpose, columns = excluded.columns"
)


def upsert(cursor: Cursor, place: Place, collection: Collection, now: datetime) -> None:
    """Enter a collection, or change the purpose and columns of the one at its path."""
    columns = json.dumps([[one.name, one.description] for one in collection.columns], ensure_ascii=False)
    owned = [collection.path, place.org, str(place.level), place.owner, collection.name]
    cursor.execute(UPSERT, [*owned, collection.purpose, columns, now])


GRANTS = (
    f"SELECT {COLUMNS}, g.access FROM collections c JOIN collection_grants g ON g.path = c.path WHERE g.agent_id = ?"
)


def grants(cursor: Cursor, agent: AgentId) -> tuple[Grant, ...]:
    """What an agent may use, by level and path."""
    return tuple(Grant(_collection(row), Access(row[5])) for row in cursor.execute(GRANTS + ORDER, [agent]).fetchall())


ACCESS = "SELECT access FROM collection_grants WHERE agent_id = ? AND path = ?"


def access(cursor: Cursor, agent: AgentId, path: str) -> Access | None:
    """What an agent may do with a collection; None for nothing."""
    row = cursor.execute(ACCESS, [agent, path]).fetchone()
    return None if row is None else Access(row[0])


REVOKE = "DELETE FROM collection_grants WHERE agent_id = ? AND path = ?"
GRANT = "INSERT OR REPLACE INTO collection_grants VALUES (?, ?, ?)"


def set_access(cursor: Cursor, agent: AgentId, path: str, granted: Access | None) -> None:
    """Grant an agent a collection, or take its grant back with None."""
    if granted is None:
        cursor.execute(REVOKE, [agent, path])
    else:
        cursor.execute(GRANT, [agent, path, str(granted)])


REVOKE_ALL = "DELETE FROM collection_grants WHERE agent_id = ?"


def revoke_all(cursor: Cursor, agent: AgentId) -> None:
    """Take all grants of an agent back."""
    cursor.execute(REVOKE_ALL, [agent])


RECORDS = "SELECT record_id, record, updated_at, author_kind, author_name FROM records WHERE path = ?"
RECORDS_ORDER = " ORDER BY updated_at DESC, record_id"


def _record(row: Row) -> Record:
    record_id, values, updated_at, kind, name = row
    return Record(record_id, json.loads(values), updated_at, Author(AuthorKind(kind), name))


def records(cursor: Cursor, path: str, since: datetime | None = None) -> tuple[Record, ...]:
    """A collection's records, last written first; with `since` those written at that time or later."""
    where, values = ("", []) if since is None else (" AND updated_at >= ?", [since])
    return tuple(_record(row) for row in cursor.execute(RECORDS + where + RECORDS_ORDER, [path, *values]).fetchall())


RECORD = f"{RECORDS} AND record_id = ?"


def record(cursor: Cursor, path: str, record_id: str) -> Record | None:
    """One record, or None."""
    row = cursor.execute(RECORD, [path, record_id]).fetchone()
    return None if row is None else _record(row)


WRITE = "INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?, ?)"


def write_record(cursor: Cursor, path: str, one: Record) -> None:
    """Enter a record, or write over the one with its id."""
    values = json.dumps(one.values, ensure_ascii=False, allow_nan=False)
    cursor.execute(WRITE, [path, one.id, values, one.updated_at, str(one.updated_by.kind), one.updated_by.name])
