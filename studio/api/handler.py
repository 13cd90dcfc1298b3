"""The one request handler: judges who asks and what for, lets a thread do the work, and says what became of it."""

import asyncio
import hashlib
import ipaddress
import logging
import re
import secrets
from collections.abc import Awaitable, Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tornado.httputil import HTTPServerRequest
from tornado.web import Application, HTTPError, RequestHandler, stream_request_body

from studio.actions.listening import Gate, own_address
from studio.actions.studio import Studio
from studio.api import judging, metrics, repeats
from studio.api.operations import BODY_LIMIT_BYTES, Answer, Guarding, Operation
from studio.api.problems import CONTENT_TYPE, Problem, as_json, problem_of
from studio.errors import Damaged, Stale, StudioError

OpenStore = Callable[[str], Studio]
"""Gives the open store, told at which URL it is served."""
DROPPED_LIMIT_BYTES = 2**30
"""How large a body may be that is read and dropped, so that whoever sends it hears why; beyond that the connection ends."""
WORKERS = 8
"""Threads that wait for the store; the event loop never does. As many again write, so that writers in a row keep no reader waiting."""
DRIVERS = 16
"""Threads that wait for models, apart from those, so that a slow model holds nobody else up."""
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
"""A client's own request id that is taken over."""
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")

_workers = ThreadPoolExecutor(WORKERS, thread_name_prefix="studio-api")
_writers = ThreadPoolExecutor(WORKERS, thread_name_prefix="studio-write")
_drivers = ThreadPoolExecutor(DRIVERS, thread_name_prefix="studio-drive")
_log = logging.getLogger(__name__)


