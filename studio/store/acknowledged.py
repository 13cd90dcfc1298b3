"""The number of the newest acknowledged change, noted beside the store, so that a store which opens below it is told.

DuckDB replays a write-ahead log as far as it is whole, says nothing of what is cut off, and removes it when it closes. So each write
takes the next number of a sequence of the store itself, and when it is committed, before its caller is told, that number is written
over the one in a small file. The order matters: the number in the file is never ahead of what was committed, so no store is told of a
loss that it does not have. After `kill -9` both are as they were written. Where the power fails, DuckDB has brought the log to the disk
by then and the file may be older, since nobody waits for it: at worst a loss of the last moments is not told.

The file bears the store's identity, so that another store under the same name is no loss; a store that is copied without it just opens.
"""

import contextlib
import json
import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from studio.domain.backups import LostChanges
from studio.errors import StoreDamaged, StoreFull
from studio.store.lockfile import LOGS
from studio.store.places import FULL
from studio.store.transactions import Cursor

DIGITS = 20
"""How wide the number is written, so that it is written over in one step."""
KEPT_LOGS = 3
"""How many openings that found a loss keep their logs."""
NEWEST = "SELECT last_value FROM duckdb_sequences() WHERE sequence_name = 'commit_numbers'"
NEXT = "SELECT nextval('commit_numbers')"
IDENTITY = "SELECT epoch_us(applied_at) FROM schema_migrations WHERE migration_id = 1"


@dataclass(frozen=True, slots=True)
class Standing:
    """Which store it is, and how far it is."""

    store: str
    """When it was made, to the microsecond."""
    newest: int
    """The number of its newest change; 0 where none was counted."""


def standing(cursor: Cursor) -> Standing | None:
    """Which store is open and how far it is; None where it counts no changes.

    All rows are fetched: a result that is not read to its end keeps its transaction, and DuckDB then never takes the log in.
    """
    counted, made = cursor.execute(NEWEST).fetchall(), cursor.execute(IDENTITY).fetchall()
    return Standing(str(made[0][0]), int(counted[0][0] or 0)) if counted and made else None


def note_path(database: Path) -> Path:
    """Where the number is noted."""
    return Path(f"{database}.noted")


def find_loss(database: Path, found: Standing) -> LostChanges | None:
    """What a store lacks by the note beside it, or lacked when it was opened before; None where it lacks nothing."""
    noted, lost = _read(database, found.store)
    return LostChanges(found.newest, noted, None, ()) if found.newest < noted else lost


def _read(database: Path, store: str) -> tuple[int, LostChanges | None]:
    """The number noted for a store, and the loss; nothing where it is no note of ours, or another store's."""
    try:
        with os.fdopen(os.open(note_path(database), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)) as handle:
            number, rest = int(handle.read(DIGITS)), json.loads(handle.read())
        if rest["store"] != store:
            return 0, None
        lost = rest["lost"]
        if lost is None:
            return number, None
        at = datetime.fromisoformat(lost["at"])
        return number, LostChanges(int(lost["found"]), int(lost["noted"]), at, tuple(map(str, lost["logs"])))
    except (OSError, ValueError, KeyError, TypeError):
        return 0, None


class Noter:
    """Notes what an owner acknowledges. A file that cannot be written notes nothing, and stops nobody."""

    def __init__(self, database: Path, found: Standing, kept: Iterable[Path], now: datetime) -> None:
        """Compare a store that was just opened with what is noted, and begin the note anew.

        Args:
            database: the store's file.
            found: how far it is.
            kept: its logs as they were before it was opened: kept where it lacks something, removed otherwise.
            now: the time (UTC).
        """
        before, lost = _read(database, found.store)
        if found.newest < before:
            lost = LostChanges(found.newest, before, now, tuple(one.name for one in kept))
            _prune(database)
        else:
            _remove(kept)
        self.lost = lost
        """What the store lacks; None where it lacks nothing."""
        self._number: int | None = None
        rest = {
            "store": found.store,
            "lost": None if lost is None else asdict(lost) | {"at": lost.at and lost.at.isoformat()},
        }
        with contextlib.suppress(OSError):
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            self._number = os.open(note_path(database), flags, 0o666)
            content = f"{found.newest:0{DIGITS}d}\n{json.dumps(rest)}\n".encode()
            os.pwrite(self._number, content, 0)
            os.truncate(self._number, len(content))

    def take(self, cursor: Cursor) -> int:
        """The next number, for the transaction that is about to be committed."""
        row = cursor.execute(NEXT).fetchone()
        return int(row[0]) if row else 0

    def note(self, number: int) -> None:
        """Note a number whose transaction was committed."""
        if self._number is not None:
            with contextlib.suppress(OSError):
                os.pwrite(self._number, f"{number:0{DIGITS}d}".encode(), 0)

    def close(self) -> None:
        """Note no more."""
        if self._number is not None:
            os.close(self._number)
            self._number = None


def keep_logs(database: Path, now: datetime) -> Mapping[Path, Path]:
    """Copy the logs that opening a store will replay and remove, so that they are there to look at where they were no good.

    Returns:
        Each copy with its log.

    Raises:
        StoreFull: the disk takes no copy.
        StoreDamaged: they cannot be copied for another reason.
    """
    kept: dict[Path, Path] = {}
    try:
        for log in LOGS:
            there = Path(f"{database}{log}")
            if there.is_file() and there.stat().st_size:
                copy = Path(f"{database}.kept-{now:%Y%m%dT%H%M%SZ}{log}")
                kept[copy] = there
                shutil.copyfile(there, copy)
    except OSError as error:
        _remove(kept)
        if error.errno in FULL:
            raise StoreFull(str(database)) from None
        raise StoreDamaged(str(database), f"its write-ahead log cannot be copied ({error.strerror})") from None
    return kept


def give_up(database: Path, kept: Mapping[Path, Path]) -> None:
    """Remove the copies of logs that are still there as they were, since opening the store failed."""
    _remove([copy for copy, log in kept.items() if log.is_file() and log.stat().st_size == copy.stat().st_size])
    _prune(database)


def _remove(files: Iterable[Path]) -> None:
    for one in files:
        with contextlib.suppress(OSError):
            one.unlink()


def _prune(database: Path) -> None:
    """Keep the logs of the last openings that found a loss."""
    prefix = f"{database.name}.kept-"
    there = [one for one in database.parent.iterdir() if one.name.startswith(prefix)]
    stamps = sorted({one.name.removeprefix(prefix).partition(".")[0] for one in there})[:-KEPT_LOGS]
    _remove([one for one in there if one.name.removeprefix(prefix).partition(".")[0] in stamps])
