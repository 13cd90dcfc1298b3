"""A tooling problem that an agent filed with `report_issue`, for its operator to mend."""

from dataclasses import dataclass
from datetime import datetime

from studio.domain.paths import AgentId, RunId


@dataclass(frozen=True, slots=True)
class Problem:
    """One filed problem."""

    id: str
    """Its id, `p_` and random characters."""
    agent: AgentId
    """The agent that filed it."""
    run: RunId | None
    """The run it was filed in."""
    report: str
    """What it says."""
    at: datetime
    """When it was filed (UTC)."""
