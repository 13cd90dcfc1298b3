"""Whether the store is well, told to whoever watches: that it takes writes, and that it lacks nothing it had acknowledged."""

import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from builders import blank_file, open_store, overwrite
from full_disk import room_for
from rest_served import Served, serving

from studio import open_studio
from studio.errors import StoreFull
from studio.store import places
from studio.store.acknowledged import note_path


def gauges(served: Served) -> dict[str, str]:
    lines = served.local.get("/metrics").text.splitlines()
    return dict(line.split() for line in lines if line.startswith("studio_store_"))


def well(served: Served) -> bool:
    """Whether both doors say so; they agree."""
    answer = served.client().get("/health")
    said = answer.status_code == 200
    assert gauges(served)["studio_store_takes_writes"] == str(int(said))
    assert str(served.file) not in answer.text
    return said


@contextmanager
def no_room_anywhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    class Full:
        def __init__(self, **_: object) -> None:
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(places, "TemporaryFile", Full)
        yield


@contextmanager
def no_right_to_write(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patched:
        patched.setattr(places, "why_not_written", lambda _: "its file may not be written here")
        yield


@pytest.mark.parametrize(
    ("spoil", "says"), [(no_room_anywhere, "its disk is full"), (no_right_to_write, "its file may only be read")]
)
def test_health_says_before_anybody_wrote_that_no_write_would_be_taken(
    served: Served,
    monkeypatch: pytest.MonkeyPatch,
    spoil: Callable[[pytest.MonkeyPatch], AbstractContextManager[None]],
    says: str,
) -> None:
    assert well(served)
    left = sorted(served.file.parent.iterdir())
    with spoil(monkeypatch):
        answer = served.client().get("/health")
        assert answer.status_code == 503
        assert says in answer.json()["detail"]
        assert not well(served)
    assert well(served)
    assert sorted(served.file.parent.iterdir()) == left


def test_health_says_that_the_last_write_was_refused_until_one_is_taken(served: Served) -> None:
    """A disk on which a small file finds room, and the log of the store none."""
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        overwrite(served.studio, "scout", "a log of some size\n" * 20_000)
        size_bytes = Path(f"{served.file}.wal").stat().st_size
        assert size_bytes > places.ROOM_BYTES
        with room_for(size_bytes):
            assert well(served)  # for all that anybody knows
            with pytest.raises(StoreFull):
                overwrite(served.studio, "scout", "refused")
            for _ in range(2):
                assert not well(served)
        assert well(served)
    finally:
        signal.signal(signal.SIGXFSZ, before)
    overwrite(served.studio, "scout", "taken again\n")
    assert well(served)


def test_a_probe_writes_nothing_while_writes_are_taken(served: Served) -> None:
    overwrite(served.studio, "scout", "x")
    commits, note = served.studio.commits, note_path(served.file).read_bytes()
    for _ in range(3):
        assert well(served)
    assert (served.studio.commits, note_path(served.file).read_bytes()) == (commits, note)


def test_a_store_that_lacks_changes_says_so_at_every_door(tmp_path: Path) -> None:
    file = blank_file(tmp_path)
    with open_store(file) as studio:
        studio.create_agent("scout")
    older = shutil.copy(file, tmp_path / "older.duckdb")
    with open_store(file) as studio:
        for number in range(3):
            overwrite(studio, "scout", str(number))
    shutil.copy(older, file)
    with serving(file) as served:
        lost = served.client().get("/health").json()["lost"]
        assert lost["noted"] - lost["found"] == 3
        assert served.local.get("/api/store").json()["lost"] == lost
        with open_studio(file) as through_its_owner:
            assert through_its_owner.lost == served.studio.lost is not None
        assert gauges(served)["studio_store_missing_changes"] == "3"
        assert well(served)


def test_a_store_that_lacks_nothing_says_that_too(served: Served) -> None:
    assert served.client().get("/health").json() == {"status": "ok"}
    assert served.local.get("/api/store").json()["lost"] is None
    assert gauges(served)["studio_store_missing_changes"] == "0"
