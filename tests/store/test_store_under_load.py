"""Many threads, two writers, one killed process: nothing that was acknowledged is lost."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from builders import START, context_of, open_store, overwrite, wake

from studio.actions.publish import UNASKED, write_memory
from studio.actions.studio import Studio
from studio.domain.authors import operator
from studio.domain.bodies import Body
from studio.domain.changes import Action
from studio.domain.settings import AgentSettings
from studio.domain.timeline import Actor
from studio.errors import StoreClosed, TextChanged
from studio.store import cursors
from studio.store.database import open_database

ROOT = Path(__file__).parents[2]
THREADS = 8
WRITES = 8


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "studio.duckdb"


def together(jobs: list[Callable[[], None]]) -> None:
    """Run all at once, and raise what any of them raised."""
    start = threading.Barrier(len(jobs))

    def run(job: Callable[[], None]) -> None:
        start.wait()
        job()

    with ThreadPoolExecutor(len(jobs)) as pool:
        for done in [pool.submit(run, job) for job in jobs]:
            done.result()


def test_threads_that_write_and_read_at_once_lose_nothing(file: Path) -> None:
    """Each agent's writer sees only its own texts, in order; readers see whole versions of the right agent."""
    with open_store(file) as studio:
        agents = [studio.create_agent(f"agent {number}", focus="x").id for number in range(THREADS)]
        finished = threading.Event()

        def write(agent: str) -> None:
            for number in range(WRITES):
                overwrite(studio, agent, f"{agent}\n{number}\n", by=f"operator {agent}")
                assert studio.get_memory_version(agent).body.text == f"{agent}\n{number}\n"

        def read() -> None:
            while not finished.is_set():
                for agent in agents:
                    versions = studio.list_memory_versions(agent)
                    assert [version.number for version in versions] == list(range(len(versions), 0, -1))
                    assert {version.author.name for version in versions[:-1]} <= {f"operator {agent}"}
                    shown = studio.get_memory_version(agent)
                    assert shown.body.sha256 == shown.version.sha256
                    assert shown.body.text == "" or (shown.body.text or "").startswith(agent)

        def write_all() -> None:
            try:
                together([partial(write, agent) for agent in agents])
            finally:
                finished.set()

        together([write_all, read, read])
        for agent in agents:
            assert [version.number for version in studio.list_memory_versions(agent)] == list(range(WRITES + 1, 0, -1))
            texts = [studio.get_memory_version(agent, number).body.text for number in range(2, WRITES + 2)]
            assert texts == [f"{agent}\n{number}\n" for number in range(WRITES)]
            assert len(studio.list_file_changes(agent)) == WRITES


def test_of_two_saves_over_one_text_exactly_one_wins(studio: Studio) -> None:
    """Decision 37: the other gets `TextChanged`, and its text is in no version."""
    studio.create_agent("scout", focus="x")
    for round_number in range(6):
        base = studio.get_memory_version("scout").version
        outcomes: list[int | None] = []
        together([partial(_save, studio, f"{name} {round_number}", base.sha256, outcomes) for name in ("Ana", "Ben")])
        assert sorted(outcomes, key=str) == [base.number + 1, None]
        assert studio.list_memory_versions("scout")[0].number == base.number + 1


def _save(studio: Studio, text: str, expect: str, outcomes: list[int | None]) -> None:
    """Note the version made, or None for a refusal."""
    try:
        outcomes.append(studio.save_memory("scout", text, expect=expect).version)
    except TextChanged:
        outcomes.append(None)


def test_agents_writing_at_once_to_one_memory_are_all_archived(studio: Studio) -> None:
    """A full replacement always goes through, so every text is a version."""
    studio.create_agent("scout", focus="x")
    runs = [wake(studio, "scout") for _ in range(THREADS)]

    def write(run: str) -> None:
        for number in range(5):
            studio.memory_write("scout", f"{run} {number}", run=run)

    together([partial(write, run) for run in runs])
    versions = studio.list_memory_versions("scout")
    assert [version.number for version in versions] == list(range(THREADS * 5 + 1, 0, -1))
    for version in versions[:-1]:
        assert (studio.get_memory_version("scout", version.number).body.text or "").startswith(f"{version.run} ")


def test_many_writes_in_one_transaction_keep_one_live_row(studio: Studio) -> None:
    """The live row is deleted and inserted anew with each write; the primary key must take that any number of times."""
    agent = studio.create_agent("scout", focus="x")
    context = context_of(studio)
    with context.database.read() as reader, context.database.tx() as cursor:
        reader.execute("SELECT * FROM memory").fetchall()
        for number in range(120):
            actor = Actor(operator("Ana"), context.clock())
            write_memory(cursor, agent, Body(f"{number}"), actor, Action.SAVE, UNASKED)
    with context.database.read() as cursor:
        assert cursor.execute("SELECT version, text FROM memory").fetchall() == [(121, "119")]
        assert cursor.execute("SELECT count(*), min(version) FROM memory_revisions").fetchall() == [(50, 71)]


