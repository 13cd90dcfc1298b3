"""What a bench measured, and the one way to measure it: in turn with the peer."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple


class Seconds(NamedTuple):
    """How long something took, over all its turns."""

    best: float
    """The quickest turn: what ratios are made of, since a busy machine only ever adds."""
    median: float
    """What to expect."""

    def __str__(self) -> str:
        return f"{self.best * 1e3:.2f} ms (median {self.median * 1e3:.2f})"


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the table."""

    what: str
    """What was measured."""
    ours: Seconds
    """What we took."""
    peer_name: str
    """What it is measured against."""
    peer: Seconds
    """What that took in the same run."""
    limit: str
    """What is asked for."""

    @property
    def ratio(self) -> float:
        """Ours as a part of the peer's."""
        return self.ours.best / self.peer.best

    def __str__(self) -> str:
        return (
            f"{self.what:<44} {self.ours!s:<30} ratio {self.ratio:4.2f} to {self.peer_name} {self.peer}; {self.limit}"
        )


@dataclass(slots=True)
class SpeedTable:
    """Collects the rows."""

    lines: list[Line | str] = field(default_factory=list)

    def add(self, line: Line) -> Line:
        """Enter a row."""
        self.lines.append(line)
        return line

    def say(self, sentence: str) -> None:
        """Enter what has no peer."""
        self.lines.append(sentence)


def in_turn(times: int, *works: Callable[[int], object]) -> list[Seconds]:
    """Several works done in turn, so that a busy machine slows all of them; each is told the number of the turn."""
    seconds: list[list[float]] = [[] for _ in works]
    for turn in range(times):
        for work, taken in zip(works, seconds, strict=True):
            start = time.perf_counter()
            work(turn)
            taken.append(time.perf_counter() - start)
    return [Seconds(min(taken), statistics.median(taken)) for taken in seconds]
