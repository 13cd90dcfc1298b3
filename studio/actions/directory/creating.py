"""Begin a memory directory from a template."""

import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from studio import git
from studio.domain.directory.hooks import HookStatus
from studio.domain.directory.tree import FileMode, shown_path
from studio.errors import CannotMake, DirectoryThere, RepositoryHeld
from studio.git_write import Entry, Signature, configured, move_head, write_blobs, write_commit, write_tree
from studio.memfs import hook_install
from studio.memfs.checkout import Change, Checkout, Held, hold
from studio.memfs.repo import open_directory
from studio.sources.settings import account
from studio.sources.templates import find_templates

BRANCH = "main"
"""The branch of a new repository."""
MESSAGE = "Begin a memory directory"
"""The message of its first commit."""


class Begun(NamedTuple):
    """A directory that was begun."""

    path: str
    """Its folder."""
    commit: str
    """The sha of the commit that begins it."""
    files: tuple[str, ...]
    """The files it holds."""
    hook: HookStatus | None
    """How its hook stands; None where none was asked for."""


def begin_directory(
    path: str | Path, *, now: datetime, prompts: Path | None = None, operator: str | None = None, hook: bool = True
) -> Begun:
    """Make a folder the repository of a memory directory, commit the template's files there, and install the hook.

    The folder is made where it is not there. In a repository that has commits, the files are added to them.

    Args:
        path: the folder.
        now: the time (UTC).
        prompts: the folder of the templates, as `--prompts` names it.
        operator: who the commit is by where git knows no name (decision 4).
        hook: whether to install the hook.

    Raises:
        NoTemplate: the template is missing.
        DirectoryThere: a file of the template is there already; nothing was changed.
        CannotMake: the folder or a file in it cannot be made, or it is the root of a disk.
        HookInTheWay: another program's hook is there; nothing was changed.
        RepositoryHeld: another git process holds the index; nothing was changed.
    """
    files = find_templates(prompts, os.environ).directory()
    folder = Path(path)
    check_place(folder)
    if folder.resolve() == folder.resolve().parent:
        raise CannotMake(str(folder), "it is the root of a disk; name a folder of its own")
    taken = [name for name in files if (folder / name).exists() or (folder / name).is_symlink()]
    if taken:
        raise DirectoryThere(str(folder), taken)
    repo = _repository(folder)
    held = {entry.path for entry in git.files_at(repo, repo.head)} if repo.head else set()
    if held & files.keys():
        raise DirectoryThere(str(folder), sorted(held & files.keys()))
    name = configured(repo, "user.name") or operator or os.environ.get("STUDIO_OPERATOR") or account()
    with hold(repo) as checkout:
        installed = hook_install.install(repo) if hook else None
        _write(folder, files)
        commit = _commit(repo, checkout, files, Signature(name, configured(repo, "user.email") or "", now))
    return Begun(str(folder), commit, tuple(files), installed)


def check_place(folder: Path) -> None:
    """Refuse a name that no folder can have, such as one that is too long.

    Raises:
        CannotMake: the system does not take it.
    """
    try:
        folder.lstat()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as error:
        raise CannotMake(shown_path(str(folder)), error.strerror or str(error)) from error
    except ValueError as error:  # NUL, or what is no text
        raise CannotMake(repr(str(folder)), str(error)) from error


def _repository(folder: Path) -> git.Repository:
    """The repository whose root the folder is, made where there is none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotMake(str(folder), error.strerror or str(error)) from error
    if not (folder / ".git").exists():
        git.run(str(folder), "init", "--quiet", f"--initial-branch={BRANCH}")
    return open_directory(folder)


def _write(folder: Path, files: Mapping[str, str]) -> None:
    """Write the files into the working tree, as their bytes are."""
    for name, text in files.items():
        try:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(text.encode())
        except OSError as error:
            raise CannotMake(str(folder / name), error.strerror or str(error)) from error


def _commit(repo: git.Repository, checkout: Checkout, files: Mapping[str, str], by: Signature) -> str:
    """Commit the files on top of HEAD, and let the index know; no filter of the repository runs, as `git add` would let it."""
    contents = [text.encode() for text in files.values()]
    made = {
        name: Change(Held(None, b""), Entry(FileMode.REGULAR, sha), content)
        for name, sha, content in zip(files, write_blobs(repo, contents), contents, strict=True)
    }
    tree = write_tree(repo, repo.head, {name: change.entry for name, change in made.items()})
    commit = write_commit(repo, tree, (repo.head,) if repo.head else (), MESSAGE, by)
    if not move_head(repo, commit, repo.head, f"commit: {MESSAGE}", by):
        raise RepositoryHeld(repo.given, str(git.own_file(repo, "HEAD.lock")))
    checkout.follow(made)
    return commit
