"""Draft, review, publish and restore an agent's Task (decisions 30 and 31)."""

from studio.actions.context import Context, acting, find_agent
from studio.actions.history import versions_of
from studio.actions.prompts import embed_targets
from studio.actions.publish import REPLACES, Guard, write_task
from studio.domain.agents import Agent
from studio.domain.archive import PROMPT_TAB, restore_occasion
from studio.domain.authors import Author
from studio.domain.bodies import Body, check_text
from studio.domain.changes import Action, Saved, TextKind
from studio.domain.diff import diff
from studio.domain.drafts import TaskDraft, TaskReview, draft_etag
from studio.domain.embeds import EmbedEntry, expand
from studio.domain.timeline import Actor, Version
from studio.errors import BrokenLinks, DraftChanged, NoDraft, UnknownVersion
from studio.store import drafts, tasks
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
) -> TaskDraft:
    """Keep a draft of the Task; the live Task stays as it is. Operators, coaches and tools may draft.

    Args:
        context: the open store.
        agent: id or unique name.
        text: the whole draft.
        author: who drafts, where that is not the context's operator.
        based_on: the Task version the draft starts from. None keeps the start of the draft that is there, or takes the live Task.
        expect: `etag` of the draft that this one replaces, or without `based_on` the sha256 of its text; `NO_DRAFT` where there must
            be none, None replaces whatever is there.

    Raises:
        UnknownAgent: there is no such agent.
        UnknownVersion: `based_on` is not kept.
        DraftChanged: the draft is not the one that is expected; it is kept, so that no draft is lost (decision 30).
        UnusableText: the text holds NUL or a lone surrogate.
    """
    body = Body(check_text(text, "The Task draft"))
    with context.database.tx() as cursor:
        who = find_agent(cursor, agent)
        before = drafts.get(cursor, who.id)
        if before is not None and based_on is None:
            start = (before.based_on, before.based_on_sha256)
        else:
            version = _pick(cursor, who, based_on)
            start = (version.number, version.sha256)
        draft = TaskDraft(who.id, text, body.sha256, *start, author or acting(context), context.clock())
        if before is None or before.etag != draft.etag:  # repeating what is stored is no change (decision 37)
            _check_draft(who, before, expect, moves=based_on is not None)
        drafts.put(cursor, draft)
        return draft


def _check_draft(agent: Agent, draft: TaskDraft | None, expect: str | None, *, moves: bool = False) -> None:
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


def _pick(cursor: Cursor, agent: Agent, number: int | None) -> Version:
    """The Task version of this number, or the live one."""
    versions = versions_of(cursor, agent, TextKind.TASK)
    chosen = versions[0] if number is None else next((one for one in versions if one.number == number), None)
    if chosen is None:
        raise UnknownVersion(f"the Task of {agent.name}", number or 0, versions[-1].number, versions[0].number)
    return chosen


def discard_draft(context: Context, agent: str, expect: str | None = None) -> None:
    """Drop the draft.

    Args:
        context: the open store.
        agent: id or unique name.
        expect: `etag` of the draft that is meant, or the sha256 of its text; None drops whatever is there.

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
        _check_draft(who, draft, expect)
        drafts.delete(cursor, who.id)


def review_task(context: Context, agent: str) -> TaskReview:
    """What publishing the draft would do.

    Raises:
        UnknownAgent: there is no such agent.
        NoDraft: there is no draft.
    """
    with context.database.read() as cursor:
        who = find_agent(cursor, agent)
        draft = drafts.get(cursor, who.id)
        if draft is None:
            raise NoDraft(who.name)
        live = versions_of(cursor, who, TextKind.TASK)[0]
        live_text = tasks.live_text(cursor, who.id)
        stale = live.sha256 != draft.based_on_sha256
        start = tasks.revision_text(cursor, who.id, draft.based_on) if stale else None
        broken = _broken(cursor, draft.text)
    return TaskReview(
        draft=draft,
        live=live,
        live_text=live_text,
        start_text=start,
        next_version=live.number + 1,
        against_live=diff(live_text, draft.text),
        against_start=None if start is None else diff(start, draft.text),
        changed=draft.sha256 != live.sha256,
        stale=stale,
        broken=broken,
    )


def _refuse_broken(cursor: Cursor, agent: Agent, task: str, what: str) -> None:
    """Refuse to make a text with broken links the live Task."""
    if broken := _broken(cursor, task):
        raise BrokenLinks(f"{what} of {agent.name}", [(one.written, one.reason) for one in broken])


def _broken(cursor: Cursor, task: str) -> tuple[EmbedEntry, ...]:
    """The embeds of a Task's text that name nothing."""
    return expand(task, embed_targets(cursor, task)).broken


