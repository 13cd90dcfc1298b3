"""The versions of a memory directory, as the timeline, the tools and the notebook read them (decision 1)."""

from studio.actions.context import Context
from studio.actions.directory.links import Opened, look
from studio.domain.bodies import Body
from studio.domain.directory.history import DirectoryHistory
from studio.domain.directory.link import Link
from studio.domain.timeline import Version, sought
from studio.memfs.history import read_history, text_of


class DirectoryTexts:
    """The compiled memory of a directory in all its versions, or one of its files."""

    def __init__(self, opened: Opened, history: DirectoryHistory) -> None:
        self._opened = opened
        self.history = history

    @classmethod
    def of(cls, context: Context, link: Link, path: str | None = None) -> "DirectoryTexts":
        """The versions that HEAD has; raises `NothingToRead`.

        Args:
            context: the open store, which remembers what was seen.
            link: where the directory is.
            path: the file whose versions are asked for; None for the compiled memory.
        """
        opened = look(context, link)
        rule = opened.link.agent_authors
        return cls(opened, opened.history if path is None else read_history(opened.repository, path, rule))

    @property
    def what(self) -> str:
        """Names the text in a sentence."""
        return f"{self.history.path or 'the compiled memory'} in {self._opened.repository.given}"

    @property
    def versions(self) -> tuple[Version, ...]:
        """Its timeline, newest first."""
        return self.history.versions

    def version(self, number: int | None) -> Version | None:
        """One version, the newest without a number; None where it is not there."""
        return sought(self.versions, number)

    def body(self, version: Version) -> Body:
        """What a version holds."""
        return text_of(self._opened.repository, self.history, version)
