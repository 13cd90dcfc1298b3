"""An open store as somebody sees it who signed in: nothing of it is read or written any more once they may no longer come in."""

import contextlib
from collections.abc import Callable, Iterator

from studio.domain.backups import LostChanges
from studio.errors import SignedOut, ViewersRead
from studio.store.database import Database
from studio.store.transactions import Cursor


class VisitedDatabase(Database):
    """An owner's database for one visitor. It belongs to the owner: it opens, locks and closes nothing."""

    def __init__(self, owner: Database, name: str, admitted: Callable[[Cursor], bool], *, may_write: bool) -> None:
        """Take the owner's database.

        Args:
            owner: the open store.
            name: the visitor's name, for sentences.
            admitted: whether the visitor may still come in, asked of the store whenever something was written to it.
            may_write: whether the visitor may write.
        """
        self.path = owner.path
        self.may_write = may_write and owner.may_write
        self.keeps = owner.keeps
        self._owner = owner
        self._name = name
        self._admitted = admitted
        self._asked_at = -1

    @contextlib.contextmanager
    def read(self) -> Iterator[Cursor]:
        """See `Database.read`.

        Raises:
            SignedOut: the visitor may no longer come in.
        """
        self._ask()
        with self._owner.read() as cursor:
            yield cursor

    @contextlib.contextmanager
    def tx(self) -> Iterator[Cursor]:
        """See `Database.tx`.

        Raises:
            SignedOut: the visitor may no longer come in.
            ViewersRead: the visitor only reads.
        """
        self.ask_to_write()
        with self._owner.tx() as cursor:
            yield cursor

    def own_tx(self) -> contextlib.AbstractContextManager[Cursor]:
        """See `Database.own_tx`; a viewer's reading does that too."""
        self._ask()
        return self._owner.tx()

    @contextlib.contextmanager
    def whole(self) -> Iterator[None]:
        """See `Database.whole`; raises what `tx` does."""
        self.ask_to_write()
        with self._owner.whole():
            yield

    @contextlib.contextmanager
    def standstill(self) -> Iterator[None]:
        """See `Database.standstill`; raises what `tx` does."""
        self.ask_to_write()
        with self._owner.standstill():
            yield

    @property
    def commits(self) -> int:
        """See `Database.commits`."""
        return self._owner.commits

    @property
    def lost(self) -> LostChanges | None:
        """See `Database.lost`."""
        return self._owner.lost

    def announce(self, url: str, secret: str) -> None:
        """Nothing: that is the owner's."""

    def withdraw(self) -> None:
        """Nothing: that is the owner's."""

    def check(self) -> None:
        """See `Database.check`: of the owner's store, also for one who only reads."""
        self._ask()
        self._owner.check()

    def close(self) -> None:
        """Nothing: that is the owner's."""

    def _ask(self) -> None:
        """Ask again whether the visitor may come in, if anything was written since."""
        now = self._owner.commits
        if now == self._asked_at:
            return
        with self._owner.read() as cursor:
            admitted = self._admitted(cursor)
        if not admitted:
            raise SignedOut(self._name)
        self._asked_at = now

    def ask_to_write(self) -> None:
        """Refuse a write.

        Raises:
            SignedOut: the visitor may no longer come in.
            ViewersRead: the visitor only reads.
        """
        self._ask()
        self._owner.ask_to_write()
        if not self.may_write:
            raise ViewersRead(self._name)
