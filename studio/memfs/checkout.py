"""The index and the working tree of a directory's owner, while files of it are committed from elsewhere.

The owner may be editing, and so may be an agent. So the index is locked as git itself locks it, a file is touched only where it is as
HEAD has it, in the index and on disk, and nothing of git's is run that could run a program of the owner's (filters, hooks).
"""

import contextlib
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from studio import git, git_write
from studio.domain.directory.tree import FileMode
from studio.errors import CannotMake, RepositoryHeld

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


class Change(NamedTuple):
    """What a commit makes of one path."""

    held: Held
    """What HEAD had before."""
    entry: git_write.Entry | None
    """What it has now; None where the file is deleted."""
    content: bytes
    """Its content."""


class Checkout:
    """The index and working tree of a repository whose index we hold; of a bare one there is neither."""

    def __init__(self, repository: git.Repository, index: Path | None) -> None:
        self._repository = repository
        self._index = index

    def why_not(self, held: Mapping[str, Held]) -> tuple[str, str] | None:
        """The first of these files that cannot be committed from elsewhere now, and why; None where nobody works on any.

        Args:
            held: what HEAD has at each path.

        Raises:
            CannotMake: the folder of one cannot be written.
        """
        if self._index is None:
            return None
        for name, why in _UNDER_WAY.items():
            if (self._index.parent / name).exists():
                return next(iter(held)), why
        staged = self._staged(held)
        for path, one in held.items():
            if staged.get(path) != _entry(one.entry):
                return path, "it has staged changes"
            if not self._file_is(path, one):
                return path, "it has uncommitted changes in the working tree"
            self._check_writable(path)
        return None

    def follow(self, changes: Mapping[str, Change]) -> None:
        """Let the index and the working tree hold what was committed; a file that changed meanwhile stays as it is."""
        if self._index is None:
            return
        clean = [path for path, change in changes.items() if self._file_is(path, change.held)]
        self._write_index({path: change.entry for path, change in changes.items()})
        for path in sorted(
            clean, key=lambda path: changes[path].entry is not None
        ):  # what goes makes room for what comes
            self._write_file(path, changes[path])

    def _staged(self, paths: Iterable[str]) -> dict[str, tuple[str, str]]:
        """Mode and sha that the index has at paths; a conflict, or a folder of that name, equals nothing that HEAD has."""
        wanted = set(paths)
        found: dict[str, tuple[str, str]] = {}
        for record in git.run(self._repository.where, "ls-files", "--stage", "-z").split(b"\0")[:-1]:
            facts, _, name = record.partition(b"\t")
            mode, sha, stage = facts.decode("ascii").split()
            path = name.decode("utf-8", "surrogateescape")
            if path in wanted:
                found[path] = (mode, sha) if stage == "0" else ("", "")
        return found

    def _file_is(self, path: str, held: Held) -> bool:
        """Whether the file on disk is what HEAD has; line ends as a checkout may write them are no change."""
        file = self._on_disk(path)
        if file is None:
            return held.entry is None
        if held.entry is None or not stat.S_ISREG(file.lstat().st_mode):
            return False
        found = file.read_bytes()
        return found == held.content or found == _as_crlf(held.content)

    def _check_writable(self, path: str) -> None:
        """Ask before anything is committed: afterwards the file on disk would look like somebody's wish to undo the commit."""
        root = self._repository.root
        assert root is not None  # noqa: S101 - a repository with an index has a working tree
        folder = next(one for one in (root / path).parents if one.is_dir())
        if not os.access(folder, os.W_OK | os.X_OK):
            raise CannotMake(str(root / path), "its folder is read-only")

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

    def _write_index(self, entries: Mapping[str, git_write.Entry | None]) -> None:
        """Change entries in a copy of the index, which then takes its place."""
        assert self._index is not None  # noqa: S101 - asked before
        handle, name = tempfile.mkstemp(prefix="index.studio-", dir=self._index.parent.resolve())
        os.close(handle)
        try:
            if self._index.exists():
                shutil.copyfile(self._index, name)
            else:
                Path(name).unlink()
            git_write.update_index(self._repository, entries, name)
            if self._index.exists():
                before = self._index.stat()
                os.utime(name, ns=(before.st_atime_ns, before.st_mtime_ns))
            Path(name).replace(self._index)
        finally:
            Path(name).unlink(missing_ok=True)

    def _write_file(self, path: str, change: Change) -> None:
        """Let one file hold what was committed, with the line ends that its checkout had."""
        root = self._repository.root
        assert root is not None  # noqa: S101 - as above
        file = root / path
        if change.entry is None:
            file.unlink(missing_ok=True)
            for folder in list(file.parents)[: path.count("/")]:
                with contextlib.suppress(OSError):
                    folder.rmdir()
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        crlf = change.held.entry is not None and file.read_bytes() != change.held.content
        handle, name = tempfile.mkstemp(prefix=".studio-", dir=file.parent)
        try:
            with os.fdopen(handle, "wb") as written:
                written.write(_as_crlf(change.content) if crlf else change.content)
            mode = 0o777 if change.entry.mode == FileMode.EXECUTABLE else 0o666
            Path(name).chmod(file.stat().st_mode & 0o777 if file.exists() else mode & ~_umask())
            Path(name).replace(file)
        finally:
            Path(name).unlink(missing_ok=True)


@contextlib.contextmanager
def hold(repository: git.Repository) -> Iterator[Checkout]:
    """Hold a repository's index, as git itself does while it writes it, so that nobody else commits by it.

    Raises:
        RepositoryHeld: another git process holds it and does not let go.
        CannotMake: the repository cannot be written.
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
        except OSError as error:
            raise CannotMake(str(lock), error.strerror or str(error)) from error
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
