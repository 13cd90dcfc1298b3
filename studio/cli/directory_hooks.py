"""How a hook stands and what was begun, as lines."""

from studio.cli.output import note, visible, write_line
from studio.domain.directory.begun import Begun
from studio.domain.directory.hooks import HookState, HookStatus

_SAYS = {
    HookState.INSTALLED: "The hook is installed",
    HookState.OUTDATED: "An older hook of ours is installed, or one of another installation; install it again",
    HookState.DISABLED: "The hook is there but not executable, so git does not run it; install it again",
    HookState.FOREIGN: "Another program's hook is installed",
    HookState.ABSENT: "No hook is installed",
}


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
    return f"{_SAYS[found.state]}: {visible(found.path)}{aside}"
