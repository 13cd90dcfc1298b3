"""Create runs, append their chat rows, and read them."""

from collections.abc import Sequence

from studio.actions.context import Context, find_agent
from studio.actions.prompts import gather
from studio.actions.publish import hydrate_memory
from studio.domain.authors import UNKNOWN
from studio.domain.compose import compose
from studio.domain.guidelines import Flag
from studio.domain.paths import RunId
from studio.domain.runs import Message, Run, RunStatus, Trigger, opening_rows
from studio.domain.timeline import Actor
from studio.errors import UnknownRun
from studio.store import runs


def create_run(
    context: Context,
    agent: str,
    trigger: Trigger,
    *,
    run_id: str | None = None,
    registered: frozenset[Flag] = frozenset(),
) -> Run:
    """Compose the prompt and store it as the first message of a new run; what it says never changes (decision 27).

    Args:
        context: the open store.
        agent: id or unique name.
        trigger: what starts the run.
        run_id: the id to use, for a run that has one elsewhere.
        registered: what the runtime registered tools for.

    Raises:
        UnknownAgent: there is no such agent.
        NoTemplate: `system.md` is missing; nothing is stored.
    """
    with context.database.tx() as cursor:
        who = find_agent(cursor, agent)
        now = context.clock()
        hydrate_memory(cursor, who, Actor(UNKNOWN, now))
        prompt = compose(gather(context, cursor, who, trigger.kind, now, registered))
        run = Run(
            id=RunId(run_id or context.ids("r")),
            agent=who.id,
            kind=trigger.kind,
            status=RunStatus.OPEN,
            created_at=now,
            composed_from=prompt.made_of,
            instruction=trigger.instruction,
            tags=trigger.tags,
        )
        runs.insert(cursor, run)
        runs.add_messages(cursor, run.id, opening_rows(prompt.text, trigger, now))
        return run


def add_messages(context: Context, run: str, messages: Sequence[Message]) -> None:
    """Append chat rows to a run.

    Raises:
        UnknownRun: there is no such run.
    """
    with context.database.tx() as cursor:
        if runs.get(cursor, run) is None:
            raise UnknownRun(run)
        runs.add_messages(cursor, RunId(run), messages)


def finish_run(context: Context, run: str, status: RunStatus, *, memory_skipped: bool = False) -> Run:
    """Close a run.

    Raises:
        UnknownRun: there is no such run.
    """
    with context.database.tx() as cursor:
        if runs.get(cursor, run) is None:
            raise UnknownRun(run)
        runs.finish(cursor, RunId(run), status, context.clock(), memory_skipped=memory_skipped)
        found = runs.get(cursor, run)
    if found is None:
        raise UnknownRun(run)
    return found


def list_runs(context: Context, agent: str) -> tuple[Run, ...]:
    """All runs of an agent, newest first."""
    with context.database.read() as cursor:
        return runs.of_agent(cursor, find_agent(cursor, agent).id)


def get_run(context: Context, run: str) -> tuple[Run, tuple[Message, ...]]:
    """A run with its chat rows.

    Raises:
        UnknownRun: there is no such run.
    """
    with context.database.read() as cursor:
        found = runs.get(cursor, run)
        if found is None:
            raise UnknownRun(run)
        return found, runs.messages(cursor, found.id)
