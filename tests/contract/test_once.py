"""What is sent again is carried out once, what is too large is said to be, and a forked process has connections of its own."""

import multiprocessing
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import texts_history
from served_stores import Door

from studio.actions.studio import Studio
from studio.domain.run_kinds import RunKind
from studio.domain.runs import Trigger
from studio.domain.tokens import Role
from studio.errors import CallTooLarge, KeyReused, SecretShown, UnknownAgent

DIRECT = Trigger(RunKind.DIRECT, message="hello")
MORE_THAN_A_CALL_TAKES = "x" * (17 * 2**20)


@pytest.fixture
def far(door: Door, tmp_path: Path) -> Iterator[Studio]:
    """A store through its owner, with one agent."""
    with door.through_owner(tmp_path) as studio:
        studio.create_agent("scout")
        yield studio


@pytest.fixture
def one_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every write of the test bears the same key, as one write does that is sent again."""
    monkeypatch.setattr(secrets, "token_hex", lambda size: "a" * 2 * size)


@pytest.mark.usefixtures("far", "one_key")
def test_a_write_that_is_sent_again_is_carried_out_once(far: Studio) -> None:
    first = far.create_run("scout", DIRECT)
    assert far.create_run("scout", DIRECT) == first
    assert far.count_runs("scout") == 1
    with pytest.raises(KeyReused):
        far.create_run("scout", Trigger(RunKind.DIRECT, message="another"))


@pytest.mark.usefixtures("far", "one_key")
def test_a_refused_write_keeps_no_key(far: Studio) -> None:
    for _ in range(2):
        with pytest.raises(UnknownAgent):
            far.save_memory("nobody", "x", force=True)
    assert far.save_memory("scout", "x", force=True).changed


@pytest.mark.usefixtures("far", "one_key")
def test_a_secret_is_told_once(far: Studio) -> None:
    far.tokens.create("Ben", Role.OPERATOR)
    with pytest.raises(SecretShown, match="revoke the token and make another"):
        far.tokens.create("Ben", Role.OPERATOR)
    assert [token.name for token in far.tokens.list()] == ["Ben"]


def test_what_is_too_large_is_said_to_be_and_nothing_is_written(far: Studio) -> None:
    with pytest.raises(
        CallTooLarge, match=r"With 17\.0 MiB save_memory is more than what serves the store takes at once"
    ):
        far.save_memory("scout", MORE_THAN_A_CALL_TAKES, force=True)
    assert far.get_memory_version("scout").body.text == ""


def test_a_history_may_be_larger(far: Studio) -> None:
    assert far.import_history("old", texts_history("one", MORE_THAN_A_CALL_TAKES)).added == 2
    assert far.get_memory_version("old").version.characters == len(MORE_THAN_A_CALL_TAKES)


def _ask(far: Studio, told: "multiprocessing.Queue[list[str]]") -> None:
    told.put([far.get_agent("scout").name for _ in range(20)])


def test_a_forked_process_reads_no_answers_of_its_parents(far: Studio) -> None:
    fork = multiprocessing.get_context("fork")
    told: multiprocessing.Queue[list[str]] = fork.Queue()
    child = fork.Process(target=_ask, args=(far, told))
    child.start()
    ours = [far.list_memory_versions("scout")[0].number for _ in range(20)]
    assert (told.get(timeout=60), ours) == (["scout"] * 20, [1] * 20)
    child.join(30)
