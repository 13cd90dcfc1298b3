"""Copy a store while it is written to, read a copy from end to end, and put one back. All of it in a child process: see `copying`."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from studio.domain.backups import StoreContents
from studio.errors import (
    FileTaken,
    NoBackup,
    NotAStore,
    NothingToRead,
    StoreDamaged,
    StoreHeld,
    StoreInMemory,
    StoreNewer,
)
from studio.store.acknowledged import Standing, find_loss, note_path
from studio.store.database import Database, open_database
from studio.store.lockfile import IN_MEMORY, LOGS

_PROGRAM = Path(__file__).with_name("copying.py")


def back_up(database: Database, target: Path) -> StoreContents:
    """Copy an open store into a new file, which then opens as a store.

    Writers wait while the bytes are copied, and for nothing else. The copy comes to be under a name of its own and takes the target's
    when it is whole, so that a process killed on the way leaves nothing there.

    Args:
        database: the open store.
        target: the new file, an absolute path.

    Raises:
        FileTaken: something is at the target.
        NothingToRead: the target's folder does not exist.
        StoreInMemory: the store has no file.
        NoBackup: the disk took no more, or the copy is no good.
    """
    if database.path == IN_MEMORY:
        raise StoreInMemory
    return _copied(Path(database.path), target, database.standstill())


def read_store(file: Path) -> StoreContents:
    """Read a store that nobody has open from end to end, and change nothing.

    Raises:
        NothingToRead: there is no such file.
        StoreHeld: a process has it open.
        StoreDamaged: it is no store, or a part of it cannot be read.
    """
    if not file.is_file():
        raise NothingToRead(str(file), "there is no such file")
    with _child("read", str(file)) as child:
        said = json.loads(_hear(child) or "{}")
    if "conflicting lock" in said.get("wrong", "").lower():
        raise StoreHeld(str(file), "a process that has it open")
    if "rows" not in said:
        raise StoreDamaged(str(file), said.get("wrong", "reading it was cut off").rstrip("."))
    if "schema_migrations" not in said["rows"]:
        raise StoreDamaged(str(file), "it holds none of our tables")
    held = _contents(file, said)
    found = Standing(said["store"], held.newest_change)
    return replace(held, lost=find_loss(file, found) if held.newest_change else None)


def _contents(file: Path, said: Mapping[str, Any]) -> StoreContents:
    """What a file holds, as the child said."""
    held = StoreContents.of_rows(str(file), file.stat().st_size, said["rows"])
    return replace(held, newest_change=int(said.get("newest") or 0))


def restore(file: Path, target: Path, now: datetime) -> StoreContents:
    """Make a new store of a backup, which stays as it is; it gets its name once a copy of it was opened and written to as a store is.

    Args:
        file: the backup.
        target: the new store.
        now: the time of that trial (UTC).

    Raises:
        StudioError: what `read_store`, `back_up` and `open_database` raise.
    """
    read_store(file)
    return _copied(file, target, nullcontext(), partial(_try, source=file, target=target, now=now))


def _try(made: Path, source: Path, target: Path, now: datetime) -> None:
    """Open a copy of what was made as a store, its schema brought up to date, and write to it; a child goes first, since it may die.

    Raises:
        NoBackup: it cannot be opened or written.
    """
    scratch = made.with_name("trial.duckdb")
    try:
        shutil.copy2(made, scratch)
        with _child("try", str(scratch)) as child:
            _answered(_hear(child), source, target)
        with closing(open_database(scratch, now)) as database, database.tx() as cursor:
            cursor.execute("UPDATE schema_migrations SET name = name")
    except OSError as error:
        raise NoBackup(str(target), error.strerror or str(error)) from None
    except (NotAStore, StoreNewer, StoreDamaged) as error:
        said = error.message.replace(str(scratch), str(source)).rstrip(".")
        raise NoBackup(str(target), f"it would not open as a store: {said}") from None


def _copied(
    source: Path, target: Path, standstill: AbstractContextManager[None], check: Callable[[Path], None] | None = None
) -> StoreContents:
    """The target, made of the source while nobody writes to it, once it passed a check."""
    with _making(target) as making:
        with _child("copy", str(source), str(making)) as child:  # it starts before anybody waits
            with standstill:
                answer = _asked(child)
            if answer == "copied":
                answer = _hear(child)
        said = _answered(answer, source, target)
        if check is not None:
            check(making)
        _put(making, target)
    return _contents(target, said)


def _check_name(target: Path) -> None:
    """Refuse a name that no file can have, such as one that is too long.

    Raises:
        NoBackup: the system does not take it.
    """
    try:
        target.lstat()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as error:
        raise NoBackup(str(target), error.strerror or str(error)) from None
    except ValueError as error:  # NUL, or what is no text
        raise NoBackup(repr(str(target)), str(error)) from None


@contextmanager
def _making(target: Path) -> Iterator[Path]:
    """Where the copy comes to be: beside the target, in a folder that only this user reads and that goes away again."""
    _check_name(target)
    if not target.parent.is_dir():
        raise NothingToRead(str(target), f"the folder {target.parent} does not exist; make it first")
    for taken in (target, *(Path(f"{target}{log}") for log in LOGS)):
        if taken.exists() or taken.is_symlink():
            raise FileTaken(str(taken))
    try:
        folder = TemporaryDirectory(prefix=".backup-", dir=target.parent)
    except OSError as error:
        raise NoBackup(str(target), error.strerror or str(error)) from None
    with folder as name:
        yield Path(name) / target.name


def _put(making: Path, target: Path) -> None:
    """Give the copy its name, unless somebody took that meanwhile; what was noted of a store that was there is not about this one."""
    note_path(target).unlink(missing_ok=True)
    try:
        os.link(making, target)
    except FileExistsError:
        raise FileTaken(str(target)) from None
    except OSError:  # a file system without links
        if target.exists():
            raise FileTaken(str(target)) from None
        shutil.move(making, target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextmanager
def _child(*words: str) -> Iterator["subprocess.Popen[str]"]:
    """The program of `copying`; it is ended with the block, whatever happens in it."""
    command = [sys.executable, "-P", str(_PROGRAM), *words]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8") as child:
        try:
            yield child
        finally:
            child.kill()
            if child.stdin is not None:
                with suppress(OSError):  # what a child that died unasked never read
                    child.stdin.close()


def _asked(child: "subprocess.Popen[str]") -> str:
    """Let the child begin, and its first answer."""
    with suppress(OSError):  # where it is gone already, the answer is empty
        if child.stdin is not None:
            child.stdin.write("\n")
            child.stdin.flush()
    return _hear(child)


def _hear(child: "subprocess.Popen[str]") -> str:
    """The next line that the child says; empty where it was cut off."""
    return child.stdout.readline().strip() if child.stdout is not None else ""


def _answered(answer: str, source: Path, target: Path) -> Mapping[str, Any]:
    """What the child said of the copy, or why there is none."""
    said: Mapping[str, Any] = json.loads(answer or "{}")
    if "rows" not in said:
        raise NoBackup(str(target), f"{source}: {said.get('wrong', 'copying was cut off').rstrip('.')}")
    return said
