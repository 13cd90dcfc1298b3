"""The reference of the command line, made from the program itself so that the README cannot fall behind it."""

from collections.abc import Iterator
from typing import Any

from studio.cli.main import PROGRAM, program

SHARED = ("--json", "--db", "--prompts", "--operator", "--help")
"""Options that every command takes; they are named once."""
SHARED_LINE = f"Every command also takes {', '.join(SHARED[:-1])} and {SHARED[-1]}; serve and api have no {SHARED[0]}."


def reference() -> str:
    """Every command with its own arguments and options, and below it the first sentence of its help; then what all share."""
    return "\n".join([*_entries(program(), PROGRAM), "", SHARED_LINE]) + "\n"


def _entries(command: Any, name: str) -> Iterator[str]:  # noqa: ANN401 - typer's own classes are not public
    """The entry of a command, or those of all below a noun."""
    below = getattr(command, "commands", {})
    for verb, one in below.items():
        yield from _entries(one, f"{name} {verb}")
    if not below:
        sentence = " ".join((command.help or "").split()).split(". ")[0].rstrip(".")
        yield " ".join([name, *_usage(command)])
        yield f"    {sentence}."


def _usage(command: Any) -> Iterator[str]:  # noqa: ANN401
    """Its arguments, then its own options; what may be left out stands in brackets."""
    ordered = sorted(command.params, key=lambda one: (one.param_type_name == "option", not one.required))
    for one in ordered:
        written = one.metavar if one.param_type_name == "argument" else one.opts[0]
        if written in SHARED:
            continue
        if one.param_type_name == "option" and not one.is_flag:
            written += f" {one.metavar or '|'.join(one.type_descriptor.choices)}"
        yield (written if one.required else f"[{written}]") + ("…" if getattr(one, "multiple", False) else "")
