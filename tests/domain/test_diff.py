"""What a diff says: counts, format changes, moved blocks, where groups stand, and the field reports on it."""

import json
import unicodedata
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest

from studio.domain.diff import Block, Counts, Endings, Kind, apply, count_lines, diff, hunks, only_changed, split_lines
from studio.domain.endings import Change, endings
from studio.domain.spans import pairs

SHARED = Path(__file__).parents[2] / "../shared"
HISTORIES = sorted((SHARED / "histories").glob("*.jsonl"))


def changed(old: str, new: str) -> list[tuple[str, ...]]:
    """The changed blocks, each as kind, old text and new text."""
    return [(b.kind.value, "".join(b.old), "".join(b.new)) for b in diff(old, new).blocks if b.kind is not Kind.EQUAL]


COUNTS = {
    "equal": ("a\n", "a\n", 0, 0),
    "both-empty": ("", "", 0, 0),
    "from-empty": ("", "a\nb\n", 2, 0),
    "to-empty": ("a\nb", "", 0, 2),
    "final-newline-added": ("a", "a\n", 1, 1),
    "last-line-without-newline-added": ("a\n", "a\nlast", 1, 0),
    "repeated-lines": ("x\n" * 5, "x\n" * 3, 0, 2),
    "blank-line-only": ("a\nb\n", "a\n\nb\n", 1, 0),
    "swapped": ("a\nb\n", "b\na\n", 1, 1),
    "crlf-to-lf (diff-02)": ("a\r\nb\r\n", "a\nb\n", 2, 2),
    "lone-cr-is-a-character (diff-08)": ("a\rb\n", "a\nb\n", 2, 1),
    "nel-is-a-character (diff-06)": ("x\u0085y\nz", "x\u0085y\nw", 1, 1),
    "line-separator-is-a-character": ("a\u2028b\n", "a\u2028c\n", 1, 1),
    "bom": ("\ufeffa\nb\n", "a\nb\n", 1, 1),
}


@pytest.mark.parametrize(("old", "new", "added", "removed"), COUNTS.values(), ids=COUNTS.keys())
def test_counts_are_those_of_git_minimal(old: str, new: str, added: int, removed: int) -> None:
    assert count_lines(old, new) == diff(old, new).counts == Counts(added, removed)


FORMATS = {
    "nothing": ("a\n", "a\n", None),
    "a-word": ("a\n", "b\n", None),
    "line-endings (diff-02)": ("a\r\nb\r\n", "a\nb\n", "line endings"),
    "line-endings-of-one-line": ("a\r\nb\n", "a\nb\r\n", "line endings"),
    "line-ending-of-the-last-line": ("a\nb\r\n", "a\nb\n", "line endings"),
    "bom-added": ("a\n", "\ufeffa\n", "BOM"),
    "bom-removed-from-nothing": ("\ufeff", "", "BOM"),
    "final-newline-added": ("a\nb", "a\nb\n", "final newline"),
    "final-newline-removed-under-crlf": ("a\r\nb\r\n", "a\r\nb", "final newline"),
    "final-newline-of-an-empty-text": ("", "\n", "final newline"),
    "all-three": ("a\r\nb", "\ufeffa\nb\n", "line endings, BOM, final newline"),
    "bom-and-final-newline": ("a", "\ufeffa\n", "BOM, final newline"),
    "bom-inside-is-a-character": ("a\ufeff\n", "a\n", None),
    "two-boms": ("\ufeff\ufeffa", "\ufeffa", None),
    "lone-cr-is-a-character": ("a\rb\n", "a\nb\n", None),
    "cr-at-the-end-is-a-character": ("a\r", "a", None),
    "line-endings-and-a-word (diff-04)": ("a\nb\n", "a\r\nc\r\n", None),
    "blank-line-at-the-end-is-a-line": ("a\n", "a\n\n", None),
}


@pytest.mark.parametrize(("old", "new", "only"), FORMATS.values(), ids=FORMATS.keys())
def test_what_alone_changed_is_named(old: str, new: str, only: str | None) -> None:
    assert only_changed(old, new) == only
    assert only_changed(new, old) == only
    assert diff(old, new).format_change.only == only


