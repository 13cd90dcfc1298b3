"""Versions as JSON-ready records with the fields of decision 36, the same at every door."""

from typing import Any

from studio.domain.alike import alike_lines
from studio.domain.archive import is_creation, iso_known
from studio.domain.authors import Author
from studio.domain.comparison import Comparison
from studio.domain.diff import Block, Diff, Kind
from studio.domain.stand_ins import StandIn
from studio.domain.timeline import Origin, Version, VersionText

Record = dict[str, Any]
"""A JSON object."""


def author_record(author: Author) -> Record:
    """`{kind, name, via, evidence}`."""
    return {"kind": str(author.kind), "name": author.name, "via": author.via, "evidence": author.evidence}


def version_record(version: Version) -> Record:
    """`{version, author, at, added, removed, characters, status, live, run, call, based_on, origin}`, never a text (decisions 36, 46).

    `at` is UTC, null where nobody can read it. `added` and `removed` are null where git would not count. `based_on` is the memory
    version that the writing run read; `origin` is null where nothing was imported. With the status `stand-in` (decision 41) there
    also is `stand_in`; see `stand_in_record`. A memory that would have deserved a question has `marks`, the words of what was not
    asked (decision 39). The empty version that an agent begins with has `occasion`, which says who created the agent.
    What was changed outside is credited to nobody, and `changed_outside` says how it does not match its hashes (decision 38).
    """
    record = {
        "version": version.number,
        "author": author_record(version.author),
        "at": iso_known(version.at),
        "added": version.added,
        "removed": version.removed,
        "characters": version.characters,
        "status": str(version.status),
        "live": version.live,
        "run": version.run,
        "call": version.call,
        "based_on": version.based_on,
        "origin": None if version.origin is None else origin_record(version.origin),
    }
    if version.changed_outside:
        record["changed_outside"] = version.changed_outside
    if is_creation(version.occasion):
        record["occasion"] = version.occasion
    if version.stand_in:
        record["stand_in"] = stand_in_record(version.stand_in)
    if version.marks:
        record["marks"] = list(version.marks)
    return record


def origin_record(origin: Origin) -> Record:
    """`{commit, subject, path, old_path, copied}` of a version of an import or of a memory directory (decision 46)."""
    said = {"commit": origin.commit, "subject": origin.subject, "path": origin.path, "old_path": origin.old_path}
    return said | {"copied": origin.copied}


def stand_in_record(stand_in: StandIn) -> Record:
    """`{kind, stands_for, bytes}`; `bytes` is null where the size of what it stands for is not known."""
    return {"kind": str(stand_in.kind), "stands_for": stand_in.stands_for, "bytes": stand_in.bytes}


def text_record(version: VersionText) -> Record:
    """The version's record with its `text` verbatim; bytes that are not text come escaped, and `binary` says why.

    A stand-in has an empty text; its `sha256` is that of what the file holds.
    """
    body = version.body
    record = version_record(version.version) | {
        "text": body.shown if body.binary else body.text,
        "sha256": version.version.sha256,
    }
    return record | ({"binary": body.binary_reason} if body.binary else {})


def change_record(comparison: Comparison) -> Record:
    """The version's record with its `change` from another: `{against, added, removed, format, blocks}`.

    `blocks` lists what is not equal, in order: `{kind, old_start, new_start, removed, added}` with line numbers from 1 and lines as
    they are, their ends included; `alike` the pairs of changed lines that look the same, `{old_line, new_line, says}`. A side that
    is no text has no blocks, and `binary` says why.
    """
    against = comparison.old.number if comparison.old else None
    record = version_record(comparison.new)
    if comparison.diff is None:
        return record | {"change": {"against": against, "binary": comparison.binary}}
    return record | {"change": {"against": against} | diff_record(comparison.diff)}


def diff_record(change: Diff) -> Record:
    """`{added, removed, format, blocks, alike}` of a diff; see `change_record`."""
    return {
        "added": change.counts.added,
        "removed": change.counts.removed,
        "format": change.format_change.only,
        "blocks": [_block(block) for block in change.blocks if block.kind is not Kind.EQUAL],
        "alike": [
            {"old_line": one.old_line, "new_line": one.new_line, "says": one.says} for one in alike_lines(change)
        ],
    }


def _block(block: Block) -> Record:
    return {
        "kind": str(block.kind),
        "old_start": block.old_start + 1,
        "new_start": block.new_start + 1,
        "removed": list(block.old),
        "added": list(block.new),
    }
