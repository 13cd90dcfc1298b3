"""A memory directory's history as versions: of its compiled memory, or of one file (decision 1).

Version k is the compiled memory at the k-th first-parent commit that changed it, so what changes nothing of the prompt (a skill, a
deferred file, a file mode) makes no version. Counts equal `git diff --minimal --numstat` of the two compiled texts.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from studio.domain.bodies import EMPTY, Body
from studio.domain.directory.layout import Compiled
from studio.domain.directory.tree import shown_path
from studio.domain.history import HistoryRow, RowCounts, counted
from studio.domain.timeline import Status, Version


@dataclass(frozen=True, slots=True)
class DirectoryHistory:
    """All versions of a directory's memory, or of one of its files."""

    head: str
    """The commit at HEAD that they were read from."""
    versions: tuple[Version, ...]
    """Newest first, without texts; empty where nothing ever compiled."""
    chain: frozenset[str]
    """HEAD and its first parents."""
    live: Body
    """What the newest version holds; of the others no text is kept."""
    path: str | None = None
    """The file whose versions these are; None for the compiled memory."""
    warnings: tuple[str, ...] = ()
    """What could not be read as it should be, one sentence each."""

    @property
    def newest(self) -> Version | None:
        """The live version."""
        return self.versions[0] if self.versions else None


def memory_body(compiled: Compiled) -> Body | None:
    """Compiled memory as a text that can be stored; None where nothing compiles. A name that is no text is shown escaped."""
    return Body(shown_path(compiled.text)) if compiled.blocks else None


def changed_only(rows: Iterable[HistoryRow]) -> Iterator[HistoryRow]:
    """The rows whose text is another than that of the row before, numbered from 1.

    A directory that holds no memory yet has no version; one that lost all of it is deleted, and what comes after is added anew.

    Args:
        rows: the compiled memory at each commit, oldest first; a body of None is a directory without memory.
    """
    last: Body | None = None
    number = 0
    for row in rows:
        if row.body == last:
            continue
        number += 1
        gone = row.body is None
        yield replace(
            row, number=number, status=Status.DELETED if gone else Status.ADDED if last is None else Status.MODIFIED
        )
        last = row.body


def versions_of(rows: Iterable[HistoryRow]) -> tuple[tuple[Version, ...], Body]:
    """The rows as versions, newest first, and what the newest holds; of the other texts only size, hash and counts are kept.

    Args:
        rows: oldest first, numbered from 1.
    """
    held: list[Version] = []
    live = EMPTY
    for row, counts in counted(rows):
        held.append(_version(row, counts))
        live = row.body or EMPTY
    ended = [replace(one, until=after.at) for one, after in pairwise(held)]
    return tuple(reversed([*ended, *(replace(last, live=True) for last in held[-1:])])), live


def _version(row: HistoryRow, counts: RowCounts) -> Version:
    body = row.body or EMPTY
    return Version(
        number=row.number,
        author=row.author,
        at=row.at,
        added=counts.added,
        removed=counts.removed,
        characters=0 if row.stand_in else body.characters,
        status=row.status,
        live=False,
        sha256=body.sha256,
        binary=body.binary and row.stand_in is None,
        only_changed=counts.only_changed,
        first_kept=row.number == 1,
        origin=row.origin,
        stand_in=row.stand_in,
    )
