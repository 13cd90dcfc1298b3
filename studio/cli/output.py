"""Everything the commands write: bytes, JSON, aligned tables, and notes beside them.

Results go to standard output as UTF-8 whatever the locale, and nothing else does; what is said beside them goes to standard error.
Colour is used only where standard output is a terminal and NO_COLOR is not set.
"""

import json
import os
import sys
import unicodedata
from collections.abc import Sequence
from typing import TextIO

from studio.errors import CannotWrite

BOLD, DIM = "1", "2"
"""ANSI codes of what we use."""
JOINER = "\u200d"
"""The one invisible character that is shown as it is: it joins emoji."""
BLANKS = "Zs"
"""The Unicode category of blanks, which are shown as they are."""
GAP = "  "


class ReaderGone(Exception):
    """Whoever read our output, such as `head`, has closed it; there is nobody left to tell."""


def write_text(content: bytes) -> None:
    """Write a stored text: byte for byte, but to a terminal with its escapes shown, since an agent's text must not steer it.

    Raises what `write_bytes` does.
    """
    if sys.stdout is not None and sys.stdout.isatty():
        text = content.decode("utf-8", "backslashreplace")
        content = "".join(c if c in "\n\t" else visible(c) for c in text).encode("utf-8")
    write_bytes(content)


def write_bytes(content: bytes) -> None:
    """Write a result byte for byte.

    Raises:
        ReaderGone: nobody reads any more.
        CannotWrite: it cannot be written, e.g. because the disk is full.
    """
    if sys.stdout is None:  # closed before we started
        raise CannotWrite("it is closed")
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        _drop(sys.stdout)
        raise ReaderGone from None
    except OSError as error:
        _drop(sys.stdout)
        raise CannotWrite(error.strerror or str(error)) from None


def _drop(stream: TextIO) -> None:
    """Send what is left in the buffer nowhere, or Python tries again when it ends, complains and has an exit code of its own."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def write_line(text: str) -> None:
    """Write a line of a result."""
    write_bytes(f"{text}\n".encode("utf-8", "backslashreplace"))


def write_json(value: object) -> None:
    """Write a JSON value, readable and in UTF-8; to a terminal with what could steer it as JSON's own escapes, which mean the same."""
    told = json.dumps(value, ensure_ascii=False, indent=2)
    if sys.stdout is not None and sys.stdout.isatty():
        told = "".join(c if c == "\n" or _harmless(c) else json.dumps(c)[1:-1] for c in told)
    write_line(told)


def note(text: str) -> None:
    """Say something beside the result, on standard error; nobody may be listening."""
    if sys.stderr is not None:
        try:
            print(text, file=sys.stderr, flush=True)
        except OSError:
            _drop(sys.stderr)


def is_watched() -> bool:
    """Whether a person reads along: standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


def visible(text: str) -> str:
    """Text that cannot steer a terminal: line breaks, escapes and direction marks become visible escapes."""
    if text.isprintable():
        return text
    return "".join(c if _harmless(c) else c.encode("unicode_escape").decode("ascii") for c in text)


def _harmless(character: str) -> bool:
    return character.isprintable() or character == JOINER or unicodedata.category(character) == BLANKS


def write_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Write rows under headings, columns aligned by what a terminal shows; wide characters count twice."""
    from rich.cells import cell_len  # noqa: PLC0415 - only tables need it, and it costs start-up time

    cells = [[visible(cell) for cell in row] for row in (headings, *rows)]
    widths = [max(cell_len(row[column]) for row in cells) for column in range(len(headings))]
    lines = [
        GAP.join(cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
    lines[0] = styled(lines[0], BOLD)
    write_bytes("".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace"))


def styled(text: str, code: str) -> str:
    """The text with an ANSI style, where colour is used."""
    return f"\x1b[{code}m{text}\x1b[0m" if _colour() else text


def _colour() -> bool:
    terminal = sys.stdout is not None and sys.stdout.isatty()
    return terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
