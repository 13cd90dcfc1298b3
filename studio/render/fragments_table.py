"""The tables of our fragments: lines with their numbers, in one column of text or in two."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from typing import NamedTuple, assert_never

from studio.domain.diff import Kind
from studio.domain.spans import cluster_edge
from studio.render.fragments_marks import mark, marked
from studio.render.rows import Fold, Item, Line, MovedLabel, Row

MOST_LINE_CHARACTERS = 2_000
"""How many characters of one line are shown while long lines are cut."""
MOST_CHARACTERS = 200_000
"""How many characters are shown altogether while a view is limited."""
_BEFORE_FIRST_MARK_CHARACTERS = 200
"""In a line that is cut, how much is shown before the first changed word."""
_GROUP_ROWS = 20
"""In one column, how many rows of a replaced block stand together, removed lines above added ones."""


class Side(StrEnum):
    """What a cell says about its line, and the class that it has in the style."""

    EQUAL = "equal"
    ADDED = "added"
    REMOVED = "removed"
    MOVED_HERE = "moved here"
    MOVED_AWAY = "moved away"

    @property
    def sign(self) -> str:
        """The sign before the line."""
        return {"equal": "", "added": "+", "removed": "−", "moved here": "+", "moved away": "−"}[self.value]

    @property
    def tag(self) -> str | None:
        """The element for what changed in the line."""
        return {"equal": None, "added": "ins", "removed": "del", "moved here": "ins", "moved away": "del"}[self.value]

    @property
    def style(self) -> str:
        """The class of its cells."""
        return self.value.partition(" ")[0]


class Limit(NamedTuple):
    """How much is shown at first."""

    lines: int | None
    """How many lines; None shows everything."""

    @property
    def line_characters(self) -> int | None:
        """How many characters of one line."""
        return None if self.lines is None else MOST_LINE_CHARACTERS


@dataclass(slots=True)
class Shown:
    """What has been shown so far, while the rows of a table are written."""

    lines: int = 0
    """Lines of either text."""
    characters: int = 0
    """Characters of them, cut ones as far as they are shown."""
    cut_characters: int = 0
    """Characters that were left out of long lines."""

    def room(self, limit: Limit, waiting: int = 0) -> bool:
        """Whether another line may be shown when as many as are `waiting` have been."""
        return limit.lines is None or (self.lines + waiting < limit.lines and self.characters < MOST_CHARACTERS)

    def text(self, line: Line, side: Side, limit: Limit) -> str:
        """The inside of a text cell, with what is left out of it counted."""
        start, end = _window(line, limit.line_characters)
        self.lines += 1
        self.characters += end - start
        self.cut_characters += len(line.text) - (end - start)
        before = aside(f"… {_characters(start)}") if start else ""
        after = aside(f"… {_characters(len(line.text) - end)} more") if end < len(line.text) else ""
        newline = aside("no newline at the end") if line.lacks_newline else ""
        return before + _inside(line, side, start, end) + after + newline


def _characters(count: int) -> str:
    """A number of characters in words."""
    return f"{count:,} character{'' if count == 1 else 's'}"


def aside(words: str) -> str:
    """A remark inside a line."""
    return f'<span class="aside">{escape(words)}</span>'


def _window(line: Line, most: int | None) -> tuple[int, int]:
    """Which part of a line to show: its start, or from a little before its first changed word."""
    size = len(line.text)
    if most is None or size <= most:
        return 0, size
    first = line.marks[0].start if line.marks else 0
    start = 0 if first < most - _BEFORE_FIRST_MARK_CHARACTERS else first - _BEFORE_FIRST_MARK_CHARACTERS
    return cluster_edge(line.text, start), cluster_edge(line.text, min(start + most, size))


def _drawn(line: Line, start: int, end: int) -> str:
    """A line's text between two positions, with marks for what tells it from a line that looks the same."""
    if not line.named and not line.trailing:
        return marked(line.text[start:end])
    seen_end = len(line.text.rstrip()) if line.trailing else len(line.text)
    parts: list[str] = []
    at = start
    for place in range(start, end):
        if line.text[place] in line.named or place >= seen_end:
            parts += [marked(line.text[at:place]), mark(line.text[place])]
            at = place + 1
    return "".join([*parts, marked(line.text[at:end])])


def _inside(line: Line, side: Side, start: int, end: int) -> str:
    """A line's text between two positions, changed words marked."""
    tag = side.tag
    if tag is None:
        return _drawn(line, start, end)
    if line.marks is None:
        return f"<{tag}>{_drawn(line, start, end)}</{tag}>"
    parts: list[str] = []
    at = start
    for mark_start, mark_end in line.marks:
        one, other = max(mark_start, at), min(mark_end, end)
        if one < other:
            parts += [_drawn(line, at, one), f'<{tag} class="word">{_drawn(line, one, other)}</{tag}>']
            at = other
    return "".join([*parts, _drawn(line, at, end)])


def table(
    kind: str, label: str, columns: Sequence[str], head: Sequence[str], rows: Iterable[str], last_line: int
) -> str:
    """A table of lines.

    Args:
        kind: its class.
        label: what it is, for screen readers.
        columns: the class of each column.
        head: the name of each column; all or some may be for screen readers only.
        rows: its rows.
        last_line: the largest line number, for the width of the number columns.
    """
    digits = min(max(len(str(last_line)), 2), 7)
    cols = "".join(f'<col class="{column}">' for column in columns)
    names = "".join(head)
    body = "\n".join(rows)
    return (
        f'<table class="lines {kind} digits-{digits}"><caption class="only-read">{escape(label)}</caption>'
        f"<colgroup>{cols}</colgroup><thead><tr>{names}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"
    )


