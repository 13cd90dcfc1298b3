r"""Display paths: the unique reference for everything an agent reads or writes.

    org/<org_id>/agents/<agent_id>/task.md
    org/<org_id>/agents/<agent_id>/memory.md
    org/<org_id>/agents/<agent_id>/history-archive/<stamp>-<source>.md

A path is judged by its segments after both separators are normalised, so `a/..`, `./..` and `a/..\\b` are refused alike.
"""

import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from studio.errors import UnknownPath

OrgId = NewType("OrgId", str)
GuildId = NewType("GuildId", str)
AgentId = NewType("AgentId", str)
RunId = NewType("RunId", str)


class PromptFileKind(StrEnum):
    """The three kinds of prompt file that have a display path."""

    TASK = "task"
    MEMORY = "memory"
    ARCHIVE = "archive"


@dataclass(frozen=True, slots=True)
class PromptFile:
    """A display path of one agent's prompt file, taken apart."""

    kind: PromptFileKind
    """Which file it is."""
    org: OrgId
    """The organisation's id."""
    agent: AgentId
    """The agent's id."""
    archive: str | None = None
    """The archive's file name, with `.md`; only for `PromptFileKind.ARCHIVE`."""

    def __str__(self) -> str:
        base = f"org/{self.org}/agents/{self.agent}"
        if self.kind is PromptFileKind.ARCHIVE:
            return f"{base}/history-archive/{self.archive}"
        return f"{base}/{self.kind}.md"


def task_path(org: OrgId, agent: AgentId) -> str:
    """The display path of an agent's Task."""
    return str(PromptFile(PromptFileKind.TASK, org, agent))


def memory_path(org: OrgId, agent: AgentId) -> str:
    """The display path of an agent's live memory."""
    return str(PromptFile(PromptFileKind.MEMORY, org, agent))


def archive_path(org: OrgId, agent: AgentId, name: str) -> str:
    """The display path of one archived version; `name` is the archive name with `.md` (decision 12)."""
    return str(PromptFile(PromptFileKind.ARCHIVE, org, agent, name))


def segments(path: str) -> tuple[str, ...]:
    """The segments of a display path.

    Raises:
        UnknownPath: a segment is empty, `.` or `..`, or holds a control character or a lone surrogate; both separators count.
    """
    parts = tuple(path.replace("\\", "/").split("/"))
    for part in parts:
        if part in {"", ".", ".."} or any(unicodedata.category(c) in {"Cc", "Cs"} for c in part):
            raise UnknownPath(path)
    if "\\" in path:
        raise UnknownPath(path)
    return parts


def parse(path: str) -> PromptFile:
    """Take a prompt file's display path apart; `str()` of the result gives it back exactly.

    Raises:
        UnknownPath: the path is not one of the three kinds above.
    """
    match segments(path):
        case ("org", org, "agents", agent, "task.md"):
            return PromptFile(PromptFileKind.TASK, OrgId(org), AgentId(agent))
        case ("org", org, "agents", agent, "memory.md"):
            return PromptFile(PromptFileKind.MEMORY, OrgId(org), AgentId(agent))
        case ("org", org, "agents", agent, "history-archive", name) if name.endswith(".md"):
            return PromptFile(PromptFileKind.ARCHIVE, OrgId(org), AgentId(agent), name)
        case _:
            raise UnknownPath(path)
