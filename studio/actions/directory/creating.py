"""Begin a memory directory from a template: all of it, or nothing of it."""

import contextlib
import os
import shutil
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath

from studio import git
from studio.actions.directory.signing import signature
from studio.domain.bodies import Body, storable
from studio.domain.directory.begun import Begun
from studio.domain.directory.editing import edited_tree
from studio.domain.directory.hooks import HookState, HookStatus
from studio.domain.directory.limits import check
from studio.domain.directory.tree import FileMode, shown_path
from studio.errors import (
    BadArgument,
    CannotMake,
    DirectoryThere,
    FolderInUse,
    HeadMoved,
    InAnotherRepository,
    NotForMemory,
    NothingToRead,
    StudioError,
)
from studio.git_write import Entry, configured, write_blobs
from studio.memfs import hook_install
from studio.memfs.checkout import hold
from studio.memfs.editing import commit_on_head
from studio.memfs.repo import open_directory, tree_at
from studio.memfs.working_tree import Change, Held, remove_empty
from studio.sources.settings import account
from studio.sources.templates import find_templates

BRANCH = "main"
"""The branch of a new repository."""
MESSAGE = "Begin a memory directory"
"""The message of its first commit."""


def begin_directory(
    path: str | Path,
    *,
    now: datetime,
    prompts: Path | None = None,
    operator: str | None = None,
    hook: bool = True,
    hooks_outside: bool = False,
) -> Begun:
    """Make a folder the repository of a memory directory, commit the template's files there, and install the hook.

    The folder is made where it is not there. In a repository, the files are added to what is committed. Where anything fails, all is
    as it was before.

    Args:
        path: the folder.
        now: the time (UTC).
        prompts: the folder of the templates, as `--prompts` names it.
        operator: who the commit is by where git knows no name (decision 4).
        hook: whether to install the hooks.
        hooks_outside: whether somebody confirmed that they are written outside of the repository.

    Raises:
        NoTemplate: the template is missing.
        DirectoryThere: something is there already where the template's files would be.
        FolderInUse: the folder holds something and is no repository.
        InAnotherRepository: the folder lies in a repository that does not ignore it.
        NotForMemory: with what is committed there, the hook would refuse each commit.
        CannotMake: the folder or a file in it cannot be made, or it is the root of a disk or git's own.
        HookInTheWay: another program's hook is there.
        HooksOutside: `core.hooksPath` leads outside of it.
        RepositoryHeld, HeadMoved: others were at work there at the same time.

    And what `commit_on_head` does.
    """
    files = find_templates(prompts, os.environ).directory()
    folder = Path(path)
    check_place(folder)
    if folder.resolve() == folder.resolve().parent:
        raise CannotMake(str(folder), "it is the root of a disk; name a folder of its own")
    _check_room(folder, files, [name for name in _with_folders(files) if _taken(folder / name, file=name in files)])
    with contextlib.ExitStack() as taken_back:
        repo = _repository(folder, taken_back)
        if repo.head:
            _check_room(folder, files, (entry.path for entry in git.files_at(repo, repo.head)))
            _check_passes(repo, files)
        name = configured(repo, "user.name") or operator or os.environ.get("STUDIO_OPERATOR") or account()
        with hold(repo) as checkout:
            installed = _hook(repo, taken_back, outside=hooks_outside) if hook else None
            made = commit_on_head(repo, checkout, _changes(repo, files), MESSAGE, signature(repo, name, now))
        if made is None:
            raise HeadMoved(repo.given)
        taken_back.pop_all()
    return Begun(str(folder), made.sha, tuple(files), installed, made.behind)


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


def check_storable(folder: str | Path) -> str:
    """The whole path of a folder, if a store can keep it, as it keeps that of an agent's memory.

    Raises:
        BadArgument: it is no text.
    """
    path = str(Path(folder).absolute())
    if not storable(path):
        raise BadArgument(f"The path {shown_path(path)} is no text that can be stored; rename the folder.")
    return path


def _with_folders(files: Iterable[str]) -> frozenset[str]:
    """The files of the template and the folders they lie in."""
    return frozenset(str(one) for name in files for one in (PurePosixPath(name), *PurePosixPath(name).parents[:-1]))


