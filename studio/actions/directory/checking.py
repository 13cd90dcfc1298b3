"""Compile and check a memory directory, and keep its hook: each needs a repository and no store."""

import os
from collections.abc import Iterable
from pathlib import Path

from studio.domain.directory.config import Config
from studio.domain.directory.findings import Checked, Finding
from studio.domain.directory.hooks import OUTSIDE, HookStatus
from studio.domain.directory.layout import Compiled
from studio.domain.directory.limits import tree_findings
from studio.memfs import hook_install
from studio.memfs.checks import check_commit, check_staged, config_approved, markers_approved
from studio.memfs.repo import compiled_at, open_directory, tree_at


def compile_directory(path: str | Path, commit: str | None = None, base: str | None = None) -> Compiled:
    """The compiled memory at a commit, at HEAD without one; only committed text compiles (decision 32).

    Args:
        path: the repository.
        commit: a branch, a tag, a sha or an expression such as `HEAD~2`.
        base: a base prompt to put it in.

    Raises:
        NothingToRead: it is no repository, has no commits, or is a partial copy that lacks what is to be read.
        NotFound: there is no such commit, or git is not installed.
    """
    return compiled_at(open_directory(path), commit, base)


def missing_index(path: str | Path, commit: str | None = None) -> str | None:
    """Why a commit compiles to no `<memory>` and how to mend that; None where it has its root index.

    Raises what `compile_directory` does.
    """
    tree = tree_at(open_directory(path), commit, reads=lambda _: False)
    return missing_index_among(tree_findings(tree, Config()))


def missing_index_among(findings: Iterable[Finding]) -> str | None:
    """`missing_index`, where the findings of the commit are known."""
    return next((one.message for one in findings if one.kind == "root_index_missing"), None)


def check_directory(path: str | Path, *, staged: bool = False, commit: str | None = None) -> Checked:
    """What the hook refuses in what is staged, or would refuse in the tree of a commit, of HEAD without one.

    Raises what `compile_directory` does.
    """
    repo = open_directory(path)
    if staged:
        return check_staged(
            repo, config_approved=config_approved(os.environ), markers_approved=markers_approved(os.environ)
        )
    return check_commit(repo, commit)


def change_of_config_approved() -> bool:
    """Whether the environment says that a person let the config be changed, by either of its two names (decision 33)."""
    return config_approved(os.environ)


def hook_status(path: str | Path) -> HookStatus:
    """How the pre-commit hook of a repository stands."""
    return hook_install.status(open_directory(path))


def install_hook(path: str | Path, *, force: bool = False, yes_to: Iterable[str] = ()) -> HookStatus:
    """Make the check the pre-commit and pre-merge-commit hook of a repository; a foreign hook is put aside only with `force`.

    Args:
        path: the repository.
        force: put another program's hook aside.
        yes_to: what is confirmed: `hooks-outside`, that the folder of hooks is outside of the repository.

    Raises:
        HookInTheWay: another program's hook is there.
        HooksOutside: the folder of hooks is outside of the repository.
    """
    return hook_install.install(open_directory(path), force=force, outside=OUTSIDE in set(yes_to))


def uninstall_hook(path: str | Path) -> HookStatus:
    """Take the check away as a hook, and put back what was kept aside for it.

    Raises:
        HookInTheWay: the hook there is another program's.
    """
    return hook_install.uninstall(open_directory(path))
