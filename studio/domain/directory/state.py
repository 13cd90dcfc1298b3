"""What is known of a memory directory at HEAD, and of its limits over time."""

from dataclasses import dataclass
from datetime import datetime

from studio.domain.diff import Diff
from studio.domain.directory.limits import Gauge
from studio.domain.directory.link import Link


@dataclass(frozen=True, slots=True)
class DirectoryState:
    """A linked directory as it is now."""

    link: Link
    """Where it is, and whether its history was rewritten."""
    head: str
    """The commit at HEAD."""
    version: int | None
    """The newest version of the compiled memory; None where nothing compiles."""
    characters: int
    """Code points of the compiled memory."""
    findings: int
    """How many findings the hook would refuse it for."""
    legacy: bool
    """Whether it has the old layout, which `studio dir migrate` moves."""
    gauges: tuple[Gauge, ...]
    """How much of each limit is used: the core, the depth, then every memory file by path."""
    warnings: tuple[str, ...]
    """What an operator should know, one sentence each."""


@dataclass(frozen=True, slots=True)
class Headroom:
    """How much of the limits was used after one commit."""

    commit: str
    """The commit."""
    at: datetime
    """When it was made (UTC)."""
    gauges: tuple[Gauge, ...]
    """The core, and of all memory files the fullest and the deepest."""
    lacking: int = 0
    """How many texts of it a partial copy lacks: they count as empty, so more is used than is said."""


@dataclass(frozen=True, slots=True)
class CommitDiff:
    """What changed in the prompt from one commit to another."""

    old: str
    """The commit it is compared with."""
    new: str
    """The commit that is compared."""
    diff: Diff
    """The change of the compiled memory."""

    @property
    def before(self) -> str:
        """The compiled memory at the old commit."""
        return "".join(line for block in self.diff.blocks for line in block.old)

    @property
    def after(self) -> str:
        """The compiled memory at the new commit."""
        return "".join(line for block in self.diff.blocks for line in block.new)
