"""Letters of one script that look like letters of another: Latin, Greek and Cyrillic (case diff-17).

The pairs are those of Unicode's confusables (UTS 39) that no reader tells apart in an ordinary typeface. Pairs that differ for whoever
looks closely, such as Greek alpha and Latin a, are left out, so that formulas and words of two languages stay what they are.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_TABLE = """
    0405 S  0406 I  0408 J  0410 A  0412 B  0415 E  041A K  041C M  041D H  041E O  0420 P  0421 C  0422 T  0423 Y  0425 X
    0430 a  0435 e  043E o  0440 p  0441 c  0443 y  0445 x  0455 s  0456 i  0458 j  0474 V  0475 v  04AE Y  04BB h  04C0 I
    04CF l  0501 d  050C G  051A Q  051B q  051C W  051D w  0401 Ë  0451 ë  0407 Ï  0457 ï
    037F J  0391 A  0392 B  0395 E  0396 Z  0397 H  0399 I  039A K  039C M  039D N  039F O  03A1 P  03A4 T  03A5 Y  03A7 X
    03BD v  03BF o  03C1 p  03C5 u  03F2 c  03F3 j  03F9 C  03FA M
"""
"""Code points of Cyrillic, then of Greek letters, each with the Latin letter that it looks like."""
LATIN_TWINS: Mapping[str, str] = {
    chr(int(code, 16)): latin for code, latin in zip(_TABLE.split()[::2], _TABLE.split()[1::2], strict=True)
}
"""Each Cyrillic and Greek letter of the table with the Latin letter that it looks like."""
_TO_LATIN = str.maketrans(dict(LATIN_TWINS))
_WORD = re.compile(r"(?:[^\W\d_]|[\u0300-\u036f])+")
_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC")
_LEAST_GREEK_LETTERS = 3
"""A shorter word with Greek is a formula, as `hν` is."""


class Lookalike(NamedTuple):
    """A letter that stands in a word of another script and looks like one of its letters."""

    at: int
    """Where it stands in the text."""
    letter: str
    """The letter."""
    twin: str
    """The letter of the word's script that it looks like."""
    word: str
    """The word that it stands in."""

    @property
    def says(self) -> str:
        """What it is, as `U+0410 CYRILLIC CAPITAL LETTER A in place of A`."""
        return f"U+{ord(self.letter):04X} {unicodedata.name(self.letter)} in place of {self.twin}"


def as_it_looks(text: str) -> str:
    """Return the text with the Latin letter for each Cyrillic or Greek one that looks like it; its length stays."""
    return text if text.isascii() else text.translate(_TO_LATIN)


def find_lookalikes(text: str) -> Iterator[Lookalike]:
    """Find letters of another script that look like letters of their word's own; a word wholly in one script has none."""
    if text.isascii():
        return
    for found in _WORD.finditer(text):
        if not found[0].isascii():
            yield from _of_word(found[0], found.start())


def _of_word(word: str, start: int) -> Iterator[Lookalike]:
    letters = [(at, one, script) for at, one in enumerate(word) if (script := _script(one))]
    counts = Counter(script for _, _, script in letters)
    if len(counts) == 1 or ("GREEK" in counts and len(letters) < _LEAST_GREEK_LETTERS):
        return
    telling = Counter(script for _, one, script in letters if len(_alike(one)) == 1)
    if len(telling) > 1 or _is_inflected(word):
        return  # a word of two languages, as `git-ветка` written in one
    own = max(_SCRIPTS, key=lambda script: (telling[script], counts[script]))
    for at, one, script in letters:
        if script != own and (twin := _alike(one).get(own)):
            yield Lookalike(start + at, one, twin, word)


def _is_inflected(word: str) -> bool:
    """Whether it is an abbreviation in capitals with the ending of another language, as `APIа`."""
    capitals = re.match(r"[A-Z]{2,}", word)
    return capitals is not None and word[capitals.end() :].islower() and _script(word[capitals.end()]) == "CYRILLIC"


def _script(letter: str) -> str | None:
    """The script of a letter, if it is one of the three."""
    script = unicodedata.name(letter, "").partition(" ")[0]
    return script if script in _SCRIPTS else None


def _classes() -> Mapping[str, Mapping[str, str]]:
    alike: dict[str, dict[str, str]] = defaultdict(dict)
    for letter, latin in LATIN_TWINS.items():
        alike[latin].setdefault("LATIN", latin)
        alike[latin].setdefault(unicodedata.name(letter).partition(" ")[0], letter)
    return alike


_ALIKE = _classes()
"""For each Latin letter, the commonest letter of each script that looks like it."""


def _alike(letter: str) -> Mapping[str, str]:
    """The letters by script that one looks like, itself among them."""
    return _ALIKE.get(LATIN_TWINS.get(letter, letter), {letter: letter})
