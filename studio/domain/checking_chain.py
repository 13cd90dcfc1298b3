"""The checks of one text's versions against each other: numbers, authors, links, archive names (decision 38)."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

from studio.domain import chain
from studio.domain.archive import source_name, stamp
from studio.domain.authors import UNKNOWN, Author, AuthorKind
from studio.domain.chain import Entry, EntryKind, Seal, Written
from studio.domain.changes import TextKind
from studio.domain.checking import Break
from studio.domain.paths import AgentId
from studio.domain.timeline import Status


class By(NamedTuple):
    """Who wrote a version, as the rows say it."""

    kind: str
    """Kind of author; may be none of ours in a row that was changed."""
    name: str | None
    """Name of the author."""
    via: str | None
    """Agent tool of the author."""
    evidence: str | None
    """What an import read it from."""
    run: str | None
    """The run."""
    call: str | None
    """Its call."""

    @property
    def author(self) -> Author:
        """As a value. Raises `ValueError` for what is no kind."""
        return Author(AuthorKind(self.kind), self.name, self.via, self.evidence)


@dataclass(frozen=True, slots=True)
class Held:
    """One version as its row holds it, without its text."""

    number: int
    """Its number."""
    sha256: str
    """Of its text, as the row says."""
    characters: int
    """Its size likewise."""
    status: str
    """Its status likewise."""
    since: datetime
    """When it became live."""
    own: By | None
    """Who wrote it, where its own row tells."""
    by: By | None
    """Who wrote the next one; None for the live version."""
    replaced_at: datetime | None
    """When; None likewise."""
    seal: Seal | None
    """What ties it into its chain; None where a part of that is missing."""
    name: str | None = None
    """Its archive name; None for the live version and for a Task."""
    imported: bool = False
    """Whether an import brought it."""
    renamed: str | None = None
    """The newest name of its author, as JSON."""


@dataclass(frozen=True, slots=True)
class Text:
    """All that is kept of one text."""

    agent: AgentId
    """Whose."""
    kind: TextKind
    """Which."""
    held: tuple[Held, ...]
    """Its versions, oldest first."""
    entries: tuple[Entry, ...] = ()
    """The other entries of its chain, oldest first."""

    def written(self) -> Iterator[tuple[Held, By | None]]:
        """Each version with who is recorded as its author; None where nobody can tell any more, since the row before is pruned."""
        before: Held | None = None
        for one in self.held:
            if one.own is not None:
                yield one, one.own
            elif before is not None and before.number == one.number - 1:
                yield one, before.by
            else:
                yield one, By(UNKNOWN.kind, None, None, None, None, None) if one.number == 1 else None
            before = one


Said = tuple[Break, int | None, str]
"""What does not hold, of which version, in a sentence."""


def check_text(text: Text) -> Iterator[Said]:
    """Every break among the versions of one text."""
    for check in (_numbers, _values, _digests, _times, _names, _newest_names, links):
        yield from check(text)


def changed_outside(text: Text, other_texts: frozenset[int]) -> dict[int, str]:
    """How versions do not match what was stored with them, by number: what was changed outside, and is credited to nobody.

    Args:
        text: the versions.
        other_texts: the numbers of those whose text is not the one that their sha256 is of.
    """
    found = {number: what for _, number, what in (*_values(text), *_digests(text)) if number is not None}
    for step in steps(text):
        if not step.entry and step.link != step.computed:
            found[step.number] = "its link is not over its number, hash, size, status and author"
    return found | dict.fromkeys(other_texts, "its text does not match its sha256")


def _numbers(text: Text) -> Iterator[Said]:
    for before, after in pairwise(text.held):
        if after.number == before.number:
            yield Break.NUMBERS, after.number, "it is there twice"
        elif after.number == before.number + 2:
            yield Break.NUMBERS, after.number - 1, "it is missing"
        elif after.number > before.number + 1:
            yield Break.NUMBERS, before.number + 1, f"it and those up to {after.number - 1} are missing"
    if text.held and text.held[0].number < 1:
        yield Break.NUMBERS, text.held[0].number, "numbers begin at 1"


def _values(text: Text) -> Iterator[Said]:
    kinds, statuses = set(AuthorKind), set(Status)
    for one in text.held:
        if one.status not in statuses:
            yield Break.VALUE, one.number, f"{one.status!r} is not a status"
        for by, whose in ((one.own, one.number), (one.by, one.number + 1)):
            if by is not None and by.kind not in kinds:
                yield Break.VALUE, whose, f"{by.kind!r} is not a kind of author"
        if one.seal is None:
            yield Break.LINK, one.number, "its link is missing"


def _digests(text: Text) -> Iterator[Said]:
    """Whether each version was written by whom, when and how its digest says."""
    for one, by in text.written():
        if by is None or one.seal is None or by.kind not in set(AuthorKind):
            continue
        if chain.digest(Written(by.author, one.since, by.run, by.call)) != one.seal.digest:
            yield Break.AUTHOR, one.number, "author, time, run or call are not those that it was stored with"


def _times(text: Text) -> Iterator[Said]:
    """Whether each version became live when the one before it was replaced."""
    for before, after in pairwise(text.held):
        if after.own is None and after.number == before.number + 1 and before.replaced_at != after.since:
            yield Break.AUTHOR, after.number, "it was not made when the version before it was replaced"


def _names(text: Text) -> Iterator[Said]:
    if text.kind is not TextKind.MEMORY:
        return
    seen: set[str] = set()
    for one, after in zip(text.held, (*text.held[1:], None), strict=True):
        if one.by is None or one.replaced_at is None or one.by.kind not in set(AuthorKind):
            continue
        name = one.name or ""
        ends = "" if after is None or after.imported else f"-{source_name(one.by.author)}"
        if name in seen or not (name.startswith(stamp(one.replaced_at)) and name.endswith(f"{ends}.md")):
            yield Break.NAME, one.number, f"its archive name {name!r} is not the one of its time and author"
        seen.add(name)


def _newest_names(text: Text) -> Iterator[Said]:
    """Whether the names that re-namings gave are those that are shown."""
    named: dict[int, list[object]] = {}
    for entry in since_restart(text.entries):
        if entry.kind is EntryKind.RENAMING:
            authors = chain.content_of(entry).get("authors", {})
            named |= {int(number): author for number, author in authors.items() if str(number).isdigit()}
    for one, by in text.written():
        if by is None:
            continue
        newest = named.get(one.number)
        recorded = [by.kind, by.name, by.via, by.evidence]
        expected = None if newest is None or newest == recorded else newest
        if (None if one.renamed is None else _read(one.renamed)) != expected:
            yield Break.AUTHOR, one.number, "the author that is shown is not one that a re-naming in its chain gave"


def _read(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text


def since_restart(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries from the last restart on, itself included."""
    last = max((place for place, entry in enumerate(entries) if entry.kind is EntryKind.RESTART), default=0)
    return tuple(entries[last:])


