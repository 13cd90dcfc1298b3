"""JSON shapes of notes, collections and rights, one function per value. Times are UTC, sizes are code points."""

from studio.domain.archive import iso_z
from studio.domain.bindings import Rights
from studio.domain.collections import Grant, RecordWritten
from studio.domain.collections import Record as CollectionRecord
from studio.domain.embeds import EmbedEntry
from studio.domain.notes import Note, NoteFacts, NoteHit, NoteWritten
from studio.domain.records import Record, author_record


def note_record(facts: NoteFacts) -> Record:
    """`{path, level, title, characters, sha256, updated_at, updated_by}`, never the body."""
    return {
        "path": facts.path,
        "level": str(facts.level),
        "title": facts.title,
        "characters": facts.characters,
        "sha256": facts.sha256,
        "updated_at": iso_z(facts.updated_at),
        "updated_by": author_record(facts.updated_by),
    }


def note_text_record(note: Note) -> Record:
    """The note's record with `{title_field, body}`; `title_field` is null where the title comes from the body or the file name."""
    return note_record(note.facts) | {"title_field": note.title_field, "body": note.body}


def note_hit_record(hit: NoteHit) -> Record:
    """The note's record with `{hits, line}`: how often the words occur, and the first line of the body that has one."""
    return note_record(hit.facts) | {"hits": hit.hits, "line": hit.line}


def note_written_record(written: NoteWritten) -> Record:
    """The note's record with `changed`."""
    return note_record(written.facts) | {"changed": written.changed}


def collection_record(grant: Grant) -> Record:
    """`{path, level, name, purpose, columns: [{name, description}], access}`; `access` is what the caller may do."""
    table = grant.collection
    return {
        "path": table.path,
        "level": str(table.level),
        "name": table.name,
        "purpose": table.purpose,
        "columns": [{"name": column.name, "description": column.description} for column in table.columns],
        "access": str(grant.access),
    }


def row_record(record: CollectionRecord) -> Record:
    """`{id, values, sha256, updated_at, updated_by}`; a write over it gives the sha256 back (decision 37)."""
    return {
        "id": record.id,
        "values": record.values,
        "sha256": record.sha256,
        "updated_at": iso_z(record.updated_at),
        "updated_by": author_record(record.updated_by),
    }


def row_written_record(written: RecordWritten) -> Record:
    """The row's record with `changed`."""
    return row_record(written.record) | {"changed": written.changed}


def rights_record(rights: Rights) -> Record:
    """`{tools, readable_levels, writable_levels, prices_login}`, all scopes taken together."""
    return {
        "tools": list(rights.tools),
        "readable_levels": [str(level) for level in rights.readable],
        "writable_levels": [str(level) for level in rights.writable],
        "prices_login": rights.login,
    }


def broken_link_record(entry: EmbedEntry) -> Record:
    """`{written, within, reason, state}`; `within` is the note it stands in, null for the Task itself; `broken` or `over_budget`."""
    return {"written": entry.written, "within": entry.within, "reason": entry.reason, "state": str(entry.state)}
