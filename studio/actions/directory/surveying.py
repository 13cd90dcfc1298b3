"""Look at a memory directory as a whole, without waiting: only what HEAD is, and what became of its history, is asked each time."""

from functools import lru_cache

from studio import git
from studio.actions.context import Context
from studio.actions.directory.contents import CACHED_COMMITS, at, contents_of
from studio.actions.directory.links import linked, look
from studio.actions.directory.linting import left_out_rules, lint_directory
from studio.domain.bodies import Body
from studio.domain.directory.audit import Audit
from studio.domain.directory.editing import check_path, edited_tree
from studio.domain.directory.findings import Checked
from studio.domain.directory.lacking import LACKING
from studio.domain.directory.lint.run import lint_file
from studio.domain.directory.shrink import propose
from studio.domain.directory.survey import Advice, Survey, refuses
from studio.domain.directory.tree import CONFIG
from studio.memfs import editing
from studio.memfs.audit import audit_commits
from studio.memfs.repo import open_directory


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

    Raises:
        BadArgument: no edit may name the path.

    And what `survey` does.
    """
    _, link = linked(context, agent)
    head = contents_of(open_directory(link.path, unborn=False))
    before = head.file(check_path(path))
    stored = before.path if before else path
    body = None if text is None else Body(text)
    refused = editing.judge(head.tree, stored, body, config_approved=path == CONFIG)
    advice = lint_file(edited_tree(head.tree, stored, body), stored, off=left_out_rules())
    return Checked((*refused.findings, *advice), refused.older)


def audit(context: Context, agent: str, revisions: str = "") -> Audit:
    """What went round the hook in an agent's directory: in a range of commits, in all of HEAD's history without one.

    All of the history is judged once for each HEAD. Raises what `survey` does.
    """
    _, link = linked(context, agent)
    repository = open_directory(link.path, unborn=False)
    if revisions:  # what the names of a range mean changes without HEAD
        return audit_commits(repository, revisions, link.agent_authors)
    return _audit(repository, link.agent_authors)


@lru_cache(maxsize=CACHED_COMMITS)
def _audit(at: git.Repository, agent_authors: tuple[str, ...]) -> Audit:
    return audit_commits(at, "", agent_authors)


@lru_cache(maxsize=CACHED_COMMITS)
def _advice(repository: git.Repository) -> Advice:
    """Without what a survey's findings say already."""
    found = lint_directory(repository.given, commit=repository.head)
    return Advice(
        tuple(one for one in found if not refuses(one) and one.kind != LACKING), propose(contents_of(repository).tree)
    )
