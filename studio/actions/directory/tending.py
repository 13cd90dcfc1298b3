"""Look after a repository without a store: its history, what went round the hook, and moving it from the old layout."""

import os
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from studio import git
from studio.actions.directory.signing import signature
from studio.domain.diff import diff
from studio.domain.directory.audit import Audit
from studio.domain.directory.changes import ChangeTexts, DirectoryChanges, LastSeen
from studio.domain.directory.history import DirectoryHistory, memory_body
from studio.domain.directory.migration import Migration
from studio.domain.directory.state import CommitDiff, Headroom
from studio.errors import HeadMoved
from studio.memfs import changes, migrating
from studio.memfs.audit import audit_commits
from studio.memfs.headroom import read_headroom
from studio.memfs.history import read_history
from studio.memfs.repo import compiled_at, open_directory
from studio.sources.settings import account

MIGRATION_MESSAGE = "Move memory to the layout of root blocks"
"""The message of a migration's commit where nobody gives another."""


class Migrated(NamedTuple):
    """What a migration did, or would do."""

    migration: Migration
    """Each file, what to look at afterwards, and the reasons against it."""
    commit: str | None
    """The commit that did it; None for a dry run."""
    behind: str | None = None
    """Why the owner's working tree does not have the commit yet, as a sentence; None where it does."""


def read_repository_history(path: str | Path, file: str | None = None, rule: tuple[str, ...] = ()) -> DirectoryHistory:
    """The versions of a repository's compiled memory, or of one file or folder. Raises `NothingToRead`.

    Args:
        path: the repository.
        file: the file or folder whose versions are asked for.
        rule: globs of commit authors that are agents (decision 3).
    """
    return read_history(open_directory(path, unborn=False), file, rule)


def read_repository_changes(path: str | Path, place: str | None = None, rule: tuple[str, ...] = ()) -> DirectoryChanges:
    """What was done to a repository's memory, or to a folder or file of it, commit by commit. See `memfs.changes.read_changes`."""
    return changes.read_changes(open_directory(path, unborn=False), place, rule)


def read_repository_change(
    path: str | Path, commit: str, place: str | None = None, rule: tuple[str, ...] = ()
) -> ChangeTexts:
    """One commit with the texts of the memory files that it touched. See `memfs.changes.read_change`."""
    return changes.read_change(open_directory(path, unborn=False), commit, place, rule)


def read_repository_file(path: str | Path, file: str, commit: str | None = None) -> LastSeen:
    """A file of a repository at a commit, or as it is or last was. See `memfs.changes.last_seen`."""
    return changes.last_seen(open_directory(path, unborn=False), file, commit)


def diff_repository(path: str | Path, old: str, new: str | None = None) -> CommitDiff:
    """What changed in the prompt from one commit to another, to HEAD without one. Raises `NotFound` for no commit."""
    return commit_diff(open_directory(path, unborn=False), old, new)


def commit_diff(repository: git.Repository, old: str, new: str | None = None) -> CommitDiff:
    """`diff_repository` of an open repository."""
    named = (git.commit_of(repository, old), git.commit_of(repository, new or repository.head))
    bodies = [memory_body(compiled_at(repository, commit)) for commit in named]
    before, after = ("" if body is None else body.text or "" for body in bodies)
    return CommitDiff(*named, diff(before, after))


def audit_directory(path: str | Path, revisions: str = "", rule: tuple[str, ...] = ()) -> Audit:
    """Judge every commit of a range as the hook would have. See `memfs.audit.audit_commits`."""
    return audit_commits(open_directory(path, unborn=False), revisions, rule)


def read_repository_headroom(path: str | Path) -> tuple[Headroom, ...]:
    """The use of the limits after each commit that changed memory or the config, oldest first. See `memfs.headroom.read_headroom`."""
    return read_headroom(open_directory(path, unborn=False))


def migrate_directory(
    path: str | Path, *, apply: bool, now: datetime, message: str = MIGRATION_MESSAGE, operator: str | None = None
) -> Migrated:
    """Say what moving a repository from the old layout would do, or do it in one commit.

    Args:
        path: the repository.
        apply: whether to do it.
        now: the time (UTC).
        message: the commit's message.
        operator: who commits; else `STUDIO_OPERATOR`, else the account of the system (decision 4).

    Raises:
        MigrationRefused: there is a reason against it; only where it was to be done.
        Uncommitted: a file of it has uncommitted changes.
        HeadMoved, RepositoryHeld: others were at work at the same time.
    """
    repository = open_directory(path, unborn=False)
    planned = migrating.plan_migration(repository)
    if not apply:
        return Migrated(planned, None)
    name = operator or os.environ.get("STUDIO_OPERATOR") or account()
    made = migrating.migrate(repository, message, signature(repository, name, now))
    if made is None:
        raise HeadMoved(str(path))
    return Migrated(planned, made.sha, made.behind)
