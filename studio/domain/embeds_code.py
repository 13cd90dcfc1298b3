"""Where the code in a Markdown text stands: in code spans and fenced blocks an embed is text (decision 23).

Block structure is read as CommonMark reads it: fences inside block quotes and list items, a fence that is never closed
runs to the end of what holds it, and a code span ends with the paragraph it began in, so a stray backtick reaches no
further. HTML blocks and indented code are read as text.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass, field

DEEPEST_NESTING = 100
"""Quotes and list items inside each other; a marker below that is text, so that a hostile text costs no more than its length."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_LIST_MARKER = re.compile(r"(?:[-+*]|(?P<number>\d{1,9})[.)])(?=(?P<spaces> *)(?P<more>[^ ])?)(?: |$)")
_THEMATIC_BREAK = re.compile(r"(?:(?:\* *+){3,}+|(?:- *+){3,}+|(?:_ *+){3,}+)$")
_UNDERLINE = re.compile(r"(?:=+|-+) *$")
_HEADING = re.compile(r"#{1,6}(?: |$)")
_PROSE = re.compile(r"[^ >\-+*#`~=_0-9]")
"""How a line begins that opens and closes nothing where nothing is open."""
_FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
_LEAF = re.compile("|".join(f"(?:{one.pattern})" for one in (_FENCE, _HEADING, _THEMATIC_BREAK)))
_LEAF_BEGINS = "`~#*-_="
"""What a leaf other than a paragraph begins with."""
_CONTAINER_BEGINS = ">-+*0123456789"
"""What a quote or a list item begins with."""
_BACKTICKS = re.compile("`+")
_SPAN_OPENER = re.compile(r"\\.|(`+)", re.DOTALL)
_CODE_INDENT_COLUMNS = 4
"""A line indented this far opens no block of its own."""
_QUOTE = 0
"""A block quote in the list of open containers; a list item stands there as the columns its content is indented by."""


@dataclass(frozen=True, slots=True)
class _Fence:
    """An open fence."""

    start: int
    """Where its first line begins."""
    mark: str
    """Its backticks or tildes; as many or more of them close it."""


@dataclass(slots=True)
class _Reader:
    """What is open while lines are read, and the code found so far."""

    text: str
    code: list[tuple[int, int]] = field(default_factory=list)
    containers: list[int] = field(default_factory=list)
    fence: _Fence | None = None
    paragraph: int | None = None
    """Where the open paragraph begins."""
    bare: bool = False
    """Whether the innermost container is a list item whose first line holds nothing: a blank line ends it."""

    def line(self, line: str, start: int, end: int) -> None:
        """Read one line, given without its ending and with tabs as spaces."""
        if not self.containers and not self.fence and _PROSE.match(line):
            self.paragraph = start if self.paragraph is None else self.paragraph
            return
        position, matched = _enter(line, self.containers)
        whole = matched == len(self.containers)
        if self.fence:
            if whole:
                if _closes(line, position, self.fence.mark):
                    self.end_fence(end)
                return
            self.end_fence(start)
        if _skip_spaces(line, position) == len(line):
            self.end_paragraph(start)
            del self.containers[matched - (whole and self.bare) :]
            self.bare = False
            return
        position, opened = _open(line, position, matched, paragraph=whole and self.paragraph is not None)
        begins = _skip_spaces(line, position)
        indented = begins - position >= _CODE_INDENT_COLUMNS
        if not whole and not opened and self.paragraph is not None and (indented or not _LEAF.match(line, begins)):
            return  # a paragraph goes on without the marks of its quote or list
        if not whole or opened:
            self.end_paragraph(start)
            self.containers[matched:] = opened
        self.bare = begins == len(line) and bool(opened) and opened[-1] != _QUOTE
        if begins == len(line):
            return
        self.leaf(line, begins, start, end, indented=indented)

    def leaf(self, line: str, begins: int, start: int, end: int, *, indented: bool) -> None:
        """What a line adds within its containers."""
        if indented:
            if self.paragraph is None:
                self.spans(start, end)
        elif line[begins] not in _LEAF_BEGINS:
            self.paragraph = start if self.paragraph is None else self.paragraph
        elif fence := _FENCE.match(line, begins):
            self.end_paragraph(start)
            self.fence = _Fence(start, fence[1] or fence[2])
        elif _HEADING.match(line, begins):
            self.end_paragraph(start)
            self.spans(start, end)
        elif _THEMATIC_BREAK.match(line, begins) or (self.paragraph is not None and _UNDERLINE.match(line, begins)):
            self.end_paragraph(start)
        elif self.paragraph is None:
            self.paragraph = start

    def end_fence(self, end: int) -> None:
        """Enter the open fence as code."""
        if self.fence:
            self.code.append((self.fence.start, end))
            self.fence = None

    def end_paragraph(self, end: int) -> None:
        """Look for code spans in the paragraph that ends here."""
        if self.paragraph is not None:
            self.spans(self.paragraph, end)
            self.paragraph = None

    def spans(self, start: int, end: int) -> None:
        """Enter the code spans of a piece: a run of backticks up to the next run of the same length."""
        if self.text.find("`", start, end) < 0:
            return
        closers: dict[int, list[int]] = {}
        for run in _BACKTICKS.finditer(self.text, start, end):
            closers.setdefault(len(run[0]), []).append(run.start())
        position = start
        while opener := _SPAN_OPENER.search(self.text, position, end):
            position = opener.end()
            if not opener[1]:
                continue  # an escaped character
            length = position - opener.start()
            ends = closers.get(length, [])
            following = bisect_left(ends, position)
            if following < len(ends):
                position = ends[following] + length
                self.code.append((opener.start(), position))


