"""The clock: the one place that reads the time."""

from collections.abc import Callable
from datetime import UTC, datetime

from studio.errors import BadSetting

Clock = Callable[[], datetime]
"""Gives the time now: aware, UTC, whole seconds (archive stamps and State speak seconds)."""


def system_clock() -> datetime:
    """The machine's clock."""
    return datetime.now(UTC).replace(microsecond=0)


def clock_from(setting: str | None) -> Clock:
    """The clock of a `STUDIO_NOW` setting: fixed at that time, or the machine's when it is not set.

    Raises:
        BadSetting: the setting is no ISO-8601 time with an offset.
    """
    if not setting:
        return system_clock
    try:
        fixed = datetime.fromisoformat(setting)
        fixed.astimezone(UTC)  # can leave the years that a time may have
    except (ValueError, OverflowError):
        raise BadSetting(f"STUDIO_NOW must be a time like 2026-09-13T09:00:12Z, not {setting!r}.") from None
    if fixed.tzinfo is None:
        raise BadSetting(f"STUDIO_NOW must name its offset, as in 2026-09-13T09:00:12Z, not {setting!r}.")
    fixed = fixed.astimezone(UTC).replace(microsecond=0)
    return lambda: fixed
