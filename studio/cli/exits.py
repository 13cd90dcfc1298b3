"""How a command ends: its exit code (decision 49), and the one sentence that is said."""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import typer

from studio.cli.output import ReaderGone, note, visible
from studio.domain.records import Record
from studio.errors import StudioError, Unconfirmed
from studio.render.wire import error_record

DONE = 0
"""Done; a write that changes nothing is done too."""
FINDINGS = 1
"""A check, the lint, an audit or `verify` found something."""
USAGE = 2
"""The command line itself is wrong."""
COULD_NOT_RUN = 2
"""A check, the lint or an audit has no answer: there is no repository, or nothing in it to look at."""
NOT_DONE = 3
"""Refused, not found, stale, busy or damaged: nothing was changed."""
FAULT = 4
"""A fault of ours."""
INTERRUPTED = 130
"""Stopped from the keyboard."""
EXIT_CODES = (
    "Exit codes: 0 done, 1 findings, 2 usage or could not run, 3 refused, not found, stale, busy or damaged,"
    " 4 a fault of ours."
)
"""All of them in a sentence (decision 49)."""


def run(command: Callable[[Sequence[str]], object], arguments: Sequence[str]) -> int:
    """Carry a command out, say what went wrong in one sentence on standard error, and give the exit code.

    Args:
        command: called with the arguments; gives an exit code or nothing.
        arguments: the command line without the program's name. With `--json` among them errors are JSON.
    """
    try:
        code = command(arguments)
    except StudioError as error:
        asked = error.questions if isinstance(error, Unconfirmed) else ()
        return _say(arguments, error.kind, error.message, NOT_DONE, asked)
    except typer.TyperException as error:
        return _usage(arguments, error)
    except ReaderGone:
        return DONE
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except Exception as error:
        if os.environ.get("STUDIO_DEBUG"):
            raise
        what = type(error).__name__
        return _say(
            arguments,
            "fault",
            f"A fault of ours stopped this command ({what}); run it again with STUDIO_DEBUG=1 to see where, and report that.",
            FAULT,
        )
    return code if isinstance(code, int) else DONE


@contextmanager
def judging(*, as_json: bool) -> Iterator[None]:
    """Let a verb that judges a directory end with 2 where it could not run, so that 1 always means findings.

    Args:
        as_json: whether its errors are JSON.
    """
    try:
        yield
    except StudioError as error:
        raise typer.Exit(_say(["--json"] if as_json else [], error.kind, error.message, COULD_NOT_RUN)) from error


def _usage(arguments: Sequence[str], error: typer.TyperException) -> int:
    """Say what is wrong with the command line and where its help is."""
    context: typer.Context | None = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "studio"
    says = error.format_message().strip().replace("Value error, ", "")
    if "\n" in says and "--json" not in arguments:  # the whole help, of a noun without a verb
        note(says)
        return USAGE
    if "\n" in says:
        says = "Missing command"
    says = says.rstrip(".").replace(". Did you mean", "; did you mean")
    return _say(arguments, "usage", says if says.endswith("?") else f"{says}; see '{path} --help'.", USAGE)


def _say(arguments: Sequence[str], kind: str, message: str, code: int, asked: Sequence[Record] = ()) -> int:
    """Write the error as one line, or as JSON where that was asked for."""
    line = visible(" ".join(message.split()))
    note(json.dumps(error_record(kind, line, asked)) if "--json" in arguments else line)
    return code
