"""The editor of the Notes place: an existing note, or a new one. What was typed is never replaced (decision 37)."""

from dataclasses import replace

from studio.app.elements import Editor, Fragment, Regained
from studio.app.selection import Layout, Mode
from studio.app.session import Session
from studio.domain import editing
from studio.domain.agents import Agent
from studio.domain.diff import diff
from studio.domain.notes import Note
from studio.domain.places import Level
from studio.errors import NoteChanged
from studio.render import fragments_note_editor as fragments
from studio.render.fragments import diff_side_by_side, diff_unified
from studio.render.tags import Html, joined


class NoteEditor:
    """Fills the bar, the form and the editor; the view that owns it passes on what was chosen."""

    def __init__(self, session: Session, bar: Fragment, form: Fragment, body: Fragment) -> None:
        self._session = session
        self._bar = bar
        self._form = form
        self._body = body
        chosen = session.guarded(self._chosen)
        self.editor = Editor(on=chosen, label="The note, as Markdown", guard=True, visible=False)
        self.stale = Fragment(on=chosen)
        self._loaded: Note | None = None
        self._new_for: Agent | None = None
        self._typed = self._title = self._path = ""
        self._level = Level.AGENT
        self._compared = False

    def close(self) -> None:
        """Forget what was loaded, and hide the editor."""
        self.editor.visible = False
        self.editor.guard = False
        self._loaded = self._new_for = None
        self.stale.html = ""

    # --- a note that is there ---

    def show(self, note: Note) -> None:
        """Edit a note; where the editor is open already, only say what became of the note meanwhile."""
        if self._loaded is None or self._loaded.facts.path != note.facts.path:
            self._load(note)
        self._body.html = ""
        self._draw_bar()
        self._show_stale(note)
        self.editor.visible = True  # last, so that nobody types into a box that is about to be loaded

    def _load(self, note: Note) -> None:
        self._loaded, self._new_for = note, None
        self._typed = editing.shown(note.body)
        self._title = note.title_field or ""
        self._compared = False
        self._session.selection.unsaved = False
        self._form.html = fragments.title_form(self._title)
        self._form.put("title", self._title)
        self.editor.load(self._typed, base=note.facts.sha256)
        self.editor.guard = True

    def _text(self) -> str:
        """What saving would store: the typed text with the line endings of the stored one."""
        return editing.kept(self._loaded.body if self._loaded else "", self._typed)

    def _changed(self) -> bool:
        note = self._loaded
        if note is None:
            return bool(self._typed or self._title)
        return self._text() != note.body or self._title.strip() != (note.title_field or "")

    def _draw_bar(self) -> None:
        if self._loaded is not None:
            self._bar.html = fragments.editor_bar(
                self._loaded.facts, characters=len(self._text()), changed=self._changed()
            )

    def _show_stale(self, live: Note) -> None:
        """Say when the note changed since the editor was opened."""
        loaded = self._loaded
        same = loaded is None or (loaded.facts.sha256, loaded.title_field) == (live.facts.sha256, live.title_field)
        if same:
            self.stale.html = ""
            return
        banner = fragments.changed_meanwhile(live.facts, self._session.studio.now())
        self.stale.html = joined(banner, self._compare_mine(live)) if self._compared else banner

    def _compare_mine(self, live: Note) -> Html:
        narrow = self._session.narrow or self._session.selection.layout == Layout.UNIFIED
        draw = diff_unified if narrow else diff_side_by_side
        made = draw(diff(live.body, self._text()), old_name="the note now", new_name="your text")
        return joined(fragments.compared_mine(live.facts), Html(made))

    # --- a new note ---

    def begin(self, agent: Agent) -> None:
        """Offer a new note of this agent, its guild or the organisation."""
        if self._new_for is not None and self._new_for.id == agent.id:
            return
        self._loaded, self._new_for = None, agent
        self._level = Level.AGENT
        self._path, self._title, self._typed = self._prefix(agent, self._level), "", ""
        self._bar.html = self._body.html = self.stale.html = ""
        self._form.html = fragments.new_form(_levels(agent), str(self._level), self._path)
        self.editor.load("")
        self.editor.guard = True
        self.editor.visible = True

    def _prefix(self, agent: Agent, level: Level) -> str:
        """What the path of every note of a level begins with."""
        notes = self._session.studio.notes
        if level is Level.AGENT:
            return notes.path("", agent=agent.id)
        return notes.path("", guild=agent.guild if level is Level.GUILD else None)

    def _create(self) -> None:
        path = self._path.strip()
        path = path if path.endswith(".md") else f"{path}.md"
        text, title = self._typed, self._title.strip() or None

        def create(yes_to: tuple[str, ...]) -> None:
            made = self._session.studio.notes.create(path, text, title=title, yes_to=yes_to)
            self.close()
            self._session.selection.wrote(note=made.facts.path, mode=Mode.READ)
            self._session.say(f"Made {made.facts.path}." if made.changed else "This very note is there already.")

        self._session.ask_first("Make the note", "Keep editing", create)

    # --- what was chosen ---

    def _chosen(self, action: str, value: str) -> None:
        self.handle(action, value)

    def handle(self, action: str, value: str) -> bool:
        """Do what was chosen while a note is written; False where that is the owner's to do."""
        if self._loaded is None and self._new_for is None:
            return False
        chosen = {
            "typed": lambda: self._type(text=value),
            "regained": lambda: self._regain(Regained.read(value)),
            "title": lambda: self._type(title=value),
            "path": lambda: setattr(self, "_path", value),
            "level": lambda: self._choose_level(Level(value)),
            "create": self._create,
            "save": lambda: self._save(force=False) if self._loaded else self._create(),
            "keep-mine": lambda: self._save(force=True),
            "take-theirs": self._take_theirs,
            "compare-mine": lambda: self._compare(on=True),
            "hide-mine": lambda: self._compare(on=False),
            "close-editor": self._ask_close,
        }
        if action not in chosen:
            return False
        chosen[action]()
        return True

    def _type(self, *, text: str | None = None, title: str | None = None) -> None:
        self._typed = self._typed if text is None else text
        self._title = self._title if title is None else title
        self._session.selection.unsaved = self._changed()
        self._draw_bar()
        if self._compared and self._loaded is not None:
            self._show_stale(self._session.studio.notes.get(self._loaded.facts.path))

    def _regain(self, given: Regained) -> None:
        """What was typed before the page loaded itself anew, over a note that changed meanwhile: the banner says who changed it."""
        loaded = self._loaded
        if loaded is not None:
            self._loaded = replace(loaded, facts=replace(loaded.facts, sha256=given.base))
            self.editor.base = given.base
            self._type(text=given.text)
            self._show_stale(loaded)

    def _choose_level(self, level: Level) -> None:
        if self._new_for is not None:
            kept = self._path.removeprefix(self._prefix(self._new_for, self._level))
            self._level = level
            self._path = self._prefix(self._new_for, level) + kept
            self._form.put("path", self._path)

    def _compare(self, *, on: bool) -> None:
        self._compared = on
        if self._loaded is not None:
            self._show_stale(self._session.studio.notes.get(self._loaded.facts.path))

    def _take_theirs(self) -> None:
        if self._loaded is not None:
            note = self._session.studio.notes.get(self._loaded.facts.path)
            self._load(note)
            self.show(note)

    def _save(self, *, force: bool) -> None:
        loaded = self._loaded
        if loaded is None or not self._changed():
            return
        notes, path = self._session.studio.notes, loaded.facts.path
        seen = notes.get(path).facts.sha256 if force else loaded.facts.sha256
        text, title = self._text(), self._title.strip()

        def save(yes_to: tuple[str, ...]) -> None:
            try:
                saved = notes.edit(path, text, title=title, expect=seen, yes_to=yes_to)
            except NoteChanged:
                self._show_stale(notes.get(path))
                return
            self.close()
            self._session.selection.wrote(mode=Mode.READ)
            self._session.say("Saved." if saved.changed else "Nothing changed: the note says this already.")

        self._session.ask_first("Save", "Keep editing", save)

    def _ask_close(self) -> None:
        self._session.ask_close(
            "What you typed was not saved. The note stays as it is." if self._loaded else "The new note was not made."
        )


def _levels(agent: Agent) -> list[tuple[str, str]]:
    """The levels at which an agent's page makes notes, each with its label."""
    levels = [(str(Level.AGENT), f"Only {agent.name}")]
    if agent.guild is not None:
        levels.append((str(Level.GUILD), f"The guild {agent.guild_name}"))
    return [*levels, (str(Level.ORG), "The whole organisation")]
