"""The one write path for Task and memory.

Every change of either text goes through here, in one transaction of the caller: no-op check, stale check by sha256, archive, prune,
write, `file_changes`. Counts are stored when written, so that lists never read texts.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from studio.actions.later import later
from studio.domain import archive
from studio.domain.agents import Agent
from studio.domain.authors import UNKNOWN, AuthorKind
from studio.domain.bodies import EMPTY, Body
from studio.domain.changes import Action, Saved, TextKind
from studio.domain.diff import count_lines
from studio.domain.endings import only_changed
from studio.domain.paths import memory_path, task_path
from studio.domain.questions import Asked, Question, check_answered, read_words
from studio.domain.timeline import Actor, Facts, Status, timeline
from studio.errors import TextChanged, UnprovenSave
from studio.store import archive_names, chains, changes, marks, memory, people, tasks
from studio.store.database import Cursor

if TYPE_CHECKING:
    from studio.actions import asking
else:
    (asking,) = later("studio.actions", "asking")


@dataclass(frozen=True, slots=True)
class Guard:
    """What a writer says about the text it read (decision 37)."""

    expect: str | None = None
    """sha256 of the text the writer started from."""
    force: bool = False
    """Whether an operator said to write over whatever is live."""
    full_replacement: bool = False
    """Whether this write replaces the text by rule, whatever is live: `memory_write`, a restore, an import."""
    answered: frozenset[Question] = frozenset()
    """The questions that were answered with yes (decision 39)."""


def guard_of(expect: str | None, yes_to: tuple[str, ...], *, force: bool = False) -> Guard:
    """The guard of what an operator writes. Raises `UnknownQuestion` for a word that answers none."""
    return Guard(expect, force, answered=read_words(yes_to))


UNASKED = Guard(full_replacement=True, answered=frozenset(Question))
"""The guard of `memory_write`: a full replacement by rule, which is never asked."""


def write_memory(cursor: Cursor, agent: Agent, body: Body, actor: Actor, action: Action, guard: Guard) -> Saved:
    """Replace an agent's live memory.

    Raises:
        TextChanged: the live text is not the one the writer started from.
        UnprovenSave: the writer did not say which text it started from.
        Unconfirmed: it deserves a question that was not answered (decision 39).
    """
    held = memory.live(cursor, agent.id)
    if held is None:
        asked = _ask(f"The memory of {agent.name}", asking.of_memory(body, ""), guard)
        return _recreate_memory(cursor, agent, body, actor, action, asked)
    live, old = held
    same = live.sha256 == body.sha256 and old == body  # what was changed outside is written over with what it was
    if same and live.stand_in is None:  # what is written here is the text itself (decision 41)
        return Saved(live.number, changed=False, sha256=live.sha256)
    _check(cursor, agent, live, guard, TextKind.MEMORY, old.sha256)
    asked = _ask(f"The memory of {agent.name}", asking.of_memory(body, _text_of(live, old)), guard)
    counted = measured(live.number + 1, _counted_against(cursor, agent, live, old), body, actor)
    facts = sealed(cursor, agent, TextKind.MEMORY, live, counted, actor)
    taken = archive_names.starting_with(cursor, agent.id, archive.stamp(actor.at))
    name = archive.archive_name(actor.at, actor.author, taken)
    memory.insert_revision(cursor, agent.id, live, old, name, actor)
    memory.replace_live(cursor, agent.id, facts, body)
    marks.insert(cursor, agent.id, facts.number, asked)
    if agent.retention is not None:
        memory.prune(cursor, agent.id, live.number - agent.retention)
        marks.prune(cursor, agent.id, live.number - agent.retention)
    return _record(cursor, agent, TextKind.MEMORY, facts, actor, action)


def sealed(cursor: Cursor, agent: Agent, text: TextKind, last: Facts | None, made: Facts, actor: Actor) -> Facts:
    """A version about to be stored, tied to the end of its chain (decision 38).

    Args:
        cursor: the transaction.
        agent: whose text.
        text: which.
        last: the newest version with its seal; None where there is none.
        made: the version.
        actor: who writes it.
    """
    return replace(made, seal=chains.seal_of(chains.end(cursor, agent.id, text, last), made, actor))


def _counted_against(cursor: Cursor, agent: Agent, live: Facts, old: Body) -> Body:
    """What the next version counts against: the live text, or where it has none the last version with a text (decision 16)."""
    return old if live.status.holds_text else _last_text(cursor, agent) or EMPTY


def _last_text(cursor: Cursor, agent: Agent) -> Body | None:
    """The text of the newest archived version that has one, or None."""
    for revision in reversed(memory.revisions(cursor, agent.id)):
        if revision.facts.status.holds_text:
            return memory.archived_body(cursor, agent.id, revision.facts.number)
    return None


def _ask(name: str, asked: tuple[Asked, ...], guard: Guard) -> tuple[str, ...]:
    """The words of what is asked, once all of it was answered. Raises `Unconfirmed`."""
    check_answered(name, asked, guard.answered)
    return tuple(str(one.word) for one in asked)


def _text_of(live: Facts, body: Body) -> str:
    """What the next run reads of a live memory: nothing of one that was deleted or is a stand-in."""
    return "" if live.status in (Status.DELETED, Status.STAND_IN) else body.shown


def _recreate_memory(
    cursor: Cursor, agent: Agent, body: Body, actor: Actor, action: Action, asked: tuple[str, ...]
) -> Saved:
    """Make the missing live row from a write: nothing is archived, and the row names its own author (decision 8)."""
    facts = _insert_recreated(cursor, agent, body, actor)
    marks.insert(cursor, agent.id, facts.number, asked)
    return _record(cursor, agent, TextKind.MEMORY, facts, actor, action)


def hydrate_memory(cursor: Cursor, agent: Agent, now: datetime) -> None:
    """Make a missing live row empty, as a run's composing does (decision 8); nobody is recorded as its author."""
    actor = Actor(UNKNOWN, now)
    if memory.live_facts(cursor, agent.id) is None:
        _insert_recreated(cursor, agent, EMPTY, actor)


