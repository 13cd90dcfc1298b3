"""Runs keep what their agent received (decisions 26 and 27)."""

import hashlib
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from builders import PROMPTS, Clock, blank_store, context_of, overwrite, publish, wake

from studio.actions.studio import Studio
from studio.domain.prices import Login, Quotes
from studio.domain.run_kinds import RunKind
from studio.domain.runs import Message, Role, RunStatus, ToolCall, Trigger
from studio.domain.settings import AgentSettings
from studio.errors import BadArgument, NoTemplate, UnknownRun, UnusableText


@pytest.fixture(autouse=True)
def agent(studio: Studio) -> None:
    studio.create_agent("scout", focus="watch", guild="harbour")


def first_message(studio: Studio, run: str) -> str:
    return studio.get_run(run)[1][0].content


def digest(studio: Studio, run: str) -> str:
    return hashlib.sha256(first_message(studio, run).encode()).hexdigest()


@pytest.mark.parametrize(
    ("trigger", "rows"),
    [
        pytest.param(Trigger(RunKind.DIRECT), 1, id="system-message-06"),
        pytest.param(Trigger(RunKind.GROUP, message="m7", sender="Ben", tagged=True), 2, id="system-message-07"),
        pytest.param(Trigger(RunKind.SCHEDULE, instruction="check inbox"), 2, id="system-message-10"),
    ],
)
def test_a_run_is_stored_with_its_opening_rows(studio: Studio, trigger: Trigger, rows: int) -> None:
    run = studio.create_run("scout", trigger)
    stored, messages = studio.get_run(run.id)
    assert stored == run
    assert len(messages) == rows
    assert messages[0].content == studio.preview("scout", kind=trigger.kind).text


def test_message_0_outlives_every_change_of_its_sources(tmp_path: Path, clock: Clock) -> None:
    """immutability-01."""
    prompts = tmp_path / "prompts"
    shutil.copytree(PROMPTS, prompts)
    with blank_store(clock, prompts=prompts) as studio:
        studio.create_agent("scout", focus="watch", guild="harbour")
        studio.create_agent("mate", focus="help", guild="harbour")
        overwrite(studio, "scout", "remembered\n")
        run = wake(studio, "scout")
        before = digest(studio, run)
        (prompts / "system.md").write_text("Changed.\n", encoding="utf-8")
        publish(studio, "scout", "another purpose")
        overwrite(studio, "scout", "rewritten\n")
        studio.configure_agent("mate", AgentSettings(name="first mate"))
        studio.configure_agent("scout", AgentSettings(memory=False))
        assert digest(studio, run) == before
        assert digest(studio, wake(studio, "scout")) != before


def test_a_wake_between_two_turns_leaves_the_open_run_alone(studio: Studio) -> None:
    """immutability-03."""
    direct = wake(studio, "scout", RunKind.DIRECT)
    before = digest(studio, direct)
    studio.memory_write("scout", "by the wake\n", run=wake(studio, "scout"))
    studio.add_messages(direct, (Message(1, Role.USER, "go on", studio.get_run(direct)[0].created_at),))
    assert digest(studio, direct) == before
    assert [message.role for message in studio.get_run(direct)[1]] == [Role.SYSTEM, Role.USER]


def test_a_run_that_writes_keeps_its_opening_memory(studio: Studio) -> None:
    """immutability-04."""
    overwrite(studio, "scout", "opening body\n")
    run = wake(studio, "scout", RunKind.DIRECT)
    studio.memory_write("scout", "new body\n", run=run)
    assert "opening body" in first_message(studio, run)
    assert "new body" not in first_message(studio, run)
    assert "new body" in first_message(studio, wake(studio, "scout"))


def test_rows_are_appended_and_never_replaced(studio: Studio, clock: Clock) -> None:
    """Decision 27."""
    run = wake(studio, "scout", RunKind.DIRECT)
    before = digest(studio, run)
    for position in (0, 2, 7):
        with pytest.raises(BadArgument, match="has the position 1"):
            studio.add_messages(run, (Message(position, Role.SYSTEM, "forged", clock.now),))
    call = ToolCall("c_1", "memory_write", '{"content": "ü"}')
    rows = (
        Message(1, Role.ASSISTANT, "", clock.now, tool_calls=(call,)),
        Message(2, Role.TOOL, "done", clock.now, tool_call_id="c_1"),
        Message(3, Role.SYSTEM, "write now", clock.now, source="memory"),
    )
    studio.add_messages(run, rows)
    assert studio.get_run(run)[1][1:] == rows
    assert digest(studio, run) == before


