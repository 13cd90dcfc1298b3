"""Statements that say nearly the same, or the opposite of each other.

Two statements are compared by their words without small words, by their sequence (rapidfuzz) and by what may not differ: names, numbers
and code. Only pairs that share a rare word are compared, so that a long text costs little more than its length.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from studio.domain.directory.findings import Finding
from studio.domain.directory.lint.examples import is_example
from studio.domain.directory.lint.pages import Page, quoted
from studio.domain.directory.lint.prose import Kind, Statement
from studio.domain.directory.lint.rules import CONTRADICTION, NEAR_DUPLICATE

LEAST_WORDS = 3
"""Words that carry meaning which two statements have to share."""
WORDS_FOR_EACH_OTHER = 6
"""For so many words that two statements share, one may be another on each side."""
SAME_WORD_PERCENT = 85
"""How alike two words are that are spellings or forms of one."""
ALIKE_PERCENT = 88
"""How alike their words are, in their order sorted, from which on two statements say the same."""
RAREST_WORDS = 3
"""How many of a statement's words are followed to other statements."""
MOST_SHARED_BY = 16
"""How many of the statements that share a word are compared."""
SHORTEST_CHARACTERS = 16
"""Shorter statements are labels."""
LONGEST_CHARACTERS = 1_500
"""Longer paragraphs are compared by their beginning."""

_WORD = re.compile(r"[^\W_]++(?:['’.-][^\W_]++)*+")
_SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
_CODE = re.compile(r"`+([^`\n]{1,80})`+|\$\w+|\S*[/\\_@]\S*|\d[\d.,:]*")
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
_CONDITION = re.compile(r"\b(?:unless|except|only|until|instead|rather|but|if|when)\b", re.IGNORECASE)
_REASON_BEGINS = re.compile(r"[,;—–]? ?\b(?:because|since|so that|so the|so it)\b|;|(?<=[.!?]) ", re.IGNORECASE)
"""Where a statement's principle ends; a colon or a dash may stand behind a mere label."""
_OPPOSITES = (
    ("short", "long"), ("brief", "detailed"), ("concise", "verbose"), ("terse", "verbose"), ("tabs", "spaces"), ("before", "after"),
    ("enable", "disable"), ("include", "omit"), ("include", "exclude"), ("formal", "casual"), ("formal", "informal"), ("first", "last"),
    ("allow", "forbid"), ("single", "double"), ("start", "end"), ("more", "less"), ("accept", "reject"), ("public", "private"),
    ("synchronous", "asynchronous"), ("uppercase", "lowercase"), ("on", "off"), ("always", "never"), ("add", "remove"),
)  # fmt: skip


