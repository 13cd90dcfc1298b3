"""Times as people read them. Times are UTC and every exact time names its zone (decision 14)."""

from datetime import datetime, timedelta

from studio.domain.archive import iso_z
from studio.domain.moments import known
from studio.render.tags import Html, joined, tag

_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
_STEPS = (
    (_HOUR, _MINUTE, "minute"),
    (_DAY, _HOUR, "hour"),
    (_DAY * 30, _DAY, "day"),
    (_DAY * 365, _DAY * 30, "month"),
    (None, _DAY * 365, "year"),
)


UNKNOWN = "unknown time"
"""What is said of a time that nobody can read."""


def exact(at: datetime) -> str:
    """`27 Nov 2026, 06:03 UTC`; `unknown time` where it is not known."""
    return UNKNOWN if known(at) is None else f"{at.day} {at:%b %Y, %H:%M} UTC"


def relative(at: datetime, now: datetime) -> str:
    """`3 hours ago`; a clock that stepped back gives `in 3 hours` (decision 14)."""
    if known(at) is None:
        return UNKNOWN
    apart = abs(now - at)
    if apart < _MINUTE:
        return "just now"
    for most, unit, word in _STEPS:
        if most is None or apart < most:
            count = apart // unit
            said = f"{count} {word}{'' if count == 1 else 's'}"
            return f"{said} ago" if at <= now else f"in {said}"
    raise AssertionError(apart)


def time(at: datetime, now: datetime) -> Html:
    """A moment, relative and exact."""
    if known(at) is None:
        return tag("span", UNKNOWN)
    return tag("time", joined(relative(at, now), tag("span", f" · {exact(at)}", class_="exact")), datetime=iso_z(at))
