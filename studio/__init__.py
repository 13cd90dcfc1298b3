"""Prompt Studio: see, compare and steer what LLM agents read about themselves.

The front door. Everything here loads on first use, so that `import studio` stays light: no web framework, no pandas, no database.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from studio.actions.open import open_studio
    from studio.actions.studio import Studio
    from studio.actions.tools import studio_get_memory_version, studio_list_memory_revisions
    from studio.domain.agents import Agent, AgentConfig, AgentSummary, Guild
    from studio.domain.authors import Author, AuthorKind
    from studio.domain.bodies import Body
    from studio.domain.changes import FileChange, Saved
    from studio.domain.comparison import Comparison
    from studio.domain.compose import Prompt
    from studio.domain.diff import Diff
    from studio.domain.drafts import TaskDraft, TaskReview
    from studio.domain.run_kinds import RunKind
    from studio.domain.runs import Message, Run, Trigger
    from studio.domain.settings import AgentSettings
    from studio.domain.timeline import Status, Version, VersionText
    from studio.errors import Busy, Damaged, NotFound, Refused, Stale, StudioError

_HOMES = {
    "studio.actions.open": ("open_studio",),
    "studio.actions.studio": ("Studio",),
    "studio.actions.tools": ("studio_get_memory_version", "studio_list_memory_revisions"),
    "studio.domain.agents": ("Agent", "AgentConfig", "AgentSummary", "Guild"),
    "studio.domain.authors": ("Author", "AuthorKind"),
    "studio.domain.bodies": ("Body",),
    "studio.domain.changes": ("FileChange", "Saved"),
    "studio.domain.comparison": ("Comparison",),
    "studio.domain.compose": ("Prompt",),
    "studio.domain.diff": ("Diff",),
    "studio.domain.drafts": ("TaskDraft", "TaskReview"),
    "studio.domain.run_kinds": ("RunKind",),
    "studio.domain.runs": ("Message", "Run", "Trigger"),
    "studio.domain.settings": ("AgentSettings",),
    "studio.domain.timeline": ("Status", "Version", "VersionText"),
    "studio.errors": ("Busy", "Damaged", "NotFound", "Refused", "Stale", "StudioError"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Agent",
    "AgentConfig",
    "AgentSettings",
    "AgentSummary",
    "Author",
    "AuthorKind",
    "Body",
    "Busy",
    "Comparison",
    "Damaged",
    "Diff",
    "FileChange",
    "Guild",
    "Message",
    "NotFound",
    "Prompt",
    "Refused",
    "Run",
    "RunKind",
    "Saved",
    "Stale",
    "Status",
    "Studio",
    "StudioError",
    "TaskDraft",
    "TaskReview",
    "Trigger",
    "Version",
    "VersionText",
    "open_studio",
    "studio_get_memory_version",
    "studio_list_memory_revisions",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a name of the list above, whatever it is
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
