"""A file that a memory directory has no more, as it last was, and the one edit that brings it back (decision 42)."""

from collections.abc import Callable

from studio.app.beside import Beside
from studio.app.directory_editor import DirectoryEditor
from studio.app.elements import Fragment
from studio.app.selection import Tab
from studio.app.session import Session
from studio.domain.directory.changes import LastSeen
from studio.domain.directory.survey import Survey
from studio.domain.directory.tree import CONFIG
from studio.domain.paths import AgentId
from studio.render import fragments_directory_changes as fragments
from studio.render.fragments_head import button, nothing, waiting


class DirectoryGone:
    """Fills the bar and the body."""

    def __init__(self, session: Session, bar: Fragment, body: Fragment, writing: DirectoryEditor) -> None:
        self._session = session
        self._writing = writing
        self._shown: tuple[AgentId, str] | None = None
        self._bar = bar
        self._body = body
        self._found: Beside[LastSeen] = Beside("This file")

    def show(self, survey: Survey, path: str, again: Callable[[], None], *, all_lines: bool) -> None:
        """Show a file that is not there at HEAD; called again when it was read."""
        self._bar.html = ""
        agent = survey.link.agent
        self._shown = agent, survey.head
        self._session.put(self._body, waiting("Looking for this file in all commits…"))
        directories = self._session.studio.directories
        found = self._found.get((agent, survey.head, path), lambda: directories.file(agent, path), again)
        if isinstance(found, str):
            write, everything = button("Write it", "new", value=path), button("Show all of it", "file", quiet=True)
            self._session.put(self._body, nothing(f"HEAD has no file {path}, and never had.", write, everything))
        elif found is not None and found.gone is not None:
            self._bar.html = fragments.gone_bar(found, found.gone, now=self._session.studio.now())
            seen = found
            self._session.show(
                self._body, found.body.characters, lambda: fragments.gone_text(seen, all_lines=all_lines)
            )

    def handle(self, action: str, value: str) -> bool:
        """Bring the file back by an edit like any other, or open the change that took it away; False for all else."""
        if action == "restore" and self._shown is not None:
            self._ask(*self._shown, value)
        elif action == "gone-change":
            self._session.selection.go(tab=Tab.CHANGES, commit=value, file=None, row=None)
        else:
            return False
        return True

    def _ask(self, agent: AgentId, before: str, path: str) -> None:
        """Bring a file back; what deserves a question is asked first (decisions 33 and 39)."""
        directories, session = self._session.studio.directories, self._session

        def restore(yes_to: tuple[str, ...]) -> None:
            done = directories.restore(agent, path, config_approved=path == CONFIG, yes_to=yes_to)
            self._writing.committed(before, done, "Brought back")

        def begin() -> None:
            session.guarded(lambda *_: session.ask_first("Bring back", "Leave it", restore))("", "")

        if path != CONFIG:
            begin()
            return
        session.ask(
            "Change the limits of this directory?",
            "The hook lets a commit of the limits pass only when a person approves it. You would approve this one.",
            yes="Approve and commit",
            no="Leave it",
            then=begin,
        )
