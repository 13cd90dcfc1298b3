"""What stands around an agent beside its guild and colleagues: group chat, scripts, environments, repositories."""

from dataclasses import dataclass
from datetime import datetime

from studio.domain.paths import RunId

GROUP_HISTORY_ROWS = 10
"""How many public rows of the group chat State shows."""


@dataclass(frozen=True, slots=True)
class GroupMessage:
    """One row of a guild's group chat."""

    sender: str
    """Name of the agent or operator that wrote it."""
    text: str
    """What it says, as written."""
    at: datetime
    """When it was posted (UTC)."""
    public: bool = True
    """Whether agents see it in State."""
    tags: tuple[str, ...] = ()
    """The names it tags."""
    run: RunId | None = None
    """The run that posted it, if one did."""


@dataclass(frozen=True, slots=True)
class Script:
    """One entry of an agent's script catalog."""

    name: str
    """Its name."""
    description: str | None = None
    """What it does."""


@dataclass(frozen=True, slots=True)
class Environment:
    """An environment by name; its values are never stored here."""

    name: str
    """Its name."""
    description: str | None = None
    """What it is for."""
    bound: bool = True
    """Whether it is bound to the agent; State lists bound ones only."""


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository of a guild, listed for its coding agents."""

    name: str
    """Its name."""
    path: str
    """Its working-tree path."""
    default_branch: str
    """Its default branch."""
