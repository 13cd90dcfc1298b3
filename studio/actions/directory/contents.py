"""All that one commit of a memory directory holds, read once: what a commit holds never changes, so it is kept by its sha."""

from dataclasses import replace
from functools import lru_cache

from studio import git
from studio.domain.directory.layout import compile_tree, skills
from studio.domain.directory.limits import headroom
from studio.domain.directory.survey import Contents
from studio.memfs.checks import check_tree
from studio.memfs.repo import all_markdown, core_files, tree_at, whole

CACHED_COMMITS = 8
"""How many commits are held in memory with the texts of their Markdown."""


def contents_of(repository: git.Repository, commit: str | None = None) -> Contents:
    """All that a commit holds, HEAD without one, with the verdict that `studio dir check` gives of it.

    Raises:
        NothingToRead: a partial copy lacks what compiles; what else it lacks is a warning among the findings.
        NotFound: there is no such commit.
    """
    return _read(at(repository, commit))


def at(repository: git.Repository, commit: str | None) -> git.Repository:
    """The repository as it would be if the commit were HEAD. Raises `NotFound` for no commit."""
    return repository if commit is None else replace(repository, head=git.commit_of(repository, commit))


@lru_cache(maxsize=CACHED_COMMITS)
def _read(repository: git.Repository) -> Contents:
    tree = whole(repository, tree_at(repository, reads=all_markdown), core_files)
    found = check_tree(repository, tree)
    return Contents(repository.head, tree, compile_tree(tree), headroom(tree), found, tuple(skills(tree)))
