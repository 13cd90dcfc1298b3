"""Which repeated lines git sets aside before it compares, so that our counts are git's (decision 15).

`git diff --minimal` is not always minimal: before the comparison git drops a line that occurs very often on the other side where
it stands among lines that the other side does not have (a `}` or a blank line between new lines). Such a line counts as changed
although it could be matched. This is that rule, as git up to 2.49 has it; git 2.50 and newer leave it out under `--minimal`, and
can then count a few lines less.
"""

from collections import Counter
from collections.abc import Hashable, Sequence

MOST_OFTEN = 1_024
"""A line that occurs this often on the other side is frequent in a text of any length."""
WINDOW_LINES = 100
"""How far around a frequent line its neighbours are looked at."""
NEIGHBOURS_PER_FREQUENT = 4
"""A frequent line is dropped where less than one in this many lines around it is frequent."""


def kept_positions(lines: Sequence[Hashable], other: Sequence[Hashable], start: int, end: int) -> list[int]:
    """Positions of the lines that git compares.

    Args:
        lines: one side.
        other: the other side.
        start: position of the first line that is not part of the common start.
        end: position after the last line that is not part of the common end.
    """
    occurs = Counter(other)
    often = min(_about_square_root(len(lines)), MOST_OFTEN)
    rank = [0 if not (times := occurs[lines[at]]) else 2 if times >= often else 1 for at in range(start, end)]
    return [start + at for at, kind in enumerate(rank) if kind == 1 or (kind == 2 and not _among_strangers(rank, at))]  # noqa: PLR2004 - the ranks of the line above


def _about_square_root(number: int) -> int:
    """The power of two that git takes for a square root."""
    root = 1
    while number > 0:
        root <<= 1
        number >>= 2
    return root


def _among_strangers(rank: Sequence[int], at: int) -> bool:
    """Whether the frequent line at this place stands in a run of lines most of which the other side does not have.

    Args:
        rank: for each line 0 if the other side does not have it, 2 if it has it often, else 1.
        at: the place of the frequent line.
    """
    before = _run(rank[max(at - WINDOW_LINES, 0) : at][::-1])
    after = _run(rank[at + 1 : at + WINDOW_LINES + 1])
    if not before.count(0) or not after.count(0):
        return False
    strangers = before.count(0) + after.count(0)
    frequent = len(before) + len(after) - strangers + 2  # git counts the line itself once for each direction
    return frequent * NEIGHBOURS_PER_FREQUENT < frequent + strangers


def _run(rank: Sequence[int]) -> list[int]:
    """The ranks up to the first line that the other side has a few times."""
    length = next((at for at, kind in enumerate(rank) if kind == 1), len(rank))
    return list(rank[:length])
