"""Read the versions of texts as they are stored, each with whether hash and size hold."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from studio.domain.bodies import Body
from studio.domain.chain import Seal
from studio.domain.checking_chain import By, Held
from studio.domain.checking_counts import Counts
from studio.store.checking_reader import Reader, Some

OWN = ("own_kind", "own_name", "own_via", "own_evidence", "own_run_id", "own_call_id")
ACTOR = ("actor_kind", "actor_name", "actor_via", "actor_evidence", "run_id", "call_id", "replaced_at")
SEAL = ("digest", "chain_before", "chain_link")
FACTS = ("sha256", "characters", "status", "since", "origin", "renamed", "added", "removed", "only_changed")


@dataclass(slots=True)
class ReadVersion:
    """A version as it was read."""

    held: Held
    """Its row."""
    counts: Counts
    """What the row says of its change."""
    text_ok: bool
    """Whether the text is the one that the row's sha256 is of."""
    size_ok: bool
    """Whether the text is as long as the row says."""
    body: Body | None
    """The text, where it was asked for."""


def memories(reader: Reader, archived: Some, live_ones: Some, *, bodies: bool) -> dict[str, list[ReadVersion]]:
    """The versions of memories by agent, oldest first.

    Args:
        reader: where they are read.
        archived: which of the archive.
        live_ones: which of the live rows.
        bodies: whether to read the texts too.
    """
    found: dict[str, list[ReadVersion]] = defaultdict(list)
    for table, live, some in (("memory_revisions", False, archived), ("memory", True, live_ones)):
        more = () if live else ("archive_name", *ACTOR)
        names = ("agent_id", "version", *FACTS, *OWN, *SEAL, *more)
        for row in reader.texts(table, names, "text", "raw", some, bodies=bodies):
            agent, number, *facts = row[: 2 + len(FACTS)]
            own, seal, rest = row[11:17], row[17:20], row[20 : 20 + len(more)]
            by = None if live else By(*rest[1:7])
            held = _held(number, facts, own, by, None if live else rest[7], seal, None if live else rest[0])
            found[agent].append(_version(held, facts, row[20 + len(more) :]))
    return _ordered(found)


def tasks(reader: Reader, some: Some, *, bodies: bool) -> dict[str, list[ReadVersion]]:
    """The versions of Tasks by agent, oldest first; their status is not stored. Takes what `memories` does."""
    found: dict[str, list[ReadVersion]] = defaultdict(list)
    for table, begins in (("task_revisions", ""), ("agents", "task_")):
        facts = tuple(
            f"{begins}{name}"
            for name in ("version", "sha256", "characters", "since", "added", "removed", "only_changed")
        )
        names = ("agent_id", *facts, *(f"{begins}{name}" for name in SEAL))
        more = () if begins else ("actor_kind", "actor_name", "replaced_at")
        text = "task" if begins else "text"
        for row in reader.texts(table, (*names, *more), text, None, some, bodies=bodies):
            agent, number, sha256, characters, since, *counts = row[:8]
            status = "added" if number == 1 else "modified"
            by = None if begins else By(row[11], row[12], None, None, None, None)
            told = [sha256, characters, status, since, None, None, *counts]
            held = _held(number, told, (None,) * 6, by, None if begins else row[13], row[8:11], None)
            found[agent].append(_version(held, told, row[11 + len(more) :]))
    return _ordered(found)


def _held(
    number: int,
    facts: Sequence[Any],
    own: Sequence[Any],
    by: By | None,
    replaced_at: datetime | None,
    seal: Sequence[Any],
    name: str | None,
) -> Held:
    sha256, characters, status, since, origin, renamed = facts[:6]
    tied = None if None in seal else Seal(*map(str, seal))
    who = None if own[0] is None else By(*own)
    return Held(
        number, sha256, characters, status, since, who, by, replaced_at, tied, name, origin is not None, renamed
    )


def _version(held: Held, facts: Sequence[Any], told: Sequence[Any]) -> ReadVersion:
    """A version with what was asked of its text: whether hash and size hold, and the text itself where it was read."""
    text_ok, size_ok, text, raw = told
    body = None if text is None and raw is None else Body(text, raw)
    return ReadVersion(held, Counts(*facts[6:9]), bool(text_ok), bool(size_ok), body)


def _ordered(found: dict[str, list[ReadVersion]]) -> dict[str, list[ReadVersion]]:
    for versions in found.values():
        versions.sort(key=lambda one: (one.held.number, one.held.by is None))
    return found
