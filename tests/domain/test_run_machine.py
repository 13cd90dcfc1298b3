"""The run loop as a state machine (decisions 27 and 28)."""

from collections.abc import Iterator

import pytest
from builders import START
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.bindings import MEMORY_WRITE
from studio.domain.run_kinds import RunKind
from studio.domain.run_machine import (
    REFUSED_BEYOND,
    REFUSED_CUT_OFF,
    REFUSED_EXTRA,
    REMINDER,
    AnswerCalls,
    Answered,
    AskModel,
    Event,
    Failed,
    Finish,
    Generated,
    InsertReminder,
    Reminded,
    RunRules,
    RunState,
    Stopped,
    advance,
    resume,
    start,
)
from studio.domain.runs import Message, Role, RunStatus, ToolCall

REJECTED = "memory_write over the cap"
"""How a script spells a `memory_write` that is rejected."""
Script = list[list[str]]
"""The tools that each generation calls; the machine sees an empty step once the script is used up."""


class Course:
    """What a run did when its model followed a script."""

    def __init__(self, rules: RunRules, script: Script, *, calls_made: int = 0) -> None:
        self.generations = self.reminders = self.extra_steps = 0
        self.answers: list[tuple[str, int, str | None]] = []
        self.states: list[RunState] = []
        steps = iter(script)
        state = start(rules, calls_made=calls_made)
        while not state.over:
            self.states.append(state)
            state = advance(state, self._do(state, steps))
        self.states.append(state)
        assert isinstance(state.todo, Finish)
        self.end = state.todo

    def _do(self, state: RunState, steps: Iterator[list[str]]) -> Event:
        match state.todo:
            case AskModel(extra):
                self.generations += 1
                self.extra_steps += extra
                names = next(steps, [])
                return Generated(tuple(ToolCall(f"c_{at}", name, "{}") for at, name in enumerate(names)))
            case AnswerCalls(planned):
                self.answers += [(one.call.name, one.remaining, one.refusal) for one in planned]
                return Answered(any(one.call.name == MEMORY_WRITE and one.refusal is None for one in planned))
            case InsertReminder():
                self.reminders += 1
                return Reminded()
            case Finish():
                raise AssertionError


def rules(kind: RunKind = RunKind.SCHEDULE, *, steps: int = 50, calls: int = 40, memory_write: bool = True) -> RunRules:
    return RunRules(kind, steps, calls, memory_write)


SKIPPED = Finish(RunStatus.COMPLETED, memory_skipped=True)
COMPLETED = Finish(RunStatus.COMPLETED)


@pytest.mark.parametrize(
    ("given_rules", "script", "generations", "reminders", "end"),
    [
        pytest.param(rules(), [[], [MEMORY_WRITE]], 2, 1, COMPLETED, id="one-shot-01"),
        pytest.param(rules(), [[], []], 2, 1, SKIPPED, id="one-shot-03"),
        pytest.param(rules(), [[], ["note_find"], [MEMORY_WRITE]], 2, 1, SKIPPED, id="one-shot-04"),
        pytest.param(rules(calls=1), [["note_find"], [MEMORY_WRITE]], 2, 1, COMPLETED, id="one-shot-06"),
        pytest.param(rules(steps=1), [["note_find"], [MEMORY_WRITE]], 2, 1, COMPLETED, id="step-limit-reached"),
        pytest.param(rules(RunKind.GROUP), [[], [MEMORY_WRITE]], 2, 1, COMPLETED, id="one-shot-07"),
        pytest.param(rules(RunKind.GROUP), [[], []], 2, 1, SKIPPED, id="one-shot-07-skipped"),
        pytest.param(rules(memory_write=False), [[]], 1, 0, COMPLETED, id="one-shot-09"),
        pytest.param(rules(), [["x"], [MEMORY_WRITE], ["x"], ["x"], []], 5, 0, COMPLETED, id="one-shot-10"),
        pytest.param(rules(), [[REJECTED], [], []], 3, 1, SKIPPED, id="one-shot-12"),
        pytest.param(rules(), [[], [REJECTED]], 2, 1, SKIPPED, id="rejected-in-the-extra-step"),
        pytest.param(rules(RunKind.DIRECT), [[]], 1, 0, COMPLETED, id="direct-runs-need-not-write"),
        pytest.param(rules(calls=1), [[MEMORY_WRITE]], 1, 0, COMPLETED, id="wrap-up-03-stops"),
        pytest.param(rules(RunKind.DIRECT, steps=3), [["x"]] * 9, 3, 0, COMPLETED, id="steps-used-up"),
    ],
)
def test_how_a_run_ends(given_rules: RunRules, script: Script, generations: int, reminders: int, end: Finish) -> None:
    course = Course(given_rules, script)
    assert (course.generations, course.reminders, course.end) == (generations, reminders, end)
    assert course.extra_steps == reminders


