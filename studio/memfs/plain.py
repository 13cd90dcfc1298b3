"""Read a file of a repository's owner that git or we keep by name, without waiting for what is no file."""

import os
import stat
from pathlib import Path

MOST_BYTES = 1 << 20
"""How much of such a file is read: a hook, or a few shas."""


def read_plain(path: Path) -> bytes | None:
    """The content of a regular file, links followed; None where none is there, but perhaps a folder or a named pipe."""
    try:
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return None
    with os.fdopen(number, "rb") as file:
        return file.read(MOST_BYTES) if stat.S_ISREG(os.fstat(number).st_mode) else None
