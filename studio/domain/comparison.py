"""Two versions side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

from studio.domain.diff import Diff, diff
from studio.domain.timeline import Version, VersionText


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed between two versions of one text."""

    old: Version | None
    """The version compared against; None for the change of the first version kept, which is against nothing."""
    new: Version
    """The version that is compared."""
    diff: Diff | None
    """The change; None where one side is not a text (decisions 5 and 41)."""
    binary: str | None = None
    """Why there is no diff: which side is kept as bytes or a stand-in, and for what reason."""


def compare(old: VersionText | None, new: VersionText) -> Comparison:
    """The change from one version to another; a side that is kept as bytes (decision 5) or a stand-in (decision 41) has none."""
    first = old.version if old else None
    for side in (old, new):
        if side is not None and (reason := _no_text(side)) is not None:
            return Comparison(first, new.version, None, f"version {side.version.number} {reason}")
    before = old.body.text if old is not None else ""
    return Comparison(first, new.version, diff(before or "", new.body.text or ""))


def _no_text(side: VersionText) -> str | None:
    """Why there is no text to compare, as the end of a sentence; None where there is one."""
    stand_in = side.version.stand_in
    return side.body.binary_reason if stand_in is None else f"is {stand_in}, whose text is not here"


def no_diff(compared: Comparison) -> str:
    """The sentence in place of a change that is not there."""
    stands_in = any(side is not None and side.stand_in for side in (compared.old, compared.new))
    return f"No diff: {compared.binary}." + ("" if stands_in else " Open it whole to see its bytes.")


def base_of(versions: Sequence[Version], number: int) -> Version | None:
    """The version that this one counts against: the last one before it with a text (decision 16); None for the first kept.

    Args:
        versions: the timeline, newest first.
        number: which version's base is asked for.
    """
    for version in versions:
        if version.number < number and version.status.holds_text:
            return version
    return None
