"""Times as people, agents and files write them."""

from datetime import UTC, datetime

UNKNOWN_TIME = datetime(1, 1, 1, tzinfo=UTC)
"""Stands for a time that nobody can read, as of a damaged commit; no door shows it as a date."""


def known(at: datetime | None) -> datetime | None:
    """Return the time, or None where it is not known."""
    return None if at == UNKNOWN_TIME else at


def moment_shown(at: datetime, *, seconds: bool = True) -> str:
    """Return a time as lists show it, `2026-09-13 09:00:12 UTC`; `unknown` where it is not known."""
    return "unknown" if known(at) is None else f"{at:{'%Y-%m-%d %H:%M:%S' if seconds else '%Y-%m-%d %H:%M'}} UTC"


def read_moment(text: object) -> datetime | None:
    """The time that an ISO 8601 text with an offset names, in UTC; None for anything else.

    A time that falls outside the years 1 to 9999 once it is in UTC, such as `0001-01-01T00:00:00+14:00`, is no time of ours.
    """
    if not isinstance(text, str):
        return None
    try:
        moment = datetime.fromisoformat(text)
        return None if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
