"""What every server of ours shares: a port to listen on, the URL it is reached at, and an orderly stop."""

import asyncio
import errno
import ipaddress
import os
import re
import signal
import socket
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from studio.errors import BadHost, CannotListen, PortTaken, Stopping

_HOST = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[^:\[\]]+))(?::[0-9]+)?")
_HOST_NAME = re.compile(r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*")
"""A name as browsers send it: lower case, and letters beyond ASCII as `xn--…`."""
_IN_A_URL = re.compile(r"(?:[a-z]+:)?(?://)?(?:[^/?#]*@)?(?P<name>[^/?#@:]*)")
"""The name in what somebody copied from a browser's address bar."""
STOPPING = (signal.SIGINT, signal.SIGTERM)
"""The signals that stop a server."""
SIGNAL_EXIT = 128
"""The exit code of a process that a signal ended is this and the signal's number."""
LOOK_EVERY_SECONDS = 0.02
"""How often a closed gate looks whether everybody left."""
LAST_SECONDS = 9.5
"""After how long a server that was told to stop ends as by a second signal, where even its event loop waits for something."""

SLOW_CLIENTS = {"idle_connection_timeout": 60.0, "body_timeout": 300.0}
"""Seconds that a server waits for the next request of a connection, and for all of a body; whoever is slower is let go, so that
connections held open by one client do not shut the others out."""
EVERYWHERE = frozenset({"0.0.0.0", "::", ""})  # noqa: S104 - recognised, not bound


@contextmanager
def told_why(address: str, port: int) -> Iterator[None]:
    """Say in our words why it cannot be listened there, from whatever in the block tries to.

    Raises:
        PortTaken: another program listens on the port.
        CannotListen: the system does not allow that address or port.
    """
    try:
        yield
    except OSError as error:
        if error.filename is not None:  # of a file, not of a socket
            raise
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(port) from None
        raise CannotListen(address, port, error.strerror or str(error)) from None


def free_port(address: str, port: int) -> int:
    """The port itself if it can be listened on, a free one for 0; for a server that must know it before it listens.

    Raises what `told_why` does.
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with told_why(address, port), socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((address, port))
        free: int = probe.getsockname()[1]
        return free


def host_of(address: str) -> str:
    """How a program on this machine reaches the address."""
    if address in EVERYWHERE:
        return "127.0.0.1"
    return f"[{address}]" if ":" in address else address


def url_of(address: str, port: int) -> str:
    """The URL of what listens there."""
    return f"http://{host_of(address)}:{port}/"


@dataclass(frozen=True, slots=True)
class Reach:
    """From where a server is reached."""

    names: tuple[str, ...]
    """The names that a browser may use for it, beside `localhost` and its own addresses."""
    sign_in: bool
    """Whether people must sign in: others than this machine's can reach it, directly or through a proxy."""


def reach_of(address: str, hosts: Sequence[str] = ()) -> Reach:
    """From where a server is reached that listens on an address.

    Args:
        address: where it listens.
        hosts: names that people reach it by, such as that of a proxy before it; naming one means that it is reached by others.

    Raises:
        BadHost: one of them is no name, so that whoever uses it would be refused.
    """
    if hosts:
        return Reach(tuple(host_name(host) for host in hosts), sign_in=True)
    if is_loopback(address):
        return Reach((), sign_in=False)
    return Reach(tuple(dict.fromkeys((socket.gethostname().lower(), socket.getfqdn().lower()))), sign_in=True)


def host_name(given: str) -> str:
    """A name as the `Host` header has it, without a port and brackets.

    Raises:
        BadHost: it is none, such as a URL.
    """
    name = given.strip().lower()
    with suppress(ValueError):
        return str(ipaddress.ip_address(name[1:-1] if name.startswith("[") and name.endswith("]") else name))
    if _HOST_NAME.fullmatch(name):
        return name
    found = _IN_A_URL.match(name)
    meant = found["name"].strip(".") if found is not None else ""
    raise BadHost(given, meant if _HOST_NAME.fullmatch(meant) else None)


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return address == "localhost" or ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def is_own_host(host: str, own_address: str, names: Collection[str] = ()) -> bool:
    """Whether a `Host` header names this server; a foreign one is the mark of DNS rebinding, a name of theirs that points here.

    Args:
        host: the header, with or without a port.
        own_address: the address at which the connection arrived, since nobody can point an address elsewhere.
        names: the other names of this server, in lower case.
    """
    found = _HOST.fullmatch(host)
    if found is None:
        return False
    name = (found["six"] or found["name"]).lower()
    if name == "localhost" or name in names:
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or address == ipaddress.ip_address(own_address)


def own_address(connection: object) -> tuple[str, int] | None:
    """Where this server listens, as the connection itself says; None where that was handed on, as a websocket's is."""
    listening = getattr(getattr(connection, "stream", None), "socket", None)
    if listening is None:
        return None
    name = listening.getsockname()
    return str(name[0]).partition("%")[0], int(name[1])


class Gate:
    """The way into one server: it counts who is being answered and, once it closes, lets nobody else in. Of one event loop."""

    def __init__(self) -> None:
        self._inside = 0
        self._closed = False

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Whoever is answered in this block is waited for.

        Raises:
            Stopping: the gate is closed.
        """
        if self._closed:
            raise Stopping
        self._inside += 1
        try:
            yield
        finally:
            self._inside -= 1

    def close(self) -> None:
        """Let nobody in any more."""
        self._closed = True

    async def emptied(self, patience_seconds: float) -> bool:
        """Wait until everybody inside was answered; False where somebody was not for so long."""
        until = time.monotonic() + patience_seconds
        while self._inside and time.monotonic() < until:  # noqa: ASYNC110 - waited for once in a server's life
            await asyncio.sleep(LOOK_EVERY_SECONDS)
        await asyncio.sleep(LOOK_EVERY_SECONDS)  # the last answer leaves
        return not self._inside


@contextmanager
def stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` on the first SIGINT or SIGTERM; a second one ends the process at once, which loses nothing that was acknowledged.

    So does time, where the block has not ended `LAST_SECONDS` later: a page that saves behind a long write keeps its event loop from
    hearing anything. Only the main thread hears signals; a server in another thread is ended through its loop.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    asked: list[threading.Timer] = []

    def handle(number: int, _: object) -> None:
        if asked:
            os._exit(SIGNAL_EXIT + number)
        asked.append(threading.Timer(LAST_SECONDS, os._exit, (SIGNAL_EXIT + number,)))
        asked[0].daemon = True
        asked[0].start()
        stop()

    before = {number: signal.signal(number, handle) for number in STOPPING}
    try:
        yield
    finally:
        for timer in asked:
            timer.cancel()
        for number, handler in before.items():
            signal.signal(number, handler)
