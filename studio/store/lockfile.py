"""The store's own lock: a file beside it, locked with flock, that names the process which owns the store, and its URL if it serves.

DuckDB's own lock vanishes as soon as any code in this process opens and closes the database file, so ownership must not rest on it.
"""

import contextlib
import fcntl
import json
import os
from pathlib import Path
from typing import IO

from studio.errors import StoreDamaged, StoreHeld


def lock_path(database: Path) -> Path:
    """Where the lock of a store lies."""
    return Path(f"{database}.lock")


def secret_path(database: Path) -> Path:
    """Where the secret lies that lets this system user's own programs in, while a process serves the store."""
    return Path(f"{database}.secret")


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


def announce(handle: IO[str], database: Path, url: str, secret: str) -> None:
    """Name in the lock file the URL that this process serves, and lay the secret beside it for this system user only.

    Raises:
        StoreDamaged: one of them cannot be written.
    """
    file = secret_path(database)
    try:
        file.unlink(missing_ok=True)  # left by a process that was killed; whoever may read that one must not read ours
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "w") as written:
            written.write(f"{secret}\n")
        handle.truncate(0)
        handle.write(json.dumps({"pid": os.getpid(), "url": url}))
        handle.flush()
    except OSError as error:
        raise StoreDamaged(str(database), f"what tells others of it cannot be written ({error.strerror})") from None


def withdraw(handle: IO[str], database: Path) -> None:
    """Take the secret and the URL away again; a secret that cannot be removed lets nobody in any more."""
    with contextlib.suppress(OSError):
        secret_path(database).unlink(missing_ok=True)
    handle.truncate(0)
    handle.write(json.dumps({"pid": os.getpid()}))
    handle.flush()


def release(handle: IO[str]) -> None:
    """Give the lock back, also where a forked child still holds the same open file."""
    fcntl.flock(handle, fcntl.LOCK_UN)
    handle.close()


def describe_holder(handle: IO[str]) -> str:
    """Who holds the lock, for a sentence."""
    handle.seek(0)
    try:
        named = json.loads(handle.read())
        pid, url = named["pid"], named.get("url")
    except (ValueError, KeyError, TypeError, AttributeError):
        return "another process"
    return f"the process {pid}" if url is None else f"the process {pid}, which serves it at {url}"