def test_a_step_with_calls_brings_no_reminder() -> None:
    """one-shot-13."""
    state = advance(start(rules()), Generated((ToolCall("c_1", "note_find", "{}"),)))
    assert isinstance(state.todo, AnswerCalls)
    assert advance(state, Answered()).todo == AskModel()


@pytest.mark.parametrize(
    ("calls_made", "batch", "answers"),
    [
        pytest.param(30, ["a", "b", "c"], [("a", 9, None), ("b", 8, None), ("c", 7, None)], id="wrap-up-04"),
        pytest.param(39, ["a", "b"], [("a", 0, None), ("b", 0, REFUSED_BEYOND)], id="batch-beyond-N"),
        pytest.param(40, ["a"], [("a", 0, REFUSED_BEYOND)], id="nothing-left"),
        pytest.param(99, ["a"], [("a", 0, REFUSED_BEYOND)], id="more-made-than-allowed"),
    ],
)
def test_calls_count_down_in_call_order(
    calls_made: int, batch: list[str], answers: list[tuple[str, int, str | None]]
) -> None:
    """Decision 27."""
    assert Course(rules(RunKind.DIRECT), [batch], calls_made=calls_made).answers == answers


def test_a_write_beyond_the_calls_left_does_not_count() -> None:
    """Decisions 27 and 28: it is refused, so the reminder fires, and then it is accepted with a trailer of 0."""
    course = Course(rules(calls=1), [["a", MEMORY_WRITE], [MEMORY_WRITE]])
    assert course.answers == [("a", 0, None), (MEMORY_WRITE, 0, REFUSED_BEYOND), (MEMORY_WRITE, 0, None)]
    assert (course.reminders, course.end) == (1, COMPLETED)


def test_only_memory_write_is_carried_out_in_the_extra_step() -> None:
    """one-shot-04: other calls take one each and are answered as refused."""
    course = Course(rules(calls=3), [[], ["a", "b", "c", MEMORY_WRITE]])
    refused = [("a", 2, REFUSED_EXTRA), ("b", 1, REFUSED_EXTRA), ("c", 0, REFUSED_EXTRA)]
    assert course.answers == [*refused, (MEMORY_WRITE, 0, None)]
    assert course.end == COMPLETED


BEFORE_THE_END = [[], [Generated()], [Generated(), Reminded()]]


@pytest.mark.parametrize("before", BEFORE_THE_END, ids=["at-first", "at-the-reminder", "in-the-extra-step"])
@pytest.mark.parametrize(
    ("event", "end"),
    [
        (Failed("The model is down."), Finish(RunStatus.FAILED, failure="The model is down.")),
        (Stopped(), Finish(RunStatus.STOPPED)),
    ],
    ids=["failed", "stopped"],
)
def test_a_failed_or_stopped_run_gets_neither(before: list[Event], event: Event, end: Finish) -> None:
    """Decision 28."""
    state = start(rules())
    for earlier in before:
        state = advance(state, earlier)
    assert advance(state, event).todo == end


@pytest.mark.parametrize(
    ("before", "event"),
    [
        ([], Answered()),
        ([], Reminded()),
        ([Generated()], Generated()),
        ([Stopped()], Generated()),
        ([Stopped()], Stopped()),
    ],
)
def test_an_event_out_of_turn_is_a_fault(before: list[Event], event: Event) -> None:
    state = start(rules())
    for earlier in before:
        state = advance(state, earlier)
    with pytest.raises(ValueError, match=r"does not answer|was over"):
        advance(state, event)


def row(position: int, role: Role, content: str = "", *calls: str, answers: str | None = None) -> Message:
    asked = tuple(ToolCall(f"c_{position}_{name}", name, "{}") for name in calls)
    source = "memory" if content == REMINDER else None
    return Message(position, role, content, START, source, asked, answers)


