"""An edit of one file of a memory directory: which paths it may name, and what it did."""

import re
import unicodedata
from dataclasses import dataclass, replace

from studio.domain.bodies import Body
from studio.domain.directory.tree import CONFIG, MARKDOWN, FileMode, Tree, TreeFile
from studio.errors import BadArgument

NOT_COMMITTED = "not committed"
"""In place of a blob's sha: a text that is in no repository yet."""
_GITS_OWN = re.compile(r"(\.git|git~1)[ .]*(:.*)?", re.IGNORECASE)
"""A name that some system takes for `.git`; git itself leaves such a path out of a commit without a word."""
_NOT_IN_A_PATH = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Edited:
    """What an edit did."""

    path: str
    """The file."""
    changed: bool
    """Whether it made a commit; False where HEAD already has the text."""
    commit: str
    """The commit at HEAD now."""
    version: int | None
    """The newest version of the compiled memory now; None where nothing compiles."""
    sha256: str | None
    """Of the file's bytes, for the next edit; None where it was deleted."""
    behind: str | None = None
    """Why the owner's working tree does not have the commit yet, as a sentence; None where it does."""


def edited_tree(tree: Tree, path: str, body: Body | None) -> Tree:
    """The tree as an edit of one file leaves it.

    Args:
        tree: the tree before.
        path: the file.
        body: what it is to hold; None deletes it.
    """
    others = [file for file in tree if file.path != path]
    if body is None:
        return Tree(tuple(others))
    before = tree.at(path) or TreeFile(path, FileMode.REGULAR, NOT_COMMITTED)
    edited = replace(before, sha=NOT_COMMITTED, body=body)
    return Tree(tuple(sorted([*others, edited], key=lambda one: one.path.encode("utf-8", "surrogateescape"))))


def check_path(path: str, *, any_file: bool = False) -> str:
    r"""The path itself, if it names a file that an edit may write: Markdown or the config, from the directory's root.

    Judged by its parts, with `\` taken for the separator that some system takes it for (path-02).

    Args:
        path: the file.
        any_file: whether it may be no memory, as the script of a skill that is brought back.

    Raises:
        BadArgument: it leaves the directory, is git's own, or is no memory.
    """
    parts = path.replace("\\", "/").split("/")
    if "\\" in path or any(part in {"", ".", ".."} for part in parts) or _NOT_IN_A_PATH.search(path):
        raise BadArgument(
            f"{path!r} is no path in a memory directory; write it from the root, as human.md or ops/pager.md."
        )
    if any(_GITS_OWN.fullmatch(_without_invisible(part)) for part in parts):
        raise BadArgument(f"{path!r} is git's own; a memory directory is edited by its Markdown files.")
    if not any_file and not path.endswith(MARKDOWN) and path != CONFIG:
        raise BadArgument(f"{path!r} is no memory; Markdown files and {CONFIG} can be edited.")
    return path


def _without_invisible(name: str) -> str:
    """A name as a system reads it that leaves out characters of format."""
    return "".join(letter for letter in name if unicodedata.category(letter) != "Cf")
