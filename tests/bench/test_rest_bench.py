"""One store, many clients: 1,000 agents with 51 versions of 8 KB each, served by `studio api` (issue 4, Speed)."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from big_store import big_store
from ended import ended
from rest_load import AGENTS
from speed import Line, SpeedTable, in_turn

from studio import Studio, open_studio

WRITERS, READERS = 8, 4
WRITES_ASKED, READS_ASKED = 16, 20
"""In each second, of all clients together."""
PACED_SECONDS, FLAT_OUT_SECONDS = 20, 8
READ_P99_MILLISECONDS = 30
FLAT_OUT_WRITES = 50
"""In each second, with nobody reading."""
REMOTE_MORE_MILLISECONDS = 10
START_MILLISECONDS = 600


@dataclass(frozen=True, slots=True)
class Owner:
    """A store and the process that serves it."""

    file: Path
    url: str
    environment: dict[str, str]

    def load(self, what: str, clients: int, seconds: int, each_second: int | None = None) -> subprocess.Popen[str]:
        """Clients in a process of their own, which begins now."""
        secret = Path(f"{self.file}.secret").read_text(encoding="utf-8").strip()
        program = Path(__file__).with_name("rest_load.py")
        words = [self.url, secret, what, str(clients), str(seconds), *([str(each_second)] if each_second else [])]
        return subprocess.Popen([sys.executable, str(program), *words], stdout=subprocess.PIPE, text=True)


def told(process: subprocess.Popen[str]) -> dict[str, Any]:
    """What the clients saw, all of which must have been answered well."""
    out, _ = process.communicate(timeout=120)
    seen: dict[str, Any] = json.loads(out)
    assert seen["failed"] == []
    return seen


def percentile(sorted_milliseconds: list[float], share: float) -> float:
    """The time that this share of the answers took at most."""
    return sorted_milliseconds[min(int(len(sorted_milliseconds) * share), len(sorted_milliseconds) - 1)]


@pytest.fixture(scope="module")
def owner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Owner]:
    """A copy of the big store, and `studio api` on it, with compiled modules as an installed program has them."""
    folder = tmp_path_factory.mktemp("served")
    file = folder / "served.duckdb"
    shutil.copy(big_store(AGENTS), file)
    os.sync()  # else the disk is still busy with the copy when the first writes wait for it
    ours = {"STUDIO_DB": str(file), "STUDIO_OPERATOR": "Ana", "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    environment = {**os.environ, **ours}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "studio", "api", "--port", "0"], env=environment, stdout=subprocess.PIPE, text=True
    )
    with ended(process):
        assert process.stdout is not None
        yield Owner(file, process.stdout.readline().strip(), environment)


@pytest.fixture(scope="module")
def remote(owner: Owner) -> Iterator[Studio]:
    with open_studio(owner.file, environment=owner.environment) as studio:
        yield studio


def test_writers_and_readers_get_what_they_ask_for(owner: Owner, speed_table: SpeedTable) -> None:
    writing = owner.load("write", WRITERS, PACED_SECONDS, WRITES_ASKED)
    reading = owner.load("read", READERS, PACED_SECONDS, READS_ASKED)
    wrote, read = told(writing), told(reading)
    p99 = percentile(read["milliseconds"], 0.99)
    speed_table.say(
        f"{WRITERS} writers and {READERS} readers over REST: {wrote['answered'] / PACED_SECONDS:.1f} writes/s and"
        f" {read['answered'] / PACED_SECONDS:.1f} reads/s got of {WRITES_ASKED} and {READS_ASKED} asked; a read takes"
        f" {percentile(read['milliseconds'], 0.5):.1f} ms (p99 {p99:.1f}, at most {READ_P99_MILLISECONDS}),"
        f" a write {percentile(wrote['milliseconds'], 0.5):.1f} ms (p99 {percentile(wrote['milliseconds'], 0.99):.1f})"
    )
    assert wrote["answered"] >= WRITES_ASKED * PACED_SECONDS
    assert read["answered"] >= READS_ASKED * PACED_SECONDS
    assert p99 <= READ_P99_MILLISECONDS


def test_writers_alone_write_flat_out(owner: Owner, speed_table: SpeedTable) -> None:
    wrote = told(owner.load("write", WRITERS, FLAT_OUT_SECONDS))
    each_second = wrote["answered"] / wrote["seconds"]
    speed_table.say(
        f"{WRITERS} writers flat out over REST: {each_second:.1f} writes/s, at least {FLAT_OUT_WRITES}; a write takes"
        f" {percentile(wrote['milliseconds'], 0.5):.1f} ms (p99 {percentile(wrote['milliseconds'], 0.99):.1f})"
    )
    assert each_second >= FLAT_OUT_WRITES


def test_a_list_through_the_owner(remote: Studio, tmp_path: Path, speed_table: SpeedTable) -> None:
    file = tmp_path / "local.duckdb"
    shutil.copy(big_store(AGENTS), file)
    with open_studio(file, environment={}) as local:
        agents = [f"a_{turn * 13:06d}" for turn in range(40)]
        assert len(remote.list_memory_versions(agents[0])) == len(local.list_memory_versions(agents[0]))
        ours, peer = in_turn(
            len(agents),
            lambda turn: remote.list_memory_versions(agents[turn]),
            lambda turn: local.list_memory_versions(agents[turn]),
        )
    limit = f"at most {REMOTE_MORE_MILLISECONDS} ms more"
    speed_table.add(Line("list 51 versions through the owner", ours, "in this process", peer, limit))
    assert (ours.median - peer.median) * 1e3 <= REMOTE_MORE_MILLISECONDS


def test_the_program_through_the_owner(owner: Owner, speed_table: SpeedTable) -> None:
    def program(*words: str) -> None:
        subprocess.run([sys.executable, *words], env=owner.environment, capture_output=True, check=True)

    ours, peer = in_turn(
        8,
        lambda _: program("-m", "studio", "memory", "list", "a_000013"),
        lambda _: program("-c", "import typer, pydantic"),
    )
    limit = f"at most {START_MILLISECONDS} ms"
    speed_table.add(Line("studio memory list through the owner", ours, "importing typer", peer, limit))
    assert ours.best * 1e3 <= START_MILLISECONDS
