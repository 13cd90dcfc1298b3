"""Opening a store: one owner, and one sentence for every file that is none."""

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import duckdb
import pytest
from builders import START, open_store, overwrite

from studio.errors import (
    NotAStore,
    NothingToRead,
    StoreClosed,
    StoreDamaged,
    StoreForked,
    StoreFull,
    StoreHeld,
    StoreNewer,
    StudioError,
)
from studio.store import migrations
from studio.store.database import Database, open_database
from studio.store.migrations import Migration

ROOT = Path(__file__).parents[2]
STEPS = migrations.shipped()
MORE = Migration(len(STEPS) + 1, "0099_more.sql", "CREATE TABLE more (a INTEGER); INSERT INTO more VALUES (1)")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "studio.duckdb"


def filled(file: Path) -> None:
    """A store with one agent and two memories."""
    with open_store(file) as studio:
        studio.create_agent("scout", focus="watch")
        overwrite(studio, "scout", "a\r\nb\n" * 2_000)


def run_python(code: str, *arguments: object) -> "subprocess.Popen[str]":
    """Another process with this code; it can import what tests can."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def test_what_was_written_is_there_after_reopening(file: Path) -> None:
    filled(file)
    for _ in range(2):
        with open_store(file) as studio:
            assert studio.get_memory_version("scout").body.text == "a\r\nb\n" * 2_000
            assert studio.get_task_version("scout").body.text == "watch"
            assert [version.number for version in studio.list_memory_versions("scout")] == [2, 1]
    assert overwritten_after_reopening(file) == 3


def overwritten_after_reopening(file: Path) -> int:
    with open_store(file) as studio:
        return overwrite(studio, "scout", "after\n")


def test_a_second_opening_in_this_process_is_refused(file: Path) -> None:
    with open_store(file):
        with pytest.raises(StoreHeld, match=f"in use by the process {os.getpid()}"):
            open_store(file)
        with pytest.raises(StoreHeld):
            open_store(file)
    open_store(file).close()


def test_another_process_is_named_by_its_pid(file: Path) -> None:
    holder = run_python(
        """
        import sys, time
        from builders import open_store
        with open_store(sys.argv[1]):
            print("open", flush=True)
            time.sleep(60)
        """,
        file,
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(StoreHeld, match=f"in use by the process {holder.pid}; stop that process"):
            open_store(file)
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    open_store(file).close()


def test_a_program_that_opened_the_file_without_us_is_told_apart(file: Path) -> None:
    filled(file)
    holder = run_python(
        """
        import duckdb, sys, time
        connection = duckdb.connect(sys.argv[1])
        print("open", flush=True)
        time.sleep(60)
        """,
        file,
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(StoreHeld, match="another program that opened it without Prompt Studio"):
            open_store(file)
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.wait()


def test_a_closed_store_says_so(file: Path) -> None:
    studio = open_store(file)
    studio.close()
    with pytest.raises(StoreClosed, match="is closed; open it again"):
        studio.list_agents()
    studio.close()


def test_a_link_to_a_store_is_the_same_store(file: Path, tmp_path: Path) -> None:
    """The lock and the write-ahead log lie beside the file, whatever names it."""
    filled(file)
    link = tmp_path / "link.duckdb"
    link.symlink_to(file)
    with open_store(link) as studio:
        assert studio.count_agents() == 1
        with pytest.raises(StoreHeld, match="the process"):
            open_store(file)


def test_a_forked_child_is_told_to_open_its_own(file: Path) -> None:
    with open_store(file) as studio:
        studio.create_agent("scout", focus="watch")
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:  # pragma: no cover - runs in the child
            said = "nothing refused"
            try:
                studio.list_agents()
            except StoreForked as error:
                said = str(error)
            studio.close()
            os.write(writing, said.encode())
            os._exit(0)
        os.waitpid(child, 0)
        assert "opened before this process was forked" in os.read(reading, 1_000).decode()
        overwrite(studio, "scout", "the owner goes on\n")


def test_a_child_that_lives_on_does_not_keep_the_store(file: Path) -> None:
    studio = open_store(file)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:  # pragma: no cover - runs in the child
        os.read(reading, 1)
        os._exit(0)
    try:
        studio.close()
        open_store(file).close()
    finally:
        os.write(writing, b"x")
        os.waitpid(child, 0)


# --- files that are no store ---


def junk(file: Path) -> None:
    file.write_bytes(b"this is no database at all, only text\n" * 100)


def short_junk(file: Path) -> None:
    file.write_bytes(b"x")


def folder(file: Path) -> None:
    file.mkdir()


def sqlite(file: Path) -> None:
    file.write_bytes(b"SQLite format 3\0" + bytes(4_080))


def other_duckdb(file: Path) -> None:
    with duckdb.connect(str(file)) as connection:
        connection.execute("CREATE TABLE somebody_elses (a INTEGER)")


def other_duckdb_with_a_table_of_that_name(file: Path) -> None:
    with duckdb.connect(str(file)) as connection:
        connection.execute("CREATE TABLE schema_migrations (version VARCHAR)")


def log_without_its_file(file: Path) -> None:
    file.with_name(file.name + ".wal").write_bytes(b"log")


def log_beside_an_empty_file(file: Path) -> None:
    file.touch()
    log_without_its_file(file)


def only_the_header(file: Path) -> None:
    filled(file)
    os.truncate(file, 4_096)


def newer(file: Path) -> None:
    open_database(file, START, [*STEPS, MORE]).close()


def edited_step(file: Path) -> None:
    open_database(file, START, [Migration(1, STEPS[0].name, STEPS[0].sql + "-- edited"), *STEPS[1:]]).close()


@pytest.mark.parametrize(
    ("make", "refusal", "says"),
    [
        (junk, NotAStore, "no DuckDB file"),
        (short_junk, NotAStore, "no DuckDB file"),
        (folder, NotAStore, "it is a folder"),
        (sqlite, NotAStore, "no DuckDB file"),
        (other_duckdb, NotAStore, "other tables"),
        (other_duckdb_with_a_table_of_that_name, NotAStore, "other tables"),
        (log_without_its_file, StoreDamaged, "write-ahead log"),
        (log_beside_an_empty_file, StoreDamaged, "write-ahead log"),
        (only_the_header, StoreDamaged, "restore it from a backup"),
        (newer, StoreNewer, f"has schema {len(STEPS) + 1} and this Prompt Studio knows up to {len(STEPS)}; upgrade"),
        (edited_step, StoreDamaged, "0001_first.sql is not the one"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_file_that_is_no_store_gets_one_sentence(
    file: Path, make: Callable[[Path], None], refusal: type[StudioError], says: str
) -> None:
    make(file)
    before = {one: one.read_bytes() for one in file.parent.iterdir() if one.is_file()}
    with pytest.raises(refusal, match=says) as said:
        open_store(file)
    assert str(file) in str(said.value)
    assert "\n" not in str(said.value)
    after = {one: one.read_bytes() for one in file.parent.iterdir() if one.is_file() and one.suffix != ".lock"}
    assert {one: content for one, content in before.items() if one.suffix != ".lock"} == after


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(NothingToRead, match="does not exist; make it first"):
        open_store(tmp_path / "none" / "studio.duckdb")


def test_a_folder_that_takes_no_lock_is_named(tmp_path: Path) -> None:
    """Root may write anywhere, so the lock is kept from being made by a folder of its name."""
    (tmp_path / "studio.duckdb.lock").mkdir()
    with pytest.raises(StoreDamaged, match="lock file cannot be written"):
        open_store(tmp_path / "studio.duckdb")


def test_an_empty_file_becomes_a_store(file: Path) -> None:
    file.touch()
    filled(file)


def flipped(content: bytes, share: float) -> bytes:
    """The file with every bit of 20,000 bytes turned over, from this share of its length on."""
    at = int(len(content) * share)
    over = content[at : at + 20_000].translate(bytes(range(255, -1, -1)))
    return content[:at] + over + content[at + len(over) :]


def cut(content: bytes, share: float) -> bytes:
    """The first share of the file."""
    return content[: int(len(content) * share)]


@pytest.mark.parametrize("damage", [flipped, cut])
def test_damage_is_told_or_harmless_and_never_another_text(file: Path, damage: Callable[[bytes, float], bytes]) -> None:
    """Wherever it lies, the answer is what was written or one of our sentences, at the latest when the text is read."""
    filled(file)
    whole = file.read_bytes()
    refused = 0
    for place, share in enumerate([0.001, *(twelfth / 12 for twelfth in range(1, 12))]):
        damaged = file.with_name(f"damaged-{place}.duckdb")
        damaged.write_bytes(damage(whole, share))
        try:
            with open_store(damaged) as studio:
                assert studio.get_memory_version("scout").body.text == "a\r\nb\n" * 2_000
        except (StoreDamaged, NotAStore):
            refused += 1
    assert refused


# --- migrations ---


def test_steps_are_numbered_without_gaps() -> None:
    assert [step.number for step in STEPS] == list(range(1, len(STEPS) + 1))


def columns_of(database: Database, table: str) -> list[tuple[object, ...]]:
    with database.read() as cursor:
        return cursor.execute(f"SELECT * FROM {table}").fetchall()


def test_a_store_with_data_is_copied_before_a_step(file: Path) -> None:
    filled(file)
    database = open_database(file, START, [*STEPS, MORE])
    assert columns_of(database, "more") == [(1,)]
    assert [row[:2] for row in columns_of(database, "schema_migrations")][-1] == (MORE.number, MORE.name)
    database.close()
    copy = file.with_name(f"{file.name}.before-{MORE.number:04d}")
    shutil.move(copy, file)
    with open_store(file) as studio:
        assert studio.get_memory_version("scout").body.text == "a\r\nb\n" * 2_000


def test_a_new_store_is_not_copied(file: Path) -> None:
    open_store(file).close()
    assert {one.name for one in file.parent.iterdir()} == {file.name, f"{file.name}.lock", f"{file.name}.noted"}


def test_a_step_that_fails_leaves_the_store_as_it_was(file: Path) -> None:
    filled(file)
    broken = Migration(MORE.number, "0099_broken.sql", "CREATE TABLE half (a INTEGER); SELECT * FROM nowhere")
    with pytest.raises(StoreDamaged, match="nowhere"):
        open_database(file, START, [*STEPS, broken])
    with open_store(file) as studio:
        assert studio.count_agents() == 1
    database = open_database(file, START, [*STEPS, MORE])
    with database.read() as cursor:
        tables = {row[0] for row in cursor.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    database.close()
    assert "half" not in tables


def test_the_lock_names_its_owner_as_json(file: Path) -> None:
    with open_store(file):
        assert json.loads(file.with_name(f"{file.name}.lock").read_text(encoding="utf-8")) == {"pid": os.getpid()}


def test_a_lock_left_by_a_killed_process_is_no_lock(file: Path) -> None:
    file.with_name(f"{file.name}.lock").write_text('{"pid": 1}', encoding="utf-8")
    open_store(file).close()


def test_a_full_disk_is_said_and_nothing_is_called_damaged(file: Path) -> None:
    """COMMIT raises DuckDB's plain TransactionException then."""
    with closing(open_database(file, START)) as database:
        said = (
            'TransactionContext Error: Failed to commit: Could not write file "a.duckdb.wal": No space left on device'
        )
        with pytest.raises(StoreFull, match="is full, so nothing was saved"), database.tx():
            raise duckdb.TransactionException(said)


@pytest.mark.parametrize("opened", ["made", "opened again"])
def test_the_log_is_taken_in_while_a_store_is_written_to(file: Path, opened: str) -> None:
    """A result that is not read to its end keeps a transaction, and then DuckDB's log grows for ever."""
    if opened == "opened again":
        open_store(file).close()
    with open_store(file) as studio:
        studio.create_agent("scout")
        for number in range(50):
            overwrite(studio, "scout", f"{number}\n" + os.urandom(200_000).hex())
        log = Path(f"{file}.wal")
        assert file.stat().st_size > 10_000_000
        assert not log.exists() or log.stat().st_size < 18_000_000
