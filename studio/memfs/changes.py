"""Read what was done to a directory, commit by commit: one log, which git counts the lines of (decision 42)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC

from studio import git
from studio.domain.bodies import Body
from studio.domain.directory.changes import (
    ChangedFile,
    ChangeTexts,
    DirectoryChange,
    DirectoryChanges,
    FileChange,
    LastSeen,
    plain_place,
)
from studio.domain.directory.tree import TreeFile, shown_path
from studio.domain.timeline import Status
from studio.errors import NotFound, NothingToRead, UnknownFile
from studio.memfs.commit_log import Touched, commits_of, of_memory, of_place
from studio.memfs.commits import Who, authors_of
from studio.memfs.history import read_history
from studio.memfs.repo import tree_at


def read_changes(
    repository: git.Repository, place: str | None = None, agent_authors: Sequence[str] = ()
) -> DirectoryChanges:
    """Every first-parent commit that touched a directory's memory, or one folder or file of it.

    Args:
        repository: the directory; HEAD is what it was when it was opened.
        place: a folder or a file as it is shown, memory or not; all of the memory without it.
        agent_authors: globs of commit authors that are agents (decision 3).

    Raises:
        NothingToRead: no commit of HEAD's first parents knows the folder or file, or what compiled cannot be read.
    """
    place = plain_place(place or "")
    commits, warnings = commits_of(repository)
    touched = list(of_memory(commits) if not place else of_place(commits, place))
    if place and not touched:
        raise NothingToRead(f"{place!r} in {repository.given}", "no commit of HEAD knows it")
    history = read_history(repository, None, agent_authors)
    made = {one.origin.commit: one.number for one in history.versions if one.origin is not None}
    who = authors_of(repository, [commit for commit, _ in touched], agent_authors)
    numbered = _numbered(_with_versions(commits, touched, made), made, who)
    return DirectoryChanges(repository.head, tuple(numbered)[::-1], (*warnings, *history.warnings))


def read_change(
    repository: git.Repository, commit: str, place: str | None = None, agent_authors: Sequence[str] = ()
) -> ChangeTexts:
    """One change with the texts of its files.

    Args:
        repository: the directory.
        commit: one of HEAD's first parents, by any name git knows.
        place: the only folder or file that is asked for; all of the memory without it.
        agent_authors: globs of commit authors that are agents (decision 3).

    Raises:
        NotFound: there is no such commit, or it is none of HEAD's first parents, or touched none of it.
        NothingToRead: a partial copy lacks a text.
    """
    sha = git.commit_of(repository, commit)
    found = next((one for one in read_changes(repository, place, agent_authors).changes if one.commit == sha), None)
    if found is None:
        raise NotFound(
            f"{repository.given}: commit {commit!r} touched no memory that was asked for; 'studio dir changes' lists those that did."
        )
    after = _files_at(repository, sha, {one.path for one in found.files})
    parent = _parent(repository, sha)
    before = _files_at(repository, parent, {one.old_path or one.path for one in found.files}) if parent else {}
    files = (ChangedFile(one, _body(before, one.old_path or one.path), _body(after, one.path)) for one in found.files)
    return ChangeTexts(found, tuple(files))


def _body(files: dict[str, TreeFile], path: str) -> Body | None:
    return files[path].body if path in files else None


def last_seen(
    repository: git.Repository, path: str, commit: str | None = None, agent_authors: Sequence[str] = ()
) -> LastSeen:
    """A file as it is at a commit, or at HEAD; without a commit also as it last was, where it is gone.

    Args:
        repository: the directory.
        path: the file, as shown.
        commit: a commit by any name git knows.
        agent_authors: globs of commit authors that are agents (decision 3).

    Raises:
        UnknownFile: it is not there, nor was it ever.
        NotFound: there is no such commit.
        NothingToRead: a partial copy lacks its text.
    """
    sha = repository.head if commit is None else git.commit_of(repository, commit)
    if (there := _seen(repository, sha, path)) is not None:
        return there
    if commit is not None:
        raise UnknownFile(path, commit, there=False)
    try:
        changes = read_changes(repository, path, agent_authors).changes
    except NothingToRead:
        raise UnknownFile(path, "HEAD", there=False) from None
    for change in changes:
        went = any(one.old_path == path or (one.path == path and one.status is Status.DELETED) for one in change.files)
        parent = _parent(repository, change.commit) if went else ""
        if parent and (found := _seen(repository, parent, path)) is not None:
            return replace(found, gone=change)
    raise UnknownFile(path, "HEAD", there=False)


def _seen(repository: git.Repository, commit: str, path: str) -> LastSeen | None:
    """A file at a commit; None where it is not there."""
    found = _files_at(repository, commit, {path}).get(path)
    return None if found is None or found.body is None else LastSeen(path, found.body, commit, found.mode)


def _with_versions(
    commits: Sequence[git.Commit], touched: Iterable[Touched], made: dict[str | None, int]
) -> Iterator[tuple[git.Commit, tuple[FileChange, ...], int | None]]:
    """Each with the version of the compiled memory after it."""
    files = {commit.sha: several for commit, several in touched}
    version: int | None = None
    for commit in reversed(commits):
        version = made.get(commit.sha, version)
        if commit.sha in files:
            yield commit, files[commit.sha], version


def _numbered(
    found: Iterable[tuple[git.Commit, tuple[FileChange, ...], int | None]],
    made: dict[str | None, int],
    who: Who,
) -> Iterator[DirectoryChange]:
    for number, (commit, files, version) in enumerate(found, 1):
        yield DirectoryChange(
            number=number,
            commit=commit.sha,
            at=commit.at.astimezone(UTC),
            author=who(commit),
            subject=commit.subject,
            merge=len(commit.parents) > 1,
            files=files,
            version=version,
            new_version=commit.sha in made,
        )


def _parent(repository: git.Repository, commit: str) -> str:
    """The first parent of one of HEAD's first parents; empty where it has none."""
    commits, _ = commits_of(repository)
    return next((one.parents[0] for one in commits if one.sha == commit and one.parents), "")


def _files_at(repository: git.Repository, commit: str, paths: set[str]) -> dict[str, TreeFile]:
    """The files of a commit by their paths as shown, read where they are no submodules.

    Raises:
        NothingToRead: a partial copy lacks one.
    """
    tree = tree_at(repository, commit, lists=lambda path: shown_path(path) in paths, reads=lambda _: True)
    return {shown_path(file.path): file for file in tree}