def test_diff_04_changed_endings_are_named_beside_changed_words() -> None:
    change = diff("a\nb\nc\n", "a\r\nx\r\nc\r\n").format_change
    assert (change.old_endings, change.new_endings, change.only) == (Endings.LF, Endings.CRLF, None)
    assert change.endings_changed


def test_bom_and_final_newline_are_named_beside_changed_words() -> None:
    change = diff("a\nb\n", "\ufeffa\nc").format_change
    assert (change.bom, change.final_newline, change.only) == (Change.ADDED, Change.REMOVED, None)


@pytest.mark.parametrize("text", ["", "\n"], ids=["empty", "newline"])
def test_a_first_text_changes_no_format(text: str) -> None:
    change = diff(text, "a\r\nb")
    assert not change.format_change.endings_changed or text
    assert diff("", "a\r\nb").format_change.final_newline is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "none"),
        ("a", "none"),
        ("a\r", "none"),
        ("a\n", "LF"),
        ("a\r\nb", "CRLF"),
        ("a\r\nb\n", "mixed"),
        ("a\rb\n", "LF"),
    ],
)
def test_endings_of_a_text(text: str, kind: str) -> None:
    assert endings(text) == kind


def test_diff_06_line_numbers_of_the_change_are_those_of_the_text() -> None:
    text = "x\u0085y\nz"
    assert split_lines(text)[1] == "z"
    change = diff(text, "x\u0085y\nw")
    assert [(b.old_start + 1, b.old) for b in change.blocks if b.kind is Kind.REPLACE] == [(2, ("z",))]
    assert change.format_change.final_newline is None


def test_diff_10_a_last_line_without_newline_is_in_the_change() -> None:
    assert changed("a\n", "a\nlast") == [("insert", "", "last")]


def test_diff_12_lines_pair_up_though_no_newline_ends_either_side() -> None:
    old = "\n".join(f"line {n} has value {n}" for n in range(5))
    new = "\n".join(f"line {n} has value {n + 5}" for n in range(5))
    (block,) = diff(old, new).blocks
    found = list(pairs(block))
    assert [(pair.old, pair.new) for pair in found] == [(n, n) for n in range(5)]
    for n, pair in enumerate(found):
        assert [block.old[n][a:b] for a, b in pair.old_marks] == [str(n)]
        assert [block.new[n][a:b] for a, b in pair.new_marks] == [str(n + 5)]


def test_diff_12_also_when_one_side_alone_ends_with_a_newline() -> None:
    (block,) = diff("a 1\nb 1", "a 2\nb 2\n").blocks
    assert [(pair.old, pair.new) for pair in pairs(block)] == [(0, 0), (1, 1)]


def test_diff_14_a_long_version_is_compared_at_once() -> None:
    old = "word " * 130_000 + "end\n"
    new = "word " * 60_000 + "changed " + "word " * 70_000 + "end\n"
    (block,) = diff(old, new).blocks
    ((_, _, old_marks, new_marks),) = pairs(block)
    assert (old_marks, [new[a:b] for a, b in new_marks]) == ((), ["changed "])


def test_diff_16_one_word_in_a_crlf_text_is_one_line() -> None:
    old = "one\r\ntwo words\r\nthree\r\n"
    assert count_lines(old, old.replace("words", "changed")) == (1, 1)
    assert not diff(old, old.replace("words", "changed")).format_change


def test_units_02_positions_count_code_points() -> None:
    text = "👩‍🔬🇯🇵e\u0301"
    assert len(text) == 7
    (block,) = diff(f"{text} a\n", f"{text} b\n").blocks
    ((_, _, old_marks, new_marks),) = pairs(block)
    assert (old_marks, new_marks) == (((8, 9),), ((8, 9),))


def test_text_is_not_normalised() -> None:
    composed, decomposed = "é\n", unicodedata.normalize("NFD", "é\n")
    assert count_lines(composed, decomposed) == (1, 1)
    assert apply(composed, diff(composed, decomposed)) == decomposed


RULES = "# Rules\nsearch first\n\nquote times\nnever repeat\n"
PEOPLE = "# People\nAna leads\n\nBen reviews\n\n"


