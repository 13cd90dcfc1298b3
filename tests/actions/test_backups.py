"""Copies of a store: whole, consistent while others write, and never half there."""

import os
import shutil
import threading
from pathlib import Path

import pytest
from builders import Clock, open_store, overwrite

from studio import Studio
from studio.actions.backups import restore_backup, verify
from studio.errors import FileTaken, NoBackup, NothingToRead, StoreDamaged, StoreHeld, StoreInMemory


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "s.duckdb"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return tmp_path / "copies" / "copy.duckdb"


@pytest.fixture(autouse=True)
def folder(copy: Path) -> Path:
    copy.parent.mkdir()
    return copy.parent


def left_in(folder: Path) -> set[str]:
    return {one.name for one in folder.iterdir()}


def test_a_copy_opens_as_a_store_and_holds_every_acknowledged_write(file: Path, copy: Path) -> None:
    with open_store(file) as studio:
        agent = studio.create_agent("scout").id
        overwrite(studio, agent, "checkpointed")
        overwrite(studio, agent, "\ufeffin the write-ahead log\r\n")
        made = studio.backup(copy)
        overwrite(studio, agent, "later")
    assert (made.contents.path, made.contents.size_bytes) == (str(copy), copy.stat().st_size)
    assert (made.contents.agents, made.contents.versions, made.contents.runs) == (1, 4, 0)
    assert left_in(copy.parent) == {copy.name}
    with open_store(copy) as studio:
        assert studio.get_memory_version("scout").body.text == "\ufeffin the write-ahead log\r\n"


def test_a_copy_is_one_moment_of_a_store_that_is_written_to(file: Path, copy: Path) -> None:
    """Every text is written to two agents in turn, so in each moment they are equal or one is a version ahead."""
    over = threading.Event()
    written: list[int] = []

    def write(studio: Studio) -> None:
        while not over.is_set():
            for agent in ("one", "two"):
                overwrite(studio, agent, f"{len(written)}\n" * 500)
            written.append(len(written))

    with open_store(file) as studio:
        studio.create_agent("one")
        studio.create_agent("two")
        thread = threading.Thread(target=write, args=(studio,))
        thread.start()
        before = len(written)
        studio.backup(copy)
        over.set()
        thread.join()
    with open_store(copy) as studio:
        numbers = [studio.get_memory_version(agent).version.number for agent in ("one", "two")]
        kept = [studio.list_memory_versions(agent) for agent in ("one", "two")]
    assert numbers[0] - numbers[1] in (0, 1)
    assert numbers[1] >= before
    for versions in kept:
        assert [version.number for version in versions] == list(range(versions[0].number, versions[-1].number - 1, -1))


def test_the_owner_still_owns_the_store_after_a_copy(file: Path, copy: Path) -> None:
    with open_store(file) as studio:
        studio.create_agent("scout")
        studio.backup(copy)
        with pytest.raises(StoreHeld):
            verify(file)
        overwrite(studio, "scout", "goes on")
    with open_store(file) as studio:
        assert studio.get_memory_version("scout").body.text == "goes on"


@pytest.mark.parametrize("taken", ["copy.duckdb", "copy.duckdb.wal"])
def test_nothing_is_written_over(file: Path, copy: Path, taken: str) -> None:
    (copy.parent / taken).write_bytes(b"mine")
    with open_store(file) as studio, pytest.raises(FileTaken, match=taken):
        studio.backup(copy)
    assert (copy.parent / taken).read_bytes() == b"mine"
    assert left_in(copy.parent) == {taken}


def test_a_link_that_leads_nowhere_is_not_followed(file: Path, copy: Path) -> None:
    copy.symlink_to(copy.parent / "elsewhere")
    with open_store(file) as studio, pytest.raises(FileTaken):
        studio.backup(copy)
    assert left_in(copy.parent) == {copy.name}


def test_a_copy_that_cannot_be_made_leaves_nothing(file: Path, copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_store(file) as studio:
        studio.create_agent("scout")
        with pytest.raises(NothingToRead, match="does not exist"):
            studio.backup(copy.parent / "none" / "copy.duckdb")
        monkeypatch.setattr("studio.store.backups._PROGRAM", Path(os.devnull))  # a child that says nothing
        with pytest.raises(NoBackup, match="cut off"):
            studio.backup(copy)
        overwrite(studio, "scout", "nobody waits any more")
    assert left_in(copy.parent) == set()


def test_a_store_in_memory_has_no_copy(copy: Path) -> None:
    with open_store(":memory:") as studio, pytest.raises(StoreInMemory):
        studio.backup(copy)


def test_a_copy_is_verified_without_a_change(file: Path, copy: Path) -> None:
    with open_store(file) as studio:
        studio.create_agent("scout")
        studio.backup(copy)
    before = copy.read_bytes()
    assert verify(copy).agents == 1
    assert copy.read_bytes() == before
    assert left_in(copy.parent) == {copy.name}


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda content: content[: len(content) // 2], id="cut off"),
        pytest.param(lambda content: content[:12_288].ljust(len(content), b"\0"), id="blocks of zeros"),
        pytest.param(lambda _: b"no store at all" * 1000, id="another file"),
        pytest.param(lambda _: b"", id="empty"),
    ],
)
def test_a_spoilt_copy_is_told(file: Path, copy: Path, spoil: object) -> None:
    with open_store(file) as studio:
        studio.create_agent("scout")
        studio.backup(copy)
    copy.write_bytes(spoil(copy.read_bytes()))  # type: ignore[operator]
    with pytest.raises(StoreDamaged):
        verify(copy)


def test_a_backup_becomes_a_store_and_stays_as_it_is(file: Path, copy: Path, tmp_path: Path) -> None:
    with open_store(file) as studio:
        studio.create_agent("scout")
        studio.backup(copy)
    target = tmp_path / "again.duckdb"
    assert restore_backup(copy, target, environment={}).path == str(target)
    with open_store(target, Clock()) as studio:
        assert studio.get_agent("scout").name == "scout"
    assert verify(copy).agents == 1
    with pytest.raises(FileTaken):
        restore_backup(copy, target, environment={})
    shutil.rmtree(copy.parent)
    with pytest.raises(NothingToRead):
        restore_backup(copy, tmp_path / "third.duckdb", environment={})
