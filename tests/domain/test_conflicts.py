"""Conflict markers in a text: complete conflicts, and nothing that only looks like one (decision 39)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.conflicts import find_conflicts
from studio.domain.merge import merge


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n", [(1, 3, 5)]),
        ("\ufeff<<<<<<< a\r\nx\r\n=======\r\ny\r\n>>>>>>> b\r\n", [(1, 3, 5)]),
        ("<<<<<<<\nx\n||||||| base\nw\n=======\ny\n>>>>>>>", [(1, 3, 5, 7)]),
        ("<<<<<<< a\n=======\n>>>>>>> b\nok\n<<<<<<< a\n=======\n>>>>>>> b\n", [(1, 2, 3), (5, 6, 7)]),
        ("<<<<<<< a\n<<<<<<< b\n=======\n>>>>>>> c\n", [(2, 3, 4)]),
        ("<<<<<<< a\nHeading\n=======\nx\n=======\ny\n>>>>>>> b\n", [(1, 3, 7)]),
        ("<<<<<<<\ta\n=======\n>>>>>>>\tb", [(1, 2, 3)]),
        ("```\n<<<<<<< a\n=======\n>>>>>>> b\n```\n", [(2, 3, 4)]),
    ],
    ids=["plain", "crlf and bom", "with base", "two", "begun anew", "a heading within", "tabs", "in a fence"],
)
def test_a_conflict_is_found_with_its_lines(text: str, found: list[tuple[int, ...]]) -> None:
    assert [one.lines for one in find_conflicts(text)] == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Heading\n=======\n",
        "Heading\n=======\n>>>>>>> quoted seven times\n",
        "<<<<<<< a\nx\n>>>>>>> b\n",
        "=======\n<<<<<<< a\n>>>>>>> b\n",
        "<<<<<<<< a\n========\n>>>>>>>> b\n",
        "<<<<<<<a\n=======\n>>>>>>>b\n",
        "  <<<<<<< a\n  =======\n  >>>>>>> b\n",
        "<<<<<<< a\n||||||| b\n>>>>>>> c\n",
        "text <<<<<<< a ======= >>>>>>> b",
        "<<<<<<< a\r=======\r>>>>>>> b\r",
    ],
)
def test_what_is_no_conflict_is_left_alone(text: str) -> None:
    assert find_conflicts(text) == ()


LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d\n"]), max_size=8).map("".join)


@given(LINES, LINES, LINES)
def test_every_conflict_of_a_merge_is_found(start: str, mine: str, theirs: str) -> None:
    """A merge that was not settled can go live nowhere without a question (publish-02)."""
    merged = merge(start, mine, theirs)
    assert len(find_conflicts(merged.text)) == merged.conflicts


@given(st.text("<=>|a \n\r", max_size=80))
def test_the_lines_are_in_order_and_are_markers(text: str) -> None:
    lines = text.split("\n")
    marks = "<=>|"
    last = 0
    for conflict in find_conflicts(text):
        assert list(conflict.lines) == sorted(set(conflict.lines))
        assert conflict.lines[0] > last
        assert all(
            lines[line - 1][:7] == lines[line - 1][0] * 7 and lines[line - 1][0] in marks for line in conflict.lines
        )
        last = conflict.lines[-1]
