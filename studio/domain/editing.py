r"""What an editor that knows only `\n` may do to a stored text without changing what it does not show.

A text box of a browser shows no byte order mark and turns `\r\n` and `\r` into `\n`. Saving what it holds would rewrite every
line of a CRLF memory (cases diff-16 and no-op-02). So the editor is given `shown(stored)`, and what comes back becomes
`kept(stored, edited)`: each line that was not changed has the ending it had, each changed line the ending of the line it replaces,
and a new line the ending that most lines have. Laws: `kept(s, shown(s)) == s` and `shown(kept(s, t)) == t`.
"""

import re

from studio.domain.diff import Block, Diff, Kind, diff
from studio.domain.endings import BOM

_LINE_END = re.compile(r"\r\n|\r|\n")


def shown(stored: str) -> str:
    r"""The text as such an editor holds it: without the byte order mark, every line ended by `\n`."""
    return _LINE_END.sub("\n", stored.removeprefix(BOM))


def kept(stored: str, edited: str) -> str:
    r"""What to save for an edited text, with the byte order mark and line endings of the stored one.

    Args:
        stored: the text that the editor started from, as stored.
        edited: what the editor holds now; its lines end in `\n`.
    """
    started = shown(stored)
    if edited == started:
        return stored
    change = diff(started, edited)
    ends = _LINE_END.findall(stored)
    usual = _usual(ends)
    lines = [
        _with_end(line, ends[at] if at is not None and at < len(ends) else usual)
        for block in change.blocks
        for line, at in zip(block.new, _replaced(change, block), strict=True)
    ]
    mark = BOM if stored.startswith(BOM) and edited else ""
    return mark + "".join(_apart(lines, usual))


def _apart(lines: list[str], usual: str) -> list[str]:
    r"""The lines, with no `\r` at an end that would make one ending with a `\n` that now follows it.

    From the last line to the first, since a line that is changed so may be what the one before it must be kept apart from.
    """
    done: list[str] = []
    for line in reversed(lines):
        together = line.endswith("\r") and bool(done) and done[-1].startswith("\n")
        done.append(line[:-1] + usual if together else line)
    return done[::-1]


def _usual(ends: list[str]) -> str:
    r"""The ending that most lines have; a `\r` alone is a character, not an ending (decision 15)."""
    return "\r\n" if ends.count("\r\n") > ends.count("\n") else "\n"


def _replaced(change: Diff, block: Block) -> list[int | None]:
    """For each new line of a block, the position of the old line whose ending it keeps; None where there is none."""
    source = change.blocks[block.moved] if block.moved is not None and block.kind is Kind.INSERT else block
    return [source.old_start + index if index < len(source.old) else None for index in range(len(block.new))]


def _with_end(line: str, end: str) -> str:
    """The line with this ending in place of its newline; a last line without one stays without."""
    return line[:-1] + end if line.endswith("\n") else line
