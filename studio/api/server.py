"""Serve REST without the app: what `studio api` runs."""

import asyncio
from collections.abc import Callable

from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.web import Application

from studio.actions.listening import free_port, stopped_by_signals, url_of
from studio.actions.serving import announced
from studio.actions.studio import Studio
from studio.api.routes import routes_for


def run(studio: Studio, *, address: str, port: int, on_ready: Callable[[str], None]) -> None:
    """Serve REST on an open store until the process is told to stop (Ctrl-C or SIGTERM).

    Args:
        studio: the open store; closing it is the caller's.
        address: where to listen.
        port: where to listen; 0 takes a free port.
        on_ready: told the URL once the server listens.

    Raises:
        PortTaken: another program listens on the port.
        CannotListen: the system does not allow that address or port.
    """
    asyncio.run(_serve(studio, address, free_port(address, port), on_ready))


async def _serve(studio: Studio, address: str, port: int, on_ready: Callable[[str], None]) -> None:
    stop = asyncio.Event()
    loop = IOLoop.current()
    server = HTTPServer(Application(routes_for(lambda _: studio)))
    url = url_of(address, port)
    with stopped_by_signals(lambda: loop.add_callback_from_signal(stop.set)), announced(studio, url):
        server.listen(port, address)
        on_ready(url)
        await stop.wait()
    server.stop()
    await server.close_all_connections()
