"""Serve a store: tell others where, and under `panel serve` the one store that the page and the API of a process share."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from studio.actions.open import Opened, open_for_serving
from studio.actions.studio import Studio

_lock = threading.Lock()
_opened: list[Opened] = []
_announced: list[str] = []


@contextmanager
def announced(studio: Studio, url: str) -> Iterator[None]:
    """Say beside the store that it is served at a URL, for as long as the block lasts."""
    studio.announce(url)
    try:
        yield
    finally:
        studio.withdraw()


def served(on_making_demo: Callable[[], None] | None = None) -> Opened:
    """The store that a process serves which nobody handed one: opened as the settings say, with the first call."""
    with _lock:
        if not _opened:
            _opened.append(open_for_serving(on_making_demo=on_making_demo))
        return _opened[0]


def served_at(url: str) -> Studio:
    """The store of `served`, announced with the first call: `panel serve` does not tell us earlier where it listens."""
    studio = served().studio
    with _lock:
        if not _announced:
            studio.announce(url)
            _announced.append(url)
    return studio
