"""What many tests share: an empty store with a clock that the test sets, and the case files where they are at hand."""

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import Clock, blank_store
from cli_shell import Shell
from hypothesis import settings

from studio.actions.studio import Studio

if not os.environ.get("CI"):  # hypothesis has a profile of its own for CI: no deadline, and the same examples each time
    settings.register_profile("person", deadline=None)
    settings.load_profile("person")

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # `pytest &` ignores Ctrl-C, and so would every server that a test stops by it
    signal.signal(signal.SIGINT, signal.default_int_handler)

LONGEST = ("tests/app", "tests/together", "tests/api", "tests/test_house.py")
"""What takes longest, wherever the alphabet has it."""
SHARED = Path(__file__).parents[1].parent / "shared"


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """As many workers as there are cores where all is run; none for what somebody names, which has run before workers are there."""
    return None if config.args_source is pytest.Config.ArgsSource.TESTPATHS else 0


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what takes longest, so that no worker is left alone with it."""

    def place(item: pytest.Item) -> int:
        path = item.path.relative_to(config.rootpath).as_posix()
        return next((rank for rank, start in enumerate(LONGEST) if path.startswith(start)), len(LONGEST))

    items.sort(key=place)


@pytest.fixture
def clock() -> Clock:
    """The time as `studio` sees it; a test sets it and lets it pass."""
    return Clock()


@pytest.fixture
def studio(clock: Clock) -> Iterator[Studio]:
    """An empty store; its operator is Ana."""
    with blank_store(clock) as opened:
        yield opened


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of cases and histories beside the repository."""
    if not SHARED.is_dir():
        pytest.skip(f"the shared histories are not at {SHARED}")
    return SHARED


@pytest.fixture(scope="session")
def made_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with one agent, closed, for tests to copy: making a schema takes longer than most of them."""
    shell = Shell(tmp_path_factory.mktemp("made"))
    shell.done("agents", "create", "scout", "--focus", "Watch.")
    return shell.store


@pytest.fixture
def shell(made_store: Path, tmp_path: Path) -> Shell:
    """The command line and a store with one agent, `scout`, whose memory is empty and whose Task is `Watch.`"""
    opened = Shell(tmp_path)
    shutil.copy(made_store, opened.store)
    return opened
