"""Writing a commit into a repository without touching what its owner is working on.

Nothing here runs a hook, a filter or an editor: contents become objects as they are, trees are built in an index of their own,
and the branch moves only from the commit that the writer read. The owner's index and files follow in `studio.memfs.checkout`.
"""

import contextlib
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from studio.errors import CannotMake, RepositoryHeld
from studio.git import WORKING_TREE_SECONDS, GitFailed, Repository, run

_CONVERTING = ("filter", "working-tree-encoding")
"""The attributes by which git keeps a content otherwise than it is on disk, beside line ends."""
_LOCKED = re.compile(r"Unable to create '(.+)': File exists")


@dataclass(frozen=True, slots=True)
class Entry:
    """What a path is to hold."""

    mode: str
    """git's mode."""
    sha: str
    """The blob's sha."""


@dataclass(frozen=True, slots=True)
class Signature:
    """Who a commit is by."""

    name: str
    """The name, one line."""
    address: str
    """The e-mail address."""
    at: datetime
    """When (aware)."""


def write_blob(repo: Repository, content: bytes) -> str:
    """Keep bytes exactly as they are; gives the blob's sha."""
    return _write(repo, "hash-object", "-w", "--no-filters", "--stdin", given=content)


def write_blobs(repo: Repository, contents: Sequence[bytes]) -> tuple[str, ...]:
    """Keep many contents exactly as they are, in one process; gives their shas in order."""
    if not contents:
        return ()
    with _scratch("blobs") as folder:
        files = [folder / str(number) for number in range(len(contents))]
        for file, content in zip(files, contents, strict=True):
            file.write_bytes(content)
        named = "".join(f"{file}\n" for file in files).encode("utf-8", "surrogateescape")
        return tuple(_write(repo, "hash-object", "-w", "--no-filters", "--stdin-paths", given=named).split())


def write_tree(repo: Repository, base: str, changes: Mapping[str, Entry | None]) -> str:
    """The tree of a commit with some paths changed, None taking one away; gives the tree's sha.

    Args:
        repo: where to write.
        base: the commit to start from; empty for an empty tree.
        changes: what each path, from the root, is to hold.
    """
    with _scratch("index") as folder:
        also = {"GIT_INDEX_FILE": str(folder / "index")}
        _write(repo, "read-tree", *([base] if base else ["--empty"]), also=also)
        update_index(repo, changes, also["GIT_INDEX_FILE"])
        return _write(repo, "write-tree", also=also)


def update_index(
    repo: Repository, changes: Mapping[str, Entry | None], index: str, skipped: Sequence[str] = ()
) -> None:
    """Let an index file hold other entries at some paths, None taking one away.

    Writing an index, git looks again at files that changed in the same moment as the index, and would run the owner's filters for
    that. So it is given an empty working tree; the caller keeps the index's time, by which git will look again.

    Args:
        repo: where to write.
        changes: what each path, from the root, is to hold.
        index: the file.
        skipped: those of the paths that stay left out of the working tree, as a sparse checkout leaves them.
    """
    lines = []
    for path, entry in changes.items():
        facts = f"0 {'0' * len(repo.head)}" if entry is None else f"{entry.mode} {entry.sha}"
        lines.append(f"{facts}\t{path}\0".encode("utf-8", "surrogateescape"))
    with _scratch("empty") as empty:
        folder = (
            run(repo.where, "rev-parse", "--absolute-git-dir").decode("utf-8", "surrogateescape").removesuffix("\n")
        )
        also = {"GIT_INDEX_FILE": index, "GIT_DIR": folder, "GIT_WORK_TREE": str(empty)}
        # in a sparse index, an entry would stand beside the folder that holds it
        update = ("-c", "index.sparse=false", "-C", str(empty), "update-index", "-z")
        _write(repo, *update, "--index-info", given=b"".join(lines), also=also)
        if skipped:
            _write(repo, *update, "--skip-worktree", "--stdin", given=_lines(skipped), also=also)


def write_commit(repo: Repository, tree: str, parents: tuple[str, ...], message: str, by: Signature) -> str:
    """A commit of a tree, on no branch yet; gives its sha. The message is kept as it is, with a newline at its end."""
    named = [part for parent in parents for part in ("-p", parent)]
    text = message if message.endswith("\n") else message + "\n"
    return _write(repo, "commit-tree", tree, *named, "-F", "-", given=text.encode(), also=_signed(by))


