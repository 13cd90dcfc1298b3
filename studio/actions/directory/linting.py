"""Lint a memory directory, an artifact memory or a Task, and propose how a directory could shrink (decision 35)."""

import os
from collections.abc import Sequence
from pathlib import Path

from studio import git
from studio.actions.context import Context
from studio.actions.directory.links import linked
from studio.domain.directory.findings import Finding
from studio.domain.directory.lint.piling import GROWTH_VERSIONS
from studio.domain.directory.lint.rules import switched_off
from studio.domain.directory.lint.run import lint_tree
from studio.domain.directory.proposal import Proposal
from studio.domain.directory.shrink import propose
from studio.domain.directory.tree import Tree
from studio.memfs import repo
from studio.memfs.growth import recent_texts
from studio.memfs.secrets import find_keys
from studio.sources.settings import lint_off


def left_out_rules(off: Sequence[str] = ()) -> frozenset[str]:
    """The rules that are switched off here: those that `STUDIO_LINT_OFF` names, and these. Raises `UnknownLintRule`."""
    return switched_off((*lint_off(os.environ), *off))


def lint_directory(
    path: str | Path, *, staged: bool = False, commit: str | None = None, off: Sequence[str] = ()
) -> tuple[Finding, ...]:
    """What the writing rules say about what is staged, or about a commit, HEAD without one.

    Args:
        path: the repository.
        staged: look at what is staged.
        commit: a branch, a tag, a sha or an expression such as `HEAD~2`.
        off: rules to leave out, beside those that `STUDIO_LINT_OFF` names.

    Raises:
        UnknownLintRule: one of these is no rule.
        NothingToRead: it is no repository, or there is nothing in it to look at.
        NotFound: there is no such commit, or git is not installed.
    """
    left_out = left_out_rules(off)
    opened = repo.open_directory(path)
    return _lint(opened, _tree(opened, commit, staged=staged), commit, left_out)


def shrink_directory(path: str | Path, *, staged: bool = False, commit: str | None = None) -> Proposal:
    """How the core of what is staged, or of a commit, could shrink. Raises what `lint_directory` does."""
    opened = repo.open_directory(path)
    return propose(repo.whole(opened, _tree(opened, commit, staged=staged), repo.core_files))


def lint_linked(
    context: Context, agent: str, commit: str | None = None, *, off: Sequence[str] = ()
) -> tuple[Finding, ...]:
    """What the writing rules say about an agent's memory directory. Raises `NoDirectory`, and what `lint_directory` does."""
    _, link = linked(context, agent)
    return lint_directory(link.path, commit=commit, off=off)


def shrink_linked(context: Context, agent: str, commit: str | None = None) -> Proposal:
    """How an agent's memory directory could shrink. Raises `NoDirectory`, and what `lint_directory` does."""
    _, link = linked(context, agent)
    return shrink_directory(link.path, commit=commit)


def _tree(opened: git.Repository, commit: str | None, *, staged: bool) -> Tree:
    return repo.staged(opened).tree if staged else repo.tree_at(opened, commit, reads=repo.all_markdown)


def _lint(opened: git.Repository, tree: Tree, commit: str | None, left_out: frozenset[str]) -> tuple[Finding, ...]:
    """The findings of a tree, with what is known of how its root files grew."""
    recent = recent_texts(opened, GROWTH_VERSIONS, commit) if opened.head else {}
    core = {file.path: file.text for file in tree if repo.core_files(file.path)}
    grown = {path: (*recent.get(path, ()), text) for path, text in core.items()}
    return lint_tree(tree, history=grown, scan=find_keys, off=left_out)
