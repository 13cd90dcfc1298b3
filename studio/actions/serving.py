"""Serve a store: tell others where, and under `panel serve` the one store that the page and the API of a process share."""

import asyncio
import atexit
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from studio.actions.listening import LOOK_EVERY_SECONDS, SIGNAL_EXIT, STOPPING, Gate
from studio.actions.open import Opened, open_for_serving
from studio.actions.studio import Studio
from studio.errors import StoreDied, StudioError

PATIENCE_SECONDS = 8.0
"""How long a server that is being stopped waits for what it was asked before, all in all; containers are killed after ten."""
CLOSING_SECONDS = 1.0
"""How long it then waits for its store to be closed, while a thread still writes to it."""
WATCH_EVERY_SECONDS = 1.0
"""How often a server looks whether its store is alive."""

_log = logging.getLogger(__name__)
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


async def wind_down(studio: Studio, gate: Gate) -> bool:
    """Let nobody in any more, stop the runs that models carry on here, and let what was begun be answered.

    Returns:
        Whether all of it was; False where a thread still works, which nobody waits for any longer.
    """
    until = time.monotonic() + PATIENCE_SECONDS
    gate.close()
    stopping = threading.Thread(target=_stop_runs, args=(studio,), daemon=True)  # no event loop waits for it at its end
    stopping.start()
    while stopping.is_alive() and time.monotonic() < until:  # noqa: ASYNC110 - waited for once in a server's life
        await asyncio.sleep(LOOK_EVERY_SECONDS)
    return await gate.emptied(until - time.monotonic()) and not stopping.is_alive()


def _stop_runs(studio: Studio) -> None:
    with suppress(StudioError):  # a store that died has nothing to stop
        studio.stop_runs()


async def watch(studio: Studio) -> StoreDied:
    """Ask the store something every second until it has died under the process, as on a full disk; gives what it then says."""
    while True:
        await asyncio.sleep(WATCH_EVERY_SECONDS)
        try:
            await asyncio.to_thread(studio.check)
        except StoreDied as died:
            return died
        except StudioError:
            pass  # an error that passes, or a store that was closed


def end_unfinished(studio: Studio) -> None:
    """End this process although a thread still works in it, such as one that writes, which nobody waits for any longer.

    A store that cannot be closed meanwhile is left as a killed process leaves it: what was committed is there, the rest is not.
    """
    closing = threading.Thread(target=studio.close, daemon=True)
    closing.start()
    closing.join(CLOSING_SECONDS)
    end_process(0)


def end_process(code: int) -> None:
    """End this process now, whatever its threads still do."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def served(on_making_demo: Callable[[], None] | None = None) -> Opened:
    """The store that a process serves which nobody handed one: opened as the settings say with the first call.

    It is closed with the process.
    """
    with _lock:
        if not _opened:
            _opened.append(open_for_serving(on_making_demo=on_making_demo))
            atexit.register(_opened[0].studio.close)
        return _opened[0]


def served_at(url: str) -> Studio:
    """The store of `served`, announced with the first call: `panel serve` does not tell us earlier where it listens."""
    studio = served().studio
    with _lock:
        if not _announced:
            studio.announce(url)
            _announced.append(url)
    return studio


class ServedGate(Gate):
    """The gate of a server that is not ours, `panel serve`: with the first request it takes the signals over.

    They wait then until all was answered and the store is closed, and stop that server as Ctrl-C does.
    """

    def __init__(self) -> None:
        super().__init__()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: list[asyncio.Task[None]] = []

    @contextmanager
    def inside(self) -> Iterator[None]:
        """See `Gate.inside`."""
        if self._loop is None and threading.current_thread() is threading.main_thread():
            self._loop = asyncio.get_running_loop()
            for number in STOPPING:
                self._loop.add_signal_handler(number, self._told, number)
            self._tasks.append(self._loop.create_task(self._watch()))
        with super().inside():
            yield

    def _told(self, number: int) -> None:
        if self._closed:
            os._exit(SIGNAL_EXIT + number)
        self.close()
        if self._loop is not None:
            self._tasks.append(self._loop.create_task(self._end(self._loop)))

    async def _end(self, loop: asyncio.AbstractEventLoop) -> None:
        orderly = await wind_down(_opened[0].studio, self) if _opened else await self.emptied(PATIENCE_SECONDS)
        for opened in _opened:
            if not orderly:
                end_unfinished(opened.studio)
            opened.studio.close()
        loop.remove_signal_handler(signal.SIGINT)
        loop.call_soon(signal.raise_signal, signal.SIGINT)

    async def _watch(self) -> None:
        while not _opened:  # noqa: ASYNC110 - a worker thread opens it, and has no event to set
            await asyncio.sleep(WATCH_EVERY_SECONDS)
        _log.critical("%s", await watch(_opened[0].studio))
        end_process(1)
