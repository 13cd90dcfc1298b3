"""The globs of a directory's config, over paths from the root (decision 33).

`*` and `?` stay within one part of a path and match a leading dot too; `**` is a whole part and stands for any number of parts.
Everything else is literal: no braces, no brackets, no negation.
"""

import re
from functools import cache

_PIECE = re.compile(r"(?:\*\*/)+|\*\*|\*+|\?|[^*?]+")


@cache
def glob_pattern(glob: str) -> re.Pattern[str]:
    """The glob as a pattern for a whole path."""
    return re.compile("".join(_translated(piece) for piece in _PIECE.findall(glob)), re.DOTALL)


def matches(glob: str, path: str) -> bool:
    """Whether the glob names the path."""
    return glob_pattern(glob).fullmatch(path) is not None


def _translated(piece: str) -> str:
    if piece == "**":
        return ".*"
    if piece.startswith("**"):
        return "(?:.*/)?"
    if piece.startswith("*"):
        return "[^/]*"
    return "[^/]" if piece == "?" else re.escape(piece)
