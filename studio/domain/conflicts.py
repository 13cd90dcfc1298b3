"""Conflict markers that a merge left in a text: complete ones only, so that a heading underlined with `=` is none (decision 39)."""

from dataclasses import dataclass

from studio.domain.endings import BOM

OURS, BASE, BETWEEN, THEIRS = "<<<<<<<", "|||||||", "=======", ">>>>>>>"
"""How the lines of a conflict begin, in their order; the one for the base is there in some styles only."""
_WIDTH = len(OURS)
_NEXT = {OURS: {BASE, BETWEEN}, BASE: {BETWEEN}, BETWEEN: {THEIRS}}
"""What may follow a marker; anything else that follows is text."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """One place that a merge left to be settled."""

    lines: tuple[int, ...]
    """The lines of its markers in order, from 1: three, or four where the base is shown too."""

    @property
    def said(self) -> str:
        """The lines it takes, for a sentence."""
        return f"{self.lines[0]} to {self.lines[-1]}"


def find_conflicts(text: str) -> tuple[Conflict, ...]:
    r"""The conflicts in a text, in order.

    A marker is exactly seven characters at the beginning of a line with nothing or a blank behind them, as git has it; lines end in
    `\n` or `\r\n`. A conflict that begins inside another begins anew.
    """
    if OURS not in text or THEIRS not in text:
        return ()
    found: list[Conflict] = []
    open_at: list[int] = []
    last = ""
    for number, line in enumerate(text.removeprefix(BOM).split("\n"), 1):
        marker = _marker(line)
        if marker == OURS:
            open_at, last = [number], OURS
        elif marker and marker in _NEXT.get(last, ()):
            open_at.append(number)
            last = marker
            if marker == THEIRS:
                found.append(Conflict(tuple(open_at)))
                last = ""
    return tuple(found)


def _marker(line: str) -> str:
    """The marker that a line is; empty for any other line."""
    begins = line[:_WIDTH]
    if begins not in (OURS, BASE, BETWEEN, THEIRS) or not (len(line) == _WIDTH or line[_WIDTH].isspace()):
        return ""
    return begins
