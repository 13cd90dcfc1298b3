"""The index and the working tree of a directory's owner, while files of it are committed from elsewhere.

The owner may be editing, and so may be an agent. So the index is locked as git itself locks it, a file is touched only where it is as
HEAD has it, in the index and on disk, and nothing of git's is run that could run a program of the owner's (filters, hooks).
"""

import contextlib
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from studio import git, git_write
from studio.errors import CannotMake, EditedThere, RepositoryHeld, Uncommitted
from studio.memfs.working_tree import Change, Held, WorkingTree, beside

LOCK_PATIENCE_SECONDS = 3.0
"""How long another git process may hold the index before we give up."""
_LOCK_PAUSE_SECONDS = 0.05
_UNDER_WAY = {
    "MERGE_HEAD": "a merge is under way",
    "CHERRY_PICK_HEAD": "a cherry-pick is under way",
    "REVERT_HEAD": "a revert is under way",
    "rebase-merge": "a rebase is under way",
    "rebase-apply": "a rebase is under way",
    "sequencer": "a cherry-pick or revert of several commits is under way",
    "BISECT_LOG": "a bisect is under way",
}
"""Files of git's own that say the owner is in the middle of something."""
_SKIPPED = {"S", "s"}
"""How git marks what is left out of the working tree; in small where it is assumed unchanged too."""


class _Indexed(NamedTuple):
    """What the index has at a path."""

    entry: tuple[str, str] | None
    """Mode and sha; None where something else stands in the path's place, as a conflict does."""
    skipped: bool
    """Whether the file is left out of the working tree, as a sparse checkout does."""


class Checkout:
    """The index and working tree of a repository whose index we hold; of a bare one there is neither."""

    def __init__(self, repository: git.Repository, index: Path | None) -> None:
        self._repository = repository
        self._index = index
        self._files = WorkingTree(repository.root or Path(repository.given))

    def check(self, held: Mapping[str, Held]) -> None:
        """Refuse what cannot be committed from elsewhere now.

        Args:
            held: what HEAD has at each path.

        Raises:
            Uncommitted: its owner works on one of these files, or is in the middle of something.
            EditedThere: git converts one of them, or HEAD's branch is checked out elsewhere.
            CannotMake: one cannot be written on disk.
        """
        elsewhere = git_write.other_checkout(self._repository)
        if elsewhere is not None:
            branch, folder = elsewhere
            raise EditedThere(self._repository.given, f"{folder} has its branch {branch} checked out too", folder)
        if self._index is None:
            return
        for name, why in _UNDER_WAY.items():
            if (self._index.parent / name).exists():
                raise Uncommitted(next(iter(held)), why)
        converted = git_write.conversions(self._repository, held)
        indexed = self._indexed(held)
        for path, one in held.items():
            if path in converted:
                raise EditedThere(path, f"git converts it by its {converted[path]}", self._repository.given)
            found = indexed.get(path)
            if found is not None and found.entry is None:
                raise Uncommitted(path, "something else is staged in its place")
            if (found and found.entry) != _entry(one.entry):
                raise Uncommitted(path, "it has staged changes")
            if not self._left_out(path, found):
                self._files.check(path, one)

    @contextlib.contextmanager
    def ready(self, changes: Mapping[str, Change]) -> Iterator[Callable[[], str | None]]:
        """Write beside the index and the files what they are to hold, so that a full disk is met before anything is committed.

        Gives what puts all of it in place once that is committed, and says in a sentence why if it could not. A file that changed
        meanwhile stays as it is, and so does one that a sparse checkout leaves out.

        Raises:
            CannotMake: the disk does not take it; nothing of it is left.
        """
        if self._index is None:
            yield lambda: None
            return
        with contextlib.ExitStack() as written:
            try:
                indexed = self._indexed(changes)
                there = [path for path in changes if not self._left_out(path, indexed.get(path))]
                skipped = [path for path, found in indexed.items() if found.skipped and changes[path].entry is not None]
                index = self._next_index({path: change.entry for path, change in changes.items()}, skipped, written)
                files = {path: self._files.prepare(path, changes[path], written) for path in there}
            except OSError as error:
                raise CannotMake(str(error.filename or self._index), error.strerror or str(error)) from error
            yield lambda: self._follow(index, files, changes)

    def _follow(self, index: Path, files: Mapping[str, Path | None], changes: Mapping[str, Change]) -> str | None:
        """Put what was written in its place."""
        assert self._index is not None  # noqa: S101 - asked before
        try:
            index.replace(self._index)
            clean = [path for path in files if self._files.holds(path, changes[path].held)]
            for path in sorted(clean, key=lambda path: files[path] is not None):  # what goes makes room for what comes
                self._files.put(path, files[path])
        except OSError as error:
            return f"The working tree could not follow ({error.strerror or error}); 'git status' there shows what it lacks."
        return None

    def _indexed(self, paths: Iterable[str]) -> dict[str, _Indexed]:
        """What the index has at paths; what lies where a path needs a folder, or below the path itself, stands in its place."""
        wanted = set(paths)
        above = {folder: path for path in wanted for folder in _folders(path)}
        found: dict[str, _Indexed] = {}
        for record in git.run(self._repository.where, "ls-files", "-v", "--stage", "-z").split(b"\0")[:-1]:
            facts, _, name = record.partition(b"\t")
            tag, mode, sha, stage = facts.decode("ascii").split()
            path = name.decode("utf-8", "surrogateescape")
            if path in wanted:
                found[path] = _Indexed((mode, sha) if stage == "0" else None, tag in _SKIPPED)
            for taken in (above.get(path), *(folder for folder in _folders(path) if folder in wanted)):
                if taken is not None:
                    found[taken] = _Indexed(None, skipped=False)
        return found

    def _left_out(self, path: str, found: _Indexed | None) -> bool:
        """Whether a file is not on disk on purpose."""
        return found is not None and found.skipped and self._files.lacks(path)

    def _next_index(
        self, entries: Mapping[str, git_write.Entry | None], skipped: Sequence[str], written: contextlib.ExitStack
    ) -> Path:
        """A copy of the index with other entries, beside it."""
        assert self._index is not None  # noqa: S101 - asked before
        name = beside(self._index.parent.resolve() / self._index.name, "index.studio-", written)
        if self._index.exists():
            shutil.copyfile(self._index, name)
        else:
            name.unlink()
        git_write.update_index(self._repository, entries, str(name), skipped)
        if self._index.exists():
            before = self._index.stat()
            os.utime(name, ns=(before.st_atime_ns, before.st_mtime_ns))
        return name


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


def _folders(path: str) -> list[str]:
    """The folders that a path lies in."""
    return [path[:at] for at, letter in enumerate(path) if letter == "/"]
