"""How the pre-commit hook of a memory directory stands."""

from dataclasses import dataclass
from enum import StrEnum


class HookState(StrEnum):
    """How a repository's pre-commit hook stands."""

    INSTALLED = "installed"
    """It is ours and runs with this installation."""
    OUTDATED = "outdated"
    """It is ours, of another form or of another installation."""
    DISABLED = "disabled"
    """It is ours, but git does not run it, since it is not executable."""
    FOREIGN = "foreign"
    """Another program's hook stands there."""
    ABSENT = "absent"
    """There is none."""


@dataclass(frozen=True, slots=True)
class HookStatus:
    """How a repository's pre-commit hook stands, and where."""

    state: HookState
    """How it stands."""
    path: str
    """Where git looks for it."""
    kept: str | None = None
    """A foreign hook that was put aside, if there is one."""
    python: str | None = None
    """The Python that our hook names."""
