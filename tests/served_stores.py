"""A store at home and one through its owner, made to give the same answers: the same clock, the same ids, the same operator."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from queue import Queue
from typing import Any

from builders import Clock, blank_file, open_store
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.netutil import bind_sockets
from tornado.web import Application

from studio import open_studio
from studio.actions.serving import announced
from studio.actions.studio import Studio
from studio.api import routes_for

OPERATOR = "Ana"


def counted_ids() -> Callable[[str], str]:
    """Ids that come in order: `a_1`, `r_2`."""
    numbers = count(1)
    return lambda prefix: f"{prefix}_{next(numbers)}"


@contextmanager
def at_home(folder: Path, clock: Clock | None = None) -> Iterator[Studio]:
    """A fresh store that this process owns."""
    with open_store(blank_file(folder), clock, operator=OPERATOR) as studio:
        studio._context = replace(studio._context, ids=counted_ids())
        yield studio


class Door:
    """One server in a thread, which serves one store after another: starting a server takes longer than most tests."""

    def __init__(self, url: str, current: list[Studio]) -> None:
        self.url = url
        self._current = current

    @contextmanager
    def serving(self, owner: Studio) -> Iterator[None]:
        """Serve this store while the block lasts."""
        self._current[:] = [owner]
        with announced(owner, self.url):
            yield

    @contextmanager
    def through_owner(self, folder: Path, clock: Clock | None = None) -> Iterator[Studio]:
        """A fresh store that is owned here and used as another process of the same system user does."""
        with (
            at_home(folder, clock) as owner,
            self.serving(owner),
            open_studio(owner.path, operator=OPERATOR, environment={}) as studio,
        ):
            yield studio


@contextmanager
def open_door() -> Iterator[Door]:
    """The server, until the block ends."""
    ready: Queue[Any] = Queue()
    current: list[Studio] = []

    def serve() -> None:
        loop = IOLoop(make_current=True)
        sockets = bind_sockets(0, "127.0.0.1")
        server = HTTPServer(Application(routes_for(lambda _: current[0])))
        server.add_sockets(sockets)
        ready.put((loop, sockets[0].getsockname()[1]))
        loop.start()
        server.stop()
        loop.close(all_fds=True)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    loop, port = ready.get(timeout=30)
    yield Door(f"http://127.0.0.1:{port}/", current)
    loop.add_callback(loop.stop)
    thread.join(10)
