"""A price service on this machine that answers as a test says."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from studio.domain.prices import Coin, Login

COINS = (Coin("bitcoin", "btc", "Bitcoin"), Coin("ethereum", "eth", "Ether"))
PRICED = {
    "ethereum": {"usd": 2500, "usd_24h_change": -2.9999, "last_updated_at": 1_789_344_000},
    "bitcoin": {"usd": 64000.5, "usd_24h_change": 1.23456, "last_updated_at": 1_789_344_000},
}
Answer = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    """Answers as the test at hand says, and keeps what it was asked."""

    server: "Server"

    def do_GET(self) -> None:
        self.server.asked.append((self.path, dict(self.headers)))
        self.server.answer(self)

    def log_message(self, *_: Any) -> None:
        """Say nothing on standard error."""

    def send(self, body: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Server(ThreadingHTTPServer):
    """A price service."""

    daemon_threads = True
    answer: Answer
    asked: list[tuple[str, dict[str, str]]]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is what some tests are about."""

    def login(self, secret: str | None = None) -> Login:
        return Login("market", base_url=f"http://127.0.0.1:{self.server_port}/api/v3", secret_name=secret, pinned=COINS)


@contextmanager
def serving(answer: Answer) -> Iterator[Server]:
    server = Server(("127.0.0.1", 0), Handler)
    server.answer, server.asked = answer, []
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def sends(value: object, status: int = 200) -> Answer:
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    return lambda handler: handler.send(body, status)
