"""A page without a browser, on an agent whose memory is a directory; and the directories that tests look at."""

import asyncio
import re
import time
from collections.abc import Mapping
from html import unescape
from pathlib import Path

from directory_repository import MemoryRepository, note
from tornado.ioloop import IOLoop

from studio import Studio
from studio.app.page import Page

LOUD = "Lead with the answer.\n\n- NEVER guess. Verify claims, because the team trusts evidence.\n"
FILES = {
    "MEMORY.md": "# Where to look\n\n- people/: anybody named in the conversation\n",
    "human.md": note(LOUD, "human", "Who the user is."),
    "persona.md": note("Be plain.\n", "persona", "Who you are."),
    "people/MEMORY.md": "# People\n\n- sarah.md: the release manager\n",
    "people/sarah.md": note("Runs the releases.\n", "sarah", "The release manager."),
    "skills/release/SKILL.md": note("Steps.\n", "release", "Cut a release."),
}
"""A directory that the hook passes, with one piece of advice: the capitals in line 7 of `human.md`."""


class Directory:
    """A repository that is the memory of an agent of its own."""

    def __init__(self, studio: Studio, folder: Path, files: Mapping[str, str | bytes] = FILES, name: str = "") -> None:
        self.studio = studio
        self.repository = MemoryRepository.make(folder / "memory", files)
        self.folder = self.repository.folder
        self.agent = studio.create_agent(name or f"keeper of {folder.name}").id
        studio.directories.link(str(self.folder), self.agent)

    def commit(self, path: str, text: str | None, message: str, by: str = "Ben") -> str:
        """Commit a file as its owner does; gives the commit."""
        file = self.folder / path
        if text is None:
            file.unlink()
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        self.repository.git("add", "--all")
        self.repository.git("commit", "--quiet", "--no-verify", f"--message={message}", GIT_AUTHOR_NAME=by)
        return self.repository.head()

    def text(self, path: str) -> str:
        """What HEAD has."""
        return self.repository.ask("show", f"HEAD:{path}").out

    def page(self, query: str = "") -> "Shown":
        """The Directory place of the agent."""
        return Shown(self.studio, f"?agent={self.agent}&place=directory{query}")


class Shown:
    """A page, and what stands on it."""

    def __init__(self, studio: Studio, query: str) -> None:
        self.page = Page(studio, query, demo=False)

    def html(self, part: str) -> str:
        """The markup of one part, as `directory_body`."""
        return str(getattr(self.page.roots[part], "html"))  # noqa: B009 - only fragments have it

    def words(self, part: str) -> str:
        """What a person reads in one part, on one line."""
        return " ".join(unescape(re.sub(r"<[^>]*>", " ", self.html(part))).split())

    def choose(self, part: str, action: str, value: str = "") -> None:
        """What a click in that part, or a word typed there, reports."""
        self.page.roots[part]._handle_msg({"do": action, "value": value})

    def settle(self) -> None:
        """Let what is read beside the event loop come, where one reading led to another."""
        loop, until = IOLoop.current(), time.monotonic() + 10
        while 'class="working"' in self.html("directory_body") and time.monotonic() < until:
            loop.run_sync(lambda: asyncio.sleep(0.01))

    def type(self, text: str, why: str | None = None) -> None:
        """Type into the editor, and say why."""
        self.choose("directory_editor", "typed", text)
        if why is not None:
            self.choose("directory_form", "why", why)

    @property
    def typed(self) -> str:
        """What was loaded into the editor last."""
        return str(getattr(self.page.roots["directory_editor"], "text"))  # noqa: B009 - only an editor has it

    @property
    def editing(self) -> bool:
        """Whether the editor is shown."""
        return bool(self.page.roots["directory_editor"].visible)

    @property
    def address(self) -> str:
        """The page's address."""
        return str(getattr(self.page.roots["browser"], "query"))  # noqa: B009 - only the window has it
