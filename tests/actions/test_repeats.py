"""Writes under a key: carried out at most once, whole or not at all, also across a kill."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from builders import Clock, context_of, open_store, overwrite, wake

from studio import Studio
from studio.domain.run_kinds import RunKind
from studio.domain.runs import Trigger
from studio.errors import KeyReused, NotAnswered, StudioError, TextChanged, UnknownAgent, UnusableText

Act = Callable[[], bytes]


@pytest.fixture
def scout(studio: Studio) -> Studio:
    studio.create_agent("scout", focus="Watch.")
    return studio


def written(studio: Studio) -> list[str | None]:
    """All memory texts of the agent, oldest first."""
    numbers = [version.number for version in reversed(studio.list_memory_versions("scout"))]
    return [studio.get_memory_version("scout", number).body.text for number in numbers]


def writes(studio: Studio, text: str) -> Act:
    """A write that is a new version each time it is carried out."""

    def act() -> bytes:
        return str(overwrite(studio, "scout", text + "+" * len(studio.list_memory_versions("scout")))).encode()

    return act


def keys(studio: Studio) -> list[str]:
    with context_of(studio).database.read() as cursor:
        found = cursor.execute("SELECT request FROM idempotency ORDER BY request").fetchall()
    return [str(row[0]).split("\n")[1] for row in found]


# --- repeats ---


@pytest.mark.parametrize("long", [False, True], ids=["short", "long"])
def test_a_repeat_is_answered_and_not_carried_out(scout: Studio, long: bool) -> None:  # noqa: FBT001
    told = [scout.once("k", "Ana", "f", writes(scout, "a"), long=long) for _ in range(3)]
    assert told == [b"2", b"2", b"2"]
    assert written(scout) == ["", "a+"]


def test_another_key_or_another_sender_is_another_request(scout: Studio) -> None:
    for key, who in (("k", "Ana"), ("l", "Ana"), ("k", "Ben")):
        scout.once(key, who, "f", writes(scout, "a"))
    assert len(written(scout)) == 4


@pytest.mark.parametrize("long", [False, True], ids=["short", "long"])
def test_a_key_stands_for_one_request(scout: Studio, long: bool) -> None:  # noqa: FBT001
    scout.once("k", "Ana", "f", writes(scout, "a"), long=long)
    with pytest.raises(KeyReused, match="'k'"):
        scout.once("k", "Ana", "g", writes(scout, "b"), long=long)
    assert written(scout) == ["", "a+"]


def test_a_key_is_known_for_a_day(scout: Studio, clock: Clock) -> None:
    scout.once("k", "Ana", "f", writes(scout, "a"))
    clock.tick(int(timedelta(hours=24).total_seconds()) - 1)
    assert scout.once("k", "Ana", "f", writes(scout, "a")) == b"2"
    scout.once("l", "Ana", "f", writes(scout, "b"))
    clock.tick(1)
    assert scout.once("k", "Ana", "g", writes(scout, "c")) == b"4"
    assert keys(scout) == ["k", "l"]
    clock.tick(int(timedelta(hours=24).total_seconds()))
    scout.once("m", "Ana", "f", writes(scout, "d"))
    assert keys(scout) == ["m"]


@pytest.mark.parametrize("key", ["a\0b", "\ud800"], ids=["NUL", "a lone surrogate"])
def test_a_key_is_a_text_like_any_other(scout: Studio, key: str) -> None:
    for given in ((key, "Ana"), ("k", key)):
        with pytest.raises(UnusableText):
            scout.once(*given, "f", writes(scout, "a"))


# --- whole or not at all ---


@pytest.mark.parametrize("long", [False, True], ids=["short", "long"])
def test_a_refused_request_stores_nothing(scout: Studio, long: bool) -> None:  # noqa: FBT001
    def refused() -> bytes:
        scout.save_memory("scout", "mine", expect="no such text")
        return b""

    with pytest.raises(TextChanged):
        scout.once("k", "Ana", "f", refused, long=long)
    assert keys(scout) == []
    assert scout.once("k", "Ana", "g", writes(scout, "a"), long=long) == b"2"


@pytest.mark.parametrize("long", [False, True], ids=["short", "long"])
@pytest.mark.parametrize("failure", [ZeroDivisionError, KeyboardInterrupt, SystemExit, UnknownAgent])
def test_a_request_that_fails_in_any_way_frees_its_key(
    scout: Studio, failure: type[BaseException], *, long: bool
) -> None:
    def fails() -> bytes:
        raise failure("nobody")

    with pytest.raises(failure):
        scout.once("k", "Ana", "f", fails, long=long)
    assert keys(scout) == []
    assert scout.once("k", "Ana", "g", writes(scout, "a"), long=long) == b"2"


def test_what_was_written_before_a_refusal_is_undone(scout: Studio) -> None:
    def half() -> bytes:
        overwrite(scout, "scout", "first")
        scout.get_agent("nobody")
        return b""

    with pytest.raises(UnknownAgent):
        scout.once("k", "Ana", "f", half)
    assert written(scout) == [""]


def test_a_later_write_that_fails_dooms_the_whole_even_where_it_is_caught(scout: Studio) -> None:
    def careless() -> bytes:
        overwrite(scout, "scout", "first")
        try:
            scout.save_memory("scout", "mine", expect="no such text")
        except StudioError:
            return b"fine"
        return b""

    with pytest.raises(TextChanged):
        scout.once("k", "Ana", "f", careless)
    assert (written(scout), keys(scout)) == ([""], [])


def test_a_first_write_that_fails_leaves_the_others_alone(scout: Studio) -> None:
    """A tool's refusal is an answer too: one line, and the call counts as carried out."""
    run = wake(scout, "scout")

    def tool() -> bytes:
        return scout.call_tool("scout", "memory_write", {"content": "x" * 12_001}, run=run).text.encode()

    assert scout.once("k", "Ana", "f", tool) == b"ERROR: memory exceeds 12000 characters"
    assert scout.once("k", "Ana", "f", tool) == b"ERROR: memory exceeds 12000 characters"
    assert (written(scout), keys(scout)) == ([""], ["k"])


