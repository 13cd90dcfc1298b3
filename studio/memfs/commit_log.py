"""The first parents of HEAD as a log that git counts the lines of, and which of them touched a directory's memory (decision 42)."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from studio import git
from studio.domain.directory.changes import FileChange, Part, holding, indexed_folder, lies_in, part_of
from studio.domain.directory.tree import FileMode, shown_path
from studio.domain.history import status_of
from studio.domain.timeline import Status

CACHED_LOGS = 4
"""How many whole histories are held in memory: commits with the paths that they changed, without texts."""

Touched = tuple[git.Commit, tuple[FileChange, ...]]
"""A commit, and which files of those that were asked for it touched."""


@lru_cache(maxsize=CACHED_LOGS)
def commits_of(repository: git.Repository) -> tuple[tuple[git.Commit, ...], tuple[str, ...]]:
    """HEAD's first parents, newest first, with renames and counted lines; read once for each HEAD.

    Returns:
        The commits, and a sentence where a partial copy lacks what gives the lines and the renames. Both are known until HEAD moves,
        since it takes git long to find that out.
    """
    try:
        return git.lineage(repository, renames=True, lines=True), ()
    except git.GitFailed as error:
        why = f"Lines are not counted and renames not followed, because this copy lacks texts ({error.says})."
        return git.lineage(repository), (why,)


def of_memory(commits: Sequence[git.Commit]) -> Iterator[Touched]:
    """The commits that touched memory, oldest first, with what of it they touched."""
    folders: frozenset[str] = frozenset()
    for commit in reversed(commits):
        before = folders
        for change in commit.changes:
            gone = change.old_path if change.status != "D" else change.path
            folders -= {gone and indexed_folder(gone)}
            if change.status != "D" and (folder := indexed_folder(change.path)) is not None:
                folders |= {folder}
        found = _files(commit, before | folders)
        files = tuple(one for one in found if one.part is not Part.OTHER)
        if files:
            yield commit, files


def of_place(commits: Sequence[git.Commit], place: str) -> Iterator[Touched]:
    """The commits that touched a folder or a file, oldest first, with what of it they touched."""
    for commit in reversed(commits):
        files = tuple(holding(_files(commit, frozenset()), place))
        if files:
            yield commit, files


def _files(commit: git.Commit, folders: frozenset[str]) -> Iterator[FileChange]:
    for change in commit.changes:
        parts = [part_of(path, folders) for path in (change.path, change.old_path) if path is not None]
        mode = None if change.status == "D" else FileMode.of_git(change.mode)
        yield FileChange(
            path=shown_path(change.path),
            status=status_of(change.status, "") or Status.MODIFIED,
            part=next((part for part in parts if part is not Part.OTHER), Part.OTHER),
            mode=mode,
            added=change.added,
            removed=change.removed,
            old_path=None if change.old_path is None else shown_path(change.old_path),
        )


def is_folder(commits: Sequence[git.Commit], place: str) -> bool:
    """Whether a name that may be either is a folder's: what was left there last decides, else what was there at all.

    Args:
        commits: HEAD's first parents, newest first.
        place: the name, as shown; with a slash at its end it is a folder's.
    """
    if place.endswith("/"):
        return True
    there = [change for commit in commits for change in commit.changes if lies_in(shown_path(change.path), place)]
    left = next((change for change in there if change.status != "D"), None)
    decides = there[:1] if left is None else [left]
    return any(shown_path(change.path) != place for change in decides)
