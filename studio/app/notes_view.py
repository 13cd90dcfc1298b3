"""The Notes place: notes of the agent, its guild and the organisation, and their collections; never the prompt files."""

from typing import NamedTuple

from studio.app.collection_view import CollectionView
from studio.app.elements import Fragment
from studio.app.note_editor import NoteEditor
from studio.app.selection import Mode, Place, Shown
from studio.app.session import Session
from studio.domain.agents import Agent
from studio.domain.collections import collection_place
from studio.domain.notes import Note, NoteHit, note_place
from studio.domain.places import Level
from studio.errors import StudioError
from studio.render import fragments_notes as fragments
from studio.render.fragments import whole_raw, whole_rendered
from studio.render.fragments_head import button, nothing
from studio.render.fragments_note_editor import move_form

MOST_FOUND_NOTES = 100
"""How many notes a search shows."""


class NotesView:
    """Lists, opens, writes, moves and deletes notes, and shows collections."""

    def __init__(self, session: Session) -> None:
        self._session = session
        chosen = session.guarded(self._chosen)
        self.search = Fragment(on=chosen, html=fragments.notes_search(session.selection.words))
        self.list = Fragment(on=chosen)
        self.bar = Fragment(on=chosen)
        self.form = Fragment(on=chosen)
        self.body = Fragment(on=chosen)
        self._note: Note | None = None
        self._moving = False
        self.writing = NoteEditor(session, self.bar, self.form, self.body)
        self._collection = CollectionView(session, self.bar, self.body)
        session.selection.param.watch(self._begin, ["agent", "place", "note"])
        session.selection.param.watch(
            self.show, ["agent", "place", "note", "mode", "words", "shown", "stamp", "layout"]
        )
        session.selection.param.watch(self._found, ["words"])
        self.show()

    def show(self, *_: object) -> None:
        """Show what the selection says, if this place is open."""
        selection, agent = self._session.selection, self._session.agent()
        here = selection.place == Place.NOTES and agent is not None
        if not here or selection.mode not in (Mode.EDIT, Mode.NEW):
            self.writing.close()
        if not here or agent is None:
            return
        self._show_list(agent)
        if selection.mode == Mode.NEW:
            self.writing.begin(agent)
        elif selection.note is None:
            self._show_none(agent)
        elif "/collections/" in selection.note:
            self.form.html = ""
            self._collection.show(agent, selection.note)
        else:
            self._show_note(selection.note)

    def sha256(self) -> str | None:
        """Of the opened note as it is stored now: what a look compares."""
        selection = self._session.selection
        if selection.place != Place.NOTES or selection.note is None or "/collections/" in selection.note:
            return None
        try:
            return self._session.studio.notes.get(selection.note).facts.sha256
        except StudioError:
            return None

    def _begin(self, *_: object) -> None:
        self._moving = False

    def _found(self, *_: object) -> None:
        self.search.put("words", self._session.selection.words)

    # --- the list ---

    def _show_list(self, agent: Agent) -> None:
        selection, studio = self._session.selection, self._session.studio
        granted = {one.collection.path: one.access for one in studio.collections.list(as_agent=agent.id)}
        owners = {owner.id for owner in owners_of(agent)}
        tables = [
            (one.collection, granted.get(one.collection.path))
            for one in studio.collections.list()
            if collection_place(one.collection.path).owner in owners
        ]
        self.list.html = fragments.note_list(
            self._searched(agent, selection.words) if selection.words else self._shelves(agent),
            [] if selection.words else tables,
            words=selection.words,
            chosen=selection.note,
            now=studio.now(),
            href=self._session.href,
        )

    def _shelves(self, agent: Agent) -> list[fragments.Shelf]:
        """The notes of each level that has some."""
        notes = self._session.studio.notes
        shelves = []
        for owner in owners_of(agent):
            shown = notes.list(level=owner.level, owner=owner.id, limit=fragments.MOST_LISTED_NOTES)
            full = len(shown) == fragments.MOST_LISTED_NOTES
            more = notes.count(owner.level, owner.id) - len(shown) if full else 0
            shelves.append(fragments.Shelf(owner.label, shown, more))
        return [shelf for shelf in shelves if shelf.notes]

    def _searched(self, agent: Agent, words: str) -> list[fragments.Shelf]:
        """What a search finds: in this agent's levels first, then elsewhere."""
        hits = self._session.studio.notes.find(words, limit=MOST_FOUND_NOTES)
        owners = owners_of(agent)
        by_owner: dict[str, list[NoteHit]] = {owner.id: [] for owner in owners}
        others: list[NoteHit] = []
        for hit in hits:
            by_owner.get(note_place(hit.facts.path).owner, others).append(hit)
        shelves = [fragments.Shelf(owner.label, tuple(by_owner[owner.id])) for owner in owners]
        shelves.append(fragments.Shelf("Of other agents and guilds", tuple(others)))
        return [shelf for shelf in shelves if shelf.notes]

    # --- one note ---

    def _show_none(self, agent: Agent) -> None:
        self.bar.html = self.form.html = ""
        if self._shelves(agent):
            self.body.html = nothing("Choose a note or a collection from the list, or search in all of them.")
            return
        words = (
            f"No notes yet for {agent.name}, its guild or the organisation. Notes are Markdown that people and agents share: agents "
            "write them with note_write, you with the button below, and a Task puts one into the prompt with ![[path]]."
        )
        self.body.html = nothing(words, button("Write the first note", "new"))

    def _show_note(self, path: str) -> None:
        session, selection = self._session, self._session.selection
        try:
            self._note = note = session.studio.notes.get(path)
        except StudioError as error:
            self._note = None
            self.writing.close()
            self.bar.html = self.form.html = ""
            self.body.html = nothing(str(error), button("Close it", "note"))
            return
        if selection.mode == Mode.EDIT:
            self.writing.show(note)
            return
        self.bar.html = fragments.note_bar(
            note,
            session.studio.notes.embedded_in(path),
            shown=selection.shown,
            now=session.studio.now(),
            href=session.href,
        )
        self.form.html = move_form(path) if self._moving else ""
        if not note.body:
            self.body.html = nothing("This note is empty: no character is in it.")
            return
        raw = selection.shown == Shown.RAW
        session.show(
            self.body,
            len(note.body),
            lambda: whole_raw(note.body, most_lines=None) if raw else whole_rendered(note.body),
        )

    def _chosen(self, action: str, value: str) -> None:
        go = self._session.selection.go
        if self.writing.handle(action, value) or self._collection.handle(action):
            return
        if action == "words":
            go(words=value.strip())
        elif action == "note":
            self._session.hush()
            go(note=value or None)
        elif action == "new":
            go(note=None, mode=Mode.NEW)
        elif action == "edit":
            self._session.hush()
            go(mode=Mode.EDIT)
        elif action == "shown":
            go(shown=Shown(value))
        elif action == "embedding":
            go(agent=value, place=Place.PROMPT)
        elif action == "copy-embed":
            self.bar.give(f"![[{self._session.selection.note}]]")
            self._session.say("Copied the embed; paste it into a Task.")
        else:
            self._change(action, value)

    # --- move and delete ---

    def _change(self, action: str, value: str) -> None:
        note = self._note
        if note is None:
            return
        if action in ("move", "close-move"):
            self._moving = action == "move"
            self.show()
        elif action == "do-move":
            moved = self._session.studio.notes.move(note.facts.path, value.strip())
            self._moving = False
            self._session.selection.wrote(note=moved.facts.path)
            self._session.say(f"Moved to {moved.facts.path}." if moved.changed else "That is its path already.")
        elif action == "delete":
            self._session.ask(
                f"Delete “{note.facts.title}”?",
                "The note is removed for good. Notes keep no versions.",
                yes="Delete note",
                no="Keep it",
                then=lambda: self._session.guarded(lambda *_: self._delete(note))("delete", ""),
            )

    def _delete(self, note: Note) -> None:
        self._session.studio.notes.delete(note.facts.path, expect=note.facts.sha256)
        self._session.selection.wrote(note=None)
        self._session.say(f"Deleted {note.facts.path}.")


class Owner(NamedTuple):
    """Whose notes an agent's page lists."""

    level: Level
    """The level."""
    id: str
    """Id of the agent, guild or organisation."""
    label: str
    """How a person calls its notes."""


def owners_of(agent: Agent) -> list[Owner]:
    """Whose notes an agent's page lists, in the order of levels."""
    owners = [Owner(Level.AGENT, str(agent.id), f"Notes of {agent.name}")]
    if agent.guild is not None:
        owners.append(Owner(Level.GUILD, str(agent.guild), f"Notes of the guild {agent.guild_name}"))
    return [*owners, Owner(Level.ORG, str(agent.org), "Notes of the organisation")]
