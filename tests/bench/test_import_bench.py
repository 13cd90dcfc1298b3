"""Reading a history against git's own walk over it, in one run (issue: at most 3 times `git log -p --numstat`, plus 2 s).

Writing the rows to the store is measured elsewhere; this is what is read, attributed and counted.
"""

import os
import random
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from studio.domain.history import count_rows
from studio.imports.git_history import read_git_history

VERSIONS = 150
MOST_BYTES = 100_000
ALLOWED_TIMES = 3
ALLOWED_SECONDS = 2


def texts() -> list[bytes]:
    """A memory that grows to its full size and is rewritten here and there with every version."""
    dice = random.Random(150)
    lines = [b"- fact %d: %s" % (number, b"word " * dice.randint(4, 20)) for number in range(400)]
    made = []
    for _ in range(VERSIONS):
        for _ in range(10):
            lines[dice.randrange(len(lines))] = b"- rewritten %d" % dice.randint(0, 99)
        lines.extend(b"- new %d: %s" % (dice.randint(0, 9), b"word " * dice.randint(4, 20)) for _ in range(8))
        made.append(b"\n".join(lines)[:MOST_BYTES] + b"\n")
    return made


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bench") / "repository"
    stream = []
    for number, text in enumerate(texts()):
        stream.append(b"commit refs/heads/main\ncommitter Ana <ana@example.org> %d +0000\n" % (1_700_000_000 + number))
        stream.append(b"data 1\nx\nM 100644 inline memory.md\ndata %d\n%s\n" % (len(text), text))
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main", str(folder)], check=True)
    command = ["git", "-C", str(folder), "fast-import", "--quiet"]
    subprocess.run(command, input=b"".join(stream), check=True)
    return folder


def best_of(times: int, work: Callable[[], object]) -> float:
    """Seconds of the quickest of several runs."""

    def once() -> float:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    return min(once() for _ in range(times))


def test_reading_and_counting_keeps_up_with_git(repository: Path) -> None:
    command = ["git", "-C", str(repository), "log", "-p", "--numstat", "--", "memory.md"]
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull}
    git = best_of(3, lambda: subprocess.run(command, capture_output=True, check=True, env=environment))
    ours = best_of(3, lambda: count_rows(read_git_history(repository, "memory.md").rows))
    print(
        f"\nimport of {VERSIONS} versions: read and counted {ours * 1000:.0f} ms, git log -p --numstat {git * 1000:.0f} ms, "
        f"ratio {ours / git:.2f} (allowed {ALLOWED_TIMES} times and {ALLOWED_SECONDS} s)"
    )
    assert ours <= ALLOWED_TIMES * git + ALLOWED_SECONDS
