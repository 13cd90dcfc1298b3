"""The program `studio`: noun then verb."""

import os
import sys
from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any

import typer
import typer.main

from studio.cli import (
    agents,
    backups,
    collections,
    directory,
    exits,
    importing,
    memory,
    notes,
    prompt,
    run,
    serve,
    task,
    token,
)
from studio.cli import directory_audit as _directory_audit  # noqa: F401 - its verbs belong to dir
from studio.cli import directory_history as _directory_history  # noqa: F401 - likewise
from studio.cli import directory_lint as _directory_lint  # noqa: F401 - its verbs belong to dir, memory and task
from studio.cli.output import write_line
from studio.cli.session import DbOption, OperatorOption, PromptsOption, Where, noun

PROGRAM = "studio"

app = noun("See, compare and steer what LLM agents read about themselves.")
app.add_typer(agents.app, name="agents")
app.add_typer(memory.app, name="memory")
app.add_typer(task.app, name="task")
app.add_typer(prompt.app, name="prompt")
app.add_typer(notes.app, name="notes")
app.add_typer(collections.app, name="collections")
app.add_typer(run.app, name="run")
app.add_typer(importing.app, name="import")
app.add_typer(token.app, name="token")
app.add_typer(directory.app, name="dir")
serve.register(app)
backups.register(app)


def _version(asked: bool) -> None:  # noqa: FBT001 - typer's form of a callback
    if asked:
        from importlib.metadata import version  # noqa: PLC0415 - costs every other command start-up time

        write_line(f"prompt-studio {version('prompt-studio')}")
        raise typer.Exit


@app.callback(epilog="Exit codes: 0 done, 1 refused, not found, stale, busy or damaged, 2 usage.")
def studio(
    context: typer.Context,
    *,
    db: DbOption = None,
    prompts: PromptsOption = None,
    operator: OperatorOption = None,
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    """See, compare and steer what LLM agents read about themselves."""
    context.obj = Where(db, prompts, operator)


@cache
def program() -> Any:  # noqa: ANN401 - typer's own classes are not public
    """The commands as typer runs them, put together once."""
    return typer.main.get_command(app)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program.

    Args:
        arguments: the command line without the program's name; this process's without one.

    Returns:
        The exit code: 0 done, 1 refused, not found, stale, busy or damaged, 2 usage.
    """
    given = [_utf8(word) for word in sys.argv[1:]] if arguments is None else list(arguments)
    return exits.run(lambda words: program().main(list(words), prog_name=PROGRAM, standalone_mode=False), given)


def _utf8(word: str) -> str:
    """A word of the command line read as UTF-8, also where the locale says otherwise; what is no UTF-8 stays as Python read it."""
    try:
        return os.fsencode(word).decode("utf-8")
    except UnicodeError:
        return word