def _taken(place: Path, *, file: bool) -> bool:
    """Whether something is on disk where a file, or a folder for one, is to be."""
    return os.path.lexists(place) and (file or place.is_symlink() or not place.is_dir())


def _check_room(folder: Path, files: Mapping[str, str], there: Iterable[str]) -> None:
    """Refuse to begin where something is in the place of one of the template's files, of a folder for it, or below the file."""
    wanted = _with_folders(files)
    clash = [one for one in there if one in wanted or any(str(above) in files for above in PurePosixPath(one).parents)]
    if clash:
        raise DirectoryThere(str(folder), sorted(map(shown_path, clash)))


def _repository(folder: Path, taken_back: contextlib.ExitStack) -> git.Repository:
    """The repository whose root the folder is, made where there is none."""
    made = [one for one in (folder, *folder.parents) if not one.exists()]
    inside = folder / ".git"
    try:
        new = not os.path.lexists(inside)
        if new:
            _check_free(folder)
        if made:
            taken_back.callback(_remove, made[-1], folder)
        folder.mkdir(parents=True, exist_ok=True)
        if new:
            inside.mkdir()
            taken_back.callback(_remove, inside, folder)
            git.run(str(folder), "init", "--quiet", f"--initial-branch={BRANCH}")
    except OSError as error:
        raise CannotMake(str(folder), error.strerror or str(error)) from error
    except git.GitFailed as error:
        raise CannotMake(str(folder), f"git says: {error.says}") from error
    return open_directory(folder)


def _check_free(folder: Path) -> None:
    """Refuse to make a repository of a folder that others have: git, another repository, or whoever keeps files there."""
    there = next(one for one in (folder, *folder.parents) if one.exists())
    asked = ("rev-parse", "--is-inside-git-dir", "--is-inside-work-tree")
    try:
        in_gits_own, in_tree = git.run(str(there), *asked).split()
    except NothingToRead:  # no repository is around it, or one that git does not trust
        in_gits_own = in_tree = b"false"
    if in_gits_own == b"true":
        raise CannotMake(str(folder), "it is git's own folder of a repository")
    if there == folder and any(folder.iterdir()):
        raise FolderInUse(str(folder))
    if in_tree == b"true" and not _ignored(folder):
        around = git.run(str(there), "rev-parse", "--show-toplevel").removesuffix(b"\n")
        raise InAnotherRepository(str(folder), shown_path(os.fsdecode(around)))


def _ignored(folder: Path) -> bool:
    """Whether the repository around a folder, which need not be there yet, leaves it alone."""
    place = folder.resolve()
    above = next(one for one in place.parents if one.is_dir())
    return git.ignores(str(above), str(place.relative_to(above)))


def _check_passes(repo: git.Repository, files: Mapping[str, str]) -> None:
    """Refuse a repository of something else, such as code: its Markdown would be taken for memory."""
    head = tree_at(repo)
    tree = head
    for name, text in files.items():
        tree = edited_tree(tree, name, Body(text))
    if found := check(tree, [head], config_approved=True):
        raise NotForMemory(repo.given, [one.message for one in found])


def _remove(made: Path, folder: Path) -> None:
    """Remove what was made for a repository, unless somebody has committed to it meanwhile."""
    with contextlib.suppress(StudioError):
        if open_directory(folder).head:
            return
    shutil.rmtree(made, ignore_errors=True)


def _hook(repo: git.Repository, taken_back: contextlib.ExitStack, *, outside: bool) -> HookStatus:
    """Install the hooks; where there were none, they go again if no directory is begun."""
    before = hook_install.status(repo)
    for one in (before, before.merges):
        if one is not None and one.state is HookState.ABSENT:
            path = Path(one.path)
            if not path.parent.exists():
                taken_back.callback(remove_empty, path.parent)
            taken_back.callback(_remove_file, path)
    return hook_install.install(repo, outside=outside)


def _remove_file(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


def _changes(repo: git.Repository, files: Mapping[str, str]) -> dict[str, Change]:
    """The template's files as a commit makes them, byte for byte; no filter of the repository runs, as `git add` would let it."""
    contents = [text.encode() for text in files.values()]
    made = zip(files, write_blobs(repo, contents), contents, strict=True)
    return {name: Change(Held(None, b""), Entry(FileMode.REGULAR, sha), content) for name, sha, content in made}
