"""The program `studio`: noun then verb."""

import os
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
import typer.main

from studio.cli import exits
from studio.cli.output import write_line
from studio.cli.session import HELP_OPTIONS, DbOption, OperatorOption, PromptsOption, Where, noun

PROGRAM = "studio"
NOUNS = {
    "agents": "agents",
    "memory": "memory",
    "task": "task",
    "prompt": "prompt",
    "notes": "notes",
    "collections": "collections",
    "run": "run",
    "import": "importing",
    "token": "token",
    "dir": "directory",
}
"""The nouns, and the module of each. They load when they are named: a command needs one of them, and all take long."""
MORE_VERBS = ("directory_audit", "directory_changes", "directory_history", "directory_headroom", "directory_lint")
"""Modules that add verbs to nouns of others."""
VERBS = ("serve", "backups")
"""Modules of verbs that need no noun."""


def _version(asked: bool) -> None:  # noqa: FBT001 - typer's form of a callback
    if asked:
        from importlib.metadata import version  # noqa: PLC0415 - costs every other command start-up time

        write_line(f"prompt-studio {version('prompt-studio')}")
        raise typer.Exit


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


def program() -> Any:  # noqa: ANN401 - typer's own classes are not public
    """All commands as typer runs them."""
    for name in MORE_VERBS:
        _module(name)
    return _program(tuple(NOUNS), VERBS)


@cache
def _program(nouns: tuple[str, ...], verbs: tuple[str, ...]) -> Any:  # noqa: ANN401
    """The commands of these nouns, and those without one in these modules, put together once."""
    app = noun("See, compare and steer what LLM agents read about themselves.", completes=True)
    app.callback(epilog=exits.EXIT_CODES)(studio)
    for name in nouns:
        app.add_typer(_module(NOUNS[name]).app, name=name)
    for name in verbs:
        _module(name).register(app)
    return typer.main.get_command(app)


def _module(name: str) -> Any:  # noqa: ANN401 - a module
    return import_module(f"studio.cli.{name}")


def _run(words: Sequence[str]) -> Any:  # noqa: ANN401 - an exit code, or nothing
    """Carry a command out by the nouns among its words; by all there are where that does not do, as for a help or a slip."""
    named = tuple(name for name in NOUNS if name in words)
    if named and not set(HELP_OPTIONS).intersection(words):
        try:
            return _called(_program(named, ()), words)
        except typer.TyperException as error:
            said = error.format_message()
            if "No such command" not in said and "Usage:" not in said:
                raise
    return _called(program(), words)


def _called(command: Any, words: Sequence[str]) -> Any:  # noqa: ANN401
    return command.main(list(words), prog_name=PROGRAM, standalone_mode=False)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program.

    Args:
        arguments: the command line without the program's name; this process's without one.

    Returns:
        The exit code (decision 49).
    """
    given = [_utf8(word) for word in sys.argv[1:]] if arguments is None else list(arguments)
    return exits.run(_run, given)


def _utf8(word: str) -> str:
    """A word of the command line read as UTF-8, also where the locale says otherwise; what is no UTF-8 stays as Python read it."""
    try:
        return os.fsencode(word).decode("utf-8")
    except UnicodeError:
        return word
