"""A shell with an agent in its store."""

import shutil
from pathlib import Path

import pytest
from cli_shell import Shell


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with one agent, closed, for tests to copy: making a schema takes longer than most of them."""
    shell = Shell(tmp_path_factory.mktemp("made"))
    shell.done("agents", "create", "scout", "--focus", "Watch.")
    return shell.store


@pytest.fixture
def shell(made: Path, tmp_path: Path) -> Shell:
    """The command line and a store with one agent, `scout`, whose memory is empty and whose Task is `Watch.`"""
    opened = Shell(tmp_path)
    shutil.copy(made, opened.store)
    return opened
