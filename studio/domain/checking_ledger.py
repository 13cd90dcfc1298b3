"""Whether the ledger of changes and the versions say the same."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from studio.domain.authors import AuthorKind
from studio.domain.chain import EntryKind, content_of
from studio.domain.changes import Action
from studio.domain.checking import Break
from studio.domain.checking_chain import Said, Text


class Change(NamedTuple):
    """One row of the ledger, as it is stored."""

    number: int
    """Its sequence number."""
    action: str
    """What made it."""
    version: int
    """The version it made."""
    sha256: str
    """Of that version's text."""
    kind: str
    """Kind of its author."""
    name: str | None
    """The author's name."""
    run: str | None
    """The run."""
    call: str | None
    """Its call."""
    at: datetime
    """When."""


def check_ledger(text: Text, changes: Sequence[Change]) -> Iterator[Said]:
    """Every version without its change, and every change without its version.

    Args:
        text: what is kept of the text.
        changes: its rows of the ledger, oldest first.
    """
    restarts = [content_of(entry).get("ledger", 0) for entry in text.entries if entry.kind is EntryKind.RESTART]
    made: dict[int, list[Change]] = {}
    for change in changes:
        if change.action not in set(Action):
            yield Break.VALUE, change.version, f"{change.action!r} in the ledger is not an action"
        if not restarts or change.number > restarts[-1]:
            made.setdefault(change.version, []).append(change)
    yield from _unmade(text, made)
    newest = text.held[-1].number if text.held else 0
    kept = {one.number: one for one in text.held}
    for number, rows in made.items():
        if number > newest or number < 1:
            yield Break.LEDGER, number, "the ledger names it, and it is not there"
        for row in rows:
            if number in kept and row.sha256 != kept[number].sha256:
                yield Break.LEDGER, number, "the ledger names another text as its"


def _unmade(text: Text, made: dict[int, list[Change]]) -> Iterator[Said]:
    """Versions that the ledger does not name, or names another author of."""
    imported = [one.number for one in text.held if one.imported]
    if imported and not any(row.action == Action.IMPORT for rows in made.values() for row in rows):
        yield Break.LEDGER, imported[-1], "the ledger does not name the import that brought it"
    for one, by in text.written():
        hydrated = one.own is not None and one.own.kind == AuthorKind.UNKNOWN
        born = one.number == 1 and (by is None or by.kind == AuthorKind.UNKNOWN)
        if one.imported or hydrated or born:
            continue
        rows = [row for row in made.get(one.number, ()) if row.action != Action.REDACT]
        if not rows:
            yield Break.LEDGER, one.number, "the ledger does not name the change that made it"
        elif by is not None and (by.kind, by.name, by.run, by.call) != (
            rows[0].kind,
            rows[0].name,
            rows[0].run,
            rows[0].call,
        ):
            yield Break.LEDGER, one.number, "the ledger names another author, run or call"
