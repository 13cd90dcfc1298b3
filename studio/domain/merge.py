"""Three-way merge of a Task draft with a live Task that went on without it (decision 30)."""

from collections.abc import Sequence
from dataclasses import dataclass

from merge3 import Merge3

from studio.domain.diff import split_lines

MINE_MARK = "<<<<<<< draft"
"""Stands above the draft's lines of a conflict."""
BETWEEN_MARK = "======="
"""Stands between the two sides of a conflict."""
THEIRS_MARK = ">>>>>>> live"
"""Stands below the live Task's lines of a conflict."""


@dataclass(frozen=True, slots=True)
class Merged:
    """Two changes of one text brought together."""

    text: str
    """The merged text; where both sides changed the same lines it holds both, between the marks of this module."""
    conflicts: int
    """In how many places both sides changed the same lines."""


def merge(start: str, mine: str, theirs: str) -> Merged:
    """Bring two changes of one text together, line by line.

    Args:
        start: the text that both sides started from.
        mine: the draft.
        theirs: the text that is live now.
    """
    three = Merge3(split_lines(start), split_lines(mine), split_lines(theirs))
    parts: list[str] = []
    conflicts = 0
    for kind, *groups in three.merge_groups():
        if kind == "conflict":
            conflicts += 1
            _, ours, live = groups
            parts += [_mark(MINE_MARK), *_ended(ours), _mark(BETWEEN_MARK), *_ended(live), _mark(THEIRS_MARK)]
        else:
            parts += groups[0]
    return Merged("".join(parts), conflicts)


def _mark(text: str) -> str:
    return f"{text}\n"


def _ended(lines: Sequence[str]) -> list[str]:
    """The lines, with a newline after the last one, so that a mark can follow."""
    return [line if line.endswith("\n") else f"{line}\n" for line in lines]
