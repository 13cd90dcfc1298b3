"""Put the check into a repository as its pre-commit and pre-merge-commit hooks, take it out, and say how it stands.

A hook is a small shell script that names the Python it was installed with. It stands where git looks for hooks, in linked
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
from dataclasses import replace
from pathlib import Path

from studio import git
from studio.domain.directory.hooks import HookState, HookStatus
from studio.errors import CannotMake, HookInTheWay, HooksOutside
from studio.memfs.plain import read_plain

HOOK, MERGE_HOOK = "pre-commit", "pre-merge-commit"
"""The names of the hooks: git runs the second one, and not the first, for a merge that needs no help."""
ASIDE = ".before-prompt-studio"
"""What the name of a foreign hook that is kept aside ends in."""
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
    """How the hooks stand; `python` is the one that installed hooks should name."""
    folder = git.hooks_folder(repo)
    own, merges = (_stands(folder / name, python) for name in (HOOK, MERGE_HOOK))
    lags = own.state is HookState.INSTALLED and merges.state not in {HookState.INSTALLED, HookState.FOREIGN}
    return replace(own, state=HookState.OUTDATED if lags else own.state, merges=merges)


def install(
    repo: git.Repository, *, force: bool = False, outside: bool = False, python: str = sys.executable
) -> HookStatus:
    """Write the hooks; writing them again is no harm.

    Args:
        repo: the directory.
        force: put foreign hooks aside.
        outside: whether somebody confirmed that they are written outside of the repository.
        python: the Python that is to run them.

    Raises:
        HookInTheWay: a foreign hook stands there, or one is to be put aside where one was already.
        HooksOutside: `core.hooksPath` leads outside of the repository.
        CannotMake: nothing can be written there.
    """
    folder = git.hooks_folder(repo)
    found = [_stands(folder / name, python) for name in (HOOK, MERGE_HOOK)]
    ours = all(one.state not in {HookState.ABSENT, HookState.FOREIGN} for one in found)
    if not outside and not ours and _outside(repo, folder):
        raise HooksOutside(str(folder))
    for one in found:
        if one.state is HookState.FOREIGN and not force:
            raise HookInTheWay(one.path, "use --force to put it aside")
        if one.state is HookState.FOREIGN and one.kept is not None:
            raise HookInTheWay(one.path, f"and another was put aside before, as {one.kept}; move one of them")
    for one in found:
        path = Path(one.path)
        with _written(path):
            _write(path, _script(python), aside=_aside(path) if one.state is HookState.FOREIGN else None)
    return status(repo, python=python)


def uninstall(repo: git.Repository) -> HookStatus:
    """Take our hooks away, and put back what was kept aside for them; where there are none, nothing happens.

    Raises:
        HookInTheWay: the hook there is another program's.
        CannotMake: nothing can be written there.
    """
    found = status(repo)
    if found.state is HookState.FOREIGN:
        raise HookInTheWay(found.path, "it is not ours to take away")
    for one in (found, found.merges):
        if one is None or one.state in {HookState.ABSENT, HookState.FOREIGN}:
            continue
        path = Path(one.path)
        with _written(path):
            if one.kept is not None:
                _aside(path).replace(path)
            else:
                path.unlink()
    return status(repo)


def _stands(path: Path, python: str) -> HookStatus:
    """How one hook stands."""
    kept = _aside(path)
    aside = str(kept) if os.path.lexists(kept) else None
    if not os.path.lexists(path):
        return HookStatus(HookState.ABSENT, str(path), aside)
    script = (read_plain(path) or b"").decode("utf-8", "surrogateescape")
    if _MARK not in script:
        return HookStatus(HookState.FOREIGN, str(path), aside)
    found = _named(script)
    if not os.access(path, os.X_OK):
        state = HookState.DISABLED
    else:
        ours = script == _script(found) and Path(found).parent == Path(python).parent  # python and python3 are one
        state = HookState.INSTALLED if ours else HookState.OUTDATED
    return HookStatus(state, str(path), aside, found)


def _aside(path: Path) -> Path:
    """Where a foreign hook is kept."""
    return path.with_name(path.name + ASIDE)


def _outside(repo: git.Repository, folder: Path) -> bool:
    """Whether a folder, whatever links lead there, is in neither the working tree nor git's own folder."""
    within = [git.common_folder(repo), *([] if repo.root is None else [repo.root])]
    return not any(folder.resolve().is_relative_to(one.resolve()) for one in within)


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
    number, name = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
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
