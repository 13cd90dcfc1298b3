"""Benches say what they measured: one table at the end, milliseconds beside the ratio to the peer."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the table."""

    what: str
    """What was measured."""
    ours_seconds: float
    """Our median."""
    peer: str = ""
    """What it is measured against."""
    peer_seconds: float | None = None
    """The peer's median in the same run."""
    limit: str = ""
    """What is asked for."""

    @property
    def ratio(self) -> float | None:
        """Ours as a part of the peer's."""
        return None if self.peer_seconds is None else self.ours_seconds / self.peer_seconds


@dataclass(slots=True)
class SpeedTable:
    """Collects the rows."""

    lines: list[Line] = field(default_factory=list)

    def add(self, line: Line) -> Line:
        """Enter a row."""
        self.lines.append(line)
        return line


TABLE = pytest.StashKey[SpeedTable]()


@pytest.fixture(scope="session")
def speed_table(pytestconfig: pytest.Config) -> SpeedTable:
    """Where a bench enters what it measured."""
    return pytestconfig.stash.setdefault(TABLE, SpeedTable())


def medians(times: int, *works: Callable[[int], object]) -> list[float]:
    """Median seconds of several works done in turn, so that a busy machine slows all of them; each is told the number of the turn."""
    seconds: list[list[float]] = [[] for _ in works]
    for turn in range(times):
        for work, taken in zip(works, seconds, strict=True):
            start = time.perf_counter()
            work(turn)
            taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in seconds]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the table."""
    table = config.stash.get(TABLE, SpeedTable())
    if not table.lines:
        return
    terminalreporter.section("speed")
    for line in table.lines:
        ours = f"{line.what:<58} {line.ours_seconds * 1e3:9.2f} ms"
        if line.peer_seconds is None or line.ratio is None:
            terminalreporter.write_line(f"{ours}   {line.limit}")
        else:
            peer = f"{line.peer} {line.peer_seconds * 1e3:.2f} ms"
            terminalreporter.write_line(f"{ours}   ratio {line.ratio:5.2f} to {peer}   {line.limit}")
