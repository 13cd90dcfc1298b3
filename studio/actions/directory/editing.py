"""Edit a block of a memory directory: a commit by an operator, through the hook's checks (decisions 1 and 37)."""

from studio import git
from studio.actions.context import Context, acting
from studio.actions.directory.links import linked, look
from studio.actions.directory.signing import signature
from studio.domain.agents import Agent
from studio.domain.authors import Author
from studio.domain.bodies import Body, check_text
from studio.domain.directory.changes import LastSeen
from studio.domain.directory.conflict_markers import CONFLICT_MARKERS
from studio.domain.directory.editing import Edited, check_path
from studio.domain.directory.link import Link
from studio.domain.directory.tree import FileMode
from studio.domain.questions import Question, What, check_answered, questions, read_words
from studio.errors import BadArgument, BlockChanged, BlockRefused, HeadMoved, UnprovenSave
from studio.memfs import editing
from studio.memfs.history import read_history
from studio.memfs.repo import open_directory
from studio.store import people

ATTEMPTS = 12
"""How often an edit is tried where somebody else commits another file in the same moment."""


def edit(
    context: Context,
    agent: str,
    path: str,
    text: str | LastSeen | None,
    message: str,
    *,
    expect: str | None = None,
    force: bool = False,
    config_approved: bool = False,
    yes_to: tuple[str, ...] = (),
    operator_name: str | None = None,
) -> Edited:
    """Commit a file of an agent's memory directory as it should be; what HEAD already has makes no commit.

    Args:
        context: the open store.
        agent: id or unique name.
        path: the file, from the directory's root; a new one is made.
        text: what it is to hold; None deletes it, and a file as it was brings that back, bytes and all, also where it is no memory.
        message: why, in the operator's words: the commit's message.
        expect: sha256 of the text that was read; None only for a file that is not there.
        force: write over whatever HEAD has.
        config_approved: whether a person let this edit change the config (decision 33).
        yes_to: the words of the questions that are answered with yes (decision 39); deleting a file asks nothing more.
        operator_name: who edits, where that is not the context's operator.

    Raises:
        NoDirectory: the agent's memory is no directory.
        BadArgument: the path may not be edited, or the message is empty.
        UnusableText: the text or the message holds NUL or a lone surrogate.
        BlockChanged: somebody committed the file since it was read.
        UnprovenSave: neither `expect` nor `force` was given.
        BlockRefused: the hook would refuse it.
        Unconfirmed: the text deserves a question that was not answered; a key in it the hook refuses.
        Uncommitted: the owner has uncommitted changes of this file, or is in the middle of a merge.
        EditedThere: git converts the file, or the branch is checked out elsewhere; nothing was changed.
        CannotMake: the repository or its working tree cannot be written; nothing was changed.
        HeadMoved, RepositoryHeld: others were at work at the same time; trying again can work.
    """
    context.database.ask_to_write()
    before = text if isinstance(text, LastSeen) else None
    check_path(path, any_file=before is not None)
    if not check_text(message, "The message").strip():
        raise BadArgument("An edit needs a message that says why; it becomes the commit's message.")
    content = before.body.content if before else check_text(text, path).encode() if isinstance(text, str) else None
    answered = read_words(yes_to)
    by = acting(context, operator_name)
    who, link = linked(context, agent)
    for _ in range(ATTEMPTS):
        repository = open_directory(link.path, unborn=False)
        proposed = editing.propose(repository, path, content, before.mode if before else FileMode.REGULAR)
        if not proposed.changes:
            return _edited(context, link, path, content)
        if not force:
            _check_expected(repository, link, proposed, expect)
        _check_findings(repository, proposed, config_approved=config_approved)
        _ask(proposed, answered)
        signed = signature(repository, by.name or "", context.clock())
        if (made := editing.commit(repository, proposed, message, signed)) is not None:
            _remember(context, who, by)
            return _edited(context, link, path, content, made)
    raise HeadMoved(link.path)


def _check_expected(repository: git.Repository, link: Link, proposed: editing.Proposed, expect: str | None) -> None:
    """Refuse an edit over a text that is not the one it started from (decision 37)."""
    there = proposed.held.entry is not None
    live = Body.of_bytes(proposed.held.content).sha256 if there else None
    if expect == live:
        return
    if live is None:
        raise BlockChanged(proposed.path, "", None)
    if expect is None:
        raise UnprovenSave(f"text of {proposed.path}", live)
    newest = read_history(repository, proposed.path, link.agent_authors).newest
    raise BlockChanged(proposed.path, str(newest.author) if newest else "somebody", live)


def _check_findings(repository: git.Repository, proposed: editing.Proposed, *, config_approved: bool) -> None:
    """Refuse an edit that the hook would refuse; conflict markers are asked about instead (decision 39)."""
    judged = editing.judge_proposed(repository, proposed, config_approved=config_approved)
    findings = [one for one in judged.findings if one.kind != CONFLICT_MARKERS]
    if not findings:
        return
    older = " (This is older than the edit.)"
    said = [one.message + (older if one in judged.older else "") for one in findings]
    all_older = judged.older.issuperset(findings)
    raise BlockRefused(proposed.path, said, all_older_in=repository.given if all_older else None)


def _ask(proposed: editing.Proposed, answered: frozenset[Question]) -> None:
    """Refuse a text that deserves a question which was not answered; a deletion, and bytes, ask nothing (decision 39)."""
    body = None if proposed.content is None else Body.of_bytes(proposed.content)
    if body is not None and not body.binary:
        asked = questions(What.FILE, body.shown, Body.of_bytes(proposed.held.content).shown)
        check_answered(proposed.path, asked, answered)


def _remember(context: Context, agent: Agent, by: Author) -> None:
    with context.database.tx() as cursor:
        people.ensure_operator(cursor, agent.org, by.name or "", context.clock())


def _edited(
    context: Context, link: Link, path: str, content: bytes | None, made: editing.Committed | None = None
) -> Edited:
    opened = look(context, link)
    newest = opened.history.newest
    return Edited(
        path=path,
        changed=made is not None,
        commit=opened.repository.head,
        version=newest.number if newest else None,
        sha256=None if content is None else Body.of_bytes(content).sha256,
        behind=made.behind if made else None,
    )
