"""What was done to a memory directory, commit by commit, whether or not the compiled prompt changed with it (decision 42).

The versions of the compiled memory say what the model read; most of what an agent remembers is not in there. So a directory has a
second list: every first-parent commit that touched a block, a deferred file, a skill or the config, or that touched a folder or a file
that somebody names. A merge is what it changed against its first parent.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from studio.domain.authors import Author, AuthorFilter, count_authors
from studio.domain.bodies import EMPTY, Body
from studio.domain.diff import Diff, diff
from studio.domain.directory.tree import CONFIG, INDEX, MARKDOWN, SKILLS, FileMode
from studio.domain.timeline import Status, Version
from studio.errors import UnknownAuthor


class Part(StrEnum):
    """What of a memory directory a file is."""

    BLOCK = "block"
    """Root Markdown, which the prompt is compiled from."""
    DEFERRED = "deferred"
    """What the agent reads when needed: Markdown in folders, and whatever lies in a folder that has an index."""
    SKILL = "skill"
    """What lies in `skills/`."""
    CONFIG = "config"
    """The file of the limits."""
    OTHER = "other"
    """What is no memory, such as a script beside it."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """What one commit did to one file."""

    path: str
    """The file afterwards, as shown; where it was deleted, the file that it was."""
    status: Status
    """What happened to it."""
    part: Part
    """What of the memory it is."""
    mode: FileMode | None
    """What it is afterwards, as a regular file or a link; None where it was deleted."""
    added: int | None
    """Lines added, as git counts them; None where it does not count."""
    removed: int | None
    """Lines removed likewise."""
    old_path: str | None = None
    """Where it was before, where it was renamed."""


@dataclass(frozen=True, slots=True)
class DirectoryChange:
    """What one commit did to a memory directory."""

    number: int
    """1 is the oldest; grows by one with each commit of the list, and stays while history only grows."""
    commit: str
    """Its full sha."""
    at: datetime
    """The author's time (UTC)."""
    author: Author
    """Who wrote it, with the evidence (decision 3)."""
    subject: str
    """Its subject line."""
    merge: bool
    """Whether it has several parents; what is listed differs from the first of them."""
    files: tuple[FileChange, ...]
    """What of the memory it touched, by path; what else it touched is no change of the memory."""
    version: int | None
    """The version of the compiled memory after it; None where nothing had compiled yet."""
    new_version: bool
    """Whether it made that version; else it lies between that one and the next."""

    @property
    def added(self) -> int:
        """Lines added in all files whose lines are counted."""
        return sum(one.added or 0 for one in self.files)

    @property
    def removed(self) -> int:
        """Lines removed likewise."""
        return sum(one.removed or 0 for one in self.files)


@dataclass(frozen=True, slots=True)
class DirectoryChanges:
    """Every commit that touched a directory's memory, or one folder or file."""

    head: str
    """The commit at HEAD that they were read from."""
    changes: tuple[DirectoryChange, ...]
    """Newest first."""
    warnings: tuple[str, ...] = ()
    """What could not be read as it should be, one sentence each."""


class Around(NamedTuple):
    """How many changes that made no version lie beside a version."""

    before: int
    """Between the version before and this one."""
    after: int
    """Between this one and the next, or HEAD."""


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """One file of a change with its texts."""

    change: FileChange
    """What happened to it."""
    before: Body | None
    """What it held before; None where it was not there, or is no blob."""
    after: Body | None
    """What it holds afterwards likewise."""

    @property
    def diff(self) -> Diff | None:
        """The change of its text; None where a side is no text."""
        sides = [EMPTY if one is None else one for one in (self.before, self.after)]
        return None if any(one.binary for one in sides) else diff(*(one.text or "" for one in sides))


@dataclass(frozen=True, slots=True)
class ChangeTexts:
    """One change with the texts of its files."""

    change: DirectoryChange
    """The change."""
    files: tuple[ChangedFile, ...]
    """Its files, as the change lists them."""


@dataclass(frozen=True, slots=True)
class LastSeen:
    """A file as it is, or as it last was."""

    path: str
    """The file, as shown."""
    body: Body
    """What it holds."""
    commit: str
    """The commit that it was read from."""
    mode: FileMode
    """What it is there."""
    gone: DirectoryChange | None = None
    """The commit that deleted it or moved it away, where it is not there any more."""


def part_of(path: str, folders: Iterable[str] = ()) -> Part:
    """What of a memory directory a path is.

    Args:
        path: from the root.
        folders: the top folders that have an index, and so are found by the agent whatever they hold.
    """
    top, below, _ = path.partition("/")
    if path == CONFIG:
        return Part.CONFIG
    if top == SKILLS:
        return Part.SKILL
    if path.endswith(MARKDOWN):
        return Part.DEFERRED if below else Part.BLOCK
    return Part.DEFERRED if top in folders else Part.OTHER


def indexed_folder(path: str) -> str | None:
    """The top folder whose index a path is; None for any other path."""
    top, _, name = path.partition("/")
    return top if name == INDEX else None


def lies_in(path: str | None, place: str) -> bool:
    """Whether a path is a file, or below a folder, that somebody named; a slash at the end makes it a folder."""
    if path is None:
        return False
    folder = place.removesuffix("/") + "/"
    return path == place or path.startswith(folder)


def plain_place(place: str) -> str:
    """A folder or file as somebody names it, without what says nothing: `./notes//` is `notes/`; the root is empty."""
    parts = [part for part in place.split("/") if part not in {"", "."}]
    return "/".join(parts) + ("/" if parts and place.endswith(("/", "/.")) else "")


def between(changes: Iterable[DirectoryChange], versions: Iterable[Version]) -> dict[int, Around]:
    """How many changes lie before and after each version, by its number: those that the list of versions does not show.

    Args:
        changes: the changes of a directory's memory.
        versions: the versions of its compiled memory.
    """
    after = Counter(one.version or 0 for one in changes if not one.new_version)
    return {one.number: Around(after[one.number - 1], after[one.number]) for one in versions}


def selected_changes(
    changes: Sequence[DirectoryChange],
    *,
    author: str | None = None,
    limit: int | None = None,
    before: int | None = None,
) -> tuple[DirectoryChange, ...]:
    """A part of the changes; what an author, a limit and a number select is as of versions. See `domain.timeline.selected`.

    Raises:
        BadAuthorFilter: the filter is not a kind or `kind:name`.
        UnknownAuthor: `kind:name` names nobody who made a change.
    """
    chosen = AuthorFilter.parse(author) if author is not None else None
    found = [one for one in changes if chosen is None or chosen.matches(one.author)]
    if chosen is not None and chosen.name is not None and not found:
        raise UnknownAuthor(str(chosen), [count.author.key for count in count_authors(one.author for one in changes)])
    earlier = [one for one in found if before is None or one.number < before]
    return tuple(earlier if limit is None else earlier[: max(limit, 0)])


def holding(files: Iterable[FileChange], place: str) -> Iterator[FileChange]:
    """The changes of files in a folder, or of one file, whatever name it had before."""
    return (one for one in files if lies_in(one.path, place) or lies_in(one.old_path, place))
