"""The Memory place: the timeline of what the agent remembers, an opened version, and the editor of the live one."""

from dataclasses import replace

from studio.app.elements import Editor, Fragment, Regained
from studio.app.selection import Mode, Place
from studio.app.session import Session
from studio.app.timeline_view import TimelineView, versions_of
from studio.app.version_view import VersionView
from studio.domain import editing
from studio.domain.agents import Agent, Layout
from studio.domain.changes import TextKind
from studio.domain.diff import diff
from studio.domain.endings import BOM, Endings, endings
from studio.domain.timeline import Version, VersionText
from studio.errors import Stale, StudioError
from studio.render import fragments_version as fragments
from studio.render.fragments_head import button, nothing
from studio.render.fragments_timeline import restarted
from studio.render.tags import Html, joined


class MemoryView:
    """Reads and edits one agent's memory."""

    def __init__(self, session: Session) -> None:
        self._session = session
        chosen = session.guarded(self._chosen)
        self.timeline = TimelineView(session, TextKind.MEMORY)
        self.bar = Fragment(on=chosen)
        self.stale = Fragment(on=chosen)
        self.editor = Editor(on=chosen, label="The live memory, as Markdown", guard=True, visible=False)
        self.body = Fragment(on=chosen)
        self._version = VersionView(session, TextKind.MEMORY, self.bar, self.body)
        self._versions: tuple[Version, ...] = ()
        self._loaded: VersionText | None = None
        self._loaded_for: str | None = None
        self._typed = ""
        self._compared = False
        watched = [
            "agent",
            "place",
            "version",
            "against",
            "author",
            "view",
            "layout",
            "shown",
            "blanks",
            "mode",
            "stamp",
        ]
        session.selection.param.watch(self.show, watched)
        self.show()

    def show(self, *_: object) -> None:
        """Show what the selection says, if this place is open."""
        selection, agent = self._session.selection, self._session.agent()
        in_git = agent is not None and agent.layout is Layout.DIRECTORY
        editing_now = (
            selection.mode == Mode.EDIT and selection.place == Place.MEMORY and agent is not None and not in_git
        )
        if not editing_now:
            self.editor.visible = False
            self._loaded = None
            self.editor.guard = False
            self.stale.html = ""
        if selection.place != Place.MEMORY or agent is None:
            return
        if in_git:
            self._show_directory(agent)
            return
        self._versions = versions_of(self._session.studio, agent.id, TextKind.MEMORY)
        self.timeline.show(self._versions, restarted(agent, self._session.studio.now()))
        if editing_now:
            self._show_editor(agent)
        elif not self._versions[0].characters and len(self._versions) == 1:
            self._show_unwritten(agent)
        else:
            self._version.show(self._versions, [button("Edit", "edit")])

    def _show_directory(self, agent: Agent) -> None:
        """The memory of a directory agent: its versions; it is written block by block, in the Directory place (decision 1)."""
        try:
            self._versions = versions_of(self._session.studio, agent.id, TextKind.MEMORY)
            said = "Nothing of this directory reaches the prompt yet, so its memory has no version."
        except StudioError as error:
            self._versions, said = (), str(error)
        if not self._versions:
            self.timeline.list.html = self.bar.html = ""
            self.body.html = nothing(said, button("Open the directory", "directory"))
            return
        self.timeline.show(self._versions, cap=False)
        self._version.show(self._versions, [button("Edit a block", "directory")], writable=False)

    def _show_unwritten(self, agent: Agent) -> None:
        """The memory of a new agent."""
        if agent.config.offers_memory_write:
            words = f"{agent.name} has written nothing yet. A run that calls memory_write makes version 2, and so does your Save."
        else:
            words = (
                f"{agent.name} has no memory yet and is not offered memory_write. What you write here is what it reads."
            )
        if not agent.config.memory:
            words = f"Memory is off for {agent.name}: no run reads or writes it. 'studio agents set' turns it on."
        self.bar.html = ""
        self.body.html = nothing(words, button("Write the first memory", "edit"))

    def _chosen(self, action: str, value: str) -> None:
        if self._version.handle(action, value):
            return
        selection = self._session.selection
        if action == "directory":
            selection.go(place=Place.DIRECTORY)
        elif action == "edit":
            self._session.hush()
            selection.go(version=None, mode=Mode.EDIT)
        else:
            self._edited(action, value)

    def _edited(self, action: str, value: str) -> None:
        if action == "typed":
            self._type(value)
        elif action == "regained":
            self._regain(Regained.read(value))
        elif action == "save":
            self._save(force=False)
        elif action == "close-editor":
            self._close()
        elif action == "keep-mine":
            self._save(force=True)
        elif action == "take-theirs":
            self._load()
            self.show()
        elif action in ("compare-mine", "hide-mine"):
            self._compared = action == "compare-mine"
            self._show_stale()

    # --- the editor ---

    def _load(self) -> None:
        """Put the live text into the editor."""
        agent = self._session.agent()
        if agent is None:
            return
        loaded = self._session.studio.get_memory_version(agent.id)
        self._loaded, self._loaded_for = loaded, agent.id
        self._typed = editing.shown(self._stored)
        self._compared = False
        self._session.selection.unsaved = False
        self.editor.load(self._typed, base=loaded.version.sha256)
        self.editor.guard = True

    @property
    def _stored(self) -> str:
        """The text that the editor started from; what is no memory text starts empty."""
        loaded = self._loaded
        if loaded is None or not loaded.version.status.holds_text:
            return ""
        return loaded.body.text or ""

    def _text(self) -> str:
        """What saving would store: the typed text with the endings and the mark of the stored one (diff-16, no-op-02)."""
        return editing.kept(self._stored, self._typed)

    def _show_editor(self, agent: Agent) -> None:
        if self._loaded is None or self._loaded_for != agent.id:
            self._load()
        self._draw_bar()
        self._show_stale()
        self.editor.visible = True  # last, so that nobody types into a box that is about to be loaded

    def _draw_bar(self) -> None:
        loaded = self._loaded
        if loaded is None:
            return
        text = self._text()
        self.bar.html = fragments.editor_bar(
            "memory.md",
            loaded.version,
            characters=len(text),
            changed=text != self._stored,
            cap=True,
            save=f"Save as version {self._versions[0].number + 1}",
            endings=_kept_words(self._stored),
        )

    def _type(self, value: str) -> None:
        if self._loaded is None:
            return
        self._typed = value
        self._session.selection.unsaved = self._text() != self._stored
        self._draw_bar()
        if self._compared:
            self._show_stale()

    def _regain(self, given: Regained) -> None:
        """What was typed before the page loaded itself anew, over a memory that changed meanwhile: the banner says who changed it."""
        agent, loaded = self._session.agent(), self._loaded
        if agent is None or loaded is None:
            return
        old = next((version for version in self._versions if version.sha256 == given.base), None)
        if old is None:  # no longer kept
            self._loaded = replace(loaded, version=replace(loaded.version, sha256=given.base))
        else:
            self._loaded = self._session.studio.get_memory_version(agent.id, old.number)
        self.editor.base = given.base
        self._type(given.text)
        self._show_stale()

    def _close(self) -> None:
        self._session.ask_close("What you typed was not saved. The live memory stays as it is.")

    def _save(self, *, force: bool) -> None:
        agent, loaded = self._session.agent(), self._loaded
        if agent is None or loaded is None or self._text() == self._stored:
            return
        seen = self._versions[0].sha256 if force else loaded.version.sha256
        text = self._text()

        def save(yes_to: tuple[str, ...]) -> None:
            try:
                saved = self._session.studio.save_memory(agent.id, text, expect=seen, yes_to=yes_to)
            except Stale:
                self.show()
                return
            same = "Nothing changed: this text is live already."
            self._session.selection.wrote(version=None, mode=Mode.READ)
            self._session.say(f"Saved as version {saved.version}." if saved.changed else same)

        self._session.ask_first("Save", "Keep editing", save)

    # --- a newer version beside what was typed ---

    def _show_stale(self) -> None:
        """Say when the memory changed since the editor was opened; what was typed stays in it."""
        loaded, live = self._loaded, self._versions[0]
        if loaded is None or live.sha256 == loaded.version.sha256:
            self.stale.html = self.body.html = ""
            return
        now = self._session.studio.now()
        banner = fragments.changed_meanwhile(live, now, number=live.number + 1)
        self.stale.html = joined(banner, self._compare_mine(live)) if self._compared else banner
        self.body.html = ""

    def _compare_mine(self, live: Version) -> Html:
        agent = self._session.agent()
        theirs = self._session.studio.get_memory_version(agent.id).body.text if agent else ""
        made = self._version.change(diff(theirs or "", self._text()), f"version {live.number}, live", "your text")
        return joined(fragments.compared_mine(live), Html(made))


def _kept_words(stored: str) -> str | None:
    """What a text keeps that the editor does not show, for a person."""
    words = []
    kind = endings(stored)
    if kind is Endings.CRLF:
        words.append("CRLF line endings")
    elif kind is Endings.MIXED:
        words.append("mixed line endings, line by line")
    if stored.startswith(BOM):
        words.append("byte order mark")
    return " and ".join(words) or None
