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
from studio.domain.directory.lint.words import LEAST_WORDS, WORD, meaning, negates, same_words, turned_round

WORDS_FOR_EACH_ADDED = 6
"""For so many words of the shorter statement, the longer one may have one more; none may be replaced, since it may be the point."""
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
LEAST_VALUE_WORDS = 7
"""A value behind a name, as `Owner: Ana`, with fewer words is no statement."""
SENTENCE_WORDS = 6
"""A sentence of so many words says something by itself; said once more inside another statement, it is a duplicate."""

_CODE = re.compile(r"`+([^`\n]{1,80})`+|\$\w+|\S*[/\\_@]\S*|\d[\d.,:]*")
_STEP = re.compile(r"\s*\d{1,9}[.)]\s")
_FIELD = re.compile(r"\W*[\w .\-/]{1,30}\W{0,3}[:：]\W*(?P<value>.*)")
"""A name with its value, as `Owner: Ana`."""
_NO_STATEMENT = re.compile(
    r"\W*\*\*[^*\n]+\*\*\W*|[*_](?![*_])[^*_]+[*_].{0,2}|.*\s\|\s.*|.*\?\W*|[\"“(].*|.*\b[Ss]ee (?:note|[A-Z]).*|.*\(step:.*|"
    r"\W*[Ii]f\b.{0,40}(?:->|→).*|\W*\[[^\[\]]+\]\W*|(?:.*?\[[^\[\]]+\](?!\()){2}.*",
    re.DOTALL,
)
"""A title in bold, a remark in italics, a row of fields, a question, an option, a pointer, a branch, and a form to fill in."""
_CONDITION = re.compile(r"\b(?:unless|except|only|until|instead|rather|but|if|when)\b", re.IGNORECASE)
_REASON_BEGINS = re.compile(r"[,;—–]? ?\b(?:because|since|so that|so the|so it)\b|;|(?<=[.!?]) ", re.IGNORECASE)
"""Where a statement's principle ends; a colon or a dash may stand behind a mere label."""
_SUBORDINATE = re.compile(r"\b(?:what|which|who|whose|that|where|how|why|whether)\b")
"""Behind it a negation is not one of the instruction: `Say what you did not check`."""
_DIRECTED = re.compile(r"\b(?:to|into|from|over|before|after|than|instead|rather|by|for)\b")
"""With these the order of words says who does what: `Convert feet to metres` and `Convert metres to feet`."""


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
    directed: bool
    """Whether the order of its words is part of what it says."""
    negated: bool
    """Whether the instruction itself is turned into its opposite."""
    negated_below: bool
    """Whether a clause that it speaks of is."""
    conditional: bool
    procedure: tuple[int | None, int | None, int | None] | None
    """Of a numbered step, the list that it is in; two procedures may share a step."""


def check(pages: Sequence[Page]) -> Iterator[Finding]:
    """The findings of this family, over all pages that one prompt holds."""
    said: list[_Said] = []
    for page in pages:
        lines = page.document.body.split("\n")
        comparable = ((number, one) for number, one in page.prose.said() if _comparable(one))
        said += (_said(page, number, one, lines) for number, one in comparable)
    again: dict[int, list[int]] = defaultdict(list)
    told: dict[int, int] = {}
    for first, second in _same_sentences(said):
        told[second] = first
        again[first].append(second)
    for first, second in _pairs(said):
        if second in told or _related(said[first], said[second]):
            continue
        finding = _compare(said[first], said[second])
        if finding:
            told[second] = first
            yield finding
        elif _repeats(said[first], said[second]):
            told[second] = told.get(first, first)
            again[told[second]].append(second)
    for first, others in again.items():
        yield from _duplicates(said[first], [said[second] for second in others])


def _comparable(one: Statement) -> bool:
    return (
        len(one.text) >= SHORTEST_CHARACTERS
        and one.kind in {Kind.ITEM, Kind.PARAGRAPH}
        and one.box is None
        and not is_example(one)
        and not one.text.rstrip("*_ ").endswith(":")
        and not _NO_STATEMENT.fullmatch(one.text[:LONGEST_CHARACTERS])
        and _says_enough(one.prose)
    )


def _says_enough(prose: str) -> bool:
    """Whether there are words enough beside code, and beside a name with its value."""
    field = _FIELD.fullmatch(prose)
    said, least = (field["value"], LEAST_VALUE_WORDS) if field else (prose, LEAST_WORDS)
    return len(WORD.findall(said)) >= least or len(meaning(said)) >= least


