"""The longest common subsequence of two sequences, as runs of equal items: under counts, lines and changed words alike.

Lengths and positions are in items (lines, or tokens of a line). How the work stays bounded, n and m being the items
that remain once the common start and end and the items that only one side has are set aside (none of which can make the
result longer or shorter):

- up to `MATRIX_CELLS` (n × m), rapidfuzz keeps a matrix of bits, at most 32 MB;
- up to `EXACT_CELLS`, Hirschberg's halving with whole rows as Python integers: a few seconds at most, memory linear in
  n + m;
- beyond (over 100,000 lines between the first and the last change), the items that occur once on each side are matched
  first and the gaps between them exactly while the budget lasts. The result is then correct, but not proven longest,
  and says so (`exact`).
"""

import sys
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

from studio.domain.discard import kept_positions

MATRIX_CELLS = 2**28
"""Up to this many cells one matrix of bits is kept (32 MB)."""
EXACT_CELLS = 12_000_000_000
"""Up to this many cells the result is the longest one: about 110,000 lines that all differ in place."""
_FREQUENT = 100
"""An item with more places than this keeps its row of bits; a rarer one builds it anew, so that memory stays small."""


class Run(NamedTuple):
    """Equal items that follow one another on both sides."""

    old: int
    """Position of the first in the old sequence."""
    new: int
    """Position of the first in the new sequence."""
    length: int
    """How many items."""


class _Pair(NamedTuple):
    """One item matched on both sides."""

    old: int
    new: int


@dataclass(frozen=True, slots=True)
class _Kept:
    """What is left to compare: item numbers and the positions they came from."""

    old: list[int]
    old_at: list[int]
    new: list[int]
    new_at: list[int]
    prefix: int
    suffix: int

    @property
    def cells(self) -> int:
        return len(self.old) * len(self.new)


@dataclass(frozen=True, slots=True)
class Common:
    """What two sequences have in common, in order."""

    runs: tuple[Run, ...]
    """Runs of equal items, as long as they can be, in order on both sides."""
    exact: bool
    """Whether no longer common subsequence exists; False only beyond `EXACT_CELLS`."""


def common_runs(old: Sequence[Hashable], new: Sequence[Hashable], *, like_git: bool = False) -> Common:
    """The longest common subsequence, as runs.

    Args:
        old: one sequence.
        new: the other.
        like_git: set aside the repeated lines that git sets aside (`domain.discard`); the result can then be shorter.
    """
    kept = _keep(old, new, like_git=like_git)
    pairs = [_Pair(i, i) for i in range(kept.prefix)]
    pairs += [_Pair(kept.old_at[i], kept.new_at[j]) for i, j in _match(kept.old, kept.new, EXACT_CELLS)]
    pairs += [_Pair(len(old) - k, len(new) - k) for k in range(kept.suffix, 0, -1)]
    return Common(tuple(_join(pairs)), exact=kept.cells <= EXACT_CELLS)


def common_length(old: Sequence[Hashable], new: Sequence[Hashable], *, like_git: bool = False) -> int:
    """How many items `common_runs` matches, without saying which."""
    kept = _keep(old, new, like_git=like_git)
    if kept.cells > EXACT_CELLS:
        middle = sum(1 for _ in _match(kept.old, kept.new, EXACT_CELLS))
    else:
        middle = int(LCSseq.similarity(*_letters(kept.old, kept.new)))
    return kept.prefix + middle + kept.suffix


def _keep(old: Sequence[Hashable], new: Sequence[Hashable], *, like_git: bool) -> _Kept:
    """Set the common start and end aside, and the items that cannot or, like git, shall not match; number the rest."""
    shortest = min(len(old), len(new))
    prefix = next((i for i in range(shortest) if old[i] != new[i]), shortest)
    suffix = next((i for i in range(shortest - prefix) if old[-1 - i] != new[-1 - i]), shortest - prefix)
    old_span: Sequence[int] = range(prefix, len(old) - suffix)
    new_span: Sequence[int] = range(prefix, len(new) - suffix)
    if like_git:
        old_span = kept_positions(old, new, prefix, len(old) - suffix)
        new_span = kept_positions(new, old, prefix, len(new) - suffix)
    in_new = {new[j] for j in new_span}
    numbers: dict[Hashable, int] = {}
    for i in old_span:
        if old[i] in in_new:
            numbers.setdefault(old[i], len(numbers))
    old_at = [i for i in old_span if old[i] in numbers]
    new_at = [j for j in new_span if new[j] in numbers]
    return _Kept([numbers[old[i]] for i in old_at], old_at, [numbers[new[j]] for j in new_at], new_at, prefix, suffix)


