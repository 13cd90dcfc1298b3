"""Find the file that a person names in a repository, or say why it has no history and what is like it."""

import os
import posixpath
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from rapidfuzz import fuzz, process

from studio import git
from studio.domain.directory.tree import shown_path
from studio.errors import NothingToRead

_MOST_SUGGESTIONS = 3
_LEAST_LIKENESS = 70
"""How alike, of 100, two paths must be to be suggested."""


class FoundFile(NamedTuple):
    """A path with a history."""

    path: str
    """From the root of the repository."""
    entry: git.TreeEntry | None
    """What it holds at HEAD; None where it is deleted."""
    commits: tuple[git.Commit, ...]
    """The commits that plain `git log` lists for it, newest first."""


def find_file(repository: git.Repository, path: str) -> FoundFile:
    """The file of this name, now or in the past.

    A path counts from the folder that was named as the repository, then from the repository's root, then from where the
    command runs; `./`, backslashes and both Unicode forms of a name are understood.

    Raises:
        NothingToRead: it is a folder, lies in a submodule or behind a link, or no commit of HEAD's history knows it.
    """
    candidates = list(dict.fromkeys(_candidates(repository, path)))
    entries = {entry.path: entry for entry in git.tree(repository, candidates)}
    files = [candidate for candidate in candidates if candidate in entries and entries[candidate].kind == "blob"]
    gone = [other for other in candidates if other not in entries]
    folders = [candidate for candidate in candidates if candidate in entries and entries[candidate].kind == "tree"]
    for candidate in (*files, *gone, *folders):  # what is a folder now may have been a file
        # Plain log leaves out what a branch made and deleted again before it was merged; then ask for all there is.
        for full in (False, True):
            commits = git.log(repository, [candidate], full=full)
            if any(change.path == candidate for commit in commits for change in commit.changes):
                return FoundFile(candidate, entries[candidate] if candidate in files else None, commits)
    raise NothingToRead(f"{path!r} in {repository.given}", _why_not(repository, candidates, entries))


def _candidates(repository: git.Repository, path: str) -> Iterator[str]:
    """Every path from the root that the words may mean, the likeliest first."""
    if "\0" in path or any("\ud800" <= character < "\udc80" for character in path):
        return
    for written in (path, path.replace("\\", "/")):
        for form in (written, unicodedata.normalize("NFC", written), unicodedata.normalize("NFD", written)):
            if not posixpath.isabs(form):
                yield from _inside(posixpath.normpath(posixpath.join(repository.prefix, form)))
                yield from _inside(posixpath.normpath(form))
            if repository.root is not None:
                # Only the folder is resolved: the file itself may be a link, and then the link is meant.
                folder, name = os.path.split(Path.cwd() / form)
                yield from _inside(os.path.relpath(Path(os.path.realpath(folder)) / name, repository.root))


def _inside(path: str) -> Iterator[str]:
    """The path, where it does not leave the repository."""
    if path not in {"", ".", ".."} and not path.startswith(("../", "/")):
        yield path


def _why_not(repository: git.Repository, candidates: Sequence[str], entries: dict[str, git.TreeEntry]) -> str:
    """Why there is no history to read, as the end of a sentence."""
    if not candidates:
        return "it names no file in the repository; give a path from its root"
    kinds = {entry.kind for entry in entries.values()}
    names = [shown_path(name) for name in git.file_names(repository)]
    if "tree" in kinds:
        folder = next(path for path, entry in entries.items() if entry.kind == "tree")
        return "it is a folder; name one of its files" + _such_as([n for n in names if n.startswith(f"{folder}/")])
    if "commit" in kinds:
        return "it is a submodule; import from that repository instead"
    above = [str(parent) for parent in Path(candidates[0]).parents if str(parent) != "."]
    for entry in git.tree(repository, above):
        if entry.kind == "commit":
            return f"it lies in the submodule {entry.path}; import from that repository instead"
        if entry.mode == "120000":
            return f"{entry.path} is a link to another folder; name the file where it is"
    alike = process.extract(
        candidates[0],
        names,
        scorer=fuzz.WRatio,
        processor=str.casefold,
        limit=_MOST_SUGGESTIONS,
        score_cutoff=_LEAST_LIKENESS,
    )
    return "no commit in the history of HEAD knows it" + _such_as([name for name, _, _ in alike])


def _such_as(names: Sequence[str]) -> str:
    """Names to try, as the end of a sentence."""
    return f", such as {', '.join(names[:_MOST_SUGGESTIONS])}" if names else ""
