"""Where a group of added or removed lines is shown when several places are equally right.

When the line before a group equals its last line, the group can be moved up by one line without changing what it says,
and down likewise. A person reads best a group that starts at a heading or after a blank line, so we move it there, and
we move a group that can touch another one until it does, so that there are fewer places to look at. Counts never
change.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from studio.domain.lcs import Run


@dataclass(slots=True)
class _Equal:
    """A run of equal lines while groups beside it are being moved; `length` may become zero."""

    old: int
    new: int
    length: int

    @property
    def old_end(self) -> int:
        return self.old + self.length

    @property
    def new_end(self) -> int:
        return self.new + self.length


def slide(old: Sequence[str], new: Sequence[str], runs: Sequence[Run]) -> tuple[Run, ...]:
    """The same lines matched, with every group of added or removed lines where it reads best.

    Args:
        old: the old lines.
        new: the new lines.
        runs: runs of equal lines, in order.
    """
    after_all = _Equal(len(old), len(new), 0)
    done = [_Equal(0, 0, 0)]
    for run in [*(_Equal(*run) for run in runs), after_all]:
        _settle(old, new, done, run)
        done.append(run)
    return tuple(Run(run.old, run.new, run.length) for run in done if run.length)


def _settle(old: Sequence[str], new: Sequence[str], done: list[_Equal], after: _Equal) -> None:
    """Move the group between the last run of `done` and `after`; drop runs that it eats up, so that groups merge."""
    while True:
        before = done[-1]
        old_size, new_size = after.old - before.old_end, after.new - before.new_end
        if bool(old_size) == bool(new_size):
            return
        lines = old if old_size else new
        end = after.old if old_size else after.new
        size = old_size or new_size
        up = _steps_up(lines, end - size, end, before.length)
        if up == before.length and len(done) > 1 and (done[-2].old_end, done[-2].new_end) != (before.old, before.new):
            _shift(before, after, -up)
            done.pop()
            continue
        down = _steps_down(lines, end - size, end, after.length)
        if down == after.length and (after.old_end, after.new_end) != (len(old), len(new)):
            _shift(before, after, down)
            return
        starts = range(end - size - up, end - size + down + 1)
        best = max(starts, key=lambda start: _reads_well(lines, start, size))
        _shift(before, after, best - (end - size))
        return


def _steps_up(lines: Sequence[str], start: int, end: int, most: int) -> int:
    """How many lines a group can move up: as long as the line before it equals its last one."""
    return next((k for k in range(most) if lines[start - 1 - k] != lines[end - 1 - k]), most)


def _steps_down(lines: Sequence[str], start: int, end: int, most: int) -> int:
    """How many lines a group can move down: as long as the line after it equals its first one."""
    return next((k for k in range(most) if lines[start + k] != lines[end + k]), most)


def _shift(before: _Equal, after: _Equal, by: int) -> None:
    """Give `by` lines from the run after the group to the run before it; the other way round where negative."""
    before.length += by
    after.old += by
    after.new += by
    after.length -= by


def _reads_well(lines: Sequence[str], start: int, size: int) -> tuple[bool, bool, bool, int, int]:
    """How well a group reads that starts here: larger is better, and of equals the last place, as git has it."""
    first = lines[start]
    blank = not first.strip()
    ends_blank = not lines[start + size - 1].strip()
    after_blank = not lines[start - 1].strip() if start else ends_blank
    indent = len(first) - len(first.lstrip(" \t"))
    return (not blank and first.startswith("#"), not blank and after_blank, ends_blank and not blank, -indent, start)
