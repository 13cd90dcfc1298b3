"""A comparison that leaves out line endings, or blanks at the ends of lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.comparison import Ignored, diff_without, read_ignored, without
from studio.domain.diff import diff
from studio.errors import BadArgument

ENDINGS, TRAILING = (Ignored.LINE_ENDINGS,), (Ignored.TRAILING_SPACE,)
BOTH = (*ENDINGS, *TRAILING)


@pytest.mark.parametrize(
    ("old", "new", "ignored", "same"),
    [
        ("a\r\nb\r\n", "a\nb\n", ENDINGS, True),
        ("a\nb", "a\nb\n", ENDINGS, True),
        ("a \n", "a\n", ENDINGS, False),
        ("a \t\nb\u00a0", "a\nb", TRAILING, True),
        ("a \r\n", "a\r\n", TRAILING, True),
        ("a\r\n", "a\n", TRAILING, False),
        ("a \r\nb", "a\nb  \n", BOTH, True),
        (" a\n", "a\n", BOTH, False),
        ("a\n\n", "a\n", BOTH, False),
        ("a\rb\n", "ab\n", BOTH, False),
    ],
    ids=ascii,
)
def test_what_is_left_out(old: str, new: str, ignored: tuple[Ignored, ...], *, same: bool) -> None:
    assert diff_without(diff(old, new), ignored).is_empty is same


TEXTS = st.lists(st.sampled_from(["a", "b", " ", "\t", "\n", "\r\n"]), max_size=30).map("".join)


@given(TEXTS, st.sets(st.sampled_from(list(Ignored))))
def test_leaving_out_again_leaves_nothing_more_out(text: str, ignored: set[Ignored]) -> None:
    once = without(text, ignored)
    assert without(once, ignored) == once
    assert diff_without(diff(text, once), ignored).is_empty
    assert [line.rstrip() for line in text.split("\n") if line.strip()] == [
        line.rstrip() for line in once.split("\n") if line.strip()
    ]


def test_words_are_read_with_commas_and_others_are_refused() -> None:
    assert read_ignored("") == ()
    assert read_ignored("line-endings, trailing-space") == BOTH
    with pytest.raises(BadArgument, match="cannot ignore 'case'; it takes line-endings, trailing-space"):
        read_ignored("line-endings,case")
