"""Commit one file of a memory directory through the checks of the hook, past what its owner is working on (decision 1).

The hook itself does not run: its checks are made here, on the tree that is to be committed, so an edit is judged once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from studio import git, git_write
from studio.domain.bodies import Body
from studio.domain.directory.findings import Finding
from studio.domain.directory.limits import check, is_older
from studio.domain.directory.secrets import secret_findings
from studio.domain.directory.tree import FileMode, Tree, TreeFile, shown_path
from studio.errors import Uncommitted
from studio.memfs.checkout import Change, Checkout, Held, hold
from studio.memfs.repo import tree_at
from studio.memfs.secrets import find_keys

REFLOG = "studio: edit"
"""What the reflog says of such a commit."""
_NOT_READ = "0"


@dataclass(frozen=True, slots=True)
class Proposed:
    """An edit that was not committed yet."""

    path: str
    """The file."""
    content: bytes | None
    """What it is to hold; None deletes it."""
    held: Held
    """What it holds at HEAD."""

    @property
    def changes(self) -> bool:
        """Whether HEAD does not have it already."""
        if self.content is None or self.held.entry is None:
            return (self.content is None) != (self.held.entry is None)
        return self.content != self.held.content


def propose(repository: git.Repository, path: str, content: bytes | None) -> Proposed:
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
        return Proposed(path, content, Held(None, b""))
    entry = entries[0]
    if entry.path != path or entry.kind != "blob" or entry.mode == FileMode.LINK:
        raise Uncommitted(path, "it is a folder, a link or a submodule there, and no file")
    tree = tree_at(repository, lists=lambda name: name == path, reads=lambda _: True)
    file = tree.at(path)
    return Proposed(path, content, Held(entry, file.body.content if file is not None and file.body else b""))


def findings(repository: git.Repository, proposed: Proposed, *, config_approved: bool) -> tuple[str, ...]:
    """What the hook would say of the edit, a sentence for each; empty where it would let it pass."""
    head = tree_at(repository)
    tree = _edited(head, proposed)
    found: list[Finding] = list(check(tree, [head], config_approved=config_approved))
    if proposed.content is not None:
        found.extend(secret_findings(shown_path(proposed.path), find_keys(Body.of_bytes(proposed.content).shown)))
    return tuple(
        one.message + (" (This is older than the edit.)" if is_older(one, tree, [head]) else "") for one in found
    )


def commit(repository: git.Repository, proposed: Proposed, message: str, by: git_write.Signature) -> str | None:
    """Commit an edit; gives the commit, or None where HEAD moved meanwhile and nothing was changed.

    Raises:
        Uncommitted: the file has changes that are not committed, or the owner is in the middle of a merge or rebase.
        RepositoryHeld: another git process holds the index.
    """
    path, content, held = proposed.path, proposed.content, proposed.held
    with hold(repository) as checkout:
        busy = checkout.why_not({path: held})
        if busy is not None:
            raise Uncommitted(*busy)
        entry = None
        if content is not None:
            mode = held.entry.mode if held.entry else str(FileMode.REGULAR)
            entry = git_write.Entry(mode, git_write.write_blob(repository, content))
        return commit_on_head(repository, checkout, {path: Change(held, entry, content or b"")}, message, by)


def commit_on_head(
    repository: git.Repository,
    checkout: Checkout,
    changes: Mapping[str, Change],
    message: str,
    by: git_write.Signature,
) -> str | None:
    """Commit changes on top of HEAD and let the owner's checkout follow; None where HEAD moved meanwhile and nothing was changed."""
    tree = git_write.write_tree(repository, repository.head, {path: one.entry for path, one in changes.items()})
    made = git_write.write_commit(repository, tree, (repository.head,), message, by)
    if not git_write.move_head(repository, made, repository.head, REFLOG, by):
        return None
    checkout.follow(changes)
    return made


def _edited(head: Tree, proposed: Proposed) -> Tree:
    """The tree with the edit in it."""
    others = [file for file in head if file.path != proposed.path]
    if proposed.content is None:
        return Tree(tuple(others))
    before = head.at(proposed.path) or TreeFile(proposed.path, FileMode.REGULAR, _NOT_READ)
    file = replace(before, sha=_NOT_READ, body=Body.of_bytes(proposed.content))
    return Tree(tuple(sorted([*others, file], key=lambda one: one.path.encode("utf-8", "surrogateescape"))))
