"""Two lines that differ and look the same: the change says why (case diff-17)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.alike import MOST_SAID, alike_lines, why_alike
from studio.domain.diff import diff


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("Caf\u00e9 opens\n", "Cafe\u0301 opens\n", "composed against decomposed letters (U+00E9"),
        ("Pay 10\u00a0EUR\n", "Pay 10 EUR\n", "another kind of space (U+00A0 NO-BREAK SPACE)"),
        ("10\u2009m", "10\u202fm", "another kind of space (U+2009 THIN SPACE, U+202F NARROW NO-BREAK SPACE)"),
        ("ok \u2764\n", "ok \u2764\ufe0f\n", "characters that cannot be seen (U+FE0F VARIATION SELECTOR-16)"),
        ("un\u00adseen", "unseen", "characters that cannot be seen (U+00AD SOFT HYPHEN)"),
        (
            "Ask Anna",
            "Ask \u0410nna",
            "letters of another script that look the same (U+0410 CYRILLIC CAPITAL LETTER A)",
        ),
        ("x  \n", "x\n", "white space at the end of the line"),
        ("x\t\r\n", "x\r\n", "white space at the end of the line"),
        ("\u00e9\u00a0x", "e\u0301 x", "composed against decomposed letters and another kind of space ("),
    ],
    ids=ascii,
)
def test_why_two_lines_look_the_same(old: str, new: str, says: str) -> None:
    for one, other in ((old, new), (new, old)):
        why = why_alike(one, other)
        assert why is not None
        assert why.says.startswith(says)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a", "b"),
        ("a", "a"),
        ("a\r\n", "a\n"),
        ("x y", "xy"),
        ("Caf\u00e9", "Cafe"),
        ("\u0416", "X"),
        ("  x", "x"),
        ("", "x"),
    ],
    ids=ascii,
)
def test_what_a_reader_sees_needs_no_reason(old: str, new: str) -> None:
    assert why_alike(old, new) is None


LINES = st.text(st.sampled_from("aeA\u0410\u00e9e\u0301 \u00a0\u200b\ufe0f\u2764\t"), max_size=8)


@given(LINES, LINES)
def test_every_reason_stands_on_both_sides(old: str, new: str) -> None:
    one, other = why_alike(old, new), why_alike(new, old)
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert (one.says, one.old, one.new) == (other.says, other.new, other.old)
        assert one.old or one.new or one.trailing, "something is drawn"


def test_a_change_lists_the_lines_that_look_the_same() -> None:
    old = "# A\n\u00e9\nsame\nAnna asks\n"
    new = "# A\ne\u0301\nsame\n\u0410nna asks\n"
    assert [(one.old_line, one.new_line) for one in alike_lines(diff(old, new))] == [(2, 2), (4, 4)]
    assert alike_lines(diff("one\n", "two\n")) == ()
    many = "\n".join(f"line {number}" for number in range(MOST_SAID + 20))
    assert len(alike_lines(diff(many, many.replace("\n", " \n")))) == MOST_SAID
