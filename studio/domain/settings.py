"""Changes to an agent's settings as one value, so that every door sets the same things."""

from dataclasses import dataclass, replace

from studio.domain.agents import Agent, AgentConfig, check_max_tool_calls, check_name, check_retention
from studio.domain.bodies import check_text
from studio.errors import BadSetting

KEEP_ALL_REVISIONS = "all"
"""How doors spell a retention without a limit."""


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """What to change on an agent; None leaves a setting as it is."""

    name: str | None = None
    """A new name."""
    focus: str | None = None
    """A new focus; empty removes it."""
    guild: str | None = None
    """Name or id of another guild; empty takes the agent out of its guild."""
    memory: bool | None = None
    """Whether the Memory section is composed (decision 9)."""
    memory_write: bool | None = None
    """Whether this agent's scope leaves `memory_write` on (decision 10)."""
    max_tool_calls: int | None = None
    """How many tool calls a run may make."""
    retention: int | str | None = None
    """Revisions to keep of each text, or `all` (decision 11)."""


def applied(agent: Agent, settings: AgentSettings) -> Agent:
    """The agent with its settings changed; the guild is the caller's to look up.

    Raises:
        BadName: the name cannot stand in a prompt.
        UnusableText: the focus holds NUL or a lone surrogate.
        BadSetting: a number is out of its range.
    """
    config = agent.config
    changed = AgentConfig(
        memory=config.memory if settings.memory is None else settings.memory,
        memory_write=config.memory_write if settings.memory_write is None else settings.memory_write,
        max_tool_calls=config.max_tool_calls
        if settings.max_tool_calls is None
        else check_max_tool_calls(settings.max_tool_calls),
    )
    return replace(
        agent,
        name=agent.name if settings.name is None else check_name(settings.name, "An agent"),
        focus=agent.focus if settings.focus is None else (check_text(settings.focus.strip(), "The focus") or None),
        retention=agent.retention if settings.retention is None else _retention(settings.retention),
        config=changed,
    )


def _retention(setting: int | str) -> int | None:
    if setting == KEEP_ALL_REVISIONS:
        return None
    try:
        return check_retention(int(setting))
    except ValueError:
        raise BadSetting(
            f"retention must be a number of revisions or '{KEEP_ALL_REVISIONS}', not {setting!r}."
        ) from None
