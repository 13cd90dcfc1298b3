"""What is typed into the editor of a memory directory, beside what it started from."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from studio.domain import editing
from studio.domain.agents import Agent
from studio.domain.directory.limits import Gauge, config_of
from studio.domain.directory.survey import Survey
from studio.domain.directory.tree import CONFIG, INDEX, MARKDOWN, TreeFile


class Open(NamedTuple):
    """The directory that is edited."""

    agent: Agent
    """Whose it is."""
    survey: Survey
    """How it is at HEAD."""

    def file(self, path: str) -> TreeFile | None:
        """A file as HEAD has it."""
        return self.survey.contents.file(path)

    def sha256(self, path: str) -> str | None:
        """Of the text that HEAD has; None where it has no such file."""
        return sha256_of(self.file(path))


@dataclass(frozen=True, slots=True)
class Draft:
    """An edit that was not committed yet."""

    path: str
    """The file, as it is shown."""
    stored: str
    """Its text when the editor was opened; empty for a new file."""
    sha256: str | None
    """Of that text; None for a new file."""
    typed: str
    """What the editor holds, lines ended by LF."""
    why: str = ""
    """Why, in the operator's words."""
    plain: bool = False
    """Whether lines are to end in LF and no byte order mark is to stand before them, whatever the stored text has."""

    @classmethod
    def of(cls, path: str, file: TreeFile | None) -> "Draft":
        """Begin to edit a file of HEAD."""
        text = (file.body.text if file is not None and file.body is not None else None) or ""
        return cls(path, text, sha256_of(file), editing.shown(text))

    @classmethod
    def begun(cls, path: str) -> "Draft":
        """Begin a new file."""
        return cls(path, "", None, template(path))

    def named(self, path: str) -> "Draft":
        """A new file under another path; its header follows as long as nothing was typed."""
        return replace(self, path=path, typed=self.typed if self.changed else template(path))

    @property
    def new(self) -> bool:
        """Whether the file is to be made."""
        return self.sha256 is None

    @property
    def text(self) -> str:
        """What committing would store: the typed text with the line endings and the mark of the stored one, unless it is `plain`."""
        return self.typed if self.plain else editing.kept(self.stored, self.typed)

    @property
    def hidden(self) -> bool:
        """Whether committing keeps what the editor does not show: carriage returns, or a byte order mark."""
        return not self.plain and editing.shown(self.stored) != self.stored

    @property
    def changed(self) -> bool:
        """Whether leaving would lose anything."""
        return self.typed != template(self.path) if self.new else self.text != self.stored

    @property
    def ready(self) -> bool:
        """Whether it can be committed."""
        return bool(self.why.strip() and self.path) and (self.changed or self.new)

    def gauge(self, opened: Open) -> Gauge | None:
        """How much of the file's cap the typed text uses."""
        if not self.path.endswith(MARKDOWN):
            return None
        limit, rule = config_of(opened.survey.contents.tree)[0].file_limit(self.path)
        return Gauge("file", self.path, len(self.text), limit, rule)


def sha256_of(file: TreeFile | None) -> str | None:
    """The hash that an edit of a file hands back (decision 37)."""
    return file.body.sha256 if file is not None and file.body is not None else None


def template(path: str) -> str:
    """What a new file begins with: a block its header, an index a heading, the limits their version."""
    if path == CONFIG:
        return '{\n  "version": 1\n}\n'
    name = path.rpartition("/")[2]
    if name == INDEX:
        return "# Index\n"
    return f"---\nname: {name.removesuffix(MARKDOWN)}\ndescription: \n---\n"
