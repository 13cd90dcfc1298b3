"""Runs that a driver in another process carries on by a lease: its own, as long as nobody took the run over (decision 27)."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from builders import blank_file, context_of, open_store, wake

from studio import Studio
from studio.domain.generation import Generation
from studio.domain.run_kinds import RunKind
from studio.domain.runs import Message, Role, RunStatus, Trigger
from studio.errors import Busy, LeaseLost, RunGenerating, RunOver
from studio.sources.models_scripted import ScriptedModel


@pytest.fixture
def scout(studio: Studio) -> Studio:
    studio.create_agent("scout", focus="Watch.")
    return studio


def direct(studio: Studio) -> str:
    return studio.create_run("scout", Trigger(RunKind.DIRECT, message="hello")).id


def add(studio: Studio, run: str, lease: str | None) -> None:
    rows = studio.get_run(run)[1]
    row = Message(len(rows), Role.ASSISTANT, f"row {len(rows)}", studio.now())
    studio.add_messages(run, (row,), lease=lease)


def run_out(studio: Studio, run: str) -> None:
    """As after a minute on a machine that slept."""
    holders = context_of(studio).driven._holders
    holders[run] = replace(holders[run], until=0.0)


Lost = Callable[[Studio, str, str], str]
"""Makes what is no lease of the run, or not any more, of the run and the lease that it was given; gives what the driver comes with."""


def invented(_: Studio, __: str, ___: str) -> str:
    return "f" * 32


def given_back(studio: Studio, run: str, lease: str) -> str:
    studio.give_back_run(run, lease)
    return lease


def taken_over(studio: Studio, run: str, lease: str) -> str:
    run_out(studio, run)
    studio.take_run(run)
    return lease


def taken_over_and_given_back(studio: Studio, run: str, lease: str) -> str:
    run_out(studio, run)
    studio.give_back_run(run, studio.take_run(run))
    return lease


def carried_on_here(studio: Studio, run: str, lease: str) -> str:
    run_out(studio, run)
    add(studio, run, None)
    return lease


def of_another_run(studio: Studio, _: str, __: str) -> str:
    return studio.take_run(direct(studio))


LOST: list[Lost] = [invented, given_back, taken_over, taken_over_and_given_back, carried_on_here, of_another_run]


@pytest.mark.parametrize("lose", LOST)
@pytest.mark.parametrize("restarted", [False, True])
def test_a_lease_that_is_not_the_runs_carries_nothing_on(tmp_path: Path, lose: Lost, *, restarted: bool) -> None:
    file = blank_file(tmp_path)
    with open_store(file) as studio:
        studio.create_agent("scout", focus="Watch.")
        run = direct(studio)
        lease = lose(studio, run, studio.take_run(run))
        if not restarted:
            check_lost(studio, run, lease)
    with open_store(file) as studio:
        check_lost(studio, run, lease)


def check_lost(studio: Studio, run: str, lease: str) -> None:
    before = studio.get_run(run)
    uses: list[Callable[[], object]] = [lambda: studio.renew_run(run, lease), lambda: add(studio, run, lease)]
    for use in uses:
        with pytest.raises(LeaseLost, match="not carried on by this driver any more"):
            use()
    studio.give_back_run(run, lease)
    assert studio.get_run(run) == before


@pytest.mark.parametrize("name", ["here", "", "None", "x" * 100_000, "\0"])
def test_no_name_opens_a_run_that_is_driven_in_this_process(scout: Studio, name: str) -> None:
    run = direct(scout)
    refused: list[str] = []

    class Thinking:
        def generate(self, *_: object) -> Generation:
            uses: list[Callable[[], object]] = [
                lambda: add(scout, run, name),
                lambda: scout.renew_run(run, name),
                lambda: add(scout, run, None),
                lambda: scout.take_run(run),
            ]
            for use in uses:
                scout.give_back_run(run, name)
                with pytest.raises(RunGenerating):
                    use()
                refused.append(name)
            return Generation("Done.")

    assert scout.drive_run(run, Thinking()).status is RunStatus.COMPLETED
    assert refused == [name] * 4
    assert [row.content for row in scout.get_run(run)[1]][1:] == ["hello", "Done."]


@pytest.mark.parametrize("name", ["r_none", "\0", "r_other"])
def test_no_run_is_held_by_a_name_that_nobody_was_given(scout: Studio, name: str) -> None:
    with pytest.raises(LeaseLost):
        scout.renew_run(name, "x")
    run = direct(scout)
    with pytest.raises(LeaseLost):
        scout.renew_run(run, "x")
    assert scout.drive_run(run, ScriptedModel([Generation("Done.")])).status is RunStatus.COMPLETED


def test_a_lease_that_ran_out_goes_on_where_nobody_else_came(scout: Studio) -> None:
    run = direct(scout)
    lease = scout.take_run(run)
    run_out(scout, run)
    add(scout, run, lease)
    with pytest.raises(Busy):
        scout.take_run(run)


def test_its_driver_goes_on_when_the_owner_was_started_again(tmp_path: Path) -> None:
    file = blank_file(tmp_path)
    with open_store(file) as studio:
        studio.create_agent("scout", focus="Watch.")
        run = direct(studio)
        lease = studio.take_run(run, "go on")
        add(studio, run, lease)
    with open_store(file) as studio:
        with pytest.raises(RunGenerating):
            studio.take_run(run)
        add(studio, run, lease)
        studio.renew_run(run, lease)
        studio.finish_run(run, RunStatus.COMPLETED)
        studio.give_back_run(run, lease)
        assert studio.take_run(run, "and again") != lease


def test_a_driver_that_died_with_the_owner_holds_a_run_for_a_minute(tmp_path: Path) -> None:
    file = blank_file(tmp_path)
    with open_store(file) as studio:
        studio.create_agent("scout", focus="Watch.")
        run = direct(studio)
        studio.take_run(run)
    with open_store(file) as studio:
        with pytest.raises(RunGenerating):
            add(studio, run, None)
        run_out(studio, run)
        add(studio, run, None)


def test_a_run_that_cannot_be_taken_is_held_by_nobody(scout: Studio) -> None:
    run = wake(scout, "scout")
    scout.finish_run(run, RunStatus.STOPPED)
    with pytest.raises(RunOver):
        scout.take_run(run)
    with context_of(scout).database.read() as cursor:
        assert cursor.execute("SELECT * FROM leases").fetchall() == []
    open_run = direct(scout)
    with pytest.raises(Exception, match="NUL"):
        scout.take_run(open_run, "a\0b")
    assert scout.drive_run(open_run, ScriptedModel([Generation("Done.")])).status is RunStatus.COMPLETED


def test_a_run_whose_lease_was_given_back_is_free(scout: Studio) -> None:
    run = direct(scout)
    scout.give_back_run(run, scout.take_run(run))
    with context_of(scout).database.read() as cursor:
        assert cursor.execute("SELECT * FROM leases").fetchall() == []
    add(scout, run, None)
