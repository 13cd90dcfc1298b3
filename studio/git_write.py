"""Writing a commit into a repository without touching what its owner is working on.

Nothing here runs a hook, a filter or an editor: contents become objects as they are, trees are built in an index of their own,
and the branch moves only from the commit that the writer read. The owner's index and files follow in `studio.git_checkout`.
"""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from studio.git import GitFailed, Repository, run


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
    return run(repo.where, "hash-object", "-w", "--no-filters", "--stdin", given=content).decode().strip()


def write_blobs(repo: Repository, contents: Sequence[bytes]) -> tuple[str, ...]:
    """Keep many contents exactly as they are, in one process; gives their shas in order."""
    if not contents:
        return ()
    with tempfile.TemporaryDirectory(prefix="studio-blobs-") as folder:
        files = [Path(folder) / str(number) for number in range(len(contents))]
        for file, content in zip(files, contents, strict=True):
            file.write_bytes(content)
        named = "".join(f"{file}\n" for file in files).encode("utf-8", "surrogateescape")
        told = run(repo.where, "hash-object", "-w", "--no-filters", "--stdin-paths", given=named)
    return tuple(told.decode("ascii").split())


def write_tree(repo: Repository, base: str, changes: Mapping[str, Entry | None]) -> str:
    """The tree of a commit with some paths changed, None taking one away; gives the tree's sha.

    Args:
        repo: where to write.
        base: the commit to start from; empty for an empty tree.
        changes: what each path, from the root, is to hold.
    """
    with tempfile.TemporaryDirectory(prefix="studio-index-") as folder:
        also = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
        run(repo.where, "read-tree", *([base] if base else ["--empty"]), also=also)
        update_index(repo, changes, also["GIT_INDEX_FILE"])
        return run(repo.where, "write-tree", also=also).decode().strip()


def update_index(repo: Repository, changes: Mapping[str, Entry | None], index: str) -> None:
    """Let an index file hold other entries at some paths, None taking one away.

    Writing an index, git looks again at files that changed in the same moment as the index, and would run the owner's filters for
    that. So it is given an empty working tree; the caller keeps the index's time, by which git will look again.
    """
    lines = []
    for path, entry in changes.items():
        facts = f"0 {'0' * len(repo.head)}" if entry is None else f"{entry.mode} {entry.sha}"
        lines.append(f"{facts}\t{path}\0".encode("utf-8", "surrogateescape"))
    with tempfile.TemporaryDirectory(prefix="studio-empty-") as empty:
        folder = (
            run(repo.where, "rev-parse", "--absolute-git-dir").decode("utf-8", "surrogateescape").removesuffix("\n")
        )
        also = {"GIT_INDEX_FILE": index, "GIT_DIR": folder, "GIT_WORK_TREE": empty}
        run(empty, "update-index", "-z", "--index-info", given=b"".join(lines), also=also)


def write_commit(repo: Repository, tree: str, parents: tuple[str, ...], message: str, by: Signature) -> str:
    """A commit of a tree, on no branch yet; gives its sha. The message is kept as it is, with a newline at its end."""
    named = [part for parent in parents for part in ("-p", parent)]
    text = message if message.endswith("\n") else message + "\n"
    told = run(repo.where, "commit-tree", tree, *named, "-F", "-", given=text.encode(), also=_signed(by))
    return told.decode().strip()


def move_head(repo: Repository, new: str, old: str, why: str, by: Signature) -> bool:
    """Move HEAD, and the branch it names, from one commit to another; whether it still was at the old one.

    Args:
        repo: where to write.
        new: the commit to move to.
        old: where HEAD must be now.
        why: what the reflog says.
        by: whose move the reflog says it is.
    """
    try:
        run(repo.where, "update-ref", "-m", why, "--create-reflog", "HEAD", new, old, also=_signed(by))
    except GitFailed as error:
        if "cannot lock ref" in error.says or "expected" in error.says:
            return False
        raise
    return True


def configured(repo: Repository, name: str) -> str | None:
    """A setting of git as this repository's owner has it, or None."""
    try:
        found = run(repo.where, "config", "--get", name).decode("utf-8", "replace").strip()
    except GitFailed:
        return None
    return found or None


def _signed(by: Signature) -> dict[str, str]:
    """The variables by which git takes the author and committer from us, whatever is configured."""
    at = f"{int(by.at.timestamp())} {by.at.strftime('%z')}"
    facts = {"NAME": by.name, "EMAIL": by.address, "DATE": at}
    return {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in facts.items()}
