"""Insert note and Insert table: a search over all notes and collections, and the embed goes where the caret stands."""

from collections.abc import Sequence

from studio.app.elements import Editor, Fragment
from studio.app.session import Session
from studio.domain.collections import Collection
from studio.domain.notes import NoteFacts, NoteHit, folded, words_of
from studio.domain.places import PlaceKind
from studio.render import fragments_embeds as fragments

MOST_OFFERED = 30
"""How many notes or collections are offered at once."""


class InsertView:
    """The search box and what it finds, above a Task's editor; closed until one of the two is asked for."""

    def __init__(self, session: Session, editor: Editor) -> None:
        self._session = session
        self._editor = editor
        chosen = session.guarded(self._chosen)
        self.search = Fragment(on=chosen)
        self.found = Fragment(on=chosen)
        self._what = PlaceKind.NOTE

    def open(self, what: PlaceKind) -> None:
        """Offer notes or collections."""
        self._what = what
        self.search.html = fragments.insert_search(what)
        self._find("")

    def close(self) -> None:
        """Offer nothing any more."""
        self.search.html = self.found.html = ""

    def _chosen(self, action: str, value: str) -> None:
        if action == "find-insert":
            self._find(value)
        elif action == "close-insert":
            self.close()
            self._editor.focus()
        elif action == "insert":
            self.close()
            self._editor.insert(f"![[{value}]]")

    def _find(self, words: str) -> None:
        offered = self._notes(words) if self._what is PlaceKind.NOTE else self._tables(words)
        self.found.html = fragments.insert_list(offered, self._what, words.strip())

    def _notes(self, words: str) -> Sequence[NoteFacts | NoteHit]:
        """What a search finds; without words the notes that were written last."""
        notes = self._session.studio.notes
        if words.strip():
            return notes.find(words, limit=MOST_OFFERED)
        return sorted(notes.list(), key=lambda one: one.updated_at, reverse=True)[:MOST_OFFERED]

    def _tables(self, words: str) -> Sequence[Collection]:
        """The collections whose name, path or purpose hold all words."""
        tables = [one.collection for one in self._session.studio.collections.list()]
        searched = [(one, folded(f"{one.path} {one.purpose or ''}")) for one in tables]
        return [one for one, text in searched if all(word in text for word in words_of(words))][:MOST_OFFERED]
