"""Keep, discard and bring back the draft of an agent's Task; a draft of somebody else is not written over unread (decision 30)."""

from datetime import datetime

from studio.actions.context import Context, acting, find_agent
from studio.actions.history import versions_of
from studio.domain.agents import Agent
from studio.domain.archive import iso_z
from studio.domain.authors import Author
from studio.domain.bodies import Body, check_text
from studio.domain.changes import TextKind
from studio.domain.drafts import ReplacedDraft, TaskDraft
from studio.domain.timeline import Version
from studio.errors import DraftChanged, DraftOfAnother, NoDraft, NoReplacedDraft, UnknownVersion
from studio.store import drafts
from studio.store.database import Cursor

NO_DRAFT = ""
"""As `expect` of `draft_task`: there is no draft that this one could replace."""


def get_draft(context: Context, agent: str) -> TaskDraft | None:
    """The draft of an agent's Task, or None."""
    with context.database.read() as cursor:
        return drafts.get(cursor, find_agent(cursor, agent).id)


def draft_task(
    context: Context,
    agent: str,
    text: str,
    *,
    author: Author | None = None,
    based_on: int | None = None,
    expect: str | None = None,
    force: bool = False,
) -> TaskDraft:
    """Keep a draft of the Task; the live Task stays as it is. Operators, coaches and tools may draft.

    Args:
        context: the open store.
        agent: id or unique name.
        text: the whole draft.
        author: who drafts, where that is not the context's operator.
        based_on: the Task version the draft starts from. None keeps the start of the draft that is there, or takes the live Task.
        expect: `etag` of the draft that this one replaces, or without `based_on` the sha256 of its text; `NO_DRAFT` where there must
            be none, None replaces what the same author keeps.
        force: replace whatever is there, somebody else's too.

    Raises:
        UnknownAgent: there is no such agent.
        UnknownVersion: `based_on` is not kept.
        DraftChanged: the draft is not the one that is expected; it is kept, so that no draft is lost (decision 30).
        DraftOfAnother: somebody else keeps a draft, and neither `expect` nor `force` was given.
        UnusableText: the text holds NUL or a lone surrogate.
    """
    body = Body(check_text(text, "The Task draft"))
    with context.database.tx() as cursor:
        who = find_agent(cursor, agent)
        before = drafts.get(cursor, who.id)
        if before is not None and based_on is None:
            start = (before.based_on, before.based_on_sha256)
        else:
            version = pick(cursor, who, based_on)
            start = (version.number, version.sha256)
        draft = TaskDraft(who.id, text, body.sha256, *start, author or acting(context), context.clock())
        return _put(cursor, who, before, draft, None if force else (expect, based_on is not None))


def _put(
    cursor: Cursor, agent: Agent, before: TaskDraft | None, draft: TaskDraft, proof: tuple[str | None, bool] | None
) -> TaskDraft:
    """Keep a draft in place of the one before, and that one among the replaced where it is somebody else's.

    Args:
        cursor: the transaction.
        agent: whose Task.
        before: the draft that is there.
        draft: the one to keep.
        proof: `expect`, and whether the write moves the start too; None where the write is forced.
    """
    if before is not None and before.etag == draft.etag:  # repeating what is stored is no change (decision 37)
        if before.author == draft.author:
            drafts.put(cursor, draft)
        return draft if before.author == draft.author else before
    if proof is not None:
        expect, moves = proof
        if expect is None and before is not None and before.author != draft.author:
            raise DraftOfAnother(agent.name, str(before.author), iso_z(before.saved_at), before.etag)
        check_draft(agent, before, expect, moves=moves)
    if before is not None and before.author != draft.author:
        drafts.keep_replaced(cursor, before, draft.saved_at, draft.author)
    drafts.put(cursor, draft)
    return draft


def check_draft(agent: Agent, draft: TaskDraft | None, expect: str | None, *, moves: bool = False) -> None:
    """Refuse to go over a draft that the caller has not read (decision 37).

    The sha256 of its text is proof enough, unless the write moves its start too.
    """
    if (
        expect is None
        or (draft is None and expect == NO_DRAFT)
        or (draft is not None and (expect == draft.etag or (expect == draft.sha256 and not moves)))
    ):
        return
    what = "it was published or discarded" if draft is None else f"{draft.author} keeps another one"
    raise DraftChanged(agent.name, what, None if draft is None else draft.etag)


def pick(cursor: Cursor, agent: Agent, number: int | None) -> Version:
    """The Task version of this number, or the live one. Raises `UnknownVersion`."""
    versions = versions_of(cursor, agent, TextKind.TASK)
    chosen = versions[0] if number is None else next((one for one in versions if one.number == number), None)
    if chosen is None:
        raise UnknownVersion(f"the Task of {agent.name}", number or 0, versions[-1].number, versions[0].number)
    return chosen


def discard_draft(context: Context, agent: str, expect: str | None = None, operator_name: str | None = None) -> None:
    """Drop the draft; it can be brought back with `restore_draft`.

    Args:
        context: the open store.
        agent: id or unique name.
        expect: `etag` of the draft that is meant, or the sha256 of its text; None drops whatever is there.
        operator_name: who discards, where that is not the context's operator.

    Raises:
        UnknownAgent: there is no such agent.
        NoDraft: there is none.
        DraftChanged: the draft is not the one that is expected.
    """
    with context.database.tx() as cursor:
        who = find_agent(cursor, agent)
        draft = drafts.get(cursor, who.id)
        if draft is None:
            raise NoDraft(who.name)
        check_draft(who, draft, expect)
        drafts.keep_replaced(cursor, draft, context.clock(), acting(context, operator_name))
        drafts.delete(cursor, who.id)


def list_replaced(context: Context, agent: str) -> tuple[ReplacedDraft, ...]:
    """The drafts of an agent's Task that can be brought back, the last to go first: discarded, or replaced by somebody else's."""
    with context.database.read() as cursor:
        return drafts.replaced(cursor, find_agent(cursor, agent).id)


def restore_draft(
    context: Context, agent: str, number: int, *, expect: str | None = None, force: bool = False
) -> TaskDraft:
    """Make a draft that went the draft again, in the name of who brings it back. Takes and raises what `draft_task` does.

    Raises:
        NoReplacedDraft: there is none of this number.
    """
    with context.database.tx() as cursor:
        who = find_agent(cursor, agent)
        found = next((one.draft for one in drafts.replaced(cursor, who.id) if one.number == number), None)
        if found is None:
            raise NoReplacedDraft(who.name, number)
        now: datetime = context.clock()
        start = (found.based_on, found.based_on_sha256)
        draft = TaskDraft(who.id, found.text, found.sha256, *start, acting(context), now)
        return _put(cursor, who, drafts.get(cursor, who.id), draft, None if force else (expect, False))
