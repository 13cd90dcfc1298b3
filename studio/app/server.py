"""Serve the app: what `studio serve` runs."""

import socket
import webbrowser
from collections.abc import Callable, Sequence
from typing import Any

import panel as pn
from tornado.ioloop import IOLoop

from studio.actions.listening import EVERYWHERE, free_port, host_of, stopped_by_signals, url_of
from studio.actions.serving import announced
from studio.actions.studio import Studio
from studio.app.page import TITLE, build
from studio.app.process import prepare


def run(
    studio: Studio,
    *,
    address: str,
    port: int,
    open_browser: bool,
    demo: bool,
    on_ready: Callable[[str], None],
    routes: Sequence[tuple[Any, ...]] = (),
) -> None:
    """Serve the app on an open store until the process is told to stop (Ctrl-C or SIGTERM).

    Args:
        studio: the open store; closing it is the caller's.
        address: where to listen, `127.0.0.1` for this machine only.
        port: where to listen; 0 takes a free port.
        open_browser: whether to open the page in the system's browser.
        demo: whether the store is the demo, which the page then says.
        on_ready: told the page's URL once the server listens.
        routes: what else the server answers, as Tornado routes.

    Raises:
        PortTaken: another program listens on the port.
        CannotListen: the system does not allow that address or port.
    """
    chosen = free_port(address, port)
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
        extra_patterns=list(routes),
    )
    url, loop = url_of(address, chosen), server.io_loop
    with stopped_by_signals(lambda: _stop(loop)), announced(studio, url):
        server.start()
        on_ready(url)
        if open_browser:
            webbrowser.open(url)
        loop.start()
    server.stop()


def _stop(loop: IOLoop) -> None:
    """End the loop, from within a signal."""
    loop.add_callback_from_signal(loop.stop)


def _origins(address: str, port: int) -> list[str]:
    """Which pages may open the websocket: those that this server itself served."""
    if address in EVERYWHERE:
        return [
            f"{name}:{port}"
            for name in dict.fromkeys(["127.0.0.1", "localhost", socket.gethostname(), socket.getfqdn()])
        ]
    names = ["127.0.0.1", "localhost"] if address in ("127.0.0.1", "localhost") else [host_of(address)]
    return [f"{name}:{port}" for name in names]
