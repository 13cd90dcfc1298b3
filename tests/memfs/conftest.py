"""What tests of repositories on disk share."""

import subprocess

import pytest


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The commands of the processes that are started while a test runs, which are real ones."""
    commands: list[object] = []

    class Counting(subprocess.Popen[bytes]):
        def __init__(self, command: object, *rest: object, **more: object) -> None:
            commands.append(command)
            super().__init__(command, *rest, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "Popen", Counting)
    return commands
