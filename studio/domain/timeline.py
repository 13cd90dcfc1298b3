"""Revisions and the live text become versions, newest first.

A *version* is one state of a text. A *revision* is a stored row that holds the **previous** version and names who wrote the next
one (decision 2). So revision k holds version k and names the actor and time of version k + 1; the live row is the newest version,
and the oldest version kept has no recorded author, unless an import, a recorded creator or a re-created row names its own
(decisions 3 and 8). The off-by-one lives here, and in `store/schema/views.sql`, held equal by a property test.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from studio.domain.authors import CHANGED_OUTSIDE, UNKNOWN, Author, AuthorFilter, count_authors
from studio.domain.bodies import Body
from studio.domain.chain import Seal, nobody, renamed
from studio.domain.paths import RunId
from studio.domain.stand_ins import StandIn
from studio.errors import UnknownAuthor, UnknownVersion


class Status(StrEnum):
    """What happened to the text with this version (decision 16)."""

    ADDED = "added"
    MODIFIED = "modified"
    RENAMED = "renamed"
    DELETED = "deleted"
    """The file was deleted: no text, all lines removed."""
    STAND_IN = "stand-in"
    """What is there only stands for the text, as a link does (decision 41): it is kept and is not memory."""

    @property
    def holds_text(self) -> bool:
        """Whether a version with it has a text, which can be shown, compared and restored."""
        return self not in (Status.DELETED, Status.STAND_IN)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an imported version came from."""

    commit: str | None = None
    """The commit's full sha."""
    subject: str | None = None
    """The commit's subject line."""
    path: str | None = None
    """The file's path in that commit."""
    old_path: str | None = None
    """The path it was renamed or copied from."""
    utc_offset_minutes: int | None = None
    """The author's offset from UTC, in minutes, so that a view can show the time as it was written."""
    copied: bool = False
    """Whether the file at the old path lived on beside it (decision 41)."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who wrote a version, when, and on what occasion: what a revision records of the version that replaced the one it holds."""

    author: Author
    """Who wrote it."""
    at: datetime
    """When (UTC)."""
    run: RunId | None = None
    """The run that wrote it."""
    call: str | None = None
    """The id of its `memory_write` call in that run."""
    based_on: int | None = None
    """The memory version that the writing run had read when it was composed."""
    occasion: str | None = None
    """What stands in brackets in the archive's second header line: `Memory view`, `schedule wake-up: "check inbox"` (decision 13)."""
    note: str | None = None
    """Why, in the operator's words; Task versions only."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is stored of one version beside its text, so that lists never read texts."""

    number: int
    """The version's number; grows by one from 1 and never changes."""
    sha256: str
    """Of the stored bytes."""
    characters: int
    """Code points; bytes where binary."""
    added: int | None
    """Lines added against the version before (decision 15); None where git would not count."""
    removed: int | None
    """Lines removed against the version before; None where git would not count."""
    since: datetime
    """When it became live (UTC)."""
    status: Status = Status.MODIFIED
    """What happened to the text."""
    binary: bool = False
    """Whether it is kept as bytes (decision 5)."""
    only_changed: str | None = None
    """`line endings`, `BOM`, `final newline` or several of them, where nothing else changed (decision 15)."""
    own: Actor | None = None
    """Who wrote it, recorded only where no revision before it tells: an import's first version, a re-created row (decision 8)."""
    origin: Origin | None = None
    """Where it came from; imports only."""
    stand_in: StandIn | None = None
    """What is there in place of the text, where the status says so; imports only."""
    renamed: Author | None = None
    """The newest name of its author, where that is not the recorded one any more; imports only (decision 38)."""
    seal: Seal | None = None
    """What ties it into its chain; None where it was not read."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A stored row: the version it holds and who replaced it."""

    facts: Facts
    """Of the version this row holds."""
    replaced_by: Actor
    """Who wrote the version after it, and when."""


@dataclass(frozen=True, slots=True)
class Version:
    """One state of a text as a person sees it in the timeline."""

    number: int
    """Grows by one from 1 and never changes, also after pruning."""
    author: Author
    """Who wrote it."""
    at: datetime
    """When it became live (UTC)."""
    added: int | None
    """Lines added against the version before; None for bytes that git would not count."""
    removed: int | None
    """Lines removed likewise."""
    characters: int
    """Code points; 0 where a stand-in is in place of the text."""
    status: Status
    """What happened to the text."""
    live: bool
    """Whether this is the text that the next run reads."""
    sha256: str
    """Of the stored bytes."""
    run: RunId | None = None
    """The run that wrote it."""
    call: str | None = None
    """Its `memory_write` call in that run."""
    based_on: int | None = None
    """The version that run had read."""
    until: datetime | None = None
    """When it was replaced (UTC); None for the live version."""
    note: str | None = None
    """Why, in the operator's words; Task versions only."""
    occasion: str | None = None
    """How it came about, as the archive's header line says it."""
    binary: bool = False
    """Whether it is kept as bytes."""
    only_changed: str | None = None
    """What alone changed, where that is line endings, BOM or final newline."""
    first_kept: bool = False
    """Whether it is the oldest version kept; its counts are then against nothing or a version that is gone."""
    origin: Origin | None = None
    """Where it came from; imports only."""
    stand_in: StandIn | None = None
    """What is there in place of the text, where the status says so; imports and directories only."""
    marks: tuple[str, ...] = ()
    """What of it would have deserved a question, as the words of `Question`: a memory that nobody was asked about (decision 39)."""
    recorded: Author | None = None
    """Who is recorded as its author, where an import names another one by now (decision 38)."""
    changed_outside: str | None = None
    """How what is stored of it does not match its hashes, so that it is credited to nobody (decision 38); None where all does."""


