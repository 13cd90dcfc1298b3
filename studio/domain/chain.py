"""The chain of every text: what ties each version to all before it (decision 38).

An *entry* of a chain is a version, a redaction, a re-naming of imported authors, or a restart of an import. Its *link* is the sha256
over the link of the entry before and its own content, in one canonical form: a JSON list without spaces, in UTF-8. Whoever changes an
entry without its link, or with it but not those after it, is found by the rows alone. Whoever recomputes all links from there on is
found only by a link that was noted elsewhere before.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple

from studio.domain.authors import Author, AuthorKind
from studio.domain.changes import TextKind
from studio.domain.paths import AgentId

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


class EntryKind(StrEnum):
    """What an entry of a chain can be that is not a version."""

    RENAMING = "renaming"
    """Authors of imported versions have other names from here on; the recorded ones stay."""
    RESTART = "restart"
    """An import began the numbers anew (decision 48)."""
    REDACTION = "redaction"
    """The text of an archived version was removed (decision 17)."""


class Seal(NamedTuple):
    """What ties one version into its chain."""

    digest: str
    """Over author, time, run and call; stored with the version, since the row that names them may be pruned."""
    before: str
    """The link of the entry before, or where the chain starts."""
    link: str
    """The version's own link."""


class Written(NamedTuple):
    """What the digest of a version is over."""

    author: Author
    """Who wrote it, as recorded."""
    at: datetime
    """When it became live (UTC)."""
    run: str | None = None
    """The run that wrote it."""
    call: str | None = None
    """Its call."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a chain that is not a version."""

    position: int
    """Its place among those of this text, from 1."""
    after: int
    """The number of the version that it follows."""
    kind: EntryKind
    """What it is."""
    content: str
    """What it says, as JSON."""
    at: datetime
    """When it was made (UTC)."""
    before: str
    """The link of the entry before."""
    link: str
    """Its own link."""


def _hashed(*content: object) -> str:
    """The sha256 of values in the canonical form."""
    written = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()


def start(agent: AgentId, text: TextKind) -> str:
    """What stands in place of a link before the first entry: it names the text, so that no chain is another's."""
    return _hashed("start", agent, str(text))


def digest(written: Written) -> str:
    """The digest over author, time, run and call."""
    author = written.author
    at = (written.at - EPOCH) // MICROSECOND
    who = (str(author.kind), author.name, author.via, author.evidence)
    return _hashed("written", *who, at, written.run, written.call)


def version_link(before: str, number: int, sha256: str, characters: int, status: str, written: str) -> str:
    """The link of a version.

    Args:
        before: the link of the entry before.
        number: its number.
        sha256: of its text.
        characters: its size as it is stored.
        status: what happened to the text.
        written: its digest.
    """
    return _hashed("version", before, number, sha256, characters, status, written)


def seal(before: str, number: int, sha256: str, characters: int, status: str, written: Written) -> Seal:
    """The seal of a version that follows the entry with the link `before`; takes what `version_link` does."""
    hashed = digest(written)
    return Seal(hashed, before, version_link(before, number, sha256, characters, status, hashed))


def entry_link(before: str, kind: EntryKind, content: str, at: datetime) -> str:
    """The link of an entry that is not a version."""
    return _hashed(str(kind), before, content, (at - EPOCH) // MICROSECOND)


def run_seal(facts: tuple[object, ...], created_at: datetime, prompt_sha256: str | None) -> str:
    """The sha256 over what never changes of a run: what it was made with, and its first message (decision 27).

    Args:
        facts: its id, agent, kind, instruction, tags, sources, tools and limits, as they are stored.
        created_at: when it was created (UTC).
        prompt_sha256: of its first message; None where it is missing.
    """
    return _hashed("run", *facts, (created_at - EPOCH) // MICROSECOND, prompt_sha256)


def author_json(author: Author | None) -> str | None:
    """An author as JSON: kind, name, via, evidence."""
    written = None if author is None else (str(author.kind), author.name, author.via, author.evidence)
    return None if written is None else json.dumps(written, ensure_ascii=False)


def content_of(entry: Entry) -> dict[str, Any]:
    """What an entry says; nothing where somebody wrote there what is not JSON, which its link tells."""
    try:
        said = json.loads(entry.content)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def renaming(named: Mapping[int, Author], rule: tuple[str, ...]) -> str:
    """What a re-naming says, as JSON: the newest author of each version by its number, and the rule that named them."""
    authors = {number: (str(one.kind), one.name, one.via, one.evidence) for number, one in named.items()}
    return json.dumps({"authors": authors, "rule": rule}, ensure_ascii=False)


def restarting(versions: int, ledger: int) -> str:
    """What a restart says, as JSON: how many versions there were, and the last row of the ledger that speaks of them."""
    return json.dumps({"versions": versions, "ledger": ledger})


def renamed(author: Author, recorded: Author) -> Author:
    """An author under the newest name, with the recorded one as evidence (decision 38)."""
    evidence = f"recorded as {recorded}" + (f"; {author.evidence}" if author.evidence else "")
    return Author(author.kind, author.name, author.via, evidence)


def nobody(evidence: str) -> Author:
    """The author of a version that was changed outside: it is credited to nobody."""
    return Author(AuthorKind.UNKNOWN, evidence=evidence)
