"""Files of noted links, and how a check of a store ends that could not run."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from studio.cli import exits
from studio.domain.changes import TextKind
from studio.domain.checking import Head
from studio.domain.paths import AgentId
from studio.errors import BadArgument, Damaged, NothingToRead
from studio.render.wire_backups import head_record

WriteHeadsOption = Annotated[
    Path | None,
    typer.Option(
        "--write-heads", metavar="FILE", help="Note the newest link of every chain in this file.", show_default=False
    ),
]
HeadsOption = Annotated[
    Path | None,
    typer.Option(
        "--heads", metavar="FILE", help="Find each link that was noted in this file in its chain.", show_default=False
    ),
]


def read_heads(file: Path) -> tuple[Head, ...]:
    """The links that were noted.

    Raises:
        NothingToRead: there is no such file.
        BadArgument: a line is none that `--write-heads` wrote.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise NothingToRead(str(file), getattr(error, "strerror", None) or "it is not text") from None
    return tuple(_head(file, number, line) for number, line in enumerate(lines, 1) if line.strip())


def _head(file: Path, number: int, line: str) -> Head:
    try:
        given = json.loads(line)
        return Head(AgentId(str(given["agent"])), TextKind(given["text"]), int(given["number"]), str(given["link"]))
    except (ValueError, KeyError, TypeError):
        raise BadArgument(f"Line {number} of {file} is not a link that 'studio verify --write-heads' noted.") from None


def write_heads_file(file: Path, heads: Sequence[Head]) -> None:
    """Note links, one a line.

    Raises:
        BadArgument: the file cannot be written.
    """
    try:
        file.write_text("".join(f"{json.dumps(head_record(head))}\n" for head in heads), encoding="utf-8")
    except OSError as error:
        raise BadArgument(f"Cannot write {file}: {error.strerror or error}.") from None


@contextmanager
def judging_store(*, as_json: bool) -> Iterator[None]:
    """Let the check of a store end with 3 where its file is damaged and with 2 where it could not run, so that 1 means findings.

    Args:
        as_json: whether its errors are JSON.
    """
    try:
        with exits.judging(as_json=as_json):
            yield
    except typer.Exit as ended:
        cause = ended.__cause__
        raise typer.Exit(exits.NOT_DONE if isinstance(cause, Damaged) else ended.exit_code) from cause
