"""What many tests share: a store in memory with a clock that the test sets, and the case files where they are at hand."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import Clock, open_store

from studio.actions.studio import Studio

SHARED = Path(__file__).parents[1].parent / "shared"


@pytest.fixture
def clock() -> Clock:
    """The time as `studio` sees it; a test sets it and lets it pass."""
    return Clock()


@pytest.fixture
def studio(clock: Clock) -> Iterator[Studio]:
    """An empty store that lives in memory; its operator is Ana."""
    with open_store(":memory:", clock) as opened:
        yield opened


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of cases and histories beside the repository."""
    if not SHARED.is_dir():
        pytest.skip(f"the shared histories are not at {SHARED}")
    return SHARED
