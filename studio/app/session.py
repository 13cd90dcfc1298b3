"""What the views of one page share: the store, the selection, the open agent, and how they speak to the person."""

import asyncio
import logging
from collections.abc import Callable

import panel as pn

from studio.actions.studio import Studio
from studio.app.elements import Fragment, Handler
from studio.app.selection import Layout, Mode, Selection
from studio.domain.agents import Agent
from studio.errors import StudioError, Unconfirmed
from studio.render import fragments_head as fragments
from studio.render.tags import Html

LONG_CHARACTERS = 150_000
"""Work on more text than this is done beside the event loop, and the page says that it goes on."""

_log = logging.getLogger(__name__)


class Session:
    """One person's page on the store. Views are given it and nothing else."""

    def __init__(self, studio: Studio, selection: Selection) -> None:
        self.studio = studio
        self.selection = selection
        self.narrow = False
        self.notice = Fragment(on=self.guarded(self._notice_chosen))
        self.question = Fragment(on=self.guarded(self._answered))
        self._actions: dict[str, Callable[[], None]] = {}
        self._yes: Callable[[], None] | None = None
        self._no: Callable[[], None] | None = None
        self._ticket: dict[int, int] = {}

    def agent(self) -> Agent | None:
        """The open agent; None while the store is empty or the address names none that there is."""
        if self.selection.agent is None:
            return None
        try:
            return self.studio.get_agent(self.selection.agent)
        except StudioError:
            return None

    @property
    def layout(self) -> Layout:
        """How changes are laid out; narrow pages have no room for two columns."""
        return Layout.UNIFIED if self.narrow else Layout(self.selection.layout)

    def href(self, **changes: object) -> str:
        """The address of this view with these changes."""
        return self.selection.query(**changes)

    # --- speaking ---

    def say(
        self, words: str, kind: str = "done", actions: dict[str, tuple[str, Callable[[], None]]] | None = None
    ) -> None:
        """A sentence above the page; each action has a label and what it does."""
        self._actions = {name: act for name, (_, act) in (actions or {}).items()}
        labels = [(name, label) for name, (label, _) in (actions or {}).items()]
        self.notice.html = fragments.notice(words, kind=kind, actions=labels)

    def hush(self) -> None:
        """Take the sentence away."""
        self.notice.html = ""

    def _notice_chosen(self, action: str, _value: str) -> None:
        self.hush()
        if action in self._actions:
            self._actions[action]()

    def ask(
        self,
        words: str,
        detail: Html | str,
        *,
        yes: str,
        no: str,
        then: Callable[[], None],
        otherwise: Callable[[], None] | None = None,
    ) -> None:
        """A question that must be answered first; `then` is called for yes."""
        self._yes, self._no = then, otherwise
        self.question.html = fragments.question(words, detail, yes=("yes", yes), no=("no", no))

    def ask_first(self, verb: str, no: str, act: Callable[[tuple[str, ...]], None]) -> None:
        """Do what makes a text live; where it deserves a question, ask it and do that only for yes (decision 39).

        Args:
            verb: what it does, as `Publish`.
            no: the label of the answer that changes nothing.
            act: does it, given the words of the questions that were answered with yes.
        """
        try:
            act(())
        except Unconfirmed as asked:
            words = asked.words
            self.ask(
                f"{verb} this as it is?",
                fragments.asked([str(one["sentence"]) for one in asked.questions]),
                yes=f"{verb} {fragments.with_what(words)}",
                no=no,
                then=lambda: self.guarded(lambda *_: act(words))("", ""),
            )

    def ask_close(self, stays: str) -> None:
        """Close an editor; where something was typed, ask first, saying what stays as it is."""
        selection = self.selection
        if not selection.unsaved:
            selection.go(mode=Mode.READ)
            return
        self.ask(
            "Discard your changes?",
            stays,
            yes="Discard changes",
            no="Keep editing",
            then=lambda: selection.wrote(mode=Mode.READ),
        )

    def _answered(self, action: str, _value: str) -> None:
        chosen = self._yes if action == "yes" else self._no
        self._yes = self._no = None
        self.question.html = ""
        if chosen is not None:
            chosen()

    # --- working ---

    def guarded(self, handler: Handler) -> Handler:
        """The handler, with everything that it raises said as a sentence."""

        def handle(action: str, value: str) -> None:
            try:
                handler(action, value)
            except StudioError as error:
                self.say(str(error), "problem")
            except Exception:  # noqa: BLE001 - a page must answer, whatever failed
                _log.exception("The action %r failed", action)
                self.say("That did not work, and nothing more was changed. The server's log says why.", "problem")

        return handle

    def put(self, into: Fragment, html: str) -> None:
        """Show this now; what is still being worked on for the same place is not shown any more."""
        self._ticket[id(into)] = self._ticket.get(id(into), 0) + 1
        into.html = html

    def show(self, into: Fragment, characters: int | None, make: Callable[[], str]) -> None:
        """Show what `make` gives; for a long text beside the event loop, with a sentence until it is there.

        Without a number of characters it may take long whatever there is, as what reads a whole history.

        Only the last thing asked for is shown, whichever is done first.
        """
        ticket = self._ticket[id(into)] = self._ticket.get(id(into), 0) + 1
        if characters is not None and characters < LONG_CHARACTERS:
            into.html = make()
            return
        what = "this history" if characters is None else f"{characters:,} characters"
        into.html = fragments.waiting(f"Working on {what}…")

        async def work() -> None:
            try:
                made = await asyncio.to_thread(make)
            except StudioError as error:
                made = fragments.nothing(str(error))
            except Exception:  # noqa: BLE001 - as above
                _log.exception("Showing a long text failed")
                made = fragments.nothing("This cannot be shown. The server's log says why.")
            if self._ticket[id(into)] == ticket:
                into.html = made

        pn.state.execute(work)
