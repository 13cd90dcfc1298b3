"""A Task draft and its review (decision 30)."""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from studio.domain.authors import Author
from studio.domain.diff import Diff
from studio.domain.embeds import EmbedEntry
from studio.domain.paths import AgentId
from studio.domain.questions import Asked
from studio.domain.timeline import Version


@dataclass(frozen=True, slots=True)
class TaskDraft:
    """The draft of one agent's Task; the live Task is unchanged until an operator publishes (decision 31)."""

    agent: AgentId
    """Whose Task."""
    text: str
    """The draft as written."""
    sha256: str
    """Of the draft as UTF-8."""
    based_on: int
    """The Task version it started from."""
    based_on_sha256: str
    """sha256 of that version."""
    author: Author
    """Who drafted it: an operator, or an agent when a coach or tool did."""
    saved_at: datetime
    """When it was last kept (UTC)."""

    @property
    def etag(self) -> str:
        """sha256 of all that keeping a draft can change: its text and the version it starts from (decision 37)."""
        return draft_etag(self.sha256, self.based_on)


def draft_etag(text_sha256: str, based_on: int) -> str:
    """See `TaskDraft.etag`."""
    return sha256(f"{text_sha256} {based_on}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class ReplacedDraft:
    """A draft that somebody else's replaced or that was discarded; it can be brought back."""

    number: int
    """By which it is named."""
    draft: TaskDraft
    """The draft as it was."""
    gone_at: datetime
    """When it was replaced or discarded (UTC)."""
    gone_by: Author
    """Who did that."""


@dataclass(frozen=True, slots=True)
class TaskReview:
    """What publishing a draft would do."""

    draft: TaskDraft
    """The draft."""
    live: Version
    """The live Task it would replace."""
    live_text: str
    """The text of the live Task."""
    start_text: str | None
    """The text of the version the draft started from, where that is no longer the live one and still kept."""
    next_version: int
    """The number that publishing would make."""
    against_live: Diff
    """The change from the live Task to the draft."""
    against_start: Diff | None
    """The change since the version the draft started from, where that is no longer the live one and still kept."""
    changed: bool
    """Whether publishing would change anything."""
    broken: tuple[EmbedEntry, ...]
    """The draft's broken links (decision 30)."""
    questions: tuple[Asked, ...]
    """What publishing it would ask; a draft that changes nothing asks nothing (decision 39)."""
    stale: bool
    """Whether the live Task changed since the draft was started, so that publishing is refused unless forced."""
