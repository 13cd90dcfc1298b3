"""The ledger of file changes: what the provenance strip and Open step read."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from studio.domain.authors import Author
from studio.domain.paths import AgentId, RunId


class TextKind(StrEnum):
    """The two texts of an agent that have versions."""

    TASK = "task"
    MEMORY = "memory"


class Action(StrEnum):
    """What made a file change."""

    MEMORY_WRITE = "memory_write"
    SAVE = "save"
    RESTORE = "restore"
    PUBLISH = "publish"
    IMPORT = "import"
    REDACT = "redact"


@dataclass(frozen=True, slots=True)
class FileChange:
    """One Task save or memory write; a no-op leaves none (decision 7)."""

    number: int
    """Sequence number; order is by this, never by clock (decision 14)."""
    agent: AgentId
    """Whose file."""
    path: str
    """Its display path."""
    file: TextKind
    """Which text."""
    action: Action
    """What made it."""
    version: int
    """The version it made."""
    sha256: str
    """Of that version's bytes."""
    author: Author
    """Who did it."""
    at: datetime
    """When (UTC)."""
    run: RunId | None = None
    """The run that did it."""
    call: str | None = None
    """Its call, so that Open step can open it."""


@dataclass(frozen=True, slots=True)
class Saved:
    """What a write did."""

    version: int
    """The live version now."""
    changed: bool
    """Whether the write made it; False for a no-op."""
    sha256: str
    """Of the live bytes; the next save gives it back."""
