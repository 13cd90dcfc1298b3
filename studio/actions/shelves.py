"""The parts of the facade that are nouns of their own: notes, collections and tokens."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from studio.actions.context import Context
from studio.actions.later import later
from studio.domain.collections import Access, Collection, Column, Grant, Record, RecordWritten
from studio.domain.notes import FIND_LIMIT_NOTES, Note, NoteFacts, NoteHit, NoteWritten
from studio.domain.places import Level
from studio.domain.tokens import Role, Token

if TYPE_CHECKING:
    from studio.actions import access, collections, notes, publish, tokens
else:
    names = ("access", "collections", "notes", "publish", "tokens")
    access, collections, notes, publish, tokens = later("studio.actions", *names)


class Notes:
    """Notes of one store, as `Studio.notes`.

    A note is named by its display path. With `as_agent` an agent acts, in a run where `run` names one, and only as its bindings
    allow (decision 10); else an operator does, who may do everything.
    """

    def __init__(self, context: Context) -> None:
        self._context = context

    def path(self, name: str, *, agent: str | None = None, guild: str | None = None) -> str:
        """The display path of a note of an agent, a guild, or else the organisation. See `access.full_path`."""
        return access.full_path(self._context, name, "notes", agent=agent, guild=guild)

    def list(
        self,
        *,
        level: Level | None = None,
        owner: str | None = None,
        limit: int | None = None,
        as_agent: str | None = None,
    ) -> tuple[NoteFacts, ...]:
        """The notes by level and path, without their bodies. See `notes.list_notes`."""
        return notes.list_notes(self._context, level=level, owner=owner, limit=limit, caller=access.Caller(as_agent))

    def count(self, level: Level, owner: str) -> int:
        """How many notes an agent, a guild or the organisation has, by its id."""
        return notes.count_notes(self._context, level, owner)

    def get(self, path: str, *, as_agent: str | None = None) -> Note:
        """One note with its body. See `notes.get_note`."""
        return notes.get_note(self._context, path, access.Caller(as_agent))

    def find(
        self,
        search: str,
        *,
        level: Level | None = None,
        limit: int = FIND_LIMIT_NOTES,
        as_agent: str | None = None,
    ) -> tuple[NoteHit, ...]:
        """The notes that hold all words, best first. See `notes.find_notes`."""
        return notes.find_notes(self._context, search, level=level, limit=limit, caller=access.Caller(as_agent))

    def create(
        self,
        path: str,
        body: str,
        *,
        title: str | None = None,
        yes_to: tuple[str, ...] = (),
        operator: str | None = None,
        as_agent: str | None = None,
        run: str | None = None,
    ) -> NoteWritten:
        """Make a note. See `notes.create_note`."""
        caller = access.Caller(as_agent, run, operator)
        return notes.create_note(self._context, path, body, title=title, yes_to=yes_to, caller=caller)

    def edit(
        self,
        path: str,
        body: str,
        *,
        title: str | None = None,
        expect: str | None = None,
        force: bool = False,
        yes_to: tuple[str, ...] = (),
        operator: str | None = None,
        as_agent: str | None = None,
        run: str | None = None,
    ) -> NoteWritten:
        """Write a note's body, over the one with the sha256 `expect` (decision 37). See `notes.edit_note`."""
        caller, guard = access.Caller(as_agent, run, operator), publish.guard_of(expect, yes_to, force=force)
        return notes.edit_note(self._context, path, body, title=title, guard=guard, caller=caller)

    def write(
        self, path: str, body: str, *, title: str | None = None, as_agent: str | None = None, run: str | None = None
    ) -> NoteWritten:
        """Make a note or replace the one that is there, as the tool `note_write` does. See `notes.write_note`."""
        return notes.write_note(self._context, path, body, title=title, caller=access.Caller(as_agent, run))

    def move(
        self, path: str, to: str, *, operator: str | None = None, as_agent: str | None = None, run: str | None = None
    ) -> NoteWritten:
        """Give a note another path, unless a live Task embeds it (decision 25). See `notes.move_note`."""
        return notes.move_note(self._context, path, to, access.Caller(as_agent, run, operator))

    def delete(
        self, path: str, *, expect: str | None = None, operator: str | None = None, as_agent: str | None = None
    ) -> None:
        """Remove a note, unless a live Task embeds it (decision 25). See `notes.delete_note`."""
        notes.delete_note(self._context, path, expect=expect, caller=access.Caller(as_agent, None, operator))

    def embedded_in(self, path: str) -> tuple[str, ...]:
        """The names of the agents whose live Task embeds a note, itself or through one other note."""
        return notes.embedded_in(self._context, path)


class Collections:
    """Collections of one store, as `Studio.collections`.

    A collection is named by its display path, or by its name where no other has it. `as_agent` and `run` as for `Notes`.
    """

    def __init__(self, context: Context) -> None:
        self._context = context

    def path(self, name: str, *, agent: str | None = None, guild: str | None = None) -> str:
        """The display path of a collection of an agent, a guild, or else the organisation. See `access.full_path`."""
        return access.full_path(self._context, name, "collections", agent=agent, guild=guild)

    def list(self, *, as_agent: str | None = None) -> tuple[Grant, ...]:
        """The collections that the caller can use, and how. See `collections.list_collections`."""
        return collections.list_collections(self._context, access.Caller(as_agent))

    def get(self, collection: str, *, as_agent: str | None = None) -> Grant:
        """One collection, and what the caller may do with it. See `collections.get_collection`."""
        return collections.get_collection(self._context, collection, access.Caller(as_agent))

    def create(
        self, path: str, columns: Sequence[Column], *, purpose: str | None = None, operator: str | None = None
    ) -> Collection:
        """Define a collection; only operators do. See `collections.create_collection`."""
        caller = access.Caller(operator=operator)
        return collections.create_collection(self._context, path, columns, purpose=purpose, caller=caller)

    def grant(self, agent: str, collection: str, granted: Access | None) -> None:
        """Let an agent read, or read and write a collection; None takes it back. See `collections.grant_collection`."""
        collections.grant_collection(self._context, agent, collection, granted)

    def records(
        self,
        collection: str,
        *,
        since: datetime | None = None,
        equals: Mapping[str, object] | None = None,
        limit: int | None = None,
        as_agent: str | None = None,
    ) -> tuple[Record, ...]:
        """A collection's records, last written first. See `collections.list_records`."""
        return collections.list_records(
            self._context, collection, since=since, equals=equals, limit=limit, caller=access.Caller(as_agent)
        )

    def write(
        self,
        collection: str,
        values: Mapping[str, Any],
        *,
        record_id: str | None = None,
        expect: str | None = None,
        operator: str | None = None,
        as_agent: str | None = None,
        run: str | None = None,
    ) -> RecordWritten:
        """Change a record, or make it. See `collections.write_record`."""
        caller = access.Caller(as_agent, run, operator)
        return collections.write_record(
            self._context, collection, values, record_id=record_id, expect=expect, caller=caller
        )


class Tokens:
    """Who may come in over HTTP to one store, as `Studio.tokens`."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def create(self, name: str, role: Role, *, agent: str | None = None) -> tuple[Token, str]:
        """Make a token; its secret is given here and never again. See `tokens.create_token`."""
        return tokens.create_token(self._context, name, role, agent)

    def list(self) -> tuple[Token, ...]:
        """All tokens by name, without their secrets."""
        return tokens.list_tokens(self._context)

    def revoke(self, name: str) -> None:
        """Let nobody in by a token any more. Raises `UnknownToken`."""
        tokens.revoke_token(self._context, name)
