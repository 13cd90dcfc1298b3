"""What every command shares: which store it opens, whether it answers in JSON, and how it is registered."""

import inspect
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Concatenate, ParamSpec, TypeVar

import typer
from typer.core import TyperCommand

from studio.actions.open import open_studio
from studio.actions.studio import Studio
from studio.cli.output import is_watched, note, visible
from studio.errors import StoreHeld, StoreServed

HELP_OPTIONS = ("-h", "--help")
"""What asks for help, at every level; those below take it over from the program."""
WAIT_FOR_STORE_SECONDS = 2.0
"""How long to wait for another command to give the store back: the two of a pipe, `memory show | memory save`, start together."""
TRY_STORE_EVERY_SECONDS = 0.05


T = TypeVar("T")


def _not_empty(value: str | None) -> str | None:
    """What a person gave; an empty value would quietly mean another store or another operator."""
    if value == "":
        raise typer.BadParameter("it is empty")
    return value


DbOption = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="FILE",
        callback=_not_empty,
        help="The store's file, or the URL of one that is served; else STUDIO_DB, else a file in your data folder.",
        show_default=False,
    ),
]
PromptsOption = Annotated[
    Path | None,
    typer.Option(
        "--prompts",
        metavar="FOLDER",
        help="The prompt templates; else STUDIO_PROMPTS, else ours.",
        show_default=False,
    ),
]
OperatorOption = Annotated[
    str | None,
    typer.Option(
        "--operator",
        metavar="NAME",
        callback=_not_empty,
        help="Who acts; else STUDIO_OPERATOR, else your account.",
        show_default=False,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]

AgentArgument = Annotated[
    str, typer.Argument(metavar="AGENT", help="The agent's id or its unique name.", show_default=False)
]
VersionArgument = Annotated[int, typer.Argument(metavar="N", help="Number of the version.", show_default=False)]


@dataclass(frozen=True, slots=True)
class Where:
    """Which store, whose templates, and who acts; None where the environment says."""

    database: str | None = None
    """As `--db` names it."""
    prompts: Path | None = None
    """As `--prompts` names it."""
    operator: str | None = None
    """As `--operator` says."""

    def over(self, other: "Where") -> "Where":
        """These, and the other's where there are none here: what stands after the verb goes before what stands before the noun."""
        return Where(self.database or other.database, self.prompts or other.prompts, self.operator or other.operator)

    @property
    def named(self) -> bool:
        """Whether a person named the store."""
        return self.database is not None or bool(os.environ.get("STUDIO_DB"))


@dataclass(frozen=True, slots=True)
class Session:
    """What one command was told beside its own arguments."""

    where: Where
    """The store and who acts."""
    json: bool
    """Whether to answer in JSON."""
    begins: bool = False
    """Whether the command is one to begin a store with; every other finds one or says that there is none."""

    def open(self, wait_seconds: float = WAIT_FOR_STORE_SECONDS) -> Studio:
        """Open the store; a default store is named on standard error where a person reads along.

        Args:
            wait_seconds: how long to wait for another command to give the store back.

        Raises what `open_studio` does; `Busy` only after that wait.
        """
        where = self.where
        studio = patiently(
            lambda: open_studio(where.database, prompts=where.prompts, operator=where.operator, make=self.begins),
            wait_seconds,
        )
        if not self.where.named and is_watched():
            note(f"Store: {visible(studio.path)}")
        if (lost := studio.lost) is not None:
            note(visible(f"Warning: {lost}"))
        return studio


def patiently(open_it: Callable[[], T], wait_seconds: float = WAIT_FOR_STORE_SECONDS) -> T:
    """What is opened; asks again for a while as long as another command holds the store, and says so when that is no moment.

    Raises what `open_it` does; `Busy` only after that wait.
    """
    begun = time.monotonic()
    told = not is_watched()
    while True:
        try:
            return open_it()
        except StoreServed:
            raise
        except StoreHeld as held:
            waited_seconds = time.monotonic() - begun
            if waited_seconds >= wait_seconds:
                raise
            if not told and waited_seconds >= WAIT_FOR_STORE_SECONDS:
                note(f"Waiting up to {wait_seconds:.0f} s: {visible(held.message)}")
                told = True
            time.sleep(TRY_STORE_EVERY_SECONDS)


def noun(help_text: str, *, completes: bool = False) -> typer.Typer:
    """A group of commands; the program itself also has options that let a shell complete its words."""
    return typer.Typer(
        help=help_text,
        no_args_is_help=True,
        rich_markup_mode=None,
        add_completion=completes,
        context_settings={"help_option_names": list(HELP_OPTIONS)},
    )


class Verb(TyperCommand):
    """A command whose usage line names its arguments plainly: `AGENT [FILE]`."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ANN401 - the base's own context is not public
        """The parts of the usage line; typer puts what is required in braces."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]


P = ParamSpec("P")
R = TypeVar("R")


def command(
    group: typer.Typer, name: str, *, example: str, answers_json: bool = True, begins: bool = False
) -> Callable[[Callable[Concatenate[Session, P], R]], Callable[Concatenate[Session, P], R]]:
    """Register a verb: a function that takes a session and its own arguments. Its docstring is the help.

    The options every command takes (`--json`, `--db`, `--prompts`, `--operator`) are added here, so that they are the same everywhere.

    Args:
        group: the noun.
        name: the verb.
        example: one command line that shows it.
        answers_json: whether it takes `--json`.
        begins: whether it makes the store where there is none.
    """

    def register(function: Callable[Concatenate[Session, P], R]) -> Callable[Concatenate[Session, P], R]:
        own = list(inspect.signature(function).parameters.values())[1:]

        def carry_out(context: typer.Context, **given: Any) -> None:  # noqa: ANN401 - as typer read them
            where = Where(given.pop("db"), given.pop("prompts"), given.pop("operator"))
            before = context.find_object(Where) or Where()
            session = Session(where.over(before), given.pop("json", False), begins)
            call: Callable[..., R] = function  # its own parameters are those of the signature below
            call(session, **given)

        shared: list[tuple[str, object, object]] = [("json", JsonOption, False)] if answers_json else []
        shared += [("db", DbOption, None), ("prompts", PromptsOption, None), ("operator", OperatorOption, None)]
        keyword = inspect.Parameter.KEYWORD_ONLY
        parameters = [
            inspect.Parameter("context", keyword, annotation=typer.Context),
            *(one.replace(kind=keyword) for one in own),
            *(inspect.Parameter(name, keyword, annotation=hint, default=value) for name, hint, value in shared),
        ]
        carry_out.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        carry_out.__annotations__ = {one.name: one.annotation for one in parameters}
        group.command(name, cls=Verb, help=inspect.getdoc(function), epilog=f"Example: {example}")(carry_out)
        return function

    return register
