"""Create, edit, move, delete, read and find notes."""

from dataclasses import replace

from studio.actions import asking
from studio.actions.access import OPERATOR, READ, WRITE, Caller, check_level, check_owner, note_wrote, owners, who
from studio.actions.context import Context
from studio.actions.links import embedding_agents
from studio.actions.publish import UNASKED, Guard
from studio.domain.authors import Author
from studio.domain.bodies import storable
from studio.domain.notes import (
    FIND_LIMIT_NOTES,
    Note,
    NoteFacts,
    NoteHit,
    NoteWritten,
    check_new_path,
    make_note,
    note_place,
    title_field,
    words_of,
)
from studio.domain.places import Level, Place
from studio.domain.questions import Question, check_answered, read_words
from studio.errors import NoteChanged, NoteEmbedded, PathTaken, UnknownPath, UnprovenSave
from studio.store import notes
from studio.store.database import Cursor


def list_notes(
    context: Context,
    *,
    level: Level | None = None,
    owner: str | None = None,
    limit: int | None = None,
    caller: Caller = OPERATOR,
) -> tuple[NoteFacts, ...]:
    """The notes that the caller may read, by level and path; the prompt files are never among them.

    Args:
        context: the open store.
        level: only notes of this level.
        owner: only notes of the agent, guild or organisation with this id.
        limit: how many at most.
        caller: who asks.
    """
    with context.database.read() as cursor:
        allowed = owners(cursor, who(context, cursor, caller).agent, level)
        if allowed is None and level is not None and owner is not None:
            return notes.of_owners(cursor, ((level, owner),), limit)
        found = notes.of_owners(cursor, allowed)
    kept = [one for one in found if level in (None, one.level) and owner in (None, note_place(one.path).owner)]
    return tuple(kept[:limit])


def count_notes(context: Context, level: Level, owner: str) -> int:
    """How many notes the agent, guild or organisation with this id has."""
    if not storable(owner):
        return 0
    with context.database.read() as cursor:
        return notes.count(cursor, ((level, owner),))


def get_note(context: Context, path: str, caller: Caller = OPERATOR) -> Note:
    """One note with its body.

    Raises:
        UnknownPath: there is none.
        NotANote: the path is a Task's or a memory's.
        NotGranted: the agent may not read it.
    """
    place = note_place(path)
    with context.database.read() as cursor:
        check_level(cursor, who(context, cursor, caller).agent, place, READ)
        return _get(cursor, place)


def find_notes(
    context: Context,
    search: str,
    *,
    level: Level | None = None,
    limit: int = FIND_LIMIT_NOTES,
    caller: Caller = OPERATOR,
) -> tuple[NoteHit, ...]:
    """The notes whose title, path and body hold all words, in any letter case: most hits in title and path first, then in all.

    Args:
        context: the open store.
        search: the words; without any nothing is found.
        level: only notes of this level.
        limit: how many at most.
        caller: who asks; an agent finds only what it may read.
    """
    words = words_of(search)
    if not words or not storable(search):
        return ()
    with context.database.read() as cursor:
        allowed = owners(cursor, who(context, cursor, caller).agent, level)
        return notes.find(cursor, words, allowed, level, max(limit, 0))


def create_note(
    context: Context,
    path: str,
    body: str,
    *,
    title: str | None = None,
    yes_to: tuple[str, ...] = (),
    caller: Caller = OPERATOR,
) -> NoteWritten:
    """Make a note. Making the very note that is there already changes nothing and succeeds (decision 37).

    Raises:
        PathTaken: there is another one at the path.
        BadName: the path could not be embedded, or the title is too long.
        NotFound: the agent, guild or organisation of the path is not there, or it is no note's path.
        NotANote: the path is a Task's or a memory's.
        NotGranted: the agent may not write at this level.
        UnusableText: body or title holds NUL or a lone surrogate.
        Unconfirmed: an operator's note deserves a question that was not answered (decision 39).
    """
    place = note_place(path)
    with context.database.tx() as cursor:
        agent, author = who(context, cursor, caller)
        check_level(cursor, agent, place, WRITE)
        held = notes.get(cursor, path)
        note = make_note(place, body, title_field(title), context.clock(), author)
        if held is None:
            _ask(cursor, note, None, UNASKED.answered if agent is not None else read_words(yes_to))
            return _insert(context, cursor, place, note)
        if (held.body, held.title_field) != (note.body, note.title_field):
            raise PathTaken("note", path)
        return NoteWritten(held.facts, changed=False)


def edit_note(
    context: Context,
    path: str,
    body: str,
    *,
    title: str | None = None,
    guard: Guard | None = None,
    caller: Caller = OPERATOR,
) -> NoteWritten:
    """Write a note's body, and its title where one is given; an empty title removes it.

    Raises:
        UnknownPath: there is no such note.
        NoteChanged: it is not the one the writer started from (decision 37).
        UnprovenSave: the writer did not say which one it started from.
        BadName: the title is too long.
        NotANote: the path is a Task's or a memory's.
        NotGranted: the agent may not write at this level.
        UnusableText: body or title holds NUL or a lone surrogate.
        Unconfirmed: an operator's note deserves a question that was not answered (decision 39).
    """
    place = note_place(path)
    with context.database.tx() as cursor:
        agent, author = who(context, cursor, caller)
        check_level(cursor, agent, place, WRITE)
        given = guard or Guard()
        if agent is not None:
            given = replace(given, answered=UNASKED.answered)
        return _replace(context, cursor, _get(cursor, place), body, title, author, given)


