"""What beginning a memory directory made."""

from dataclasses import dataclass

from studio.domain.directory.hooks import HookStatus


@dataclass(frozen=True, slots=True)
class Begun:
    """A directory that was begun, or was there already."""

    path: str
    """Its folder."""
    commit: str
    """The sha of the commit that begins it; that at HEAD where it was there already."""
    files: tuple[str, ...]
    """The files that were put there; none where it was there already."""
    hook: HookStatus | None = None
    """How its hook stands; None where none was asked for, or nothing was begun."""
    behind: str | None = None
    """Why the folder does not have the files yet, as a sentence; None where it does."""
