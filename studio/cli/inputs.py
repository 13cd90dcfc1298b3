"""Texts and settings that commands are given."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from studio.cli.output import note
from studio.errors import NothingToRead, NotText

STANDARD_INPUT = "-"
"""How a command line names standard input."""

FileArgument = Annotated[
    str,
    typer.Argument(
        metavar="FILE", help="The text; standard input where no file is named, or for -.", show_default=False
    ),
]


class Switch(StrEnum):
    """A setting that is on or off."""

    ON = "on"
    OFF = "off"


def is_on(switch: Switch | None) -> bool | None:
    """The setting as a truth value; None where it was not given."""
    return None if switch is None else switch is Switch.ON


def read_text(file: str) -> str:
    """A text exactly as its bytes are: line endings, BOM and a missing final newline stay (decision 5).

    Args:
        file: a file's name, or `-` for standard input.

    Raises:
        NothingToRead: there is no such file, or it cannot be opened.
        NotText: it is not UTF-8.
    """
    content, name = _read(file)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotText(name, error.start) from None


def _read(file: str) -> tuple[bytes, str]:
    """The bytes, and what to call them in a sentence."""
    if file == STANDARD_INPUT:
        if sys.stdin is None:  # closed before we started
            raise NothingToRead("standard input", "it is closed")
        if sys.stdin.isatty():
            note("Type the text; Ctrl-D on a line of its own ends it.")
        return sys.stdin.buffer.read(), "Standard input"
    try:
        return Path(file).read_bytes(), file
    except FileNotFoundError:
        raise NothingToRead(file, "there is no such file") from None
    except IsADirectoryError:
        raise NothingToRead(file, "it is a folder; name a file") from None
    except (OSError, ValueError) as error:
        raise NothingToRead(file, getattr(error, "strerror", None) or "its name is not usable") from None