def publish_task(
    context: Context,
    agent: str,
    *,
    note: str | None = None,
    force: bool = False,
    expect: str | None = None,
    confirm_broken: bool = False,
    operator_name: str | None = None,
) -> Saved:
    """Make the draft the live Task, archive the one it replaces, and drop the draft. Only an operator does this (decision 31).

    Args:
        context: the open store.
        agent: id or unique name.
        note: why, in the operator's words.
        force: publish over a live Task that is newer than the draft's start.
        expect: `etag` of the draft that was reviewed, or the sha256 of its text; None publishes whatever draft is there.
        confirm_broken: publish although the draft holds broken links.
        operator_name: who publishes, where that is not the context's operator.

    Raises:
        UnknownAgent: there is no such agent.
        NoDraft: there is no draft.
        TextChanged: the Task changed since the draft was started; the draft is kept (decision 30).
        DraftChanged: the draft is not the one that was reviewed.
        BrokenLinks: the draft holds broken links, and nobody confirmed them (decision 30).
    """
    with context.database.tx() as cursor:
        who = find_agent(cursor, agent)
        draft = drafts.get(cursor, who.id)
        if draft is None:
            return _published_already(cursor, who, expect)
        _check_draft(who, draft, expect)
        changes = draft.sha256 != tasks.live_facts(cursor, who.id).sha256
        if changes and not confirm_broken:
            _refuse_broken(cursor, who, draft.text, "The Task draft")
        reason = check_text(note.strip(), "The note") if note and note.strip() else None
        actor = Actor(acting(context, operator_name), context.clock(), occasion=PROMPT_TAB, note=reason)
        saved = write_task(cursor, who, draft.text, actor, Action.PUBLISH, Guard(draft.based_on_sha256, force))
        drafts.delete(cursor, who.id)
        return saved


def _published_already(cursor: Cursor, agent: Agent, expect: str | None) -> Saved:
    """Publishing the draft that is live by now: a repeat, which succeeds (decision 37). Raises `NoDraft` for any other."""
    live = tasks.live_facts(cursor, agent.id)
    starts = range(1, live.number + 1)
    if expect != live.sha256 and all(expect != draft_etag(live.sha256, start) for start in starts):
        raise NoDraft(agent.name)
    return Saved(live.number, changed=False, sha256=live.sha256)


def save_task(
    context: Context,
    agent: str,
    text: str,
    *,
    guard: Guard,
    confirm_broken: bool = False,
    operator_name: str | None = None,
) -> Saved:
    """Publish a text as the Task without a draft, as a file that is written; a draft that is there stays (decisions 30 and 31).

    Raises:
        UnknownAgent: there is no such agent.
        UnusableText: the text holds NUL or a lone surrogate.
        TextChanged: the Task changed since it was read.
        UnprovenSave: neither `expect` nor `force` was given.
        BrokenLinks: the text holds broken links, and nobody confirmed them.
    """
    body = Body(check_text(text, "The Task"))
    with context.database.tx() as cursor:
        who = find_agent(cursor, agent)
        changes = body.sha256 != tasks.live_facts(cursor, who.id).sha256
        if changes and not confirm_broken and (broken := _broken(cursor, text)):
            raise BrokenLinks(who.name, [(one.written, one.reason) for one in broken])
        actor = Actor(acting(context, operator_name), context.clock(), occasion=PROMPT_TAB)
        return write_task(cursor, who, text, actor, Action.PUBLISH, guard)


def restore_task(
    context: Context,
    agent: str,
    number: int,
    *,
    expect: str | None = None,
    confirm_broken: bool = False,
    operator_name: str | None = None,
) -> Saved:
    """Publish an old version's text as a new version by the operator; history only grows (decision 17).

    Raises:
        UnknownAgent: there is no such agent.
        UnknownVersion: that version is not kept.
        TextChanged: the Task is not the one with the sha256 `expect`.
        BrokenLinks: that version holds links that are broken by now, and nobody confirmed them (as decision 30 has it of drafts).
    """
    with context.database.tx() as cursor:
        who = find_agent(cursor, agent)
        version = _pick(cursor, who, number)
        text = tasks.live_text(cursor, who.id) if version.live else tasks.revision_text(cursor, who.id, number) or ""
        if not version.live and not confirm_broken:
            _refuse_broken(cursor, who, text, f"Version {number} of the Task")
        actor = Actor(acting(context, operator_name), context.clock(), occasion=restore_occasion(number))
        return write_task(cursor, who, text, actor, Action.RESTORE, REPLACES if expect is None else Guard(expect))
