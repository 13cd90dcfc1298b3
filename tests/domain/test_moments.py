"""Times as people, agents and files write them."""

from datetime import UTC, datetime

import pytest

from studio.domain.archive import iso_known, iso_z, stamp
from studio.domain.moments import UNKNOWN_TIME, known, moment_shown, read_moment
from studio.render.times import exact, relative, time

AT = datetime(2026, 9, 13, 9, 0, 12, tzinfo=UTC)


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


def test_a_time_that_is_not_known_is_shown_as_no_date() -> None:
    assert known(UNKNOWN_TIME) is None
    assert (moment_shown(UNKNOWN_TIME), iso_known(UNKNOWN_TIME), iso_z(UNKNOWN_TIME)) == ("unknown", None, "unknown")
    assert (exact(UNKNOWN_TIME), relative(UNKNOWN_TIME, AT)) == ("unknown time", "unknown time")
    assert "datetime" not in time(UNKNOWN_TIME, AT)
    assert stamp(UNKNOWN_TIME) < stamp(AT)
    assert len(stamp(UNKNOWN_TIME)) == len(stamp(AT))


def test_a_time_that_is_known_is_shown_as_it_is() -> None:
    assert (known(AT), iso_known(AT), iso_known(None)) == (AT, "2026-09-13T09:00:12Z", None)
    assert moment_shown(AT) == "2026-09-13 09:00:12 UTC"
    assert moment_shown(AT, seconds=False) == "2026-09-13 09:00 UTC"
