"""A served store with two agents, `scout` and `desk`: one for each test that writes, one for all that are only refused."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import Clock, open_store
from rest_served import Served, serving


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store, closed, for tests to copy: making a schema takes longer than most of them."""
    file = tmp_path_factory.mktemp("made") / "s.duckdb"
    with open_store(file) as studio:
        studio.create_agent("scout", focus="Watch.")
        studio.create_agent("desk", focus="Sell.")
    return file


@pytest.fixture
def served(made: Path, tmp_path: Path, clock: Clock) -> Iterator[Served]:
    """A store of its own for each test that writes."""
    file = tmp_path / "s.duckdb"
    shutil.copy(made, file)
    with serving(file, clock) as one:
        yield one


@pytest.fixture(scope="session")
def standing(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One store for all tests that write nothing of what others look at."""
    file = tmp_path_factory.mktemp("standing") / "s.duckdb"
    shutil.copy(made, file)
    with serving(file) as one:
        yield one
