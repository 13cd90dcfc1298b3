"""What is known of a copy of a store once it was read from end to end."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Self

VERSIONS = ("memory", "memory_revisions", "agents", "task_revisions")
"""The tables whose rows each hold one version of a memory or a Task."""


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
