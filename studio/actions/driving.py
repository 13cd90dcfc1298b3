"""Which runs a model is carrying on with right now: those are busy, all else goes on beside them (decision 27)."""

import contextlib
import threading
from collections.abc import Iterator

from studio.errors import RunGenerating


class RunsDriven:
    """The runs of one open store that are generating; a store belongs to one process, so nobody else drives any."""

    def __init__(self) -> None:
        self._runs: set[str] = set()
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def hold(self, run: str) -> Iterator[None]:
        """Keep others from adding to a run, or driving it, until the block ends.

        Raises:
            RunGenerating: somebody holds it already.
        """
        with self._lock:
            if run in self._runs:
                raise RunGenerating(run)
            self._runs.add(run)
        try:
            yield
        finally:
            with self._lock:
                self._runs.discard(run)