def test_a_block_that_moved_names_its_partner() -> None:
    old, new = f"{RULES}\n{PEOPLE}end\n", f"{PEOPLE}end\n\n{RULES}"
    change = diff(old, new)
    (gone,) = [b for b in change.blocks if b.moved is not None and b.kind is Kind.DELETE]
    come = change.blocks[gone.moved or 0]
    assert "".join(gone.old) == "".join(come.new) == RULES
    assert change.blocks[come.moved or 0] is gone
    assert (gone.old_start, come.new_start) == (0, 7)


def test_moved_lines_within_a_change_are_cut_out_of_it() -> None:
    old = PEOPLE + "old words\n" + RULES + "tail\n" * 3
    new = RULES + PEOPLE + "new words\n" + "tail\n" * 3
    kinds = [(b.kind.value, b.moved is not None) for b in diff(old, new).blocks]
    assert kinds == [("insert", True), ("equal", False), ("replace", False), ("delete", True), ("equal", False)]
    assert apply(old, diff(old, new)) == new


@pytest.mark.parametrize("run", ["a\nb\n", "a\n\n\nb\n"], ids=["two-lines", "two-lines-and-blanks"])
def test_fewer_than_three_lines_are_no_moved_block(run: str) -> None:
    rest = "one\ntwo\nthree\nfour\nfive\nsix\n"
    assert all(block.moved is None for block in diff(run + rest, rest + run).blocks)


GROUPS = {
    "a-section-starts-at-its-heading": ("# A\n\nx\n\n# C\n\nx\n", "# A\n\nx\n\n# B\n\nx\n\n# C\n\nx\n", "# B\n\nx\n\n"),
    "a-paragraph-starts-after-a-blank-line": ("a\n\nb\n", "a\n\nc\n\nb\n", "c\n\n"),
    "a-repeated-line-is-the-last": ("- a\n", "- a\n- a\n", "- a\n"),
    "an-outer-item-before-its-inner-ones": (
        "- a\n  - x\n- b\n  - x\n",
        "- a\n  - x\n- c\n  - x\n- b\n  - x\n",
        "- c\n  - x\n",
    ),
}


@pytest.mark.parametrize(("old", "new", "inserted"), GROUPS.values(), ids=GROUPS.keys())
def test_a_group_stands_where_it_reads_best(old: str, new: str, inserted: str) -> None:
    assert changed(old, new) == [("insert", "", inserted)]


def test_a_repeated_line_at_the_end_is_the_new_one() -> None:
    assert [block.kind for block in diff("- a\n", "- a\n- a\n").blocks] == [Kind.EQUAL, Kind.INSERT]


def test_hunks_hide_what_is_far_from_a_change() -> None:
    lines = [f"{n}\n" for n in range(30)]
    new = [*lines]
    new[5] = "five\n"
    new[20] = "twenty\n"
    first, second = hunks(diff("".join(lines), "".join(new)))
    assert (first.hidden_before, first.old_start, first.hidden_after) == (2, 2, 0)
    assert (second.hidden_before, second.old_start, second.hidden_after) == (8, 17, 6)


def test_equal_texts_have_no_hunks() -> None:
    assert hunks(diff("a\n", "a\n")) == ()
    assert diff("", "").blocks == ()


def test_a_block_is_a_value() -> None:
    assert diff("a\n", "b\n").blocks == (Block(Kind.REPLACE, 0, 0, ("a\n",), ("b\n",)),)


@pytest.mark.skipif(not HISTORIES, reason="../shared/histories is not here")
@pytest.mark.parametrize("path", HISTORIES, ids=lambda path: path.stem)
def test_counts_of_real_histories(path: Path) -> None:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    texts = [row for row in rows if row.get("text") is not None]
    compared = 0
    for before, row in pairwise(texts):
        expected = row["vs_previous_version_minimal"]
        if expected is not None:
            assert count_lines(before["text"], row["text"]) == (expected["added"], expected["removed"]), row["n"]
            compared += 1
    assert compared >= len(texts) // 2
    assert sha256(texts[-1]["text"].encode()).hexdigest() == texts[-1]["text_sha256"]


def test_lines_beyond_one_matrix_that_all_differ_in_place_are_counted_exactly() -> None:
    old = "".join(f"{n % 977}\n" for n in range(20_000))
    new = "".join(f"{n * 7 % 977}\n" for n in range(20_000))
    change = diff(old, new)
    assert change.exact
    assert change.counts == count_lines(old, new)
    assert apply(old, change) == new
