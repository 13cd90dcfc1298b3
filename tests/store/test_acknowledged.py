"""A store that opens below what was acknowledged says so with both numbers; one that lacks nothing never does."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from builders import START, Clock, open_store, overwrite
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.actions.backups import restore_backup, verify
from studio.actions.studio import Studio
from studio.domain.backups import LostChanges
from studio.errors import StoreDamaged, StoreFull
from studio.store import acknowledged, places
from studio.store.acknowledged import KEPT_LOGS, Standing, note_path
from studio.store.database import Database

ROOT = Path(__file__).parents[2]
KILLED = """
import os, signal, sys
from builders import open_store, overwrite
studio = open_store(sys.argv[1])
for number in range(int(sys.argv[2])):
    overwrite(studio, "scout", f"written {number}")
os.kill(os.getpid(), signal.SIGKILL)
"""


def log_of(file: Path) -> Path:
    return Path(f"{file}.wal")


def kept_logs(file: Path) -> list[Path]:
    return sorted(file.parent.glob(f"{file.name}.kept-*"))


def noted(file: Path) -> int:
    return int(note_path(file).read_text().split()[0])


def killed(file: Path, writes: int = 5) -> None:
    """Leave a store as a process that wrote so often and was killed leaves it."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    done = subprocess.run([sys.executable, "-c", KILLED, str(file), str(writes)], env=environment, check=False)
    assert done.returncode == -signal.SIGKILL
    assert log_of(file).stat().st_size


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose owner was killed: the file, its log, the note."""
    file = tmp_path_factory.mktemp("left") / "s.duckdb"
    with open_store(file) as studio:
        studio.create_agent("scout")
    killed(file)
    return file


@pytest.fixture
def file(left: Path, tmp_path: Path) -> Path:
    for one in left.parent.iterdir():
        shutil.copy2(one, tmp_path)
    return tmp_path / left.name


def live(studio: Studio) -> str | None:
    return studio.get_memory_version("scout").body.text


def test_after_a_kill_nothing_is_missing_and_nothing_is_left_over(file: Path) -> None:
    with open_store(file) as studio:
        assert studio.lost is None
        assert live(studio) == "written 4"
    assert kept_logs(file) == []


def test_a_log_that_was_cut_anywhere_is_told_with_both_numbers(file: Path, tmp_path: Path) -> None:
    log, whole = log_of(file).read_bytes(), noted(file)
    told = set()
    for number, size in enumerate(range(0, len(log), len(log) // 7)):
        folder = tmp_path / str(number)
        folder.mkdir()
        cut = folder / file.name
        shutil.copy2(file, cut)
        shutil.copy2(note_path(file), note_path(cut))
        log_of(cut).write_bytes(log[:size])
        with open_store(cut) as studio:
            lost = studio.lost
            assert lost is not None
            assert (lost.noted, lost.at) == (whole, START)
            assert lost.found < whole
            assert f"the store opened at change {lost.found:,}" in str(lost)
            assert f"change {whole:,} had been acknowledged" in str(lost)
            told.add(lost.found)
            assert [one.name for one in kept_logs(cut)] == list(lost.logs)
        if size:
            assert [one.read_bytes() for one in kept_logs(cut)] == [log[:size]]
    assert len(told) > 3


@pytest.mark.parametrize("place", [0.3, 0.6, 0.95])
def test_a_log_that_was_damaged_is_told_or_refused_and_kept(file: Path, place: float) -> None:
    log = bytearray(log_of(file).read_bytes())
    log[int(len(log) * place)] ^= 0x10
    log_of(file).write_bytes(log)
    try:
        with open_store(file) as studio:
            assert studio.lost is not None
    except StoreDamaged:
        assert log_of(file).read_bytes() == log
        assert kept_logs(file) == []
    else:
        assert [one.read_bytes() for one in kept_logs(file)] == [log]


def test_a_log_that_is_gone_is_told(file: Path) -> None:
    log_of(file).unlink()
    assert verify(file).lost == LostChanges(noted(file) - 5, noted(file), None, ())
    with open_store(file) as studio:
        assert studio.lost == LostChanges(noted(file), noted(file) + 5, START, ())


def test_it_is_told_until_somebody_takes_the_note_away(file: Path) -> None:
    log_of(file).unlink()
    with open_store(file) as studio:
        first = studio.lost
        overwrite(studio, "scout", "goes on")
    for _ in range(2):
        with open_store(file, Clock(START.replace(year=2027))) as studio:
            assert studio.lost == first
        assert verify(file).lost == first
    note_path(file).unlink()
    with open_store(file) as studio:
        assert studio.lost is None


def test_a_second_loss_is_told_too_and_old_logs_do_not_pile_up(file: Path) -> None:
    clock = Clock()
    for number in range(KEPT_LOGS + 2):
        if number:
            killed(file, 3)
        log = log_of(file)
        log.write_bytes(log.read_bytes()[:-20])
        clock.tick()
        with open_store(file, clock) as studio:
            assert studio.lost is not None
            assert (studio.lost.at, studio.lost.noted - studio.lost.found) == (clock.now, 1)
            assert kept_logs(file)[-1].name in studio.lost.logs
    assert len(kept_logs(file)) == KEPT_LOGS


def test_one_that_is_only_read_is_told_and_left(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log_of(file).unlink()
    monkeypatch.setattr(places, "why_not_written", lambda _: "x")
    before = note_path(file).read_bytes()
    with open_store(file) as studio:
        assert studio.lost == LostChanges(noted(file) - 5, noted(file), None, ())
    assert note_path(file).read_bytes() == before


# --- no false alarm ---


def begin_and_fail(database: Database) -> None:
    with database.tx() as cursor:
        cursor.execute("UPDATE memory SET version = version + 1")
        raise ZeroDivisionError


def test_a_kill_between_a_commit_and_its_note_is_no_loss(file: Path) -> None:
    content = note_path(file).read_text()
    note_path(file).write_text(f"{noted(file) - 1:020d}" + content[20:])
    with open_store(file) as studio:
        assert studio.lost is None
    assert noted(file) > int(content.split()[0]) - 1


@pytest.mark.parametrize("content", [b"", b"x", b"9" * 20, b"9" * 20 + b"\n{}", b"9" * 20 + b"\n[]", b"\xff" * 60])
def test_a_note_that_is_none_tells_nothing(file: Path, content: bytes) -> None:
    note_path(file).write_bytes(content)
    with open_store(file) as studio:
        assert studio.lost is None
    assert noted(file)


def test_a_note_is_never_written_where_its_name_leads(file: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.write_text("mine")
    note_path(file).unlink()
    note_path(file).symlink_to(mine)
    with open_store(file) as studio:
        overwrite(studio, "scout", "x")
    assert mine.read_text() == "mine"


def test_another_store_under_the_name_is_no_loss(file: Path) -> None:
    for one in (file, log_of(file)):
        one.unlink()
    with open_store(file, Clock(START.replace(year=2027))) as studio:
        assert studio.lost is None


def test_copies_take_no_note_along(file: Path, tmp_path: Path) -> None:
    copy, again = tmp_path / "copy.duckdb", tmp_path / "again.duckdb"
    with open_store(file) as studio:
        made = studio.backup(copy)
        newest = noted(file)
        overwrite(studio, "scout", "later")
        overwrite(studio, "scout", "later still")
    assert made.contents.newest_change == newest
    assert not note_path(copy).exists()
    assert verify(copy).lost is None
    shutil.copy(note_path(file), note_path(again))
    assert restore_backup(copy, again, environment={}).lost is None
    with open_store(again) as studio:
        assert studio.lost is None
    shutil.copy(copy, file)  # an older copy put in its place is another matter
    with open_store(file) as studio:
        assert studio.lost is not None
        assert studio.lost.noted - studio.lost.found == 2


@settings(max_examples=6, deadline=None)
@given(steps=st.lists(st.sampled_from(["write", "refused", "two at once", "open again", "back up"]), max_size=12))
def test_whatever_is_done_in_order_is_never_called_a_loss(
    steps: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("ordered") / "s.duckdb"
    studio = open_store(file)
    studio.create_agent("scout")
    database = studio._context.database
    for number, step in enumerate(steps):
        if step == "write":
            overwrite(studio, "scout", str(number))
        elif step == "refused":
            with pytest.raises(ZeroDivisionError):
                begin_and_fail(database)
        elif step == "two at once":
            with database.whole():
                overwrite(studio, "scout", f"{number} a")
                overwrite(studio, "scout", f"{number} b")
        elif step == "back up":
            studio.backup(file.with_name(f"copy-{number}.duckdb"))
        else:
            studio.close()
            studio = open_store(file)
            database = studio._context.database
            assert studio.lost is None
    with database.read() as cursor:
        found = acknowledged.standing(cursor)
    assert found is not None
    assert noted(file) == found.newest
    studio.close()


# --- where it cannot be kept or noted ---


def test_a_log_that_cannot_be_copied_is_not_opened(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = log_of(file).read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copyfile", full)
    with pytest.raises(StoreFull):
        open_store(file)
    assert log_of(file).read_bytes() == before
    assert kept_logs(file) == []


def test_a_note_that_cannot_be_written_stops_nobody(file: Path) -> None:
    note_path(file).unlink()
    note_path(file).mkdir()
    with open_store(file) as studio:
        overwrite(studio, "scout", "written all the same")
        assert studio.lost is None
    assert acknowledged.find_loss(file, Standing("x", 1)) is None


@pytest.mark.parametrize(
    ("found", "noted", "says"), [(4, 5, "1 acknowledged change is"), (4, 1_204, "1,200 acknowledged changes are")]
)
def test_a_loss_is_one_sentence_for_a_person(found: int, noted: int, says: str) -> None:
    assert str(LostChanges(found, noted, START, ("s.wal",))).startswith(
        f"{says} missing: the store opened at change 4 on 2026-09-12"
    )
    assert "kept as s.wal." in str(LostChanges(found, noted, START, ("s.wal",)))
