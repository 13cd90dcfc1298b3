"""A history brought in from elsewhere: its rows as values, oldest first, and their line counts (decisions 14 to 16)."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from studio.domain.agents import Agent, ImportSource
from studio.domain.authors import Author, count_authors
from studio.domain.bodies import EMPTY, Body
from studio.domain.diff import count_lines
from studio.domain.endings import only_changed
from studio.domain.stand_ins import StandIn, stand_in_of
from studio.domain.timeline import Origin, Status

SUBMODULE_MODE = "160000"
"""git's mode of a submodule."""
Progress = Callable[[int, int], None]
"""Told how many of how many versions were read."""
_STATUS_OF_LETTER = {
    "A": Status.ADDED,
    "C": Status.ADDED,
    "D": Status.DELETED,
    "M": Status.MODIFIED,
    "R": Status.RENAMED,
    "T": Status.MODIFIED,
}


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One version of an imported text."""

    number: int
    """1 is the oldest; order is by sequence, never by clock (decision 14)."""
    key: str
    """What identifies this row when the same history is read again: the commit's sha and the path."""
    author: Author
    """Who wrote it, with the evidence (decision 3)."""
    at: datetime
    """When it was written: the author's time, in UTC."""
    body: Body | None
    """What the file holds: a link's target, a pointer where that is all; None for a deletion."""
    status: Status
    """What happened to the text (decision 16)."""
    origin: Origin
    """The commit and path it came from."""
    stand_in: StandIn | None = None
    """What is there in place of the text, where the status says so."""


@dataclass(frozen=True, slots=True)
class History:
    """All versions of one text, and where they came from."""

    source: ImportSource
    """What identifies this history in any copy of it."""
    rows: tuple[HistoryRow, ...]
    """Oldest first, at least one."""
    warnings: tuple[str, ...] = ()
    """What could not be read as it should be, one sentence each."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did."""

    agent: Agent
    """The agent that holds the history."""
    versions: int
    """How many versions of the history it holds now."""
    added: int
    """How many of them this import added."""
    skipped: int
    """How many it held already."""
    warnings: tuple[str, ...]
    """What an operator should know, one sentence each."""


def with_stand_in(row: HistoryRow, mode: str) -> HistoryRow:
    """The row of a file with this mode of git's, marked where what it holds only stands for a text (decision 41)."""
    found = None if row.body is None else stand_in_of(row.body, mode)
    return row if found is None else replace(row, status=Status.STAND_IN, stand_in=found)


class FoundEvidence(NamedTuple):
    """One reason why an author was taken for what it is."""

    evidence: str | None
    """As each version keeps it; None where nothing spoke for an agent."""
    via: str | None
    """The agent tool that the author worked with."""
    versions: int
    """How many versions say so."""


class FoundAuthor(NamedTuple):
    """Somebody who wrote a part of a history, as an import would name them."""

    author: Author
    """The kind and the name."""
    versions: int
    """How many versions are theirs."""
    reasons: tuple[FoundEvidence, ...]
    """Why, the commonest first."""


def found_authors(rows: Iterable[HistoryRow]) -> tuple[FoundAuthor, ...]:
    """Everybody who wrote a history, with the evidence: who wrote most first, then by kind and name."""
    rows = tuple(rows)
    reasons: dict[str, Counter[tuple[str | None, str | None]]] = {}
    for row in rows:
        reasons.setdefault(row.author.key, Counter())[row.author.evidence, row.author.via] += 1
    return tuple(
        FoundAuthor(
            count.author,
            count.versions,
            tuple(FoundEvidence(*reason, versions) for reason, versions in reasons[count.author.key].most_common()),
        )
        for count in count_authors(row.author for row in rows)
    )


class RowCounts(NamedTuple):
    """What changed with one row, in git's lines (decision 15)."""

    added: int | None
    """Lines added; None where git would not count."""
    removed: int | None
    """Lines removed; None where git would not count."""
    only_changed: str | None
    """`line endings`, `BOM` or `final newline` (or several) where nothing else changed."""


def status_of(letter: str, mode: str) -> Status | None:
    """The status for git's letter and mode (decision 16); None for a letter that says nothing about a text.

    A copy is an added file: the one it was made from lives on. A submodule holds no text, so there is none any more.
    """
    if mode == SUBMODULE_MODE:
        return Status.DELETED
    return _STATUS_OF_LETTER.get(letter)


def count_rows(rows: Iterable[HistoryRow]) -> list[RowCounts]:
    """The counts of every row against the last row before it that has a text (decisions 15 and 16).

    The first text counts all its lines as added; a deletion removes all lines of the last text, and a deletion of what
    is already deleted removes none; a text equal to the one before counts 0 and 0, and so does a stand-in.

    Args:
        rows: all rows of one history, oldest first.
    """
    return [counts for _, counts in counted(rows)]


def counted(rows: Iterable[HistoryRow]) -> Iterator[tuple[HistoryRow, RowCounts]]:
    """Each row with its counts, as `count_rows` gives them; of all texts only the last one is held."""
    last: Body | None = None
    live = False
    for row in rows:
        if row.stand_in is not None:
            yield row, RowCounts(0, 0, None)
            continue
        if row.body is None:
            gone = _counts(last, EMPTY) if live else RowCounts(0, 0, None)
            yield row, gone._replace(only_changed=None)
        else:
            yield row, _counts(last, row.body)
            last = row.body
        live = row.body is not None


def _counts(old: Body | None, new: Body) -> RowCounts:
    """Counts from one body to the next; `old` is None for the first text."""
    if not new.countable or (old is not None and not old.countable):
        return RowCounts(None, None, None)
    before, after = "" if old is None else old.lines_text, new.lines_text
    counted = count_lines(before, after)
    return RowCounts(counted.added, counted.removed, None if old is None else only_changed(before, after))
