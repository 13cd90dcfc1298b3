"""Whether two rows of words say the same, or the opposite for one and the same thing."""

import re
from collections.abc import Iterable, Sequence

from rapidfuzz import fuzz

LEAST_WORDS = 3
"""Words that carry meaning which two statements have to share."""
SAME_WORD_PERCENT = 85
"""How alike two words are that are spellings or forms of one."""
SAME_BEGINNING_CHARACTERS = 3
"""What forms of one word share; `encrypt` and `decrypt` are alike, and opposites."""
MOST_OTHER_FORMS = 3
"""How many words of a row may stand in another form in the other, so that comparing long rows costs little more than their length."""

WORD = re.compile(r"[^\W_]++(?:['’.-][^\W_]++)*+")
"""A word, with the dashes and dots inside it."""
_SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
_SMALL_WORDS = (
    "a an the and or of to in on at by for from with as is are be been it its this that these those you your i we our they "
    "their them he she his her all any every each some so then than there here do does will would can could should must may "
    "might shall have has had also just very really please always ensure make sure if when while"
)
_SMALL = frozenset(_SMALL_WORDS.split())
_NEGATING_WORDS = (
    "not never no don't dont cannot can't avoid without nor neither isn't aren't shouldn't mustn't doesn't "
    "won't refrain stop"
)
_NEGATES = frozenset(_NEGATING_WORDS.split())

_CHOOSING_WORDS = "use prefer write keep make format indent answer reply give send name put set choos pick"
_CHOOSES = frozenset(_CHOOSING_WORDS.split())
"""How a statement begins that chooses one way to do a thing, so that another way contradicts it; as stems."""
_WAYS = (
    ("short", "long"), ("brief", "detailed"), ("brief", "long"), ("concise", "verbose"), ("terse", "verbose"), ("tabs", "spaces"),
    ("formal", "casual"), ("formal", "informal"), ("single", "double"), ("uppercase", "lowercase"), ("more", "less"),
)  # fmt: skip
_PLACES = (("first", "last"), ("start", "end"), ("top", "bottom"))
"""Opposites at the end of a statement; in front of a noun they choose what it speaks of: `the first line` and `the last line`."""
_COMMANDS = (("include", "omit"), ("include", "exclude"), ("allow", "forbid"), ("accept", "reject"))
"""Opposites that begin a statement; those that undo each other, as `enable` and `disable`, may be steps of one procedure."""


def _stem(word: str) -> str:
    """A word without its commonest endings, so that `reads` is `read`; crude, and the same on both sides."""
    for ending in ("ing", "ies", "es", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:  # noqa: PLR2004 - a stem of fewer letters is another word
            return word[: -len(ending)]
    return word


def _either_way(pairs: Iterable[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    stems = [(_stem(one), _stem(other)) for one, other in pairs]
    return frozenset((*stems, *((other, one) for one, other in stems)))


_WAY, _PLACE, _COMMAND = _either_way(_WAYS), _either_way(_PLACES), _either_way(_COMMANDS)


def meaning(lower: str) -> tuple[str, ...]:
    """The words that carry meaning, roughly without endings; of a script without spaces, each two characters in a row."""
    words: list[str] = []
    for word in WORD.findall(lower):
        if _SPACELESS.search(word):
            words += [word[at : at + 2] for at in range(max(len(word) - 1, 1))]
        elif word not in _SMALL and word not in _NEGATES:
            words.append(_stem(word))
    return tuple(words)


def negates(lower: str) -> bool:
    """Whether a piece of a sentence says no, and not no to a no."""
    return sum(word in _NEGATES for word in WORD.findall(lower)) % 2 == 1


def same_words(one: Sequence[str], other: Sequence[str], *, ordered: bool, added: int = 0) -> bool:
    """Whether two rows hold the same words, in any spelling.

    Args:
        one: the shorter row.
        other: the other row.
        ordered: whether their order counts; a row may begin elsewhere, as "before you push, test" does.
        added: how many words the other may have beside them.
    """
    words, others = list(dict.fromkeys(one)), list(dict.fromkeys(other))
    if len(words) < LEAST_WORDS - 1 or not 0 <= len(others) - len(words) <= added:
        return False
    places = _places(words, others)
    if places is None or not ordered:
        return places is not None
    falls = sum(here > there for here, there in zip(places, places[1:] + places[:1], strict=True))
    return falls <= 1 and (len(places) >= LEAST_WORDS or places == sorted(places))


def _places(words: Sequence[str], others: Sequence[str]) -> list[int] | None:
    """Where the others have each of the words, in one of its forms; None if they have not all of them."""
    numbers = {other: at for at, other in enumerate(others)}
    unlike = [word for word in words if word not in numbers]
    if len(unlike) > MOST_OTHER_FORMS:
        return None
    for word in unlike:
        other = next((other for other in others if _are_forms_of_one(word, other)), None)
        if other is None:
            return None
        numbers[word] = numbers[other]
    places = [numbers[word] for word in words]
    return places if len(set(places)) == len(places) else None


def _are_forms_of_one(word: str, other: str) -> bool:
    return (
        word[:SAME_BEGINNING_CHARACTERS] == other[:SAME_BEGINNING_CHARACTERS]
        and fuzz.ratio(word, other) >= SAME_WORD_PERCENT
    )


def turned_round(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two principles differ in one word only, and there stand opposites for one and the same thing."""
    differ = [at for at, (here, there) in enumerate(zip(one, other, strict=False)) if here != there]
    if len(one) != len(other) or len(one) < LEAST_WORDS or len(differ) != 1:
        return False
    at = differ[0]
    pair = (one[at], other[at])
    if at == 0:
        return pair in _COMMAND
    return one[0] in _CHOOSES and (pair in _WAY or (at == len(one) - 1 and pair in _PLACE))
