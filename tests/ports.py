"""Ports for servers that must be told one, as they are started again on it or cannot say which they took.

Where a server can take a free port itself (port 0) a test lets it.
"""

import itertools
import os
import socket

FIRST, LAST = 20_000, 32_000
"""Below the ports that systems lend to whoever asks for any, so that nobody is lent one between the look and the start."""
_ports = itertools.count(os.getpid() * 7)


def unused_port() -> int:
    """A port of this machine on which nobody listens, another one with each call and in each process."""
    for number in _ports:
        port = FIRST + number % (LAST - FIRST)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
    raise AssertionError
