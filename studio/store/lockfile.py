"""The store's own lock: a file beside it, locked with flock, that names the process which owns the store, and its URL if it serves.

DuckDB's own lock vanishes as soon as any code in this process opens and closes the database file, so ownership must not rest on it.
"""

import contextlib
import errno
import fcntl
import json
import os
import stat
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from studio.errors import StoreDamaged, StoreHeld, StoreServed

IN_MEMORY = ":memory:"
"""A store that lives in this process only, and has no lock; the fake of every test that needs no file."""
LOGS = (".wal", ".wal.checkpoint", ".wal.recovery")
"""What DuckDB lays beside a store's file: its write-ahead log, and where a process was killed in a checkpoint two more."""
TRIES = 10
"""How often a lock is asked for that somebody has, and a lock file is read that is being written."""
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


def acquire(database: Path, *, serves: bool = False) -> IO[str]:
    """Take the store's lock and write this process's id into it; `release` gives it back.

    Args:
        database: the store's file.
        serves: whether this process will serve the store as soon as it listens, so that others wait for that.

    Raises:
        StoreHeld: another process has it; the sentence names its pid.
        StoreServed: and serves it; the sentence names its URL too.
        StoreDamaged: the lock file cannot be written.
    """
    try:
        with contextlib.ExitStack() as undone:
            handle = undone.enter_context(_opened(database, os.O_RDWR | os.O_APPEND | os.O_CREAT))
            if not _locked(handle):
                raise _held(str(database), handle)
            _say(handle, **({"url": None} if serves else {}))
            undone.pop_all()
    except OSError as error:
        raise StoreDamaged(str(database), f"its lock file cannot be written ({error.strerror})") from None
    return handle


def check_free(database: Path) -> None:
    """Refuse to go on where a process owns a store that we only read, and may not lock.

    Raises:
        StoreHeld: it does; the sentence names its pid.
    """
    with contextlib.suppress(OSError), _opened(database, os.O_RDONLY) as handle:
        if not _is_free(handle):
            raise _held(str(database), handle)


def _opened(database: Path, flags: int) -> IO[str]:
    """The lock file, and never what somebody made its name lead to: what is written there would be that file's end.

    Raises:
        OSError: it is not there, is a link or no file, or may not be opened.
    """
    path = lock_path(database)
    if path.is_symlink():
        raise OSError(errno.ELOOP, f"{path} is a symbolic link; remove that")
    number = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise OSError(errno.EINVAL, f"{path} is no file; remove that")
    return os.fdopen(number, "a+" if flags & os.O_RDWR else "r", encoding="utf-8")


def _say(handle: IO[str], **more: object) -> None:
    """Write who owns the store, and what else there is to say."""
    handle.truncate(0)
    handle.write(json.dumps({"pid": os.getpid(), **more}))
    handle.flush()


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
        _say(handle, url=url)
    except OSError as error:
        raise StoreDamaged(str(database), f"what tells others of it cannot be written ({error.strerror})") from None


def withdraw(handle: IO[str], database: Path) -> None:
    """Take the secret and the URL away again; a secret that cannot be removed lets nobody in any more."""
    with contextlib.suppress(OSError):
        _say(handle)  # first, so that nobody finds the URL without the secret
        secret_path(database).unlink(missing_ok=True)


def release(handle: IO[str]) -> None:
    """Give the lock back, also where a forked child still holds the same open file; it names nobody any more."""
    with contextlib.suppress(OSError):
        handle.truncate(0)
    fcntl.flock(handle, fcntl.LOCK_UN)
    handle.close()


@dataclass(frozen=True, slots=True)
class Serving:
    """A process that owns a store and serves it, or is about to."""

    url: str | None
    """Where; None as long as it does not listen yet."""
    secret: str | None
    """What lets this system user's programs in; None where it cannot be read, as by another user."""


def serving(database: Path) -> Serving | None:
    """Who serves a store right now; None where nobody owns it, or its owner serves nobody.

    The lock is tried, so that what a killed process left behind is not believed.
    """
    for _ in range(TRIES):
        try:
            with _opened(database, os.O_RDONLY) as handle:
                said = None if _is_free(handle) else json.loads(handle.read())
        except OSError:
            return None
        except ValueError:
            time.sleep(PAUSE_SECONDS)
            continue
        if not isinstance(said, dict) or not isinstance(said.get("url", ""), str | None):
            return None
        return Serving(said["url"], _read_secret(database)) if "url" in said else None
    return None


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


def _held(database: str, handle: IO[str]) -> StoreHeld:
    """Who holds the lock, in a sentence."""
    handle.seek(0)
    try:
        named = json.loads(handle.read())
        pid, url = named["pid"], named.get("url")
    except (ValueError, KeyError, TypeError, AttributeError):
        return StoreHeld(database, "another process")
    if isinstance(url, str):
        return StoreServed(database, pid, url)
    return StoreHeld(
        database, f"the process {pid}, which does not serve it yet" if "url" in named else f"the process {pid}"
    )
