"""Commit one file of a memory directory through the checks of the hook, past what its owner is working on (decision 1).

The hook itself does not run: its checks are made here, on the tree that is to be committed, so an edit is judged once.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from studio import git, git_write
from studio.domain.bodies import Body
from studio.domain.directory.editing import edited_tree
from studio.domain.directory.findings import Checked
from studio.domain.directory.limits import check
from studio.domain.directory.secrets import secret_findings
from studio.domain.directory.tree import FileMode, Tree, shown_path
from studio.errors import Uncommitted
from studio.memfs.checkout import Checkout, hold
from studio.memfs.checks import markers_in, older
from studio.memfs.repo import tree_at, whole
from studio.memfs.secrets import keys_in
from studio.memfs.working_tree import Change, Held

REFLOG = "studio"
"""What the reflog says such a commit is by, before its subject."""


class Committed(NamedTuple):
    """A commit that was made from elsewhere."""

    sha: str
    """Its full sha."""
    behind: str | None
    """Why the owner's working tree does not have it yet, as a sentence; None where it does."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """An edit that was not committed yet."""

    path: str
    """The file."""
    content: bytes | None
    """What it is to hold; None deletes it."""
    held: Held
    """What it holds at HEAD."""
    mode: FileMode = FileMode.REGULAR
    """What it is to be where it is not there."""

    @property
    def changes(self) -> bool:
        """Whether HEAD does not have it already."""
        if self.content is None or self.held.entry is None:
            return (self.content is None) != (self.held.entry is None)
        return self.content != self.held.content


def propose(
    repository: git.Repository, path: str, content: bytes | None, mode: FileMode = FileMode.REGULAR
) -> Proposed:
    """An edit of what HEAD has now.

    Raises:
        NothingToRead: a partial copy lacks the file.
        Uncommitted: the path is a folder, a link or a submodule, or lies in what is no folder.
    """
    parts = path.split("/")
    above = {"/".join(parts[:depth]) for depth in range(1, len(parts))}
    entries = git.files_at(
        repository, repository.head, lambda name: name == path or name in above or name.startswith(f"{path}/")
    )
    if entries and entries[0].path in above:  # git would delete that file without a word
        raise Uncommitted(path, f"{shown_path(entries[0].path)} is no folder there")
    if not entries:
        return Proposed(path, content, Held(None, b""), mode)
    entry = entries[0]
    if entry.path != path or entry.kind != "blob" or entry.mode == FileMode.LINK:
        raise Uncommitted(path, "it is a folder, a link or a submodule there, and no file")
    tree = whole(repository, tree_at(repository, lists=lambda name: name == path, reads=lambda _: True))
    file = tree.at(path)
    return Proposed(path, content, Held(entry, file.body.content if file is not None and file.body else b""))


def judge(head: Tree, path: str, body: Body | None, *, config_approved: bool) -> Checked:
    """What the hook would say of an edit of one file: all limits, and secrets and conflict markers in what it is to hold.

    Args:
        head: the tree before, with its memory and its config read.
        path: the file.
        body: what it is to hold; None deletes it.
        config_approved: whether a person let this edit change the config.
    """
    tree = edited_tree(head, path, body)
    secrets = () if body is None else secret_findings(shown_path(path), keys_in(body))
    edited = tree.at(path)
    markers = () if edited is None else markers_in(edited)
    found = (*check(tree, [head], config_approved=config_approved), *secrets, *markers)
    return Checked(found, older(found, tree, [head]))


def judge_proposed(repository: git.Repository, proposed: Proposed, *, config_approved: bool) -> Checked:
    """What the hook would say of an edit of what HEAD has. See `judge`."""
    body = None if proposed.content is None else Body.of_bytes(proposed.content)
    return judge(tree_at(repository), proposed.path, body, config_approved=config_approved)


def commit(repository: git.Repository, proposed: Proposed, message: str, by: git_write.Signature) -> Committed | None:
    """Commit an edit; None where HEAD moved meanwhile and nothing was changed. Raises what `commit_on_head` does."""
    path, content, held = proposed.path, proposed.content, proposed.held
    entry = None
    if content is not None:
        mode = held.entry.mode if held.entry else str(proposed.mode)
        entry = git_write.Entry(mode, git_write.write_blob(repository, content))
    with hold(repository) as checkout:
        return commit_on_head(repository, checkout, {path: Change(held, entry, content or b"")}, message, by)


def commit_on_head(
    repository: git.Repository,
    checkout: Checkout,
    changes: Mapping[str, Change],
    message: str,
    by: git_write.Signature,
) -> Committed | None:
    """Commit changes on top of HEAD and let the owner's checkout follow; None where HEAD moved meanwhile and nothing was changed.

    Args:
        repository: the directory, as it was when the changes were made up; its HEAD may be without commits.
        checkout: its index, held.
        changes: what each path holds and is to hold.
        message: the commit's message.
        by: who commits.

    Raises:
        Uncommitted: the owner is at work on a file, or in the middle of a merge or a rebase.
        EditedThere: an edit from elsewhere would go past a filter, or leave another working tree behind.
        CannotMake: the owner's working tree cannot be written.
        RepositoryHeld: another git process holds HEAD.
    """
    if git.head_now(repository) != repository.head:  # what would be said of the checkout is about another commit
        return None
    checkout.check({path: change.held for path, change in changes.items()})
    tree = git_write.write_tree(repository, repository.head, {path: one.entry for path, one in changes.items()})
    parents = (repository.head,) if repository.head else ()
    made = git_write.write_commit(repository, tree, parents, message, by)
    subject, _, _ = message.strip().partition("\n")
    with checkout.ready(changes) as follow:
        if not git_write.move_head(repository, made, repository.head, f"{REFLOG}: {subject}", by):
            return None
        return Committed(made, follow())
