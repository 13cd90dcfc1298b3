"""The timeline of a text, used by Memory and by Prompt: filter, versions newest first, pages."""

from studio.actions.studio import Studio
from studio.app.elements import Fragment
from studio.app.session import Session
from studio.domain.authors import AuthorCount, AuthorFilter, count_authors
from studio.domain.changes import TextKind
from studio.domain.timeline import Version, by_author
from studio.errors import StudioError
from studio.render import fragments_timeline as fragments
from studio.render.fragments_head import button, nothing
from studio.render.tags import Html, joined

PAGE_VERSIONS = 100
"""How many versions are listed at once."""


def versions_of(studio: Studio, agent: str, text: TextKind) -> tuple[Version, ...]:
    """All versions of one text, newest first."""
    if text is TextKind.MEMORY:
        return studio.list_memory_versions(agent)
    return studio.list_task_versions(agent)


class TimelineView:
    """The list of versions; the view that owns it tells it what to show."""

    def __init__(self, session: Session, text: TextKind) -> None:
        self._session = session
        self._text = text
        self._start: int | None = None
        self._all: tuple[Version, ...] = ()
        self._kept: tuple[Version, ...] = ()
        self._first_row: Html | None = None
        self._cap = text is TextKind.MEMORY
        self.list = Fragment(on=session.guarded(self._chosen))
        session.selection.param.watch(self._at_the_chosen, ["agent", "author", "version", "place"])

    def show(self, versions: tuple[Version, ...], first_row: Html | None = None, *, cap: bool | None = None) -> None:
        """List these versions, under the filter of the selection.

        Args:
            versions: all versions of the text, newest first.
            first_row: what stands above them: the draft of a Task.
            cap: whether sizes are shown against the cap of `memory_write`; as the kind of text says without it.
        """
        self._all = versions
        self._first_row = first_row
        self._cap = self._text is TextKind.MEMORY if cap is None else cap
        self._draw()

    def neighbour(self, step: int) -> int | None:
        """The number of the version that many rows below the open one, as far as the list goes."""
        if not self._kept:
            return None
        numbers = [version.number for version in self._kept]
        open_number = self._open_number()
        at = numbers.index(open_number) if open_number in numbers else -1 if step > 0 else 0
        return numbers[min(max(at + step, 0), len(numbers) - 1)]

    def _open_number(self) -> int | None:
        chosen: int | None = self._session.selection.version
        if chosen is None and self._text is TextKind.MEMORY and self._all:
            return self._all[0].number
        return chosen

    def _at_the_chosen(self, *_: object) -> None:
        self._start = None

    def _draw(self) -> None:
        selection = self._session.selection
        counts = count_authors(version.author for version in self._all)
        bar = fragments.author_filter(counts, selection.author)
        try:
            chosen = AuthorFilter.parse(selection.author) if selection.author else None
        except StudioError as error:
            self._kept = ()
            self.list.html = joined(bar, nothing(str(error), button("Show everyone's versions", "author", quiet=True)))
            return
        self._kept = by_author(self._all, chosen)
        start = self._page_start()
        end = min(start + PAGE_VERSIONS, len(self._kept))
        rows = fragments.versions(
            self._kept[start:end],
            chosen=self._open_number(),
            against=selection.against,
            hidden=len(self._all) - len(self._kept),
            cap=self._cap,
            now=self._session.studio.now(),
            href=self._session.href,
        )
        self.list.html = joined(bar, self._first_row, rows, fragments.pager(start, end, len(self._kept)))

    def _page_start(self) -> int:
        """The first row of the page: where it was turned to, else the page with the open version."""
        if self._start is None:
            numbers = [version.number for version in self._kept]
            open_number = self._open_number()
            at = numbers.index(open_number) if open_number in numbers else 0
            self._start = at - at % PAGE_VERSIONS
        return min(self._start, max(len(self._kept) - 1, 0))

    def _chosen(self, action: str, value: str) -> None:
        if action == "author":
            self._session.selection.go(author=value or None)
        elif action == "version":
            self._session.hush()
            self._session.selection.go(version=int(value) if value else None)
        elif action in ("newer-page", "older-page"):
            step = PAGE_VERSIONS if action == "older-page" else -PAGE_VERSIONS
            self._start = max(self._page_start() + step, 0)
            self._draw()


__all__ = ["AuthorCount", "TimelineView", "versions_of"]
