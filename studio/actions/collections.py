"""Define collections, grant them to agents, and read and write their records."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from studio.actions.access import OPERATOR, READ, WRITE, Caller, check_owner, note_wrote, who
from studio.actions.context import Context, find_agent
from studio.domain.agents import Agent, check_name
from studio.domain.collections import (
    Access,
    Collection,
    Column,
    Grant,
    Record,
    RecordWritten,
    check_filters,
    collection_place,
    make_collection,
    matches,
    merged,
    shown_values,
)
from studio.errors import (
    AmbiguousCollection,
    NotGranted,
    OperatorsOnly,
    PathTaken,
    RecordChanged,
    UnknownCollection,
    UnknownRecord,
)
from studio.store import collections
from studio.store.database import Cursor

NO_RECORD = ""
"""As `expect`: there must be no record of this id yet."""


def list_collections(context: Context, caller: Caller = OPERATOR) -> tuple[Grant, ...]:
    """The collections that the caller can use and what it may do with each, by level and path; an operator may write all."""
    with context.database.read() as cursor:
        return _usable(cursor, who(context, cursor, caller).agent)


def get_collection(context: Context, collection: str, caller: Caller = OPERATOR) -> Grant:
    """One collection by its path, or by its name where no other has it.

    Raises:
        UnknownCollection: there is none.
        AmbiguousCollection: several have this name.
        NotGranted: the agent has no grant on it.
    """
    with context.database.read() as cursor:
        return _find(cursor, collection, who(context, cursor, caller).agent, READ)


def create_collection(
    context: Context, path: str, columns: Sequence[Column], *, purpose: str | None = None, caller: Caller = OPERATOR
) -> Collection:
    """Define a collection. Defining the very one that is there already succeeds (decision 37).

    Raises:
        OperatorsOnly: an agent asked; no tool makes a table.
        PathTaken: there is another one at the path.
        BadName: its name or a column's cannot be used.
        UnusableText: its purpose or a description holds NUL or a lone surrogate.
        NotFound: the agent, guild or organisation of the path is not there, or it is no collection's path.
    """
    made = make_collection(collection_place(path), purpose, columns)
    with context.database.tx() as cursor:
        agent, author = who(context, cursor, caller)
        if agent is not None:
            raise OperatorsOnly(agent.name, "define a collection")
        if (held := collections.get(cursor, path)) is not None and held != made:
            raise PathTaken("collection", path)
        put_collection(context, cursor, made)
        note_wrote(context, cursor, collection_place(path), author)
        return made


def put_collection(context: Context, cursor: Cursor, made: Collection) -> None:
    """Store a collection, over the one at its path; its records stay, and show the columns it has now."""
    place = collection_place(made.path)
    check_owner(context, cursor, place)
    collections.upsert(cursor, place, made, context.clock())


def grant_collection(context: Context, agent: str, path: str, access: Access | None) -> None:
    """Let an agent read, or read and write a collection; None takes the grant back.

    Raises:
        UnknownAgent: there is no such agent.
        UnknownCollection: there is no such collection.
    """
    with context.database.tx() as cursor:
        found = _find(cursor, path, None, READ)
        collections.set_access(cursor, find_agent(cursor, agent).id, found.collection.path, access)


def list_records(
    context: Context,
    collection: str,
    *,
    since: datetime | None = None,
    equals: Mapping[str, object] | None = None,
    limit: int | None = None,
    caller: Caller = OPERATOR,
) -> tuple[Record, ...]:
    """A collection's records, last written first.

    Args:
        context: the open store.
        collection: its path, or its name where no other has it.
        since: only records written at that time or later (aware).
        equals: only records with these values by column; a text also equals the JSON of a number or truth value.
        limit: how many at most.
        caller: who asks.

    Raises:
        NotFound: there is no such collection.
        NotGranted: the agent has no grant on it.
        UnknownColumns: a filter names a column that it does not have.
    """
    with context.database.read() as cursor:
        table = _find(cursor, collection, who(context, cursor, caller).agent, READ).collection
        check_filters(table, equals or {})
        found = [_shown(table, one) for one in collections.records(cursor, table.path, since)]
    kept = [one for one in found if matches(one.values, equals or {})]
    return tuple(kept if limit is None else kept[: max(limit, 0)])


def write_record(
    context: Context,
    collection: str,
    values: Mapping[str, Any],
    *,
    record_id: str | None = None,
    expect: str | None = None,
    caller: Caller = OPERATOR,
) -> RecordWritten:
    """Change the record of this id, or make it: columns that are not given stay, null clears one.

    Args:
        context: the open store.
        collection: its path, or its name where no other has it.
        values: JSON values by column name.
        record_id: which record; without it a new one is made under an id of ours.
        expect: sha256 of the record that the writer read; `NO_RECORD` where there must be none, None writes over whatever is there.
        caller: who writes.

    Raises:
        NotFound: there is no such collection, or no record where one is expected.
        NotGranted: the agent may not write it; the sentence names it.
        RecordChanged, PathTaken: the record is not the one with the sha256 `expect`, or there should be none (decision 37).
        UnknownColumns: it has no such column; the sentence names those it has.
        BadArgument, UnusableText: a value is no JSON value, or a text in it holds NUL or a lone surrogate.
        BadName: the id is not one plain line.
    """
    given = None if record_id is None else check_name(record_id, "A record")
    with context.database.tx() as cursor:
        agent, author = who(context, cursor, caller)
        table = _find(cursor, collection, agent, WRITE).collection
        held = None if given is None else collections.record(cursor, table.path, given)
        stored = merged(table, held.values if held else {}, values)
        one = Record(given or context.ids("rec"), stored, context.clock(), author)
        live = None if held is None else _shown(table, held)
        if live is not None and live.sha256 == one.sha256:  # to Python 1 and true are equal, to JSON they are not
            return RecordWritten(live, changed=False)
        _check(table, live, record_id, expect)
        collections.write_record(cursor, table.path, one)
        note_wrote(context, cursor, collection_place(table.path), author)
        return RecordWritten(one, changed=True)


def _check(table: Collection, held: Record | None, named: str | None, expect: str | None) -> None:
    """Refuse a write over a record that the writer has not read (decision 37)."""
    if expect is None or (held is None and expect == NO_RECORD) or (held is not None and expect == held.sha256):
        return
    if held is None:
        raise UnknownRecord(str(named), table.name)
    if expect == NO_RECORD:
        raise PathTaken("record", f"{table.path}/{held.id}")
    raise RecordChanged(held.id, table.name, str(held.updated_by), held.sha256)


def _shown(table: Collection, record: Record) -> Record:
    return Record(record.id, shown_values(table, record.values), record.updated_at, record.updated_by)


def _usable(cursor: Cursor, agent: Agent | None) -> tuple[Grant, ...]:
    """What a caller can use; an operator may write every collection."""
    if agent is not None:
        return collections.grants(cursor, agent.id)
    return tuple(Grant(one, Access.WRITE) for one in collections.all_of(cursor))


def _find(cursor: Cursor, name: str, agent: Agent | None, right: str) -> Grant:
    """The collection of this path or name that a caller may use like this."""
    usable = _usable(cursor, agent)
    found = [one for one in usable if name == one.collection.path] or [
        one for one in usable if name.strip() == one.collection.name
    ]
    if len(found) > 1:
        raise AmbiguousCollection(name, [one.collection.path for one in found])
    if not found and agent is not None and name in {one.path for one in collections.all_of(cursor)}:
        raise NotGranted(agent.name, right, f"the collection {name}", "it has no grant on it")
    if not found:
        raise UnknownCollection(name, [one.collection.name for one in usable])
    if right == WRITE and agent is not None and found[0].access is not Access.WRITE:
        raise NotGranted(agent.name, WRITE, f"the collection {found[0].collection.name}", "its grant is to read only")
    return found[0]
