"""Create runs, append their chat rows, and read them."""

from collections.abc import Sequence

from studio.actions.context import Context, find_agent
from studio.actions.prompts import gather
from studio.actions.publish import hydrate_memory
from studio.domain.bodies import check_text, storable
from studio.domain.compose import compose
from studio.domain.guidelines import Flag
from studio.domain.paths import RunId
from studio.domain.runs import Message, Run, RunStatus, Trigger, next_position, opening_rows
from studio.errors import BadArgument, UnknownRun
from studio.store import runs
from studio.store.database import Cursor


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
        UnusableText: the message, its sender, a tag or the instruction holds NUL or a lone surrogate.
    """
    for given in (trigger.message, trigger.sender, trigger.instruction, *trigger.tags):
        check_text(given or "", "What started the run")
    with context.database.tx() as cursor:
        who = find_agent(cursor, agent)
        now = context.clock()
        hydrate_memory(cursor, who, now)
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
    """Append chat rows to a run; rows that are there never change (decision 27).

    Raises:
        UnknownRun: there is no such run.
        BadArgument: the rows do not follow on the last one.
        UnusableText: a row holds NUL or a lone surrogate.
    """
    for message in messages:
        check_text(message.content, f"Row {message.position} of the run {run}")
    with context.database.tx() as cursor:
        _get(cursor, run)
        first = next_position(runs.messages(cursor, RunId(run)))
        if [message.position for message in messages] != list(range(first, first + len(messages))):
            raise BadArgument(f"The next row of the run {run} has the position {first}; rows follow one another.")
        runs.add_messages(cursor, RunId(run), messages)


def finish_run(context: Context, run: str, status: RunStatus, *, memory_skipped: bool = False) -> Run:
    """Close a run.

    Raises:
        UnknownRun: there is no such run.
    """
    with context.database.tx() as cursor:
        _get(cursor, run)
        runs.finish(cursor, RunId(run), status, context.clock(), memory_skipped=memory_skipped)
        return _get(cursor, run)


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
        found = _get(cursor, run)
        return found, runs.messages(cursor, found.id)


def _get(cursor: Cursor, run: str) -> Run:
    found = runs.get(cursor, run) if storable(run) else None
    if found is None:
        raise UnknownRun(run)
    return found
