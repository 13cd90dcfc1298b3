"""A disk that takes no more, for every user: the system refuses what makes any file longer, to us and to every program we start."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def room_for(size_bytes: int) -> Iterator[None]:
    """Let no file grow over this size. A program that tries is ended by a signal, as git is; Python is told of an error."""
    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))
