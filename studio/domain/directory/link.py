"""The link of an agent to the git repository that is its memory (decision 1)."""

from collections.abc import Container
from dataclasses import dataclass, replace
from datetime import datetime

from studio.domain.paths import AgentId
from studio.domain.timeline import Version


@dataclass(frozen=True, slots=True)
class Seen:
    """What its history looked like when it was last read."""

    head: str
    """The commit at HEAD."""
    version: int
    """Number of the newest version; 0 where nothing compiled yet."""
    characters: int
    """Code points of the compiled memory."""
    at: datetime | None
    """When that version was committed (UTC); None where nothing compiled yet."""


@dataclass(frozen=True, slots=True)
class Link:
    """Where an agent's memory directory is, and what was last seen of it."""

    agent: AgentId
    """Whose memory it is."""
    path: str
    """The repository's folder."""
    linked_at: datetime
    """When it was linked (UTC)."""
    seen: Seen
    """Its history when it was last read."""
    agent_authors: tuple[str, ...] = ()
    """The operator's rule: globs of commit authors that are agents (decision 3)."""
    rewritten_from: str | None = None
    """The commit last seen before history was rewritten; None where it never was."""
    rewritten_at: datetime | None = None
    """When that was noticed (UTC)."""


def seen(head: str, newest: Version | None) -> Seen:
    """What is to be remembered of a history.

    Args:
        head: the commit at HEAD.
        newest: the newest version; None where nothing compiled yet.
    """
    if newest is None:
        return Seen(head, 0, 0, None)
    return Seen(head, newest.number, newest.characters, newest.at)


def looked_at(link: Link, now_seen: Seen, chain: Container[str], now: datetime) -> Link:
    """The link after its history was read again.

    History only grew where the commit last seen is one of HEAD's first parents: then each version keeps its number. Otherwise it was
    rewritten, or HEAD went elsewhere, and numbers start anew (decision 1).

    Args:
        link: as it was stored.
        now_seen: what is there now.
        chain: the first parents of HEAD, HEAD included.
        now: the time.
    """
    if link.seen.head in chain:
        return replace(link, seen=now_seen)
    return replace(link, seen=now_seen, rewritten_from=link.seen.head, rewritten_at=now)
