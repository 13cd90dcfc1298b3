"""Copies of a store: made while it is served, read from end to end, put back."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from studio.actions.context import Context
from studio.actions.naming import check_file as check_name
from studio.domain.backups import BackupMade, StoreContents
from studio.domain.checking import Head
from studio.errors import VerifyRunning
from studio.sources.settings import read_settings
from studio.store import backups, checking
from studio.store.checking import Progress
from studio.store.checking_child import check_file
from studio.store.checking_reader import count_rows
from studio.store.lockfile import IN_MEMORY, resolved


def back_up(context: Context, file: Path) -> BackupMade:
    """Copy the open store into a new file, which then opens as a store; other writers wait while the bytes are copied.

    Args:
        context: the open store.
        file: the new file, on the machine of the process that owns the store.

    Raises:
        FileTaken: something is there; nothing is ever written over.
        NothingToRead: its folder does not exist.
        StoreInMemory: the store has no file.
        NoBackup: the disk took no more, or the copy is no good; nothing is left there.
    """
    begun = context.clock()
    return BackupMade(backups.back_up(context.database, file.absolute()), begun)


def verify(
    file: Path,
    *,
    quick: bool = False,
    note_heads: bool = False,
    heads: tuple[Head, ...] = (),
    progress: Progress | None = None,
) -> StoreContents:
    """Read a store that nobody has open, such as a backup, from end to end, check its rows against each other, and change nothing.

    Args:
        file: the store.
        quick: whether to check hashes, sizes and links alone.
        note_heads: whether to give the newest link of every chain.
        heads: links that were noted before, to be found again.
        progress: told how many of how many agents were checked.

    Raises:
        NothingToRead: there is no such file.
        StoreHeld: a process has it open.
        StoreDamaged: it is no store, or a part of it cannot be read.
    """
    contents = backups.read_store(file.absolute())
    found = check_file(file.absolute(), quick=quick, noting=note_heads, noted=heads, progress=progress)
    return replace(contents, checked=found)


def verify_open(
    context: Context, *, quick: bool = False, note_heads: bool = False, heads: tuple[Head, ...] = ()
) -> StoreContents:
    """Check the rows of the open store against each other, in one snapshot of it; one at a time. Takes what `verify` does.

    Raises:
        VerifyRunning: it is being verified already.
    """
    if not context.verifying.acquire(blocking=False):
        raise VerifyRunning(context.database.path)
    try:
        with context.database.read() as cursor:
            rows = count_rows(cursor)
            found = checking.check(cursor, quick=quick, noting=note_heads, noted=heads)
    finally:
        context.verifying.release()
    path = context.database.path
    size = 0 if path == IN_MEMORY else Path(path).stat().st_size
    return replace(StoreContents.of_rows(path, size, rows), checked=found, lost=context.database.lost)


def restore_backup(
    file: Path, database: str | Path | None = None, *, environment: Mapping[str, str] | None = None
) -> StoreContents:
    """Make a store of a backup, which stays as it is. A store that is there is never written over: move it away first.

    Args:
        file: the backup.
        database: the new store's file; else `STUDIO_DB`, else the one in the user's data folder.
        environment: read instead of the process's environment.

    Raises what `verify` and `back_up` do.
    """
    read_from = os.environ if environment is None else environment
    settings = read_settings(read_from, database=None if database is None else str(database))
    target = resolved(Path(check_name(settings.database))).absolute()
    return backups.restore(file.absolute(), target, settings.clock())
