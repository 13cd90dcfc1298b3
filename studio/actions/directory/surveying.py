"""Look at a memory directory as a whole, without waiting: only what HEAD is, and what became of its history, is asked each time."""

from dataclasses import replace
from functools import lru_cache

from studio import git
from studio.actions.context import Context
from studio.actions.directory.contents import CACHED_COMMITS, at, contents_of
from studio.actions.directory.links import linked, look
from studio.actions.directory.linting import left_out_rules, lint_directory
from studio.domain.bodies import Body
from studio.domain.directory.findings import Checked
from studio.domain.directory.limits import check, older_findings
from studio.domain.directory.lint.rules import Place
from studio.domain.directory.lint.run import lint_text
from studio.domain.directory.secrets import SECRET, secret_findings
from studio.domain.directory.shrink import propose
from studio.domain.directory.survey import Advice, Survey, refuses
from studio.domain.directory.tree import CONFIG, INDEX, FileMode, Tree, TreeFile
from studio.memfs.repo import open_directory
from studio.memfs.secrets import find_keys

_TYPED = "typed"
"""In place of a blob's sha: a text that is in no repository yet."""


def survey(context: Context, agent: str, commit: str | None = None) -> Survey:
    """All that an agent's directory holds at a commit, of HEAD without one.

    Args:
        context: the open store, which remembers what was seen of the history.
        agent: id or unique name.
        commit: a branch, a tag, a sha or an expression such as `HEAD~2`.

    Raises:
        NoDirectory: the agent's memory is in the store.
        NothingToRead: the repository cannot be read.
        NotFound: there is no such commit.
    """
    _, link = linked(context, agent)
    opened = look(context, link)
    contents = contents_of(opened.repository, commit)
    return Survey(opened.link, opened.repository.head, contents, opened.history.warnings)


def advise(context: Context, agent: str, commit: str | None = None) -> Advice:
    """What the writing rules say of a commit, of HEAD without one, and how it could shrink (decision 35).

    The first time takes seconds in a large directory. Raises what `survey` does.
    """
    _, link = linked(context, agent)
    return _advice(at(open_directory(link.path, unborn=False), commit))


def judge(context: Context, agent: str, path: str, text: str | None) -> Checked:
    """What an edit that was not made yet would be told: all that would refuse it, and what the writing rules say of its text.

    Args:
        context: the open store.
        agent: id or unique name.
        path: the file, as it is shown.
        text: what it is to hold; None deletes it.

    Raises what `survey` does.
    """
    _, link = linked(context, agent)
    head = contents_of(open_directory(link.path, unborn=False))
    before = head.file(path)
    tree = _with(head.tree, before.path if before else path, text)
    refused = check(tree, [head.tree], config_approved=path == CONFIG)
    older = older_findings(refused, tree, [head.tree])
    if text is None:
        return Checked(refused, older)
    secrets = tuple(secret_findings(path, find_keys(text)))
    said = () if path == CONFIG else lint_text(path, _place(path), text, off=left_out_rules())
    advice = tuple(one for one in said if one.kind != SECRET)
    return Checked((*refused, *secrets, *advice), older)


@lru_cache(maxsize=CACHED_COMMITS)
def _advice(repository: git.Repository) -> Advice:
    """Without what the hook refuses, which is among a survey's findings."""
    found = lint_directory(repository.given, commit=repository.head)
    return Advice(tuple(one for one in found if not refuses(one)), propose(contents_of(repository).tree))


def _with(tree: Tree, path: str, text: str | None) -> Tree:
    """The tree with another text at a path."""
    others = [file for file in tree if file.path != path]
    if text is None:
        return Tree(tuple(others))
    before = tree.at(path) or TreeFile(path, FileMode.REGULAR, _TYPED)
    file = replace(before, sha=_TYPED, body=Body(text))
    return Tree(tuple(sorted([*others, file], key=lambda one: one.path.encode("utf-8", "surrogateescape"))))


def _place(path: str) -> Place:
    if path == INDEX:
        return Place.INDEX
    return Place.DEFERRED if "/" in path else Place.BLOCK
