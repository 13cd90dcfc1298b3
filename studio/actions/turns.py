"""Let those who come under one name in one at a time, in this process."""

import contextlib
import threading
from collections.abc import Iterator


class Turns:
    """Whose turn it is, by name. Safe to use from many threads; a turn is not taken again inside of itself."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._changed = threading.Condition()

    @contextlib.contextmanager
    def of(self, name: str) -> Iterator[None]:
        """Wait until nobody else is in such a block under this name."""
        with self._changed:
            self._changed.wait_for(lambda: name not in self._taken)
            self._taken.add(name)
        try:
            yield
        finally:
            with self._changed:
                self._taken.remove(name)
                self._changed.notify_all()
