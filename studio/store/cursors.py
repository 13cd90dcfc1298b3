"""The cursors of one open database: handed out one at a time, each given back, and all of them waited for before it is closed.

DuckDB refuses a connection that another thread is just using: it neither hands out a cursor nor closes then.
"""

import os
import threading

from studio.errors import StoreClosed, StoreForked
from studio.store.transactions import Connection, Cursor

PATIENCE_SECONDS = 5.0
"""How long a close waits for those who read before it interrupts them; a page's reads take milliseconds."""
INTERRUPTED_SECONDS = 5.0
"""How long it waits for them then."""


class Cursors:
    """Who holds a cursor of a connection. Safe to use from many threads."""

    def __init__(self, connection: Connection, path: str) -> None:
        """Take the connection; `path` names the store in sentences."""
        self._connection = connection
        self._path = path
        self._out: list[Cursor] = []
        self._changed = threading.Condition()
        self._closed = False
        self._pid = os.getpid()

    def take(self) -> Cursor:
        """A cursor for one call or one transaction; `give_back` ends it.

        Raises:
            StoreClosed: `end` was called.
            StoreForked: this process is a fork of the one that opened the store.
        """
        if os.getpid() != self._pid:
            raise StoreForked(self._path)
        with self._changed:
            if self._closed:
                raise StoreClosed(self._path)
            cursor = self._connection.cursor()
            self._out.append(cursor)
            return cursor

    def give_back(self, cursor: Cursor) -> None:
        """Close a cursor and let whoever closes the database go on."""
        try:
            cursor.close()
        finally:
            with self._changed:
                self._out = [other for other in self._out if other is not cursor]
                self._changed.notify_all()

    def end(self) -> None:
        """Hand out no more, and wait for what is being read and written.

        What takes long is interrupted after `PATIENCE_SECONDS`, and its caller is told `StoreClosed`.
        """
        with self._changed:
            self._closed = True
            if not self._changed.wait_for(lambda: not self._out, PATIENCE_SECONDS):
                for cursor in self._out:
                    cursor.interrupt()
                self._changed.wait_for(lambda: not self._out, INTERRUPTED_SECONDS)

    def close(self) -> None:
        """Close the database. Nothing, the second time."""
        with self._changed:
            self._connection.close()
