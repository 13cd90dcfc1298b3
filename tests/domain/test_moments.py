"""Times as people, agents and files write them."""

from datetime import UTC, datetime

import pytest

from studio.domain.moments import read_moment


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-09-13T09:00:12Z", datetime(2026, 9, 13, 9, 0, 12, tzinfo=UTC)),
        ("2026-09-13T09:00:12+02:00", datetime(2026, 9, 13, 7, 0, 12, tzinfo=UTC)),
        ("0001-01-01T00:00:00-14:00", datetime(1, 1, 1, 14, tzinfo=UTC)),
        ("0001-01-01T00:00:00+14:00", None),
        ("9999-12-31T23:59:59-14:00", None),
        ("2026-09-13T09:00:12", None),
        ("2026-09-13", None),
        ("noon", None),
        ("\ud800", None),
        ("", None),
        (1_700_000_000, None),
        (None, None),
    ],
    ids=ascii,
)
def test_a_time_has_its_offset_and_a_year_of_ours(text: object, moment: datetime | None) -> None:
    assert read_moment(text) == moment
