r"""Which lines of a replaced block belong together, and which words changed inside them.

Positions are code points within the line. Words are runs of letters, digits and `_`; scripts written without spaces
between words (Chinese, Japanese, Thai, …), Korean, emoji and all other characters count one grapheme cluster (`\X`) at
a time. No token starts or ends inside a cluster, so a joined emoji, a flag or an accent is never cut in two. The
newline at the end of a line is no part of the comparison; a carriage return before it is a character of the line.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import regex
from rapidfuzz.distance import Indel, Postfix, Prefix

from studio.domain.diff import Block, Kind
from studio.domain.lcs import common_runs

LEAST_LIKENESS = 0.5
"""Two lines that are less alike (0: nothing in common, 1: the same) are not paired: marks there would be noise."""
LEAST_LIKENESS_CHARACTERS = 0.6
"""Likeness in characters counts from here on only; two unrelated sentences have half of their letters in common."""
MOST_PAIRINGS = 10_000
"""In a block with more combinations of an old and a new line, lines are paired by position."""
LONG_LINE_CHARACTERS = 2_000
"""In a longer line only what lies between the common start and end of both is compared."""
MOST_COMPARED_CHARACTERS = 20_000
"""What is compared and longer than this is marked as a whole."""
_LIKENESS_CHARACTERS = 400
"""How many characters from each end of a line are looked at to see whether two lines are alike."""
_LONGEST_WORD_CHARACTERS = 64
"""How far the common start or end is shortened so that it does not end inside a word."""

_SPACELESS = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\u30FC\uFF70"
_WORD = rf"[[\p{{L}}\p{{N}}_]--[{_SPACELESS}]]"
_TOKEN = regex.compile(rf"(?:(?={_WORD})\X)++|(?:(?=[ \t])\X)++|\X", regex.V1)
_GRAPHEME = regex.compile(r"\X")
_WORD_BEFORE = regex.compile(rf"(?r)(?:{_WORD}|\p{{M}}){{0,{_LONGEST_WORD_CHARACTERS}}}", regex.V1)
_WORD_AFTER = regex.compile(rf"(?:{_WORD}|\p{{M}}){{0,{_LONGEST_WORD_CHARACTERS}}}", regex.V1)
_STARTS_CLUSTER = (
    r"[\x20-\x7E\p{Extended_Pictographic}[\p{L}--[\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=L}\p{GCB=V}\p{GCB=T}]]]"
)
_EDGE_BEFORE = regex.compile(
    rf"(?r)(?<![\u200D\p{{GCB=Extend}}\p{{GCB=Prepend}}\p{{GCB=L}}]){_STARTS_CLUSTER}", regex.V1
)
"""A place that is an edge of grapheme clusters whatever stands further left: where a search for edges can begin."""


class Marked(NamedTuple):
    """A changed part of a line."""

    start: int
    """Its first code point in the line."""
    end: int
    """The code point after its last."""


class Pair(NamedTuple):
    """An old and a new line that belong together."""

    old: int
    """Index of the old line in its block."""
    new: int
    """Index of the new line in its block."""
    old_marks: tuple[Marked, ...]
    """What the old line has and the new one does not, in order."""
    new_marks: tuple[Marked, ...]
    """What the new line has and the old one does not, in order."""


def pairs(block: Block) -> Iterator[Pair]:
    """The pairs of a replaced block, in order on both sides, with their changed words; none of any other block.

    They are computed one by one as they are asked for, so that a view that shows the first lines only stays quick.
    """
    if block.kind is not Kind.REPLACE:
        return
    for i, j in _pair_lines(block.old, block.new):
        yield Pair(i, j, *changed_words(block.old[i], block.new[j]))


def changed_words(old: str, new: str) -> tuple[tuple[Marked, ...], tuple[Marked, ...]]:
    """The words of two lines that differ, on each side."""
    old, new = old.removesuffix("\n"), new.removesuffix("\n")
    start = end = 0
    if max(len(old), len(new)) > LONG_LINE_CHARACTERS:
        start, end = _common_ends(old, new)
    old_middle, new_middle = old[start : len(old) - end], new[start : len(new) - end]
    if max(len(old_middle), len(new_middle)) > MOST_COMPARED_CHARACTERS:
        return _whole(old_middle, start), _whole(new_middle, start)
    return _compare(_tokens(old_middle), _tokens(new_middle), start)


def _whole(text: str, start: int) -> tuple[Marked, ...]:
    """The whole text as one mark."""
    return (Marked(start, start + len(text)),) if text else ()


def _tokens(text: str) -> list[str]:
    """Words, blanks and single grapheme clusters; joined they are the text."""
    tokens: list[str] = _TOKEN.findall(text)
    return tokens


def _compare(old: list[str], new: list[str], start: int) -> tuple[tuple[Marked, ...], tuple[Marked, ...]]:
    """The tokens that are not common, as marks; blanks alone between two changed words are marked with them."""
    runs = common_runs(old, new).runs
    old_common: set[int] = set()
    new_common: set[int] = set()
    for index, run in enumerate(runs):
        between_changes = 0 < index < len(runs) - 1
        if between_changes and not "".join(old[run.old : run.old + run.length]).strip(" \t"):
            continue
        old_common.update(range(run.old, run.old + run.length))
        new_common.update(range(run.new, run.new + run.length))
    return tuple(_marks(old, old_common, start)), tuple(_marks(new, new_common, start))


def _marks(tokens: Sequence[str], common: set[int], at: int) -> Iterator[Marked]:
    """Runs of tokens that are not common."""
    start: int | None = None
    for index, token in enumerate(tokens):
        if index in common:
            if start is not None:
                yield Marked(start, at)
            start = None
        elif start is None:
            start = at
        at += len(token)
    if start is not None:
        yield Marked(start, at)


def _common_ends(old: str, new: str) -> tuple[int, int]:
    """How many characters two lines share at their start and end, cutting neither a word nor a grapheme cluster."""
    start = int(Prefix.similarity(old, new))
    start = min(_edge(text, start, word=_WORD_BEFORE) for text in (old, new))
    end = int(Postfix.similarity(old[start:], new[start:]))
    lengths = (len(old), len(new))
    while end:
        shorter = min(
            length - _edge(text, length - end, word=_WORD_AFTER)
            for text, length in zip((old, new), lengths, strict=True)
        )
        if shorter == end:
            break
        end = shorter
    return start, end


def _edge(text: str, at: int, word: "regex.Pattern[str]") -> int:
    """The edge of a grapheme cluster nearest to `at`: outside the word there, before it or after it as `word` looks."""
    before = word is _WORD_BEFORE
    found = word.match(text, 0, at) if before else word.match(text, at)
    if found is not None:
        at = found.start() if before else found.end()
    return cluster_edge(text, at, before=before)


def cluster_edge(text: str, at: int, *, before: bool = True) -> int:
    """The last edge of grapheme clusters up to `at`, or the first from there on: where a line may be cut."""
    nearest = _EDGE_BEFORE.search(text, 0, at + 1)
    edge = nearest.start() if nearest is not None else 0
    while edge < at:
        cluster = _GRAPHEME.match(text, edge)
        if cluster is None or (before and cluster.end() > at):
            break
        edge = cluster.end()
    return edge


def _pair_lines(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The indexes of lines that are alike, in order on both sides, so that together they are as alike as can be."""
    if len(old) * len(new) > MOST_PAIRINGS:
        for index, (one, other) in enumerate(zip(old, new, strict=False)):
            if likeness(_Seen.of(one), _Seen.of(other)) >= LEAST_LIKENESS:
                yield index, index
        return
    old_seen, new_seen = [_Seen.of(line) for line in old], [_Seen.of(line) for line in new]
    alike = [[likeness(one, other) for other in new_seen] for one in old_seen]
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in range(len(old) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            together = alike[i][j] + best[i + 1][j + 1] if alike[i][j] >= LEAST_LIKENESS else 0.0
            best[i][j] = max(together, best[i + 1][j], best[i][j + 1])
    i = j = 0
    while i < len(old) and j < len(new):
        if alike[i][j] >= LEAST_LIKENESS and best[i][j] == alike[i][j] + best[i + 1][j + 1]:
            yield i, j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1


class _Seen(NamedTuple):
    """What of a line decides whether it is like another one."""

    text: str
    words: list[str]

    @classmethod
    def of(cls, line: str) -> "_Seen":
        """Both ends of the line, and their words without blanks."""
        text = line.strip()
        if len(text) > 2 * _LIKENESS_CHARACTERS:
            text = text[:_LIKENESS_CHARACTERS] + text[-_LIKENESS_CHARACTERS:]
        return cls(text, [token for token in _tokens(text) if not token.isspace()])


def likeness(old: _Seen, new: _Seen) -> float:
    """How alike two lines are: by words, by characters, or by a common start and end, whichever says more."""
    by_words = float(Indel.normalized_similarity(old.words, new.words)) if old.words and new.words else 0.0
    by_characters = float(Indel.normalized_similarity(old.text, new.text, score_cutoff=LEAST_LIKENESS_CHARACTERS))
    start = int(Prefix.similarity(old.text, new.text))
    end = int(Postfix.similarity(old.text[start:], new.text[start:]))
    longest = max(len(old.text), len(new.text), 1)
    return max(by_words, by_characters, (start + end) / longest)
