"""Agents, guilds and organisations as values."""

import unicodedata
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from studio.domain.paths import AgentId, GuildId, OrgId
from studio.errors import BadName, BadSetting

DEFAULT_RETENTION_REVISIONS = 50
"""How many revisions an agent keeps of each text (decision 11)."""
RETENTION_CAP_REVISIONS = 1_000_000
"""The most that an agent can be set to keep; more is `all`."""
DEFAULT_MAX_TOOL_CALLS = 40
"""How many tool calls a run may make when nobody set another number."""
NAME_CAP_CHARACTERS = 200
"""The longest name of an agent, guild or operator."""

_NOT_ONE_LINE = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""Unicode categories that break a line or cannot be stored: controls, surrogates, line and paragraph separators."""


class Layout(StrEnum):
    """How an agent's memory is kept (decision 1)."""

    ARTIFACT = "artifact"
    """One Markdown row in the store, with archived revisions."""
    DIRECTORY = "directory"
    """A git repository of Markdown."""


@dataclass(frozen=True, slots=True)
class AgentConfig:
    """What an operator sets on an agent."""

    memory: bool = True
    """Whether the Memory section is composed; off also withdraws `memory_write` (decision 9)."""
    memory_write: bool = True
    """Whether this agent's scope leaves `memory_write` on (decision 10: off anywhere is off)."""
    max_tool_calls: int = DEFAULT_MAX_TOOL_CALLS
    """How many tool calls a run of this agent may make."""

    @property
    def offers_memory_write(self) -> bool:
        """Whether a run of this agent is offered `memory_write` (decisions 9 and 10)."""
        return self.memory and self.memory_write


@dataclass(frozen=True, slots=True)
class ImportSource:
    """Where an agent made by an import came from; only the same source may extend it."""

    kind: str
    """`git` or `history`."""
    key: str
    """What identifies the history in any copy of it: path and first commit."""
    label: str
    """For a person: the repository and path as they were named."""
    agent_authors: tuple[str, ...] = ()
    """The operator's rule: globs of author names that are agents (decision 3)."""
    restarted_at: datetime | None = None
    """When more of the history was imported, so that the memory's numbers started anew (decision 48); None where that never was."""

    @property
    def full_history(self) -> bool:
        """Whether it is what every branch made of the file (decision 48)."""
        return self.key.startswith("git+full:")


@dataclass(frozen=True, slots=True)
class Agent:
    """One agent."""

    id: AgentId
    """Its id, `a_` and random characters."""
    org: OrgId
    """The organisation it belongs to."""
    name: str
    """Its name, one line; not necessarily unique."""
    created_at: datetime
    """When it was created (UTC)."""
    guild: GuildId | None = None
    """The guild it belongs to, if any."""
    guild_name: str | None = None
    """That guild's name."""
    focus: str | None = None
    """What it is for, in a few words, as members of its guild see it."""
    layout: Layout = Layout.ARTIFACT
    """How its memory is kept."""
    config: AgentConfig = AgentConfig()
    """What operators set."""
    retention: int | None = DEFAULT_RETENTION_REVISIONS
    """How many revisions of each text are kept; None keeps all (decision 11)."""
    source: ImportSource | None = None
    """The import that made it, if one did."""

    @property
    def offers_memory_write(self) -> bool:
        """Whether a run of this agent may be offered `memory_write`; a memory directory is written by commit (decision 1)."""
        return self.config.offers_memory_write and self.layout is Layout.ARTIFACT


@dataclass(frozen=True, slots=True)
class AgentSummary:
    """An agent in the list: what a row shows without reading any text."""

    agent: Agent
    """The agent."""
    memory_version: int | None
    """Number of the live memory, or None while its row is missing; of a directory the newest version that was seen."""
    memory_characters: int
    """Size of the live memory in code points."""
    memory_at: datetime | None
    """When the live memory was written (UTC)."""
    task_version: int
    """Number of the live Task."""
    has_draft: bool
    """Whether a Task draft waits that differs from nothing yet published."""
    broken_links: int = 0
    """How many embeds of the live Task, or of the notes it embeds, name nothing (decision 23)."""
    over_budget: int = 0
    """How many are left out because the budget is used up."""


@dataclass(frozen=True, slots=True)
class Guild:
    """A group of agents that share an organisation's work."""

    id: GuildId
    """Its id, `g_` and random characters."""
    org: OrgId
    """The organisation it belongs to."""
    name: str
    """Its name."""
    about: str | None = None
    """What the guild is (group.about)."""
    description: str | None = None
    """How it works (group.description)."""


def check_name(name: str, what: str) -> str:
    """A name without surrounding blanks, if it can stand as one line of a prompt.

    Raises:
        BadName: it is empty, too long, or holds a line break, another control character or a lone surrogate.
    """
    clean = name.strip()
    if not clean:
        raise BadName(f"{what} needs a name that is not empty.")
    if len(clean) > NAME_CAP_CHARACTERS:
        raise BadName(f"{what} has a name of {len(clean)} characters; at most {NAME_CAP_CHARACTERS} are allowed.")
    if any(unicodedata.category(c) in _NOT_ONE_LINE for c in clean):
        raise BadName(f"{what} has a name with a line break or another control character; use one plain line.")
    return clean


def check_max_tool_calls(number: int) -> int:
    """The number itself, if a run can have it.

    Raises:
        BadSetting: it is below 1 or above 10,000.
    """
    if not 1 <= number <= 10_000:  # noqa: PLR2004 - the sentence beside it names the same range
        raise BadSetting(f"max_tool_calls must be from 1 to 10000, not {number}.")
    return number


def check_retention(number: int) -> int:
    """The number of revisions itself, if it can be kept.

    Raises:
        BadSetting: it is below 1 or above 1,000,000.
    """
    if not 1 <= number <= RETENTION_CAP_REVISIONS:
        raise BadSetting(
            f"retention must be from 1 to {RETENTION_CAP_REVISIONS} revisions, not {number}; 'all' keeps every one."
        )
    return number
