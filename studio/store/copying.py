"""A program of its own, run by `backups` in a child process: copies a store's file, and reads a copy from end to end.

In the process that owns a store nobody may open its file a second time: closing that would silently drop DuckDB's lock. So this runs
elsewhere, imports nothing of ours, and speaks through its standard input and output:

    copying.py copy FROM TO     waits for a line, copies the file with its write-ahead log, answers `copied`, then reads the copy
    copying.py read FILE        reads a store that nobody has open
    copying.py try FILE         writes to a scratch copy of a store, in every table, and reads it again

Each ends with one line of JSON: the rows of each table and the number of the newest change, or what is wrong.

Reading the rows reads neither the blocks of keys nor those that only a write needs. So every block's checksum is computed here as
DuckDB does it. A block that fails may be one that nothing uses any more: a copy of which every row is written anew tells.
"""

import json
import os
import shutil
import sys
from collections.abc import Container, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import numpy as np

TABLES = "SELECT table_name FROM duckdb_tables() WHERE NOT internal ORDER BY table_name"
LOGS = (".wal", ".wal.checkpoint", ".wal.recovery")
"""What DuckDB lays beside a file: its write-ahead log, and where a process was killed in a checkpoint two more."""
HEADERS_BYTES = 3 * 4096
"""Where the blocks begin; opening a file checks all that stands before."""
MULTIPLIER, SEED = np.uint64(0xBF58476D1CE4E5B9), np.uint64(5381)
"""DuckDB's checksum of a block: this start, and each word times this multiplier, under exclusive or."""
TRIED_ROWS = 1000
"""How many rows of each table a trial writes anew."""
Told = dict[str, Any]
"""What is answered, as JSON."""
STANDING = """SELECT (SELECT epoch_us(applied_at) FROM schema_migrations WHERE migration_id = 1),
    (SELECT coalesce(last_value, 0) FROM duckdb_sequences() WHERE sequence_name = 'commit_numbers')"""
CONFIG: dict[str, Any] = {
    "memory_limit": "1GB",
    "threads": 1,
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}


def copy(source: Path, target: Path) -> None:
    """Copy the file and its write-ahead log, once whoever owns them says that they stand still."""
    sys.stdin.readline()
    _copy_files(source, target)
    say("copied")


def _copy_files(source: Path, target: Path) -> None:
    shutil.copy2(source, target)
    for log in LOGS:
        if Path(f"{source}{log}").exists():
            shutil.copy2(f"{source}{log}", f"{target}{log}")


def read(file: Path, *, mend: bool) -> Told:
    """The rows of each table and how far it is, of a store in which every block is good.

    Args:
        file: the store.
        mend: whether to take the write-ahead log into the file, as is done with a fresh copy.
    """
    with opened(file, read_only=not mend) as connection:
        if mend:
            connection.execute("FORCE CHECKPOINT")
        size, blocks = connection.execute("SELECT block_size, total_blocks FROM pragma_database_size()").fetchall()[0]
        held = contents(connection)
        how_far = standing(connection, held)
    if mend:
        with file.open("rb+") as handle:
            os.fsync(handle.fileno())
    spoilt = spoilt_blocks(file, int(size), int(blocks))
    if spoilt:
        try:
            with TemporaryDirectory(prefix="studio-verify-") as folder:
                scratch = Path(folder) / "scratch.duckdb"
                _copy_files(file, scratch)
                write_anew(scratch)
        except (OSError, duckdb.Error) as error:
            raise Spoilt(spoilt) from error
    return {"rows": {name: count for name, (count, _) in held.items()}, **how_far}


def contents(connection: duckdb.DuckDBPyConnection) -> dict[str, tuple[int, int | None]]:
    """The rows of each table and a hash of them all; every byte of every column is read."""
    held = {}
    for (name,) in connection.execute(TABLES).fetchall():
        count, every = connection.execute(f'SELECT count(*), bit_xor(hash(t)) FROM "{name}" AS t').fetchall()[0]
        held[str(name)] = int(count), every
    return held


def spoilt_blocks(file: Path, size: int, blocks: int) -> list[int]:
    """The numbers of the blocks whose checksum is wrong, or which are not there at all."""
    wrong = []
    with file.open("rb") as handle:
        handle.seek(HEADERS_BYTES)
        for number in range(blocks):
            content = handle.read(size)
            words = np.frombuffer(content, np.uint64) if len(content) == size else None
            if words is None or np.bitwise_xor.reduce(words[1:] * MULTIPLIER) ^ SEED != words[0]:
                wrong.append(number)
    return wrong


def write_anew(file: Path, rows: int | None = None) -> Told:
    """Delete rows of each table and enter them again, which reads and writes their keys; checkpoint, and find all as it was.

    Args:
        file: a scratch copy.
        rows: how many of each table; all of them without.
    """
    limit = "" if rows is None else f"LIMIT {rows}"
    with opened(file, read_only=False) as connection:
        before = contents(connection)
        connection.execute("BEGIN")
        for number, name in enumerate(before):
            connection.execute(f'CREATE TABLE kept_{number} AS SELECT rowid AS kept_row, * FROM "{name}" {limit}')
            connection.execute(f'DELETE FROM "{name}" WHERE rowid IN (SELECT kept_row FROM kept_{number})')
        connection.execute("COMMIT")  # a key is free only then
        connection.execute("BEGIN")
        for number, name in enumerate(before):
            connection.execute(f'INSERT INTO "{name}" SELECT * EXCLUDE (kept_row) FROM kept_{number}')
            connection.execute(f"DROP TABLE kept_{number}")
        connection.execute("COMMIT")
        connection.execute("FORCE CHECKPOINT")
    with opened(file, read_only=False) as connection:
        connection.execute("FORCE CHECKPOINT")
        if contents(connection) != before:
            raise duckdb.DataError("what was written does not read as it was")
    return {"rows": {name: count for name, (count, _) in before.items()}}


class Spoilt(Exception):
    """Blocks that the store uses are no good."""

    def __init__(self, blocks: list[int], most: int = 5) -> None:
        named = ", ".join(map(str, blocks[:most]))
        more = f" and {len(blocks) - most} more" if len(blocks) > most else ""
        super().__init__(f"blocks of it are damaged ({named}{more})")


@contextmanager
def opened(file: Path, *, read_only: bool) -> Iterator[duckdb.DuckDBPyConnection]:
    """An open store."""
    connection = duckdb.connect(str(file), read_only=read_only, config=CONFIG)
    try:
        yield connection
    finally:
        connection.close()


def say(line: str) -> None:
    """Answer whoever started this."""
    print(line, flush=True)


def standing(connection: duckdb.DuckDBPyConnection, tables: Container[str]) -> Told:
    """Which store it is and the number of its newest change, for who compares that with what is noted beside it."""
    if "schema_migrations" not in tables:
        return {}
    made, newest = connection.execute(STANDING).fetchall()[0]
    return {"store": str(made), "newest": newest}


def main(verb: str, *files: str) -> None:
    """Do what the command line says."""
    try:
        if verb == "copy":
            copy(Path(files[0]), Path(files[1]))
        file = Path(files[-1])
        told = write_anew(file, TRIED_ROWS) if verb == "try" else read(file, mend=verb == "copy")
    except (OSError, duckdb.Error, Spoilt) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error).strip().splitlines()[0]
        say(json.dumps({"wrong": why}))
    else:
        say(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
