"""One opened collection in the Notes place: its columns and its records, a page at a time."""

from studio.app.elements import Fragment
from studio.app.session import Session
from studio.domain.agents import Agent
from studio.domain.collections import Access
from studio.errors import StudioError
from studio.render import fragments_collections as fragments
from studio.render.fragments_head import button, nothing

PAGE_RECORDS = 25
"""How many records are shown at once."""
_MAY = {Access.WRITE: "reads and writes it", Access.READ: "reads it", None: "has no grant on it"}


class CollectionView:
    """Fills a bar and a body with one collection; the view that owns it passes on what was chosen."""

    def __init__(self, session: Session, bar: Fragment, body: Fragment) -> None:
        self._session = session
        self._bar = bar
        self._body = body
        self._start = 0
        self._shown: tuple[Agent, str] | None = None

    def show(self, agent: Agent, path: str) -> None:
        """Show the collection at a path, and what the agent may do with it."""
        studio = self._session.studio
        if self._shown is None or self._shown[1] != path:
            self._start = 0
        self._shown = (agent, path)
        try:
            table = studio.collections.get(path).collection
            found = studio.collections.records(path)
        except StudioError as error:
            self._bar.html = ""
            self._body.html = nothing(str(error), button("Close it", "note"))
            return
        granted = {one.collection.path: one.access for one in studio.collections.list(as_agent=agent.id)}
        self._bar.html = fragments.collection_bar(table, _MAY[granted.get(path)], len(found))
        start = min(self._start, max(len(found) - 1, 0))
        page = found[start : start + PAGE_RECORDS]
        self._body.html = fragments.records(table, page, start=start, total=len(found), now=studio.now())

    def handle(self, action: str) -> bool:
        """Turn the page of records; False where something else was chosen."""
        if action not in ("previous-records", "next-records") or self._shown is None:
            return False
        self._start = max(self._start + (PAGE_RECORDS if action == "next-records" else -PAGE_RECORDS), 0)
        self.show(*self._shown)
        return True
