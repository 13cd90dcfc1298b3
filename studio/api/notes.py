"""Notes. An agent's token acts as its agent, with the rights that the bindings give it (decision 10)."""

from studio.api import schemas
from studio.api.listing import answer_whole, page_of
from studio.api.operations import (
    EVERYONE,
    READERS,
    RUNTIMES,
    Answer,
    Call,
    Guarding,
    Operation,
    Route,
    answer,
)
from studio.api.parameters import choice, integer, words
from studio.api.tables import Table
from studio.domain.places import Level
from studio.render.wire_notes import note_hit_record, note_record, note_text_record, note_written_record

NOTES = Table("notes", schemas.NOTE)


def _level(call: Call) -> Level | None:
    return Level(call.query["level"]) if "level" in call.query else None


def list_notes(call: Call) -> Answer:
    """List the notes by level and path, without their bodies."""
    page = page_of(call, NOTES)
    found = call.studio.notes.list(
        level=_level(call),
        owner=call.query.get("owner") or None,
        limit=page.offset + page.one_more,
        as_agent=call.as_agent,
    )
    return answer_whole(call, NOTES, found, note_record)


def count_notes(call: Call) -> Answer:
    """Count the notes of an agent, a guild or the organisation."""
    return answer({"count": call.studio.notes.count(Level(call.query["level"]), call.query["owner"])})


def find_notes(call: Call) -> Answer:
    """Find the notes whose title and body hold all words, best first."""
    found = call.studio.notes.find(
        call.query["search"], level=_level(call), limit=call.query.get("limit", 20), as_agent=call.as_agent
    )
    return answer({"notes": [note_hit_record(one) for one in found]})


def note_path(call: Call) -> Answer:
    """Give the display path of a note by its name and whose it is; without agent and guild it is the organisation's."""
    owner = {name: call.query.get(name) or None for name in ("agent", "guild")}
    return answer({"path": call.studio.notes.path(call.query["name"], **owner)})


def get_note(call: Call) -> Answer:
    """Read a note with its body."""
    note = call.studio.notes.get(call.query["path"], as_agent=call.as_agent)
    return answer(note_text_record(note), etag=note.facts.sha256)


def put_note(call: Call) -> Answer:
    """Make a note, or write over the one whose ETag is given."""
    path, body, title = call.query["path"], call.data["body"], call.data.get("title")
    notes = call.studio.notes
    if call.only_new:
        written = notes.create(path, body, title=title, yes_to=call.yes_to, as_agent=call.as_agent)
    else:
        written = notes.edit(
            path,
            body,
            title=title,
            expect=call.expect,
            force=call.force,
            yes_to=call.yes_to,
            as_agent=call.as_agent,
        )
    return answer(note_written_record(written), etag=written.facts.sha256)


def delete_note(call: Call) -> Answer:
    """Remove a note, unless a live Task embeds it."""
    call.studio.notes.delete(call.query["path"], expect=call.expect, as_agent=call.as_agent)
    return Answer(status=204)


def move_note(call: Call) -> Answer:
    """Give a note another path, unless a live Task embeds it."""
    moved = call.studio.notes.move(call.query["path"], call.data["to"], as_agent=call.as_agent)
    return answer(note_written_record(moved), etag=moved.facts.sha256)


def list_embedding(call: Call) -> Answer:
    """List the agents whose live Task embeds a note, itself or through one other note."""
    return answer({"agents": list(call.studio.notes.embedded_in(call.query["path"]))})


PATH = words("path", "The display path, percent-encoded once.", required=True)
PATH_OF = (
    words("name", "The name, such as pricing.md; a full display path is given back as it is.", required=True),
    words("agent", "Whose it is: id or unique name of an agent."),
    words("guild", "Whose it is: id or name of a guild."),
)
"""What the display path of a note or a collection is made of."""
_LEVEL = choice("level", "Only notes of this level.", Level)
_OWNER = words("owner", "Only notes of the agent, guild or organisation with this id.")
ROUTES = (
    Route("/api/notes", {"GET": Operation(list_notes, EVERYONE, query=(_LEVEL, _OWNER), table=NOTES)}),
    Route(
        "/api/notes/count",
        {
            "GET": Operation(
                count_notes,
                READERS,
                query=(
                    choice("level", "Whose.", Level, required=True),
                    words("owner", "The id of the agent, guild or organisation.", required=True),
                ),
                answers=schemas.COUNT,
            )
        },
    ),
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
    Route("/api/notes/path", {"GET": Operation(note_path, READERS, query=PATH_OF, answers=schemas.PATH)}),
    Route(
        "/api/note",
        {
            "GET": Operation(get_note, EVERYONE, query=(PATH,), answers=schemas.NOTE_TEXT),
            "PUT": Operation(
                put_note,
                RUNTIMES,
                query=(PATH,),
                takes=schemas.WRITE_NOTE,
                guarding=Guarding.MATCH_OR_NEW,
                asks=True,
                answers=schemas.NOTE_WRITTEN,
            ),
            "DELETE": Operation(delete_note, RUNTIMES, query=(PATH,), guarding=Guarding.MATCH, status=204),
        },
    ),
    Route(
        "/api/note/move",
        {"POST": Operation(move_note, RUNTIMES, query=(PATH,), takes=schemas.MOVE_NOTE, answers=schemas.NOTE_WRITTEN)},
    ),
    Route(
        "/api/note/embedded-in",
        {"GET": Operation(list_embedding, READERS, query=(PATH,), answers=schemas.EMBEDDED_IN)},
    ),
)