class Step(NamedTuple):
    """One entry of a chain, whatever it is."""

    number: int
    """Of the version; of another entry that of the version it follows."""
    before: str
    """The link before, as stored."""
    link: str
    """Its link, as stored; empty where it is missing."""
    computed: str
    """Its link, as it has to be."""
    what: str
    """Names it in a sentence."""
    entry: bool = False
    """Whether it is another entry than a version."""


def steps(text: Text) -> Iterator[Step]:
    """All entries that are kept, in order."""
    found: list[tuple[tuple[int, int], Step]] = []
    for one in text.held:
        if one.seal is None:
            found.append(((one.number, 0), Step(one.number, "", "", "", "its")))
        else:
            link = chain.version_link(
                one.seal.before, one.number, one.sha256, one.characters, one.status, one.seal.digest
            )
            found.append(((one.number, 0), Step(one.number, one.seal.before, one.seal.link, link, "its")))
    for entry in since_restart(text.entries):
        link = chain.entry_link(entry.before, entry.kind, entry.content, entry.at)
        step = Step(entry.after, entry.before, entry.link, link, f"the {entry.kind} behind it has a", entry=True)
        found.append(((entry.after, entry.position), step))
    for _, step in sorted(found, key=lambda one: one[0]):
        yield step


def links(text: Text) -> Iterator[Said]:
    """Whether each link is over its entry and the link before."""
    expected: tuple[str, ...] = ()
    first = text.held[0].number if text.held else 0
    restarted = any(entry.kind is EntryKind.RESTART for entry in text.entries)
    if first == 1 and not restarted:
        expected = (chain.start(text.agent, text.kind),)
    last: Step | None = None
    for step in steps(text):
        if last is not None and last.entry and step.number > last.number + 1:
            expected = ()  # the versions between are pruned
        last = step
        if step.computed != step.link:
            yield Break.LINK, step.number or None, f"{step.what} link is not over number, hash, size, status and author"
        elif expected and step.link and step.before not in expected:
            yield Break.LINK, step.number or None, f"{step.what} link does not follow on the entry before"
        expected = (step.link, step.computed) if step.link else ()
