"""A memory directory as a value: the files of one git tree with what was read of them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from studio.domain.bodies import Body

INDEX = "MEMORY.md"
"""The name of an index: at the root it is the core of `<memory>`, in a folder it makes the folder listed."""
CONFIG = ".memfs.config.json"
"""The path of the limits' file."""
SKILLS = "skills"
"""The folder that is never listed and never compiled (decision 32)."""
MARKDOWN = ".md"
"""How the name of a memory file ends."""


class FileMode(StrEnum):
    """What a path of a tree is, by git's own mode."""

    REGULAR = "100644"
    EXECUTABLE = "100755"
    LINK = "120000"
    """A symlink; its body is the path it points to."""
    SUBMODULE = "160000"

    @classmethod
    def of_git(cls, mode: str) -> "FileMode":
        """What a path is; other permissions of files, as 100664 in old repositories, count as the one that git reads them as."""
        if mode in set(cls):
            return cls(mode)
        return cls.EXECUTABLE if int(mode, 8) & 0o100 else cls.REGULAR


@dataclass(frozen=True, slots=True)
class TreeFile:
    """One path of a tree."""

    path: str
    """From the root, parts joined by `/`; bytes that are not UTF-8 are surrogates, as `git` gives them."""
    mode: FileMode
    """What it is."""
    sha: str
    """The sha of its blob, by which equal contents are known without reading them."""
    body: Body | None = None
    """Its content; None where nobody needed to read it (no Markdown and no config)."""

    @property
    def folder(self) -> str:
        """The folder it is in, without a slash at the end; empty at the root."""
        return self.path.rpartition("/")[0]

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path.rpartition("/")[2]

    @property
    def stem(self) -> str:
        """Its name without `.md`."""
        return self.name.removesuffix(MARKDOWN)

    @property
    def markdown(self) -> bool:
        """Whether it is named as a memory file: only the exact suffix `.md` counts."""
        return self.path.endswith(MARKDOWN)

    @property
    def memory(self) -> bool:
        """Whether it is memory, which the rules bind: Markdown outside of `skills/`."""
        return self.path.endswith(MARKDOWN) and not self.path.startswith(SKILLS + "/")

    @property
    def regular(self) -> bool:
        """Whether it is a plain file, executable or not."""
        return self.mode in {FileMode.REGULAR, FileMode.EXECUTABLE}

    @property
    def index(self) -> bool:
        """Whether it is the index of its folder or of the root."""
        return self.name == INDEX

    @property
    def text(self) -> str:
        """Its text; empty where it was not read, and as shown where it is no text."""
        return "" if self.body is None else self.body.shown


@dataclass(frozen=True, slots=True)
class Tree:
    """All files of one commit, or of what is staged."""

    files: tuple[TreeFile, ...]
    """By path, in git's order (bytes)."""
    lacking: tuple[str, ...] = ()
    """The paths whose content was to be read and that a partial copy lacks."""
    _by_path: dict[str, TreeFile] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_path", {one.path: one for one in self.files})

    def at(self, path: str) -> TreeFile | None:
        """The file of a path, or None."""
        return self._by_path.get(path)

    def __contains__(self, path: object) -> bool:
        return path in self._by_path

    def __iter__(self) -> Iterator[TreeFile]:
        return iter(self.files)


def shown_path(path: str) -> str:
    """A path as text that can be stored and printed: bytes that are not UTF-8, and surrogates that stand for none, become escapes."""
    if path.isascii():
        return path
    try:
        return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        return path.encode("utf-8", "backslashreplace").decode()
