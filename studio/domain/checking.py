"""What a check of a store finds, break by break (decision 38)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from studio.domain.changes import TextKind
from studio.domain.paths import AgentId


class Break(StrEnum):
    """What does not hold."""

    TEXT = "text"
    """A text is not the one that its sha256 is of."""
    SIZE = "size"
    """A text is longer or shorter than its size says."""
    COUNTS = "counts"
    """Lines added and removed are not those of the change."""
    AUTHOR = "author"
    """Author, time, run or call are not those that were recorded."""
    LINK = "link"
    """A link is not over what it has to be over, or does not follow on the one before."""
    NUMBERS = "numbers"
    """Numbers have a gap, or one stands twice."""
    LIVE = "live"
    """The live row is missing."""
    NAME = "name"
    """The archive's name of a version is not the one that it was given."""
    LEDGER = "ledger"
    """The ledger of changes says something else than the versions, or nothing."""
    RUN = "run"
    """A run or its first message is not what was stored."""
    VALUE = "value"
    """A row holds what is not a value of its column."""
    REFERENCE = "reference"
    """A row names another that is not there."""
    DRAFT = "draft"
    """A draft is not the one that its sha256 is of."""
    NOTE = "note"
    """A note is not the one that its sha256 is of."""
    HEAD = "head"
    """A link that was noted is not in its chain."""


ADVICE: dict[Break, str] = {
    Break.TEXT: "Read it in a backup from before ('studio verify FILE' says which are sound) and save that text again.",
    Break.SIZE: "Read it in a backup from before and save that text again.",
    Break.COUNTS: "The text itself is checked apart from this; compare the row with a backup.",
    Break.AUTHOR: "Credit it to nobody, and compare the row with a backup from before.",
    Break.LINK: "Compare the row and those around it with a backup from before.",
    Break.NUMBERS: "Look for the missing version in a backup from before.",
    Break.LIVE: "The next run makes it empty; save the text of a backup, or restore the newest version, before that.",
    Break.NAME: "Compare the row with a backup from before.",
    Break.LEDGER: "Compare the table file_changes with a backup from before.",
    Break.RUN: "Do not rely on what this run says it was told; compare it with a backup from before.",
    Break.VALUE: "Compare the row with a backup from before; views that list it may fail.",
    Break.REFERENCE: "Look for the missing row in a backup from before.",
    Break.DRAFT: "Read the draft again before it is published.",
    Break.NOTE: "Read the note again, or take it from a backup from before.",
    Break.HEAD: "The whole chain was made anew since the link was noted; put a backup from before back.",
}
"""What to do about each kind of break."""


@dataclass(frozen=True, slots=True)
class StoreFinding:
    """One break."""

    kind: Break
    """What does not hold."""
    what: str
    """In a sentence, without the agent and version."""
    agent: AgentId | None = None
    """Whose."""
    name: str | None = None
    """The agent's name, where it is there."""
    text: TextKind | None = None
    """Of which text."""
    version: int | None = None
    """Of which version."""

    @property
    def where(self) -> str:
        """What it is about, as `scout (a_1), memory, version 7`."""
        who = self.agent if self.name is None else f"{self.name} ({self.agent})"
        version = None if self.version is None else f"version {self.version}"
        return ", ".join(str(part) for part in (who, self.text, version) if part is not None) or "the store"

    @property
    def advice(self) -> str:
        """What to do about it."""
        return ADVICE[self.kind]

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass(frozen=True, slots=True)
class Head:
    """The newest link of a chain, noted to be found in it later."""

    agent: AgentId
    """Whose text."""
    text: TextKind
    """Which."""
    number: int
    """The number of the version."""
    link: str
    """The link."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check of rows against each other found."""

    findings: tuple[StoreFinding, ...] = ()
    """Every break, by agent and version."""
    heads: tuple[Head, ...] = ()
    """The newest link of every chain, where it was asked for."""
    chained_since: datetime | None = None
    """Since when versions get their links as they are made (UTC); None in a store from before."""
    noted: int = 0
    """How many of the noted links were found in their chains."""
    pruned: int = 0
    """How many of them are of versions that are no longer kept."""
