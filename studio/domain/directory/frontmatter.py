"""The header of a memory file: a line grammar of its own, not YAML (decision 33).

It is read twice, on purpose. `read` is what compiling takes from any committed text, as lenient as the cases show: a BOM and
CRLF do not hide a header, `|` and `>` values may span lines. `problems` is what a commit may bring, and is strict.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

from studio.domain.directory.whitespace import trimmed

FENCE = "---"
"""The line that opens and closes a header."""
FIELDS = ("name", "description")
"""The fields that a header has, both and no others."""
_BOM = "\ufeff"
_HEADER = re.compile(r"---\n(.*?)\n---(?:\n(.*))?\Z", re.DOTALL)
_CLOSING = re.compile(rf"^{FENCE}$", re.MULTILINE)
_BLOCK = re.compile(r"([|>])([+-]?)")
_EMPTY_VALUES = {"", '""', "''"}


@dataclass(frozen=True, slots=True)
class Document:
    """A memory file as compiling reads it, with line ends as LF and without a BOM."""

    body: str
    """What is below the header, blanks at both ends trimmed; without a header the whole text as it is."""
    fields: tuple[tuple[str, str], ...] = ()
    """The header's fields by first occurrence, values trimmed; of a repeated field the last value."""
    header: bool = False
    """Whether there is a header."""
    body_line: int = 1
    """The line of the file where the body starts, from 1."""

    def field(self, name: str) -> str:
        """A field's value; empty where there is none."""
        return next((value for key, value in self.fields if key == name), "")

    @property
    def description(self) -> str:
        """What the prompt says about the block; may have several lines."""
        return self.field("description")


class Problem(NamedTuple):
    """One thing that is wrong with a header."""

    kind: str
    """The rule, as `fm_missing_field`."""
    message: str
    """What is wrong and how to mend it, without the file's name."""
    line: int
    """The line of the file, from 1."""
    actual: str | None = None
    """What stands there, where that helps."""


def read(text: str) -> Document:
    """Take a memory file apart for compiling; no text is refused."""
    unified = text.removeprefix(_BOM).replace("\r\n", "\n").replace("\r", "\n")
    found = _HEADER.match(unified)
    if found is None:
        return Document(unified)
    below = found[2] or ""
    blank = len(below) - len(below.lstrip())
    line = found[1].count("\n") + 4 + below.count("\n", 0, blank)
    return Document(trimmed(below), tuple(_fields(found[1].split("\n")).items()), header=True, body_line=line)


def opens_header(text: str) -> bool:
    """Whether the first line is a fence, also behind a BOM or with CRLF: what no index may begin with."""
    return text.removeprefix(_BOM).partition("\n")[0].removesuffix("\r") == FENCE


def problems(text: str) -> tuple[Problem, ...]:
    """Everything that is wrong with the header of a memory file that is no index."""
    if text != FENCE and not text.startswith(FENCE + "\n"):
        return (Problem("fm_missing", _why_missing(text), 1),)
    start = len(FENCE) + 1
    closing = _CLOSING.search(text, start)
    if closing is None:
        return (Problem("fm_unclosed", f"the header is not closed; end it with a line of exactly {FENCE}", 1),)
    found: list[Problem] = []
    seen: set[str] = set()
    for number, line in enumerate(text[start : closing.start()].split("\n"), 2):
        if line:
            found.extend(_line_problems(line, number, seen))
    found.extend(
        Problem("fm_missing_field", f"the header has no {name}; add a line '{name}: …'", 1, name)
        for name in FIELDS
        if name not in seen
    )
    return tuple(found)


def _line_problems(line: str, number: int, seen: set[str]) -> list[Problem]:
    """What is wrong with one line between the fences; notes the field as seen."""
    before, _, after = line.partition(":")
    key, value = before.strip(" "), after.strip(" ")
    if key not in FIELDS:
        allowed = " and ".join(FIELDS)
        message = (
            f"the header's line {line[:60]!r} is no {' or '.join(FIELDS)} on one line; a header holds {allowed} only"
        )
        return [Problem("fm_unknown_key", message, number, key[:60])]
    found = []
    if key in seen:
        found.append(Problem("fm_duplicate_key", f"the header has {key} twice; keep one", number, key))
    seen.add(key)
    if value in _EMPTY_VALUES:
        found.append(Problem("fm_empty_value", f"{key} is empty; write a value on the same line", number, key))
    return found


def _why_missing(text: str) -> str:
    if text.startswith(_BOM):
        return f"a byte order mark stands before the header; save the file without one, so that {FENCE} comes first"
    if opens_header(text):
        return "the header has Windows line ends (CRLF); save the file with LF"
    return f"the file has no header; begin it with {FENCE}, a name, a description and {FENCE}, each on its own line"


def _fields(lines: list[str]) -> dict[str, str]:
    """The fields of a header as compiling reads them; a list or a nested mapping is no text and reads as empty."""
    read_so_far: dict[str, str] = {}
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        colon = line.find(":")
        if line[:1].isspace() or colon < 1:
            continue
        key, value = trimmed(line[:colon]), trimmed(line[colon + 1 :])
        block = _BLOCK.fullmatch(value)
        if block:
            end = next((n for n in range(at, len(lines)) if lines[n] and not lines[n][0].isspace()), len(lines))
            value = trimmed(_block(lines[at:end], folded=block[1] == ">"))
            at = end
        read_so_far[key] = value
    return read_so_far


def _block(lines: list[str], *, folded: bool) -> str:
    """A value over several lines, without their shared indentation; folded, only blank lines stay line breaks."""
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    inner = [line[min(indents) :] if line.strip() else "" for line in lines] if indents else []
    if not folded:
        return "\n".join(inner)
    text, breaks = "", 0
    for line in inner:
        if not line:
            breaks += 1
            continue
        text += ("\n" * breaks or " ") * bool(text) + line
        breaks = 0
    return text
