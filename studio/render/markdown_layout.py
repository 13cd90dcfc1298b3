"""Markdown as agents write it, laid out as Python-Markdown reads it.

Agents indent a nested list by two spaces, start a list, a table or a fence right below a line of text, and put fences
into list items. Python-Markdown wants four spaces a level and a blank line around each block. So the lines are laid out
anew: what is nested stands four spaces deeper, a blank line stands around headings, rules, quotes, tables and fences, and
the content of a fence is handed over before anyone can read it as Markdown. Only white space, list markers and rules
change; words never do. Blocks that are lone also keep Python-Markdown fast: it reads the rest of a block once for each
heading or rule in it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

MOST_LEVELS = 20
"""How deeply lists and quotes may be nested; the parser calls itself several times for each level."""
MOST_CELLS = 20_000
"""How many cells a table may have; a row of one character still gets a cell in every column."""
MOST_PARAGRAPH_CHARACTERS = 12_000
"""How long a paragraph or list item may be; the parser's time grows with its square. A memory at its cap still fits."""

_LEVEL = " " * 4
_HEADING = re.compile(r" *#{1,6}(?: |$)")
_RULE = re.compile(r" *([-_*])(?: *\1){2,} *$")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+) *$")
_QUOTE = re.compile(r" *> ?")
_FENCE = re.compile(r"( *)(`{3,}(?=[^`]*$)|~{3,})(.*)")
_ITEM = re.compile(r"( *)([-*+]|(\d{1,9})[.)])( +)(?=\S)")
_COLUMNS = re.compile(r"(?=[^-]*-)(?=[^|]*\|)[ |:-]+$")
_MARKERS = re.compile(r"(?:>|[-*+](?= )|\d{1,9}[.)](?= )| )+")
_MARKER = re.compile(r"[^ \d.)]|\d+[.)]")
_NUMBER_DOT = re.compile(r"(\d{1,9})\.(?= )")


class TooMuchError(Exception):
    """The text asks for more than it is worth to render; the message says for what, as the end of a sentence."""


@dataclass(frozen=True, slots=True)
class _Item:
    """A list item that is open."""

    indent: int
    """Where its marker stands, in characters."""
    content: int
    """Where its text stands, in characters."""
    ordered: bool
    """Whether its marker is a number."""


