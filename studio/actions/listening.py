"""What every server of ours shares: a port to listen on, the URL it is reached at, and an orderly stop."""

import asyncio
import errno
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from studio.errors import CannotListen, PortTaken, Stopping

STOPPING = (signal.SIGINT, signal.SIGTERM)
"""The signals that stop a server."""
SIGNAL_EXIT = 128
"""The exit code of a process that a signal ended is this and the signal's number."""
LOOK_EVERY_SECONDS = 0.02
"""How often a closed gate looks whether everybody left."""

EVERYWHERE = frozenset({"0.0.0.0", "::", ""})  # noqa: S104 - recognised, not bound


def free_port(address: str, port: int) -> int:
    """The port itself if it can be listened on, a free one for 0.

    Raises:
        PortTaken: another program listens on the port.
        CannotListen: the system does not allow that address or port.
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((address, port))
            free: int = probe.getsockname()[1]
            return free
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(port) from None
        raise CannotListen(address, port, error.strerror or str(error)) from None


def host_of(address: str) -> str:
    """How a program on this machine reaches the address."""
    if address in EVERYWHERE:
        return "127.0.0.1"
    return f"[{address}]" if ":" in address else address


def url_of(address: str, port: int) -> str:
    """The URL of what listens there."""
    return f"http://{host_of(address)}:{port}/"


class Gate:
    """The way into one server: it counts who is being answered and, once it closes, lets nobody else in. Of one event loop."""

    def __init__(self) -> None:
        self._inside = 0
        self._closed = False

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Whoever is answered in this block is waited for.

        Raises:
            Stopping: the gate is closed.
        """
        if self._closed:
            raise Stopping
        self._inside += 1
        try:
            yield
        finally:
            self._inside -= 1

    def close(self) -> None:
        """Let nobody in any more."""
        self._closed = True

    async def emptied(self, patience_seconds: float) -> bool:
        """Wait until everybody inside was answered; False where somebody was not for so long."""
        until = time.monotonic() + patience_seconds
        while self._inside and time.monotonic() < until:  # noqa: ASYNC110 - waited for once in a server's life
            await asyncio.sleep(LOOK_EVERY_SECONDS)
        await asyncio.sleep(LOOK_EVERY_SECONDS)  # the last answer leaves
        return not self._inside


@contextmanager
def stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` on the first SIGINT or SIGTERM; a second one ends the process at once, which loses nothing that was acknowledged.

    Only the main thread hears signals; a server in another thread is ended through its loop.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    asked: list[int] = []

    def handle(number: int, _: object) -> None:
        if asked:
            os._exit(SIGNAL_EXIT + number)
        asked.append(number)
        stop()

    before = {number: signal.signal(number, handle) for number in STOPPING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
