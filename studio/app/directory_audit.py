"""Which commits of a memory directory went round the hook: judged beside the event loop, once for each HEAD."""

import asyncio
import logging

import panel as pn

from studio.app.elements import Fragment
from studio.app.selection import Place, Tab
from studio.app.session import Session
from studio.domain.agents import Agent
from studio.domain.directory.audit import Audit
from studio.domain.directory.survey import Survey
from studio.errors import StudioError
from studio.render.fragments_directory_audit import audited
from studio.render.fragments_head import nothing, waiting
from studio.render.tags import Html

_log = logging.getLogger(__name__)

Judged = tuple[str, str]
"""What was judged: the agent, and the commit at HEAD."""


class DirectoryAudit:
    """Fills the body."""

    def __init__(self, session: Session, bar: Fragment, body: Fragment) -> None:
        self._session = session
        self._bar = bar
        self._body = body
        self._found: tuple[Judged, Audit | str] | None = None
        self._judging: Judged | None = None

    def show(self, agent: Agent, survey: Survey) -> None:
        """Show what was judged, or that it is being judged: a long history takes seconds."""
        self._bar.html = ""
        asked = agent.id, survey.head
        if self._found is not None and self._found[0] == asked:
            self._session.put(self._body, self._drawn(self._found[1]))
            return
        self._session.put(self._body, waiting("Judging every commit as the hook would have…"))
        if self._judging == asked:
            return
        self._judging = asked
        studio = self._session.studio

        async def work() -> None:
            try:
                found: Audit | str = await asyncio.to_thread(studio.directories.audit, agent.id)
            except StudioError as error:
                found = str(error)
            except Exception:  # noqa: BLE001 - else the page would say for ever that it is judging
                _log.exception("Judging a history failed")
                found = "This history cannot be judged. The server's log says why."
            self._found = asked, found
            self._judging = None
            selection, current = self._session.selection, self._session.agent()
            here = selection.place == Place.DIRECTORY and selection.tab == Tab.AUDIT
            if here and current is not None and current.id == agent.id:
                self.show(agent, survey)

        pn.state.execute(work)

    def _drawn(self, found: Audit | str) -> Html:
        if isinstance(found, str):
            return nothing(found)
        return audited(found, now=self._session.studio.now(), href=self._session.href)
