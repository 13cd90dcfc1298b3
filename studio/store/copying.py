"""A program of its own, run by `backups` in a child process: copies a store's file, and reads a copy from end to end.

In the process that owns a store nobody may open its file a second time: closing that would silently drop DuckDB's lock. So this runs
elsewhere, imports nothing of ours, and speaks through its standard input and output:

    copying.py copy FROM TO     waits for a line, copies the file with its write-ahead log, answers `copied`, then reads the copy
    copying.py read FILE        reads a store that nobody has open

Both end with one line of JSON: the rows of each table, or what is wrong.
"""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

TABLES = "SELECT table_name FROM duckdb_tables() WHERE NOT internal ORDER BY table_name"
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
    shutil.copy2(source, target)
    log = Path(f"{source}.wal")
    if log.exists():
        shutil.copy2(log, f"{target}.wal")
    say("copied")


def read(file: Path, *, mend: bool) -> dict[str, int]:
    """The rows of each table; every byte of every column is read, so that a block that is no good raises.

    Args:
        file: the store.
        mend: whether to take the write-ahead log into the file, as is done with a fresh copy.
    """
    with opened(file, read_only=not mend) as connection:
        if mend:
            connection.execute("FORCE CHECKPOINT")
        names = [str(row[0]) for row in connection.execute(TABLES).fetchall()]
        counts = {}
        for name in names:
            one = connection.execute(f'SELECT count(*), bit_xor(hash(t)) FROM "{name}" AS t').fetchone()
            counts[name] = int(one[0]) if one else 0
    if mend:
        with file.open("rb+") as handle:
            os.fsync(handle.fileno())
    return counts


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


def main(verb: str, *files: str) -> None:
    """Do what the command line says."""
    try:
        if verb == "copy":
            copy(Path(files[0]), Path(files[1]))
        rows = read(Path(files[-1]), mend=verb == "copy")
    except (OSError, duckdb.Error) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error).strip().splitlines()[0]
        say(json.dumps({"wrong": why}))
    else:
        say(json.dumps({"rows": rows}))


if __name__ == "__main__":
    main(*sys.argv[1:])
