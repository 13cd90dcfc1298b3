"""The review of a Task draft: what publishing it would change, and publishing (decisions 30 and 31)."""

from collections.abc import Callable

from studio.app.elements import Fragment
from studio.app.selection import Mode
from studio.app.session import Session
from studio.app.version_view import VersionView
from studio.domain.agents import Agent
from studio.domain.conflicts import find_conflicts
from studio.domain.drafts import TaskDraft, TaskReview
from studio.domain.merge import merge
from studio.errors import DraftChanged, Stale, StudioError
from studio.render import fragments_prompt as fragments
from studio.render.tags import Html, joined


class TaskReviewView:
    """Fills a bar and a body with the review; the view that owns it calls `show` and passes on what was chosen."""

    def __init__(
        self, session: Session, version: VersionView, bar: Fragment, body: Fragment, *, on_taken: Callable[[], None]
    ) -> None:
        """Take the owner's parts.

        Args:
            session: of the page.
            version: draws changes in the layout that the page has.
            bar: where the review's head goes.
            body: where the changes go.
            on_taken: called when the draft was published or merged.
        """
        self._session = session
        self._version = version
        self._bar = bar
        self._body = body
        self._on_taken = on_taken
        self._note = ""
        self._reviewed: str | None = None

    def handle(self, action: str, value: str) -> bool:
        """Do what was chosen in the review; False where that is the owner's to do."""
        if action == "note":
            self._note = value
        elif action == "publish":
            self._publish(value, force=False)
        elif action == "publish-anyway":
            self._publish(self._note, force=True)
        elif action == "merge":
            self._merge()
        else:
            return False
        return True

    def show(self, agent: Agent, draft: TaskDraft | None) -> None:
        """Show what publishing would change; without a draft there is nothing to review."""
        if draft is None:
            self._session.selection.go(mode=Mode.READ)
            return
        review = self._session.studio.review_task(agent.id)
        self._reviewed = review.draft.etag
        self._bar.html = fragments.review_bar(review, self._note, self._session.studio.now())
        self._body.html = joined(fragments.will_ask(review), self._sizes(agent, review), *self._changes(review))

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

    def _publish(self, note: str, *, force: bool) -> None:
        agent = self._session.agent()
        if agent is None:
            return
        reviewed = self._reviewed

        def publish(yes_to: tuple[str, ...]) -> None:
            try:
                saved = self._session.studio.publish_task(
                    agent.id, note=note, force=force, expect=reviewed, yes_to=yes_to
                )
            except Stale as stale:
                self._session.selection.param.trigger("stamp")
                if isinstance(stale, DraftChanged):
                    self._session.say(str(stale), "problem")
                return
            self._note = ""
            self._on_taken()
            words = f"Published version {saved.version}. The next run reads it."
            self._session.selection.wrote(version=saved.version, mode=Mode.READ)
            self._session.say(words if saved.changed else "Nothing changed: the draft was the live Task.")

        self._session.ask_first("Publish", "Keep the draft", publish)

    def _merge(self) -> None:
        agent = self._session.agent()
        if agent is None:
            return
        review = self._session.studio.review_task(agent.id)
        if review.start_text is None:
            return
        merged = merge(review.start_text, review.draft.text, review.live_text)
        self._session.studio.draft_task(agent.id, merged.text, based_on=review.live.number, expect=review.draft.etag)
        self._on_taken()
        self._session.selection.wrote(version=None, mode=Mode.READ if merged.conflicts else Mode.REVIEW)
        if merged.conflicts:
            places = "one place" if merged.conflicts == 1 else f"{merged.conflicts} places"
            lines = ", ".join(one.said for one in find_conflicts(merged.text))
            self._session.say(
                f"Both changed the same lines in {places}: they stand between <<<<<<< draft and >>>>>>> live in lines {lines}. "
                "Settle each, then review again.",
                "problem",
            )
        else:
            self._session.say(f"Merged with version {review.live.number} without a conflict. Review, then publish.")
