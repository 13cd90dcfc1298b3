"""The run loop as a pure state machine: it is told what happened and says what to do next.

It knows no model, tool, clock or store. A runner asks the model, carries calls out and stores rows as `RunState.todo` says, and gives
each outcome back with `advance`. What it keeps (decisions 27 and 28):

- Every call takes one from the calls left, in call order; a call beyond them is answered as refused.
- The run is about to complete when a step asks for no tool, or when its steps or its calls are used up.
- A one-shot run then gets one reminder and one extra step where it is offered `memory_write` and has no accepted write yet. Only
  `memory_write` is carried out in that step, and then the run ends.
- A run that fails or is stopped gets neither the reminder nor `memory_skipped`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from studio.domain.bindings import MEMORY_WRITE
from studio.domain.run_kinds import RunKind
from studio.domain.runs import Message, Role, RunStatus, ToolCall

MEMORY_SOURCE = "memory"
"""The source of the reminder's row (decision 28)."""
REMINDER = "Memory: this wake has not called memory_write. Call it now."
"""What the reminder's row says, exactly (decision 28)."""
ERROR = "ERROR: "
"""How the answer to a call begins that was refused or failed."""
REFUSED_BEYOND = f"{ERROR}not carried out, no tool calls are left"
"""What answers a call beyond those that were left."""
REFUSED_EXTRA = f"{ERROR}not carried out, only memory_write is carried out now"
"""What answers any other call in the extra step."""
REFUSED_CUT_OFF = f"{ERROR}the run was cut off here; it is not known whether this was carried out"
"""What answers a call that a run was cut off at, when it goes on."""


@dataclass(frozen=True, slots=True)
class RunRules:
    """What a run may do."""

    kind: RunKind
    """What started it."""
    max_steps: int
    """How many generations it may take, the extra one not counted."""
    max_tool_calls: int
    """How many tool calls it may make."""
    memory_write: bool
    """Whether it is offered `memory_write`."""

    @property
    def must_write(self) -> bool:
        """Whether the run must write memory once (decision 28)."""
        return self.kind.one_shot and self.memory_write


# --- what to do next ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AskModel:
    """Ask the model for its next step."""

    extra: bool = False
    """Whether this is the one step after the reminder."""


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """How one call of a batch is answered."""

    call: ToolCall
    """The call."""
    remaining: int
    """Calls left after it: its trailer."""
    refusal: str | None
    """The answer where it is not carried out."""


@dataclass(frozen=True, slots=True)
class AnswerCalls:
    """Answer these calls in their order."""

    calls: tuple[PlannedCall, ...]
    """All calls of the step."""


@dataclass(frozen=True, slots=True)
class InsertReminder:
    """Insert the reminder's row; the model is asked again right after it, in the same generation."""


@dataclass(frozen=True, slots=True)
class Finish:
    """The run, or this turn of a direct run, is over."""

    status: RunStatus
    """How it ended."""
    memory_skipped: bool = False
    """Whether a one-shot run completed without a write (decision 28)."""
    failure: str | None = None
    """Why it failed."""


Todo = AskModel | AnswerCalls | InsertReminder | Finish

# --- what happened -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Generated:
    """The model answered."""

    calls: tuple[ToolCall, ...] = ()
    """The calls it asks for; none where it only wrote text."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The calls of the step are answered."""

    memory_written: bool = False
    """Whether a `memory_write` among them was accepted; a byte-identical one is, a rejected one is not (decisions 6 and 7)."""


