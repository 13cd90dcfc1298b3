"""Rows of notes."""

from collections.abc import Sequence
from datetime import datetime

from studio.domain.authors import Author, AuthorKind
from studio.domain.bodies import Body
from studio.domain.notes import Note, NoteFacts, NoteHit, folded, found_line, note_sha256
from studio.domain.places import Level, Place, parse_place
from studio.store.database import Cursor, Row
from studio.store.paging import rows_of

FACTS = "path, level, shown_title, characters, title, sha256, updated_at, author_kind, author_name"
"""The columns of `NoteFacts`, in the order that `_facts` reads them."""
ORDER = " ORDER BY level, path"
"""By level and path: the levels' names are in the order of `Level`."""

Owner = tuple[Level, str]
"""Whose notes: a level, and the id of that agent, guild or organisation."""


def _facts(row: Row) -> NoteFacts:
    path, level, shown, characters, title, body_sha256, updated_at, kind, name = row[:9]
    sha256, by = note_sha256(title, body_sha256), Author(AuthorKind(kind), name)
    return NoteFacts(path, Level(level), shown, characters, sha256, updated_at, by)


def _note(row: Row) -> Note:
    return Note(_facts(row), body=row[9], title_field=row[4])


GET = f"SELECT {FACTS}, body FROM notes WHERE path = ?"


def get(cursor: Cursor, path: str) -> Note | None:
    """The note at this path, or None."""
    row = cursor.execute(GET, [path]).fetchone()
    return None if row is None else _note(row)


BY_PATHS = f"SELECT {FACTS}, body FROM notes WHERE path IN (SELECT unnest(?))"


def by_paths(cursor: Cursor, paths: Sequence[str]) -> dict[str, Note]:
    """The notes at these paths, in one query; a path without a note is left out."""
    if not paths:
        return {}
    return {row[0]: _note(row) for row in cursor.execute(BY_PATHS, [list(paths)]).fetchall()}


HOLDING = f"SELECT {FACTS}, body FROM notes WHERE contains(body, '![[') AND contains(body, ?)"


def holding(cursor: Cursor, path: str) -> tuple[Note, ...]:
    """The notes that may embed this path: their bodies hold it."""
    return tuple(_note(row) for row in cursor.execute(HOLDING, [path]).fetchall())


LIST = f"SELECT {FACTS} FROM notes"


def of_owners(cursor: Cursor, owners: Sequence[Owner] | None, limit: int | None = None) -> tuple[NoteFacts, ...]:
    """The notes of these owners, or all of them for None, by level and path; at most `limit`."""
    where, values = _owned(owners)
    cut = "" if limit is None else " LIMIT ?"
    rows = cursor.execute(LIST + where + ORDER + cut, [*values, *([] if limit is None else [rows_of(limit)])])
    return tuple(_facts(row) for row in rows.fetchall())


COUNT = "SELECT count(*) FROM notes"


def count(cursor: Cursor, owners: Sequence[Owner] | None) -> int:
    """How many notes these owners have, or all for None."""
    where, values = _owned(owners)
    row = cursor.execute(COUNT + where, values).fetchone()
    return 0 if row is None else int(row[0])


def _owned(owners: Sequence[Owner] | None) -> tuple[str, list[object]]:
    """The condition that keeps these owners' rows, with its parameters."""
    if owners is None:
        return " WHERE true", []
    any_of = " OR ".join(["false", *["(level = ? AND owner_id = ?)"] * len(owners)])
    return f" WHERE ({any_of})", [value for level, owner in owners for value in (str(level), owner)]


HOLDS_ALL = (
    "(contains(folded_title, ?) OR contains(folded_body, ?)) AND len(list_filter(?::VARCHAR[],"
    " lambda word: NOT contains(folded_title, word) AND NOT contains(folded_body, word))) = 0"
)
"""Whether title, path and body together hold all words: the longest, which few notes hold, and then each of them.

The words are one parameter, since a condition for each would nest too deeply.
"""
OCCURRENCES = "list_sum(list_transform(?::VARCHAR[], lambda word: (length({0}) - length(replace({0}, word, ''))) // length(word)))"
"""How often the words occur in a column."""
FIND = (
    f"SELECT path, {OCCURRENCES.format('folded_title')} AS in_title, in_title + {OCCURRENCES.format('folded_body')} AS hits"
    " FROM notes"
)
BEST_FIRST = " ORDER BY in_title DESC, hits DESC, path LIMIT ?"


def find(
    cursor: Cursor, words: Sequence[str], owners: Sequence[Owner] | None, level: Level | None, limit: int
) -> tuple[NoteHit, ...]:
    """The notes that hold all words: most hits in title and path first, then most hits in all, then by path.

    Args:
        cursor: the store.
        words: folded words, at least one.
        owners: whose notes to search; None for all.
        level: only notes of this level.
        limit: how many at most.
    """
    where, values = _owned(owners)
    if level is not None:
        where, values = f"{where} AND level = ?", [*values, str(level)]
    asked, longest = list(words), max(words, key=len)
    rows = cursor.execute(
        f"{FIND}{where} AND {HOLDS_ALL}{BEST_FIRST}", [asked, asked, *values, longest, longest, asked, limit]
    ).fetchall()
    found = by_paths(cursor, [row[0] for row in rows])
    return tuple(
        NoteHit(found[path].facts, int(hits), found_line(found[path].body, tuple(words))) for path, _, hits in rows
    )


def _held(note: Note) -> list[object]:
    """The columns of a note's text, in their order; the stored sha256 is the body's own."""
    return [note.title_field, note.body, note.facts.title, Body(note.body).sha256, note.facts.characters]


def _named(note: Note) -> str:
    """What a search compares beside the body: the title, and below it the note's own part of its path."""
    return folded(f"{note.facts.title}\n{parse_place(note.facts.path).name.removesuffix('.md')}")


INSERT = f"INSERT INTO notes VALUES ({', '.join('?' * 15)})"


def insert(cursor: Cursor, place: Place, note: Note) -> None:
    """Enter a note."""
    facts, at = note.facts, note.facts.updated_at
    who = [str(facts.updated_by.kind), facts.updated_by.name]
    held = [*_held(note), at, at]
    owned = [facts.path, place.org, str(place.level), place.owner]
    cursor.execute(INSERT, [*owned, *held, *who, _named(note), folded(note.body)])


REPLACE = (
    "UPDATE notes SET title = ?, body = ?, shown_title = ?, sha256 = ?, characters = ?, updated_at = ?, author_kind = ?,"
    " author_name = ?, folded_title = ?, folded_body = ? WHERE path = ?"
)


def replace(cursor: Cursor, note: Note) -> None:
    """Write a note over the one at its path."""
    facts = note.facts
    who = [str(facts.updated_by.kind), facts.updated_by.name]
    cursor.execute(REPLACE, [*_held(note), facts.updated_at, *who, _named(note), folded(note.body), facts.path])


CREATED = "SELECT created_at FROM notes WHERE path = ?"
KEEP_CREATED = "UPDATE notes SET created_at = ? WHERE path = ?"


def move(cursor: Cursor, path: str, place: Place, note: Note) -> None:
    """Put a note at another path; when it was made stays known."""
    row = cursor.execute(CREATED, [path]).fetchone()
    delete(cursor, path)
    insert(cursor, place, note)
    created_at: datetime = row[0] if row else note.facts.updated_at
    cursor.execute(KEEP_CREATED, [created_at, note.facts.path])


DELETE = "DELETE FROM notes WHERE path = ?"


def delete(cursor: Cursor, path: str) -> None:
    """Remove a note."""
    cursor.execute(DELETE, [path])
