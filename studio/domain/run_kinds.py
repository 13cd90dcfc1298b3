"""What can start a run."""

from enum import StrEnum


class RunKind(StrEnum):
    """What started a run; group and schedule runs are one-shot: nobody reads along and nobody answers."""

    DIRECT = "direct"
    """A person opened it and may write to it turn by turn."""
    GROUP = "group"
    """A message in the guild's group chat woke the agent."""
    SCHEDULE = "schedule"
    """One of the agent's schedules woke it."""

    @property
    def one_shot(self) -> bool:
        """Whether the run must write memory once (decision 28)."""
        return self is not RunKind.DIRECT
