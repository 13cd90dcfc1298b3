"""An edit of one file of a memory directory: which paths it may name, and what it did."""

import re
from dataclasses import dataclass

from studio.domain.directory.tree import CONFIG, MARKDOWN
from studio.errors import BadArgument

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


def check_path(path: str) -> str:
    r"""The path itself, if it names a file that an edit may write: Markdown or the config, from the directory's root.

    Judged by its parts, with `\` taken for the separator that some system takes it for (path-02).

    Raises:
        BadArgument: it leaves the directory, is git's own, or is no memory.
    """
    parts = path.replace("\\", "/").split("/")
    if "\\" in path or any(part in {"", ".", ".."} for part in parts) or _NOT_IN_A_PATH.search(path):
        raise BadArgument(
            f"{path!r} is no path in a memory directory; write it from the root, as human.md or ops/pager.md."
        )
    if any(part.casefold() == ".git" for part in parts):
        raise BadArgument(f"{path!r} is git's own; a memory directory is edited by its Markdown files.")
    if not path.endswith(MARKDOWN) and path != CONFIG:
        raise BadArgument(f"{path!r} is no memory; Markdown files and {CONFIG} can be edited.")
    return path
