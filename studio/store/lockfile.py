"""The store's own lock: a file beside it, locked with flock, that names the process which owns the store, and its URL if it serves.

DuckDB's own lock vanishes as soon as any code in this process opens and closes the database file, so ownership must not rest on it.
"""

import contextlib
import fcntl
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from studio.errors import StoreDamaged, StoreHeld

IN_MEMORY = ":memory:"
"""A store that lives in this process only, and has no lock; the fake of every test that needs no file."""
TRIES = 3
"""How often a lock is asked for that somebody has."""
PAUSE_SECONDS = 0.005


def resolved(database: Path) -> Path:
    """The file itself: its lock lies beside it, whatever names link to it."""
    return database.resolve() if database.is_symlink() else database


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
    if not _locked(handle):
        holder = describe_holder(handle)
        handle.close()
        raise StoreHeld(str(database), holder) from None
    handle.truncate(0)
    handle.write(json.dumps({"pid": os.getpid()}))
    handle.flush()
    return handle


def _locked(handle: IO[str]) -> bool:
    """Whether the lock is ours now; tried a few times, since somebody who only looks (`serving`) has it for a moment."""
    for _ in range(TRIES):
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        time.sleep(PAUSE_SECONDS)
    return False


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


@dataclass(frozen=True, slots=True)
class Serving:
    """A process that owns a store and serves it."""

    url: str
    """Where."""
    secret: str | None
    """What lets this system user's programs in; None where it cannot be read, as by another user."""


def serving(database: Path) -> Serving | None:
    """Who serves a store right now; None where nobody owns it, or its owner serves nobody.

    The lock is tried, so that what a killed process left behind is not believed.
    """
    try:
        with lock_path(database).open(encoding="utf-8") as handle:
            if _is_free(handle):
                return None
            url = json.loads(handle.read()).get("url")
    except (OSError, ValueError, AttributeError):
        return None
    return None if not isinstance(url, str) else Serving(url, _read_secret(database))


def _is_free(handle: IO[str]) -> bool:
    """Whether nobody holds the lock; taken and given back at once, for which `acquire` has patience."""
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return False
    fcntl.flock(handle, fcntl.LOCK_UN)
    return True


def _read_secret(database: Path) -> str | None:
    try:
        with os.fdopen(os.open(secret_path(database), os.O_RDONLY | os.O_NOFOLLOW)) as handle:
            return handle.read().strip() or None
    except OSError:
        return None


def describe_holder(handle: IO[str]) -> str:
    """Who holds the lock, for a sentence."""
    handle.seek(0)
    try:
        named = json.loads(handle.read())
        pid, url = named["pid"], named.get("url")
    except (ValueError, KeyError, TypeError, AttributeError):
        return "another process"
    return f"the process {pid}" if url is None else f"the process {pid}, which serves it at {url}"
