"""Lint a memory directory, an artifact memory or a Task, and propose how a directory could shrink (decision 35)."""

import os
from collections.abc import Sequence
from pathlib import Path

from studio import git
from studio.actions.context import Context, find_agent
from studio.actions.directory.links import linked
from studio.actions.history import body_of, versions_of
from studio.domain.agents import Agent, Layout
from studio.domain.changes import TextKind
from studio.domain.directory.findings import Finding
from studio.domain.directory.lint.piling import GROWTH_VERSIONS
from studio.domain.directory.lint.rules import Place, switched_off
from studio.domain.directory.lint.run import lint_text, lint_tree
from studio.domain.directory.shrink import Proposal, propose
from studio.domain.directory.tree import Tree
from studio.memfs import repo
from studio.memfs.growth import recent_texts
from studio.memfs.secrets import find_keys
from studio.sources.settings import lint_off
from studio.store.database import Cursor

FILE_NAMES = {TextKind.MEMORY: "memory.md", TextKind.TASK: "task.md"}
"""What findings call a text that is in the store."""


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
    return propose(_tree(opened, commit, staged=staged))


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


def lint_stored(
    context: Context, agent: str, text: TextKind, *, written: str | None = None, off: Sequence[str] = ()
) -> tuple[Finding, ...]:
    """What the writing rules say about an agent's memory or Task; of a memory directory, about all of it.

    Args:
        context: the open store.
        agent: id or unique name.
        text: memory or Task.
        written: a text to look at in place of the live one, such as a draft; its growth is not judged.
        off: rules to leave out, beside those that `STUDIO_LINT_OFF` names.

    Raises:
        UnknownAgent: there is no such agent.
        UnknownLintRule: `off` names no rule.
    """
    left_out = left_out_rules(off)
    with context.database.read() as cursor:
        who = find_agent(cursor, agent)
        directory = text is TextKind.MEMORY and who.layout is Layout.DIRECTORY and written is None
        texts = () if directory else (written,) if written is not None else _recent(cursor, who, text)
    if directory:
        return lint_linked(context, who.id, off=off)
    if not texts:
        return ()
    place = Place.MEMORY if text is TextKind.MEMORY else Place.TASK
    return lint_text(FILE_NAMES[text], place, texts[-1], history=texts, scan=find_keys, off=left_out)


def _recent(cursor: Cursor, agent: Agent, text: TextKind) -> tuple[str, ...]:
    """The newest versions of a stored text, oldest first; none where the live one is no text."""
    versions = versions_of(cursor, agent, text)[:GROWTH_VERSIONS]
    bodies = [body_of(cursor, agent, text, version) for version in reversed(versions)]
    if not bodies or bodies[-1].text is None:
        return ()
    return tuple(body.text for body in bodies if body.text is not None)


def _tree(opened: git.Repository, commit: str | None, *, staged: bool) -> Tree:
    return repo.staged(opened).tree if staged else repo.tree_at(opened, commit, reads=repo.all_markdown)


def _lint(opened: git.Repository, tree: Tree, commit: str | None, left_out: frozenset[str]) -> tuple[Finding, ...]:
    """The findings of a tree, with what is known of how its root files grew."""
    recent = recent_texts(opened, GROWTH_VERSIONS, commit) if opened.head else {}
    core = {file.path: file.text for file in tree if repo.core_files(file.path)}
    grown = {path: (*recent.get(path, ()), text) for path, text in core.items()}
    return lint_tree(tree, history=grown, scan=find_keys, off=left_out)