@stream_request_body
class Endpoint(RequestHandler):
    """Answers every method of one route."""

    SUPPORTED_METHODS = METHODS

    def __init__(self, application: Application, request: HTTPServerRequest, **given: Any) -> None:  # noqa: ANN401
        self._chunks: list[bytes] = []
        self._received_bytes = 0
        self._keeps = True
        self._all_read = False
        given_id = request.headers.get("X-Request-Id", "")
        self._request_id = given_id if REQUEST_ID.fullmatch(given_id) else secrets.token_hex(8)
        super().__init__(application, request, **given)

    def initialize(
        self, path: str, operations: Mapping[str, Operation], store: OpenStore, gate: Gate, names: Collection[str]
    ) -> None:
        """Take what the route says."""
        self._gate = gate
        self._names = names
        self._path = path
        self._operations = operations
        self._store = store

    def set_default_headers(self) -> None:
        """What every answer bears: it is for the one who asked, is what it says, and has an id."""
        self.clear_header("Server")
        self.set_header("Cache-Control", "no-store")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("X-Request-Id", self._request_id)

    def compute_etag(self) -> None:
        """No ETag but that of a text, which `_answer` sets."""

    def check_xsrf_cookie(self) -> None:
        """Nothing here trusts a cookie, so none can be misused."""

    async def prepare(self) -> None:
        """Say, before the body comes, how much of it is read, and whether a large one is kept: not for strangers."""
        self.request.connection.set_max_body_size(DROPPED_LIMIT_BYTES)  # type: ignore[union-attr]
        length = self.request.headers.get("Content-Length", "0")
        if "Transfer-Encoding" in self.request.headers or len(length) > 5:  # noqa: PLR2004 - 100,000 bytes and more
            self._keeps = await asyncio.get_running_loop().run_in_executor(_workers, self._is_known)

    def _is_known(self) -> bool:
        operation = self._operations.get(self.request.method or "")
        try:
            return operation is not None and judging.is_known(operation, self.request.headers, self._store(self._url()))
        except StudioError:
            return False  # said when the request is carried out

    def data_received(self, chunk: bytes) -> Awaitable[None] | None:
        """Keep what comes, up to the limit; the rest is read and dropped, so that the client hears why."""
        self._received_bytes += len(chunk)
        if self._keeps and self._received_bytes <= self._limit_bytes:
            self._chunks.append(chunk)
        return None

    async def _carry_out(self, **named: str) -> None:
        asked = self.request
        method = "GET" if asked.method == "HEAD" else asked.method or ""
        judging.check_site(asked.headers, self._own_address(), self._names)
        if method == "OPTIONS" and self._operations:
            self._answer(Answer(status=204, headers={"Allow": self._allowed}))
            return
        operation = self._operations.get(method)
        if operation is None:
            raise Problem(405, f"{self._path} does not take {asked.method}.", Allow=self._allowed)
        if self._received_bytes > self._limit_bytes:
            raise Problem(413, f"The body is over {self._limit_bytes} bytes; nothing was written.")
        body = b"".join(self._chunks)
        request = judging.Request(operation, method, asked.uri or "", asked.headers, asked.query_arguments, body, named)
        pool = _drivers if operation.long else _writers if operation.takes_key(method) else _workers
        self._answer(await asyncio.get_running_loop().run_in_executor(pool, self._work, request))

    @property
    def _allowed(self) -> str:
        """The methods that this path takes."""
        heads = ("HEAD",) if "GET" in self._operations else ()
        return ", ".join((*self._operations, *heads, "OPTIONS"))

    @property
    def _limit_bytes(self) -> int:
        """How large the body may be."""
        operation = self._operations.get(self.request.method or "")
        return BODY_LIMIT_BYTES if operation is None else operation.limit_bytes

    def _work(self, request: judging.Request) -> Answer:
        """What takes time, in a thread of its own."""
        studio = self._store(self._url())
        if not self._keeps and judging.is_known(
            request.operation, request.headers, studio
        ):  # let in since; its body is gone
            raise Problem(503, "The store could not say who sent this when it came; send it again.", Retry_After="1")
        return repeats.carry_out(request, judging.judged(request, studio))

    async def get(self, **named: str) -> None:
        """Carry out what the table says; the other methods likewise."""
        self._all_read = True
        with self._gate.inside():
            await self._carry_out(**named)

    head = post = put = patch = delete = options = get

    def _answer(self, answer: Answer) -> None:
        self.set_status(answer.status)
        for name, value in answer.headers.items():
            self.set_header(name, value)
        if answer.etag is not None:
            self.set_header("ETag", f'"{answer.etag}"')
        if self.request.method in ("GET", "HEAD") and answer.is_the_text and self.check_etag_header():
            self.set_status(304)
            self.finish()
            return
        if answer.status != 204:  # noqa: PLR2004 - no content
            self.set_header("Content-Type", answer.content_type)
        self.finish(answer.body or None)  # Tornado takes not even an empty body with 204

    def _hang_up(self) -> None:
        self.set_header("Connection", "close")

    def write_error(self, status_code: int, **given: Any) -> None:  # noqa: ANN401 - as Tornado has it
        """Say what went wrong as problem+json, whoever found it."""
        if not self._all_read:
            self._hang_up()  # Tornado does, as with a path that is no text, and the client is to know
        problem = self._problem(status_code, (given.get("exc_info") or (None, None, None))[1])
        for name, value in problem.headers.items():
            self.set_header(name, value)
        self.set_status(problem.status)
        self.set_header("Content-Type", CONTENT_TYPE)
        self.finish(as_json(problem.record(self._request_id)))

    def _problem(self, status: int, error: object) -> Problem:
        """What an error is answered with."""
        if isinstance(error, Problem):
            return error
        if isinstance(error, StudioError):
            operation = self._operations.get(self.request.method or "")
            guarded = operation is not None and operation.guarding is not Guarding.NONE and isinstance(error, Stale)
            match = judging.matched(self.request.headers.get("If-Match")) if guarded else None
            return problem_of(error, match, whole=operation is not None and operation.whole_errors)
        if isinstance(error, HTTPError):
            return Problem(status, f"{self._reason}.")
        says = f"A fault of ours stopped this request; the server's log names it {self._request_id}."
        return Problem(status, says, kind="fault")

    def log_exception(self, *found: Any) -> None:  # noqa: ANN401 - as Tornado has it
        """Keep a trace of our own faults and of damage; a refusal is no news."""
        error = found[1]
        if isinstance(error, Problem | HTTPError) or (
            isinstance(error, StudioError) and not isinstance(error, Damaged)
        ):
            return
        _log.error("Request %s to %s failed", self._request_id, self._path, exc_info=found)

    def on_finish(self) -> None:
        """Count the request."""
        method = self.request.method if self.request.method in METHODS else "other"
        metrics.count(self._path, method or "", self.get_status(), self.request.request_time())

    def _own_address(self) -> tuple[str, int]:
        """Where this server listens, as the connection itself says; a header could say anything."""
        return own_address(self.request.connection) or ("127.0.0.1", 0)

    def _url(self) -> str:
        host, port = self._own_address()
        return f"http://{f'[{host}]' if ipaddress.ip_address(host).version == 6 else host}:{port}/"  # noqa: PLR2004


def etag_of(content: bytes) -> str:
    """The ETag of a content: its sha256, as texts have it (decision 37)."""
    return hashlib.sha256(content).hexdigest()
