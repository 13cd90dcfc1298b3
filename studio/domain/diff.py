r"""The change from one text to another, as data that every surface renders and none computes again.

Lines are cut at LF only and keep it; a lone CR, NEL or U+2028 is a character of its line, and a last line without a
newline is another line than the same one with it, as git has it (decision 15). Line positions count from 0 and ranges
exclude their end; characters are Unicode code points.

The format. A `Diff` holds:

- `blocks`: what to do, in order. Together they cover both texts, line by line, without a gap: the `old` lines of all
  blocks, joined, are the old text, the `new` lines the new one. A block has

  - `kind`: `equal` (both sides are the same lines), `delete` (old lines only), `insert` (new lines only) or `replace`
    (both sides, different). Two blocks beside each other may both be changes: where moved lines begin or end within a
    change, it is cut.
  - `old_start`, `old`: position of the first old line, and the old lines. `old_end` follows from them.
  - `new_start`, `new`: likewise for the new side.
  - `moved`: on a `delete` or `insert`, the index in `blocks` of its partner, the same lines inserted or deleted
    elsewhere.

- `counts`: lines added and removed, equal to `git diff --minimal --numstat` of git up to 2.49 (see `domain.discard`); moved
  lines count on both sides.
- `format_change`: what happened to line endings, byte order mark and final newline.
- `exact`: whether the comparison was carried through. Only texts of over 100,000 lines between first and last change can
  say False.

Marks inside changed lines are computed when a block is shown: `studio.domain.spans.pairs(block)`. Laws, held by
property tests: `apply(a, diff(a, b)) == b`, `apply(b, invert(diff(a, b))) == a`, `invert(invert(d)) == d`,
`count_lines(a, b) == diff(a, b).counts`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise, zip_longest
from typing import NamedTuple

from studio.domain.endings import Endings, FormatChange, format_change, only_changed
from studio.domain.lcs import Run, common_length, common_runs
from studio.domain.moves import Move, Span, find_moves
from studio.domain.sliding import slide
from studio.errors import Stale

__all__ = [
    "Block",
    "Counts",
    "Diff",
    "Endings",
    "FormatChange",
    "Hunk",
    "Kind",
    "apply",
    "count_lines",
    "diff",
    "hunks",
    "invert",
    "only_changed",
    "split_lines",
]


class Kind(StrEnum):
    """What a block does."""

    EQUAL = "equal"
    INSERT = "insert"
    DELETE = "delete"
    REPLACE = "replace"


class Counts(NamedTuple):
    """Lines that came and went."""

    added: int
    """Lines of the new text that the old one does not have."""
    removed: int
    """Lines of the old text that the new one does not have."""


@dataclass(frozen=True, slots=True)
class Block:
    """One operation; the module's docstring describes the format."""

    kind: Kind
    """What it does."""
    old_start: int
    """Position of its first line in the old text, from 0."""
    new_start: int
    """Position of its first line in the new text, from 0."""
    old: tuple[str, ...] = ()
    """Its lines in the old text, with their newlines."""
    new: tuple[str, ...] = ()
    """Its lines in the new text; the same lines where `kind` is `equal`."""
    moved: int | None = None
    """Index of the block that holds the same lines on the other side, where these lines moved."""

    @property
    def old_end(self) -> int:
        """Position after its last old line."""
        return self.old_start + len(self.old)

    @property
    def new_end(self) -> int:
        """Position after its last new line."""
        return self.new_start + len(self.new)


@dataclass(frozen=True, slots=True)
class Diff:
    """The change from one text to another; the module's docstring describes the format."""

    blocks: tuple[Block, ...]
    """What to do, in order."""
    counts: Counts
    """Lines added and removed."""
    format_change: FormatChange
    """What happened to line endings, byte order mark and final newline."""
    exact: bool = True
    """Whether the comparison was carried through, so that the counts are git's."""

    @property
    def is_empty(self) -> bool:
        """Whether the two texts are the same."""
        return all(block.kind is Kind.EQUAL for block in self.blocks)


class Hunk(NamedTuple):
    """Changes that stand close together, with the equal lines around them."""

    hidden_before: int
    """How many equal lines are left out between the hunk before, or the start, and this one."""
    blocks: tuple[Block, ...]
    """Its blocks; equal ones are cut down to their context. `moved` still counts in the blocks of the whole `Diff`."""
    hidden_after: int
    """How many equal lines are left out after it; only the last hunk has any."""

    @property
    def old_start(self) -> int:
        """Position of its first line in the old text, from 0."""
        return self.blocks[0].old_start

    @property
    def new_start(self) -> int:
        """Position of its first line in the new text, from 0."""
        return self.blocks[0].new_start


def split_lines(text: str) -> tuple[str, ...]:
    """The lines of a text, cut after LF only; joined they are the text again (decision 15)."""
    *ended, rest = text.split("\n")
    lines = [line + "\n" for line in ended]
    return tuple([*lines, rest] if rest else lines)


def count_lines(old: str, new: str) -> Counts:
    """Lines added and removed, as `git diff --minimal --numstat` counts them (decision 15)."""
    if old == new:
        return Counts(0, 0)
    old_lines, new_lines = split_lines(old), split_lines(new)
    common = common_length(old_lines, new_lines, like_git=True)
    return Counts(len(new_lines) - common, len(old_lines) - common)


def diff(old: str, new: str) -> Diff:
    """The change from `old` to `new`."""
    old_lines, new_lines = split_lines(old), split_lines(new)
    common = common_runs(old_lines, new_lines, like_git=True)
    runs = slide(old_lines, new_lines, common.runs)
    same = sum(run.length for run in runs)
    return Diff(
        blocks=_link(list(_blocks(old_lines, new_lines, runs))),
        counts=Counts(len(new_lines) - same, len(old_lines) - same),
        format_change=format_change(old, new),
        exact=common.exact,
    )


