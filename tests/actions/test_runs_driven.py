"""Runs as a model drives them: rows, trailers, the one reminder, and how they end (decisions 27 to 29)."""

import hashlib
import json
import shutil
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pytest
from builders import PROMPTS, Clock, blank_store, context_of, overwrite, publish

from studio.actions.runner import StoreKeeper, carry_on
from studio.actions.runs import create_run
from studio.actions.studio import Studio
from studio.domain.generation import CallRequest, Generation, ToolSpec
from studio.domain.run_kinds import RunKind
from studio.domain.run_machine import REFUSED_BEYOND, REFUSED_EXTRA, REMINDER
from studio.domain.runs import DEFAULT_MAX_STEPS, WRAP_UP_LINE, Message, Role, Run, RunStatus, Trigger
from studio.domain.settings import AgentSettings
from studio.errors import (
    BadArgument,
    BadModel,
    BadSetting,
    Busy,
    ModelFailed,
    NoSuchStep,
    NoTemplate,
    RunGenerating,
    RunOver,
)
from studio.sources.models_scripted import ScriptedModel

WAKE = Trigger(RunKind.SCHEDULE, instruction="check inbox")
GROUP = Trigger(RunKind.GROUP, message="ship it?", sender="Ben", tags=("scout",), tagged=True)
DIRECT = Trigger(RunKind.DIRECT, message="hello")
DONE = Generation("Done.")
OVER_THE_CAP = "x" * 12_001


@pytest.fixture(autouse=True)
def agent(studio: Studio) -> None:
    studio.create_agent("scout", focus="watch", guild="harbour")


def call(name: str, **arguments: object) -> CallRequest:
    return CallRequest(name, json.dumps(arguments))


def calls(*requests: CallRequest) -> Generation:
    return Generation("", requests)


def write(content: str) -> Generation:
    return calls(call("memory_write", content=content))


FIND = call("note_find", query="tide")


def run(
    studio: Studio,
    *script: Generation,
    trigger: Trigger = WAKE,
    max_steps: int = DEFAULT_MAX_STEPS,
    max_tool_calls: int = 40,
) -> Run:
    model = ScriptedModel(script)
    return studio.run_agent("scout", trigger, model, max_steps=max_steps, max_tool_calls=max_tool_calls)


def rows(studio: Studio, run: Run) -> tuple[Message, ...]:
    return studio.get_run(run.id)[1]


def answers(studio: Studio, run: Run) -> list[str]:
    return [row.content for row in rows(studio, run) if row.role is Role.TOOL]


def memory(studio: Studio) -> str | None:
    return studio.get_memory_version("scout").body.text


