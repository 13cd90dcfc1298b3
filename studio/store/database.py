"""One process, one DuckDB file, one write lock.

The rules kept here were found by experiment; their opposite loses data: an own lock with the owner's pid, no use after a fork, no
opening of a write-ahead log whose database is gone, one cursor for each use, one writer at a time, and a transaction helper that
rolls back on any exception (after an error inside a transaction COMMIT "succeeds" and discards everything).
"""

import contextlib
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from studio.domain.backups import LostChanges
from studio.errors import StoreDamaged, StoreDied, StoreFull, StoreReadOnly, StudioError
from studio.store import acknowledged, lockfile, migrations, places, transactions
from studio.store.cursors import Cursors
from studio.store.lockfile import IN_MEMORY
from studio.store.transactions import Connection, Writer

if TYPE_CHECKING:
    from studio.store.engine import Opened

Cursor = transactions.Cursor
"""What a row module is handed: one cursor, for one call or one transaction."""
Row = tuple[Any, ...]
"""A row as DuckDB gives it; each row module turns it into a value."""


class Database:
    """An open store. Made by `open_database`; safe to use from many threads of the process that opened it."""

    may_write = True
    """Whether whoever has it may write."""
    keeps = True
    """Whether it keeps what a store remembers by itself while somebody only reads."""

    def __init__(
        self, path: str, connection: Connection, lock: IO[str] | None, noter: acknowledged.Noter | None = None
    ) -> None:
        self.path = path
        self._noter = noter
        self._cursors = Cursors(connection, path)
        self._lock = lock
        self._pid = os.getpid()
        self._write_lock = threading.RLock()
        self._writer = Writer(self._cursors, self._write_lock, noter)
        self._announced = False
        self._refused: tuple[StudioError, int] | None = None

    @contextlib.contextmanager
    def read(self) -> Iterator[Cursor]:
        """A cursor of its own for one call, in one snapshot of the store; in a `whole`, what was written there is seen too.

        Raises:
            StoreClosed: `close` was called.
            StoreForked: this process is a fork of the one that opened the store.
            StoreDamaged: the file cannot be read.
        """
        own = self._writer.cursor
        if own is not None:
            with self._telling():
                yield own
            return
        cursor = self._cursors.take()
        try:
            with self._telling():
                cursor.execute("BEGIN TRANSACTION READ ONLY")
                try:
                    yield cursor
                finally:
                    with contextlib.suppress(Exception):  # what went wrong before counts
                        cursor.execute("ROLLBACK")
        finally:
            self._cursors.give_back(cursor)

    @contextlib.contextmanager
    def tx(self) -> Iterator[Cursor]:
        """One write transaction at a time: it commits when the block ends and rolls back on any exception. See `whole`.

        Raises:
            StoreClosed: `close` was called.
            StoreForked: this process is a fork of the one that opened the store.
            StoreDamaged: the disk refused the write; nothing of the transaction is kept.
        """
        with self._writing(), self._writer.tx() as cursor:
            yield cursor

    def own_tx(self) -> contextlib.AbstractContextManager[Cursor]:
        """A transaction for what the store remembers by itself while somebody only reads. As `tx` otherwise."""
        return self.tx()

    def ask_to_write(self) -> None:
        """Nothing, where whoever has the store may write; asked before something outside of the store is changed."""

    @contextlib.contextmanager
    def whole(self) -> Iterator[None]:
        """Make one transaction of all that this thread writes in the block. See `transactions.Writer.whole`; raises what `tx` does."""
        with self._writing(), self._writer.whole():
            yield

    @contextlib.contextmanager
    def standstill(self) -> Iterator[None]:
        """Keep every writer waiting while the block lasts, so that the file and its write-ahead log can be copied together."""
        with self._write_lock:
            self._cursors.give_back(self._cursors.take())  # whoever closed or forked the store is told
            yield

    @property
    def commits(self) -> int:
        """How many writes were committed here so far: whoever shows the store asks this to see whether to look again."""
        return self._writer.commits

    @property
    def lost(self) -> LostChanges | None:
        """What the store lacked of what had been acknowledged when it was opened; None where it lacked nothing."""
        return None if self._noter is None else self._noter.lost

    @contextlib.contextmanager
    def _telling(self) -> Iterator[None]:
        """Tell in our words what DuckDB raises."""
        try:
            yield
        except Exception as error:
            from studio.store import engine  # noqa: PLC0415 - DuckDB loads with the first store that is opened

            told = engine.in_our_words(error, self.path)
            if told is None:
                raise
            raise told from error

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """Tell what DuckDB raises, and remember that it refused a write until one is committed."""
        try:
            with self._telling():
                yield
        except (StoreFull, StoreDied, StoreDamaged) as error:
            self._refused = error, self._writer.commits
            raise

    def announce(self, url: str, secret: str) -> None:
        """Tell this system user's other programs where the store is served, and with which secret; a store in memory has none.

        Raises:
            StoreDamaged: the folder of the store does not take it.
        """
        if self._lock is not None:
            lockfile.announce(self._lock, Path(self.path), url, secret)
            self._announced = True

    def withdraw(self) -> None:
        """Take back what `announce` told."""
        if self._lock is not None and self._announced and os.getpid() == self._pid:
            self._announced = False
            lockfile.withdraw(self._lock, Path(self.path))

    def check(self) -> None:
        """Ask the store something real, so that a database that has died says so, and see that it takes writes.

        Where the last write was refused, one is made: it takes a number and changes nothing else. Otherwise the disk is asked for room.

        Raises:
            Busy: the store is closed or was forked, or its disk is full.
            Damaged: it cannot be read or written.
            StoreReadOnly: it may not be written.
        """
        with self.read() as cursor:
            cursor.execute("SELECT count(*) FROM schema_migrations").fetchall()
        self.ask_to_write()
        if self._refused is not None and self._refused[1] == self._writer.commits:
            with self.tx():
                pass
        elif self.path != IN_MEMORY:
            places.check_room(Path(self.path))

    def close(self) -> None:
        """Finish what is being read and written, close the file and give the lock back."""
        if os.getpid() != self._pid:
            return
        self._cursors.end()
        with self._write_lock:  # whoever copies the file has it: closing writes to the file
            self._cursors.close()
            if self._noter is not None:
                self._noter.close()
            if self._lock is not None:
                self.withdraw()
                lockfile.release(self._lock)
                self._lock = None


