"""Two versions side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

from studio.domain.diff import Diff, diff
from studio.domain.timeline import Status, Version, VersionText


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed between two versions of one text."""

    old: Version | None
    """The version compared against; None for the change of the first version kept, which is against nothing."""
    new: Version
    """The version that is compared."""
    diff: Diff | None
    """The change; None where one side is no text (decision 5)."""
    binary: str | None = None
    """Why there is no diff: which side is kept as bytes, and for what reason."""


def compare(old: VersionText | None, new: VersionText) -> Comparison:
    """The change from one version to another; a side that is kept as bytes has none (decision 5)."""
    for side in (old, new):
        if side is not None and side.body.binary:
            return Comparison(
                old.version if old else None,
                new.version,
                None,
                f"version {side.version.number} {side.body.binary_reason}",
            )
    before = old.body.text if old is not None else ""
    return Comparison(old.version if old else None, new.version, diff(before or "", new.body.text or ""))


def base_of(versions: Sequence[Version], number: int) -> Version | None:
    """The version that this one counts against: the last one before it with a text (decision 16); None for the first kept.

    Args:
        versions: the timeline, newest first.
        number: which version's base is asked for.
    """
    for version in versions:
        if version.number < number and version.status is not Status.DELETED:
            return version
    return None