def _stem(word: str) -> str:
    """A word without its commonest endings, so that `reads` is `read`; crude, and the same on both sides."""
    for ending in ("ing", "ies", "es", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:  # noqa: PLR2004 - a stem of fewer letters is another word
            return word[: -len(ending)]
    return word


_STEMS = tuple((_stem(one), _stem(other)) for one, other in _OPPOSITES)
_OPPOSITE = frozenset((*_STEMS, *((other, one) for one, other in _STEMS)))


@dataclass(frozen=True, slots=True)
class _Said:
    """A statement, made comparable."""

    page: Page
    number: int
    one: Statement
    plain: tuple[str, ...]
    """All its words."""
    words: tuple[str, ...]
    """Its meaningful words, in order, stems only."""
    principle: tuple[str, ...]
    """Those before its reason begins."""
    hard: frozenset[str]
    """Code, paths and numbers: what may not differ."""
    negated: bool
    conditional: bool


def check(pages: Sequence[Page]) -> Iterator[Finding]:
    """The findings of this family, over all pages that one prompt holds."""
    said = [_said(page, number, one) for page in pages for number, one in page.prose.said() if _comparable(one)]
    told: set[int] = set()
    for first, second in _pairs(said):
        if second in told or _related(said[first], said[second]):
            continue
        finding = _compare(said[first], said[second])
        if finding:
            told.add(second)
            yield finding


def _comparable(one: Statement) -> bool:
    return (
        len(one.text) >= SHORTEST_CHARACTERS
        and one.kind in {Kind.ITEM, Kind.PARAGRAPH}
        and not is_example(one)
        and not one.text.endswith(":")
    )


def _said(page: Page, number: int, one: Statement) -> _Said:
    text = one.text[:LONGEST_CHARACTERS]
    lower = text.casefold().replace("’", "'")
    begins = _REASON_BEGINS.search(lower, SHORTEST_CHARACTERS // 2)
    words = _meaning(lower)
    negated = sum(word in _NEGATES for word in _WORD.findall(lower[: begins.start()] if begins else lower)) % 2 == 1
    hard = frozenset(found[0].strip("`.,:;()*\"'") for found in _CODE.finditer(lower)) - {""}
    principle = _meaning(lower[: begins.start()]) if begins else words
    return _Said(
        page,
        number,
        one,
        tuple(_WORD.findall(lower)),
        words,
        principle,
        hard,
        negated,
        _CONDITION.search(text) is not None,
    )


def _meaning(lower: str) -> tuple[str, ...]:
    """The words that carry meaning, roughly without endings; of a script without spaces, each two characters in a row."""
    words: list[str] = []
    for word in _WORD.findall(lower):
        if _SPACELESS.search(word):
            words += [word[at : at + 2] for at in range(max(len(word) - 1, 1))]
        elif word not in _SMALL and word not in _NEGATES:
            words.append(_stem(word))
    return tuple(words)


def _pairs(said: Sequence[_Said]) -> Iterator[tuple[int, int]]:
    """Pairs of statements that share one of the rarest words that either shares at all, each once, the earlier first."""
    holders: dict[str, list[int]] = defaultdict(list)
    for number, one in enumerate(said):
        for word in dict.fromkeys(one.words):
            holders[word].append(number)
    seen: set[tuple[int, int]] = set()
    for number, one in enumerate(said):
        shared = [word for word in dict.fromkeys(one.words) if len(holders[word]) > 1]
        for word in sorted(shared, key=lambda word: len(holders[word]))[:RAREST_WORDS]:
            for other in holders[word][:MOST_SHARED_BY]:
                pair = (min(number, other), max(number, other))
                if number != other and pair not in seen:
                    seen.add(pair)
                    yield pair


def _related(first: _Said, second: _Said) -> bool:
    """Whether one stands under the other, so that they are one principle."""
    if first.page is not second.page:
        return False
    statements = first.page.prose.statements
    above = second.one.parent
    while above is not None:
        if above == first.number:
            return True
        above = statements[above].parent
    return False


def _compare(first: _Said, second: _Said) -> Finding | None:
    """What is to be said about a pair."""
    if first.hard != second.hard:
        return None
    opposite = first.negated != second.negated
    if opposite and not (first.conditional or second.conditional) and _same_words(first.principle, second.principle):
        return _contradiction(first, second)
    if opposite:
        return None
    if _turned_round(first, second):
        return _contradiction(first, second)
    if _says_the_same(first, second):
        return NEAR_DUPLICATE.found(
            second.page.path,
            f"This says nearly the same as {_where(first, second)}: {quoted(second.one.text)!r} and {quoted(first.one.text)!r}.",
            line=second.one.line,
            actual=quoted(first.one.text),
            suggestion="Merge both into the better one and delete the other in the same edit.",
        )
    return None


def _says_the_same(first: _Said, second: _Said) -> bool:
    """Whether the principles, or the whole statements, are the same but for small words, endings and their order."""
    if first.plain == second.plain:
        return len(first.plain) >= LEAST_WORDS
    if min(len(first.principle), len(second.principle)) >= LEAST_WORDS and _same_words(
        first.principle, second.principle
    ):
        return True
    shorter, longer = sorted((first.words, second.words), key=len)
    if len(shorter) <= LEAST_WORDS:
        return False
    if fuzz.token_sort_ratio(" ".join(shorter), " ".join(longer), score_cutoff=ALIKE_PERCENT) == 0:
        return False
    most = len(shorter) // WORDS_FOR_EACH_OTHER
    return _unmatched(shorter, longer) <= most and _unmatched(longer, shorter) <= most


def _same_words(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two rows hold the same words, in any order."""
    return len(set(one)) >= LEAST_WORDS - 1 and _unmatched(one, other) == 0 == _unmatched(other, one)


def _unmatched(words: Sequence[str], others: Sequence[str]) -> int:
    """How many words the others have not, in no spelling."""
    missing = set(words) - set(others)
    return sum(all(fuzz.ratio(word, other) < SAME_WORD_PERCENT for other in set(others)) for word in missing)


def _turned_round(first: _Said, second: _Said) -> bool:
    """Whether the principles differ in one word only, and there stand opposites."""
    here, there = set(first.principle), set(second.principle)
    if len(here & there) < LEAST_WORDS - 1 or len(here - there) != 1 or len(there - here) != 1:
        return False
    return (next(iter(here - there)), next(iter(there - here))) in _OPPOSITE


def _contradiction(first: _Said, second: _Said) -> Finding:
    return CONTRADICTION.found(
        second.page.path,
        f"This contradicts {_where(first, second)}: {quoted(second.one.text)!r} against {quoted(first.one.text)!r}.",
        line=second.one.line,
        actual=quoted(first.one.text),
        suggestion="Decide which one holds, or say when each does, and keep one line.",
    )


def _where(first: _Said, second: _Said) -> str:
    return f"line {first.one.line}" if first.page is second.page else f"line {first.one.line} of {first.page.path}"
