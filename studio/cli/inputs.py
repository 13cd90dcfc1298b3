"""Texts and settings that commands are given."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from studio.cli.output import note
from studio.domain.questions import Question, read_words
from studio.errors import NothingCame, NothingToRead, NotText, UnknownQuestion

STANDARD_INPUT = "-"
"""How a command line names standard input."""

FileArgument = Annotated[
    str,
    typer.Argument(
        metavar="FILE", help="The text; standard input where no file is named, or for -.", show_default=False
    ),
]


def _words(value: str) -> str:
    """What `--yes-to` was given, if each of its words answers a question."""
    try:
        read_words(words_of(value))
    except UnknownQuestion as error:
        raise typer.BadParameter(error.message) from None
    return value


class Switch(StrEnum):
    """A setting that is on or off."""

    ON = "on"
    OFF = "off"


def is_on(switch: Switch | None) -> bool | None:
    """The setting as a truth value; None where it was not given."""
    return None if switch is None else switch is Switch.ON


YesToOption = Annotated[
    str,
    typer.Option(
        "--yes-to",
        metavar="WORDS",
        callback=_words,
        help=f"Questions that are answered with yes, with commas between: {', '.join(Question)}.",
        show_default=False,
    ),
]


def read_new_text(file: str, yes_to: str) -> tuple[str, tuple[str, ...]]:
    """A text that is to be written, and the words of the questions that are answered with yes.

    A pipe that brings nothing is more often a failed command than an empty text, so it is refused unless `empty` is said. A file that
    is named and is empty says that it is meant.

    Raises what `read_text` does, and:
        NothingCame: nothing came through standard input or a pipe.
    """
    text, answered = read_text(file), words_of(yes_to)
    if text or Question.EMPTY in answered:
        return text, answered
    if file == STANDARD_INPUT or Path(file).is_fifo():
        raise NothingCame("Standard input" if file == STANDARD_INPUT else file, confirms=True)
    return text, (*answered, Question.EMPTY)


def read_json_text(file: str) -> str:
    """A text that is read as JSON, which an empty one is not. Raises what `read_text` does, and `NothingCame`."""
    text = read_text(file)
    if not text and file == STANDARD_INPUT:
        raise NothingCame("Standard input", confirms=False)
    return text


def words_of(yes_to: str) -> tuple[str, ...]:
    """The words of `--yes-to`."""
    return tuple(word.strip() for word in yes_to.split(",")) if yes_to else ()


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