def code_ranges(text: str, until: int | None = None) -> tuple[tuple[int, int], ...]:
    """Where code stands in a Markdown text, as (start, end) in code points, in order and apart from each other.

    Args:
        text: the text.
        until: what stands behind this does not matter.
    """
    if "`" not in text and "~~~" not in text:
        return ()
    end, until = len(text), len(text) if until is None else until
    reader = _Reader(text)
    for found in _LINE.finditer(text):
        start = found.start()
        if start >= until and (reader.paragraph is None or reader.paragraph >= until):
            end = start
            break
        reader.line(found[0].rstrip("\r\n").expandtabs(4), start, found.end())
    reader.end_fence(end)
    reader.end_paragraph(end)
    return tuple(reader.code)


def _skip_spaces(line: str, position: int) -> int:
    """Where a line goes on behind the spaces that stand at a position."""
    if line[position : position + 1] != " ":
        return position
    return len(line) - len(line[position:].lstrip(" "))


def _enter(line: str, containers: list[int]) -> tuple[int, int]:
    """How far a line continues what is open: where its own content begins, and how many containers it continues."""
    if not line.strip(" "):  # continues list items, whatever their indent, and no quote
        return 0, containers.index(_QUOTE) if _QUOTE in containers else len(containers)
    position = 0
    for number, columns in enumerate(containers):
        begins = _skip_spaces(line, position)
        if columns == _QUOTE:
            if begins - position >= _CODE_INDENT_COLUMNS or line[begins : begins + 1] != ">":
                return position, number
            position = begins + 1 + (line[begins + 1 : begins + 2] == " ")
        elif begins - position >= columns:
            position += columns
        else:
            return position, number
    return position, len(containers)


def _open(line: str, position: int, depth: int, *, paragraph: bool) -> tuple[int, list[int]]:
    """The quotes and list items that a line opens from here, and where what they hold begins.

    Args:
        line: the line.
        position: where to look.
        depth: how many containers stand around that place.
        paragraph: whether a paragraph goes on there, which only some list items may interrupt.
    """
    opened: list[int] = []
    while depth + len(opened) < DEEPEST_NESTING:
        begins = _skip_spaces(line, position)
        first = line[begins : begins + 1]
        if begins - position >= _CODE_INDENT_COLUMNS or first not in _CONTAINER_BEGINS:
            break
        if first == ">":
            opened.append(_QUOTE)
            position = begins + 1 + (line[begins + 1 : begins + 2] == " ")
            continue
        marker = _LIST_MARKER.match(line, begins)
        if not marker or _THEMATIC_BREAK.match(line, begins):
            break
        if paragraph and not opened and (not marker["more"] or marker["number"] not in (None, "1")):
            break
        width = len(marker[0].rstrip(" "))
        blanks = len(marker["spaces"])
        inside = width + (blanks if marker["more"] and blanks <= _CODE_INDENT_COLUMNS else 1)
        opened.append(begins - position + inside)
        position = min(begins + inside, len(line))
    return position, opened


def _closes(line: str, position: int, mark: str) -> bool:
    """Whether a line, from here, closes a fence opened with this mark."""
    begins = _skip_spaces(line, position)
    rest = line[begins:].rstrip(" ")
    return begins - position < _CODE_INDENT_COLUMNS and len(rest) >= len(mark) and not rest.strip(mark[0])
