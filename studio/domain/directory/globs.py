"""The globs of a directory's config, over paths from the root (decision 33).

`*` and `?` stay within one part of a path and match a leading dot too; `**` is a whole part and stands for any number of parts.
Everything else is literal: no braces, no brackets, no negation.

A glob comes out of the repository that is judged, so no glob may cost more than its length times that of the path: what stands
between two stars is looked for once, at the first place where it fits (the atomic groups), since the star behind it takes the rest.
"""

import re
from functools import lru_cache

_KEPT_PATTERNS = 4_096


@lru_cache(maxsize=_KEPT_PATTERNS)
def glob_pattern(glob: str) -> re.Pattern[str]:
    """The glob as a pattern for a whole path."""
    runs: list[list[str]] = [[]]
    for part in glob.split("/"):
        if part == "**":
            runs.append([])
        else:
            runs[-1].append(_part(part))
    if len(runs) == 1:
        return re.compile("/".join(runs[0]), re.DOTALL)
    first, *between, last = runs
    somewhere = "".join(f"(?>(?:[^/]*/)*?{_folders(run)})" for run in between if run)
    ending = "(?:.*/)?" + "/".join(last) if last else ".*"
    return re.compile(_folders(first) + somewhere + ending, re.DOTALL)


def matches(glob: str, path: str) -> bool:
    """Whether the glob names the path."""
    return glob_pattern(glob).fullmatch(path) is not None


def _folders(parts: list[str]) -> str:
    return "".join(f"{part}/" for part in parts)


def _part(part: str) -> str:
    """One part of a glob, without slashes, as a pattern."""
    begin, *rest = (_literal(piece) for piece in re.split(r"\*+", part))
    if not rest:
        return begin
    *between, end = rest
    return begin + "".join(f"(?>[^/]*?{piece})" for piece in between) + f"[^/]*{end}"


def _literal(piece: str) -> str:
    return "".join("[^/]" if character == "?" else re.escape(character) for character in piece)