OPENING = (row(0, Role.SYSTEM, "composed"), row(1, Role.USER, "wake-up"))
FOUND = (*OPENING, row(2, Role.ASSISTANT, "", "note_find"), row(3, Role.TOOL, "[]", answers="c_2_note_find"))
WROTE = row(5, Role.TOOL, "Memory saved", answers="c_4_memory_write")
REJECTED_ROW = row(5, Role.TOOL, "ERROR: memory exceeds 12000 characters", answers="c_4_memory_write")
WRITING = (*FOUND, row(4, Role.ASSISTANT, "", MEMORY_WRITE))


@pytest.mark.parametrize(
    ("rows", "calls_left", "steps", "reminded", "written"),
    [
        pytest.param(OPENING, 40, 0, False, False, id="new"),
        pytest.param(FOUND, 39, 1, False, False, id="after-a-call"),
        pytest.param((*WRITING, WROTE), 38, 2, False, True, id="after-a-write"),
        pytest.param((*WRITING, REJECTED_ROW), 38, 2, False, False, id="after-a-rejected-write"),
        pytest.param((*FOUND, row(4, Role.SYSTEM, REMINDER)), 39, 1, True, False, id="after-the-reminder"),
        pytest.param((*FOUND, row(4, Role.USER, "go on")), 39, 0, False, False, id="next-turn"),
    ],
)
def test_a_run_goes_on_where_its_rows_end(
    rows: tuple[Message, ...],
    calls_left: int,
    steps: int,
    reminded: bool,  # noqa: FBT001 - a table's column
    written: bool,  # noqa: FBT001 - likewise
) -> None:
    state = resume(rules(), rows)
    assert (state.remaining, state.steps, state.reminded, state.memory_written) == (
        calls_left,
        steps,
        reminded,
        written,
    )
    assert state.todo == AskModel(extra=reminded)


def test_a_call_that_a_run_was_cut_off_at_is_answered_first() -> None:
    state = resume(rules(), (*OPENING, row(2, Role.ASSISTANT, "", "a", "b"), row(3, Role.TOOL, "", answers="c_2_a")))
    assert isinstance(state.todo, AnswerCalls)
    assert [(one.call.name, one.remaining, one.refusal) for one in state.todo.calls] == [("b", 38, REFUSED_CUT_OFF)]
    assert advance(state, Answered()).todo == AskModel()


SCRIPTS = st.lists(st.lists(st.sampled_from([MEMORY_WRITE, REJECTED, "note_find"]), max_size=4), max_size=8)
RULES = st.builds(RunRules, st.sampled_from(RunKind), st.integers(1, 6), st.integers(1, 8), st.booleans())


@given(RULES, SCRIPTS)
def test_every_run_ends(any_rules: RunRules, script: Script) -> None:
    """Decision 28: within its steps and one more, with one reminder at most, whatever its model does."""
    course = Course(any_rules, script)
    assert course.generations <= any_rules.max_steps + 1
    assert course.reminders <= 1
    assert course.extra_steps == course.reminders
    assert course.generations - course.extra_steps <= any_rules.max_steps
    if not any_rules.must_write:
        assert course.reminders == 0


@given(RULES, SCRIPTS)
def test_no_more_calls_are_carried_out_than_allowed(any_rules: RunRules, script: Script) -> None:
    """Decision 27: trailers never rise or fall below 0; only the extra step's memory_write goes beyond."""
    course = Course(any_rules, script)
    trailers = [remaining for _, remaining, _ in course.answers]
    assert trailers == [max(any_rules.max_tool_calls - made, 0) for made in range(1, len(trailers) + 1)]
    beyond = [answer for answer in course.answers[any_rules.max_tool_calls :] if answer[2] is None]
    assert all(name == MEMORY_WRITE for name, _, _ in beyond)
    assert not beyond or course.reminders == 1


@given(RULES, SCRIPTS)
def test_memory_is_skipped_exactly_where_a_write_was_due_and_none_accepted(any_rules: RunRules, script: Script) -> None:
    course = Course(any_rules, script)
    wrote = any(name == MEMORY_WRITE and refusal is None for name, _, refusal in course.answers)
    assert course.end == Finish(RunStatus.COMPLETED, memory_skipped=any_rules.must_write and not wrote)
    assert course.reminders == 0 or course.states[-1].reminded