def _letters(old: list[int], new: list[int]) -> tuple[Sequence[int] | str, Sequence[int] | str]:
    """Item numbers as two strings, which rapidfuzz compares fastest, while code points last."""
    if max(max(old, default=0), max(new, default=0)) > sys.maxunicode:
        return old, new
    return "".join(map(chr, old)), "".join(map(chr, new))


def _join(pairs: Sequence[_Pair]) -> Iterator[Run]:
    """Pairs that follow one another on both sides, as runs."""
    start = 0
    for index in range(1, len(pairs) + 1):
        first = pairs[start]
        step = index - start
        if index == len(pairs) or pairs[index] != (first.old + step, first.new + step):
            yield Run(first.old, first.new, step)
            start = index


def _match(old: list[int], new: list[int], budget_cells: int) -> Iterator[_Pair]:
    """The matched positions of two lists of item numbers, in order."""
    if not old or not new:
        return
    cells = len(old) * len(new)
    if cells <= min(MATRIX_CELLS, budget_cells) or len(new) == 1:
        for op in LCSseq.opcodes(*_letters(old, new)):
            if op.tag == "equal":
                yield from (_Pair(op.src_start + k, op.dest_start + k) for k in range(op.src_end - op.src_start))
    elif cells <= budget_cells:
        yield from _match_halves(old, new)
    else:
        yield from _match_anchored(old, new, budget_cells)


def _match_halves(old: list[int], new: list[int]) -> Iterator[_Pair]:
    """Hirschberg: halve `new`, find where `old` is best cut for it, match both halves on their own."""
    half = len(new) // 2
    before = _row(old, new[:half])
    after = _row(old[::-1], new[: half - 1 : -1])
    cut = max(range(len(old) + 1), key=lambda k: before[k] + after[len(old) - k])
    yield from _match(old[:cut], new[:half], EXACT_CELLS)
    yield from (_Pair(i + cut, j + half) for i, j in _match(old[cut:], new[half:], EXACT_CELLS))


def _row(old: Sequence[int], new: Sequence[int]) -> list[int]:
    """For each k, the common length of `old[:k]` and `new` (Hyyrö's bit-vector, a row per integer)."""
    places: dict[int, list[int]] = {}
    for index, item in enumerate(old):
        places.setdefault(item, []).append(index)
    full = (1 << len(old)) - 1
    frequent: dict[int, int] = {}
    row = full
    for item in new:
        mask = frequent.get(item)
        if mask is None:
            at = places.get(item, ())
            mask = _bits(at, len(old))
            if len(at) > _FREQUENT:
                frequent[item] = mask
        matched = row & mask
        row = ((row + matched) | (row - matched)) & full
    unset = f"{row:0{len(old)}b}"[::-1]  # position k holds "0" exactly where old[k] makes the result one longer
    return list(accumulate((bit == "0" for bit in unset), initial=0))


def _bits(places: Sequence[int], size: int) -> int:
    """An integer with these bits set."""
    content = bytearray(size // 8 + 1)
    for place in places:
        content[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(content, "little")


def _match_anchored(old: list[int], new: list[int], budget_cells: int) -> Iterator[_Pair]:
    """Match what occurs once on each side, then each gap with its share of the budget."""
    anchors = [*_anchors(old, new), _Pair(len(old), len(new))]
    if len(anchors) == 1:
        return
    i = j = 0
    for anchor in anchors:
        gap = _match(old[i : anchor.old], new[j : anchor.new], budget_cells // len(anchors))
        yield from (_Pair(i + p.old, j + p.new) for p in gap)
        if anchor.old < len(old):
            yield anchor
        i, j = anchor.old + 1, anchor.new + 1


def _anchors(old: list[int], new: list[int]) -> list[_Pair]:
    """The longest series, in order on both sides, of items that occur exactly once on each."""
    in_old, in_new = Counter(old), Counter(new)
    new_at = {item: j for j, item in enumerate(new) if in_new[item] == 1}
    candidates = [_Pair(i, new_at[item]) for i, item in enumerate(old) if in_old[item] == 1 and item in new_at]
    tails: list[int] = []
    holders: list[int] = []
    before: list[int | None] = []
    for index, candidate in enumerate(candidates):
        length = bisect_left(tails, candidate.new)
        before.append(holders[length - 1] if length else None)
        if length == len(tails):
            tails.append(candidate.new)
            holders.append(index)
        else:
            tails[length], holders[length] = candidate.new, index
    chain: list[_Pair] = []
    at = holders[-1] if holders else None
    while at is not None:
        chain.append(candidates[at])
        at = before[at]
    return chain[::-1]