@dataclass(frozen=True, slots=True)
class Reminded:
    """The reminder's row is stored."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The run cannot go on."""

    why: str
    """In one sentence."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """Somebody stopped the run."""


Event = Generated | Answered | Reminded | Failed | Stopped


@dataclass(frozen=True, slots=True)
class RunState:
    """Where a run stands."""

    rules: RunRules
    """What it may do."""
    remaining: int
    """Tool calls left."""
    todo: Todo = AskModel()
    """What to do next."""
    steps: int = 0
    """Generations so far in this turn, the extra one included."""
    reminded: bool = False
    """Whether the one reminder was given."""
    memory_written: bool = False
    """Whether a write was accepted."""

    @property
    def over(self) -> bool:
        """Whether nothing is left to do."""
        return isinstance(self.todo, Finish)


def start(rules: RunRules, *, calls_made: int = 0) -> RunState:
    """A run before its first step.

    Args:
        rules: what it may do.
        calls_made: tool calls that earlier turns of the run made.
    """
    return RunState(rules, max(rules.max_tool_calls - calls_made, 0))


def resume(rules: RunRules, rows: Sequence[Message]) -> RunState:
    """A run as its stored rows tell: a new one from its opening rows, a direct one before its next turn.

    Calls count over the whole run, steps from the last row of a user. Calls that a run was cut off at are answered as refused.
    """
    writes = {call.id for row in rows for call in row.tool_calls if call.name == MEMORY_WRITE}
    results = [row for row in rows if row.role is Role.TOOL]
    written = any(row.tool_call_id in writes and not row.content.startswith(ERROR) for row in results)
    last_user = max((row.position for row in rows if row.role is Role.USER), default=0)
    steps = sum(row.role is Role.ASSISTANT and row.position > last_user for row in rows)
    reminded = any(row.source == MEMORY_SOURCE for row in rows)
    begun = replace(
        start(rules, calls_made=len(results)),
        steps=steps,
        reminded=reminded,
        memory_written=written,
        todo=AskModel(extra=reminded),
    )
    answered = {row.tool_call_id for row in results}
    pending = [call for row in rows for call in row.tool_calls if call.id not in answered]
    return _plan(begun, pending, lambda *_: REFUSED_CUT_OFF) if pending else begun


def advance(state: RunState, event: Event) -> RunState:
    """Where the run stands after an event.

    Raises:
        ValueError: the event does not answer what was to be done; a fault of the runner.
    """
    if state.over:
        raise ValueError(f"{event} came after the run was over")
    match event:
        case Failed(why):
            return replace(state, todo=Finish(RunStatus.FAILED, failure=why))
        case Stopped():
            return replace(state, todo=Finish(RunStatus.STOPPED))
        case Generated(calls) if isinstance(state.todo, AskModel):
            return _after_generation(state, calls)
        case Answered(memory_written) if isinstance(state.todo, AnswerCalls):
            return _after_answers(replace(state, memory_written=state.memory_written or memory_written))
        case Reminded() if isinstance(state.todo, InsertReminder):
            return replace(state, reminded=True, todo=AskModel(extra=True))
        case Generated() | Answered() | Reminded():
            raise ValueError(f"{event} does not answer {state.todo}")
        case _:
            assert_never(event)


def _after_generation(state: RunState, calls: Sequence[ToolCall]) -> RunState:
    """A step without calls is the last one; the calls of any other are answered first."""
    taken = replace(state, steps=state.steps + 1)
    if not calls:
        return _complete(taken)
    left = state.remaining
    return _plan(taken, calls, lambda call, number: _refusal(call, extra=state.reminded, beyond=number > left))


def _plan(state: RunState, calls: Sequence[ToolCall], refusal: Callable[[ToolCall, int], str | None]) -> RunState:
    """The state in which these calls are answered: each takes one from the calls left, in call order."""
    left = state.remaining
    planned = tuple(
        PlannedCall(call, max(left - number, 0), refusal(call, number)) for number, call in enumerate(calls, 1)
    )
    return replace(state, remaining=max(left - len(calls), 0), todo=AnswerCalls(planned))


def _refusal(call: ToolCall, *, extra: bool, beyond: bool) -> str | None:
    """Why a call is not carried out; None if it is. The extra step grants `memory_write` also with no calls left."""
    if extra:
        return None if call.name == MEMORY_WRITE else REFUSED_EXTRA
    return REFUSED_BEYOND if beyond else None


def _after_answers(state: RunState) -> RunState:
    """Another step, unless steps or calls are used up, or this was the extra one."""
    if state.reminded or state.remaining == 0 or state.steps >= state.rules.max_steps:
        return _complete(state)
    return replace(state, todo=AskModel())


def _complete(state: RunState) -> RunState:
    """The run is about to complete: remind it once if it still has to write, else it ends."""
    missing = state.rules.must_write and not state.memory_written
    if missing and not state.reminded:
        return replace(state, todo=InsertReminder())
    return replace(state, todo=Finish(RunStatus.COMPLETED, memory_skipped=missing))
