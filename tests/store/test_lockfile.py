"""The lock file of a store: what lies under its name is written over, so nothing but a file of ours may lie there."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from studio import open_studio
from studio.errors import StoreDamaged
from studio.store import lockfile


def _link(lock: Path) -> None:
    lock.symlink_to(lock.with_name("precious.txt"))


def _link_to_nothing(lock: Path) -> None:
    lock.symlink_to(lock.with_name("not-yet.txt"))


def _pipe(lock: Path) -> None:
    os.mkfifo(lock)


def _folder(lock: Path) -> None:
    lock.mkdir()


@pytest.mark.parametrize("lay", [_link, _link_to_nothing, _pipe, _folder])
def test_what_lies_under_the_lock_s_name_is_neither_followed_nor_written(
    tmp_path: Path, lay: Callable[[Path], None]
) -> None:
    precious, store = tmp_path / "precious.txt", tmp_path / "s.duckdb"
    precious.write_text("mine")
    lay(lockfile.lock_path(store))
    assert lockfile.serving(store) is None
    with pytest.raises(StoreDamaged, match="lock file"):
        open_studio(store)
    assert precious.read_text() == "mine"
    assert not (tmp_path / "not-yet.txt").exists()
    assert not store.exists()


def test_a_served_store_is_not_looked_for_behind_a_link(tmp_path: Path) -> None:
    """Somebody who may write in the folder could else send us to a server of theirs."""
    store, theirs = tmp_path / "s.duckdb", tmp_path / "theirs"
    theirs.write_text('{"pid": 1, "url": "http://127.0.0.1:1/"}')
    lockfile.lock_path(store).symlink_to(theirs)
    with theirs.open() as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        assert lockfile.serving(store) is None


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_told_in_a_sentence_when_the_lock_is_withdrawn(tmp_path: Path) -> None:
    """The end of a server must not fail over a lock that nobody believes once its process is gone."""
    with Path("/dev/full").open("w") as full:
        lockfile.withdraw(full, tmp_path / "s.duckdb")
