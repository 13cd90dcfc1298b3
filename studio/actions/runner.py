"""Drive a run with a model: do what the state machine says, store each row as it happens, and end the run.

A run holds no transaction while its model thinks, so other runs, saves and wakes of the same agent go on beside it; the agent is busy
only for the length of one write, and the run itself while it generates (decision 27). Only whoever drives a run adds rows to it, so
its rows are read once and kept at hand. Stopping a run is ending it in the store: the runner sees that before its next row.
"""

import contextlib
from collections.abc import Sequence
from datetime import datetime
from typing import Protocol, assert_never

from studio.actions import runs
from studio.actions.agent_tool_specs import AGENT_TOOLS
from studio.actions.agent_tools import Asking, call_tool
from studio.actions.context import Context
from studio.domain.bindings import MEMORY_WRITE
from studio.domain.bodies import made_storable, storable
from studio.domain.generation import ToolAnswer
from studio.domain.run_machine import (
    MEMORY_SOURCE,
    REMINDER,
    AnswerCalls,
    Answered,
    AskModel,
    Event,
    Failed,
    Finish,
    Generated,
    InsertReminder,
    PlannedCall,
    Reminded,
    RunRules,
    RunState,
    Stopped,
    advance,
    resume,
    start,
)
from studio.domain.runs import Message, Role, Run, RunStatus, ToolCall, next_position, tool_result
from studio.errors import RunGenerating, RunOver, StudioError
from studio.sources.models import Model
from studio.store import leases


class Keeper(Protocol):
    """Who keeps a run while it is driven: the open store itself, or the owner of it elsewhere."""

    def now(self) -> datetime:
        """The time that rows bear (UTC)."""

    def get_run(self, run: str) -> tuple[Run, tuple[Message, ...]]:
        """The run with its rows. Raises `UnknownRun`."""

    def append(self, run: str, row: Message) -> None:
        """Store one more row. Raises `RunOver`."""

    def check_open(self, run: str) -> None:
        """Nothing, as long as the run is open. Raises `RunOver`."""

    def call_tool(self, run: Run, call: ToolCall) -> ToolAnswer:
        """Carry a tool call out; an error is an answer too."""

    def finish_run(self, run: str, status: RunStatus, *, memory_skipped: bool, failure: str | None) -> Run:
        """End the run. Raises `RunOver`."""


class StoreKeeper:
    """Keeps runs in the store that this process owns."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def now(self) -> datetime:
        """The context's time."""
        return self._context.clock()

    def get_run(self, run: str) -> tuple[Run, tuple[Message, ...]]:
        """See `runs.get_run`."""
        return runs.get_run(self._context, run)

    def append(self, run: str, row: Message) -> None:
        """See `runs.append`."""
        runs.append(self._context, run, [row])

    def check_open(self, run: str) -> None:
        """See `runs.check_open`."""
        runs.check_open(self._context, run)

    def call_tool(self, run: Run, call: ToolCall) -> ToolAnswer:
        """See `agent_tools.call_tool`."""
        return call_tool(self._context, Asking(run.agent, run.id, call.id), call.name, call.arguments, run.tools)

    def finish_run(self, run: str, status: RunStatus, *, memory_skipped: bool, failure: str | None) -> Run:
        """See `runs.finish_run`."""
        return runs.finish_run(self._context, run, status, memory_skipped=memory_skipped, failure=failure)


def drive(context: Context, run: str, model: Model) -> Run:
    """Let a model carry on with an open run until the run, or this turn of a direct one, is over.

    A model that does not answer makes the run failed, with the reason in its metadata.

    Raises:
        UnknownRun: there is no such run.
        RunOver: it has ended already.
        RunGenerating: another driver carries it on.
    """
    with context.driven.hold(run):
        return carry_on(StoreKeeper(context), run, model)


def continue_run(context: Context, run: str, message: str, model: Model) -> Run:
    """A user's next message to a direct run, and the model's turn after it.

    Raises:
        RunGenerating: a model carries the run on already; the message is not stored.
        StudioError: what `runs.add_turn` raises.
    """
    with context.driven.hold(run):
        return carry_on(StoreKeeper(context), runs.add_turn(context, run, message).id, model)


def take_run(context: Context, run: str, message: str | None) -> str:
    """Lease an open run to a driver elsewhere, with a user's next message to it where there is one; gives the lease.

    Raises:
        RunGenerating: somebody drives it.
        StudioError: what `runs.check_open`, or with a message `runs.add_turn`, raises.
    """
    with context.driven.take(run) as lease, context.database.tx() as cursor:
        if message is None:
            runs.check_open(context, run)
        else:
            runs.add_turn(context, run, message)
        leases.put(cursor, run, lease)
        return lease


def stop_driven(context: Context) -> None:
    """End as stopped all runs that are driven in this process; whoever drives one sees that before its next row.

    A run that is driven elsewhere stays as it is: its driver goes on with it once the store is served again.
    """
    for run in context.driven.here():
        with contextlib.suppress(RunOver):
            runs.finish_run(context, run, RunStatus.STOPPED)


