"""A draft and a live Task that went apart come together line by line (decision 30)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.merge import merge

START = "one\ntwo\nthree\nfour\nfive\n"

CASES = [
    pytest.param(
        START,
        START.replace("one", "ONE"),
        START.replace("five", "FIVE"),
        "ONE\ntwo\nthree\nfour\nFIVE\n",
        0,
        id="both kept",
    ),
    pytest.param(START, START, START + "six\n", START + "six\n", 0, id="only live changed"),
    pytest.param(START, START.replace("two\n", ""), START, START.replace("two\n", ""), 0, id="only the draft changed"),
    pytest.param(
        "a\nb\n", "a\nB\n", "a\nbee\n", "a\n<<<<<<< draft\nB\n=======\nbee\n>>>>>>> live\n", 1, id="same line, two ways"
    ),
    pytest.param(
        "a\nb", "a\nB", "a\nbee", "a\n<<<<<<< draft\nB\n=======\nbee\n>>>>>>> live\n", 1, id="no final newline"
    ),
    pytest.param("a\nb\n", "a\nB\n", "a\nB\n", "a\nB\n", 0, id="the same change twice"),
]


@pytest.mark.parametrize(("start", "mine", "theirs", "text", "conflicts"), CASES)
def test_merge(start: str, mine: str, theirs: str, text: str, conflicts: int) -> None:
    merged = merge(start, mine, theirs)
    assert merged.text == text
    assert merged.conflicts == conflicts


TEXTS = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d\r\n", "\n"]), max_size=12).map("".join)


@given(TEXTS, TEXTS)
def test_a_side_that_changed_nothing_yields_to_the_other(start: str, changed: str) -> None:
    assert merge(start, changed, start).text == changed
    assert merge(start, start, changed).text == changed
