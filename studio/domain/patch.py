"""The change between two texts as a unified patch that `git apply` takes, forwards and (`-R`) backwards."""

import re
from collections.abc import Iterator

from studio.domain.diff import Hunk, Kind, diff, hunks

CONTEXT_LINES = 3
"""Equal lines beside each change, as git has it."""
_NO_NEWLINE = "\n\\ No newline at end of file\n"
_EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
_NULL_BLOB = "0" * 40
_TO_ESCAPE = re.compile(r'[\x00-\x1f\x7f"\\]')
_ESCAPES = {"\t": "\\t", "\n": "\\n", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def unified_patch(old: str | None, new: str | None, name: str = "memory.md") -> str:
    r"""The patch from `a/{name}` to `b/{name}`; empty if both are equal.

    Args:
        old: the old text, or None where there was no file. An empty text is an existing, empty file.
        new: the new text, or None where the file is gone.
        name: the file's path, with `/` between its parts.

    Returns:
        Text with LF after each line of the patch. A CR, BOM or NEL of the texts stands in it as it is (decision 5), so it
        must be written as UTF-8 without newline translation. A last line without newline is followed by git's own mark.
    """
    if old == new:
        return ""
    body = "".join(_hunk(hunk) for hunk in hunks(diff(old or "", new or ""), CONTEXT_LINES))
    before, after = _quoted(f"a/{name}"), _quoted(f"b/{name}")
    lines = [f"diff --git {before} {after}\n"]
    if old is None:
        lines.append("new file mode 100644\n")
    elif new is None:
        lines.append("deleted file mode 100644\n")
    if not body:
        blobs = (_NULL_BLOB, _EMPTY_BLOB) if old is None else (_EMPTY_BLOB, _NULL_BLOB)
        return "".join([*lines, f"index {blobs[0]}..{blobs[1]}\n"])
    lines.append(f"--- {'/dev/null' if old is None else _ended(before)}\n")
    lines.append(f"+++ {'/dev/null' if new is None else _ended(after)}\n")
    return "".join(lines) + body


def _hunk(hunk: Hunk) -> str:
    """One hunk with its header."""
    old_size = sum(len(block.old) for block in hunk.blocks)
    new_size = sum(len(block.new) for block in hunk.blocks)
    header = f"@@ -{_range(hunk.old_start, old_size)} +{_range(hunk.new_start, new_size)} @@\n"
    return header + "".join(_lines(hunk))


def _range(start: int, size: int) -> str:
    """A range as patches write it: from 1, and of an empty one the line before it."""
    first = start + 1 if size else start
    return str(first) if size == 1 else f"{first},{size}"


def _lines(hunk: Hunk) -> Iterator[str]:
    """The lines of a hunk; deleted ones before inserted ones wherever changes touch."""
    inserted: list[str] = []
    for block in hunk.blocks:
        if block.kind is Kind.EQUAL:
            yield from inserted
            inserted = []
            yield from (_line(" ", line) for line in block.old)
        else:
            yield from (_line("-", line) for line in block.old)
            inserted += [_line("+", line) for line in block.new]
    yield from inserted


def _line(sign: str, line: str) -> str:
    """One line of a patch."""
    return sign + line if line.endswith("\n") else sign + line + _NO_NEWLINE


def _quoted(path: str) -> str:
    """A path as git writes it in a patch: escaped where it holds a control character, quote or backslash."""
    escaped = _TO_ESCAPE.sub(lambda found: _ESCAPES.get(found[0]) or f"\\{ord(found[0]):03o}", path)
    return path if escaped == path else f'"{escaped}"'


def _ended(path: str) -> str:
    """The path on a `---` or `+++` line; a tab after it says that a blank in it is its own."""
    return f"{path}\t" if " " in path else path
