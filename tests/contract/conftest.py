"""One suite for both: `studio` is a store at home, then the same through its owner."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import Clock
from served_stores import Door, at_home, open_door

from studio.actions.studio import Studio


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    """A real server on a real port."""
    with open_door() as one:
        yield one


@pytest.fixture(params=["at home", "through its owner"])
def studio(request: pytest.FixtureRequest, door: Door, tmp_path: Path, clock: Clock) -> Iterator[Studio]:
    """A fresh store; its operator is Ana."""
    opening = at_home if request.param == "at home" else door.through_owner
    with opening(tmp_path, clock) as one:
        yield one