class Thinking:
    """A model that does something while it thinks."""

    def __init__(self, meanwhile: Callable[[], object], then: Generation = DONE) -> None:
        self._meanwhile = meanwhile
        self._then = then

    def generate(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Generation:  # noqa: ARG002
        self._meanwhile()
        return self._then


# --- the reminder ---


@pytest.mark.parametrize("trigger", [pytest.param(WAKE, id="one-shot-01"), pytest.param(GROUP, id="one-shot-07")])
def test_a_wake_that_has_not_written_is_reminded_once(studio: Studio, trigger: Trigger) -> None:
    done = run(studio, DONE, write("kept\n"), trigger=trigger)
    found = rows(studio, done)
    assert [row.role for row in found] == [
        Role.SYSTEM,
        Role.USER,
        Role.ASSISTANT,
        Role.SYSTEM,
        Role.ASSISTANT,
        Role.TOOL,
    ]
    assert (found[3].content, found[3].source) == (
        "Memory: this wake has not called memory_write. Call it now.",
        "memory",
    )
    assert (done.status, done.metadata, memory(studio)) == (RunStatus.COMPLETED, {}, "kept\n")


@pytest.mark.parametrize(
    ("script", "limits", "metadata", "reminders"),
    [
        pytest.param([DONE, DONE, write("late\n")], {}, {"memory_skipped": True}, 1, id="one-shot-03"),
        pytest.param([DONE, calls(FIND), write("late\n")], {}, {"memory_skipped": True}, 1, id="one-shot-04"),
        pytest.param([calls(FIND), write("kept\n")], {"max_tool_calls": 1}, {}, 1, id="one-shot-06"),
        pytest.param([calls(FIND), write("kept\n")], {"max_steps": 1}, {}, 1, id="step-limit"),
        pytest.param([calls(FIND), write("kept\n"), calls(FIND), calls(FIND), DONE], {}, {}, 0, id="one-shot-10"),
        pytest.param([write(OVER_THE_CAP), DONE, DONE], {}, {"memory_skipped": True}, 1, id="one-shot-12"),
        pytest.param([calls(FIND), write("kept\n"), DONE], {}, {}, 0, id="one-shot-13"),
        pytest.param([write(""), DONE], {}, {}, 0, id="a-no-op-counts"),
    ],
)
def test_how_a_wake_ends(
    studio: Studio, script: list[Generation], limits: dict[str, int], metadata: dict[str, bool], reminders: int
) -> None:
    model = ScriptedModel(script)
    done = studio.run_agent("scout", WAKE, model, **limits)
    assert (done.status, done.metadata) == (RunStatus.COMPLETED, metadata)
    assert [row.content for row in rows(studio, done)].count(REMINDER) == reminders
    assert studio.get_run(done.id)[0] == done
    assert memory(studio) in ({"kept\n"} if any("kept" in str(one) for one in script) else {""})


def test_the_extra_step_with_no_calls_left_takes_a_write_and_nothing_else(studio: Studio) -> None:
    """one-shot-06, one-shot-04: its trailer says 0."""
    model = ScriptedModel([calls(FIND, FIND), calls(FIND, call("memory_write", content="kept\n"))])
    done = studio.run_agent("scout", WAKE, model, max_tool_calls=1)
    end = f"{WRAP_UP_LINE}\nremaining_tool_calls: 0"
    assert answers(studio, done) == [
        f"[]\n{end}",
        f"{REFUSED_BEYOND}\n{end}",
        f"{REFUSED_EXTRA}\n{end}",
        f"Memory saved: 5 of 12,000 characters.\n{end}",
    ]
    assert [[tool.name for tool in offered] for _, offered in model.seen] == [list(done.tools), ["memory_write"]]


@pytest.mark.parametrize("memory_on", [pytest.param(True, id="one-shot-09"), pytest.param(False, id="memory-off")])
def test_without_memory_write_nobody_is_reminded(studio: Studio, memory_on: bool) -> None:  # noqa: FBT001 - a table's column
    studio.configure_agent("scout", AgentSettings(memory=memory_on, memory_write=False))
    model = ScriptedModel([write("refused\n"), DONE])
    done = studio.run_agent("scout", WAKE, model)
    assert (done.metadata, memory(studio)) == ({}, "")
    assert answers(studio, done)[0].startswith("ERROR: there is no tool 'memory_write'")
    assert "memory_write" not in [tool.name for tool in model.seen[0][1]]
    assert REMINDER not in [row.content for row in rows(studio, done)]


def test_a_direct_run_need_not_write(studio: Studio) -> None:
    done = run(studio, DONE, trigger=DIRECT)
    assert [row.role for row in rows(studio, done)] == [Role.SYSTEM, Role.USER, Role.ASSISTANT]
    assert (done.status, done.metadata) == (RunStatus.COMPLETED, {})


def test_the_reminder_and_its_step_share_the_generation(studio: Studio) -> None:
    """one-shot-01: the run is not ended and opened again between them."""
    seen: list[RunStatus] = []
    thinking = Thinking(lambda: seen.append(studio.list_runs("scout")[0].status))
    studio.run_agent("scout", WAKE, thinking)
    assert seen == [RunStatus.OPEN, RunStatus.OPEN]


# --- trailers ---


def trailers(studio: Studio, before: int, batch: int) -> list[list[str]]:
    script = [*[calls(FIND)] * (40 - before), calls(*[FIND] * batch), DONE]
    done = run(studio, *script, trigger=DIRECT)
    return [answer.split("\n")[1:] for answer in answers(studio, done)[-batch:]]


def test_nine_calls_left_ask_for_no_wrap_up(studio: Studio) -> None:
    """wrap-up-01."""
    assert trailers(studio, 10, 1) == [["remaining_tool_calls: 9"]]


def test_a_batch_counts_down_once_per_call(studio: Studio) -> None:
    """wrap-up-04: the wrap-up line stands directly above the trailer from 8 on."""
    assert trailers(studio, 10, 3) == [
        ["remaining_tool_calls: 9"],
        [WRAP_UP_LINE, "remaining_tool_calls: 8"],
        [WRAP_UP_LINE, "remaining_tool_calls: 7"],
    ]


def test_with_no_calls_left_the_run_ends(studio: Studio) -> None:
    """wrap-up-03."""
    done = run(studio, *[calls(FIND)] * 9, trigger=DIRECT, max_tool_calls=2)
    assert [answer.split("\n")[1:] for answer in answers(studio, done)] == [
        [WRAP_UP_LINE, "remaining_tool_calls: 1"],
        [WRAP_UP_LINE, "remaining_tool_calls: 0"],
    ]
    assert rows(studio, done)[-1].role is Role.TOOL


# --- turns of a direct run ---


def digest(studio: Studio, of: Run) -> str:
    return hashlib.sha256(rows(studio, of)[0].content.encode()).hexdigest()


def test_a_wake_between_two_turns_leaves_a_direct_run_as_it_is(studio: Studio) -> None:
    """immutability-03, snapshot-01: no further memory row either."""
    direct = run(studio, DONE, trigger=DIRECT)
    before = digest(studio, direct)
    run(studio, write("by the wake\n"), DONE)
    after = studio.continue_run(direct.id, "go on", ScriptedModel([DONE]))
    assert [row.role.value for row in rows(studio, after)] == ["system", "user", "assistant", "user", "assistant"]
    assert (digest(studio, after), after.status) == (before, RunStatus.COMPLETED)
    assert "by the wake" not in "".join(row.content for row in rows(studio, after))


def test_a_run_that_wrote_keeps_its_opening_memory(studio: Studio) -> None:
    """immutability-04."""
    overwrite(studio, "scout", "opening body\n")
    direct = run(studio, write("new body\n"), DONE, trigger=DIRECT)
    before = digest(studio, direct)
    model = ScriptedModel([DONE])
    studio.continue_run(direct.id, "go on", model)
    shown = model.seen[0][0]
    assert "opening body" in shown[0].content
    assert "new body" not in shown[0].content
    assert digest(studio, direct) == before


def test_calls_count_over_the_whole_run(studio: Studio) -> None:
    """Decision 27: another turn brings no new calls."""
    direct = run(studio, calls(FIND), DONE, trigger=DIRECT, max_tool_calls=2)
    studio.continue_run(direct.id, "go on", ScriptedModel([calls(FIND, FIND), DONE]))
    assert [answer.split("\n")[-1][-1] for answer in answers(studio, direct)] == ["1", "0", "0"]
    assert answers(studio, direct)[-1].startswith(REFUSED_BEYOND)
    assert [one.id for row in rows(studio, direct) for one in row.tool_calls] == ["c_1", "c_2", "c_3"]


def test_nobody_writes_to_a_one_shot_run(studio: Studio) -> None:
    wake = run(studio, write("x"), DONE)
    with pytest.raises(BadArgument, match="only a direct run takes another message"):
        studio.continue_run(wake.id, "hello", ScriptedModel([]))
    assert studio.get_run(wake.id)[0] == wake


# --- two at once ---


def test_two_runs_of_one_agent_at_once_lose_nothing(studio: Studio) -> None:
    """concurrency-01, concurrency-09: the agent is busy only while a write lasts."""
    overwrite(studio, "scout", "A\n")
    inner: list[Run] = []

    def meanwhile() -> None:
        if not inner:
            inner.append(run(studio, write("A\nB\nC\n"), DONE))

    outer = studio.run_agent("scout", WAKE, Thinking(meanwhile, write("A2\n")), max_steps=1)
    versions = studio.list_memory_versions("scout")
    assert [(one.number, one.author.name, one.based_on) for one in versions[:3]] == [
        (4, outer.id, 2),
        (3, inner[0].id, 2),
        (2, "Ana", None),
    ]
    assert studio.get_memory_version("scout", 3).body.text == "A\nB\nC\n"
    assert [one.status for one in studio.list_runs("scout")] == [RunStatus.COMPLETED] * 2


def test_runs_in_threads_lose_no_write(studio: Studio) -> None:
    """Every text that a run wrote is a version, or was live, and each names its run."""
    texts = [[f"run {number}, write {at}\n" for at in range(3)] for number in range(4)]
    with ThreadPoolExecutor(4) as threads:
        done = list(threads.map(lambda own: run(studio, *map(write, own), DONE), texts))
    versions = studio.list_memory_versions("scout")
    held = {studio.get_memory_version("scout", one.number).body.text: one.author.name for one in versions}
    assert held == {"": held[""]} | {text: run.id for run, own in zip(done, texts, strict=True) for text in own}
    assert [one.number for one in versions] == list(range(13, 0, -1))


def test_a_run_that_is_generating_takes_no_second_driver_and_no_row(studio: Studio, clock: Clock) -> None:
    """Decision 27: it is busy while it generates, and the first driver goes on."""
    refused: list[str] = []

    def meanwhile() -> None:
        open_run = studio.list_runs("scout")[0].id
        row = Message(99, Role.USER, "x", clock.now)
        for again in (
            lambda: studio.continue_run(open_run, "and this", ScriptedModel([])),
            lambda: studio.drive_run(open_run, ScriptedModel([])),
            lambda: studio.add_messages(open_run, (row,)),
        ):
            with pytest.raises(Busy, match="is generating"):
                again()
            refused.append(open_run)

    done = studio.run_agent("scout", DIRECT, Thinking(meanwhile))
    assert refused == [done.id] * 3
    assert [row.role for row in rows(studio, done)] == [Role.SYSTEM, Role.USER, Role.ASSISTANT]
    assert done.status is RunStatus.COMPLETED
    assert studio.continue_run(done.id, "and now", ScriptedModel([DONE])).status is RunStatus.COMPLETED


def test_a_driver_that_lost_its_run_leaves_it_to_the_next(studio: Studio) -> None:
    """A lease that ran out, as while a machine slept: the run of the driver that took it over is not ended."""
    context = context_of(studio)
    run = create_run(context, "scout", DIRECT)

    class Superseded(StoreKeeper):
        def append(self, run: str, row: Message) -> None:  # noqa: ARG002 - as the keeper takes it
            raise RunGenerating(run)

    with pytest.raises(RunGenerating):
        carry_on(Superseded(context), run.id, ScriptedModel([DONE]))
    assert studio.get_run(run.id)[0].status is RunStatus.OPEN
    assert studio.drive_run(run.id, ScriptedModel([DONE])).status is RunStatus.COMPLETED


def test_turns_sent_at_once_are_taken_one_at_a_time(studio: Studio) -> None:
    direct = run(studio, DONE, trigger=DIRECT)
    started, thinking = threading.Barrier(2), threading.Event()

    def wait() -> None:
        started.wait(10)
        thinking.wait(10)

    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(studio.continue_run, direct.id, "first", Thinking(wait))
        started.wait(10)
        with pytest.raises(Busy):
            studio.continue_run(direct.id, "second", ScriptedModel([DONE]))
        thinking.set()
        assert first.result(10).status is RunStatus.COMPLETED
    said = [row.content for row in rows(studio, direct) if row.role is Role.USER]
    assert said == ["hello", "first"]


# --- ends that are no completion ---


class Down:
    """A model whose provider is down."""

    def generate(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Generation:  # noqa: ARG002
        raise ModelFailed("The model down:now did not answer: overloaded")


def test_a_model_that_does_not_answer_makes_the_run_failed(studio: Studio) -> None:
    """Decision 28: neither reminder nor memory_skipped."""
    failed = studio.run_agent("scout", WAKE, Down())
    assert failed.status is RunStatus.FAILED
    assert failed.metadata == {"failure": "The model down:now did not answer: overloaded"}
    assert len(rows(studio, failed)) == 2
    assert studio.get_run(failed.id)[0] == failed


def test_a_failed_direct_run_takes_another_turn(studio: Studio) -> None:
    """The run is free again, and its failure is forgotten."""
    failed = studio.run_agent("scout", DIRECT, Down())
    assert studio.continue_run(failed.id, "again", ScriptedModel([DONE])).metadata == {}


@pytest.mark.parametrize("character", ["\0", "\ud800"], ids=["nul", "surrogate"])
def test_what_no_store_can_hold_is_replaced_in_the_row_and_the_run_goes_on(studio: Studio, character: str) -> None:
    """Decision 5: the row keeps U+FFFD; the tool still refuses what was asked for."""
    odd = CallRequest(f"note{character}get", "{}")
    bad = CallRequest("memory_write", f'{{"content": "a{character}"}}')
    model = ScriptedModel([Generation(f"b{character}c", (odd, bad)), write("kept\n"), DONE])
    done = studio.run_agent("scout", WAKE, model)
    assert (done.status, done.metadata, memory(studio)) == (RunStatus.COMPLETED, {}, "kept\n")
    row = rows(studio, done)[2]
    assert (row.content, row.tool_calls[0].name, row.tool_calls[1].arguments) == (
        "b\ufffdc",
        "note\ufffdget",
        '{"content": "a\ufffd"}',
    )
    assert all(one.startswith("ERROR: ") for one in answers(studio, done)[:2])
    assert model.seen[-1][0] == rows(studio, done)[:-1]


def test_a_stopped_run_ends_where_it_stands(studio: Studio) -> None:
    def stop() -> None:
        studio.finish_run(studio.list_runs("scout")[0].id, RunStatus.STOPPED)

    stopped = studio.run_agent("scout", WAKE, Thinking(stop, write("too late\n")))
    assert (stopped.status, stopped.metadata, memory(studio)) == (RunStatus.STOPPED, {}, "")
    assert len(rows(studio, stopped)) == 2


def test_an_interrupted_run_is_stopped(studio: Studio) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        studio.run_agent("scout", WAKE, Thinking(interrupt))
    assert [one.status for one in studio.list_runs("scout")] == [RunStatus.STOPPED]


def test_a_fault_of_a_model_fails_the_run_and_is_told(studio: Studio) -> None:
    def fault() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        studio.run_agent("scout", WAKE, Thinking(fault))
    assert studio.list_runs("scout")[0].failure == "Prompt Studio itself failed (ZeroDivisionError)."


def test_a_run_that_ended_takes_nothing_more(studio: Studio, clock: Clock) -> None:
    """Decision 27."""
    done = run(studio, write("x"), DONE)
    for again in (
        lambda: studio.drive_run(done.id, ScriptedModel([])),
        lambda: studio.finish_run(done.id, RunStatus.FAILED),
        lambda: studio.add_messages(done.id, (Message(99, Role.USER, "x", clock.now),)),
    ):
        with pytest.raises(RunOver, match="is completed; it takes no more rows"):
            again()
    assert studio.get_run(done.id)[0] == done


def test_an_open_run_can_be_driven_later(studio: Studio) -> None:
    created = studio.create_run("scout", WAKE)
    assert studio.drive_run(created.id, ScriptedModel([write("x"), DONE])).metadata == {}


def test_a_wake_that_was_cut_off_goes_on_where_it_stood(studio: Studio, clock: Clock) -> None:
    """Decision 28: its reminder was given, so one step is left."""
    created = studio.create_run("scout", WAKE)
    reminder = Message(3, Role.SYSTEM, REMINDER, clock.now, source="memory")
    studio.add_messages(created.id, (Message(2, Role.ASSISTANT, "Done.", clock.now), reminder))
    done = studio.drive_run(created.id, ScriptedModel([calls(FIND), write("late\n")]))
    assert (done.metadata, memory(studio)) == ({"memory_skipped": True}, "")


@pytest.mark.parametrize("model", ["nonsense", "nonesuch:x"])
def test_a_model_that_cannot_be_used_makes_no_run(studio: Studio, model: str) -> None:
    with pytest.raises(BadModel):
        studio.run_agent("scout", WAKE, model)
    assert studio.list_runs("scout") == ()


def test_no_run_without_the_template_and_no_restart_once_it_is_back(tmp_path: Path) -> None:
    """system-message-12: the agent stays visible and editable."""
    prompts = tmp_path / "prompts"
    shutil.copytree(PROMPTS, prompts)
    with blank_store(prompts=prompts) as studio:
        studio.create_agent("scout", focus="watch")
        (prompts / "system.md").rename(tmp_path / "away.md")
        with pytest.raises(NoTemplate, match=r"system\.md is missing; put it back"):
            run(studio, DONE)
        assert studio.list_runs("scout") == ()
        assert overwrite(studio, "scout", "edited\n") == publish(studio, "scout", "edited") == 2
        (tmp_path / "away.md").rename(prompts / "system.md")
        assert run(studio, write("x"), DONE).status is RunStatus.COMPLETED


# --- the ledger ---


def test_each_version_opens_the_call_that_wrote_it(studio: Studio) -> None:
    """timeline-12, timeline-13."""
    done = run(studio, calls(FIND), write("one\n"), calls(FIND, call("memory_write", content="two\n")), DONE)
    for version, position, call_id in ((2, 4, "c_2"), (3, 6, "c_4")):
        step = studio.open_step("scout", version)
        assert step == (done.id, position, call_id)
        held = rows(studio, done)[step.position]
        assert [one.name for one in held.tool_calls if one.id == step.call] == ["memory_write"]


def test_a_version_without_a_step(studio: Studio) -> None:
    overwrite(studio, "scout", "by Ana\n")
    studio.memory_write("scout", "no run\n")
    studio.memory_write("scout", "no row\n", run=studio.create_run("scout", WAKE).id, call="c_9")
    for version, why in ((1, "no write of it"), (2, "no run wrote it"), (3, "no run wrote it"), (4, "keeps no row")):
        with pytest.raises(NoSuchStep, match=why):
            studio.open_step("scout", version)


def test_a_wake_names_its_schedules_run_before_it(studio: Studio, clock: Clock) -> None:
    """system-message-09, system-message-10: same agent and instruction."""

    def previous(instruction: str, agent: str = "scout") -> object:
        made = studio.create_run(agent, Trigger(RunKind.SCHEDULE, instruction=instruction))
        return json.loads(rows(studio, made)[1].content.partition("\n")[2])["previous_run_at"]

    studio.create_agent("mate", focus="help")
    assert previous("check inbox") is None
    clock.tick()
    assert (previous("other"), previous("check inbox", "mate")) == (None, None)
    assert previous("check inbox") == "2026-09-12T09:00:07Z"
    assert previous("check inbox") == "2026-09-12T09:01:07Z"


@pytest.mark.parametrize("instruction", [None, "", "check inbox"])
def test_a_wake_names_the_run_before_it_by_sequence(studio: Studio, clock: Clock, instruction: str | None) -> None:
    """Decision 14: also where the clock stepped back; decision 29: also without an instruction."""
    shown = []
    for seconds in (60, -120, 60):
        made = studio.create_run("scout", Trigger(RunKind.SCHEDULE, instruction=instruction))
        shown.append(json.loads(rows(studio, made)[1].content.partition("\n")[2])["previous_run_at"])
        clock.tick(seconds)
    assert shown == [None, "2026-09-12T09:00:07Z", "2026-09-12T09:01:07Z"]


def test_a_run_is_made_whole_or_not_at_all(studio: Studio) -> None:
    made = studio.create_run("scout", WAKE)
    before = studio.get_run(made.id)
    with pytest.raises(BadSetting, match="max_steps must be from 1"):
        studio.create_run("scout", WAKE, max_steps=0)
    with pytest.raises(BadSetting, match="max_tool_calls must be from 1"):
        studio.create_run("scout", WAKE, max_tool_calls=0)
    with pytest.raises(BadArgument, match="There is a run"):
        create_run(context_of(studio), "scout", WAKE, run_id=made.id)
    with context_of(studio).database.tx() as cursor:
        cursor.execute("ALTER TABLE messages RENAME TO lost")
    with pytest.raises(duckdb.Error, match="messages"):
        studio.create_run("scout", WAKE)
    with context_of(studio).database.tx() as cursor:
        cursor.execute("ALTER TABLE lost RENAME TO messages")
    assert studio.list_runs("scout") == (made,)
    assert studio.get_run(made.id) == before
