"""The State section: what is true around the agent when its run is created, as one JSON object (decision 22)."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime

from studio.domain.agents import Guild
from studio.domain.archive import iso_z

INTRO = (
    "This is a snapshot, taken when this run was created. Start from it instead of an initial `note_find`, "
    "`record_list` or `script_list`. It is not refreshed while you work."
)
"""What the agent is told about the snapshot before it reads it."""


@dataclass(frozen=True, slots=True)
class Member:
    """One agent of the guild, as the others see it."""

    name: str
    """Its name."""
    focus: str | None = None
    """What it is for, where that is set."""


@dataclass(frozen=True, slots=True)
class StateInputs:
    """Where State comes from. None: the source is not set and its key is absent; an empty tuple is `[]`."""

    now: datetime
    """The one clock reading of this run (aware)."""
    max_tool_calls: int
    """How many tool calls the run may make."""
    guild: Guild | None = None
    """The agent's guild; only its about and description are shown, each where set."""
    members: tuple[Member, ...] | None = None
    """The guild's agents."""
    operators: tuple[str, ...] | None = None
    """The names of the operators."""


def snapshot(inputs: StateInputs) -> dict[str, object]:
    """State as values ready for JSON, keys in the order of decision 22."""
    now = inputs.now.astimezone(UTC)
    state: dict[str, object] = {
        "utc_now": iso_z(now),
        "utc_date": now.date().isoformat(),
        "max_tool_calls": inputs.max_tool_calls,
    }
    if inputs.guild and (guild := _where_set(about=inputs.guild.about, description=inputs.guild.description)):
        state["guild"] = guild
    if inputs.members is not None:
        state["members"] = [_where_set(name=member.name, focus=member.focus) for member in inputs.members]
    if inputs.operators is not None:
        state["operators"] = list(inputs.operators)
    return state


def _where_set(**values: str | None) -> dict[str, str]:
    """The values that are set, in the order given; an empty text counts as not set."""
    return {key: value for key, value in values.items() if value}


def json_text(inputs: StateInputs) -> str:
    """The snapshot as JSON: two-space indent, non-ASCII as it is."""
    return json.dumps(snapshot(inputs), ensure_ascii=False, indent=2)


def content(json_object: str) -> str:
    """What stands between the tags of the State section.

    Args:
        json_object: the JSON of `json_text`, already safe to stand in a section.
    """
    return f"{INTRO}\n\n{json_object}"
