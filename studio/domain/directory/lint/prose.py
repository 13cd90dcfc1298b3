"""A Markdown text as the statements that it makes: items, paragraphs and headings, with what is no prose blanked out.

Read line by line and in one pass, so that a hostile text costs no more than its length. Where it reads structure differently from a
full Markdown parser, nothing worse follows than a rule that keeps quiet.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from studio.domain.directory.lint.blanking import BLANK, blanked
from studio.domain.directory.lint.language import is_english, piece_is_english, traits
from studio.domain.embeds_code import code_ranges

_ITEM = re.compile(r"(?P<indent>[ \t]*)(?:[-*+•]|\d{1,9}[.)])[ \t]+(?:\[(?P<box>[ xX])\][ \t]+)?")
_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})[ \t]+")
_RULE = re.compile(r"[ \t]*+(?:[-*_=][ \t]*+){3,}+$")
_QUOTE = re.compile(r"[ \t]*>[ \t>]*")
_TABLE = re.compile(r"[ \t]*\|")
_FENCE = re.compile(r"[ \t>]*+(?:[-*+•][ \t]++|\d{1,9}[.)][ \t]++)*+(`{3,}|~{3,})[ \t]*+(?P<info>[^\s`]*+)")
_QUOTED = re.compile(r'"[^"\n]{1,400}"|“[^“”\n]{1,400}”')
_SENTENCE_ENDS = re.compile(r"(?<=[.!?])[\"”)]?\s+")


class Kind(StrEnum):
    """What a statement is in its text."""

    HEADING = "heading"
    ITEM = "item"
    PARAGRAPH = "paragraph"
    QUOTE = "quote"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Statement:
    """One item, paragraph or heading."""

    kind: Kind
    """What it is."""
    text: str
    """Its words as written, its lines joined by one space, without the mark of its list."""
    prose: str
    """The same, of the same length, with `BLANK` for code, addresses, paths, tags and variables."""
    line: int
    """The line of the file it begins in, from 1."""
    end_line: int
    """The last line that it has."""
    starts: tuple[int, ...]
    """Where in `text` each of its lines begins."""
    parent: int | None
    """Number of the item that it stands in; None at the top level."""
    heading: int | None
    """Number of the heading above it."""
    introduction: int | None
    """Number of the paragraph directly above the list that it is in."""
    english: bool
    """Whether it is English."""
    box: str | None = None
    """Of an item to tick off, what its box holds."""
    level: int = 0
    """Of a heading, how deep it is, from 1."""

    def line_at(self, position: int) -> int:
        """The line of the file that a position of `text` stands in."""
        return self.line + bisect_right(self.starts, position) - 1

    @property
    def in_lines(self) -> str:
        """The prose with a newline where its text goes on in the next line; places stay what they are."""
        pieces = [self.prose[start:end] for start, end in zip(self.starts, (*self.starts[1:], None), strict=True)]
        return "\n".join(piece[:-1] if number < len(pieces) else piece for number, piece in enumerate(pieces, 1))

    @property
    def unquoted(self) -> str:
        """The prose without what stands in double quotes."""
        return _QUOTED.sub(lambda found: BLANK * len(found[0]), self.prose)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The prose, cut behind each full stop."""
        return tuple(one for one in _SENTENCE_ENDS.split(self.prose) if one.strip())


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block of code."""

    line: int
    """The line of the file that opens it."""
    end_line: int
    """The line that closes it."""
    language: str
    """What it says it holds; may be empty."""
    lines: tuple[str, ...]
    """What stands in it."""
    characters: int
    """All of it in code points, with its marks."""


@dataclass(frozen=True, slots=True)
class Prose:
    """A text, read."""

    statements: tuple[Statement, ...]
    """In reading order."""
    fences: tuple[Fence, ...]
    """In reading order."""
    english: bool
    """Whether it is English as a whole."""
    last_line: int
    """The last line of the file that is not empty."""

    def section(self, number: int) -> range:
        """The numbers of a heading and of all that is under it: up to the next heading that is not deeper."""
        level = self.statements[number].level
        later = range(number + 1, len(self.statements))
        end = next((at for at in later if 0 < self.statements[at].level <= level), len(self.statements))
        return range(number, end)

    def section_end(self, number: int) -> int:
        """The last line of the section under a heading."""
        end = self.section(number).stop
        return self.statements[end].line - 1 if end < len(self.statements) else self.last_line

    def end_under(self, number: int) -> int:
        """The last line of a statement and of all that stands under it."""
        if self.statements[number].kind == Kind.HEADING:
            return self.section_end(number)
        end, inside = self.statements[number].end_line, {number}
        for at in range(number + 1, len(self.statements)):
            if self.statements[at].parent not in inside:
                break
            inside.add(at)
            end = self.statements[at].end_line
        return end

    def has_more(self, number: int) -> bool:
        """Whether items or paragraphs stand under an item; they come right behind it."""
        return number + 1 < len(self.statements) and self.statements[number + 1].parent == number

    def said(self) -> Iterator[tuple[int, Statement]]:
        """The items and paragraphs with their numbers: what a text says, without headings, quotes and tables."""
        wanted = {Kind.ITEM, Kind.PARAGRAPH}
        return ((at, one) for at, one in enumerate(self.statements) if one.kind in wanted)


NO_PROSE = Prose((), (), english=False, last_line=0)
"""A text whose prose nobody asks about."""


def read_prose(text: str, first_line: int = 1) -> Prose:
    """Take a text apart.

    Args:
        text: Markdown with LF.
        first_line: the line of the file that the text begins in.
    """
    code = code_ranges(text)
    shown = blanked(text, code)
    whole = is_english(traits(shown))
    reader = _Reader(first_line, whole)
    fences = tuple(_fences(text, code, first_line))
    inside = {line for one in fences for line in range(one.line, one.end_line + 1)}
    for number, (raw, prose) in enumerate(zip(text.split("\n"), shown.split("\n"), strict=True), first_line):
        if number in inside:
            reader.finish()
        else:
            reader.line(raw, prose, number)
    reader.finish()
    last_line = first_line + text.rstrip().count("\n")
    return Prose(tuple(reader.statements), fences, whole, last_line)


@dataclass(slots=True)
class _Open:
    """A statement that may still get lines."""

    kind: Kind
    line: int
    parent: int | None
    introduction: int | None
    box: str | None = None
    texts: list[str] = field(default_factory=list)
    proses: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Reader:
    """What is open while lines are read, and the statements so far."""

    first_line: int
    whole: bool
    statements: list[Statement] = field(default_factory=list)
    now: _Open | None = None
    items: list[tuple[int, int]] = field(default_factory=list)
    """Indentation and number of each list item that the next line may belong to."""
    heading: int | None = None
    introduction: int | None = None
    level: int = 0
    """How deep the open heading is."""

    def line(self, raw: str, prose: str, number: int) -> None:
        """Read one line."""
        if not raw.strip() or _RULE.match(raw):
            self.finish()
        elif heading := _HEADING.match(raw):
            self.begin(Kind.HEADING, number)
            self.level = len(heading["marks"])
            self.add(raw, prose, heading.end())
            self.finish()
        elif item := _ITEM.match(raw):
            self.item(raw, prose, number, item)
        elif _TABLE.match(raw):
            self.begin(Kind.TABLE, number)
            self.add(raw, prose, 0)
            self.finish()
        elif quote := _QUOTE.match(raw):
            if self.now is None or self.now.kind != Kind.QUOTE:
                self.leave(_columns(raw))
                self.begin(Kind.QUOTE, number)
            self.add(raw, prose, quote.end())
        else:
            indent = _columns(raw)
            if self.now is None:
                self.leave(indent)
                self.begin(Kind.PARAGRAPH, number)
            self.add(raw, prose, len(raw) - len(raw.lstrip()))

    def item(self, raw: str, prose: str, number: int, found: re.Match[str]) -> None:
        """Begin a list item."""
        self.finish()
        indent = _columns(found["indent"] + "x")
        if not self.items and self.statements:
            last = self.statements[-1]
            self.introduction = len(self.statements) - 1 if last.kind == Kind.PARAGRAPH else None
        self.leave(indent)
        self.begin(Kind.ITEM, number, found["box"])
        self.items.append((indent, len(self.statements)))
        self.add(raw, prose, found.end())

    def leave(self, indent: int) -> None:
        """Leave the items that a line with this indentation does not belong to."""
        while self.items and self.items[-1][0] >= indent:
            self.items.pop()

    def begin(self, kind: Kind, number: int, box: str | None = None) -> None:
        """Begin a statement."""
        self.finish()
        if kind in {Kind.HEADING, Kind.TABLE}:
            self.items.clear()
        parent = self.items[-1][1] if self.items else None
        self.now = _Open(kind, number, parent, self.introduction if kind == Kind.ITEM else None, box)

    def add(self, raw: str, prose: str, start: int) -> None:
        """Add what a line says from a position on."""
        if self.now is not None:
            end = max(len(raw.rstrip()), start)
            self.now.texts.append(raw[start:end])
            self.now.proses.append(prose[start:end])

    def finish(self) -> None:
        """Enter the open statement."""
        if self.now is None:
            return
        now, self.now = self.now, None
        starts, at = [], 0
        for text in now.texts:
            starts.append(at)
            at += len(text) + 1
        prose = " ".join(now.proses)
        english = piece_is_english(traits(prose), whole=self.whole)
        place = (now.line, now.line + len(starts) - 1, tuple(starts), now.parent, self.heading, now.introduction)
        level, self.level = self.level, 0
        self.statements.append(Statement(now.kind, " ".join(now.texts), prose, *place, english, now.box, level))
        if now.kind == Kind.HEADING:
            self.heading, self.introduction = len(self.statements) - 1, None


def _columns(line: str) -> int:
    """How far a line is indented."""
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip(" "))


def _fences(text: str, code: tuple[tuple[int, int], ...], first_line: int) -> Iterator[Fence]:
    """The ranges of code that are fenced blocks."""
    at, line = 0, first_line
    for start, end in code:
        opened = _FENCE.match(text, start) if start == 0 or text[start - 1] == "\n" else None
        line += text.count("\n", at, start)
        at = start
        if opened is None or "\n" not in text[start:end]:
            continue
        lines = text[start:end].removesuffix("\n").split("\n")
        closed = len(lines) > 1 and lines[-1].strip(" \t>").startswith(opened[1])
        inner = lines[1:-1] if closed else lines[1:]
        yield Fence(line, line + len(lines) - 1, opened["info"], tuple(inner), end - start)
