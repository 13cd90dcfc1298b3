"""Where a store lies: what may be there, whether it can be written, and what else lies beside it. Nothing here opens a database."""

import errno
import os
from difflib import get_close_matches
from pathlib import Path
from tempfile import TemporaryFile

from studio.errors import NoStore, NotAStore, NothingToRead, StoreDamaged, StoreFull, StoreReadOnly

SUFFIX = ".duckdb"
"""How the files of stores are usually named."""
MOST_NAMES = 3
"""How many files are named that somebody may have meant."""
ROOM_BYTES = 64 * 1024
"""What a store is asked to have room for."""
FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""How the system says that a disk takes no more."""
LIKENESS = 0.5
"""How alike their names are at least, of 1."""


def check_place(file: Path) -> None:
    """Refuse what DuckDB would take and spoil.

    Raises:
        NotAStore: it is no DuckDB file.
        StoreDamaged: it cannot be read, or its write-ahead log lies there without it.
        NothingToRead: its folder does not exist.
    """
    if not file.parent.is_dir():
        raise NothingToRead(str(file), f"the folder {file.parent} does not exist; make it first")
    if file.is_dir():
        raise NotAStore(str(file), "it is a folder")
    if file.exists() and not file.is_file():
        raise NotAStore(str(file), "it is a device or a pipe")  # which opening would replace by a file
    if is_missing(file) and Path(f"{file}.wal").exists():
        raise StoreDamaged(str(file), "it is missing or empty but its write-ahead log is there")
    if not is_missing(file) and _header(file)[8:12] != b"DUCK":
        raise NotAStore(str(file), "it is no DuckDB file")


def check_there(file: Path) -> None:
    """Refuse to read a store that nobody made; reading makes none.

    Raises:
        NoStore: there is none, with the files beside it that may be meant.
    """
    if is_missing(file) and not file.is_dir() and not Path(f"{file}.wal").exists():
        raise NoStore(str(file), near(file))


def is_missing(file: Path) -> bool:
    """Whether there is nothing to read, and opening would make a store."""
    try:
        return file.stat().st_size == 0 and file.is_file()
    except OSError:
        return True


def near(file: Path) -> tuple[str, ...]:
    """The files beside it whose names are like that of a store, or that of this one, most alike first."""
    try:
        there = [one for one in file.parent.iterdir() if one.suffix in {SUFFIX, file.suffix} and not is_missing(one)]
    except OSError:
        return ()
    by_name = {one.stem.lower(): str(one) for one in sorted(there)}
    alike = get_close_matches(file.stem.lower(), by_name, MOST_NAMES, LIKENESS)
    return tuple(by_name[name] for name in alike)


def why_not_written(file: Path) -> str | None:
    """Why a store that is there cannot be written by us; None where it can."""
    if is_missing(file):
        return None
    if not os.access(file, os.W_OK):
        return "its file may not be written here"
    if not os.access(file.parent, os.W_OK | os.X_OK):
        return f"nothing may be written in its folder {file.parent}"
    return None


def check_room(file: Path) -> None:
    """See that a write would find room: some bytes are laid beside the store, in a file without a name, and are gone again.

    Raises:
        StoreReadOnly: nothing may be written there.
        StoreFull: the disk takes no more.
        StoreDamaged: it fails in another way.
    """
    why = why_not_written(file)
    if why is not None:
        raise StoreReadOnly(str(file), why)
    try:
        with TemporaryFile(dir=file.parent) as handle:
            handle.write(bytes(ROOM_BYTES))
    except OSError as error:
        if error.errno in FULL:
            raise StoreFull(str(file)) from None
        raise StoreDamaged(str(file), error.strerror or str(error)) from None


def _header(file: Path) -> bytes:
    """The first bytes, read before DuckDB opens the file, so that no lock of its is lost."""
    try:
        with file.open("rb") as handle:
            return handle.read(12)
    except OSError as error:
        raise StoreDamaged(str(file), str(error.strerror)) from None
