"""What was done to a memory directory, commit by commit, and what each commit changed in which files (decision 42)."""

from collections.abc import Callable

from studio.app.beside import Beside
from studio.app.elements import Fragment
from studio.app.selection import Layout, Place, Tab
from studio.app.session import Session
from studio.app.timeline_view import PAGE_VERSIONS
from studio.domain.agents import Agent
from studio.domain.authors import AuthorFilter, count_authors
from studio.domain.directory.changes import Around, ChangeTexts, DirectoryChange, between
from studio.domain.directory.survey import Survey
from studio.domain.timeline import Version
from studio.errors import StudioError
from studio.render import fragments_directory_changes as fragments
from studio.render import fragments_timeline as timeline
from studio.render.fragments_head import button, nothing, waiting
from studio.render.tags import joined


class DirectoryChanges:
    """Fills the list, the bar and the body; nothing of it is read on the event loop, since a history may be long."""

    def __init__(self, session: Session, listed: Fragment, bar: Fragment, body: Fragment) -> None:
        self._session = session
        self._list = listed
        self._bar = bar
        self._body = body
        self._memory: Beside[tuple[DirectoryChange, ...]] = Beside("This history")
        self._place: Beside[tuple[DirectoryChange, ...]] = Beside("This history")
        self._texts: Beside[ChangeTexts] = Beside("This change")
        self._kept: tuple[DirectoryChange, ...] = ()
        self._open: DirectoryChange | None = None
        self._start: int | None = None
        self._all_lines = False
        session.selection.param.watch(self._anew, ["agent", "author", "commit", "file", "tab"])

    def _anew(self, *_: object) -> None:
        self._start, self._all_lines = None, False

    def around(
        self, agent: Agent, head: str, versions: tuple[Version, ...], then: Callable[[], None]
    ) -> dict[int, Around]:
        """How many changes lie beside each version; nothing while that is not known yet, and `then` is called when it is."""
        found = self._of(agent, head, None, then)
        return between(found, versions) if isinstance(found, tuple) else {}

    def _of(
        self, agent: Agent, head: str, place: str | None, then: Callable[[], None]
    ) -> tuple[DirectoryChange, ...] | str | None:
        directories = self._session.studio.directories
        held = self._memory if place is None else self._place
        return held.get((agent.id, head, place), lambda: directories.changes(agent.id, place), then)

    def show(self, agent: Agent, survey: Survey) -> None:
        """Show what the selection says."""
        selection = self._session.selection
        place = selection.file
        self._list.html = self._bar.html = ""
        self._session.put(self._body, waiting("Reading what every commit did…"))
        found = self._of(agent, survey.head, place, self._again(agent, survey))
        if isinstance(found, str):
            self._session.put(self._body, nothing(found, button("All of the memory", "whole-memory")))
        if not isinstance(found, tuple):
            return
        self._draw_list(found, place, survey.contents.commit if selection.commit else None)
        if self._open is not None:
            self._draw_open(agent, survey, self._open, place)
            return
        why = "This commit touched none of it." if found else "No commit ever touched the memory of this directory."
        actions = [button("Open the newest change", "commit")] if found else []
        self._session.put(self._body, nothing(why, *actions))

    def _again(self, agent: Agent, survey: Survey) -> Callable[[], None]:
        def again() -> None:
            selection, current = self._session.selection, self._session.agent()
            here = selection.place == Place.DIRECTORY and selection.tab == Tab.CHANGES
            if here and current is not None and current.id == agent.id:
                self.show(agent, survey)

        return again

    def _draw_list(self, found: tuple[DirectoryChange, ...], place: str | None, commit: str | None) -> None:
        selection = self._session.selection
        self._open = next((one for one in found if commit in (None, one.commit)), None)
        head = fragments.changes_head(place)
        authors = timeline.author_filter(count_authors(one.author for one in found), selection.author)
        try:
            chosen = AuthorFilter.parse(selection.author) if selection.author else None
        except StudioError as error:
            self._kept = ()
            everyone = button("Show everyone's changes", "author", quiet=True)
            self._list.html = joined(head, authors, nothing(str(error), everyone))
            return
        self._kept = tuple(one for one in found if chosen is None or chosen.matches(one.author))
        if commit is None and self._kept:
            self._open = self._kept[0]
        start = self._page_start()
        end = min(start + PAGE_VERSIONS, len(self._kept))
        rows = fragments.changes(
            self._kept[start:end],
            chosen=self._open,
            hidden=len(found) - len(self._kept),
            now=self._session.studio.now(),
            href=self._session.href,
        )
        self._list.html = joined(head, authors, rows, timeline.pager(start, end, len(self._kept)))

    def _page_start(self) -> int:
        """The first row of the page: where it was turned to, else the page with the open change."""
        if self._start is None:
            at = self._kept.index(self._open) if self._open is not None and self._open in self._kept else 0
            self._start = at - at % PAGE_VERSIONS
        return min(self._start, max(len(self._kept) - 1, 0))

    def _draw_open(self, agent: Agent, survey: Survey, change: DirectoryChange, place: str | None) -> None:
        session = self._session
        self._bar.html = fragments.change_bar(change, now=session.studio.now())
        key = agent.id, change.commit, place
        directories = session.studio.directories
        found = self._texts.get(
            key, lambda: directories.change(agent.id, change.commit, place), self._again(agent, survey)
        )
        if found is None:
            session.put(self._body, waiting("Reading the files of this change…"))
        elif isinstance(found, str):
            session.put(self._body, nothing(found))
        else:
            texts, unified, all_lines, href = found, session.layout is Layout.UNIFIED, self._all_lines, session.href
            size = sum(body.characters for one in texts.files for body in (one.before, one.after) if body is not None)
            session.show(
                self._body,
                size,
                lambda: fragments.change_files(texts, unified=unified, all_lines=all_lines, href=href),
            )

    def step(self, step: int) -> None:
        """Open the change that many rows below the open one, as far as the list goes."""
        if not self._kept:
            return
        at = self._kept.index(self._open) if self._open in self._kept and self._open else -1 if step > 0 else 0
        self._session.selection.go(commit=self._kept[min(max(at + step, 0), len(self._kept) - 1)].commit)

    def handle(self, action: str, value: str) -> bool:
        """Do what was chosen in the list, the bar or the body; False where that is the owner's to do."""
        go = self._session.selection.go
        if action == "author":
            go(author=value or None)
        elif action == "whole-memory":
            go(file=None)
        elif action == "only":
            go(file=value)
        elif action == "as-it-was":
            go(tab=Tab.FILES, commit=None, file=value, row=None)
        elif action == "all-lines":
            self._all_lines = True
            self._session.selection.param.trigger("stamp")
        elif action in ("newer-page", "older-page"):
            self._start = max(self._page_start() + (PAGE_VERSIONS if action == "older-page" else -PAGE_VERSIONS), 0)
            self._session.selection.param.trigger("stamp")
        else:
            return False
        return True
