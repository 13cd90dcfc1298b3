"""Which runs a model is carrying on with right now: those are busy, all else goes on beside them (decision 27).

A driver in the owner's process holds its run for as long as it works. One elsewhere takes a lease and renews it; a driver that died
renews none, and its run is free again a little later. The store keeps the lease, so that its driver, and nobody else who comes with
one, goes on when the owner was started again.
"""

import contextlib
import secrets
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

from studio.errors import LeaseLost, RunGenerating
from studio.store import leases
from studio.store.database import Database

LEASE_SECONDS = 60.0
"""How long a lease lasts that nobody renews."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who carries a run on."""

    lease: str | None
    """What the driver was given; None for one in this process."""
    until: float
    """On the clock of `time.monotonic`, when the run is free again."""


class RunsDriven:
    """The runs of one open store that are generating; a store belongs to one process, so nobody else drives any."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[str, Holder] | None = None
        self._lock = threading.Lock()

    @property
    def _holders(self) -> dict[str, Holder]:
        """Who holds what, asked for under the lock; at first those whose leases the store kept."""
        if self._known is None:
            with self._database.read() as cursor:
                self._known = {run: _leased(lease) for run, lease in leases.given(cursor).items()}
        return self._known

    @contextlib.contextmanager
    def hold(self, run: str, lease: str | None = None) -> Iterator[None]:
        """Keep others from adding to a run, or driving it, until the block ends.

        Args:
            run: its id.
            lease: what `take` gave, where the caller drives the run already; it is renewed.

        Raises:
            RunGenerating: somebody else holds it.
            LeaseLost: the lease is not the run's any more.
        """
        if lease is not None:
            self.renew(run, lease)
            yield
            return
        with self._lock:
            before = self._claim(run, Holder(None, float("inf")))
        try:
            if before is not None:
                self._forget(run)
            yield
        finally:
            with self._lock:
                del self._holders[run]

    def here(self) -> tuple[str, ...]:
        """The runs that are driven in this process."""
        with self._lock:
            return tuple(run for run, holder in (self._known or {}).items() if holder.lease is None)

    @contextlib.contextmanager
    def take(self, run: str) -> Iterator[str]:
        """Lease a run to a driver in another process, unless the block, which stores the lease, fails.

        Raises:
            RunGenerating: somebody holds it.
        """
        lease = secrets.token_hex(16)
        with self._lock:
            self._claim(run, _leased(lease))
        try:
            yield lease
        except BaseException:
            with self._lock:
                if self._has(run, lease):
                    del self._holders[run]
            raise

    def renew(self, run: str, lease: str) -> None:
        """Let a lease last anew, also one that ran out while nobody else came.

        Raises:
            LeaseLost: it is not the run's any more: another driver has it, or it was given back.
        """
        with self._lock:
            if not self._has(run, lease):
                raise LeaseLost(run)
            self._holders[run] = _leased(lease)

    def give_back(self, run: str, lease: str) -> None:
        """End a lease; one that is over already stays so."""
        with self._lock:
            if not self._has(run, lease):
                return
            del self._holders[run]
        self._forget(run)

    def _has(self, run: str, lease: str) -> bool:
        holder = self._holders.get(run)
        return holder is not None and holder.lease == lease

    def _claim(self, run: str, holder: Holder) -> Holder | None:
        """Let somebody hold a run; gives whose lease of it ran out."""
        before = self._holders.get(run)
        if before is not None and before.until >= time.monotonic():
            raise RunGenerating(run)
        self._holders[run] = holder
        return before

    def _forget(self, run: str) -> None:
        """Take a lease out of the store; not under the lock, since another may be writing."""
        with self._database.tx() as cursor:
            leases.delete(cursor, run)


def _leased(lease: str) -> Holder:
    """The holder of a lease that was given or renewed just now."""
    return Holder(lease, time.monotonic() + LEASE_SECONDS)
