"""The Prompt place: the Task's draft and its review, and the Task's versions (decisions 30 and 31)."""

from collections.abc import Sequence

from studio.app.elements import Editor, Fragment
from studio.app.insert_view import InsertView
from studio.app.selection import Mode, Place
from studio.app.session import Session
from studio.app.timeline_view import TimelineView, versions_of
from studio.app.version_view import VersionView
from studio.domain import editing
from studio.domain.agents import Agent
from studio.domain.changes import TextKind
from studio.domain.drafts import TaskDraft, TaskReview
from studio.domain.embeds import EmbedEntry
from studio.domain.merge import merge
from studio.domain.places import PlaceKind
from studio.domain.timeline import Version
from studio.errors import Stale, StudioError
from studio.render import fragments_prompt as fragments
from studio.render.fragments_embeds import ledger
from studio.render.fragments_head import button
from studio.render.tags import Html, joined

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
        self._versions: tuple[Version, ...] = ()
        self._live_text = ""
        self._draft: TaskDraft | None = None
        self._loaded = ""
        self._loaded_for: str | None = None
        self._own = ""
        self._typed = ""
        self._note = ""
        watched = ["agent", "place", "version", "against", "author", "view", "layout", "shown", "mode", "stamp"]
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
            self._show_review(agent)
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
        if self._version.handle(action, value):
            return
        chosen = {
            "typed": lambda: self._keep(value),
            "edit": lambda: self._session.selection.go(version=None, mode=Mode.READ),
            "review": self._open_review,
            "save": self._open_review,
            "note": lambda: self._write_note(value),
            "publish": lambda: self._publish(value, force=False),
            "publish-anyway": lambda: self._publish(self._note, force=True),
            "insert-note": lambda: self.insert.open(PlaceKind.NOTE),
            "insert-table": lambda: self.insert.open(PlaceKind.COLLECTION),
            "open-note": lambda: self._session.selection.go(place=Place.NOTES, note=value),
            "merge": self._merge,
            "discard": self._ask_discard,
        }
        if action in chosen:
            chosen[action]()

    def _open_review(self) -> None:
        if self._draft is not None:
            self._session.selection.go(version=None, mode=Mode.REVIEW)

    def _write_note(self, value: str) -> None:
        self._note = value

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
        self._typed = editing.shown(self._loaded)
        self.editor.load(self._typed)

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
            self._keep(self._typed)

        by = f" by {self._draft.author}" if self._draft else ""
        self._session.say(
            f"The draft was changed elsewhere{by}. What you type here is not kept until you choose.",
            "problem",
            {"show-theirs": ("Show theirs", show_theirs), "keep-mine": ("Keep mine", keep_mine)},
        )

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
        self.body.html = ledger(expansion.ledger, expansion.bytes, self._session.href, empty=_NO_EMBEDS) or ""

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
        new = self._draft is None
        self._draft = self._session.studio.draft_task(agent.id, text)
        self._own = text
        self.editor.kept = typed
        if new:
            self._session.selection.wrote()
        else:
            self._show_timeline()
            self._draw_bar()

    def _ask_discard(self) -> None:
        self._session.ask(
            "Discard the draft?",
            f"The draft of the Task is dropped for good. Version {self._versions[0].number}, live now, stays as it is.",
            yes="Discard draft",
            no="Keep it",
            then=lambda: self._session.guarded(lambda *_: self._discard())("discard", ""),
        )

    def _discard(self) -> None:
        agent = self._session.agent()
        if agent is None:
            return
        self._session.studio.discard_task_draft(agent.id)
        self._loaded_for = None
        self._session.selection.wrote(version=None, mode=Mode.READ)
        self._session.say("The draft was discarded.")

    # --- review and publish ---

    def _show_review(self, agent: Agent) -> None:
        if self._draft is None:
            self._session.selection.go(mode=Mode.READ)
            return
        review = self._session.studio.review_task(agent.id)
        self.bar.html = fragments.review_bar(review, self._note, self._session.studio.now())
        self.body.html = joined(self._sizes(agent, review), *self._changes(review))

    def _changes(self, review: TaskReview) -> list[Html]:
        live, draft = f"version {review.live.number}", "the draft"
        parts = [
            fragments.subhead(f"From {live}, live now, to the draft"),
            Html(self._version.change(review.against_live, live, draft)),
        ]
        if review.stale and review.against_start is not None:
            start = f"version {review.draft.based_on}"
            parts += [
                fragments.subhead(f"From {start}, where the draft started, to the draft"),
                Html(self._version.change(review.against_start, start, draft)),
            ]
        return parts

    def _sizes(self, agent: Agent, review: TaskReview) -> Html:
        """What the draft changes in the composed prompt."""
        studio = self._session.studio
        try:
            before, after = studio.preview(agent.id), studio.preview(agent.id, task=review.draft.text)
        except StudioError as error:
            return fragments.subhead(f"The composed prompt cannot be compared: {error}")
        return joined(fragments.prompt_change(before, after), fragments.new_warnings(before, after))

    def _publish(self, note: str, *, force: bool, confirmed: bool = False) -> None:
        agent = self._session.agent()
        if agent is None:
            return
        broken = () if confirmed else self._session.studio.review_task(agent.id).broken
        if broken:
            self._ask_broken(note, broken, force=force)
            return
        try:
            saved = self._session.studio.publish_task(agent.id, note=note, force=force, confirm_broken=confirmed)
        except Stale:
            self.show()
            return
        self._note = ""
        self._loaded_for = None
        words = f"Published version {saved.version}. The next run reads it."
        self._session.selection.wrote(version=saved.version, mode=Mode.READ)
        self._session.say(words if saved.changed else "Nothing changed: the draft was the live Task.")

    def _ask_broken(self, note: str, broken: Sequence[EmbedEntry], *, force: bool) -> None:
        """A draft with broken links is published only when the operator confirms it (decision 30)."""
        first = broken[0]
        more = f", and {len(broken) - 1} more" if len(broken) > 1 else ""
        self._session.ask(
            f"Publish with {len(broken)} broken link{'' if len(broken) == 1 else 's'}?",
            f"![[{first.written}]]: {first.reason.rstrip('.')}{more}. What is broken stays in the prompt as written.",
            yes="Publish with broken links",
            no="Keep the draft",
            then=lambda: self._session.guarded(lambda *_: self._publish(note, force=force, confirmed=True))("", ""),
        )

    def _merge(self) -> None:
        agent = self._session.agent()
        if agent is None:
            return
        review = self._session.studio.review_task(agent.id)
        if review.start_text is None:
            return
        merged = merge(review.start_text, review.draft.text, review.live_text)
        self._session.studio.draft_task(agent.id, merged.text, based_on=review.live.number)
        self._loaded_for = None
        self._session.selection.wrote(version=None, mode=Mode.READ if merged.conflicts else Mode.REVIEW)
        if merged.conflicts:
            places = "one place" if merged.conflicts == 1 else f"{merged.conflicts} places"
            self._session.say(
                f"Both changed the same lines in {places}: they stand between <<<<<<< draft and >>>>>>> live. "
                "Settle each, then review again.",
                "problem",
            )
        else:
            self._session.say(f"Merged with version {review.live.number} without a conflict. Review, then publish.")