class Layout:
    """Lays out the lines of one text, or of one quote in it."""

    def __init__(self, lines: Sequence[str], fence: Callable[[str, str], str], level: int = 0) -> None:
        """Begin at the first line.

        Args:
            lines: the text, without line ends.
            fence: takes the info line and the content of a fence and gives the line that stands for it.
            level: how many quotes the lines stand in.
        """
        self._lines = lines
        self._fence = fence
        self._level = level
        self._at = 0
        self._items: list[_Item] = []
        self._out: list[str] = []
        self._block_depth = 0
        self._paragraph = 0

    def laid_out(self) -> list[str]:
        """The lines as Python-Markdown reads them.

        Raises:
            TooMuchError: it is nested too deeply, or a table or paragraph is too large.
        """
        while self._at < len(self._lines):
            raw = self._lines[self._at]
            line = raw.expandtabs(4)
            if not line.strip():
                self._at += 1
                self._blank()
            elif not self._block(line):
                self._at += 1
                self._text(line)
        return self._out

    def _block(self, line: str) -> bool:
        """Lay out what begins at this line, if it is more than a line of text."""
        markers = _MARKERS.match(line)
        if markers and not _RULE.match(line) and len(_MARKER.findall(markers[0])) > MOST_LEVELS - self._level:
            raise TooMuchError("it is nested too deeply to render")
        if self._after_blank() and _indent(line) >= self._base(_indent(line)) + 4:
            self._code(line)
        elif fence := _FENCE.match(line):
            self._fenced(fence)
        elif _HEADING.match(line):
            self._alone(line, [line.strip(" ")])
        elif _RULE.match(line) and not (_UNDERLINE.match(line) and self._below_text(line)):
            self._alone(line, ["***"])
        elif _QUOTE.match(line):
            self._alone(line, self._quoted(), lines=0)
        elif self._begins_table(line):
            self._alone(line, self._table(), lines=0)
        elif item := _ITEM.match(line):
            return self._item(line, item)
        else:
            return False
        return True

    # What is written

    def _after_blank(self) -> bool:
        return not self._out or not self._out[-1]

    def _blank(self) -> None:
        if not self._after_blank():
            self._out.append("")

    def _write(self, text: str) -> None:
        """A line at the depth of the open items; a block may not come up from the depth it began at."""
        depth = len(self._items)
        if depth < self._block_depth:
            self._blank()
        if self._after_blank():
            self._block_depth = depth
            self._paragraph = 0
        self._paragraph += len(text)
        if self._paragraph > MOST_PARAGRAPH_CHARACTERS:
            raise TooMuchError("it has a very long paragraph")
        self._out.append(_LEVEL * depth + text)

    def _alone(self, line: str, texts: Sequence[str], *, lines: int = 1) -> None:
        """A block with a blank line before and after it."""
        self._close(_indent(line))
        self._at += lines
        self._blank()
        for text in texts:
            self._write(text)
        self._blank()

    # List items

    def _close(self, indent: int) -> None:
        """Close the items that a line so far to the left is not in; two spaces are enough to be in one."""
        while self._items and indent < self._items[-1].indent + 2:
            self._items.pop()

    def _base(self, indent: int) -> int:
        """Where the text of the innermost item stands that a line so indented is in."""
        return next((item.content for item in reversed(self._items) if indent >= item.indent + 2), 0)

    def _item(self, line: str, found: re.Match[str]) -> bool:
        """A list item; a number other than one that stands in running text is a part of the text."""
        indent, number, gap = len(found[1]), found[3], found[4]
        at_depth = [item for item in self._items if indent < item.indent + 2]
        if number and int(number) != 1 and not at_depth and not self._after_blank():
            return False
        before = at_depth[0] if at_depth else None
        self._close(indent)
        if (before and before.ordered != bool(number)) or (not before and not self._items):
            self._blank()
        self._paragraph = 0
        marker = f"{number}." if number else found[2]
        self._write(f"{marker} {line[found.end() :]}")
        width = len(found[2]) + (len(gap) if len(gap) <= len(_LEVEL) else 1)
        self._items.append(_Item(indent, indent + width, bool(number)))
        if len(self._items) > MOST_LEVELS - self._level:
            raise TooMuchError("it is nested too deeply to render")
        self._at += 1
        return True

    # Lines of text

    def _below_text(self, line: str) -> bool:
        """Whether a line of dashes is the underline of a heading: below one line of text that is in the same item."""
        return not self._after_blank() and len(self._items) == sum(_indent(line) >= i.indent + 2 for i in self._items)

    def _text(self, line: str) -> None:
        """A line of running text, which is in the item above it however it is indented."""
        if self._after_blank():
            self._close(_indent(line))
        text = line.lstrip(" ")
        if not self._after_blank():
            text = _NUMBER_DOT.sub(r"\1\\.", text, count=1) if _NUMBER_DOT.match(text) else text
        self._write(text)
        if _UNDERLINE.match(line):
            self._blank()

    # Larger blocks

    def _code(self, line: str) -> None:
        """Code by indentation, with the blank lines in it."""
        self._close(_indent(line))
        base = self._base(_indent(line))
        pending = 0
        while self._at < len(self._lines):
            line = self._lines[self._at].expandtabs(4)
            if line.strip() and _indent(line) < base + 4:
                break
            self._at += 1
            if line.strip():
                self._out += [""] * pending
                self._write(line[base:])
            pending = 0 if line.strip() else pending + 1
        self._blank()

    def _fenced(self, found: re.Match[str]) -> None:
        """A fence, up to its end, the end of the list item it is in, or the end of the text."""
        indent, marks = len(found[1]), found[2]
        self._close(indent)
        end = re.compile(rf" *{re.escape(marks)}{re.escape(marks[0])}* *$")
        content: list[str] = []
        self._at += 1
        while self._at < len(self._lines):
            raw = self._lines[self._at]
            line = raw.expandtabs(4)
            if self._items and line.strip() and _indent(line) < self._items[-1].indent + 2:
                break
            self._at += 1
            if end.match(line):
                break
            content.append(raw[indent:] if not raw[:indent].strip(" ") else line[min(indent, _indent(line)) :])
        else:
            content = content[:-1] if content and not content[-1] else content
        self._blank()
        self._write(self._fence(found[3].strip(), "\n".join([*content, ""]) if content else ""))
        self._blank()

    def _quoted(self) -> list[str]:
        """The lines of a quote, laid out by themselves."""
        inner: list[str] = []
        while self._at < len(self._lines) and (mark := _QUOTE.match(self._lines[self._at].expandtabs(4))):
            inner.append(self._lines[self._at].expandtabs(4)[mark.end() :])
            self._at += 1
        laid_out = Layout(inner, self._fence, self._level + 1).laid_out()
        if laid_out and not laid_out[-1]:
            laid_out.pop()
        return [f"> {line}" if line else ">" for line in laid_out]

    def _begins_table(self, line: str) -> bool:
        return "|" in line and self._at + 1 < len(self._lines) and bool(_COLUMNS.match(self._lines[self._at + 1]))

    def _table(self) -> list[str]:
        """The rows of a table, up to a blank line or another block."""
        rows = [row.strip(" ") for row in self._rows()]
        if len(rows) * rows[1].count("-|") > MOST_CELLS or len(rows) * rows[1].count("|") > MOST_CELLS:
            raise TooMuchError("it has a very large table")
        return rows

    def _rows(self) -> Iterator[str]:
        first = self._at
        while self._at < len(self._lines):
            line = self._lines[self._at].expandtabs(4)
            begins_block = any(kind.match(line) for kind in (_HEADING, _FENCE, _QUOTE, _ITEM))
            if not line.strip() or (begins_block and self._at > first + 1):
                return
            self._at += 1
            yield line


def _indent(line: str) -> int:
    """How many spaces a line begins with."""
    return len(line) - len(line.lstrip(" "))
