"""The history of a memory directory: versions of the compiled memory or of one file, and what each changed."""

from collections.abc import Callable, Collection

from studio.app.directory_changes import DirectoryChanges
from studio.app.elements import Fragment
from studio.app.selection import Layout, Place, Shown, Tab, View
from studio.app.session import Session
from studio.app.timeline_view import PAGE_VERSIONS
from studio.domain.agents import Agent
from studio.domain.authors import AuthorFilter, count_authors
from studio.domain.comparison import Ignored, base_of, ignoring, no_diff
from studio.domain.directory.changes import Around
from studio.domain.directory.survey import Survey
from studio.domain.timeline import Status, Version, by_author
from studio.errors import StudioError
from studio.render import fragments_timeline as timeline
from studio.render.fragments import diff_side_by_side, diff_unified, message, whole_binary, whole_raw, whole_rendered
from studio.render.fragments_directory import short
from studio.render.fragments_directory_history import history_head
from studio.render.fragments_head import button, nothing
from studio.render.fragments_version import opened
from studio.render.tags import Html, joined

MOST_LINES = 400
"""How many lines are shown at first."""


class DirectoryHistory:
    """Fills the list, the bar and the body; a version is named by its commit, since numbers start anew where history is rewritten."""

    def __init__(
        self, session: Session, listed: Fragment, bar: Fragment, body: Fragment, changes: DirectoryChanges
    ) -> None:
        self._session = session
        self._changes = changes
        self._list = listed
        self._bar = bar
        self._body = body
        self._agent = ""
        self._path: str | None = None
        self._versions: tuple[Version, ...] = ()
        self._kept: tuple[Version, ...] = ()
        self._open: Version | None = None
        self._around: dict[int, Around] = {}
        self._start: int | None = None
        self._all_lines = False
        session.selection.param.watch(self._anew, ["agent", "author", "commit", "file", "tab", "view", "compare"])

    def _anew(self, *_: object) -> None:
        self._start, self._all_lines = None, False

    def show(self, agent: Agent, survey: Survey) -> None:
        """Show what the selection says."""
        selection, studio = self._session.selection, self._session.studio
        self._agent, self._path = agent.id, selection.file
        try:
            self._versions = studio.directories.history(agent.id, self._path)
        except StudioError as error:
            self._list.html = self._bar.html = ""
            self._session.put(
                self._body, nothing(str(error), button("Versions of the compiled memory", "whole-memory"))
            )
            return
        commit = survey.contents.commit if selection.commit else None
        self._around = {}
        self._open = next((one for one in self._versions if commit in (None, _commit(one))), None)
        self._draw_list()
        if self._path is None:
            self._around = self._changes.around(agent, survey.head, self._versions, self._beside_known(agent.id))
            if self._around:
                self._draw_list()
        if self._open is None:
            self._bar.html = ""
            self._session.put(self._body, self._none(commit))
            return
        self._draw_opened(self._open)

    def _beside_known(self, agent: str) -> Callable[[], None]:
        """What draws the list again, where it is still the one that is shown."""

        def again() -> None:
            selection, current = self._session.selection, self._session.agent()
            here = selection.place == Place.DIRECTORY and selection.tab == Tab.HISTORY and selection.file is None
            if here and current is not None and current.id == agent:
                selection.param.trigger("stamp")

        return again

    def _none(self, commit: str | None) -> Html:
        if not self._versions:
            return nothing("Nothing of this directory ever reached the prompt, so there is no version yet.")
        what = self._path or "the compiled memory"
        words = f"Commit {short(commit or '')} made no version of {what}: it changed nothing of it."
        return nothing(words, button("Open the newest version", "commit"))

    # --- the list ---

    def _draw_list(self) -> None:
        selection = self._session.selection
        head = history_head(self._path)
        counts = timeline.author_filter(count_authors(one.author for one in self._versions), selection.author)
        try:
            chosen = AuthorFilter.parse(selection.author) if selection.author else None
        except StudioError as error:
            self._kept = ()
            everyone = button("Show everyone's versions", "author", quiet=True)
            self._list.html = joined(head, counts, nothing(str(error), everyone))
            return
        self._kept = by_author(self._versions, chosen)
        start = self._page_start()
        end = min(start + PAGE_VERSIONS, len(self._kept))
        against = self._numbered(selection.compare)
        rows = timeline.versions(
            self._kept[start:end],
            chosen=self._open.number if self._open else None,
            against=against.number if against else None,
            hidden=len(self._versions) - len(self._kept),
            cap=False,
            now=self._session.studio.now(),
            href=self._href,
            beside=self._around,
        )
        self._list.html = joined(head, counts, rows, timeline.pager(start, end, len(self._kept)))

    def _page_start(self) -> int:
        """The first row of the page: where it was turned to, else the page with the open version."""
        if self._start is None:
            at = self._kept.index(self._open) if self._open in self._kept and self._open else 0
            self._start = at - at % PAGE_VERSIONS
        return min(self._start, max(len(self._kept) - 1, 0))

    def _href(self, **changes: object) -> str:
        """The address of a version by its commit."""
        number = changes.pop("version", None)
        if number is not None:
            found = next((one for one in self._versions if one.number == number), None)
            changes["commit"] = _commit(found) if found else None
        return self._session.href(**changes)

    def step(self, step: int) -> None:
        """Open the version that many rows below the open one, as far as the list goes."""
        if not self._kept:
            return
        at = self._kept.index(self._open) if self._open in self._kept and self._open else -1 if step > 0 else 0
        found = self._kept[min(max(at + step, 0), len(self._kept) - 1)]
        self._session.selection.go(commit=_commit(found))

    def _numbered(self, commit: str | None) -> Version | None:
        """The version that a commit made, by its sha or the beginning of it."""
        if not commit:
            return None
        return next((one for one in self._versions if (_commit(one) or "").startswith(commit)), None)

    # --- the opened version ---

    def _draw_opened(self, version: Version) -> None:
        selection = self._session.selection
        compared = self._numbered(selection.compare)
        self._bar.html = opened(
            version,
            compared or base_of(self._versions, version.number),
            self._versions,
            chosen=compared is not None,
            now=self._session.studio.now(),
            view=selection.view,
            layout=self._session.layout,
            shown=selection.shown,
            blanks=selection.blanks,
            actions=[button("Files at this commit", "files-here", value=_commit(version) or "", quiet=True)],
            href=self._session.href,
        )
        against = compared.number if compared else None
        self._session.show(self._body, version.characters, self._maker(version, against))

    def _maker(self, version: Version, against: int | None) -> Callable[[], str]:
        """What makes the body; it may run beside the event loop, so it is told everything now."""
        selection, agent, path = self._session.selection, self._agent, self._path
        most = None if self._all_lines else MOST_LINES
        unified, raw = self._session.layout is Layout.UNIFIED, selection.shown == Shown.RAW
        if selection.view == View.CHANGE:
            ignored = selection.blanks.ignored
            return lambda: self._change(agent, path, version, against, ignored, most=most, unified=unified)
        return lambda: self._whole(agent, path, version, most=most, raw=raw)

    def _change(
        self,
        agent: str,
        path: str | None,
        version: Version,
        against: int | None,
        ignored: Collection[Ignored],
        *,
        most: int | None,
        unified: bool,
    ) -> str:
        compared = ignoring(self._session.studio.directories.compare(agent, version.number, against, path), ignored)
        if compared.diff is None:
            return message(no_diff(compared))
        old_name = f"version {compared.old.number}" if compared.old else "nothing"
        draw = diff_unified if unified else diff_side_by_side
        made = draw(compared.diff, old_name=old_name, new_name=f"version {version.number}", most_lines=most)
        return _with_rest(made, most)

    def _whole(self, agent: str, path: str | None, version: Version, *, most: int | None, raw: bool) -> str:
        body = self._session.studio.directories.version(agent, version.number, path).body
        if version.status is Status.DELETED:
            return message("It was deleted with this version, which has no text.")
        if version.stand_in:
            return message(f"The file holds {version.stand_in}; the text of this version is not here.")
        if body.binary:
            return _with_rest(whole_binary(body, most_lines=most), most)
        if raw or path is None:
            return _with_rest(whole_raw(body.text or "", most_lines=most), most)
        return whole_rendered(body.text or "")

    # --- what was chosen ---

    def handle(self, action: str, value: str) -> bool:
        """Do what was chosen in the list, the bar or the body; False where that is the owner's to do."""
        go = self._session.selection.go
        number = int(value) if action in ("version", "against") and value else None
        named = next((one for one in self._versions if one.number == number), None)
        if action == "author":
            go(author=value or None)
        elif action == "version":
            go(commit=_commit(named) if named else None)
        elif action == "against":
            go(compare=_commit(named) if named else None)
        elif action == "whole-memory":
            go(file=None)
        elif action == "changes":
            go(tab=Tab.CHANGES, file=None, commit=None)
        elif action == "all-lines":
            self._all_lines = True
            if self._open is not None:
                self._draw_opened(self._open)
        elif action in ("newer-page", "older-page"):
            self._start = max(self._page_start() + (PAGE_VERSIONS if action == "older-page" else -PAGE_VERSIONS), 0)
            self._draw_list()
        else:
            return False
        return True


def _commit(version: Version | None) -> str | None:
    return version.origin.commit if version is not None and version.origin is not None else None


def _with_rest(made: str, most: int | None) -> str:
    """With a button for the rest, where a part may not be shown."""
    cut = "Long: the first" in made or "Long lines are cut" in made
    return joined(Html(made), button("Show all lines", "all-lines", quiet=True)) if most and cut else made
