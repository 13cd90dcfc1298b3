"""How a hook stands and what was begun, as lines."""

from typing import Annotated

import typer

from studio.cli.inputs import words_of
from studio.cli.output import note, visible, write_line
from studio.domain.directory.begun import Begun
from studio.domain.directory.hooks import OUTSIDE, HookState, HookStatus
from studio.errors import BadArgument

HooksConfirmed = Annotated[
    str | None,
    typer.Option(
        "--yes-to", metavar="WORDS", help=f"Confirm {OUTSIDE}: core.hooksPath leads elsewhere.", show_default=False
    ),
]
_SAYS = {
    HookState.INSTALLED: "The hook is installed",
    HookState.OUTDATED: "A hook of ours is installed that is older, of another installation, or not there for merges; install it again",
    HookState.DISABLED: "The hook is there but not executable, so git does not run it; install it again",
    HookState.FOREIGN: "Another program's hook is installed",
    HookState.ABSENT: "No hook is installed",
}


def confirmed(words: str | None) -> frozenset[str]:
    """What `--yes-to` confirms about hooks.

    Raises:
        BadArgument: it names something else.
    """
    named = frozenset(words_of(words or ""))
    if named - {OUTSIDE}:
        raise BadArgument(f"--yes-to takes {OUTSIDE} here, and not {', '.join(sorted(named - {OUTSIDE}))}.")
    return named


def tell_begun(begun: Begun, *, as_json: bool = False) -> None:
    """Say what was put where, and how the hook stands; of a directory that was there, that it stays as it is.

    Args:
        begun: what was begun.
        as_json: say only what is said beside an answer in JSON.
    """
    if begun.behind is not None:
        note(visible(begun.behind))
    if as_json:
        return
    if not begun.files:
        write_line(f"{visible(begun.path)} is a memory directory already and stays as it is.")
        return
    write_line(f"Begun in {visible(begun.path)}, commit {begun.commit[:10]}: {', '.join(begun.files)}")
    if begun.hook is not None:
        write_line(hook_said(begun.hook))


def hook_said(found: HookStatus) -> str:
    """How a hook stands, and where."""
    aside = f"; another program's hook is kept aside as {visible(found.kept)}" if found.kept else ""
    merges = found.merges
    foreign = merges is not None and merges.state is HookState.FOREIGN and found.state is not HookState.FOREIGN
    other = f"; clean merges run another program's hook: {visible(merges.path)}" if merges and foreign else ""
    return f"{_SAYS[found.state]}: {visible(found.path)}{aside}{other}"
