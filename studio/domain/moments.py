"""Times as people, agents and files write them."""

from datetime import UTC, datetime


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