class ReadDatabase(Database):
    """An open store that cannot be written. It has no lock of ours: DuckDB's own lets in whoever reads, and nobody who writes."""

    may_write = False
    keeps = False

    def __init__(self, path: str, opened: "Opened", why: str, lost: LostChanges | None) -> None:
        """Take the connection.

        Args:
            path: the store's file.
            opened: the connection, and the scratch copy it leads to, if it does.
            why: why nothing can be written.
            lost: what it lacks by the note beside it.
        """
        super().__init__(path, opened.connection, None)
        self._scratch = opened.scratch
        self._why = why
        self._lost = lost

    @property
    def lost(self) -> LostChanges | None:
        """See `Database.lost`."""
        return self._lost

    @contextlib.contextmanager
    def tx(self) -> Iterator[Cursor]:
        """Nothing is written.

        Raises:
            StoreReadOnly: always.
        """
        self.ask_to_write()
        yield from ()

    def ask_to_write(self) -> None:
        """Refuse a write.

        Raises:
            StoreReadOnly: always.
        """
        raise StoreReadOnly(self.path, self._why)

    @contextlib.contextmanager
    def whole(self) -> Iterator[None]:
        """Nothing is written; raises what `tx` does."""
        self.ask_to_write()
        yield

    def close(self) -> None:
        """Finish what is being read, and close the file."""
        super().close()
        if self._scratch is not None and os.getpid() == self._pid:
            self._scratch.cleanup()


def open_database(
    path: str | Path, now: datetime, steps: Sequence[migrations.Migration] | None = None, *, serves: bool = False
) -> Database:
    """Open a store as its owner, making it if the file is not there, and bring its schema up to date.

    A store that cannot be written is opened to be read, by as many as like.

    Args:
        path: the database file, or `:memory:`.
        now: recorded with each schema step taken (UTC).
        steps: the schema steps; those that ship with the program unless a test names others.
        serves: whether this process is about to serve it; others wait for that.

    Raises:
        StoreHeld: another process owns it.
        NotAStore: the file is no DuckDB file, or holds something else.
        StoreNewer: a newer Prompt Studio wrote it.
        StoreDamaged: it cannot be read, or its write-ahead log lies there without it.
        NothingToRead: its folder does not exist.
    """
    from studio.store import engine  # noqa: PLC0415 - a command that goes through an owner opens none and needs no DuckDB

    known = tuple(steps) if steps is not None else migrations.shipped()
    if str(path) == IN_MEMORY:
        connection = engine.connect(IN_MEMORY)
        migrations.apply(connection, known, now)
        return Database(IN_MEMORY, connection, None)
    # The lock and the write-ahead log lie beside the file itself, whatever names link to it.
    file = Path(path).resolve() if Path(path).is_symlink() else Path(path)
    places.check_place(file)
    why = places.why_not_written(file)
    if why is not None:
        lockfile.check_free(file)
        opened = engine.open_to_read(file, known, now)
        found = engine.how_far(opened.connection, str(file))
        return ReadDatabase(str(file), opened, why, None if found is None else acknowledged.find_loss(file, found))
    lock = lockfile.acquire(file, serves=serves)
    kept: Mapping[Path, Path] = {}
    try:
        kept = acknowledged.keep_logs(file, now)
        connection = engine.open_file(file, known, now)
        found = engine.how_far(connection, str(file))
    except BaseException:
        acknowledged.give_up(file, kept)
        lockfile.release(lock)
        raise
    noter = None if found is None else acknowledged.Noter(file, found, kept, now)
    return Database(str(file), connection, lock, noter)