def write_note(
    context: Context, path: str, body: str, *, title: str | None = None, caller: Caller = OPERATOR
) -> NoteWritten:
    """Make a note, or replace the one that is there whatever it says: what the tool `note_write` does. Raises as `edit_note`."""
    place = note_place(path)
    with context.database.tx() as cursor:
        agent, author = who(context, cursor, caller)
        check_level(cursor, agent, place, WRITE)
        held = notes.get(cursor, path)
        if held is None:
            return _insert(context, cursor, place, make_note(place, body, title_field(title), context.clock(), author))
        return _replace(context, cursor, held, body, title, author, UNASKED)


def move_note(context: Context, path: str, to: str, caller: Caller = OPERATOR) -> NoteWritten:
    """Give a note another path, at the same level or another.

    Raises:
        UnknownPath: there is no such note.
        NoteEmbedded: a live Task embeds it (decision 25).
        PathTaken: there is a note at the new path.
        BadName: the new path could not be embedded.
        NotFound: the agent, guild or organisation of the new path is not there.
        NotGranted: the agent may not write at one of the levels.
    """
    old, new = note_place(path), note_place(to)
    with context.database.tx() as cursor:
        agent, author = who(context, cursor, caller)
        for place in (old, new):
            check_level(cursor, agent, place, WRITE)
        held = _get(cursor, old)
        if old == new:
            return NoteWritten(held.facts, changed=False)
        _check_embeds(cursor, path, "moved")
        check_owner(context, cursor, check_new_path(new))
        if notes.get(cursor, to) is not None:
            raise PathTaken("note", to)
        note = make_note(new, held.body, held.title_field, context.clock(), author)
        notes.move(cursor, path, new, note)
        note_wrote(context, cursor, new, author)
        return NoteWritten(note.facts, changed=True)


def delete_note(context: Context, path: str, *, expect: str | None = None, caller: Caller = OPERATOR) -> None:
    """Remove a note.

    Args:
        context: the open store.
        path: which one.
        expect: sha256 of the note the caller read; nothing is removed where it is another by now.
        caller: who asks.

    Raises:
        UnknownPath: there is no such note.
        NoteEmbedded: a live Task embeds it (decision 25).
        NoteChanged: it is not the one expected.
        NotANote: the path is a Task's or a memory's.
        NotGranted: the agent may not write at this level.
    """
    place = note_place(path)
    with context.database.tx() as cursor:
        agent, _ = who(context, cursor, caller)
        check_level(cursor, agent, place, WRITE)
        held = _get(cursor, place)
        if expect is not None:
            _check(held, Guard(expect))
        _check_embeds(cursor, path, "deleted")
        notes.delete(cursor, path)


def embedded_in(context: Context, path: str) -> tuple[str, ...]:
    """The names of the agents whose live Task embeds a note: while there is one, it is not deleted or moved (decision 25)."""
    place = note_place(path)
    with context.database.read() as cursor:
        return embedding_agents(cursor, str(place))


def _get(cursor: Cursor, place: Place) -> Note:
    found = notes.get(cursor, str(place))
    if found is None:
        raise UnknownPath(str(place))
    return found


def _insert(context: Context, cursor: Cursor, place: Place, note: Note) -> NoteWritten:
    check_owner(context, cursor, check_new_path(place))
    notes.insert(cursor, place, note)
    note_wrote(context, cursor, place, note.facts.updated_by)
    return NoteWritten(note.facts, changed=True)


def _replace(
    context: Context, cursor: Cursor, held: Note, body: str, title: str | None, author: Author, guard: Guard
) -> NoteWritten:
    """Write over a note; a title of None keeps its own."""
    place = note_place(held.facts.path)
    field = held.title_field if title is None else title_field(title)
    note = make_note(place, body, field, context.clock(), author)
    if (held.body, held.title_field) == (note.body, note.title_field):
        return NoteWritten(held.facts, changed=False)
    _check(held, guard)
    if held.body != note.body:
        _ask(cursor, note, held, guard.answered)
    notes.replace(cursor, note)
    note_wrote(context, cursor, place, author)
    return NoteWritten(note.facts, changed=True)


def _ask(cursor: Cursor, note: Note, held: Note | None, answered: frozenset[Question]) -> None:
    """Refuse a body that deserves a question which was not answered; an agent is never asked (decision 39)."""
    if answered != UNASKED.answered:
        check_answered(f"The note {note.facts.path}", asking.of_note(cursor, note, held), answered)


def _check(held: Note, guard: Guard) -> None:
    """Refuse a write over a note that changed since it was read, unless it is forced (decision 37)."""
    live = held.facts.sha256
    if guard.force or guard.full_replacement or guard.expect == live:
        return
    if guard.expect is None:
        raise UnprovenSave("note", live)
    raise NoteChanged(held.facts.path, str(held.facts.updated_by), live)


def _check_embeds(cursor: Cursor, path: str, verb: str) -> None:
    """Refuse what would break a live Task (decision 25)."""
    if embedding := embedding_agents(cursor, path):
        raise NoteEmbedded(path, verb, embedding)
