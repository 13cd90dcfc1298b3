"""The Directory place: what a directory agent's memory is made of, its compiled prompt, its history and its limits."""

import asyncio

import panel as pn

from studio.app.directory_audit import DirectoryAudit
from studio.app.directory_changes import DirectoryChanges
from studio.app.directory_editor import DirectoryEditor
from studio.app.directory_gone import DirectoryGone
from studio.app.directory_history import DirectoryHistory
from studio.app.directory_prompt import DirectoryPrompt
from studio.app.elements import Browser, Editor, Fragment
from studio.app.selection import Layout, Mode, Place, Shown, Tab, View
from studio.app.session import Session
from studio.domain.agents import Agent
from studio.domain.agents import Layout as MemoryLayout
from studio.domain.directory.survey import Advice, Survey, folder_of, of_file
from studio.domain.directory.tree import TreeFile
from studio.errors import NothingToRead, StudioError
from studio.render import fragments_directory as fragments
from studio.render.fragments_directory_file import Found, file_bar, file_lines, findings_list, folder_page
from studio.render.fragments_directory_prompt import shrink
from studio.render.fragments_directory_tree import Listing, search
from studio.render.fragments_head import button, nothing
from studio.render.tags import Html, joined

QUICK_CHARACTERS = 20_000
"""The writing rules of this much memory are read at once; of more beside the event loop, since they take seconds."""


