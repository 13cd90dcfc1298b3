"""Two versions side by side: what each is compared with, and what has no diff."""

from dataclasses import replace

import pytest
from builders import START

from studio.domain.authors import UNKNOWN
from studio.domain.bodies import Body
from studio.domain.comparison import base_of, compare
from studio.domain.timeline import Status, Version, VersionText


def version(number: int, status: Status = Status.MODIFIED, content: str | bytes = "") -> VersionText:
    body = Body.of_bytes(content.encode() if isinstance(content, str) else content)
    facts = Version(number, UNKNOWN, START, 0, 0, body.characters, status, live=False, sha256=body.sha256)
    return VersionText(replace(facts, binary=body.binary), body)


def test_the_first_version_is_against_nothing() -> None:
    comparison = compare(None, version(1, content="a\nb\n"))
    assert comparison.old is None
    assert comparison.diff is not None
    assert (comparison.diff.counts.added, comparison.diff.counts.removed) == (2, 0)


def test_a_change_is_from_the_older_to_the_newer_text() -> None:
    comparison = compare(version(1, content="a\nb\n"), version(2, content="a\nc\nd\n"))
    assert comparison.diff is not None
    assert (comparison.diff.counts.added, comparison.diff.counts.removed) == (2, 1)


@pytest.mark.parametrize(("old", "new", "names"), [(b"\xe9", "x", 1), ("x", b"a\0", 2)], ids=["old", "new"])
def test_bytes_have_no_diff_and_say_why(old: str | bytes, new: str | bytes, names: int) -> None:
    """Decision 5."""
    comparison = compare(version(1, content=old), version(2, content=new))
    assert comparison.diff is None
    assert comparison.binary is not None
    assert comparison.binary.startswith(f"version {names} ")


def test_a_version_counts_against_the_last_one_with_a_text() -> None:
    """Decision 16."""
    listed = [version(number, status).version for number, status in _NEWEST_FIRST]
    bases = {one.number: base_of(listed, one.number) for one in listed}
    assert {number: base.number if base else None for number, base in bases.items()} == {
        6: 2,
        5: 2,
        4: 2,
        3: 2,
        2: 1,
        1: None,
    }


_NEWEST_FIRST = [
    (6, Status.ADDED),
    (5, Status.DELETED),
    (4, Status.STAND_IN),
    (3, Status.DELETED),
    (2, Status.RENAMED),
    (1, Status.ADDED),
]
