"""DuckDB itself: how we connect to it, and what its errors mean. It loads slowly, so only with the first store that is opened."""

import shutil
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import duckdb

from studio.errors import NoBackup, NotAStore, StoreClosed, StoreDamaged, StoreDied, StoreFull, StoreHeld
from studio.store import migrations
from studio.store.acknowledged import Standing, standing
from studio.store.lockfile import LOGS

MEMORY_LIMIT = "2GB"
"""What DuckDB may use: without a limit it grew to 8.8 GB on a store of 4 GB."""
THREADS = 2
"""DuckDB's own threads; more did not help point reads and writes."""
CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "memory_limit": MEMORY_LIMIT,
    "threads": THREADS,
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}
"""How we open a store: nothing is fetched, and no other file is read."""
BROKEN = (duckdb.IOException, duckdb.FatalException, duckdb.SerializationException, duckdb.InternalException)
"""What DuckDB raises when the file or the disk fails under an open store."""


def open_file(file: Path, known: tuple[migrations.Migration, ...], now: datetime) -> duckdb.DuckDBPyConnection:
    """Open the file and take the schema steps it lacks; a store that had some before is copied first.

    Args:
        file: the database file, made where it is not there.
        known: the schema steps that there are.
        now: recorded with each step taken (UTC).

    Raises:
        StoreHeld: another program has the file open.
        NotAStore: it holds something else.
        StoreNewer: it has steps that are not among those known.
        StoreDamaged: it cannot be read.
    """
    if file.exists() and file.stat().st_size == 0:
        file.unlink()  # DuckDB makes a missing file but takes no empty one
    connection = connect(str(file))
    try:
        steps = migrations.pending(connection, str(file), known)
        if steps and steps[0].number > 1:
            connection.close()
            shutil.copy2(file, f"{file}.before-{steps[0].number:04d}")
            connection = connect(str(file))
        migrations.apply(connection, steps, now)
    except duckdb.Error as error:
        connection.close()
        raise StoreDamaged(str(file), _first_line(error)) from error
    except BaseException:
        connection.close()
        raise
    return connection


class Opened(NamedTuple):
    """A store that is open to be read."""

    connection: duckdb.DuckDBPyConnection
    """The connection."""
    scratch: "TemporaryDirectory[str] | None"
    """The folder of the copy that it leads to, which goes away with it; None where it leads to the file itself."""


def open_to_read(file: Path, known: tuple[migrations.Migration, ...], now: datetime) -> Opened:
    """Open a file that cannot be written; one whose schema is older is read from a copy in the system's temporary folder.

    Takes and raises what `open_file` does. DuckDB reads the write-ahead log as well, and leaves it as it is.
    """
    connection = connect(str(file), read_only=True)
    try:
        steps = migrations.pending(connection, str(file), known)
    except duckdb.Error as error:
        connection.close()
        raise StoreDamaged(str(file), _first_line(error)) from error
    except BaseException:
        connection.close()
        raise
    if not steps:
        return Opened(connection, None)
    connection.close()
    scratch = TemporaryDirectory(prefix="studio-read-")
    try:
        copy = Path(scratch.name) / "copy.duckdb"
        shutil.copyfile(file, copy)
        for log in LOGS:
            if Path(f"{file}{log}").exists():
                shutil.copyfile(f"{file}{log}", f"{copy}{log}")
        return Opened(open_file(copy, known, now), scratch)
    except OSError as error:
        scratch.cleanup()
        raise NoBackup(scratch.name, error.strerror or str(error)) from None
    except BaseException:
        scratch.cleanup()
        raise


def connect(path: str, *, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    """A connection that fetches nothing, reads no other file, keeps UTC and cannot be reconfigured.

    Raises:
        StoreHeld: another program has the file open.
        NotAStore: it is no DuckDB file.
        StoreDamaged: it cannot be read.
    """
    try:
        connection = duckdb.connect(path, read_only=read_only, config=CONFIG)
    except duckdb.Error as error:
        raise _opening_error(path, error) from None
    if connection.execute("SELECT current_setting('lock_configuration')").fetchall() != [
        (True,)
    ]:  # else as open already here
        connection.execute("SET GLOBAL TimeZone = 'UTC'")
        connection.execute("SET lock_configuration = true")
    return connection


def how_far(connection: duckdb.DuckDBPyConnection, path: str) -> Standing | None:
    """Which store was opened and how far it is.

    Raises:
        StoreDamaged: that cannot be read; the connection is closed.
    """
    try:
        return standing(connection)
    except duckdb.Error as error:
        connection.close()
        raise StoreDamaged(path, _first_line(error)) from error


def in_our_words(error: Exception, path: str) -> StoreDied | StoreClosed | StoreFull | StoreDamaged | None:
    """What an error of DuckDB means for an open store; None for one that is a fault of ours, or none of DuckDB's."""
    if not isinstance(error, duckdb.Error):
        return None
    if isinstance(error, duckdb.FatalException):  # a checkpoint failed; nothing is answered from now on
        return StoreDied(path, _first_line(error))
    if isinstance(error, duckdb.InterruptException | duckdb.ConnectionException):  # only a close does that
        return StoreClosed(path)
    if _disk_is_full(error):
        return StoreFull(path)
    # DuckDB raises its bare base class for a block whose checksum is wrong.
    broken = isinstance(error, BROKEN) or type(error) is duckdb.Error
    return StoreDamaged(path, _first_line(error)) if broken else None


def _disk_is_full(error: duckdb.Error) -> bool:
    """Whether the disk took no more; COMMIT then raises a plain TransactionException."""
    said = str(error).lower()
    return (
        "no space left" in said
        or "file too large" in said
        or "disk quota exceeded" in said
        or "out of disk space" in said
    )


def _opening_error(path: str, error: duckdb.Error) -> StoreHeld | NotAStore | StoreDamaged:
    """What a failed opening means, in our words."""
    text = str(error)
    if "lock" in text.lower() and "conflicting" in text.lower():
        return StoreHeld(path, "another program that opened it without Prompt Studio")
    if "not a valid DuckDB database file" in text:
        return NotAStore(path, "it is no DuckDB file")
    return StoreDamaged(path, _first_line(error))


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0].rstrip(".") if str(error).strip() else type(error).__name__
