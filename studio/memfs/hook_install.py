"""Put the check into a repository as its pre-commit hook, take it out, and say how it stands.

The hook is a small shell script that names the Python it was installed with. It is kept where git looks for hooks, in linked
worktrees and with `core.hooksPath` too. Whatever else stands there is somebody's work: it is never lost.
"""

import contextlib
import os
import re
import shlex
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from studio import git
from studio.domain.directory.hooks import HookState, HookStatus
from studio.errors import CannotMake, HookInTheWay, SharedHooks

HOOK = "pre-commit"
"""The name of the hook."""
KEPT = "pre-commit.before-prompt-studio"
"""The name under which a foreign hook is kept aside."""
FORM = 2
"""The form of the script; an older one is written anew."""
_MARK = "Prompt Studio's check of a memory directory"
_PYTHON = re.compile(r"^python=(.*?)\nif ", re.MULTILINE | re.DOTALL)
_SCRIPT = """\
#!/bin/sh
# {mark}, form {form}.
# Written by 'studio dir hook install', which writes it anew; 'studio dir hook uninstall' takes it away.
python={python}
if [ ! -x "$python" ]; then
  echo "The memory check could not run, so nothing was committed: Prompt Studio is no longer at $python." >&2
  echo "Run 'studio dir hook install .' with the Prompt Studio you have now, or 'studio dir hook uninstall .'." >&2
  exit 2
fi
exec "$python" -E -P -c '
import sys
try:
    from studio.memfs.hook import main
except ImportError:
    print("The memory check could not run, so nothing was committed: the Python at " + sys.executable, file=sys.stderr)
    print("has no Prompt Studio any more. Install it there, or run:  studio dir hook install .", file=sys.stderr)
    sys.exit(2)
sys.exit(main())
'
"""


def status(repo: git.Repository, *, python: str = sys.executable) -> HookStatus:
    """How the hook stands; `python` is the one that an installed hook should name."""
    path, kept = _places(repo)
    aside = str(kept) if os.path.lexists(kept) else None
    if not os.path.lexists(path):
        return HookStatus(HookState.ABSENT, str(path), aside)
    try:
        script = path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        script = ""
    if _MARK not in script:
        return HookStatus(HookState.FOREIGN, str(path), aside)
    found = _named(script)
    if not os.access(path, os.X_OK):
        state = HookState.DISABLED
    else:
        ours = script == _script(found) and Path(found).parent == Path(python).parent  # python and python3 are one
        state = HookState.INSTALLED if ours else HookState.OUTDATED
    return HookStatus(state, str(path), aside, found)


def install(repo: git.Repository, *, force: bool = False, python: str = sys.executable) -> HookStatus:
    """Write the hook; writing it again is no harm.

    Args:
        repo: the directory.
        force: put a foreign hook aside, and write into a folder that other repositories use too.
        python: the Python that is to run it.

    Raises:
        HookInTheWay: a foreign hook stands there, or one is to be put aside where one was already.
        SharedHooks: `core.hooksPath` is set for all of the user's repositories.
        CannotMake: nothing can be written there.
    """
    path, kept = _places(repo)
    found = status(repo, python=python)
    if git.hooks_are_shared(repo) and not force and found.state in {HookState.ABSENT, HookState.FOREIGN}:
        raise SharedHooks(str(path.parent))
    if found.state is HookState.FOREIGN:
        if not force:
            raise HookInTheWay(found.path, "use --force to put it aside")
        if found.kept is not None:
            raise HookInTheWay(found.path, f"and another was put aside before, as {found.kept}; move one of them")
    with _written(path):
        _write(path, _script(python), aside=kept if found.state is HookState.FOREIGN else None)
    return status(repo, python=python)


def uninstall(repo: git.Repository) -> HookStatus:
    """Take our hook away, and put back what was kept aside for it; where there is none, nothing happens.

    Raises:
        HookInTheWay: the hook there is another program's.
        CannotMake: nothing can be written there.
    """
    path, kept = _places(repo)
    found = status(repo)
    if found.state is HookState.FOREIGN:
        raise HookInTheWay(found.path, "it is not ours to take away")
    if found.state is not HookState.ABSENT:
        with _written(path):
            if found.kept is not None:
                kept.replace(path)
            else:
                path.unlink()
    return status(repo)


def _places(repo: git.Repository) -> tuple[Path, Path]:
    """Where git looks for the hook, and where a foreign one is kept aside."""
    folder = git.hooks_folder(repo)
    return folder / HOOK, folder / KEPT


def _script(python: str) -> str:
    return _SCRIPT.format(mark=_MARK, form=FORM, python=shlex.quote(python.replace(os.sep, "/")))


def _named(script: str) -> str:
    """The Python that a script of ours names; empty where somebody's hand left it unreadable."""
    found = _PYTHON.search(script)
    try:
        return "".join(shlex.split(found[1])) if found else ""
    except ValueError:
        return ""


@contextlib.contextmanager
def _written(path: Path) -> Iterator[None]:
    """Say in a sentence that the folder of hooks cannot be written."""
    try:
        yield
    except OSError as error:
        raise CannotMake(str(path), error.strerror or str(error)) from error


def _write(path: Path, script: str, aside: Path | None) -> None:
    """Write a program in one step, so that no commit meets half of it; what stood there goes aside once all else is done."""
    path.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(prefix=f"{HOOK}.", dir=path.parent)
    everyone = stat.S_IRWXU | stat.S_IRGRP | stat.S_IXGRP | stat.S_IROTH | stat.S_IXOTH
    try:
        with os.fdopen(number, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            file.write(script)
        Path(name).chmod(everyone)
        if aside is not None:
            path.rename(aside)
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)
