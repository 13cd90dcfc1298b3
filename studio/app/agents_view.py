"""The agents at the left: all of them, under their guilds, searched and paged by the store."""

from studio.app.elements import Fragment
from studio.app.session import Session
from studio.render import fragments_agents as fragments

PAGE_AGENTS = 60
"""How many agents are listed at once."""


class AgentsView:
    """The search box and the list."""

    def __init__(self, session: Session) -> None:
        self._session = session
        chosen = session.guarded(self._chosen)
        self.search = Fragment(on=chosen, html=fragments.search_box(session.selection.find))
        self.list = Fragment(on=chosen)
        session.selection.param.watch(self.show, ["agent", "find", "page", "stamp", "place", "mode"])
        session.selection.param.watch(self._found, ["find"])
        self.show()

    def _chosen(self, action: str, value: str) -> None:
        go = self._session.selection.go
        if action == "find":
            go(find=value.strip())
        elif action == "page":
            go(page=int(value))
        elif action == "agent":
            self._session.hush()
            go(agent=value)

    def _found(self, *_: object) -> None:
        self.search.put("find", self._session.selection.find)

    def show(self, *_: object) -> None:
        """List what the selection finds."""
        selection, studio = self._session.selection, self._session.studio
        found = studio.count_agents(selection.find)
        pages = max(1, -(-found // PAGE_AGENTS))
        page = min(selection.page, pages)
        agents = studio.list_agents(selection.find, limit=PAGE_AGENTS, offset=(page - 1) * PAGE_AGENTS)
        agent = self._session.agent()
        self.list.html = fragments.agent_list(
            agents,
            agent.id if agent else None,
            words=selection.find,
            found=found,
            page=page,
            pages=pages,
            href=self._session.href,
        )
