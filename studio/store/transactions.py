"""One writer at a time, and what one thread writes in several steps as one transaction."""

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol


class Cursor(Protocol):
    """One connection of DuckDB with a transaction of its own; named here by what we use of it, so that naming it loads no DuckDB."""

    def execute(self, query: str, parameters: object = None, /) -> "Cursor":
        """Run a statement."""

    def fetchone(self) -> tuple[Any, ...] | None:
        """The next row of what was run."""

    def fetchall(self) -> list[tuple[Any, ...]]:
        """All rows of what was run."""

    def interrupt(self) -> None:
        """End what it is running in another thread, with an error there."""

    def close(self) -> None:
        """End it."""


class Connection(Cursor, Protocol):
    """The open database."""

    def cursor(self) -> Cursor:
        """A connection of its own to the same database."""


class Lender(Protocol):
    """Who hands out cursors and takes them back."""

    def take(self) -> Cursor:
        """A cursor for one transaction."""

    def give_back(self, cursor: Cursor) -> None:
        """End it."""


class Numbers(Protocol):
    """Who numbers the transactions, and notes the number of each that was committed."""

    def take(self, cursor: Cursor, /) -> int:
        """The next number, for the transaction that is about to be committed."""

    def note(self, number: int, /) -> None:
        """Note a number whose transaction was committed."""


@dataclass(slots=True)
class _Whole:
    """The transaction of a `whole` block, from its first write on."""

    cursor: Cursor | None = None
    """The cursor of the transaction; None until something is written."""
    failure: BaseException | None = None
    """What went wrong after other writes had been made: it takes them with it."""


class Writer:
    """The write transactions of one open store."""

    def __init__(self, lender: Lender, lock: threading.RLock, numbers: Numbers | None = None) -> None:
        self._lender = lender
        self._numbers = numbers
        self._lock = lock
        self._thread = threading.local()
        self.commits = 0
        """How many transactions were committed; it grows under the lock."""

    @property
    def cursor(self) -> Cursor | None:
        """The cursor of what this thread has written in a `whole` block and not yet committed, so that it can read it back."""
        whole = self._whole
        return None if whole is None else whole.cursor

    @property
    def _whole(self) -> _Whole | None:
        found: _Whole | None = getattr(self._thread, "whole", None)
        return found

    @contextlib.contextmanager
    def whole(self) -> Iterator[None]:
        """Make one transaction of all that this thread writes in the block: all of it is committed, or nothing.

        The transaction begins with the first write, so whatever is waited for before that (a price, a repository) holds nobody up. A
        first write that fails leaves the block as it was. A later one that fails dooms the whole, even where the error is caught.
        """
        if self._whole is not None:
            yield
            return
        whole = _Whole()
        self._thread.whole = whole
        try:
            yield
        except BaseException:
            self._end(whole, commit=False)
            raise
        else:
            self._end(whole, commit=whole.failure is None)
            if whole.failure is not None:
                raise whole.failure
        finally:
            self._thread.whole = None

    @contextlib.contextmanager
    def tx(self) -> Iterator[Cursor]:
        """One write: a transaction of its own, or a part of the `whole` that this thread is in."""
        if self._whole is None:
            with self.whole(), self.tx() as cursor:
                yield cursor
            return
        whole = self._whole
        if whole.failure is not None:
            raise whole.failure
        first = whole.cursor is None
        cursor = whole.cursor = whole.cursor or self._begin()
        try:
            yield cursor
        except BaseException as error:
            if first:
                self._end(whole, commit=False)
            else:
                whole.failure = error
            raise

    def _begin(self) -> Cursor:
        cursor = self._lender.take()
        try:
            self._lock.acquire()
        except BaseException:  # Ctrl-C, while another writes
            self._lender.give_back(cursor)
            raise
        try:
            cursor.execute("BEGIN")
        except BaseException:
            self._lock.release()
            self._lender.give_back(cursor)
            raise
        return cursor

    def _end(self, whole: _Whole, *, commit: bool) -> None:
        """Commit or roll back, and let the next writer in."""
        cursor, whole.cursor = whole.cursor, None
        if cursor is None:
            return
        try:
            if commit:
                number = None if self._numbers is None else self._numbers.take(cursor)
                cursor.execute("COMMIT")
                self.commits += 1
                if self._numbers is not None and number is not None:
                    self._numbers.note(number)
            else:
                with contextlib.suppress(Exception):  # what went wrong before counts
                    cursor.execute("ROLLBACK")
        finally:
            self._lender.give_back(cursor)
            self._lock.release()
