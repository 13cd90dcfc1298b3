"""The editor of a memory directory: a file of HEAD, or a new one. What was typed is never replaced (decision 37)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from studio.app.directory_draft import Draft, Open
from studio.app.elements import Editor, Fragment, Regained
from studio.app.selection import Layout, Mode, Tab
from studio.app.session import Session
from studio.domain.agents import Agent
from studio.domain.diff import diff
from studio.domain.directory.editing import Edited
from studio.domain.directory.layout import reaches_prompt
from studio.domain.directory.survey import Survey
from studio.domain.directory.tree import CONFIG
from studio.errors import BadArgument, BlockChanged, BlockRefused
from studio.render import fragments_directory_editor as fragments
from studio.render.fragments import diff_side_by_side, diff_unified
from studio.render.fragments_directory import short
from studio.render.fragments_head import nothing
from studio.render.tags import Html, joined


class DirectoryEditor:
    """Fills the bar, the form, the editor and the body below; the view that owns it passes on what was chosen."""

    def __init__(self, session: Session, bar: Fragment, form: Fragment, body: Fragment) -> None:
        self._session = session
        self._bar = bar
        self._form = form
        self._body = body
        chosen = session.guarded(self._chosen)
        self.editor = Editor(on=chosen, label="The file, as Markdown", guard=True, visible=False)
        self.stale = Fragment(on=chosen)
        self._open: Open | None = None
        self._draft: Draft | None = None
        self._begin_at = ""
        self._refused: tuple[str, ...] = ()
        self._compared = False

    def close(self) -> None:
        """Forget what was loaded, and hide the editor."""
        self._draft = self._open = None
        if self.editor.visible:
            self.editor.visible = False
            self.editor.guard = False
        self.stale.html = ""

    def begin_at(self, path: str) -> None:
        """Which path a new file is offered."""
        self._begin_at = path

    def show(self, agent: Agent, survey: Survey) -> bool:
        """Edit the chosen file, or a new one; False where there is no text to edit.

        Where the editor is open already, this only says what became of the file meanwhile.
        """
        selection, draft = self._session.selection, self._draft
        self._open = Open(agent, survey)
        if selection.mode == Mode.NEW:
            if draft is None or not draft.new:
                self._load(Draft.begun(self._begin_at), path=self._begin_at)
        elif draft is None or draft.path != selection.file:
            file = self._open.file(selection.file or "")
            if not survey.contents.editable(selection.file or ""):
                return False
            self._load(Draft.of(selection.file or "", file))
        self._draw()
        self.editor.visible = True  # last, so that nobody types into a box that is about to be loaded
        return True

    def _load(self, draft: Draft, *, path: str | None = None) -> None:
        self._draft = draft
        self._refused, self._compared = (), False
        self._form.html = fragments.why_form("", path=path)
        self._form.put("why", "")
        self._put(draft)

    def _put(self, draft: Draft) -> None:
        """Put the draft's text into the box."""
        self._session.selection.unsaved = False
        self.editor.load(draft.typed, base=draft.sha256 or "")
        self.editor.guard = True

    # --- drawing ---

    def _draw(self) -> None:
        self._draw_bar()
        self._draw_stale()
        self._draw_judged()

    def _draw_bar(self) -> None:
        draft, opened = self._draft, self._open
        if draft is None or opened is None:
            return
        if draft.new:
            self._bar.html = fragments.new_bar(off=not draft.ready)
            return
        state = "unsaved changes" if draft.changed else "nothing changed yet"
        if draft.changed and not draft.why.strip():
            state += " · say why, then commit"
        gauge = draft.gauge(opened)
        self._bar.html = fragments.editor_bar(
            draft.path, gauge, state=state, off=not draft.ready, changed=draft.changed, hidden=draft.hidden
        )

    def _draw_judged(self) -> None:
        draft, opened = self._draft, self._open
        if draft is None or opened is None or not draft.path or not (draft.changed or self._refused):
            self._session.put(self._body, "")
            return
        try:
            checked = self._session.studio.directories.judge(opened.agent.id, draft.path, draft.text)
        except BadArgument as error:  # a path that no edit may name
            self._session.put(self._body, nothing(str(error)))
            return
        self._session.put(self._body, fragments.judged(checked, draft.text, refused=self._refused) or "")

    def _draw_stale(self) -> None:
        """Say when the file was committed anew since the editor was opened."""
        draft, opened = self._draft, self._open
        if draft is None or opened is None or opened.sha256(draft.path) == draft.sha256:
            self.stale.html = ""
            return
        if draft.new:
            self.stale.html = fragments.there_already(draft.path)
            return
        newest = self._session.studio.directories.history(opened.agent.id, draft.path, limit=1)
        gone = opened.file(draft.path) is None
        now = self._session.studio.now()
        banner = fragments.changed_meanwhile(draft.path, newest[0] if newest else None, now, deleted=gone)
        self.stale.html = joined(banner, self._comparison(draft, opened)) if self._compared else banner

    def _comparison(self, draft: Draft, opened: Open) -> Html:
        """From what HEAD has to what is typed."""
        draw = diff_unified if self._session.layout is Layout.UNIFIED else diff_side_by_side
        theirs = Draft.of(draft.path, opened.file(draft.path)).stored
        made = draw(diff(theirs, draft.text), old_name="the file now", new_name="your text")
        return joined(fragments.compared_mine(), Html(made))

    # --- what was chosen ---

    def _chosen(self, action: str, value: str) -> None:
        self.handle(action, value)

    def handle(self, action: str, value: str) -> bool:
        """Do what was chosen while a file is edited; False where that is the owner's to do."""
        draft, opened = self._draft, self._open
        if draft is None or opened is None:
            return False
        chosen: dict[str, Callable[[], None]] = {
            "typed": lambda: self._type(draft, value),
            "regained": lambda: self._regain(draft, Regained.read(value)),
            "why": lambda: self._say_why(draft, value),
            "path": lambda: self._name(draft, value.strip()),
            "save": lambda: self._ask(draft, opened, force=False),
            "keep-mine": lambda: self._ask(draft, opened, force=True),
            "take-theirs": lambda: self._take_theirs(draft, opened),
            "compare-mine": lambda: self._compare(on=True),
            "hide-mine": lambda: self._compare(on=False),
            "plain-endings": lambda: self._make_plain(draft),
            "close-editor": self._ask_close,
            "delete": lambda: self._ask_delete(draft, opened),
            "open-there": lambda: self._session.selection.go(file=value, mode=Mode.READ),
        }
        if action not in chosen:
            return False
        chosen[action]()
        return True

    def _type(self, draft: Draft, text: str) -> None:
        self._draft = draft = replace(draft, typed=text)
        self._refused = ()
        self._session.selection.unsaved = draft.changed
        self._draw()

    def _make_plain(self, draft: Draft) -> None:
        """The file is to be committed with LF and without a mark; the hook refuses a header with CRLF."""
        self._draft = draft = replace(draft, plain=True)
        self._session.selection.unsaved = draft.changed
        self._draw()

    def _say_why(self, draft: Draft, why: str) -> None:
        self._draft = replace(draft, why=why)
        self._draw_bar()

    def _name(self, draft: Draft, path: str) -> None:
        if not draft.new:
            return
        self._draft = named = draft.named(path)
        if named.typed != draft.typed:
            self.editor.offer(named.typed)
        self._draw()

    def _regain(self, draft: Draft, given: Regained) -> None:
        """What was typed before the page loaded itself anew, over a file that changed meanwhile: the banner says who changed it."""
        self.editor.base = given.base
        self._type(replace(draft, sha256=given.base or None), given.text)

    def _compare(self, *, on: bool) -> None:
        self._compared = on
        self._draw_stale()

    def _take_theirs(self, draft: Draft, opened: Open) -> None:
        self._load(Draft.of(draft.path, opened.file(draft.path)))
        self._draw()

    # --- committing ---

    def _ask(self, draft: Draft, opened: Open, *, force: bool) -> None:
        """Commit; a change of the limits a person has to approve first (decision 33)."""
        if not draft.why.strip():
            self._session.say("Say why this changes first: the words become the commit's message.", "problem")
        elif not draft.ready:
            self._session.say("There is nothing to commit yet.", "problem")
        elif draft.new and opened.file(draft.path) is not None:
            self._session.say(f"{draft.path} is there already: give the new file another path.", "problem")
        elif draft.path == CONFIG:
            self._session.ask(
                "Change the limits of this directory?",
                "The hook lets a commit of the limits pass only when a person approves it. You would approve this one.",
                yes="Approve and commit",
                no="Keep editing",
                then=lambda: self._guarded_commit(draft, opened, draft.text, force=force),
            )
        else:
            self._commit(draft, opened, draft.text, force=force)

    def _guarded_commit(self, draft: Draft, opened: Open, text: str | None, *, force: bool) -> None:
        self._session.guarded(lambda *_: self._commit(draft, opened, text, force=force))("", "")

    def _commit(self, draft: Draft, opened: Open, text: str | None, *, force: bool) -> None:
        """Commit; what deserves a question is asked first (decision 39)."""
        commit = partial(self._do_commit, draft, opened, text, force=force)
        self._session.ask_first("Commit", "Keep editing", commit)

    def _do_commit(self, draft: Draft, opened: Open, text: str | None, yes_to: tuple[str, ...], *, force: bool) -> None:
        directories, agent = self._session.studio.directories, opened.agent
        expect = opened.sha256(draft.path) if force else draft.sha256  # forced over what the banner names
        approved, why = draft.path == CONFIG, draft.why.strip()
        try:
            edited = directories.edit(
                agent.id, draft.path, text, why, expect=expect, config_approved=approved, yes_to=yes_to
            )
        except BlockChanged:
            self._open = Open(agent, directories.survey(agent.id))
            self._draw()
            return
        except BlockRefused as error:
            self._refused = error.findings
            way_out = f" {error.way_out}" if error.way_out else ""
            words = f"{draft.path} was not committed: see below your text what is to mend.{way_out}"
            self._session.say(words, "problem")
            self._draw_judged()
            return
        self.committed(opened.survey.head, edited, "Deleted" if text is None else "Committed")

    def committed(self, before: str, edited: Edited, verb: str) -> None:
        """Close, show the file as it is now, and say what was done.

        Args:
            before: the commit that was at HEAD.
            edited: what was done.
            verb: the word for it, as `Committed`.
        """
        selection = self._session.selection
        self.close()
        file = edited.path if edited.sha256 is not None else None
        selection.wrote(tab=Tab.FILES, file=file, commit=None, mode=Mode.READ)
        if not edited.changed:
            self._session.say("Nothing changed: HEAD has this text already.")
            return
        actions = {"history": ("See the history", lambda: selection.go(tab=Tab.HISTORY, commit=None))}
        words = "Nothing of it stands in the prompt."
        if reaches_prompt(edited.path) and edited.version:
            words = f"The compiled memory is version {edited.version} now."
            actions["prompt"] = (
                "See what changed in the prompt",
                lambda: selection.go(tab=Tab.PROMPT, file=None, commit=None, compare=before),
            )
        said = f"{verb} {edited.path} in {short(edited.commit)}. {words}"
        if edited.behind is not None:
            said = f"{said} {edited.behind}"
        self._session.say(said, "done" if edited.behind is None else "problem", actions)

    def _ask_delete(self, draft: Draft, opened: Open) -> None:
        if not draft.why.strip():
            self._session.say("Say why the file goes first: the words become the commit's message.", "problem")
            return
        self._session.ask(
            f"Delete {draft.path}?",
            "A commit by you takes the file away. Its versions stay in the history of the directory.",
            yes="Delete file",
            no="Keep it",
            then=lambda: self._guarded_commit(draft, opened, None, force=False),
        )

    def _ask_close(self) -> None:
        self._session.ask_close("What you typed was not committed. HEAD stays as it is.")
