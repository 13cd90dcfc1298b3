"""Changed words inside changed lines: what a word is, what is never cut, and what happens to very long lines."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from studio.domain import spans
from studio.domain.diff import Block, Kind
from studio.domain.spans import Marked, changed_words, pairs


def words(old: str, new: str) -> tuple[list[str], list[str]]:
    """The marked parts of both lines."""
    old_marks, new_marks = changed_words(old, new)
    return [old[a:b] for a, b in old_marks], [new[a:b] for a, b in new_marks]


WORDS = {
    "one-word": ("she runs fast\n", "she walks fast\n", ["runs"], ["walks"]),
    "a-whole-word-though-one-letter-changed": ("decided\n", "decides\n", ["decided"], ["decides"]),
    "neighbours-are-one-mark": ("the quick brown fox", "the slow red fox", ["quick brown"], ["slow red"]),
    "a-word-added": ("a c\n", "a b c\n", [], ["b "]),
    "punctuation": ("yes, sir", "yes sir", [","], []),
    "number": ("costs 10 EUR", "costs 12 EUR", ["10"], ["12"]),
    "blanks": ("a  b", "a b", ["  "], [" "]),
    "trailing-blank": ("a ", "a", [" "], []),
    "chinese": ("会議は月曜日です", "会議は火曜日です", ["月"], ["火"]),
    "japanese-kana": ("メモリー", "メモリ", ["ー"], []),
    "korean": ("한국어", "한글어", ["국"], ["글"]),
    "thai-cluster": ("ที่นี่", "ที่นั่น", ["นี่"], ["นั่น"]),
    "joined-emoji": ("x👩‍🔬", "x👩‍🎤", ["👩‍🔬"], ["👩‍🎤"]),
    "flag": ("🇯🇵🇩🇪", "🇯🇵🇫🇷", ["🇩🇪"], ["🇫🇷"]),
    "skin-tone": ("👍🏽!", "👍!", ["👍🏽"], ["👍"]),
    "accent": ("caf e\u0301", "caf e", ["e\u0301"], ["e"]),
    "devanagari-word": ("हिन्दी है", "हिंदी है", ["हिन्दी"], ["हिंदी"]),
    "carriage-return": ("a\r\n", "a\n", ["\r"], []),
    "newline-is-no-part": ("a\n", "a", [], []),
    "bom": ("\ufeffa", "a", ["\ufeff"], []),
    "nothing-in-common": ("abc", "xyz", ["abc"], ["xyz"]),
}


@pytest.mark.parametrize(("old", "new", "gone", "come"), WORDS.values(), ids=WORDS.keys())
def test_changed_words(old: str, new: str, gone: list[str], come: list[str]) -> None:
    assert words(old, new) == (gone, come)


PIECES = st.sampled_from(
    [
        *(
            "a",
            "b",
            " ",
            "\r",
            "\u200d",
            "\ufe0f",
            "\u0301",
            "👩",
            "🔬",
            "🏽",
            "🇯",
            "🇵",
            "क",
            "्",
            "ष",
            "記",
            "ー",
            "한",
        ),
        *("\u1100", "\u1161", "\u11a8", "\u0600", "\u0e33", "\u0e48", "\uff9e", "1", "\u20e3", "\t", "d e f"),
    ]
)
LINES = st.lists(PIECES, max_size=14).map("".join)


EDITED = st.tuples(LINES, LINES, LINES, LINES).map(lambda p: (p[0] + p[1] + p[3], p[0] + p[2] + p[3]))


@given(st.tuples(LINES, LINES) | EDITED, st.sampled_from([0, spans.LONG_LINE_CHARACTERS]))
def test_no_mark_cuts_a_cluster_and_what_is_not_marked_is_the_same(pair: tuple[str, str], long_from: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spans, "LONG_LINE_CHARACTERS", long_from)
        both = changed_words(*pair)
    kept = []
    for text, marks in zip(pair, both, strict=True):
        edges = {0} | {found.end() for found in regex.finditer(r"\X", text)}
        assert all(mark.start < mark.end and {mark.start, mark.end} <= edges for mark in marks)
        assert list(marks) == sorted(marks)
        covered = {at for mark in marks for at in range(mark.start, mark.end)}
        kept.append("".join(c for at, c in enumerate(text) if at not in covered and c not in " \t"))
    assert kept[0] == kept[1]


BLOCKS = {
    "by-likeness-not-by-place": (["a new start", "the rule is short"], ["the rule is long"], [(1, 0)]),
    "in-order": (["one fish", "two fish swim"], ["two fish swam", "one more fish"], [(1, 0)]),
    "a-line-added-between": (
        ["first item", "last item"],
        ["first thing", "something else entirely", "last thing"],
        [(0, 0), (1, 2)],
    ),
    "unlike-lines-stay-alone": (["Ana prefers short answers."], ["- 2026: nothing happened here"], []),
    "a-short-line": (["v1"], ["v2"], [(0, 0)]),
    "indentation-alone": (["  - x y z"], ["- x y z"], [(0, 0)]),
}


@pytest.mark.parametrize(("old", "new", "expected"), BLOCKS.values(), ids=BLOCKS.keys())
def test_lines_that_are_alike_are_paired(old: list[str], new: list[str], expected: list[tuple[int, int]]) -> None:
    block = Block(Kind.REPLACE, 0, 0, tuple(f"{line}\n" for line in old), tuple(f"{line}\n" for line in new))
    assert [(pair.old, pair.new) for pair in pairs(block)] == expected


def test_a_block_that_replaces_nothing_has_no_pairs() -> None:
    assert list(pairs(Block(Kind.INSERT, 0, 0, (), ("a\n",)))) == []


def test_a_huge_block_is_paired_by_place_and_only_as_far_as_asked() -> None:
    old, new = (tuple(f"row {n} is {word}\n" for n in range(100_000)) for word in ("old", "new"))
    first = next(pairs(Block(Kind.REPLACE, 0, 0, old, new)))
    assert (first.old, first.new) == (0, 0)


LONG = {
    "words": ("word " * 100_000, " more " * 100_000),
    "one-letter": ("x" * 500_000, "y" * 500_000),
    "joined-emoji": ("👩‍🔬" * 80_000, "👩‍🔬" * 80_000),
    "chinese": ("記" * 500_000, "録" * 500_000),
}


@pytest.mark.parametrize(("start", "end"), LONG.values(), ids=LONG.keys())
def test_diff_14_a_line_of_1_mb_is_marked_word_by_word(start: str, end: str) -> None:
    old, new = f"{start} alpha {end}\n", f"{start} beta {end}\n"
    marks = words(old, new)
    assert marks == (["alpha"], ["beta"])


def test_diff_14_a_line_of_1_mb_that_changed_all_over_is_marked_whole() -> None:
    old, new = "a b " * 250_000, "c d " * 250_000
    assert changed_words(old, new) == ((Marked(0, 999_999),), (Marked(0, 999_999),))
