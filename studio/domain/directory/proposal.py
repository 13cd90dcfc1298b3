"""How a core memory could shrink, as values: the specification's three steps and the candidates of each. `shrink` finds them."""

from dataclasses import dataclass
from enum import StrEnum

from studio.domain.directory.limits import Gauge

THRESHOLD_SHARE = 0.8
"""The part of a limit from which on a memory should shrink before it grows."""


class Step(StrEnum):
    """The steps of "Shrink before you grow", in their order."""

    DELETE = "delete"
    MOVE = "move"
    SKILL = "skill"


SAYS: dict[Step, str] = {
    Step.DELETE: "Delete stale, duplicated, or rederivable content.",
    Step.MOVE: "Move subject detail into deferred memory and leave a one-line pointer in root MEMORY.md.",
    Step.SKILL: "Move procedures into skills.",
}
"""Each step in the specification's words."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One place that could go."""

    step: Step
    """What would be done with it."""
    path: str
    """The root file it stands in."""
    line: int
    """Its first line, from 1."""
    end_line: int
    """Its last line."""
    words: str
    """How it begins."""
    frees: int
    """Characters that the core would lose: those of its lines, without the pointer that a move leaves."""
    reason: str
    """Why it is a candidate, as a sentence."""
    pointer: str | None = None
    """Of a move, the line for root `MEMORY.md`, without its newline."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """How a core memory could shrink."""

    gauges: tuple[Gauge, ...]
    """How much of the core's limit and of each root file's is used; the core first."""
    candidates: tuple[Candidate, ...]
    """By step in their order, then by what they free, most first."""

    @property
    def near(self) -> tuple[Gauge, ...]:
        """The limits that are used over the threshold."""
        return tuple(one for one in self.gauges if one.share > THRESHOLD_SHARE)

    @property
    def needed(self) -> bool:
        """Whether it should shrink before it grows."""
        return bool(self.near)

    @property
    def excess(self) -> int:
        """Characters over the threshold of the core's limit."""
        core = self.gauges[0]
        return max(0, core.used - int(THRESHOLD_SHARE * core.limit)) if core.limit is not None else 0

    def of(self, step: Step) -> tuple[Candidate, ...]:
        """The candidates of one step."""
        return tuple(one for one in self.candidates if one.step == step)

    def frees(self, step: Step | None = None) -> int:
        """Characters that all candidates, or those of one step, would free."""
        return sum(one.frees for one in self.candidates if step in (None, one.step))
