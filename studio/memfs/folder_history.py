"""A folder's versions: what each commit left of all that lies below it (decision 42)."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from studio import git
from studio.domain.bodies import EMPTY, Body
from studio.domain.directory.changes import lies_in
from studio.domain.directory.folders import file_part, folder_body
from studio.domain.directory.tree import shown_path
from studio.domain.history import SUBMODULE_MODE
from studio.domain.timeline import Status, Version
from studio.errors import NothingToRead
from studio.memfs.commits import Who, authors_of, row_of
from studio.memfs.repo import tree_at


def folder_versions(
    repository: git.Repository, commits: Sequence[git.Commit], folder: str, rule: Sequence[str]
) -> tuple[tuple[Version, ...], Body]:
    """The versions of a folder along HEAD's first parents, newest first, and what the newest holds.

    Lines are those of its files, as git counts them: the lines between files in the folder's text are nobody's.

    Args:
        repository: the directory.
        commits: HEAD's first parents, newest first, with renames and counted lines.
        folder: the folder as shown, with a slash at its end.
        rule: globs of commit authors that are agents (decision 3).

    Raises:
        NothingToRead: no commit knows the folder, or a partial copy lacks a text of its newest version.
    """
    found = [(commit, tuple(_below(commit, folder))) for commit in reversed(commits)]
    touched = [(commit, changes) for commit, changes in found if changes]
    if not touched:
        raise NothingToRead(f"{folder!r} in {repository.given}", "no commit of HEAD knows it")
    named = {change.sha for _, changes in touched for change in changes if _has_text(change)}
    texts = {sha: Body.of_bytes(content or b"").shown for sha, content in git.blobs(repository, named)}
    held = _Held(folder, {sha: len(text) + (not text.endswith("\n") and text != "") for sha, text in texts.items()})
    who = authors_of(repository, [commit for commit, _ in touched], rule)
    versions = [_version(number, *one, held, who) for number, one in enumerate(touched, 1)]
    ended = [replace(one, until=after.at) for one, after in pairwise(versions)]
    return (replace(versions[-1], live=True), *reversed(ended)), folder_text(repository, repository.head, folder)


def folder_text(repository: git.Repository, commit: str, folder: str) -> Body:
    """What a folder holds at a commit, empty where it is not there. Raises `NothingToRead` where a partial copy lacks a text."""
    tree = tree_at(repository, commit, lists=lambda path: lies_in(shown_path(path), folder), reads=lambda _: True)
    return folder_body(tree) or EMPTY


@dataclass(slots=True)
class _Held:
    """What lies in a folder, kept up to date change by change."""

    folder: str
    lengths: Mapping[str, int]
    """Code points of each text in the folder's text."""
    files: dict[str, git.Change] = field(default_factory=dict)

    def apply(self, changes: Sequence[git.Change]) -> Status:
        """Take in what a commit did, and say what that made of the folder."""
        was = bool(self.files)
        for change in changes:
            self.files.pop(change.old_path or change.path, None)
            if change.status != "D" and lies_in(shown_path(change.path), self.folder):
                self.files[change.path] = change
        return Status.DELETED if not self.files else Status.MODIFIED if was else Status.ADDED

    @property
    def characters(self) -> int:
        """Of the folder's text."""
        sizes = [len(file_part(path, "")) + self._length(change) for path, change in self.files.items()]
        return sum(sizes) + max(len(sizes) - 1, 0)

    @property
    def sha256(self) -> str:
        """Of the list of what lies there, which tells two states of it apart without their texts."""
        listed = sorted(f"{shown_path(path)}\0{one.mode} {one.sha}\n" for path, one in self.files.items())
        return hashlib.sha256("".join(listed).encode()).hexdigest()

    def _length(self, change: git.Change) -> int:
        return self.lengths[change.sha] if _has_text(change) else len(change.sha) + 1


def _below(commit: git.Commit, folder: str) -> Iterator[git.Change]:
    for change in commit.changes:
        old = None if change.old_path is None else shown_path(change.old_path)
        if lies_in(shown_path(change.path), folder) or lies_in(old, folder):
            yield change


def _has_text(change: git.Change) -> bool:
    return change.status != "D" and change.mode != SUBMODULE_MODE


def _version(number: int, commit: git.Commit, changes: Sequence[git.Change], held: _Held, who: Who) -> Version:
    status = held.apply(changes)
    row = row_of(commit, None, who)
    counted = [change for change in changes if change.added is not None]
    return Version(
        number=number,
        author=row.author,
        at=row.at,
        added=sum(one.added or 0 for one in counted) if counted else None,
        removed=sum(one.removed or 0 for one in counted) if counted else None,
        characters=held.characters,
        status=status,
        live=False,
        sha256=held.sha256,
        first_kept=number == 1,
        origin=replace(row.origin, path=held.folder),
    )
