"""The working tree of a directory's owner: whether a file is as HEAD has it, and letting it hold what was committed.

What is new is written beside a file before anything is committed, and takes its place afterwards. No file is reached through a link,
and line ends stay as the owner's checkout has them.
"""

import contextlib
import os
import stat
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from studio import git, git_write
from studio.domain.directory.tree import FileMode, shown_path
from studio.errors import CannotMake, Uncommitted


class Held(NamedTuple):
    """What a path holds at HEAD."""

    entry: git.TreeEntry | None
    """The entry; None where there is none."""
    content: bytes
    """Its content."""


class Change(NamedTuple):
    """What a commit makes of one path."""

    held: Held
    """What HEAD had before."""
    entry: git_write.Entry | None
    """What it has now; None where the file is deleted."""
    content: bytes
    """Its content."""


class WorkingTree(NamedTuple):
    """The files that a repository's owner sees."""

    root: Path
    """The top of it."""

    def lacks(self, path: str) -> bool:
        """Whether nothing is at a path, nor in the place of a folder above it."""
        return self._at(path) is None

    def holds(self, path: str, held: Held) -> bool:
        """Whether a file is what HEAD has; line ends as a checkout may write them are no change."""
        file = self._at(path)
        if file is None:
            return held.entry is None
        if held.entry is None or not stat.S_ISREG(file.lstat().st_mode):
            return False
        found = file.read_bytes()
        return found == held.content or found == _as_crlf(held.content)

    def check(self, path: str, held: Held) -> None:
        """Refuse a file that is not as HEAD has it, or cannot be written.

        This is asked before anything is committed: afterwards it would look like somebody's wish to undo the commit.

        Raises:
            Uncommitted: its owner works on it, or something else stands in its place.
            CannotMake: its folder is read-only, or the system does not take its name.
        """
        file = self.root / path
        try:
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                file.lstat()
            self._check(file, path, held)
        except OSError as error:  # a name that is too long, or what may not be read
            raise CannotMake(str(file), error.strerror or str(error)) from error

    def _check(self, file: Path, path: str, held: Held) -> None:
        there = self._at(path)
        if there is not None and there != file:
            what = "a link" if there.is_symlink() else "a file"
            raise Uncommitted(path, f"{shown_path(str(there.relative_to(self.root)))} is {what} on disk and no folder")
        if there is not None and there.is_dir() and not there.is_symlink():
            raise Uncommitted(path, "a folder stands in its place on disk")
        if not self.holds(path, held):
            raise Uncommitted(path, "it has uncommitted changes in the working tree")
        folder = next(one for one in file.parents if one.is_dir())
        if not os.access(folder, os.W_OK | os.X_OK):
            raise CannotMake(str(file), "its folder is read-only")

    def prepare(self, path: str, change: Change, written: contextlib.ExitStack) -> Path | None:
        """Write what a file is to hold beside it, with the line ends that its checkout has; None where the file goes.

        Args:
            path: the file.
            change: what becomes of it.
            written: takes away in the end what did not come to its place.
        """
        if change.entry is None:
            return None
        file = self.root / path
        for folder in reversed([one for one in file.parents if not one.exists()]):
            folder.mkdir()
            written.callback(remove_empty, folder)
        crlf = change.held.entry is not None and file.read_bytes() != change.held.content
        prepared = beside(file, ".studio-", written, mode=0o777 if change.entry.mode == FileMode.EXECUTABLE else 0o666)
        prepared.write_bytes(_as_crlf(change.content) if crlf else change.content)
        if file.exists():
            prepared.chmod(file.stat().st_mode & 0o777)
        return prepared

    def put(self, path: str, prepared: Path | None) -> None:
        """Let a file hold what was prepared; where nothing was, it goes, with the folders that it leaves empty."""
        file = self.root / path
        if prepared is not None:
            prepared.replace(file)
            return
        file.unlink(missing_ok=True)
        for folder in list(file.parents)[: path.count("/")]:
            remove_empty(folder)

    def _at(self, path: str) -> Path | None:
        """What is at a path, or in the place of a folder above it: never anything behind a link."""
        at = self.root
        for part in path.split("/"):
            if at.is_symlink() or (at.exists() and not at.is_dir()):
                return at
            at /= part
        return at if os.path.lexists(at) else None


def beside(file: Path, prefix: str, written: contextlib.ExitStack, mode: int = 0o666) -> Path:
    """A new file in the folder of another, taken away in the end unless it took that one's place.

    Args:
        file: the other.
        prefix: how its name begins.
        written: takes it away.
        mode: its permissions, less those that the user's mask takes, as of any file that the user makes.
    """
    made = file.with_name(prefix + uuid4().hex)
    os.close(os.open(made, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
    written.callback(made.unlink, missing_ok=True)
    return made


def remove_empty(folder: Path) -> None:
    """Remove a folder where nothing is in it."""
    with contextlib.suppress(OSError):
        folder.rmdir()


def _as_crlf(content: bytes) -> bytes:
    r"""The content as a checkout with `core.autocrlf` writes it; one that has a `\r\n` itself is not converted."""
    return content if b"\r\n" in content else content.replace(b"\n", b"\r\n")
