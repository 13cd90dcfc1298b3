"""Whether the lines that versions say they added and removed are those of their changes (decisions 15, 16 and 41)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from studio.domain.bodies import EMPTY, Body
from studio.domain.checking import Break
from studio.domain.checking_chain import Said
from studio.domain.diff import count_lines
from studio.domain.endings import only_changed
from studio.domain.timeline import Status


class Counts(NamedTuple):
    """What a row says of its change."""

    added: int | None
    """Lines added; None where git would not count."""
    removed: int | None
    """Lines removed likewise."""
    only_changed: str | None
    """What alone changed, if that is all."""


@dataclass(frozen=True, slots=True)
class Counted:
    """One version with its text and what its row says of its change."""

    number: int
    """Its number."""
    status: str
    """Its status, as the row says."""
    body: Body
    """What it holds."""
    said: Counts
    """What the row says."""
    sound: bool = True
    """Whether the text is the one that its sha256 is of; counts against another one say nothing."""


def check_counts(versions: Sequence[Counted]) -> Iterator[Said]:
    """Every version whose counts are not those of its change.

    Args:
        versions: those that are kept, oldest first.
    """
    for one, against, expected in expected_counts(versions):
        if expected and one.sound and (against is None or against.sound) and one.said not in expected:
            added, removed, _ = expected[0]
            said = f"{one.said.added} added and {one.said.removed} removed"
            yield Break.COUNTS, one.number, f"it says {said}, and its change has {added} and {removed}"


def expected_counts(versions: Sequence[Counted]) -> Iterator[tuple[Counted, Counted | None, tuple[Counts, ...]]]:
    """Each version with the one it counts against and the counts that it can have; none where nobody can tell any more."""
    last: Counted | None = None
    live = False
    whole, number = True, 0
    for place, one in enumerate(versions):
        if one.number != number + 1:
            last, whole = None, False  # nobody can tell what one counts against that follows on a missing one
        yield one, last, _first(one) if place == 0 else _expected(one, last, live=live, whole=whole)
        number = one.number
        if one.status not in (Status.DELETED, Status.STAND_IN):
            last = one
        live = live if one.status == Status.STAND_IN else one.status != Status.DELETED


def _first(one: Counted) -> tuple[Counts, ...]:
    """What the oldest version kept counts: all its lines. Of bytes whose version before is pruned nobody can tell."""
    if one.status == Status.STAND_IN:
        return (Counts(0, 0, None),)
    if one.body.binary and one.number > 1:
        return ()
    return (_between(EMPTY, one.body)._replace(only_changed=None),)


def _expected(one: Counted, last: Counted | None, *, live: bool, whole: bool) -> tuple[Counts, ...]:
    """What a later version can count; nothing where what it counts against is pruned."""
    if one.status == Status.STAND_IN:
        return (Counts(0, 0, None),)
    if last is None and not whole:
        return ()
    before = EMPTY if last is None else last.body
    if one.status == Status.DELETED:
        gone = _between(before, EMPTY)._replace(only_changed=None)
        return (gone,) if live else (Counts(0, 0, None),)
    counts = _between(before, one.body)
    return (counts, counts._replace(only_changed=None)) if last is None else (counts,)


def _between(old: Body, new: Body) -> Counts:
    """The counts from one text to the next."""
    if not (old.countable and new.countable):
        return Counts(None, None, None)
    counts = count_lines(old.lines_text, new.lines_text)
    return Counts(counts.added, counts.removed, only_changed(old.lines_text, new.lines_text))
