"""Whether a piece of prose is English, by its small words: rules about wording keep quiet on every other language."""

import re
from typing import NamedTuple

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SMALL_WORDS = {
    "English": (
        "the and of to is are with for not you your that this it its when before after be by from because only if don't never "
        "always should must all any every into at has have who how they their which what them then than there was were but where "
        "why without until while instead about over does can cannot will would each no"
    ),
    "German": (
        "der die das und nicht ist mit für auf eine einen einer dem den des wenn oder nur immer auch bei zu im vor nach aus um "
        "wie sich wird werden sind kein keine nie ich du wir ihr mehr dann als durch gegen ohne alle jede jeder beim zum zur vom erst "
        "zuerst"
    ),
    "French": (
        "le la les est pas pour que dans une sur avec qui ou au aux du par sont toujours jamais des cette il elle vous nous ne "
        "sans chaque avant après"
    ),
    "Spanish": "el los las por para con una del como más siempre nunca antes pero sin que cada primero",
    "Portuguese": "não uma com os dos das em ao sempre quando se mas sem pelo pela cada",
    "Italian": "il che di non per sono della delle prima sempre mai gli nel dopo ogni",
    "Dutch": "het een van niet en voor op dat wordt altijd nooit bij ook naar geen eerst",
    "Swedish, Danish, Norwegian": "och inte att det som på ikke og til av med alltid aldrig är er",
    "Polish": "nie się jest na tylko przed zawsze nigdy przez że",
    "Turkish": "ve bir bu için ile da de değil her zaman asla",
}
"""Small words that few other languages share."""
_ENGLISH = frozenset(_SMALL_WORDS["English"].split())
_OTHERS = frozenset(word for words in _SMALL_WORDS.values() for word in words.split()) - _ENGLISH
_MOST_OTHER_LETTERS = 0.2
_LEAST_SMALL_WORDS = 0.08
_TELLS_NOTHING_WORDS = 20


class Traits(NamedTuple):
    """What was counted in a piece of prose."""

    words: int
    """All words."""
    english: int
    """Small words of English."""
    other: int
    """Small words of other languages, and words with letters that English has not."""
    foreign: bool
    """Whether many letters are not those of English."""


def traits(prose: str) -> Traits:
    """Count a piece of prose."""
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(prose)]
    letters = sum(map(len, words))
    plain = sum(character.isascii() for word in words for character in word)
    english = sum(word in _ENGLISH for word in words)
    other = sum(word in _OTHERS or not word.replace("’", "'").isascii() for word in words)
    return Traits(len(words), english, other, letters - plain > _MOST_OTHER_LETTERS * letters)


def is_english(whole: Traits) -> bool:
    """Whether a text as a whole is English; a short one is, unless something speaks against it."""
    if whole.foreign or whole.other > whole.english:
        return False
    return whole.words < _TELLS_NOTHING_WORDS or whole.english >= _LEAST_SMALL_WORDS * whole.words


def piece_is_english(piece: Traits, *, whole: bool) -> bool:
    """Whether one statement is English; where it does not tell, it is what the text as a whole is."""
    if piece.foreign or piece.other > piece.english:
        return False
    return whole or piece.english > piece.other + 1