def carry_on(keeper: Keeper, run: str, model: Model) -> Run:
    """`drive` for whoever holds the run.

    Raises what `drive` does.
    """
    found, rows = keeper.get_run(run)
    if found.status is not RunStatus.OPEN:
        raise RunOver(found.id, found.status)
    state = resume(_rules(found), rows)
    driven = _Driven(keeper, found, rows, model)
    try:
        while not state.over:
            state = advance(state, driven.do(state))
        return driven.finish(state)
    except RunOver:
        return keeper.get_run(run)[0]
    except RunGenerating:  # another driver has the run: it is not ours to end
        raise
    except KeyboardInterrupt:
        driven.abandon(Stopped())
        raise
    except Exception as error:
        driven.abandon(Failed(f"Prompt Studio itself failed ({type(error).__name__})."))
        raise


def _rules(run: Run) -> RunRules:
    return RunRules(run.kind, run.max_steps, run.max_tool_calls, MEMORY_WRITE in run.tools)


class _Driven:
    """A run while it is driven."""

    def __init__(self, keeper: Keeper, run: Run, rows: Sequence[Message], model: Model) -> None:
        self._keeper = keeper
        self._run = run
        self._rows = list(rows)
        self._model = model

    def do(self, state: RunState) -> Event:
        """Do what is to be done and tell what happened."""
        try:
            match state.todo:
                case AskModel(extra):
                    return self._ask(extra=extra)
                case AnswerCalls(calls):
                    return self._answer(calls)
                case InsertReminder():
                    self._add(Role.SYSTEM, REMINDER, source=MEMORY_SOURCE)
                    return Reminded()
                case Finish():
                    raise ValueError("the run is over")
                case _:
                    assert_never(state.todo)
        except (RunOver, RunGenerating):  # ended, or carried on by another driver that took it over
            raise
        except StudioError as error:
            return Failed(_kept(str(error)))

    def finish(self, state: RunState) -> Run:
        """End the run as the machine says."""
        end = state.todo
        if not isinstance(end, Finish):
            raise TypeError(f"{end} does not end a run")
        return self._keeper.finish_run(self._run.id, end.status, memory_skipped=end.memory_skipped, failure=end.failure)

    def abandon(self, event: Failed | Stopped) -> None:
        """End the run where it stands, on the way out of an error; one that has ended stays as it is."""
        with contextlib.suppress(StudioError):
            self.finish(advance(start(_rules(self._run)), event))

    def _ask(self, *, extra: bool) -> Event:
        self._keeper.check_open(self._run.id)
        offered = [name for name in self._run.tools if not extra or name == MEMORY_WRITE]
        generation = self._model.generate(
            tuple(self._rows), [AGENT_TOOLS[name] for name in offered if name in AGENT_TOOLS]
        )
        made = sum(len(row.tool_calls) for row in self._rows)
        calls = tuple(
            ToolCall(f"c_{number}", asked.name, asked.arguments)
            for number, asked in enumerate(generation.calls, made + 1)
        )
        # No store takes NUL or a lone surrogate (decision 5), and one such character of a model must not cost a whole wake, so the
        # row keeps U+FFFD in its place. The call is carried out as it was asked for: a tool refuses such a text with a sentence.
        kept = tuple(ToolCall(one.id, made_storable(one.name), made_storable(one.arguments)) for one in calls)
        self._add(Role.ASSISTANT, made_storable(generation.text), calls=kept)
        return Generated(calls)

    def _answer(self, calls: tuple[PlannedCall, ...]) -> Event:
        written = False
        for planned in calls:
            answer = self._carry_out(planned)
            written = written or (planned.call.name == MEMORY_WRITE and answer.accepted)
            self._add(Role.TOOL, tool_result(_kept(answer.text), planned.remaining), answers=planned.call.id)
        return Answered(written)

    def _carry_out(self, planned: PlannedCall) -> ToolAnswer:
        if planned.refusal is not None:
            return ToolAnswer(planned.refusal, accepted=False)
        self._keeper.check_open(self._run.id)  # a run that was stopped carries nothing out
        return self._keeper.call_tool(self._run, planned.call)

    def _add(
        self,
        role: Role,
        content: str,
        *,
        source: str | None = None,
        calls: tuple[ToolCall, ...] = (),
        answers: str | None = None,
    ) -> None:
        """Store one more row."""
        row = Message(next_position(self._rows), role, content, self._keeper.now(), source, calls, answers)
        self._keeper.append(self._run.id, row)
        self._rows.append(row)


def _kept(text: str) -> str:
    """What we say ourselves, as the store can hold it: a quoted NUL or lone surrogate becomes an escape."""
    return text if storable(text) else "".join(c if storable(c) else f"\\u{ord(c):04x}" for c in text)
