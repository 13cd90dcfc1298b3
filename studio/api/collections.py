"""Collections and their records. An agent's token acts as its agent, with what it is granted (decision 10)."""

import json
from datetime import datetime

from studio.actions.collections import NO_RECORD
from studio.api import schemas
from studio.api.listing import answer_whole, page_of
from studio.api.notes import PATH, PATH_OF
from studio.api.operations import (
    EVERYONE,
    OPERATORS,
    READERS,
    RUNTIMES,
    Answer,
    Call,
    Guarding,
    Operation,
    Route,
    answer,
)
from studio.api.parameters import words
from studio.api.problems import Problem
from studio.api.tables import Table
from studio.domain.collections import Access, Column, Grant, RecordWritten
from studio.domain.moments import read_moment
from studio.render.wire_notes import collection_record, row_record, row_written_record

COLLECTIONS = Table("collections", schemas.COLLECTION)
RECORDS = Table("records", schemas.ROW)


def list_collections(call: Call) -> Answer:
    """List the collections that the caller can use, and how."""
    return answer_whole(call, COLLECTIONS, call.studio.collections.list(as_agent=call.as_agent), collection_record)


def collection_path(call: Call) -> Answer:
    """Give the display path of a collection by its name and whose it is; without agent and guild it is the organisation's."""
    owner = {name: call.query.get(name) or None for name in ("agent", "guild")}
    return answer({"path": call.studio.collections.path(call.query["name"], **owner)})


def get_collection(call: Call) -> Answer:
    """Read what a collection is for, and its columns."""
    return answer(collection_record(call.studio.collections.get(call.query["path"], as_agent=call.as_agent)))


def make_collection(call: Call) -> Answer:
    """Define a collection."""
    columns = [Column(one["name"], one.get("description")) for one in call.data["columns"]]
    made = call.studio.collections.create(call.query["path"], columns, purpose=call.data.get("purpose"))
    return answer(collection_record(Grant(made, Access.WRITE)), status=201)


def grant_collection(call: Call) -> Answer:
    """Let an agent read, or read and write a collection; null takes it back."""
    access = call.data["access"]
    call.studio.collections.grant(call.agent, call.query["path"], None if access is None else Access(access))
    return Answer(status=204)


def list_records(call: Call) -> Answer:
    """List a collection's records, last written first."""
    page = page_of(call, RECORDS)
    found = call.studio.collections.records(
        call.query["path"],
        since=_since(call),
        equals=_equals(call),
        limit=page.offset + page.one_more,
        as_agent=call.as_agent,
    )
    return answer_whole(call, RECORDS, found, row_record)


def _since(call: Call) -> datetime | None:
    """A time with its offset."""
    if not call.query.get("since"):
        return None
    time = read_moment(call.query["since"])
    if time is None:
        raise Problem(400, "since must be a time with its offset, like 2026-09-12T09:00:07Z.")
    return time


def _equals(call: Call) -> dict[str, object] | None:
    """The values that records must have, by column."""
    if not call.query.get("equals"):
        return None
    try:
        given = json.loads(call.query["equals"])
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise Problem(400, 'equals must be a JSON object of values by column, like {"status": "won"}.')
    return given


def make_record(call: Call) -> Answer:
    """Make a record, under an id of ours where none is given."""
    return _written(
        call.studio.collections.write(
            call.query["path"],
            call.data["values"],
            record_id=call.data.get("id"),
            expect=NO_RECORD,
            as_agent=call.as_agent,
        )
    )


def put_record(call: Call) -> Answer:
    """Change the record whose ETag is given, or make it: columns that are not named stay, and null clears one."""
    return _written(
        call.studio.collections.write(
            call.query["path"],
            call.data["values"],
            record_id=call.query["id"],
            expect=NO_RECORD if call.only_new else call.expect,
            as_agent=call.as_agent,
        )
    )


def _written(written: RecordWritten) -> Answer:
    return answer(row_written_record(written), etag=written.record.sha256)


_COLLECTION = words("path", "The display path, or the name where no other collection has it.", required=True)
_ID = words("id", "The record's id.", required=True)
_FILTERS = (
    words("since", "Only records written then or later."),
    words("equals", 'A JSON object: only records with these values by column, like {"status": "won"}.'),
)
ROUTES = (
    Route("/api/collections", {"GET": Operation(list_collections, EVERYONE, table=COLLECTIONS)}),
    Route("/api/collections/path", {"GET": Operation(collection_path, READERS, query=PATH_OF, answers=schemas.PATH)}),
    Route(
        "/api/collection",
        {
            "GET": Operation(get_collection, EVERYONE, query=(_COLLECTION,), answers=schemas.COLLECTION),
            "POST": Operation(
                make_collection,
                OPERATORS,
                query=(PATH,),
                takes=schemas.MAKE_COLLECTION,
                answers=schemas.COLLECTION,
                status=201,
            ),
        },
    ),
    Route(
        "/api/agents/{agent}/grant",
        {"PUT": Operation(grant_collection, OPERATORS, query=(_COLLECTION,), takes=schemas.GRANT, status=204)},
    ),
    Route(
        "/api/collection/records",
        {
            "GET": Operation(list_records, EVERYONE, query=(_COLLECTION, *_FILTERS), table=RECORDS),
            "POST": Operation(
                make_record, RUNTIMES, query=(_COLLECTION,), takes=schemas.MAKE_ROW, answers=schemas.ROW_WRITTEN
            ),
        },
    ),
    Route(
        "/api/collection/record",
        {
            "PUT": Operation(
                put_record,
                RUNTIMES,
                query=(_COLLECTION, _ID),
                takes=schemas.CHANGE_ROW,
                guarding=Guarding.MATCH_OR_NEW,
                answers=schemas.ROW_WRITTEN,
            )
        },
    ),
)
