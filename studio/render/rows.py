"""A diff as rows to show, without HTML: what stands beside what, what is folded, and where to stop."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import assert_never

from studio.domain.alike import why_alike
from studio.domain.diff import Block, Diff, Endings, Kind, hunks
from studio.domain.spans import Marked, Pair, pairs

FOLD_AT_LEAST_LINES = 2
"""Fewer equal lines than this are shown: the line that says how many are hidden would take their place."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line on one side."""

    number: int
    """Its number in its text, from 1."""
    text: str
    """The line without its newline, and without the carriage return of a CRLF where nothing depends on it."""
    marks: tuple[Marked, ...] | None = None
    """The words that changed; None where the line as a whole came or went, or did not change."""
    lacks_newline: bool = False
    """Whether to say that no newline follows."""
    named: frozenset[str] = frozenset()
    """Characters to draw as marks, since without them the line looks like the one beside it."""
    trailing: bool = False
    """Whether to draw the white space at its end too."""


@dataclass(frozen=True, slots=True)
class Row:
    """What stands side by side; in a unified view the old line is above the new one."""

    kind: Kind
    """What happened."""
    old: Line | None
    """The old line, if any."""
    new: Line | None
    """The new line, if any."""
    moved: bool = False
    """Whether the line moved rather than came or went."""
    alike: str | None = None
    """Why both lines look the same, where they do."""


@dataclass(frozen=True, slots=True)
class Fold:
    """Equal lines that are not shown."""

    lines: int
    """How many."""


@dataclass(frozen=True, slots=True)
class MovedLabel:
    """Stands above the lines of a moved block."""

    away: bool
    """Whether the lines moved away from here (old side), or came here (new side)."""
    line: int
    """Where their first line is on the other side, from 1."""
    lines: int
    """How many lines moved."""


Item = Row | Fold | MovedLabel
"""What a view shows, from top to bottom."""


def items(change: Diff, context: int) -> Iterator[Item]:
    """All rows, folds and labels of a change, made one by one as they are asked for."""
    shown = _Shown.of(change)
    for hunk in hunks(change, context, FOLD_AT_LEAST_LINES):
        if hunk.hidden_before:
            yield Fold(hunk.hidden_before)
        for block in hunk.blocks:
            yield from _block(block, change, shown)
        if hunk.hidden_after:
            yield Fold(hunk.hidden_after)


@dataclass(frozen=True, slots=True)
class _Shown:
    """What of line ends is worth showing in this change."""

    carriage_returns: bool
    newlines: bool

    @classmethod
    def of(cls, change: Diff) -> "_Shown":
        """Carriage returns where endings changed or are mixed; a missing newline where that changed."""
        form = change.format_change
        mixed = Endings.MIXED in (form.old_endings, form.new_endings)
        return cls(form.endings_changed or mixed, form.final_newline is not None)

    def line(self, number: int, text: str, marks: tuple[Marked, ...] | None = None, *, changed: bool = True) -> Line:
        """A line as it is shown."""
        ended = text.endswith("\n")
        body = text.removesuffix("\n")
        if ended and not (changed and self.carriage_returns):
            body = body.removesuffix("\r")
        return Line(number, body, marks, lacks_newline=changed and self.newlines and not ended)


def _block(block: Block, change: Diff, shown: _Shown) -> Iterator[Item]:
    """The rows of one block."""
    moved = block.moved is not None
    match block.kind:
        case Kind.EQUAL:
            for k, text in enumerate(block.old):
                old = shown.line(block.old_start + k + 1, text, changed=False)
                new = shown.line(block.new_start + k + 1, text, changed=False)
                yield Row(block.kind, old, new)
        case Kind.DELETE:
            if block.moved is not None:
                yield MovedLabel(True, change.blocks[block.moved].new_start + 1, len(block.old))  # noqa: FBT003
            for k, text in enumerate(block.old):
                yield Row(block.kind, shown.line(block.old_start + k + 1, text), None, moved)
        case Kind.INSERT:
            if block.moved is not None:
                yield MovedLabel(False, change.blocks[block.moved].old_start + 1, len(block.new))  # noqa: FBT003
            for k, text in enumerate(block.new):
                yield Row(block.kind, None, shown.line(block.new_start + k + 1, text), moved)
        case Kind.REPLACE:
            yield from _replaced(block, shown)
        case _:
            assert_never(block.kind)


def _replaced(block: Block, shown: _Shown) -> Iterator[Row]:
    """The rows of a replaced block: pairs side by side, what stands between two pairs likewise as far as it goes."""
    i = j = 0
    for pair in pairs(block):
        yield from _unpaired(block, range(i, pair.old), range(j, pair.new), shown)
        yield _paired(block, pair, shown)
        i, j = pair.old + 1, pair.new + 1
    yield from _unpaired(block, range(i, len(block.old)), range(j, len(block.new)), shown)


def _paired(block: Block, pair: Pair, shown: _Shown) -> Row:
    """An old and a new line that belong together."""
    old = shown.line(block.old_start + pair.old + 1, block.old[pair.old], pair.old_marks)
    new = shown.line(block.new_start + pair.new + 1, block.new[pair.new], pair.new_marks)
    return _told_apart(Row(block.kind, old, new))


def _told_apart(row: Row) -> Row:
    """A row of two lines that look the same, with what tells them apart; any other row as it is."""
    why = None if row.old is None or row.new is None else why_alike(row.old.text, row.new.text)
    if why is None or row.old is None or row.new is None:
        return row
    old = replace(row.old, named=why.old, trailing=why.trailing)
    return replace(row, old=old, new=replace(row.new, named=why.new, trailing=why.trailing), alike=why.says)


def _unpaired(block: Block, old: Sequence[int], new: Sequence[int], shown: _Shown) -> Iterator[Row]:
    """Lines that have no partner."""
    for i, j in zip_longest(old, new):
        left = shown.line(block.old_start + i + 1, block.old[i]) if i is not None else None
        right = shown.line(block.new_start + j + 1, block.new[j]) if j is not None else None
        yield _told_apart(Row(block.kind, left, right))