def test_what_was_just_written_can_be_read_before_it_is_committed(scout: Studio) -> None:
    def act() -> bytes:
        overwrite(scout, "scout", "new")
        seen = scout.get_memory_version("scout").body.text or ""
        with ThreadPoolExecutor(1) as pool:
            outside = pool.submit(lambda: scout.get_memory_version("scout").body.text).result()
        return f"{seen}|{outside}".encode()

    assert scout.once("k", "Ana", "f", act) == b"new|"
    assert written(scout) == ["", "new"]


def test_nobody_waits_for_what_has_not_written_yet(scout: Studio) -> None:
    """A price service or a repository may take seconds before the first write."""

    def act() -> bytes:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(overwrite, scout, "scout", "someone else's").result(timeout=30)
        return str(overwrite(scout, "scout", "mine")).encode()

    assert scout.once("k", "Ana", "f", act) == b"3"


# --- at once ---


@pytest.mark.parametrize("long", [False, True], ids=["short", "long"])
def test_twins_sent_at_once_are_carried_out_once(scout: Studio, long: bool) -> None:  # noqa: FBT001
    def send(_: int) -> bytes | None:
        try:
            return scout.once("k", "Ana", "f", writes(scout, "a"), long=long)
        except NotAnswered:
            assert long
            return None

    with ThreadPoolExecutor(6) as pool:
        told = set(pool.map(send, range(12)))
    assert told - {None} == {b"2"}
    assert written(scout) == ["", "a+"]


def test_twins_that_take_what_only_one_can_have_are_answered_alike(scout: Studio) -> None:
    """The lease of a run: the second would hear that the run is generating, though its message is stored."""
    run = scout.create_run("scout", Trigger(RunKind.DIRECT, message="hello")).id
    together = threading.Barrier(6)

    def send(_: int) -> bytes:
        together.wait(30)
        return scout.once("k", "Ana", "f", lambda: scout.take_run(run, "go on").encode())

    with ThreadPoolExecutor(6) as pool:
        assert len(set(pool.map(send, range(6)))) == 1
    assert [row.content for row in scout.get_run(run)[1]].count("go on") == 1


def test_a_twin_waits_and_other_keys_do_not(scout: Studio) -> None:
    begun, go = threading.Event(), threading.Event()

    def slow() -> bytes:
        begun.set()
        assert go.wait(30)
        return writes(scout, "mine")()

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(scout.once, "k", "Ana", "f", slow)
        assert begun.wait(30)
        twin = pool.submit(scout.once, "k", "Ana", "f", writes(scout, "twice"))
        assert scout.once("other", "Ana", "f", writes(scout, "other")) == b"2"
        assert scout.once("k", "Ben", "f", writes(scout, "his own")) == b"3"
        assert not twin.done()
        go.set()
        assert first.result(30) == twin.result(30) == b"4"
    assert len(written(scout)) == 4


def test_a_twin_of_a_request_that_failed_is_carried_out(scout: Studio) -> None:
    begun, go = threading.Event(), threading.Event()

    def failing() -> bytes:
        begun.set()
        assert go.wait(30)
        raise ZeroDivisionError

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(scout.once, "k", "Ana", "f", failing)
        assert begun.wait(30)
        twin = pool.submit(scout.once, "k", "Ana", "f", writes(scout, "a"))
        go.set()
        assert twin.result(30) == b"2"
        assert isinstance(first.exception(30), ZeroDivisionError)


# --- across a kill ---

KILLED = """
import os, signal, sys
from builders import open_store, overwrite
studio = open_store(sys.argv[1])
def act():
    overwrite(studio, "scout", "written")
    if sys.argv[2] == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    return b"told"
studio.once("k", "Ana", "f", act, long=sys.argv[3] == "long")
os.kill(os.getpid(), signal.SIGKILL)
"""


def killed(file: Path, when: str, kind: str) -> None:
    """A process of its own that is killed before or after it answers."""
    with open_store(file) as studio:
        studio.create_agent("scout", focus="Watch.")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])}
    done = subprocess.run([sys.executable, "-c", KILLED, str(file), when, kind], env=environment, check=False)
    assert done.returncode == -signal.SIGKILL


@pytest.mark.parametrize("kind", ["short", "long"])
def test_a_kill_after_the_write_keeps_the_answer(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "s.duckdb"
    killed(file, "after", kind)
    with open_store(file) as studio:
        assert studio.once("k", "Ana", "f", writes(studio, "again"), long=kind == "long") == b"told"
        assert written(studio) == ["", "written"]


def test_a_kill_before_the_answer_undoes_the_write(tmp_path: Path) -> None:
    file = tmp_path / "s.duckdb"
    killed(file, "before", "short")
    with open_store(file) as studio:
        assert written(studio) == [""]
        assert studio.once("k", "Ana", "f", writes(studio, "a")) == b"2"


def test_a_long_request_that_was_cut_off_is_not_done_again(tmp_path: Path) -> None:
    file = tmp_path / "s.duckdb"
    killed(file, "before", "long")
    with open_store(file) as studio:
        with pytest.raises(NotAnswered, match="look at what it did"):
            studio.once("k", "Ana", "f", writes(studio, "again"), long=True)
        assert written(studio) == ["", "written"]
