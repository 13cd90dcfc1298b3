"""Copies of a store: made while it is served, read from end to end, put back."""

import os
from collections.abc import Mapping
from pathlib import Path

from studio.actions.context import Context
from studio.actions.naming import check_file
from studio.domain.backups import BackupMade, StoreContents
from studio.sources.settings import read_settings
from studio.store import backups
from studio.store.lockfile import resolved


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


def verify(file: Path) -> StoreContents:
    """Read a store that nobody has open, such as a backup, from end to end, and change nothing.

    Raises:
        NothingToRead: there is no such file.
        StoreHeld: a process has it open.
        StoreDamaged: it is no store, or a part of it cannot be read.
    """
    return backups.read_store(file.absolute())


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
    target = resolved(Path(check_file(settings.database))).absolute()
    return backups.restore(file.absolute(), target, settings.clock())