def head_cell(name: str, *, shown: bool = False, span: int = 1) -> str:
    """A column's name."""
    inner = escape(name) if shown else f'<span class="only-read">{escape(name)}</span>'
    wide = f' colspan="{span}"' if span > 1 else ""
    return f'<th scope="col"{wide}>{inner}</th>'


def wide_row(style: str, words: str, columns: int) -> str:
    """A row that says something about the rows around it."""
    return f'<tr class="{style}"><td colspan="{columns}">{words}</td></tr>'


def number_cell(number: int | None, side: Side) -> str:
    """A line number."""
    return f'<td class="number {side.style}">{"" if number is None else number}</td>'


def sign_cell(side: Side) -> str:
    """The sign before a line, in words for screen readers."""
    if side is Side.EQUAL:
        return '<td class="sign"></td>'
    return (
        f'<td class="sign {side.style}"><span aria-hidden="true">{side.sign}</span>'
        f'<span class="only-read">{side.value}</span></td>'
    )


def text_cell(text: str, side: Side) -> str:
    """A line's text."""
    return f'<td class="text {side.style}">{text}</td>'


def _sides_of(row: Row) -> tuple[Side, Side]:
    """What the old and the new cell of a row say."""
    if row.kind is Kind.EQUAL:
        return Side.EQUAL, Side.EQUAL
    return (Side.MOVED_AWAY, Side.MOVED_HERE) if row.moved else (Side.REMOVED, Side.ADDED)


def _said(item: Fold | MovedLabel) -> tuple[str, str]:
    """The class and the words of a row that holds no line."""
    match item:
        case Fold(lines):
            return "fold", f"… {lines:,} unchanged line{'' if lines == 1 else 's'}"
        case MovedLabel(away, line, lines):
            what = f"{lines:,} lines"
            return "note", f"{what} moved to line {line:,}" if away else f"{what} moved from line {line:,}"
        case _:
            assert_never(item)


UNIFIED_COLUMNS = ("number", "number", "sign", "text")
"""The columns of a change in one column of text."""


def unified_rows(items: Iterable[Item], limit: Limit, shown: Shown) -> Iterator[str]:
    """The rows of a change in one column of text, as many as the limit allows."""
    group: list[Row] = []
    for item in items:
        replaced = isinstance(item, Row) and item.kind is Kind.REPLACE
        full = len(group) == _GROUP_ROWS or not shown.room(limit, 2 * len(group))
        if group and (full or not replaced):
            yield from _unified_group(group, limit, shown)
            group = []
        if not shown.room(limit):
            return
        if isinstance(item, Row) and replaced:
            group.append(item)
        elif isinstance(item, Row):
            yield from _unified_group([item], limit, shown)
        else:
            yield wide_row(*_said(item), len(UNIFIED_COLUMNS))
    yield from _unified_group(group, limit, shown)


def _unified_group(rows: Sequence[Row], limit: Limit, shown: Shown) -> Iterator[str]:
    """All old lines of some rows, then all new ones; equal lines once."""
    for row in rows:
        old_side, _ = _sides_of(row)
        if row.old is not None:
            new_number = row.new.number if row.new is not None and old_side is Side.EQUAL else None
            yield _unified_row(row.old, row.old.number, new_number, old_side, limit, shown)
    for row in rows:
        _, new_side = _sides_of(row)
        if row.new is not None and new_side is not Side.EQUAL:
            yield _unified_row(row.new, None, row.new.number, new_side, limit, shown)
        if row.alike:
            yield wide_row("note", f"They look the same: {escape(row.alike)}", len(UNIFIED_COLUMNS))


def _unified_row(line: Line, old: int | None, new: int | None, side: Side, limit: Limit, shown: Shown) -> str:
    """One line of a change in one column."""
    cells = (
        number_cell(old, side),
        number_cell(new, side),
        sign_cell(side),
        text_cell(shown.text(line, side, limit), side),
    )
    return f"<tr>{''.join(cells)}</tr>"


SIDES_COLUMNS = ("number", "sign", "text") * 2
"""The columns of a change side by side."""


def sides_rows(items: Iterable[Item], limit: Limit, shown: Shown) -> Iterator[str]:
    """The rows of a change side by side, as many as the limit allows."""
    for item in items:
        if not shown.room(limit):
            return
        if isinstance(item, Row):
            old_side, new_side = _sides_of(item)
            yield f"<tr>{_half(item.old, old_side, limit, shown)}{_half(item.new, new_side, limit, shown)}</tr>"
            if item.alike:
                yield wide_row("note", f"They look the same: {escape(item.alike)}", len(SIDES_COLUMNS))
        else:
            yield wide_row(*_said(item), len(SIDES_COLUMNS))


def _half(line: Line | None, side: Side, limit: Limit, shown: Shown) -> str:
    """One side of a row."""
    if line is None:
        return '<td class="number absent"></td><td class="sign absent"></td><td class="text absent"></td>'
    return number_cell(line.number, side) + sign_cell(side) + text_cell(shown.text(line, side, limit), side)


WHOLE_COLUMNS = ("number", "text")
"""The columns of a whole text."""


def whole_rows(lines: Iterable[Line], limit: Limit, shown: Shown) -> Iterator[str]:
    """The rows of a whole text, as many as the limit allows."""
    for line in lines:
        if not shown.room(limit):
            return
        yield f"<tr>{number_cell(line.number, Side.EQUAL)}{text_cell(shown.text(line, Side.EQUAL, limit), Side.EQUAL)}</tr>"