def _same_sentences(said: Sequence[_Said]) -> Iterator[tuple[int, int]]:
    """Pairs of which the later is a sentence of the earlier, or the other way round."""
    first_with: dict[tuple[str, ...], int] = {}
    for number, one in enumerate(said):
        sentences = [tuple(WORD.findall(sentence.casefold())) for sentence in one.one.sentences]
        long = [words for words in sentences if len(words) >= SENTENCE_WORDS]
        known = next((first_with[words] for words in long if words in first_with), None)
        if known is not None and (len(sentences) == 1) != (len(said[known].one.sentences) == 1):
            other = said[known]
            same_things = other.hard <= one.hard or one.hard <= other.hard
            if same_things and not _related(other, one) and not _are_steps(other, one):
                yield known, number
        for words in long:
            first_with.setdefault(words, number)


def _are_steps(first: _Said, second: _Said) -> bool:
    """Whether both are steps, of different procedures."""
    return first.procedure is not None and second.procedure is not None and first.procedure != second.procedure


def _said(page: Page, number: int, one: Statement, lines: Sequence[str]) -> _Said:
    text = one.text[:LONGEST_CHARACTERS]
    lower = text.casefold().replace("’", "'")
    begins = _REASON_BEGINS.search(lower, SHORTEST_CHARACTERS // 2)
    words = meaning(lower)
    clause = lower[: begins.start()] if begins else lower
    below = _SUBORDINATE.search(clause)
    ends = below.start() if below else len(clause)
    hard = frozenset(found[0].strip("`.,:;()*\"'") for found in _CODE.finditer(text)) - {""}
    principle = meaning(clause) if begins else words
    return _Said(
        page,
        number,
        one,
        tuple(WORD.findall(lower)),
        words,
        principle,
        hard,
        _DIRECTED.search(clause) is not None,
        negates(clause[:ends]),
        negates(clause[ends:]),
        _CONDITION.search(text) is not None,
        _procedure(page, one, lines),
    )


def _procedure(page: Page, one: Statement, lines: Sequence[str]) -> tuple[int | None, int | None, int | None] | None:
    """The numbered list that an item is in, or that the item above it is in."""
    while one.kind == Kind.ITEM:
        if _STEP.match(lines[one.line - page.document.body_line]):
            return one.parent, one.heading, one.introduction
        if one.parent is None:
            break
        one = page.prose.statements[one.parent]
    return None


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
    if first.hard != second.hard or first.negated_below != second.negated_below:
        return None
    if first.negated != second.negated:
        conditional = first.conditional or second.conditional
        ordered = first.directed or second.directed
        opposite = not conditional and same_words(first.principle, second.principle, ordered=ordered)
        return _contradiction(first, second) if opposite and _in_english(first, second) else None
    if _in_english(first, second) and turned_round(first.principle, second.principle):
        return _contradiction(first, second)
    return None


def _repeats(first: _Said, second: _Said) -> bool:
    """Whether a pair says the same."""
    return (
        (first.hard, first.negated, first.negated_below) == (second.hard, second.negated, second.negated_below)
        and _says_the_same(first, second)
        and not _are_steps(first, second)
    )


def _duplicates(first: _Said, others: Sequence[_Said]) -> Iterator[Finding]:
    """One finding for each text that repeats a statement, with all its places."""
    by_page: dict[str, list[_Said]] = defaultdict(list)
    for other in others:
        by_page[other.page.path].append(other)
    for path, several in by_page.items():
        second, lines = several[0], [one.one.line for one in several]
        more = f" (in {len(lines):,} places)" if len(lines) > 1 else ""
        yield NEAR_DUPLICATE.found(
            path,
            f"This says nearly the same as {_where(first, second)}{more}: {quoted(second.one.text)!r} and {quoted(first.one.text)!r}.",
            lines=lines,
            actual=quoted(first.one.text),
            suggestion="Merge both into the better one and delete the other in the same edit.",
        )


def _in_english(first: _Said, second: _Said) -> bool:
    return first.one.english and second.one.english


def _says_the_same(first: _Said, second: _Said) -> bool:
    """Whether the principles, or the whole statements, are the same but for small words, endings and what one of them adds."""
    if first.plain == second.plain:
        return len(first.plain) >= LEAST_WORDS
    ordered = first.directed or second.directed
    principles = (first.principle, second.principle)
    if min(map(len, principles)) >= LEAST_WORDS and same_words(*principles, ordered=ordered):
        return True
    shorter, longer = sorted((first.words, second.words), key=len)
    if len(shorter) <= LEAST_WORDS:
        return False
    if fuzz.token_sort_ratio(" ".join(shorter), " ".join(longer), score_cutoff=ALIKE_PERCENT) == 0:
        return False
    return same_words(shorter, longer, added=len(shorter) // WORDS_FOR_EACH_ADDED, ordered=ordered)


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
