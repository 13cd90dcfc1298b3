"""Which runs a model is carrying on with right now: those are busy, all else goes on beside them (decision 27).

A driver in the owner's process holds its run for as long as it works. One elsewhere takes a lease and renews it; a driver that died
renews none, and its run is free again a little later.
"""

import contextlib
import secrets
import threading
import time
from collections.abc import Iterator

from studio.errors import RunGenerating

LEASE_SECONDS = 60.0
"""How long a lease lasts that nobody renews."""
HERE = "here"
"""The holder of a run that is driven in this process."""


class RunsDriven:
    """The runs of one open store that are generating; a store belongs to one process, so nobody else drives any."""

    def __init__(self) -> None:
        self._held: dict[str, str] = {}
        self._until: dict[str, float] = {}
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def hold(self, run: str, lease: str | None = None) -> Iterator[None]:
        """Keep others from adding to a run, or driving it, until the block ends.

        Args:
            run: its id.
            lease: what `take` gave, where the caller drives the run already; it is renewed.

        Raises:
            RunGenerating: somebody else holds it.
        """
        if lease is not None:
            self.renew(run, lease)
            yield
            return
        with self._lock:
            self._claim(run, HERE, None)
        try:
            yield
        finally:
            with self._lock:
                self._free(run)

    def here(self) -> tuple[str, ...]:
        """The runs that are driven in this process."""
        with self._lock:
            return tuple(run for run, holder in self._held.items() if holder == HERE)

    def take(self, run: str) -> str:
        """Lease a run to a driver in another process.

        Raises:
            RunGenerating: somebody holds it.
        """
        lease = secrets.token_hex(16)
        with self._lock:
            self._claim(run, lease, LEASE_SECONDS)
        return lease

    def renew(self, run: str, lease: str) -> None:
        """Let a lease last anew.

        Raises:
            RunGenerating: it ran out and somebody else holds the run.
        """
        with self._lock:
            if self._held.get(run) != lease:
                self._claim(run, lease, LEASE_SECONDS)
            self._until[run] = time.monotonic() + LEASE_SECONDS

    def give_back(self, run: str, lease: str) -> None:
        """End a lease; one that is over already stays so."""
        with self._lock:
            if self._held.get(run) == lease:
                self._free(run)

    def _claim(self, run: str, holder: str, seconds: float | None) -> None:
        over = run in self._until and self._until[run] < time.monotonic()
        if run in self._held and not over:
            raise RunGenerating(run)
        self._free(run)
        self._held[run] = holder
        if seconds is not None:
            self._until[run] = time.monotonic() + seconds

    def _free(self, run: str) -> None:
        self._held.pop(run, None)
        self._until.pop(run, None)
