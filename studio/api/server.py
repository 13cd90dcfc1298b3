"""Serve REST without the app: what `studio api` runs."""

import asyncio
from collections.abc import Callable, Collection, Coroutine

from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.netutil import bind_sockets

from studio.actions.listening import SLOW_CLIENTS, Gate, Reach, reach_of, stopped_by_signals, told_why, url_of
from studio.actions.serving import announced, watch, wind_down
from studio.actions.studio import Studio
from studio.api.routes import application_for
from studio.errors import StoreDied


def run(
    studio: Studio, *, address: str, port: int, on_ready: Callable[[str], None], reach: Reach | None = None
) -> bool:
    """Serve REST on an open store until the process is told to stop (Ctrl-C or SIGTERM); what was begun by then is answered.

    Args:
        studio: the open store; closing it is the caller's.
        address: where to listen.
        port: where to listen; 0 takes a free port.
        on_ready: told the URL once the server listens.
        reach: from where it is reached; as the address says without it.

    Returns:
        Whether all that was begun is over; False where a thread still works.

    Raises:
        PortTaken: another program listens on the port.
        CannotListen: the system does not allow that address or port.
        StoreDied: the disk failed under the store.
    """
    names = (reach or reach_of(address)).names
    return asyncio.run(_serve(studio, address, port, on_ready, names))


async def _serve(
    studio: Studio, address: str, port: int, on_ready: Callable[[str], None], names: Collection[str]
) -> bool:
    stop, gate, loop = asyncio.Event(), Gate(), IOLoop.current()
    server = HTTPServer(application_for(lambda _: studio, gate, names), **SLOW_CLIENTS)
    with told_why(address, port):
        sockets = bind_sockets(port, address)
    url = url_of(address, sockets[0].getsockname()[1])
    with stopped_by_signals(lambda: loop.add_callback_from_signal(stop.set)), announced(studio, url):
        server.add_sockets(sockets)
        on_ready(url)
        died = await _first_of(stop, watch(studio))
        server.stop()
        orderly = await wind_down(studio, gate)
    await server.close_all_connections()
    if died is not None:
        raise died
    return orderly


async def _first_of(stop: asyncio.Event, watched: Coroutine[None, None, StoreDied]) -> StoreDied | None:
    """Wait until the server is told to stop, or its store died."""
    told, dying = asyncio.create_task(stop.wait()), asyncio.create_task(watched)
    await asyncio.wait({told, dying}, return_when=asyncio.FIRST_COMPLETED)
    told.cancel()
    if dying.done():
        return dying.result()
    dying.cancel()
    return None
