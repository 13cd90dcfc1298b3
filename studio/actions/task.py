"""Review, publish and restore an agent's Task (decisions 30, 31 and 39)."""

from studio.actions import asking
from studio.actions.context import Context, acting, find_agent
from studio.actions.drafts import check_draft, pick
from studio.actions.history import versions_of
from studio.actions.prompts import embed_targets
from studio.actions.publish import Guard, write_task
from studio.domain.agents import Agent
from studio.domain.archive import PROMPT_TAB, restore_occasion
from studio.domain.bodies import check_text
from studio.domain.changes import Action, Saved, TextKind
from studio.domain.diff import diff
from studio.domain.drafts import TaskReview, draft_etag
from studio.domain.embeds import expand
from studio.domain.questions import read_words
from studio.domain.timeline import Actor
from studio.errors import NoDraft
from studio.store import drafts, tasks
from studio.store.database import Cursor


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
        broken = expand(draft.text, embed_targets(cursor, draft.text)).broken
        changed = draft.sha256 != live.sha256
        asked = asking.of_task(cursor, draft.text, live_text) if changed else ()
    return TaskReview(
        draft=draft,
        live=live,
        live_text=live_text,
        start_text=start,
        next_version=live.number + 1,
        against_live=diff(live_text, draft.text),
        against_start=None if start is None else diff(start, draft.text),
        changed=changed,
        stale=stale,
        broken=broken,
        questions=asked,
    )


def publish_task(
    context: Context,
    agent: str,
    *,
    note: str | None = None,
    force: bool = False,
    expect: str | None = None,
    yes_to: tuple[str, ...] = (),
    operator_name: str | None = None,
) -> Saved:
    """Make the draft the live Task, archive the one it replaces, and drop the draft. Only an operator does this (decision 31).

    Args:
        context: the open store.
        agent: id or unique name.
        note: why, in the operator's words.
        force: publish over a live Task that is newer than the draft's start.
        expect: `etag` of the draft that was reviewed, or the sha256 of its text; None publishes whatever draft is there.
        yes_to: the words of the questions that are answered with yes (decision 39).
        operator_name: who publishes, where that is not the context's operator.

    Raises:
        UnknownAgent: there is no such agent.
        NoDraft: there is no draft.
        TextChanged: the Task changed since the draft was started; the draft is kept (decision 30).
        DraftChanged: the draft is not the one that was reviewed.
        Unconfirmed: the draft deserves a question that was not answered.
        UnknownQuestion: a word of `yes_to` answers no question.
    """
    answered = read_words(yes_to)
    with context.database.tx() as cursor:
        who = find_agent(cursor, agent)
        draft = drafts.get(cursor, who.id)
        if draft is None:
            return _published_already(cursor, who, expect)
        check_draft(who, draft, expect)
        reason = check_text(note.strip(), "The note") if note and note.strip() else None
        actor = Actor(acting(context, operator_name), context.clock(), occasion=PROMPT_TAB, note=reason)
        saved = write_task(
            cursor, who, draft.text, actor, Action.PUBLISH, Guard(draft.based_on_sha256, force, answered=answered)
        )
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
    operator_name: str | None = None,
) -> Saved:
    """Publish a text as the Task without a draft, as a file that is written; a draft that is there stays (decisions 30 and 31).

    Raises:
        UnknownAgent: there is no such agent.
        UnusableText: the text holds NUL or a lone surrogate.
        TextChanged: the Task changed since it was read.
        UnprovenSave: neither `expect` nor `force` was given.
        Unconfirmed: the text deserves a question that was not answered.
    """
    check_text(text, "The Task")
    with context.database.tx() as cursor:
        who = find_agent(cursor, agent)
        actor = Actor(acting(context, operator_name), context.clock(), occasion=PROMPT_TAB)
        return write_task(cursor, who, text, actor, Action.PUBLISH, guard)


def restore_task(
    context: Context,
    agent: str,
    number: int,
    *,
    expect: str | None = None,
    yes_to: tuple[str, ...] = (),
    operator_name: str | None = None,
) -> Saved:
    """Publish an old version's text as a new version by the operator; history only grows (decision 17).

    Raises:
        UnknownAgent: there is no such agent.
        UnknownVersion: that version is not kept.
        TextChanged: the Task is not the one with the sha256 `expect`.
        Unconfirmed: its text deserves a question by now that was not answered.
    """
    with context.database.tx() as cursor:
        who = find_agent(cursor, agent)
        version = pick(cursor, who, number)
        text = tasks.live_text(cursor, who.id) if version.live else tasks.revision_text(cursor, who.id, number) or ""
        actor = Actor(acting(context, operator_name), context.clock(), occasion=restore_occasion(number))
        guard = Guard(expect, full_replacement=expect is None, answered=read_words(yes_to))
        return write_task(cursor, who, text, actor, Action.RESTORE, guard)