@dataclass(frozen=True, slots=True)
class VersionText:
    """A version with what it holds."""

    version: Version
    """The version's facts."""
    body: Body = field(default_factory=lambda: Body(""))
    """Its text or bytes."""


def timeline(revisions: Sequence[Revision], live: Facts | None) -> tuple[Version, ...]:
    """All versions, newest first.

    Args:
        revisions: the rows kept, oldest first, by sequence and never by clock (decision 14).
        live: the live row, or None while it is missing.

    Returns:
        One version more than there are revisions; as many as revisions while the live row is missing.
    """
    held = [revision.facts for revision in revisions] + ([live] if live is not None else [])
    versions: list[Version] = []
    for index, facts in enumerate(held):
        before = revisions[index - 1].replaced_by if index else None
        until = revisions[index].replaced_by.at if index < len(revisions) else None
        versions.append(_version(facts, before, until, live=facts is live, first=index == 0))
    return tuple(reversed(versions))


def _version(facts: Facts, by: Actor | None, until: datetime | None, *, live: bool, first: bool) -> Version:
    """One version: its own facts, and its actor: its own where the row names one, else from the revision before it."""
    known = facts.own or by
    recorded = known.author if known else UNKNOWN
    return Version(
        number=facts.number,
        author=recorded if facts.renamed is None else renamed(facts.renamed, recorded),
        at=facts.since,
        added=facts.added,
        removed=facts.removed,
        characters=0 if facts.stand_in else facts.characters,
        status=facts.status,
        live=live,
        sha256=facts.sha256,
        run=known.run if known else None,
        call=known.call if known else None,
        based_on=known.based_on if known else None,
        until=until,
        note=known.note if known else None,
        occasion=known.occasion if known else None,
        binary=facts.binary and facts.stand_in is None,
        only_changed=facts.only_changed,
        first_kept=first,
        origin=facts.origin,
        stand_in=facts.stand_in,
        recorded=None if facts.renamed is None else recorded,
    )


def marked(versions: Sequence[Version], outside: Mapping[int, str]) -> tuple[Version, ...]:
    """The versions, of which those that were changed outside are credited to nobody.

    Args:
        versions: a timeline.
        outside: how each version that was changed outside does not match, by its number.
    """
    if not outside:
        return tuple(versions)
    return tuple(_marked(version, outside.get(version.number)) for version in versions)


def _marked(version: Version, how: str | None) -> Version:
    if how is None:
        return version
    credited = replace(version, author=nobody(f"{CHANGED_OUTSIDE}: {how}"), changed_outside=how)
    return replace(credited, run=None, call=None, based_on=None)


def selected(
    versions: Sequence[Version], *, author: str | None = None, limit: int | None = None, before: int | None = None
) -> tuple[Version, ...]:
    """A part of a timeline.

    Args:
        versions: the whole timeline, newest first.
        author: keep only this kind of author, or one author as `kind:name` (decision 3).
        limit: how many at most.
        before: keep only versions with a smaller number.

    Raises:
        BadAuthorFilter: the filter is not a kind or `kind:name`.
        UnknownAuthor: `kind:name` names nobody who wrote a version.
    """
    chosen = AuthorFilter.parse(author) if author is not None else None
    found = by_author(versions, chosen)
    if chosen is not None and chosen.name is not None and not found:
        raise UnknownAuthor(str(chosen), [count.author.key for count in count_authors(v.author for v in versions)])
    earlier = [version for version in found if before is None or version.number < before]
    return tuple(earlier if limit is None else earlier[: max(limit, 0)])


def sought(versions: Sequence[Version], number: int | None) -> Version | None:
    """The version with this number, or the newest without one; None where it is not there. They are newest first."""
    return next((version for version in versions if number in (None, version.number)), None)


def picked(versions: Sequence[Version], number: int | None, what: str) -> Version:
    """The version with this number, or the newest without one.

    Args:
        versions: the timeline, newest first.
        number: which version.
        what: names the text in the sentence, as `the memory of scout`.

    Raises:
        UnknownVersion: it is not there, or no longer kept.
    """
    found = sought(versions, number)
    if found is None:
        kept = [version.number for version in versions]
        raise UnknownVersion(what, number or 0, min(kept, default=0), max(kept, default=0))
    return found


def by_author(versions: Iterable[Version], author: AuthorFilter | None) -> tuple[Version, ...]:
    """The versions by one kind of author or one author; numbers and counts stay as they are."""
    return tuple(version for version in versions if author is None or author.matches(version.author))
