"""Who wrote a version: kinds of author, evidence, and the author filter (decision 3)."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from unicodedata import normalize

from studio.errors import BadAuthorFilter


def _one_form(name: str | None) -> str | None:
    """A name in NFC."""
    return name if name is None or name.isascii() else normalize("NFC", name)


class AuthorKind(StrEnum):
    """The four kinds of author (decision 3)."""

    RUN = "run"
    """A run of the agent that is on record."""
    OPERATOR = "operator"
    """A person; in an import also a person with evidence of an agent, then `via` names it."""
    AGENT = "agent"
    """The agent, or an agent or bot of an import, with no run on record."""
    UNKNOWN = "unknown"
    """Nobody recorded: the oldest version kept, unless an import or a recorded creator names its author."""


CHANGED_OUTSIDE = "changed outside"
"""How the evidence begins of a version that is credited to nobody, since it does not match its hashes (decision 38)."""


@dataclass(frozen=True, slots=True)
class Author:
    """Who wrote one version, and how we know; a name that can be written in two forms of Unicode is held in one (decision 40)."""

    kind: AuthorKind
    """Which kind of author."""
    name: str | None = None
    """The run's id, or the operator's or agent's name; None when unknown."""
    via: str | None = None
    """The agent tool that a person worked with, as its trailer writes it (`Claude`); only from imports."""
    evidence: str | None = None
    """What an import read this from (`trailer: Co-Authored-By: Claude`, `author-name`); None where nothing spoke for an agent."""

    def __post_init__(self) -> None:
        """Hold the name in NFC, whatever the form in which it comes."""
        object.__setattr__(self, "name", _one_form(self.name))

    def __str__(self) -> str:
        """For a sentence or a label: `operator Ana`, `run r_ab12cd`, `operator Ana (via Claude)`, `no recorded author`."""
        if self.kind is AuthorKind.UNKNOWN:
            return (
                "nobody: changed outside" if (self.evidence or "").startswith(CHANGED_OUTSIDE) else "no recorded author"
            )
        who = f"{self.kind} {self.name}" if self.name else f"the {self.kind}"
        return f"{who} (via {self.via})" if self.via else who

    @property
    def key(self) -> str:
        """The filter that selects just this author: `operator:Ana`."""
        return f"{self.kind}:{self.name}" if self.name else str(self.kind)


UNKNOWN = Author(AuthorKind.UNKNOWN)
"""The author of a version that nobody is recorded for."""


def operator(name: str) -> Author:
    """The operator of this name as an author."""
    return Author(AuthorKind.OPERATOR, name)


@dataclass(frozen=True, slots=True)
class AuthorFilter:
    """Selects versions by kind of author, or by one author of that kind (decision 3)."""

    kind: AuthorKind
    """The kind to keep."""
    name: str | None = None
    """The single author to keep, or None for all of the kind."""

    @classmethod
    def parse(cls, text: str) -> "AuthorFilter":
        """Read `kind` or `kind:name`; a name may hold colons.

        Raises:
            BadAuthorFilter: the part before the first colon is no kind, or the name after it is empty.
        """
        kind, colon, name = text.partition(":")
        if kind not in set(AuthorKind) or (colon and not name):
            raise BadAuthorFilter(text)
        return cls(AuthorKind(kind), _one_form(name) or None)

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}" if self.name else str(self.kind)

    def matches(self, author: Author) -> bool:
        """Whether a version by this author is kept."""
        return author.kind is self.kind and self.name in (None, author.name)


@dataclass(frozen=True, slots=True)
class AuthorCount:
    """One author of a timeline and how many versions are theirs."""

    author: Author
    """The author, without the evidence of a single version."""
    versions: int
    """How many versions kept are by this author."""


def count_authors(authors: Iterable[Author]) -> tuple[AuthorCount, ...]:
    """All authors with their number of versions: most first, then by kind and name."""
    counts: dict[Author, int] = {}
    for author in authors:
        one = Author(author.kind, author.name)
        counts[one] = counts.get(one, 0) + 1
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0].kind, item[0].name or ""))
    return tuple(AuthorCount(author, versions) for author, versions in ordered)
