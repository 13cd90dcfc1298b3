"""Migrate a directory of the old layout: what would be done, and doing it in one commit."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from studio import git, git_write
from studio.domain.directory.migration import Migration, plan
from studio.domain.directory.secrets import secret_findings
from studio.domain.directory.tree import FileMode, Tree, shown_path
from studio.errors import MigrationRefused
from studio.memfs.checkout import hold
from studio.memfs.editing import Committed, commit_on_head
from studio.memfs.repo import tree_at, whole
from studio.memfs.secrets import find_keys
from studio.memfs.working_tree import Change, Held


def plan_migration(repository: git.Repository) -> Migration:
    """What migrating HEAD would do, and every reason against it: those of the layout, of today's limits, and secrets.

    Raises:
        NothingToRead: there are no commits, or a partial copy lacks what is to be read.
    """
    return _planned(whole(repository, tree_at(repository)))


def migrate(repository: git.Repository, message: str, by: git_write.Signature) -> Committed | None:
    """Migrate HEAD in one commit; None where HEAD moved meanwhile and nothing was changed.

    Raises:
        MigrationRefused: there is a reason against it.
        Uncommitted: a file of it has uncommitted changes, or a new one is on disk already.
        RepositoryHeld: another git process holds the index.

    And what `commit_on_head` does.
    """
    tree = whole(repository, tree_at(repository))
    migration = _planned(tree)
    if migration.reasons:
        raise MigrationRefused(repository.given, migration.reasons)
    changes = _changes(repository, tree, migration)
    with hold(repository) as checkout:
        return commit_on_head(repository, checkout, changes, message, by)


def _planned(tree: Tree) -> Migration:
    migration = plan(tree)
    return replace(migration, reasons=(*migration.reasons, *_secrets(migration)))


def _secrets(migration: Migration) -> Iterator[str]:
    for step in migration.steps:
        for finding in secret_findings(shown_path(step.new or ""), find_keys(step.text)):
            yield finding.message


def _changes(repository: git.Repository, tree: Tree, migration: Migration) -> Mapping[str, Change]:
    """What becomes of each path."""

    def held(path: str) -> Held:
        file = tree.at(path)
        if file is None:
            return Held(None, b"")
        return Held(git.TreeEntry(file.mode, "blob", file.sha, path), file.body.content if file.body else b"")

    kept = [step for step in migration.steps if step.new is not None]
    contents = [step.text.encode() for step in kept]
    changes = {step.old: Change(held(step.old), None, b"") for step in migration.steps if step.old is not None}
    for step, sha, content in zip(kept, git_write.write_blobs(repository, contents), contents, strict=True):
        if step.new is not None:
            before = tree.at(step.old) if step.old else None
            entry = git_write.Entry(before.mode if before else FileMode.REGULAR, sha)
            changes[step.new] = Change(held(step.new), entry, content)
    return changes
