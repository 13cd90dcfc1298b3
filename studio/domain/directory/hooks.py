"""How the hooks of a memory directory stand."""

from dataclasses import dataclass
from enum import StrEnum

OUTSIDE = "hooks-outside"
"""What is confirmed where git looks for hooks outside of the repository, so that other repositories may run them too."""


class HookState(StrEnum):
    """How one hook of a repository stands."""

    INSTALLED = "installed"
    """It is ours and runs with this installation."""
    OUTDATED = "outdated"
    """It is ours, of another form or of another installation, or clean merges run no hook of ours beside it."""
    DISABLED = "disabled"
    """It is ours, but git does not run it, since it is not executable."""
    FOREIGN = "foreign"
    """Another program's hook stands there."""
    ABSENT = "absent"
    """There is none."""


@dataclass(frozen=True, slots=True)
class HookStatus:
    """How a repository's pre-commit hook stands, and where; with it, the one that git runs for clean merges."""

    state: HookState
    """How it stands."""
    path: str
    """Where git looks for it."""
    kept: str | None = None
    """A foreign hook that was put aside, if there is one."""
    python: str | None = None
    """The Python that our hook names."""
    merges: "HookStatus | None" = None
    """How the pre-merge-commit hook stands; None within itself."""
