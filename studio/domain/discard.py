"""Which repeated lines git sets aside before it compares, so that our counts are git's (decision 15).

`git diff --minimal` is not always minimal: before the comparison git drops a line that occurs very often on the other side where
it stands among lines that the other side does not have (a `}` or a blank line between new lines). Such a line counts as changed
although it could be matched. This is that rule, as git up to 2.49 has it; git 2.50 and newer leave it out under `--minimal`, and
can then count a few lines less.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import accumulate

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
    times = [occurs[line] for line in lines[start:end]]
    if max(times, default=0) < often:
        return [start + at for at, count in enumerate(times) if count]
    strangers = _Strangers.of(times, often)
    return [start + at for at, count in enumerate(times) if count and (count < often or not strangers.surround(at))]


def _about_square_root(number: int) -> int:
    """The power of two that git takes for a square root."""
    root = 1
    while number > 0:
        root <<= 1
        number >>= 2
    return root


@dataclass(frozen=True, slots=True)
class _Strangers:
    """The lines that the other side does not have, so arranged that each frequent line costs the same in any text."""

    up_to: list[int]
    """For each place, how many strangers stand before it."""
    run_from: list[int]
    """For each place, where the run of strangers and frequent lines before it starts: after the nearest line that is neither."""
    run_to: list[int]
    """For each place, where the run after it ends."""

    @classmethod
    def of(cls, times: Sequence[int], often: int) -> "_Strangers":
        """From how often each line occurs on the other side."""
        neither = [0 < count < often for count in times]
        run_from = list(accumulate((at + 1 if one else 0 for at, one in enumerate(neither)), max, initial=0))
        last = len(times)
        backwards = (last - 1 - at if neither[last - 1 - at] else last for at in range(last))
        run_to = list(accumulate(backwards, min, initial=last))[::-1]
        return cls(list(accumulate((not count for count in times), initial=0)), run_from, run_to[1:])

    def surround(self, at: int) -> bool:
        """Whether the frequent line at this place stands in a run of lines most of which are strangers."""
        first, end = max(self.run_from[at], at - WINDOW_LINES), min(self.run_to[at], at + WINDOW_LINES + 1)
        before, after = self.up_to[at] - self.up_to[first], self.up_to[end] - self.up_to[at]
        if not before or not after:
            return False
        frequent = end - first - before - after + 1  # git counts the line itself once for each direction
        return frequent * NEIGHBOURS_PER_FREQUENT < frequent + before + after