def _insert_recreated(cursor: Cursor, agent: Agent, body: Body, actor: Actor) -> Facts:
    """Make the missing live row."""
    last = memory.newest_revision(cursor, agent.id)
    facts = sealed(cursor, agent, TextKind.MEMORY, last, _recreated(cursor, agent, body, actor), actor)
    memory.insert_live(cursor, agent.id, facts, body)
    return facts


def hydrated(cursor: Cursor, agent: Agent) -> Facts:
    """What a missing live row reads as: an empty text that nobody is recorded for, since the row before it was replaced."""
    kept = memory.revisions(cursor, agent.id)
    since = kept[-1].replaced_by.at if kept else agent.created_at
    return _recreated(cursor, agent, EMPTY, Actor(UNKNOWN, since))


def _recreated(cursor: Cursor, agent: Agent, body: Body, actor: Actor) -> Facts:
    """The facts of a row made in place of a missing one; it counts against the last version with a text, as lists show it."""
    before = _last_text(cursor, agent)
    newest = memory.newest_revision(cursor, agent.id)
    number = 1 if newest is None else newest.number + 1
    return replace(measured(number, before, body, actor), status=Status.ADDED, own=actor)


def write_task(cursor: Cursor, agent: Agent, text: str, actor: Actor, action: Action, guard: Guard) -> Saved:
    """Replace an agent's live Task; only an operator's actions call this (decision 31).

    Raises:
        TextChanged: the live Task is not the one the writer started from.
        UnprovenSave: the writer did not say which Task it started from.
        Unconfirmed: it deserves a question that was not answered (decision 39).
    """
    live = tasks.live_facts(cursor, agent.id)
    body, old = Body(text), tasks.live_text(cursor, agent.id)
    if live.sha256 == body.sha256 and old == text:  # as of a memory
        return Saved(live.number, changed=False, sha256=live.sha256)
    _check(cursor, agent, live, guard, TextKind.TASK, Body(old).sha256)
    _ask(f"The Task of {agent.name}", asking.of_task(cursor, text, old), guard)
    facts = sealed(cursor, agent, TextKind.TASK, live, measured(live.number + 1, Body(old), body, actor), actor)
    tasks.insert_revision(cursor, agent.id, live, old, actor)
    tasks.update_live(cursor, agent.id, facts, text)
    if agent.retention is not None:
        tasks.prune(cursor, agent.id, live.number - agent.retention)
    return _record(cursor, agent, TextKind.TASK, facts, actor, action)


def measured(number: int, old: Body | None, new: Body, actor: Actor) -> Facts:
    """The facts of a version about to be stored: size and counts against the text before it (decision 15).

    Args:
        number: the version's number.
        old: the text it replaces; None for a first version, which counts all its lines as added.
        new: what it holds.
        actor: who writes it, and when.
    """
    before, after = (old or EMPTY).lines_text, new.lines_text
    countable = new.countable and (old is None or old.countable)
    counts = count_lines(before, after) if countable else None
    return Facts(
        number=number,
        sha256=new.sha256,
        characters=new.characters,
        added=counts.added if counts else None,
        removed=counts.removed if counts else None,
        since=actor.at,
        status=Status.ADDED if old is None else Status.MODIFIED,
        binary=new.binary,
        only_changed=only_changed(before, after) if countable and old is not None else None,
    )


def _check(cursor: Cursor, agent: Agent, live: Facts, guard: Guard, text: TextKind, stored: str) -> None:
    """Refuse a write over a text that changed since it was read, unless it is forced (decision 37).

    A text that was changed outside can be told by either hash: the one it should have, and that of what is `stored`.
    """
    if guard.force or guard.full_replacement or guard.expect in (live.sha256, stored):
        return
    what = f"The {'Task' if text is TextKind.TASK else 'memory'} of {agent.name}"
    if guard.expect is None:
        raise UnprovenSave(f"{'Task' if text is TextKind.TASK else 'memory'} text", live.sha256)
    of_task = text is TextKind.TASK
    revisions = tasks.revisions(cursor, agent.id) if of_task else memory.revisions(cursor, agent.id, live.number)
    newest = timeline(revisions, live)[0]
    raise TextChanged(what, newest.number, str(newest.author), live.sha256)


def _record(cursor: Cursor, agent: Agent, text: TextKind, facts: Facts, actor: Actor, action: Action) -> Saved:
    """Enter the change in the ledger, and an operator's name with their first write."""
    path = task_path(agent.org, agent.id) if text is TextKind.TASK else memory_path(agent.org, agent.id)
    changes.insert(
        cursor,
        agent.id,
        path=path,
        file=text,
        action=action,
        version=facts.number,
        sha256=facts.sha256,
        author=actor.author,
        at=actor.at,
        run=actor.run,
        call=actor.call,
    )
    if actor.author.kind is AuthorKind.OPERATOR and actor.author.name and action is not Action.IMPORT:
        people.ensure_operator(cursor, agent.org, actor.author.name, actor.at)
    return Saved(facts.number, changed=True, sha256=facts.sha256)
