"""Two lines that differ and look the same: why, so that no change is shown that a reader cannot see (case diff-17)."""

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce

import regex

from studio.domain.diff import Diff, Kind
from studio.domain.lookalikes import as_it_looks
from studio.domain.spans import pairs

MOST_NAMED = 3
"""How many characters of one kind a sentence names."""
MOST_SAID = 50
"""Of how many pairs of lines a list says why they look the same."""
_SPACE = regex.compile(r"\p{Zs}")
_UNSEEN = regex.compile(r"[\p{Cf}\p{Default_Ignorable_Code_Point}]")


def _trimmed(line: str) -> str:
    return line.rstrip()


def _composed(line: str) -> str:
    return unicodedata.normalize("NFC", line)


def _spaced(line: str) -> str:
    return _SPACE.sub(" ", line)


def _seen(line: str) -> str:
    return _UNSEEN.sub("", line)


_STEPS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("white space at the end of the line", _trimmed),
    ("composed against decomposed letters", _composed),
    ("another kind of space", _spaced),
    ("characters that cannot be seen", _seen),
    ("letters of another script that look the same", as_it_looks),
)
"""What can differ unseen, in words, and what makes lines equal that differ in nothing else."""


@dataclass(frozen=True, slots=True)
class Alike:
    """Why two lines look the same."""

    says: str
    """The reasons, as `another kind of space (U+00A0 NO-BREAK SPACE)`."""
    old: frozenset[str]
    """Characters of the old line to be drawn as marks."""
    new: frozenset[str]
    """Characters of the new line to be drawn as marks."""
    trailing: bool
    """Whether the white space at their ends is to be drawn too."""


def why_alike(old: str, new: str) -> Alike | None:
    """Return why two lines look the same though they differ; None where a reader sees the difference, or there is none.

    Args:
        old: the line before, with or without its end; line endings are told apart elsewhere.
        new: the line after.
    """
    before, after = old.removesuffix("\n").removesuffix("\r"), new.removesuffix("\n").removesuffix("\r")
    if before == after or (before.isascii() and after.isascii() and before.rstrip() != after.rstrip()):
        return None
    if _through(before, _STEPS) != _through(after, _STEPS):
        return None
    needed = [step for step in _STEPS if _tells_apart(step, before, after)] or [
        step for step in _STEPS if step[1](before) != before or step[1](after) != after
    ]
    trailing = any(make is _trimmed for _, make in needed)
    one, other = _marks(before, after), _marks(after, before)
    names = ", ".join(_name(character) for character in sorted(one | other)[:MOST_NAMED])
    said = " and ".join(words for words, _ in needed)
    return Alike(f"{said} ({names})" if names else said, one, other, trailing)


def _through(line: str, steps: Iterable[tuple[str, Callable[[str], str]]]) -> str:
    return reduce(lambda made, step: step[1](made), steps, line)


def _tells_apart(step: tuple[str, Callable[[str], str]], old: str, new: str) -> bool:
    """Whether the lines still differ when everything but this is taken out of them."""
    others = [one for one in _STEPS if one is not step]
    return _through(old, others) != _through(new, others)


def _marks(line: str, other: str) -> frozenset[str]:
    """The characters beyond ASCII that a line has more of than the other."""
    return frozenset(character for character in Counter(line) - Counter(other) if not character.isascii())


def _name(character: str) -> str:
    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".rstrip()


@dataclass(frozen=True, slots=True)
class AlikeLines:
    """A pair of changed lines that look the same."""

    old_line: int
    """Number of the old line, from 1."""
    new_line: int
    """Number of the new line, from 1."""
    says: str
    """Why they look the same."""


def alike_lines(change: Diff) -> tuple[AlikeLines, ...]:
    """Return the pairs of changed lines that look the same, at most `MOST_SAID`, from top to bottom."""
    found: list[AlikeLines] = []
    for block in change.blocks:
        if block.kind is not Kind.REPLACE:
            continue
        beside = [(pair.old, pair.new) for pair in pairs(block)]
        for old, new in beside or [(place, place) for place in range(min(len(block.old), len(block.new)))]:
            why = why_alike(block.old[old], block.new[new])
            if why is not None:
                found.append(AlikeLines(block.old_start + old + 1, block.new_start + new + 1, why.says))
                if len(found) == MOST_SAID:
                    return tuple(found)
    return tuple(found)
