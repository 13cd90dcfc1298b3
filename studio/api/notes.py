"""Notes and collections. An agent's token acts as its agent, with the rights that the bindings give it (decision 10)."""

from datetime import datetime

from studio.api import schemas
from studio.api.operations import (
    EVERYONE,
    OPERATORS,
    RUNTIMES,
    Answer,
    Call,
    Guarding,
    Operation,
    Route,
    answer,
    choice,
    integer,
    words,
)
from studio.api.problems import Problem
from studio.domain.collections import Access, Column, Grant
from studio.domain.places import Level
from studio.render.wire_notes import (
    collection_record,
    note_hit_record,
    note_record,
    note_text_record,
    note_written_record,
    row_record,
    row_written_record,
)


def _level(call: Call) -> Level | None:
    return Level(call.query["level"]) if "level" in call.query else None


def list_notes(call: Call) -> Answer:
    """List the notes by level and path, without their bodies."""
    found = call.studio.notes.list(level=_level(call), owner=call.query.get("owner") or None, as_agent=call.as_agent)
    return answer({"notes": [note_record(one) for one in found]})


def find_notes(call: Call) -> Answer:
    """Find the notes whose title and body hold all words, best first."""
    found = call.studio.notes.find(
        call.query["search"], level=_level(call), limit=call.query.get("limit", 20), as_agent=call.as_agent
    )
    return answer({"notes": [note_hit_record(one) for one in found]})


def get_note(call: Call) -> Answer:
    """Read a note with its body."""
    note = call.studio.notes.get(call.query["path"], as_agent=call.as_agent)
    return answer(note_text_record(note), etag=note.facts.sha256)


def put_note(call: Call) -> Answer:
    """Make a note, or write over the one whose ETag is given."""
    path, body, title = call.query["path"], call.data["body"], call.data.get("title")
    notes = call.studio.notes
    if call.only_new:
        written = notes.create(path, body, title=title, operator=call.operator, as_agent=call.as_agent)
    else:
        written = notes.edit(
            path,
            body,
            title=title,
            expect=call.expect,
            force=call.force,
            operator=call.operator,
            as_agent=call.as_agent,
        )
    return answer(note_written_record(written), etag=written.facts.sha256)


def delete_note(call: Call) -> Answer:
    """Remove a note, unless a live Task embeds it."""
    call.studio.notes.delete(call.query["path"], expect=call.expect, operator=call.operator, as_agent=call.as_agent)
    return Answer(status=204)


def list_collections(call: Call) -> Answer:
    """List the collections that the caller can use, and how."""
    found = call.studio.collections.list(as_agent=call.as_agent)
    return answer({"collections": [collection_record(one) for one in found]})


def get_collection(call: Call) -> Answer:
    """Read what a collection is for, and its columns."""
    return answer(collection_record(call.studio.collections.get(call.query["path"], as_agent=call.as_agent)))


def make_collection(call: Call) -> Answer:
    """Define a collection."""
    columns = [Column(one["name"], one.get("description")) for one in call.data["columns"]]
    made = call.studio.collections.create(
        call.query["path"], columns, purpose=call.data.get("purpose"), operator=call.operator
    )
    return answer(collection_record(Grant(made, Access.WRITE)), status=201)


def list_records(call: Call) -> Answer:
    """List a collection's records, last written first."""
    found = call.studio.collections.records(
        call.query["path"], since=_since(call), limit=call.query.get("limit", 100), as_agent=call.as_agent
    )
    return answer({"records": [row_record(one) for one in found]})


def _since(call: Call) -> datetime | None:
    """A time with its offset."""
    if not call.query.get("since"):
        return None
    try:
        time = datetime.fromisoformat(call.query["since"])
    except ValueError:
        time = None
    if time is None or time.tzinfo is None:
        raise Problem(400, "since must be a time with its offset, like 2026-09-12T09:00:07Z.")
    return time


def write_record(call: Call) -> Answer:
    """Change a record, or make it; columns that are not named stay, and null clears one."""
    written = call.studio.collections.write(
        call.query["path"],
        call.data["values"],
        record_id=call.data.get("id"),
        operator=call.operator,
        as_agent=call.as_agent,
    )
    return answer(row_written_record(written))


_PATH = words("path", "The display path, percent-encoded once.", required=True)
_COLLECTION = words("path", "The display path, or the name where no other collection has it.", required=True)
_LEVEL = choice("level", "Only notes of this level.", Level)
_OWNER = words("owner", "Only notes of the agent, guild or organisation with this id.")
ROUTES = (
    Route("/api/notes", {"GET": Operation(list_notes, EVERYONE, query=(_LEVEL, _OWNER), answers=schemas.NOTES)}),
    Route(
        "/api/notes/find",
        {
            "GET": Operation(
                find_notes,
                EVERYONE,
                query=(
                    words("search", "The words.", required=True),
                    _LEVEL,
                    integer("limit", "How many at most; 20 without it.", maximum=1000),
                ),
                answers=schemas.NOTE_HITS,
            )
        },
    ),
    Route(
        "/api/note",
        {
            "GET": Operation(get_note, EVERYONE, query=(_PATH,), answers=schemas.NOTE_TEXT),
            "PUT": Operation(
                put_note,
                RUNTIMES,
                query=(_PATH,),
                takes=schemas.WRITE_NOTE,
                guarding=Guarding.MATCH_OR_NEW,
                answers=schemas.NOTE_WRITTEN,
            ),
            "DELETE": Operation(delete_note, RUNTIMES, query=(_PATH,), guarding=Guarding.MATCH, status=204),
        },
    ),
    Route("/api/collections", {"GET": Operation(list_collections, EVERYONE, answers=schemas.COLLECTIONS)}),
    Route(
        "/api/collection",
        {
            "GET": Operation(get_collection, EVERYONE, query=(_COLLECTION,), answers=schemas.COLLECTION),
            "POST": Operation(
                make_collection,
                OPERATORS,
                query=(_PATH,),
                takes=schemas.MAKE_COLLECTION,
                answers=schemas.COLLECTION,
                status=201,
            ),
        },
    ),
    Route(
        "/api/collection/records",
        {
            "GET": Operation(
                list_records,
                EVERYONE,
                query=(
                    _COLLECTION,
                    words("since", "Only records written then or later."),
                    integer("limit", "How many at most; 100 without it.", maximum=10_000),
                ),
                answers=schemas.ROWS,
            ),
            "POST": Operation(
                write_record, RUNTIMES, query=(_COLLECTION,), takes=schemas.WRITE_ROW, answers=schemas.ROW_WRITTEN
            ),
        },
    ),
)
