"""The State section: what is true around the agent when its run is created, as one JSON object (decision 22)."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime

from studio.domain.agents import Guild
from studio.domain.archive import iso_z
from studio.domain.collections import Grant
from studio.domain.places import Level
from studio.domain.prices import Price, Quote
from studio.domain.surroundings import GROUP_HISTORY_ROWS, Environment, GroupMessage, Repository, Script

INTRO = (
    "This is a snapshot, taken when this run was created. Start from it instead of an initial `note_find`, "
    "`record_list` or `script_list`. It is not refreshed while you work."
)
"""What the agent is told about the snapshot before it reads it."""
PRICES_INTRO = (
    " `prices` lists your pinned coins as the market had them at that moment; "
    "where one has no price, `unavailable` says why."
)
"""What it is told beside that, only where the snapshot has prices."""
COLLECTIONS_CAP = 50
"""How many collections State lists; past that a last entry says that there are more."""


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
    group_history: tuple[GroupMessage, ...] | None = None
    """The guild's chat, oldest first; only the newest ten public rows are shown."""
    readable_levels: tuple[Level, ...] | None = None
    """The note levels the agent may read."""
    writable_levels: tuple[Level, ...] | None = None
    """The note levels the agent may write."""
    collections: tuple[Grant, ...] | None = None
    """The collections the agent is granted; at most 50 are shown."""
    scripts: tuple[Script, ...] | None = None
    """The agent's script catalog."""
    environments: tuple[Environment, ...] | None = None
    """The agent's environments; only bound ones are shown."""
    repositories: tuple[Repository, ...] | None = None
    """The guild's repositories; set for coding agents only."""
    prices: tuple[Price, ...] | None = None
    """The pinned coins; None where no login pins any."""


def snapshot(inputs: StateInputs) -> dict[str, object]:
    """State as values ready for JSON, keys in the order of decision 22."""
    now = inputs.now.astimezone(UTC)
    guild = inputs.guild
    about = _where_set(about=guild.about, description=guild.description) if guild else {}
    members, operators, levels = inputs.members, inputs.operators, (inputs.readable_levels, inputs.writable_levels)
    state: dict[str, object] = {
        "utc_now": iso_z(now),
        "utc_date": now.date().isoformat(),
        "max_tool_calls": inputs.max_tool_calls,
        "guild": about or None,
        "members": None if members is None else [_where_set(name=one.name, focus=one.focus) for one in members],
        "operators": None if operators is None else list(operators),
        "group_history": _group_history(inputs.group_history),
        "readable_levels": _levels(levels[0]),
        "writable_levels": _levels(levels[1]),
        "collections": _collections(inputs.collections),
        **_resources(inputs),
        "prices": [_price(one) for one in inputs.prices] if inputs.prices else None,
    }
    return {key: value for key, value in state.items() if value is not None}


def _where_set(**values: str | None) -> dict[str, str]:
    """The values that are set, in the order given; an empty text counts as not set."""
    return {key: value for key, value in values.items() if value}


def _group_history(rows: tuple[GroupMessage, ...] | None) -> list[dict[str, str]] | None:
    if rows is None:
        return None
    public = [row for row in rows if row.public][-GROUP_HISTORY_ROWS:]
    return [{"from": row.sender, "at": iso_z(row.at), "text": row.text} for row in public]


def _levels(levels: tuple[Level, ...] | None) -> list[str] | None:
    return None if levels is None else [str(level) for level in Level if level in levels]


def _collections(grants: tuple[Grant, ...] | None) -> list[dict[str, object]] | None:
    if grants is None:
        return None
    listed: list[dict[str, object]] = [_collection(grant) for grant in grants[:COLLECTIONS_CAP]]
    return [*listed, {"truncated": True}] if len(grants) > COLLECTIONS_CAP else listed


def _collection(grant: Grant) -> dict[str, object]:
    table = grant.collection
    return {
        **_where_set(name=table.name, purpose=table.purpose),
        "access": str(grant.access),
        "scope": str(table.level),
        "display_path": table.path,
        "columns": [_where_set(name=column.name, description=column.description) for column in table.columns],
    }


def _resources(inputs: StateInputs) -> dict[str, list[dict[str, str]] | None]:
    """The catalogs of what the agent's runtime gives it."""
    scripts, environments, repositories = inputs.scripts, inputs.environments, inputs.repositories
    return {
        "scripts": None
        if scripts is None
        else [_where_set(name=one.name, description=one.description) for one in scripts],
        "environments": None
        if environments is None
        else [_where_set(name=one.name, description=one.description) for one in environments if one.bound],
        "repositories": None
        if repositories is None
        else [{"name": one.name, "path": one.path, "default_branch": one.default_branch} for one in repositories],
    }


def _price(price: Price) -> dict[str, object]:
    coin, said = price.coin, price.said
    entry: dict[str, object] = {"id": coin.id, "symbol": coin.symbol, "name": coin.name}
    if not isinstance(said, Quote):
        return entry | {"unavailable": said.reason}
    entry["usd"] = said.usd
    if said.change_24h_pct is not None:
        entry["change_24h_pct"] = said.change_24h_pct
    if said.updated_at is not None:
        entry["updated_at"] = iso_z(said.updated_at)
    return entry


def json_text(inputs: StateInputs) -> str:
    """The snapshot as JSON: two-space indent, non-ASCII as it is."""
    return json.dumps(snapshot(inputs), ensure_ascii=False, indent=2)


def content(json_object: str, *, prices: bool = False) -> str:
    """What stands between the tags of the State section.

    Args:
        json_object: the JSON of `json_text`, already safe to stand in a section.
        prices: whether it has `prices`; only then is the word explained.
    """
    return f"{INTRO}{PRICES_INTRO if prices else ''}\n\n{json_object}"
