"""What every server of ours shares: a port to listen on, the URL it is reached at, and an orderly stop."""

import errno
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from studio.errors import CannotListen, PortTaken

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


@contextmanager
def stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` on SIGINT and SIGTERM, so that the store is closed in order.

    Only the main thread hears signals; a server in another thread is ended through its loop.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handle(*_: object) -> None:
        stop()

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
