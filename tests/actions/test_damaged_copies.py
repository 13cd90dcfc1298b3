"""A copy that is damaged anywhere: verify reads all that opening and writing read, and nothing is made of it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from builders import START, open_store, overwrite

from studio.actions.backups import restore_backup, verify
from studio.errors import NoBackup, StoreDamaged, StudioError
from studio.store import copying, lockfile, migrations
from studio.store.database import open_database
from studio.store.migrations import Migration

HEADERS_BYTES, BLOCK_BYTES = 3 * 4096, 256 * 1024


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of a store in which tables, keys and what only a write reads have blocks of their own."""
    folder = tmp_path_factory.mktemp("whole")
    with open_store(folder / "s.duckdb") as studio:
        for name in ("one", "two"):
            studio.create_agent(name, focus="x" * 5_000)
            for number in range(20):
                overwrite(studio, name, f"{name} {number}\n" * 200)
    return folder / "s.duckdb"


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy2(whole, tmp_path / "copy.duckdb"))


def flip(file: Path, at: int, bit: int) -> None:
    content = bytearray(file.read_bytes())
    content[at] ^= 1 << bit
    file.write_bytes(content)


def test_one_bit_in_any_block_is_found(copy: Path) -> None:
    """By the checksum of each block, wherever in the block it is: of its checksum, its first word, its middle, its end."""
    blocks = (copy.stat().st_size - HEADERS_BYTES) // BLOCK_BYTES
    assert blocks > 5
    assert copying.spoilt_blocks(copy, BLOCK_BYTES, blocks) == []
    sound = copy.read_bytes()
    for number in range(blocks):
        for place, bit in ((0, 0), (7, 7), (8, 1), (BLOCK_BYTES // 2 + number, 3), (BLOCK_BYTES - 1, 7)):
            flip(copy, HEADERS_BYTES + number * BLOCK_BYTES + place, bit)
            assert copying.spoilt_blocks(copy, BLOCK_BYTES, blocks) == [number]
            copy.write_bytes(sound)


def reads_its_rows(file: Path) -> bool:
    """Whether every row of every table can be read, without which nobody would miss a block."""
    try:
        with duckdb.connect(str(file), read_only=True) as connection:
            copying.contents(connection)
    except duckdb.Error:
        return False
    return True


def test_verify_names_a_block_of_keys_and_restores_nothing_of_it(copy: Path, tmp_path: Path) -> None:
    """The blocks that reading all rows never reads: without their checksums each of these copies would be called sound."""
    sound = copy.read_bytes()
    blocks = (len(sound) - HEADERS_BYTES) // BLOCK_BYTES
    of_keys = []
    for number in range(blocks):
        flip(copy, HEADERS_BYTES + number * BLOCK_BYTES + 1000, 5)
        if reads_its_rows(copy):
            of_keys.append(number)
        copy.write_bytes(sound)
    assert of_keys
    for number in {of_keys[0], of_keys[-1]}:
        flip(copy, HEADERS_BYTES + number * BLOCK_BYTES + 1000, 5)
        with pytest.raises(StoreDamaged, match=rf"blocks of it are damaged \({number}\)"):
            verify(copy)
        with pytest.raises(StoreDamaged):
            restore_backup(copy, tmp_path / "again.duckdb", environment={})
        assert {one.name for one in tmp_path.iterdir()} == {copy.name}
        copy.write_bytes(sound)


@pytest.mark.parametrize("at", [9, 4_000, 4_104, 8_191, 8_200])
def test_a_bit_of_the_headers_is_found(copy: Path, at: int) -> None:
    flip(copy, at, 2)
    with pytest.raises(StoreDamaged):
        verify(copy)


def test_a_copy_cut_off_is_found(copy: Path) -> None:
    for size in (copy.stat().st_size - 1, HEADERS_BYTES + BLOCK_BYTES):
        with copy.open("rb+") as handle:
            handle.truncate(size)
        with pytest.raises(StoreDamaged):
            verify(copy)


def test_a_block_that_nothing_uses_harms_nothing(copy: Path) -> None:
    """A block that was given up may hold anything, such as half of a write that a power cut ended."""
    with duckdb.connect(str(copy)) as connection:
        connection.execute("CREATE TABLE big AS SELECT hash(range) AS a FROM range(200000)")
        connection.execute("CREATE TABLE behind_it AS SELECT hash(range) AS a FROM range(200000)")
        connection.execute("CHECKPOINT")
        number = connection.execute(
            "SELECT min(block_id) FROM pragma_storage_info('big') WHERE block_id >= 0"
        ).fetchall()[0][0]
        connection.execute("DROP TABLE big")
        connection.execute("CHECKPOINT")
        free = connection.execute("SELECT free_blocks FROM pragma_database_size()").fetchall()[0][0]
    assert free
    flip(copy, HEADERS_BYTES + number * BLOCK_BYTES + 1000, 5)
    assert copying.spoilt_blocks(copy, BLOCK_BYTES, number + 1) == [number]
    assert verify(copy).agents


def newer(file: Path) -> None:
    steps = migrations.shipped()
    more = Migration(len(steps) + 1, "0099_more.sql", "CREATE TABLE more (a INTEGER)")
    open_database(file, START, [*steps, more]).close()


def edited(file: Path) -> None:
    with duckdb.connect(str(file)) as connection:
        connection.execute("UPDATE schema_migrations SET sha256 = 'x' WHERE migration_id = 2")


def without_a_table(file: Path) -> None:
    with duckdb.connect(str(file)) as connection:
        connection.execute("DROP TABLE schema_migrations")


@pytest.mark.parametrize(
    ("spoil", "says"), [(newer, "upgrade"), (edited, "0002_views.sql"), (without_a_table, "none of our tables")]
)
def test_what_would_not_open_as_a_store_is_not_restored(
    copy: Path, tmp_path: Path, spoil: Callable[[Path], None], says: str
) -> None:
    spoil(copy)
    for beside in tmp_path.glob(f"{copy.name}.*"):
        beside.unlink()
    with pytest.raises(StudioError, match=says) as said:
        restore_backup(copy, tmp_path / "again.duckdb", environment={})
    assert isinstance(said.value, NoBackup | StoreDamaged)
    assert "trial" not in str(said.value)
    assert {one.name for one in tmp_path.iterdir()} == {copy.name}


def test_a_damaged_store_has_no_backup(whole: Path, tmp_path: Path) -> None:
    """Also where the damage is in keys that nobody needed since the store was opened."""
    file = Path(shutil.copy2(whole, tmp_path / "s.duckdb"))
    sound = file.read_bytes()
    for number in range((len(sound) - HEADERS_BYTES) // BLOCK_BYTES):
        flip(file, HEADERS_BYTES + number * BLOCK_BYTES + 1000, 5)
        if reads_its_rows(file):
            break
        file.write_bytes(sound)
    with open_store(file) as studio, pytest.raises(NoBackup, match="damaged"):
        studio.backup(tmp_path / "copy.duckdb")
    assert not (tmp_path / "copy.duckdb").exists()


def test_the_program_of_its_own_knows_the_same_logs() -> None:
    assert copying.LOGS == lockfile.LOGS
