"""Counts and status of imported rows (decisions 15 and 16)."""

from datetime import UTC, datetime

import pytest

from studio.domain.authors import operator
from studio.domain.bodies import Body
from studio.domain.history import HistoryRow, count_rows, status_of
from studio.domain.timeline import Origin, Status

GONE = None
AT = datetime(2026, 1, 1, tzinfo=UTC)


def rows_of(*contents: bytes | None) -> list[HistoryRow]:
    return [
        HistoryRow(
            number=number,
            key=str(number),
            author=operator("Ana"),
            at=AT,
            body=None if content is None else Body.of_bytes(content),
            status=Status.DELETED if content is None else Status.MODIFIED,
            origin=Origin(),
        )
        for number, content in enumerate(contents, 1)
    ]


@pytest.mark.parametrize(
    ("contents", "counts"),
    [
        pytest.param([b"a\nb\n"], [(2, 0, None)], id="the first counts all its lines"),
        pytest.param([b""], [(0, 0, None)], id="an empty first"),
        pytest.param([b"a\n", b"a\n"], [(1, 0, None), (0, 0, None)], id="equal to the one before"),
        pytest.param([b"a\nb\n", GONE], [(2, 0, None), (0, 2, None)], id="a deletion removes all"),
        pytest.param([b"a\nb\n", GONE, b"a\nc\n"], [(2, 0, None), (0, 2, None), (1, 1, None)], id="after a deletion"),
        pytest.param([b"a\n", GONE, GONE], [(1, 0, None), (0, 1, None), (0, 0, None)], id="deleted twice"),
        pytest.param([GONE, b"a\n"], [(0, 0, None), (1, 0, None)], id="deleted first"),
        pytest.param([b"\n", GONE], [(1, 0, None), (0, 1, None)], id="a deletion is not a change of endings only"),
        pytest.param([b"a\r\n", b"a\n"], [(1, 0, None), (1, 1, "line endings")], id="line endings only"),
        pytest.param([b"a\n", b"\xef\xbb\xbfa\n"], [(1, 0, None), (1, 1, "BOM")], id="BOM only"),
        pytest.param([b"a\n", b"a"], [(1, 0, None), (1, 1, "final newline")], id="final newline only"),
        pytest.param(
            [b"\xe9\nb\n", b"\xc3\xa9\nb\n"], [(2, 0, None), (1, 1, None)], id="encoding-01 latin-1 is counted"
        ),
        pytest.param([b"\xe9\n", b"\xe8\n"], [(1, 0, None), (1, 1, None)], id="two bytes that are no text differ"),
        pytest.param(
            [b"a\n", b"\0\n", b"b\n", b"c\n"],
            [(1, 0, None), (None, None, None), (None, None, None), (1, 1, None)],
            id="NUL is not counted on either side",
        ),
        pytest.param([b"\0", GONE], [(None, None, None), (None, None, None)], id="NUL is not counted when deleted"),
    ],
)
def test_counts_are_against_the_last_row_with_a_text(
    contents: list[bytes | None], counts: list[tuple[int | None, int | None, str | None]]
) -> None:
    assert [tuple(counted) for counted in count_rows(rows_of(*contents))] == counts


@pytest.mark.parametrize(
    ("letter", "mode", "status"),
    [
        ("A", "100644", Status.ADDED),
        ("M", "100755", Status.MODIFIED),
        ("R", "100644", Status.RENAMED),
        ("C", "100644", Status.ADDED),
        ("D", "000000", Status.DELETED),
        ("T", "100644", Status.MODIFIED),
        ("T", "160000", Status.DELETED),
        ("X", "100644", None),
        ("", "", None),
    ],
)
def test_the_status_is_that_of_decision_16(letter: str, mode: str, status: Status | None) -> None:
    assert status_of(letter, mode) is status
