"""Serve the app: what `studio serve` runs."""

import logging
import webbrowser
from collections.abc import Callable, Sequence
from typing import Any

import panel as pn
from tornado.ioloop import IOLoop

from studio.actions.listening import (
    SLOW_CLIENTS,
    Gate,
    Reach,
    free_port,
    host_of,
    reach_of,
    stopped_by_signals,
    told_why,
    url_of,
)
from studio.actions.serving import announced, watch, wind_down
from studio.actions.studio import Studio
from studio.app.document import build
from studio.app.doorkeeper import HIDDEN_FROM_PAGES, Doorkeeper
from studio.app.page import TITLE
from studio.app.process import prepare
from studio.errors import StoreDied


def run(
    studio: Studio,
    *,
    address: str,
    port: int,
    open_browser: bool,
    demo: bool,
    on_ready: Callable[[str], None],
    routes: Sequence[tuple[Any, ...]] = (),
    gate: Gate | None = None,
    reach: Reach | None = None,
) -> bool:
    """Serve the app on an open store until the process is told to stop (Ctrl-C or SIGTERM); what was begun by then is answered.

    Args:
        studio: the open store; closing it is the caller's.
        address: where to listen, `127.0.0.1` for this machine only.
        port: where to listen; 0 takes a free port.
        open_browser: whether to open the page in the system's browser.
        demo: whether the store is the demo, which the page then says.
        on_ready: told the page's URL once the server listens.
        routes: what else the server answers, as Tornado routes.
        gate: the one that those routes go through.
        reach: from where it is reached; as the address says without it.

    Returns:
        Whether all that was begun is over; False where a thread still works.

    Raises:
        PortTaken: another program listens on the port.
        CannotListen: the system does not allow that address or port.
        StoreDied: the disk failed under the store.
    """
    chosen = free_port(address, port)
    reach = reach or reach_of(address)
    keeper = Doorkeeper(studio, reach)
    prepare()
    with told_why(address, chosen):  # another program may have come since
        server = pn.serve(  # type: ignore[no-untyped-call]
            {"/": lambda: build(keeper.studio_here, demo=demo, signs_in=reach.sign_in)},
            port=chosen,
            address=address or None,
            websocket_origin=_origins(address, chosen, reach),
            auth_provider=keeper,
            title=TITLE,
            show=False,
            start=False,
            verbose=False,
            warm=True,
            extra_patterns=list(routes),
            http_server_kwargs=SLOW_CLIENTS,
            **HIDDEN_FROM_PAGES,
        )
    url, loop = url_of(address, chosen), server.io_loop
    ending = _Ending(studio, gate or Gate(), loop)
    with stopped_by_signals(lambda: loop.add_callback_from_signal(ending.begin)), announced(studio, url):
        server.start()
        on_ready(url)
        if open_browser:
            webbrowser.open(url)
        loop.add_callback(ending.watch)
        loop.start()
    server.stop()
    if ending.died is not None:
        raise ending.died
    return ending.orderly


class _Ending:
    """How a server comes to its end: it is told to stop, or its store dies."""

    def __init__(self, studio: Studio, gate: Gate, loop: IOLoop) -> None:
        self._studio = studio
        self._gate = gate
        self._loop = loop
        self.orderly = True
        """Whether all that was begun is over."""
        self.died: StoreDied | None = None
        """What the store says that has died."""

    async def begin(self) -> None:
        """Let what was begun be answered, then stop the loop."""
        self.orderly = await wind_down(self._studio, self._gate)
        self._loop.stop()

    async def watch(self) -> None:
        """Begin once the store has died."""
        self.died = await watch(self._studio)
        await self.begin()


def _origins(address: str, port: int, reach: Reach) -> list[str]:
    """Which pages may open the websocket, as far as Bokeh is told; the doorkeeper lets only those in that this server itself served."""
    if reach.sign_in or ":" in address:  # any name may lead here, and Bokeh cannot be told an address of version 6
        logging.getLogger("bokeh.server.util").setLevel(logging.ERROR)  # it warns of what the doorkeeper does
        return ["*"]
    names = ["127.0.0.1", "localhost"] if address in ("127.0.0.1", "localhost") else [host_of(address)]
    return [f"{name}:{port}" for name in names]
