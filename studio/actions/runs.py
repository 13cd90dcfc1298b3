"""Create runs, append their chat rows, end them, and read them."""

from collections.abc import Sequence
from dataclasses import replace

from studio.actions.context import Context, find_agent
from studio.actions.directory.compiling import notice
from studio.actions.prompts import gather
from studio.actions.publish import hydrate_memory
from studio.actions.state import fetch_quotes
from studio.domain.agents import Agent, Layout, check_max_tool_calls
from studio.domain.bodies import check_text, storable
from studio.domain.changes import TextKind
from studio.domain.compose import compose
from studio.domain.guidelines import Flag
from studio.domain.paths import RunId
from studio.domain.run_kinds import RunKind
from studio.domain.runs import (
    DEFAULT_MAX_STEPS,
    Message,
    Role,
    Run,
    RunOutline,
    RunStatus,
    Step,
    Trigger,
    check_max_steps,
    opening_rows,
)
from studio.errors import BadArgument, NoSuchStep, RunOver, UnknownRun
from studio.store import changes, runs
from studio.store.database import Cursor


def create_run(
    context: Context,
    agent: str,
    trigger: Trigger,
    *,
    run_id: str | None = None,
    registered: frozenset[Flag] = frozenset(),
    max_steps: int = DEFAULT_MAX_STEPS,
    max_tool_calls: int | None = None,
) -> Run:
    """Compose the prompt and store it as the first message of a new run; what it says never changes (decision 27).

    Args:
        context: the open store.
        agent: id or unique name.
        trigger: what starts the run; a schedule's previous run is looked up where it names none (decision 29).
        run_id: the id to use, for a run that has one elsewhere.
        registered: what the runtime registered tools for.
        max_steps: how many generations a turn of it may take.
        max_tool_calls: how many tool calls it may make; what is set on the agent without it.

    Raises:
        UnknownAgent: there is no such agent.
        NoTemplate: `system.md` is missing; nothing is stored.
        NothingToRead: the agent's memory directory cannot be read; nothing is stored.
        BadSetting: a limit is out of its range.
        BadArgument: there is a run with this id.
        UnusableText: the id, the message, its sender, a tag or the instruction holds NUL or a lone surrogate.
    """
    for given in (run_id, trigger.message, trigger.sender, trigger.instruction, *trigger.tags):
        check_text(given or "", "What started the run")
    check_max_steps(max_steps)
    context.templates.system()  # nothing is asked of the price service for a run that cannot be composed
    quotes = fetch_quotes(context, agent)  # waits for the network, so it holds no transaction
    notice(context, agent)
    with context.database.tx() as cursor:
        who = _limited(find_agent(cursor, agent), max_tool_calls)
        now = context.clock()
        if who.layout is Layout.ARTIFACT:
            hydrate_memory(cursor, who, now)
        prompt = compose(gather(context, cursor, who, trigger.kind, now, registered, quotes))
        run = Run(
            id=_new_id(context, cursor, run_id),
            agent=who.id,
            kind=trigger.kind,
            status=RunStatus.OPEN,
            created_at=now,
            composed_from=prompt.made_of,
            instruction=trigger.instruction,
            tags=trigger.tags,
            tools=prompt.tools,
            max_steps=max_steps,
            max_tool_calls=who.config.max_tool_calls,
        )
        rows = opening_rows(prompt.text, _woken(cursor, who, trigger), now)
        runs.insert(cursor, run, prompt.text)
        runs.add_messages(cursor, run.id, rows)
        return run


def _limited(agent: Agent, max_tool_calls: int | None) -> Agent:
    """The agent with the limit of this run, which its State shows."""
    if max_tool_calls is None:
        return agent
    return replace(agent, config=replace(agent.config, max_tool_calls=check_max_tool_calls(max_tool_calls)))


def _new_id(context: Context, cursor: Cursor, run_id: str | None) -> RunId:
    if run_id is not None and runs.get(cursor, run_id) is not None:
        raise BadArgument(f"There is a run {run_id!r} already.")
    return RunId(run_id or context.ids("r"))


def _woken(cursor: Cursor, agent: Agent, trigger: Trigger) -> Trigger:
    """The trigger with the creation of that schedule's previous run: same agent, same instruction (decision 29)."""
    if trigger.kind is not RunKind.SCHEDULE or trigger.previous_run_at is not None:
        return trigger
    return replace(trigger, previous_run_at=runs.last_wake(cursor, agent.id, trigger.instruction or ""))


def add_messages(context: Context, run: str, messages: Sequence[Message], lease: str | None = None) -> None:
    """Append chat rows to an open run; rows that are there never change (decision 27).

    Args:
        context: the open store.
        run: its id.
        messages: the rows, with their positions.
        lease: what `runner.take_run` gave whoever drives the run from elsewhere.

    Raises:
        UnknownRun: there is no such run.
        RunOver: it has ended.
        BadArgument: the rows do not follow on the last one.
        UnusableText: a row or the name of a tool holds NUL or a lone surrogate.
        RunGenerating: a model is carrying the run on.
        LeaseLost: the lease is not the run's any more.
    """
    with context.driven.hold(run, lease):
        append(context, run, messages)