def test_a_missing_template_makes_no_run_until_it_is_back(tmp_path: Path) -> None:
    """system-message-12: no restart is needed; the agent stays visible."""
    prompts = tmp_path / "prompts"
    shutil.copytree(PROMPTS, prompts)
    with blank_store(prompts=prompts) as studio:
        studio.create_agent("scout", focus="watch")
        (prompts / "system.md").rename(tmp_path / "away.md")
        with pytest.raises(NoTemplate, match=r"system\.md is missing"):
            wake(studio, "scout")
        assert studio.list_runs("scout") == ()
        assert [summary.agent.name for summary in studio.list_agents()] == ["scout"]
        (tmp_path / "away.md").rename(prompts / "system.md")
        assert studio.get_run(wake(studio, "scout"))[0].kind is RunKind.SCHEDULE


def test_a_run_names_the_versions_it_was_composed_from(studio: Studio) -> None:
    """Decision 26."""
    publish(studio, "scout", "two")
    overwrite(studio, "scout", "two\n")
    overwrite(studio, "scout", "three\n")
    made = studio.get_run(wake(studio, "scout"))[0].composed_from
    assert (made.task_version, made.memory_version) == (2, 3)
    assert made.memory_sha256 == studio.get_memory_version("scout").version.sha256
    studio.configure_agent("scout", AgentSettings(memory=False))
    assert studio.get_run(wake(studio, "scout"))[0].composed_from.memory_version is None


def test_a_finished_run_keeps_how_it_ended(studio: Studio, clock: Clock) -> None:
    """Decision 28: memory_skipped is there or absent."""
    run, other = wake(studio, "scout"), wake(studio, "scout")
    ended = clock.tick()
    assert studio.finish_run(run, RunStatus.COMPLETED, memory_skipped=True).memory_skipped
    studio.finish_run(other, RunStatus.FAILED)
    with context_of(studio).database.read() as cursor:
        found = dict(cursor.execute("SELECT run_id, metadata FROM runs").fetchall())
    assert found == {run: '{"memory_skipped": true}', other: "{}"}
    assert studio.get_run(run)[0].finished_at == ended


@pytest.mark.parametrize("seconds", [60, 0, -60], ids=["clock-goes-on", "clock-stands", "clock-steps-back"])
def test_runs_are_listed_newest_first(studio: Studio, clock: Clock, seconds: int) -> None:
    """Decision 14: by sequence, never by clock."""
    made = []
    for _ in range(5):
        clock.tick(seconds)
        made.append(wake(studio, "scout"))
    assert [run.id for run in studio.list_runs("scout")] == made[::-1]
    assert [run.id for run in studio.list_runs("scout", limit=2, offset=1)] == made[-2:-4:-1]
    assert [studio.count_newer_runs(run) for run in made] == [4, 3, 2, 1, 0]


def test_a_run_without_a_template_asks_no_price(tmp_path: Path) -> None:
    """system-message-12: it is refused before anybody waits for the network."""

    def prices(login: Login) -> Quotes:
        raise AssertionError(login)

    with blank_store(prompts=tmp_path) as studio:
        studio.create_agent("scout", focus="watch")
        pinned = [{"id": "bitcoin", "symbol": "btc", "name": "Bitcoin"}]
        logins = [{"name": "market", "kind": "coingecko", "pinned_prices": pinned}]
        studio.configure_agent_from("scout", {"logins": logins, "bindings": {"agent": {"prices": "market"}}})
        studio._context = replace(context_of(studio), prices=prices)
        with pytest.raises(NoTemplate):
            wake(studio, "scout")


@pytest.mark.parametrize("run", ["r_none", "", "\ud800", "scout"])
def test_an_unknown_run(studio: Studio, run: str) -> None:
    for action in (studio.get_run, lambda name: studio.finish_run(name, RunStatus.COMPLETED)):
        with pytest.raises(UnknownRun):
            action(run)
    with pytest.raises(UnknownRun):
        studio.add_messages(run, ())


@pytest.mark.parametrize(
    "trigger",
    [
        Trigger(RunKind.DIRECT, message="a\0"),
        Trigger(RunKind.GROUP, message="a", sender="\ud800"),
        Trigger(RunKind.GROUP, message="a", tags=("\ud800",)),
        Trigger(RunKind.SCHEDULE, instruction="\0"),
    ],
    ids=["message", "sender", "tag", "instruction"],
)
def test_what_no_store_can_hold_starts_no_run(studio: Studio, trigger: Trigger) -> None:
    """Decision 5: refused at every write."""
    with pytest.raises(UnusableText):
        studio.create_run("scout", trigger)
    assert studio.list_runs("scout") == ()
