"""Serve the app: what `studio serve` runs."""

import errno
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import panel as pn
from tornado.ioloop import IOLoop

from studio.actions.studio import Studio
from studio.app.page import TITLE, build
from studio.app.process import prepare
from studio.errors import CannotListen, PortTaken

EVERYWHERE = frozenset({"0.0.0.0", "::", ""})  # noqa: S104 - recognised, not bound


def run(
    studio: Studio, *, address: str, port: int, open_browser: bool, demo: bool, on_ready: Callable[[str], None]
) -> None:
    """Serve the app on an open store until the process is told to stop (Ctrl-C or SIGTERM).

    Args:
        studio: the open store; closing it is the caller's.
        address: where to listen, `127.0.0.1` for this machine only.
        port: where to listen; 0 takes a free port.
        open_browser: whether to open the page in the system's browser.
        demo: whether the store is the demo, which the page then says.
        on_ready: told the page's URL once the server listens.

    Raises:
        PortTaken: another program listens on the port.
        CannotListen: the system does not allow that address or port.
    """
    chosen = _port(address, port)
    prepare()
    server = pn.serve(  # type: ignore[no-untyped-call]
        {"/": lambda: build(studio, demo=demo)},
        port=chosen,
        address=address or None,
        websocket_origin=_origins(address, chosen),
        title=TITLE,
        show=False,
        start=False,
        verbose=False,
        warm=True,
    )
    url = f"http://{_host(address)}:{chosen}/"
    with _stopped_by_signals(server.io_loop):
        server.start()
        on_ready(url)
        if open_browser:
            webbrowser.open(url)
        server.io_loop.start()
    server.stop()


def _port(address: str, port: int) -> int:
    """The port itself if it can be listened on, a free one for 0."""
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


def _host(address: str) -> str:
    """How a browser on this machine reaches the address."""
    if address in EVERYWHERE:
        return "127.0.0.1"
    return f"[{address}]" if ":" in address else address


def _origins(address: str, port: int) -> list[str]:
    """Which pages may open the websocket: those that this server itself served."""
    if address in EVERYWHERE:
        return [
            f"{name}:{port}"
            for name in dict.fromkeys(["127.0.0.1", "localhost", socket.gethostname(), socket.getfqdn()])
        ]
    names = ["127.0.0.1", "localhost"] if address in ("127.0.0.1", "localhost") else [_host(address)]
    return [f"{name}:{port}" for name in names]


@contextmanager
def _stopped_by_signals(loop: IOLoop) -> Iterator[None]:
    """Let SIGINT and SIGTERM end the loop, so that the store is closed in order.

    Only the main thread hears signals; a server in another thread is ended through its loop.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        loop.add_callback_from_signal(loop.stop)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