def append(context: Context, run: str, messages: Sequence[Message]) -> None:
    """`add_messages` for whoever holds the run: its runner."""
    for message in messages:
        for text in (message.content, *(call.name + call.arguments for call in message.tool_calls)):
            check_text(text, f"Row {message.position} of the run {run}")
    with context.database.tx() as cursor:
        _open(cursor, run)
        first = runs.next_position(cursor, RunId(run))
        if [message.position for message in messages] != list(range(first, first + len(messages))):
            raise BadArgument(f"The next row of the run {run} has the position {first}; rows follow one another.")
        runs.add_messages(cursor, RunId(run), messages)


def add_turn(context: Context, run: str, message: str) -> Run:
    """A user's next message to a direct run, which is open again with it; its row 0 stays as it is (decision 27).

    For whoever holds the run: `runner.continue_run`.

    Raises:
        UnknownRun: there is no such run.
        BadArgument: it is a one-shot run: nobody writes to those.
        UnusableText: the message holds NUL or a lone surrogate.
    """
    check_text(message, "The message")
    with context.database.tx() as cursor:
        found = _get(cursor, run)
        if found.kind is not RunKind.DIRECT:
            raise BadArgument(f"The run {run} was started by a {found.kind}; only a direct run takes another message.")
        opened = replace(found, status=RunStatus.OPEN, finished_at=None, failure=None)
        runs.update(cursor, opened)
        position = runs.next_position(cursor, found.id)
        runs.add_messages(cursor, found.id, [Message(position, Role.USER, message, context.clock())])
        return opened


def finish_run(
    context: Context, run: str, status: RunStatus, *, memory_skipped: bool = False, failure: str | None = None
) -> Run:
    """End an open run; how it ended does not change any more.

    Args:
        context: the open store.
        run: its id.
        status: how it ended.
        memory_skipped: whether a one-shot run completed without a write (decision 28).
        failure: why it failed, in one sentence.

    Raises:
        UnknownRun: there is no such run.
        RunOver: it has ended already.
    """
    with context.database.tx() as cursor:
        found = _open(cursor, run)
        ended = replace(
            found, status=status, finished_at=context.clock(), memory_skipped=memory_skipped, failure=failure
        )
        runs.update(cursor, ended)
        return ended


def open_step(context: Context, agent: str, version: int) -> Step:
    """The call that wrote a version of an agent's memory, found by the ledger of file changes.

    Raises:
        UnknownAgent: there is no such agent.
        NoSuchStep: no run wrote that version, or its run keeps no row with that call.
    """
    with context.database.read() as cursor:
        who = find_agent(cursor, agent)
        if who.layout is Layout.DIRECTORY:
            raise NoSuchStep(who.name, version, "a memory directory is written by commit")
        made = (one for one in changes.of_agent(cursor, who.id) if one.file is TextKind.MEMORY)
        change = next((one for one in made if one.version == version), None)
        if change is None or change.run is None:
            raise NoSuchStep(who.name, version, "no run wrote it" if change else "no write of it is on record")
        rows = () if change.call is None else runs.messages(cursor, change.run)
    for row in rows:
        if change.call is not None and any(call.id == change.call for call in row.tool_calls):
            return Step(change.run, row.position, change.call)
    raise NoSuchStep(who.name, version, f"the run {change.run} keeps no row with its call")


def list_runs(context: Context, agent: str, limit: int | None = None, offset: int = 0) -> tuple[Run, ...]:
    """The runs of an agent, newest first: all, or a page of them."""
    with context.database.read() as cursor:
        return runs.of_agent(cursor, find_agent(cursor, agent).id, limit, offset)


def count_runs(context: Context, agent: str) -> int:
    """How many runs an agent has."""
    with context.database.read() as cursor:
        return runs.count(cursor, find_agent(cursor, agent).id)


def count_newer_runs(context: Context, run: str) -> int:
    """How many runs of the same agent are newer: where a run stands in the list.

    Raises:
        UnknownRun: there is no such run.
    """
    with context.database.read() as cursor:
        return runs.place(cursor, _get(cursor, run).id)


def outline_runs(context: Context, named: Sequence[str]) -> dict[str, RunOutline]:
    """The steps, tool calls and opening message of each of these runs; one that has no rows, or is not there, has none."""
    with context.database.read() as cursor:
        found = runs.outlines(cursor, [run for run in named if storable(run)])
    return {run: found.get(run, RunOutline()) for run in named}


def get_run(context: Context, run: str) -> tuple[Run, tuple[Message, ...]]:
    """A run with its chat rows.

    Raises:
        UnknownRun: there is no such run.
    """
    with context.database.read() as cursor:
        found = _get(cursor, run)
        return found, runs.messages(cursor, found.id)


def check_open(context: Context, run: str) -> None:
    """Nothing, as long as a run is open.

    Raises:
        UnknownRun: there is no such run.
        RunOver: it has ended.
    """
    with context.database.read() as cursor:
        _open(cursor, run)


def _open(cursor: Cursor, run: str) -> Run:
    """The run, if it has not ended."""
    found = _get(cursor, run)
    if found.status is not RunStatus.OPEN:
        raise RunOver(found.id, found.status)
    return found


def _get(cursor: Cursor, run: str) -> Run:
    found = runs.get(cursor, run) if storable(run) else None
    if found is None:
        raise UnknownRun(run)
    return found
