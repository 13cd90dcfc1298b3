"""Two versions side by side."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from studio.domain.diff import Block, Diff, diff
from studio.domain.timeline import Version, VersionText
from studio.errors import BadArgument


class Ignored(StrEnum):
    """What a comparison can leave out of both texts."""

    LINE_ENDINGS = "line-endings"
    """CRLF against LF, and whether the last line ends."""
    TRAILING_SPACE = "trailing-space"
    """Blanks and tabs at the ends of lines."""


_TRAILING = re.compile(r"[^\S\r\n]+(?=\r?\n|\Z)")


def read_ignored(words: str) -> tuple[Ignored, ...]:
    """Return what a list of words with commas says is to be left out.

    Raises:
        BadArgument: a word is none of them.
    """
    named = [word.strip() for word in words.split(",") if word.strip()]
    unknown = [word for word in named if word not in set(Ignored)]
    if unknown:
        raise BadArgument(f"A comparison cannot ignore {unknown[0]!r}; it takes {', '.join(Ignored)}.")
    return tuple(Ignored(word) for word in named)


def without(text: str, ignored: Collection[Ignored]) -> str:
    """Return the text without what a comparison leaves out."""
    if Ignored.TRAILING_SPACE in ignored:
        text = _TRAILING.sub("", text)
    if Ignored.LINE_ENDINGS in ignored:
        text = text.replace("\r\n", "\n")
        text = text if text.endswith("\n") or not text else f"{text}\n"
    return text


def diff_without(change: Diff, ignored: Collection[Ignored]) -> Diff:
    """Return the change between the same two texts, both without what is left out."""
    if not ignored:
        return change
    old, new = ("".join(line for block in change.blocks for line in side(block)) for side in (_old, _new))
    return diff(without(old, ignored), without(new, ignored))


def _old(block: Block) -> tuple[str, ...]:
    return block.old


def _new(block: Block) -> tuple[str, ...]:
    return block.new


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


def ignoring(compared: Comparison, ignored: Collection[Ignored]) -> Comparison:
    """Return the comparison of the same two versions, both without what is left out; its texts are then no longer those stored."""
    return compared if compared.diff is None else replace(compared, diff=diff_without(compared.diff, ignored))


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