def test_the_live_row_is_replaced_while_old_readers_look_on(file: Path) -> None:
    """A reader that holds an old moment keeps deleted keys alive; no write may stumble over them, also after reopening."""
    with open_store(file) as studio:
        studio.create_agent("scout", focus="x")
        studio.configure_agent("scout", AgentSettings(retention=3))
        database = context_of(studio).database
        for round_number in range(3):
            with database.read() as old:
                before = old.execute("SELECT text FROM memory").fetchall()
                for number in range(6):
                    overwrite(studio, "scout", f"{round_number} {number}")
                    studio.draft_task("scout", f"{round_number} {number}")
                    studio.publish_task("scout")
                assert old.execute("SELECT text FROM memory").fetchall() == before
    for _ in range(2):
        with open_store(file) as studio:
            newest = studio.list_memory_versions("scout")[0].number
            assert overwrite(studio, "scout", f"after {newest}") == newest + 1
            assert len(studio.list_memory_versions("scout")) == 4


WRITER = """
import sys
from builders import open_store, overwrite
with open_store(sys.argv[1]) as studio:
    if not studio.count_agents():
        studio.create_agent("scout", focus="x")
    number = studio.list_memory_versions("scout")[0].number
    while True:
        number = overwrite(studio, "scout", f"text {number + 1}\\n" * 50)
        sys.stdout.write(f"{number}\\n")
        sys.stdout.flush()
"""


def test_a_killed_writer_loses_no_acknowledged_write(file: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    for writes in (1, 15):
        command = [sys.executable, "-c", textwrap.dedent(WRITER), str(file)]
        writer = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert writer.stdout is not None
        acknowledged = [int(writer.stdout.readline()) for _ in range(writes)]
        writer.send_signal(signal.SIGKILL)
        acknowledged += [int(line) for line in writer.stdout.read().split("\n") if line.strip().isdigit()]
        writer.wait()
        with open_store(file) as studio:
            newest = studio.list_memory_versions("scout")[0].number
            assert newest >= max(acknowledged)
            for number in acknowledged:
                assert studio.get_memory_version("scout", number).body.text == f"text {number}\n" * 50
            assert len(studio.list_file_changes("scout")) == newest - 1


def test_a_close_waits_for_those_who_read(file: Path) -> None:
    """DuckDB refuses to close what another thread is using: the store would stay held until the process ends."""
    store = open_database(file, START)
    begun = threading.Barrier(5)

    def read() -> int:
        with store.read() as cursor:
            begun.wait()
            row = cursor.execute("SELECT count(*) FROM range(10_000_000) AS a WHERE a.range % 5 = 3").fetchone()
        assert row is not None
        return int(row[0])

    with ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read) for _ in range(4)]
        begun.wait()
        store.close()
        assert [reader.result() for reader in readers] == [2_000_000] * 4
    with pytest.raises(StoreClosed), store.read():
        pass
    open_database(file, START).close()


def test_a_close_interrupts_what_takes_too_long(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cursors, "PATIENCE_SECONDS", 0.2)
    store = open_database(file, START)
    begun = threading.Event()

    def read() -> None:
        with store.read() as cursor:
            begun.set()
            cursor.execute("SELECT count(*) FROM range(10_000_000_000) AS a WHERE a.range % 7 = 3").fetchall()

    with ThreadPoolExecutor(1) as pool:
        reader = pool.submit(read)
        begun.wait()
        store.close()
        with pytest.raises(StoreClosed):
            reader.result()
    open_database(file, START).close()


def test_a_close_leaves_the_file_alone_while_it_is_copied(file: Path) -> None:
    """Closing checkpoints, and a copy would hold the file of before and the emptied log of after: no write in between."""
    store = open_database(file, START)
    with store.tx() as cursor:
        cursor.execute("CREATE TABLE kept AS SELECT range AS n FROM range(1000)")
    with ThreadPoolExecutor(1) as pool:
        with store.standstill():
            before = Path(f"{file}.wal").stat().st_size, file.stat().st_size
            closing = pool.submit(store.close)
            with pytest.raises(TimeoutError):
                closing.result(0.5)
            assert (Path(f"{file}.wal").stat().st_size, file.stat().st_size) == before
            with pytest.raises(StoreClosed), store.read():
                pass
        closing.result(10)
    assert not Path(f"{file}.wal").exists()