def apply(old: str, change: Diff) -> str:
    """The new text.

    Raises:
        Stale: `old` is not the text that the change starts from.
    """
    if "".join(line for block in change.blocks for line in block.old) != old:
        raise Stale("This change starts from another text; compare again.")
    return "".join(line for block in change.blocks for line in block.new)


_INVERSE = {Kind.EQUAL: Kind.EQUAL, Kind.REPLACE: Kind.REPLACE, Kind.INSERT: Kind.DELETE, Kind.DELETE: Kind.INSERT}


def invert(change: Diff) -> Diff:
    """The change back, from the new text to the old one."""
    blocks = (
        Block(_INVERSE[block.kind], block.new_start, block.old_start, block.new, block.old, block.moved)
        for block in change.blocks
    )
    counts = Counts(change.counts.removed, change.counts.added)
    return Diff(tuple(blocks), counts, change.format_change.inverted, exact=change.exact)


def hunks(change: Diff, context: int = 3, hide_at_least: int = 1) -> tuple[Hunk, ...]:
    """The changes in groups for display; none where nothing changed.

    Args:
        change: the change to show.
        context: how many equal lines to keep beside each change.
        hide_at_least: fewer equal lines than this are kept rather than left out.
    """
    found: list[Hunk] = []
    hidden = 0
    group: list[Block] = []
    for index, block in enumerate(change.blocks):
        if block.kind is not Kind.EQUAL:
            group.append(block)
            continue
        head = context if index else 0
        tail = context if index + 1 < len(change.blocks) else 0
        left_out = len(block.old) - head - tail
        if left_out < max(hide_at_least, 1):
            group.append(block)
            continue
        if index:
            ends = index + 1 == len(change.blocks)
            found.append(Hunk(hidden, (*group, *_part(block, 0, head)), left_out if ends else 0))
        hidden = left_out
        group = list(_part(block, len(block.old) - tail, len(block.old)))
    if any(block.kind is not Kind.EQUAL for block in group):
        found.append(Hunk(hidden, tuple(group), 0))
    return tuple(found)


def _part(block: Block, start: int, end: int) -> Iterator[Block]:
    """Lines `start` to `end` of an equal block; nothing where there are none."""
    if start < end:
        lines = block.old[start:end]
        yield Block(Kind.EQUAL, block.old_start + start, block.new_start + start, lines, lines)


class _Piece(NamedTuple):
    """Lines of one side of a change: where, and the move they belong to."""

    start: int
    end: int
    move: Move | None


_NOTHING = _Piece(0, 0, None)


def _blocks(old: Sequence[str], new: Sequence[str], runs: Sequence[Run]) -> Iterator[tuple[Block, Move | None]]:
    """All blocks in order, each with the move that it is one side of."""
    edges = [Run(0, 0, 0), *runs, Run(len(old), len(new), 0)]
    deleted = [Span(a.old + a.length, b.old) for a, b in pairwise(edges)]
    inserted = [Span(a.new + a.length, b.new) for a, b in pairwise(edges)]
    moves = find_moves(old, new, deleted, inserted)
    from_old, from_new = {move.old: move for move in moves}, {move.new: move for move in moves}
    for run, gone, come in zip(edges[1:], deleted, inserted, strict=True):
        yield from _cut(old, new, _pieces(gone, from_old), _pieces(come, from_new), (gone.start, come.start))
        if run.length:
            lines = tuple(old[run.old : run.old + run.length])
            yield Block(Kind.EQUAL, run.old, run.new, lines, lines), None


def _pieces(span: Span, moves: dict[int, Move]) -> list[_Piece]:
    """One side of a change, cut at its moves: in turn lines that did not move (maybe none), and lines that did."""
    pieces: list[_Piece] = []
    at = span.start
    for start in range(span.start, span.end):
        if start in moves:
            pieces += [_Piece(at, start, None), _Piece(start, start + moves[start].length, moves[start])]
            at = pieces[-1].end
    return [*pieces, _Piece(at, span.end, None)]


def _cut(
    old: Sequence[str], new: Sequence[str], gone: list[_Piece], come: list[_Piece], at: tuple[int, int]
) -> Iterator[tuple[Block, Move | None]]:
    """The blocks of one change: what did not move side by side, what moved each on its own."""
    old_at, new_at = at
    for one, other in zip_longest(gone, come, fillvalue=_NOTHING):
        together = one.move is None and other.move is None
        for left, right in [(one, other)] if together else [(one, _NOTHING), (_NOTHING, other)]:
            old_lines, new_lines = tuple(old[left.start : left.end]), tuple(new[right.start : right.end])
            if old_lines or new_lines:
                kind = Kind.INSERT if not old_lines else Kind.REPLACE if new_lines else Kind.DELETE
                yield Block(kind, old_at, new_at, old_lines, new_lines), left.move or right.move
            old_at, new_at = old_at + len(old_lines), new_at + len(new_lines)


def _link(blocks: Sequence[tuple[Block, Move | None]]) -> tuple[Block, ...]:
    """Name the partner of each moved block."""
    sides: dict[Move, list[int]] = {}
    for index, (_, move) in enumerate(blocks):
        if move is not None:
            sides.setdefault(move, []).append(index)
    linked = [block for block, _ in blocks]
    for one, other in sides.values():
        linked[one], linked[other] = replace(linked[one], moved=other), replace(linked[other], moved=one)
    return tuple(linked)
