"""What is known of a copy of a store once it was read from end to end."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from studio.domain.checking import Checked

VERSIONS = ("memory", "memory_revisions", "agents", "task_revisions")
"""The tables whose rows each hold one version of a memory or a Task."""


@dataclass(frozen=True, slots=True)
class LostChanges:
    """A store opened below the number of the newest change that was acknowledged there."""

    found: int
    """The number of the newest change it holds."""
    noted: int
    """The number of the newest one that was acknowledged."""
    at: datetime | None
    """When it was opened so (UTC); None where it was only read now."""
    logs: tuple[str, ...]
    """The names of the copies of its write-ahead log, as that was before, beside the store; none where there was no log."""

    def __str__(self) -> str:
        """In a sentence."""
        missing = self.noted - self.found
        what = "1 acknowledged change is" if missing == 1 else f"{missing:,} acknowledged changes are"
        kept = f" What was left of the log is kept as {', '.join(self.logs)}." if self.logs else ""
        when = "" if self.at is None else f" on {self.at:%Y-%m-%d} at {self.at:%H:%M:%S} UTC"
        return (
            f"{what} missing: the store opened at change {self.found:,}{when}, and change {self.noted:,} had been acknowledged."
            f" Its write-ahead log was cut, damaged or removed, or an older copy was put in"
            f" its place.{kept}"
        )


@dataclass(frozen=True, slots=True)
class StoreContents:
    """How much a store's file holds."""

    path: str
    """The file, as an absolute path on the machine that read it."""
    size_bytes: int
    """Its size."""
    agents: int
    """How many agents."""
    versions: int
    """How many versions of memories and Tasks, live ones included."""
    runs: int
    """How many runs."""
    notes: int
    """How many notes."""
    newest_change: int = 0
    """The number of its newest change; 0 where it counts none."""
    lost: LostChanges | None = None
    """What it lacks by the note beside it; None where it lacks nothing, or nothing was noted."""
    checked: Checked | None = None
    """What a check of its rows against each other found; None where only its blocks and rows were read."""

    @classmethod
    def of_rows(cls, path: str, size_bytes: int, rows: Mapping[str, int]) -> Self:
        """Tell from the rows of each table."""
        versions = sum(rows.get(table, 0) for table in VERSIONS)
        return cls(path, size_bytes, rows.get("agents", 0), versions, rows.get("runs", 0), rows.get("notes", 0))


@dataclass(frozen=True, slots=True)
class BackupMade:
    """A copy of a store that was opened and read from end to end after it was made."""

    contents: StoreContents
    """What the copy holds."""
    made_at: datetime
    """When it was begun: every write that was acknowledged by then is in it (UTC)."""
