"""Lines that were not lost but moved: the same run deleted in one place and inserted in another."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

LEAST_LINES = 3
"""A run with fewer lines that are not blank is no moved block: two short lines alike are often chance."""
_MOST_PLACES = 8
"""A line inserted in more places than this does not start the search for a run; it may be part of one."""


class Span(NamedTuple):
    """A run of lines."""

    start: int
    """Its first line."""
    end: int
    """The line behind its last one."""


class Move(NamedTuple):
    """A run of lines that moved."""

    old: int
    """Its first line in the old text."""
    new: int
    """Its first line in the new text."""
    length: int
    """How many lines."""


def find_moves(
    old: Sequence[str], new: Sequence[str], deleted: Iterable[Span], inserted: Iterable[Span]
) -> tuple[Move, ...]:
    """Runs that are deleted in one place and inserted in another; no line belongs to two of them, and longer runs win.

    Args:
        old: the old lines.
        new: the new lines.
        deleted: where lines of `old` are deleted.
        inserted: where lines of `new` are inserted.
    """
    candidates = _candidates(old, new, list(deleted), list(inserted))
    candidates.sort(key=lambda move: (-_weight(old, move), move.old, move.new))
    old_taken: set[int] = set()
    new_taken: set[int] = set()
    moves: list[Move] = []
    for move in candidates:
        old_lines, new_lines = range(move.old, move.old + move.length), range(move.new, move.new + move.length)
        if old_taken.isdisjoint(old_lines) and new_taken.isdisjoint(new_lines):
            old_taken.update(old_lines)
            new_taken.update(new_lines)
            moves.append(move)
    return tuple(moves)


def _candidates(old: Sequence[str], new: Sequence[str], deleted: list[Span], inserted: list[Span]) -> list[Move]:
    """Every longest run that is heavy enough."""
    places: dict[str, list[tuple[int, Span]]] = {}
    for span in inserted:
        for j in range(span.start, span.end):
            places.setdefault(new[j], []).append((j, span))
    seen_up_to: dict[int, int] = {}  # by distance between the sides: the old line up to which runs are known
    found: list[Move] = []
    for span in deleted:
        for i in range(span.start, span.end):
            here = places.get(old[i], ())
            for j, other in here if len(here) <= _MOST_PLACES and old[i].strip() else ():
                if i < seen_up_to.get(j - i, 0):
                    continue
                move = _grow(old, new, (i, span), (j, other))
                seen_up_to[j - i] = move.old + move.length
                if _weight(old, move) >= LEAST_LINES:
                    found.append(_trimmed(old, move))
    return found


def _grow(old: Sequence[str], new: Sequence[str], from_old: tuple[int, Span], from_new: tuple[int, Span]) -> Move:
    """The longest run of equal lines through one pair, inside the two spans."""
    (i, deleted), (j, inserted) = from_old, from_new
    up = 0
    while i - up > deleted.start and j - up > inserted.start and old[i - up - 1] == new[j - up - 1]:
        up += 1
    down = 1
    while i + down < deleted.end and j + down < inserted.end and old[i + down] == new[j + down]:
        down += 1
    return Move(i - up, j - up, up + down)


def _trimmed(old: Sequence[str], move: Move) -> Move:
    """The run without blank lines at its ends, so that it is named by its first line of words."""
    written = [at for at in range(move.length) if old[move.old + at].strip()]
    return Move(move.old + written[0], move.new + written[0], written[-1] - written[0] + 1)


def _weight(old: Sequence[str], move: Move) -> int:
    """How many lines of the run are not blank."""
    return sum(1 for line in old[move.old : move.old + move.length] if line.strip())
