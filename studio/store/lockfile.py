"""The store's own lock: a file beside it, locked with flock, that names the process which owns the store.

DuckDB's own lock vanishes as soon as any code in this process opens and closes the database file, so ownership must not rest on it.
"""

import fcntl
import json
import os
from pathlib import Path
from typing import IO

from studio.errors import StoreDamaged, StoreHeld


def lock_path(database: Path) -> Path:
    """Where the lock of a store lies."""
    return Path(f"{database}.lock")


def acquire(database: Path) -> IO[str]:
    """Take the store's lock and write this process's id into it; `release` gives it back.

    Raises:
        StoreHeld: another process has it; the sentence names its pid.
        StoreDamaged: the lock file cannot be written.
    """
    try:
        handle = lock_path(database).open("a+", encoding="utf-8")
    except OSError as error:
        raise StoreDamaged(str(database), f"its lock file cannot be written ({error.strerror})") from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        holder = describe_holder(handle)
        handle.close()
        raise StoreHeld(str(database), holder) from None
    handle.truncate(0)
    handle.write(json.dumps({"pid": os.getpid()}))
    handle.flush()
    return handle


def release(handle: IO[str]) -> None:
    """Give the lock back, also where a forked child still holds the same open file."""
    fcntl.flock(handle, fcntl.LOCK_UN)
    handle.close()


def describe_holder(handle: IO[str]) -> str:
    """Who holds the lock, for a sentence."""
    handle.seek(0)
    try:
        pid = json.loads(handle.read())["pid"]
    except (ValueError, KeyError, TypeError):
        return "another process"
    return f"the process {pid}"
