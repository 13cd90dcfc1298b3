"""Which commits of a memory directory went round the hook: judged beside the event loop, once for each HEAD."""

from studio.app.beside import Beside
from studio.app.elements import Fragment
from studio.app.selection import Place, Tab
from studio.app.session import Session
from studio.domain.agents import Agent
from studio.domain.directory.audit import Audit
from studio.domain.directory.survey import Survey
from studio.render.fragments_directory_audit import audited
from studio.render.fragments_head import nothing, waiting


class DirectoryAudit:
    """Fills the body."""

    def __init__(self, session: Session, bar: Fragment, body: Fragment) -> None:
        self._session = session
        self._bar = bar
        self._body = body
        self._found: Beside[Audit] = Beside("The audit of this history")

    def show(self, agent: Agent, survey: Survey) -> None:
        """Show what was judged, or that it is being judged: a long history takes seconds."""
        self._bar.html = ""
        studio = self._session.studio

        def again() -> None:
            selection, current = self._session.selection, self._session.agent()
            here = selection.place == Place.DIRECTORY and selection.tab == Tab.AUDIT
            if here and current is not None and current.id == agent.id:
                self.show(agent, survey)

        self._session.put(self._body, waiting("Judging every commit as the hook would have…"))
        found = self._found.get((agent.id, survey.head), lambda: studio.directories.audit(agent.id), again)
        if isinstance(found, str):
            self._session.put(self._body, nothing(found))
        elif found is not None:
            self._session.put(self._body, audited(found, now=studio.now(), href=self._session.href))