def move_head(repo: Repository, new: str, old: str, why: str, by: Signature) -> bool:
    """Move HEAD, and the branch it names, from one commit to another; whether it still was at the old one.

    Args:
        repo: where to write.
        new: the commit to move to.
        old: where HEAD must be now.
        why: what the reflog says.
        by: whose move the reflog says it is.

    Raises:
        RepositoryHeld: another git process holds HEAD or its branch.
        CannotMake: git cannot write them.
    """
    try:
        run(repo.where, "update-ref", "-m", why, "--create-reflog", "HEAD", new, old, also=_signed(by))
    except GitFailed as error:
        if held := _LOCKED.search(error.says):
            raise RepositoryHeld(repo.given, held[1]) from error
        if "but expected" in error.says or "reference already exists" in error.says:
            return False
        raise CannotMake(repo.given, f"git says: {error.says}") from error
    return True


def other_checkout(repo: Repository) -> tuple[str, str] | None:
    """HEAD's branch and the folder of another working tree that has it checked out, which a move of it would leave behind."""
    trees = _ask(repo, "worktree", "list", "--porcelain", "-z").removesuffix("\0\0").split("\0\0")
    branch = _ask(repo, "symbolic-ref", "--quiet", "HEAD") if len(trees) > 1 else ""
    if not branch:
        return None
    if _ask(repo, "rev-parse", "--git-dir") == _ask(repo, "rev-parse", "--git-common-dir"):
        del trees[0]  # which is this one: git begins with the main working tree, and misplaces that of a submodule
    for tree in trees:
        facts = dict(line.partition(" ")[::2] for line in tree.split("\0"))
        folder = Path(facts["worktree"])
        if facts.get("branch") == branch and folder.is_dir() and folder.resolve() != repo.root:
            return branch.removeprefix("refs/heads/"), str(folder)
    return None


def conversions(repo: Repository, paths: Iterable[str]) -> dict[str, str]:
    """The paths whose content git keeps otherwise than it is on disk, each with why: a filter that is set up, or an encoding."""
    attributes = run(
        *(repo.where, "check-attr", "-z", "--stdin", *_CONVERTING),
        given=_lines(paths),
        patience_seconds=WORKING_TREE_SECONDS,
    )
    told = attributes.decode("utf-8", "surrogateescape").split("\0")
    named = _ask(repo, "config", "--null", "--name-only", "--get-regexp", r"^filter\.").split("\0")
    filters = {name.rpartition(".")[0] for name in named}
    found = {}
    for path, attribute, value in zip(told[::3], told[1::3], told[2::3], strict=False):
        plain = {"unspecified", "unset", "set"} | ({"utf-8", "utf8"} if attribute == "working-tree-encoding" else set())
        if value.casefold() not in plain and (attribute != "filter" or f"filter.{value}" in filters):
            found[path] = f"{attribute} {value}"
    return found


def configured(repo: Repository, name: str) -> str | None:
    """A setting of git as this repository's owner has it, or None."""
    return (
        _ask(repo, "config", "--get", name).encode("utf-8", "surrogateescape").decode("utf-8", "replace").strip()
        or None
    )


def _ask(repo: Repository, *arguments: str) -> str:
    """What git answers; nothing where it has no answer."""
    try:
        return run(repo.where, *arguments).decode("utf-8", "surrogateescape").removesuffix("\n")
    except GitFailed:
        return ""


@contextlib.contextmanager
def _scratch(what: str) -> Iterator[Path]:
    """A folder of our own, for as long as it is needed."""
    try:
        with tempfile.TemporaryDirectory(prefix=f"studio-{what}-") as folder:
            yield Path(folder)
    except OSError as error:
        raise CannotMake(str(error.filename or tempfile.gettempdir()), error.strerror or str(error)) from error


def _write(repo: Repository, *arguments: str, given: bytes = b"", also: Mapping[str, str] | None = None) -> str:
    """What git says of what it wrote.

    Raises:
        CannotMake: it could not, as on a full disk.
    """
    try:
        return run(repo.where, *arguments, given=given, also=also).decode().strip()
    except GitFailed as error:
        raise CannotMake(repo.given, f"git says: {error.says}") from error


def _lines(paths: Iterable[str]) -> bytes:
    return b"".join(f"{path}\0".encode("utf-8", "surrogateescape") for path in paths)


def _signed(by: Signature) -> dict[str, str]:
    """The variables by which git takes the author and committer from us, whatever is configured."""
    at = f"{int(by.at.timestamp())} {by.at.strftime('%z')}"
    facts = {"NAME": by.name, "EMAIL": by.address, "DATE": at}
    return {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in facts.items()}
