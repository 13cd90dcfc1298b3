"""What can stand in place of a text that is not there: a link, a pointer, an encrypted text, a mention (decision 41)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from studio.domain.bodies import Body


class StandInKind(StrEnum):
    """What stands in place of a text."""

    LINK = "link"
    """A symlink: the text is in the file that it leads to."""
    LFS = "lfs"
    """A Git LFS pointer: the text is an object beside the repository."""
    ANNEX = "annex"
    """A git-annex pointer or link, likewise."""
    ENCRYPTED = "encrypted"
    """A text that only the holder of a key can read."""
    MENTION = "mention"
    """A file whose only line is `@OTHER`: the text is in the file that it names."""


@dataclass(frozen=True, slots=True)
class StandIn:
    """What a version holds in place of its text."""

    kind: StandInKind
    """What it is."""
    stands_for: str
    """The path of the other file, the id or key of the object, or what it is encrypted with."""
    bytes: int | None = None
    """The size of what it stands for, where it says so."""

    def __str__(self) -> str:
        """What it is and what it stands for, as `a link to AGENTS.md`."""
        size = "" if self.bytes is None else f" of {self.bytes:,} bytes"
        match self.kind:
            case StandInKind.LINK:
                return f"a link to {self.stands_for}"
            case StandInKind.LFS:
                return f"a Git LFS pointer to {self.stands_for}{size}"
            case StandInKind.ANNEX:
                return f"a git-annex pointer to {self.stands_for}{size}"
            case StandInKind.ENCRYPTED:
                return f"a text encrypted with {self.stands_for}"
            case StandInKind.MENTION:
                return f"a mention of {self.stands_for}"
            case _:
                assert_never(self.kind)


LINK_MODE = "120000"
"""git's mode of a symlink."""


def stand_in_of(body: Body, mode: str = "") -> StandIn | None:
    """What a file holds in place of a text; None where it holds the text itself (decision 41).

    Only for files of imports and directories: what was written here is always the text itself.

    Args:
        body: what the file holds.
        mode: git's mode of it.
    """
    if mode == LINK_MODE:
        return StandIn(StandInKind.LINK, body.shown)
    return None
