"""The Prompt place: the Task's draft and its review, and the Task's versions (decisions 30 and 31)."""

from collections.abc import Callable

from studio.actions.drafts import NO_DRAFT
from studio.app.elements import Editor, Fragment, Regained
from studio.app.insert_view import InsertView
from studio.app.selection import Mode, Place
from studio.app.session import Session
from studio.app.task_review import TaskReviewView
from studio.app.timeline_view import TimelineView, versions_of
from studio.app.version_view import VersionView
from studio.domain import editing
from studio.domain.agents import Agent
from studio.domain.authors import Author, operator
from studio.domain.changes import TextKind
from studio.domain.drafts import TaskDraft
from studio.domain.places import PlaceKind
from studio.domain.timeline import Version
from studio.render import fragments_prompt as fragments
from studio.render.fragments_embeds import ledger
from studio.render.fragments_head import button
from studio.render.tags import joined
from studio.render.times import exact

_NO_EMBEDS = "This Task embeds nothing. Insert note or Insert table puts ![[path]] where the caret stands."


class PromptView:
    """Drafts, reviews and publishes one agent's Task."""

    def __init__(self, session: Session) -> None:
        self._session = session
        chosen = session.guarded(self._chosen)
        self.timeline = TimelineView(session, TextKind.TASK)
        self.bar = Fragment(on=chosen)
        self.editor = Editor(on=chosen, label="The Task draft, task.md", guard=True, visible=False)
        self.insert = InsertView(session, self.editor)
        self.body = Fragment(on=chosen)
        self._version = VersionView(session, TextKind.TASK, self.bar, self.body)
        self._review = TaskReviewView(session, self._version, self.bar, self.body, on_taken=self._forget)
        self._versions: tuple[Version, ...] = ()
        self._live_text = ""
        self._draft: TaskDraft | None = None
        self._loaded = ""
        self._loaded_for: str | None = None
        self._loaded_at = 0
        self._own: str | None = ""
        self._typed = ""
        self._taken_over = ""
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
        here = selection.place == Place.PROMPT and agent is not None
        drafting = here and selection.version is None and selection.mode != Mode.REVIEW
        if not drafting:
            self.editor.visible = False
            self.insert.close()
        if not here or agent is None:
            self._loaded_for = None
            return
        self._read(agent)
        self._show_timeline()
        if drafting:
            self._show_editor(agent)
        elif selection.version is None:
            self._review.show(agent, self._draft)
        else:
            self._version.show(self._versions, [button("Edit a draft", "edit")])

    def _read(self, agent: Agent) -> None:
        studio = self._session.studio
        self._versions = versions_of(studio, agent.id, TextKind.TASK)
        self._draft = studio.get_task_draft(agent.id)
        self._live_text = studio.get_task_version(agent.id).body.text or ""

    def _show_timeline(self) -> None:
        session, draft = self._session, self._draft
        row = None
        if draft is not None:
            current = session.selection.version is None
            row = fragments.draft_row(draft, current=current, now=session.studio.now(), href=session.href(version=None))
        self.timeline.show(self._versions, row)

    def _chosen(self, action: str, value: str) -> None:
        if self._version.handle(action, value) or self._review.handle(action, value):
            return
        chosen: dict[str, Callable[[], None]] = {
            "typed": lambda: self._keep(value),
            "edit": lambda: self._session.selection.go(version=None, mode=Mode.READ),
            "regained": lambda: self._regain(value),
            "review": self._open_review,
            "save": self._open_review,
            "insert-note": lambda: self.insert.open(PlaceKind.NOTE),
            "insert-table": lambda: self.insert.open(PlaceKind.COLLECTION),
            "open-note": lambda: self._session.selection.go(place=Place.NOTES, note=value),
            "discard": self._ask_discard,
            "bring-back": lambda: self._bring_back(int(value)),
        }
        if action in chosen:
            chosen[action]()

    def _open_review(self) -> None:
        if self._draft is not None:
            self._session.selection.go(version=None, mode=Mode.REVIEW)

    # --- the draft ---

    def _show_editor(self, agent: Agent) -> None:
        """The draft in the editor, or the live Task to start one from; what is typed there is never replaced."""
        if self._loaded_for != agent.id:
            self._load(agent)
        elif self._current != self._own:
            self._say_changed_elsewhere(agent)
        self._draw_bar()
        self.editor.visible = True  # last, so that nobody types into a box that is about to be loaded

    def _load(self, agent: Agent) -> None:
        self._loaded = self._own = self._current
        self._loaded_for = agent.id
        self._loaded_at = self._versions[0].number
        self._typed = editing.shown(self._loaded)
        self.editor.load(self._typed, base=self._sha256)

    def _forget(self) -> None:
        """Load anew: what was loaded was published, merged or discarded."""
        self._loaded_for = None

    @property
    def _sha256(self) -> str:
        """Of `_current`."""
        return self._draft.sha256 if self._draft else self._versions[0].sha256

    @property
    def _current(self) -> str:
        """The text that the store has for the editor: the draft, or the live Task where there is none."""
        return self._draft.text if self._draft else self._live_text

    def _say_changed_elsewhere(self, agent: Agent) -> None:
        """Another page or a coach wrote the draft, or published: what is typed here stays, and a person decides."""

        def show_theirs() -> None:
            self._read(agent)
            self._load(agent)
            self._draw_bar()

        def keep_mine() -> None:
            self._own = self._current
            self._taken_over = self._draft.sha256 if self._draft else ""
            self._keep(self._typed)

        self._session.say(
            f"{self._what_changed()} What you type here is not kept until you choose.",
            "problem",
            {"show-theirs": ("Show theirs", show_theirs), "keep-mine": ("Keep mine", keep_mine)},
        )

    def _what_changed(self) -> str:
        """Who changed the draft elsewhere, and when."""
        draft, live = self._draft, self._versions[0]
        if draft is not None:
            return f"The draft was changed elsewhere by {draft.author}, {exact(draft.saved_at)}."
        if live.number > self._loaded_at:
            return f"Version {live.number} was published elsewhere by {live.author}, {exact(live.at)}."
        return "The draft was discarded elsewhere."

    def _draw_bar(self) -> None:
        text = self._current
        self.bar.html = fragments.draft_bar(
            self._versions[0],
            self._draft,
            characters=len(text),
            changed=text != self._live_text,
            now=self._session.studio.now(),
            review_off=self._draft is None,
        )
        expansion = self._session.studio.expand_task(text)
        embeds = ledger(expansion.ledger, expansion.bytes, self._session.href, empty=_NO_EMBEDS)
        agent = self._session.agent()
        replaced = self._session.studio.list_replaced_drafts(agent.id) if agent else ()
        self.body.html = joined(embeds, fragments.replaced_drafts(replaced, self._session.studio.now()))

    def _keep(self, typed: str) -> None:
        """Keep what was typed as the draft, with the endings that the editor does not show."""
        agent = self._session.agent()
        if agent is None or self._loaded_for != agent.id:
            return
        self._typed = typed
        self._read(agent)
        if self._current != self._own:
            self._say_changed_elsewhere(agent)
            return
        text = editing.kept(self._loaded, typed)
        if text == self._current:
            return
        if self._draft is not None and self._draft.author != self._me and self._taken_over != self._draft.sha256:
            self._ask_take_over(self._draft)
            return
        new = self._draft is None
        expect = self._draft.sha256 if self._draft else NO_DRAFT
        self._draft = self._session.studio.draft_task(agent.id, text, expect=expect)
        self._own = text
        self.editor.param.update(kept=typed, base=self._draft.sha256)
        if new:
            self._session.selection.wrote()
        else:
            self._show_timeline()
            self._draw_bar()

    @property
    def _me(self) -> Author:
        """Who drafts here."""
        return operator(self._session.studio.operator)

    def _ask_take_over(self, draft: TaskDraft) -> None:
        """Somebody else keeps the draft: what is typed over it waits for a decision (decision 30)."""

        def take_over() -> None:
            self._taken_over = draft.sha256
            self._keep(self._typed)

        self._session.say(
            f"This draft is by {draft.author}, kept {exact(draft.saved_at)}. What you type here is not kept until you go on with it;"
            " theirs can be brought back then.",
            "problem",
            {"take-over": (f"Go on with the draft of {draft.author}", take_over)},
        )

    def _bring_back(self, number: int) -> None:
        """Make a draft that went the draft again; the one that is there goes in its turn."""
        agent = self._session.agent()
        if agent is None:
            return
        expect = self._draft.etag if self._draft else NO_DRAFT
        draft = self._session.studio.restore_task_draft(agent.id, number, expect=expect)
        self._forget()
        self._session.selection.wrote(version=None, mode=Mode.READ)
        self._session.say(f"The draft is back; it starts from version {draft.based_on}.")

    def _regain(self, value: str) -> None:
        """What was typed before the page loaded itself anew, over a draft or Task that changed meanwhile: a person decides."""
        agent, given = self._session.agent(), Regained.read(value)
        if agent is None or self._loaded_for != agent.id:
            return
        self._own, self._typed = None, given.text
        self.editor.base = given.base
        self._say_changed_elsewhere(agent)

    def _ask_discard(self) -> None:
        self._session.ask(
            "Discard the draft?",
            "The draft of the Task goes; it can be brought back from below the editor. "
            f"Version {self._versions[0].number}, live now, stays as it is.",
            yes="Discard draft",
            no="Keep it",
            then=lambda: self._session.guarded(lambda *_: self._discard())("discard", ""),
        )

    def _discard(self) -> None:
        agent = self._session.agent()
        if agent is None:
            return
        self._session.studio.discard_task_draft(agent.id)
        self._forget()
        self._session.selection.wrote(version=None, mode=Mode.READ)
        self._session.say("The draft was discarded.")
