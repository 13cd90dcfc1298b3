"""The index and the working tree of a directory's owner, while one file of it is committed from elsewhere.

The owner may be editing, and so may be an agent. So the index is locked as git itself locks it, a file is touched only where it is as
HEAD has it, in the index and on disk, and nothing of git's is run that could run a program of the owner's (filters, hooks).
"""

import contextlib
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from studio import git, git_write
from studio.domain.directory.tree import FileMode
from studio.errors import RepositoryHeld

LOCK_PATIENCE_SECONDS = 3.0
"""How long another git process may hold the index before we give up."""
_LOCK_PAUSE_SECONDS = 0.05
_UNDER_WAY = {
    "MERGE_HEAD": "a merge is under way",
    "CHERRY_PICK_HEAD": "a cherry-pick is under way",
    "REVERT_HEAD": "a revert is under way",
    "rebase-merge": "a rebase is under way",
    "rebase-apply": "a rebase is under way",
}
"""Files of git's own that say the owner is in the middle of something."""


class Held(NamedTuple):
    """What a path holds at HEAD."""

    entry: git.TreeEntry | None
    """The entry; None where there is none."""
    content: bytes
    """Its content."""


class Checkout:
    """The index and working tree of a repository whose index we hold; of a bare one there is neither."""

    def __init__(self, repository: git.Repository, index: Path | None) -> None:
        self._repository = repository
        self._index = index

    def why_not(self, path: str, held: Held) -> str | None:
        """Why a file cannot be committed from elsewhere now; None where nobody works on it."""
        if self._index is None:
            return None
        for name, why in _UNDER_WAY.items():
            if (self._index.parent / name).exists():
                return why
        if self._staged(path) != _entry(held.entry):
            return "it has staged changes"
        return None if self._file_is(path, held) else "it has uncommitted changes in the working tree"

    def follow(self, path: str, held: Held, entry: git_write.Entry | None, content: bytes) -> None:
        """Let the index and the working tree hold what was committed; a file that changed meanwhile stays as it is.

        Args:
            path: the file.
            held: what HEAD had before.
            entry: what HEAD has now; None where the file was deleted.
            content: its content.
        """
        if self._index is None:
            return
        clean = self._file_is(path, held)
        self._write_index(path, entry)
        if clean:
            self._write_file(path, held, entry, content)

    def _staged(self, path: str) -> tuple[str, str] | None:
        """Mode and sha that the index has at a path; a conflict, or a folder of that name, equals nothing that HEAD has."""
        listed = git.run(self._repository.where, "ls-files", "--stage", "-z", "--", path).split(b"\0")[:-1]
        if not listed:
            return None
        facts, _, name = listed[0].partition(b"\t")
        mode, sha, stage = facts.decode("ascii").split()
        alone = len(listed) == 1 and stage == "0" and name == os.fsencode(path)
        return (mode, sha) if alone else ("", "")

    def _file_is(self, path: str, held: Held) -> bool:
        """Whether the file on disk is what HEAD has; line ends as a checkout may write them are no change."""
        file = self._on_disk(path)
        if file is None:
            return held.entry is None
        if held.entry is None or not stat.S_ISREG(file.lstat().st_mode):
            return False
        found = file.read_bytes()
        return found == held.content or found == _as_crlf(held.content)

    def _on_disk(self, path: str) -> Path | None:
        """The file, if there is anything at its path; never one behind a link."""
        root = self._repository.root
        assert root is not None  # noqa: S101 - a repository with an index has a working tree
        at = root
        for part in path.split("/"):
            if at.is_symlink() or (at.exists() and not at.is_dir()):
                return at
            at /= part
        return at if os.path.lexists(at) else None

    def _write_index(self, path: str, entry: git_write.Entry | None) -> None:
        """Change one entry in a copy of the index, which then takes its place."""
        assert self._index is not None  # noqa: S101 - asked before
        handle, name = tempfile.mkstemp(prefix="index.studio-", dir=self._index.parent.resolve())
        os.close(handle)
        try:
            if self._index.exists():
                shutil.copyfile(self._index, name)
            else:
                Path(name).unlink()
            git_write.update_index(self._repository, {path: entry}, name)
            if self._index.exists():
                before = self._index.stat()
                os.utime(name, ns=(before.st_atime_ns, before.st_mtime_ns))
            Path(name).replace(self._index)
        finally:
            Path(name).unlink(missing_ok=True)

    def _write_file(self, path: str, held: Held, entry: git_write.Entry | None, content: bytes) -> None:
        root = self._repository.root
        assert root is not None  # noqa: S101 - as above
        file = root / path
        if entry is None:
            file.unlink(missing_ok=True)
            for folder in list(file.parents)[: path.count("/")]:
                with contextlib.suppress(OSError):
                    folder.rmdir()
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        crlf = held.entry is not None and file.read_bytes() != held.content
        handle, name = tempfile.mkstemp(prefix=".studio-", dir=file.parent)
        try:
            with os.fdopen(handle, "wb") as written:
                written.write(_as_crlf(content) if crlf else content)
            mode = 0o777 if entry.mode == FileMode.EXECUTABLE else 0o666
            Path(name).chmod(file.stat().st_mode & 0o777 if file.exists() else mode & ~_umask())
            Path(name).replace(file)
        finally:
            Path(name).unlink(missing_ok=True)


@contextlib.contextmanager
def hold(repository: git.Repository) -> Iterator[Checkout]:
    """Hold a repository's index, as git itself does while it writes it, so that nobody else commits by it.

    Raises:
        RepositoryHeld: another git process holds it and does not let go.
    """
    if repository.root is None:
        yield Checkout(repository, None)
        return
    index = git.own_file(repository, "index")
    lock = index.with_name("index.lock")
    _lock(repository, lock)
    try:
        yield Checkout(repository, index)
    finally:
        lock.unlink(missing_ok=True)


def _lock(repository: git.Repository, lock: Path) -> None:
    until = time.monotonic() + LOCK_PATIENCE_SECONDS
    while True:
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        except FileExistsError:
            if time.monotonic() > until:
                raise RepositoryHeld(repository.given, str(lock)) from None
            time.sleep(_LOCK_PAUSE_SECONDS)
        else:
            return


def _entry(entry: git.TreeEntry | None) -> tuple[str, str] | None:
    return None if entry is None else (entry.mode, entry.sha)


def _as_crlf(content: bytes) -> bytes:
    r"""The content as a checkout with `core.autocrlf` writes it; one that has a `\r\n` itself is not converted."""
    return content if b"\r\n" in content else content.replace(b"\n", b"\r\n")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
