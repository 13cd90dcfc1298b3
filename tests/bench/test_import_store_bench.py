"""A whole import, reading and storing, against git's own walk over the file (issue 2, Speed)."""

import random
import subprocess
from pathlib import Path

import pytest
from speed import Line, SpeedTable, in_turn

from studio import open_studio

VERSIONS = 150
MOST_BYTES = 100_000
TURNS = 3
TIMES_GIT, PLUS_SECONDS = 3, 2.0


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """One file that grows to 100 kB and is rewritten here and there with each of its 150 versions."""
    chance = random.Random(3)
    lines: list[str] = []
    stream: list[bytes] = []
    for number in range(VERSIONS):
        for place in chance.choices(range(len(lines)), k=len(lines) // 50):
            lines[place] = f"- rewritten {chance.random()}\n"
        lines += [f"- fact {chance.random()} {'word ' * chance.randint(4, 14)}\n" for _ in range(12)]
        text = "".join(lines)[:MOST_BYTES].encode()
        head = f"commit refs/heads/main\ncommitter Ana <ana@example.org> {1_700_000_000 + number * 60} +0000\n"
        stream.append(head.encode() + b"data 1\nx\n")
        stream.append(b"M 100644 inline memory.md\ndata %d\n%s\n" % (len(text), text))
    folder = tmp_path / "repository"
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main", str(folder)], check=True)
    subprocess.run(["git", "-C", str(folder), "fast-import", "--quiet"], input=b"".join(stream), check=True)
    return folder


def test_importing_a_long_history(repository: Path, tmp_path: Path, speed_table: SpeedTable) -> None:
    command = ["git", "-C", str(repository), "log", "-p", "--numstat", "main", "--", "memory.md"]

    def log(_: int) -> None:
        printed = subprocess.run(command, check=True, capture_output=True).stdout
        assert printed.count(b"\tmemory.md\n") == VERSIONS

    def whole_import(turn: int) -> None:
        with open_studio(tmp_path / f"{turn}.duckdb", operator="Ana", environment={}) as studio:
            assert studio.import_git(repository, "memory.md", "imported").versions == VERSIONS

    ours, peer = in_turn(TURNS, whole_import, log)
    limit = f"at most {TIMES_GIT} and {PLUS_SECONDS:.0f} s"
    speed_table.add(Line("import 150 versions up to 100 kB", ours, "git log -p --numstat", peer, limit))
    assert ours.best <= TIMES_GIT * peer.best + PLUS_SECONDS