class DirectoryView:
    """Reads one agent's memory directory; writing in it is the editor's."""

    def __init__(self, session: Session) -> None:
        self._session = session
        chosen = session.guarded(self._chosen)
        self.search = Fragment(on=chosen, html=search(session.selection.words))
        self.list = Fragment(on=chosen)
        self.frame = Fragment(on=chosen)
        self.bar = Fragment(on=chosen)
        self.form = Fragment(on=chosen)
        self.body = Fragment(on=chosen)
        self.writing = DirectoryEditor(session, self.bar, self.form, self.body)
        self.changes = DirectoryChanges(session, self.list, self.bar, self.body)
        self.history = DirectoryHistory(session, self.list, self.bar, self.body, self.changes)
        self.gone = DirectoryGone(session, self.bar, self.body, self.writing)
        self.prompt = DirectoryPrompt(session, self.bar, self.body)
        self.audit = DirectoryAudit(session, self.bar, self.body)
        self._survey: Survey | None = None
        self._advice: tuple[str, Advice] | None = None
        self._advising: str | None = None
        self._unadvised: str | None = None
        self._all_lines = False
        watched = [
            *("agent", "place", "tab", "file", "row", "commit", "compare", "words", "mode", "stamp"),
            *("author", "view", "layout", "shown", "blanks"),
        ]
        session.selection.param.watch(self._short_again, ["agent", "place", "tab", "file", "commit", "compare"])
        session.selection.param.watch(self.show, watched)
        session.selection.param.watch(self._found, ["words"])
        self.show()

    @property
    def roots(self) -> dict[str, Fragment | Editor | Browser]:
        """Its elements by the name that the page's markup has for them."""
        return {
            "directory_search": self.search,
            "directory_list": self.list,
            "directory_frame": self.frame,
            "directory_bar": self.bar,
            "directory_form": self.form,
            "directory_stale": self.writing.stale,
            "directory_editor": self.writing.editor,
            "directory_body": self.body,
        }

    def show(self, *_: object) -> None:
        """Show what the selection says, if this place is open."""
        selection, agent = self._session.selection, self._session.agent()
        here = selection.place == Place.DIRECTORY and agent is not None
        if not here or selection.mode not in (Mode.EDIT, Mode.NEW):
            self.writing.close()
        if not here or agent is None:
            return
        self._survey = None
        if agent.layout is not MemoryLayout.DIRECTORY:
            self._instead(fragments.not_linked(agent.name))
            return
        try:
            self._survey = survey = self._session.studio.directories.survey(agent.id, selection.commit)
        except NothingToRead as error:
            self._instead(fragments.unreadable(str(error), agent.name))
            return
        except StudioError as error:
            self._instead(nothing(str(error), button("Back to HEAD", "commit")))
            return
        self.frame.html = fragments.frame(
            survey, tab=selection.tab, now=self._session.studio.now(), href=self._session.href
        )
        self._show_tab(agent, survey)

    def _instead(self, said: Html) -> None:
        """In place of a directory that cannot be shown."""
        self.writing.close()
        self.frame.html = said
        self.search.visible = False
        self.list.html = self.bar.html = self.form.html = ""
        self._session.put(self.body, "")

    def _show_tab(self, agent: Agent, survey: Survey) -> None:
        selection = self._session.selection
        listed = self._listed
        self.search.visible = listed is None
        if listed is not None:
            self.form.html = ""
            listed.show(agent, survey)
            return
        self._advise(agent, survey)
        self._show_list(survey)
        if selection.tab == Tab.PROMPT:
            self.prompt.show(agent, survey)
        elif selection.tab == Tab.HEADROOM:
            self.prompt.show_headroom(agent)
        elif selection.tab == Tab.AUDIT:
            self.audit.show(agent, survey)
        elif selection.mode in (Mode.EDIT, Mode.NEW) and survey.at_head and self.writing.show(agent, survey):
            return
        else:
            self.writing.close()
            self._show_files(survey)
        self.form.html = ""

    @property
    def _listed(self) -> DirectoryHistory | DirectoryChanges | None:
        """What the open part lists beside its body, where that is no files."""
        tab = self._session.selection.tab
        return self.history if tab == Tab.HISTORY else self.changes if tab == Tab.CHANGES else None

    def _short_again(self, *_: object) -> None:
        self._all_lines = self.prompt.all_lines = False

    def _found(self, *_: object) -> None:
        self.search.put("words", self._session.selection.words)

    # --- findings ---

    def _found_in(self, survey: Survey) -> Found:
        """What the hook refuses and, as soon as it is read, what the writing rules advise."""
        advice = self._advice_of(survey)
        found = advice.findings if advice else ()
        reading = advice is None and self._advising == survey.contents.commit
        return Found((*survey.contents.findings, *found), reading=reading)

    def _advice_of(self, survey: Survey) -> Advice | None:
        held = self._advice
        return held[1] if held is not None and held[0] == survey.contents.commit else None

    def _advise(self, agent: Agent, survey: Survey) -> None:
        """Read the writing rules, at once or beside the event loop."""
        commit = survey.contents.commit
        if self._advice_of(survey) is not None or commit in (self._advising, self._unadvised):
            return
        studio = self._session.studio
        size = survey.contents.characters
        if size <= QUICK_CHARACTERS:
            try:
                self._advice = commit, studio.directories.advise(agent.id, commit)
            except StudioError as error:
                self._leave_unadvised(commit, error)
            return
        self._advising = commit

        async def work() -> None:
            try:
                self._advice = commit, await asyncio.to_thread(studio.directories.advise, agent.id, commit)
            except StudioError as error:
                self._leave_unadvised(commit, error)
            self._advising = None
            self.show()

        pn.state.execute(work)

    def _leave_unadvised(self, commit: str, error: StudioError) -> None:
        """Show a commit without advice, such as where `STUDIO_LINT_OFF` names no rule."""
        self._unadvised = commit
        self._session.say(f"The writing rules could not be read: {error}", "problem")

    # --- files ---

    def _show_list(self, survey: Survey) -> None:
        selection = self._session.selection
        found = self._found_in(survey).findings
        here = selection.tab == Tab.FILES
        listing = Listing(survey.contents, found, chosen=selection.file, here=here, href=self._session.href)
        self.list.html = listing.html(selection.words)

    def _show_files(self, survey: Survey) -> None:
        selection, contents = self._session.selection, survey.contents
        path = selection.file
        if path is None:
            self.bar.html = ""
            self._session.put(self.body, self._overview(survey))
            return
        file = contents.file(path)
        if file is not None:
            self._show_file(survey, file)
            return
        self.bar.html = ""
        folder = folder_of(contents.tree, f"{path.removesuffix('/')}/")
        if folder.files or folder.folders:
            self._session.put(self.body, folder_page(folder, self._session.href))
            return
        if survey.at_head:
            self.gone.show(survey, path, self.show, all_lines=self._all_lines)
            return
        everything = button("Show all of it", "file", quiet=True)
        self._session.put(self.body, nothing(f"This commit has no file {path}.", everything))

    def _overview(self, survey: Survey) -> str:
        contents, href = survey.contents, self._session.href
        advice = self._advice_of(survey)
        return joined(
            fragments.first_of_all(survey),
            fragments.gauges(contents.gauges),
            shrink(advice.proposal, href) if advice else None,
            findings_list(self._found_in(survey), href),
        )

    def _show_file(self, survey: Survey, file: TreeFile) -> None:
        selection = self._session.selection
        edit = survey.at_head and survey.contents.editable(selection.file or "")
        self.bar.html = file_bar(survey.contents, file, edit=edit, href=self._session.href)
        findings = of_file(self._found_in(survey).findings, selection.file or "")
        row, all_lines = selection.row, self._all_lines
        size = file.body.characters if file.body else 0
        self._session.show(self.body, size, lambda: file_lines(file, findings, row=row, all_lines=all_lines))

    # --- what was chosen ---

    def _chosen(self, action: str, value: str) -> None:
        selection = self._session.selection
        listed = self._listed
        parts = (self.writing, self.gone) if listed is None else (self.writing, listed)
        if any(part.handle(action, value) for part in parts):
            return
        if action == "tab":
            selection.go(tab=Tab(value), row=None)
        elif action == "file":
            self._session.hush()
            selection.go(tab=Tab.FILES, file=value or None, row=None)
        elif action == "finding":
            line, _, path = value.partition(":")
            selection.go(tab=Tab.FILES, file=path, row=int(line) or None)
        elif action == "commit":
            selection.go(commit=value or None)
        elif action == "files-here":
            selection.go(tab=Tab.FILES, commit=value, row=None)
        elif action == "file-here":
            commit, _, path = value.partition(":")
            selection.go(tab=Tab.FILES, commit=commit, file=path, row=None)
        elif action == "words":
            selection.go(words=value.strip())
        else:
            self._shown_otherwise(action, value)

    def _shown_otherwise(self, action: str, value: str) -> None:
        go = self._session.selection.go
        if action == "compare":
            go(compare=value or None)
        elif action in ("view", "layout", "shown", "blanks"):
            go(**{action: {"view": View, "layout": Layout, "shown": Shown}[action](value)})
        elif action == "all-lines":
            self._all_lines = self.prompt.all_lines = True
            self.show()
        elif action == "new":
            self.writing.begin_at(value)
            go(tab=Tab.FILES, file=None, row=None, mode=Mode.NEW)
        elif action == "edit":
            self._session.hush()
            go(mode=Mode.EDIT)

    def key(self, key: str) -> None:
        """A key was pressed outside of text boxes: `older` and `newer` walk through versions, `edit` opens the editor."""
        selection, survey = self._session.selection, self._survey
        if survey is None or selection.mode != Mode.READ:
            return
        if self._listed is not None and key != "edit":
            self._listed.step(1 if key == "older" else -1)
        elif (
            key == "edit"
            and selection.tab == Tab.FILES
            and survey.at_head
            and survey.contents.editable(selection.file or "")
        ):
            selection.go(mode=Mode.EDIT)
