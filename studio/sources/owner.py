"""The process that serves a store, as this one reaches it over HTTP: one request and its answer, asked again where that is safe."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import urllib3
from urllib3.exceptions import ConnectTimeoutError, HTTPError, LocationValueError, ReadTimeoutError, SSLError

from studio.errors import BadArgument, NotAdmitted, OwnerFailed, OwnerGone, OwnerSilent, Stopping, StoreClosed

PATIENCE_SECONDS = 15.0
"""How long an owner that does not answer is asked again: as long as a restart takes."""
FIRST_PAUSE_SECONDS = 0.05
LONGEST_PAUSE_SECONDS = 1.0
CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 300.0
"""How long one answer may take; the longest is that to an import."""
CONNECTIONS = 8
"""How many stay open between requests."""
HTTP_UNAUTHORISED = 401
HTTP_UNAVAILABLE = 503
OURS = ("application/json", "application/problem+json")
"""The media types that Prompt Studio answers a call with."""
STOPPING = (Stopping.__name__, StoreClosed.__name__)
"""What an owner says that takes no request any more."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a store is served, and what lets us in."""

    url: str
    """The server's URL, with or without a slash at its end."""
    bearer: str | None
    """The secret beside the lock file, or a token."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """What else each request says."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the owner answered."""

    status: int
    """The HTTP status."""
    body: bytes
    """JSON."""


@dataclass(slots=True)
class _Request:
    """A request until it is answered."""

    path: str
    body: bytes
    headers: Mapping[str, str]
    writes: bool
    begun: bool = False
    """Whether it may have reached the owner, although no answer came."""


class _Again(Exception):
    """The request can be sent again; `error` is what to say when patience ends."""

    def __init__(self, error: OwnerGone | NotAdmitted) -> None:
        super().__init__(str(error))
        self.error = error


class Connection:
    """A way to one owner; safe to use from many threads.

    Args:
        where: names the store in sentences.
        find: gives the owner's address, anew after each failure, since a restarted owner has another.
        patience_seconds: how long to ask again.
    """

    def __init__(self, where: str, find: Callable[[], Address], patience_seconds: float = PATIENCE_SECONDS) -> None:
        self.where = where
        self._find = find
        self.patience_seconds = patience_seconds
        self._address: Address | None = None
        self._pools: dict[int, urllib3.PoolManager] = {}

    def post(self, path: str, body: bytes, *, headers: Mapping[str, str], writes: bool) -> Reply:
        """Send a request that may reach the owner more than once, and give its answer.

        Args:
            path: below the URL.
            body: JSON.
            headers: what it says beside the sign-in; a write's key, by which it is carried out once.
            writes: whether it changes something, so that it matters whether it was carried out.

        Raises:
            OwnerGone: nobody answers, for as long as our patience lasts.
            OwnerSilent: nobody answers any more, and the owner may have carried the write out.
            NotAdmitted: it lets nobody in with our token.
            OwnerFailed: what answers is not Prompt Studio.
            BadArgument: the URL is none.
        """
        request = _Request(path, body, headers, writes)
        try:
            return self._once(request)
        except _Again as again:
            if self.patience_seconds <= 0:
                raise self._given_up(request, again) from None
        return self._patiently(request)

    def close(self) -> None:
        """Close every connection of this process."""
        self._pool().clear()

    def _pool(self) -> urllib3.PoolManager:
        """The open connections of this process: a forked one shares none with its parent, or they would read each other's answers."""
        pid = os.getpid()
        if pid not in self._pools:
            timeout = urllib3.Timeout(connect=CONNECT_SECONDS, read=ANSWER_SECONDS)
            self._pools[pid] = urllib3.PoolManager(maxsize=CONNECTIONS, retries=False, timeout=timeout)
        return self._pools[pid]

    def _patiently(self, request: _Request) -> Reply:
        import tenacity  # noqa: PLC0415 - only where something went wrong

        asking = tenacity.Retrying(
            retry=tenacity.retry_if_exception_type(_Again),
            stop=tenacity.stop_after_delay(self.patience_seconds),
            wait=tenacity.wait_random_exponential(FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS),
            reraise=True,
        )
        try:
            return asking(self._once, request)
        except _Again as again:
            raise self._given_up(request, again) from None

    def _given_up(self, request: _Request, again: _Again) -> OwnerGone | OwnerSilent | NotAdmitted:
        """What to say in the end."""
        return OwnerSilent(self.where) if request.begun and request.writes else again.error

    def _once(self, request: _Request) -> Reply:
        address = self._found()
        said = {"Content-Type": "application/json", **address.headers, **request.headers}
        if address.bearer is not None:
            said["Authorization"] = f"Bearer {address.bearer}"
        url = address.url.rstrip("/") + request.path
        try:
            answer = self._pool().request("POST", url, body=request.body, headers=said, redirect=False)
        except (LocationValueError, UnicodeError):
            raise BadArgument(f"{self.where!r} is no URL; it looks like http://127.0.0.1:5006.") from None
        except (HTTPError, OSError) as error:
            self._address = None
            raise self._lost(request, error) from None
        return self._judged(answer, address)

    def _found(self) -> Address:
        """The address at hand, or the one there is now."""
        if self._address is None:
            try:
                self._address = self._find()
            except OwnerGone as error:
                raise _Again(error) from None
        return self._address

    def _judged(self, answer: urllib3.BaseHTTPResponse, address: Address) -> Reply:
        """The answer, if it is one of ours to a request that was let in and taken."""
        kind = answer.headers.get("Content-Type", "").partition(";")[0].strip()
        if answer.status == HTTP_UNAUTHORISED and kind in OURS:
            self._address = None
            if self._found().bearer != address.bearer:
                raise _Again(NotAdmitted(self.where))  # the owner was restarted and has another secret
            raise NotAdmitted(self.where)
        if answer.status == HTTP_UNAVAILABLE and answer.headers.get("Retry-After") and _restarts(kind, answer.data):
            self._address = None
            raise _Again(OwnerGone(self.where, "it is stopping"))
        if kind not in OURS:
            raise OwnerFailed(self.where, f"HTTP {answer.status} with {kind or 'no type'}")
        return Reply(answer.status, answer.data)

    def _lost(self, request: _Request, error: Exception) -> Exception:
        """Tell what a broken connection means."""
        if isinstance(error, SSLError):
            return OwnerFailed(self.where, f"no encryption that we trust ({error})")
        if isinstance(error, ConnectTimeoutError):
            return _Again(OwnerGone(self.where, "nothing listens there"))
        if isinstance(error, ReadTimeoutError):
            return (
                OwnerSilent(self.where)
                if request.writes
                else OwnerGone(self.where, "no answer came; perhaps it speaks another protocol")
            )
        request.begun = True
        return _Again(OwnerGone(self.where, "the connection broke"))


def _restarts(kind: str, body: bytes) -> bool:
    """Whether a 503 says that the owner, or what stands before it, takes requests again soon; a full disk, say, is an answer."""
    try:
        return kind not in OURS or json.loads(body).get("code") in STOPPING
    except (ValueError, AttributeError):
        return False
