"""REST as a real server on a real store, asked over real HTTP."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from typing import Any

import httpx
from builders import Clock, open_store
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.netutil import bind_sockets

from studio import Studio
from studio.actions.serving import announced
from studio.api.routes import application_for
from studio.domain.tokens import Role


class Served:
    """A store that is served, and clients of it."""

    def __init__(self, studio: Studio, url: str, file: Path) -> None:
        self.studio = studio
        self.url = url
        self.file = file
        self._secrets: dict[str, str] = {}
        self.secret = Path(f"{file}.secret").read_text(encoding="utf-8").strip()
        self.local = self.client(self.secret)
        """A program of the system user who serves."""

    def client(self, token: str | None = None, **headers: str) -> httpx.Client:
        """A client with this token, or with none."""
        given = {} if token is None else {"Authorization": f"Bearer {token}"}
        return httpx.Client(base_url=self.url, headers={**given, **headers}, timeout=30)

    def holder(self, name: str, role: Role, agent: str | None = None) -> httpx.Client:
        """A client with a token of this name and role."""
        if name not in self._secrets:
            self._secrets[name] = self.studio.tokens.create(name, role, agent=agent)[1]
        return self.client(self._secrets[name])

    def text_path(self, agent: str, file: str = "memory.md") -> str:
        return f"/api/agents/{agent}/files/{file}"

    def etag(self, agent: str, file: str = "memory.md") -> str:
        return self.local.get(self.text_path(agent, file)).headers["ETag"]

    def save(self, agent: str, text: str | bytes, match: str | None = None, **headers: str) -> httpx.Response:
        """PUT a memory over what is live, or over what `match` says."""
        given = {"If-Match": self.etag(agent) if match is None else match, **headers}
        return self.local.put(self.text_path(agent), content=text, headers=given)


@contextmanager
def serving(file: Path, clock: Clock | None = None) -> Iterator[Served]:
    """Serve a store from a thread; its operator is Ana."""
    ready: Queue[Any] = Queue()
    with open_store(file, clock) as studio:

        def target() -> None:
            loop = IOLoop(make_current=True)
            sockets = bind_sockets(0, "127.0.0.1")
            server = HTTPServer(application_for(lambda _: studio))
            server.add_sockets(sockets)
            ready.put((loop, sockets[0].getsockname()[1]))
            loop.start()
            server.stop()
            loop.close(all_fds=True)

        thread = threading.Thread(target=target, daemon=True)
        thread.start()
        loop, port = ready.get(timeout=30)
        url = f"http://127.0.0.1:{port}/"
        with announced(studio, url):
            yield Served(studio, url.rstrip("/"), file)
        loop.add_callback(loop.stop)
        thread.join(10)
