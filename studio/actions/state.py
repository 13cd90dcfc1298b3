"""Read what State shows of the surroundings of an agent (decision 22)."""

from datetime import datetime

from studio.actions.bindings import prices_login, resolved
from studio.actions.context import Context, find_agent
from studio.domain.agents import Agent
from studio.domain.bindings import Resolved
from studio.domain.collections import Grant
from studio.domain.guidelines import Flag
from studio.domain.prices import NOT_IN_PREVIEWS, Price, Quotes, all_unavailable, prices
from studio.domain.state import Member, StateInputs
from studio.domain.surroundings import GROUP_HISTORY_ROWS, Environment, Script
from studio.store import agents, catalogs, collections, groups, people
from studio.store.database import Cursor

RECORD_TOOLS = frozenset({"record_list", "record_write"})
"""An agent that is offered one of these is told which collections it has, also when it has none."""
RUNTIMES = frozenset({Flag.SANDBOX, Flag.CODING})
"""What gives an agent environments to run in."""


def fetch_quotes(context: Context, agent: str) -> Quotes | None:
    """Ask the price service for the coins that the agent's login pins; None where it pins none.

    Waits for the network, so it is called before a transaction opens and holds neither a lock nor a snapshot.

    Raises:
        UnknownAgent: there is no such agent.
    """
    with context.database.read() as cursor:
        login = prices_login(cursor, resolved(cursor, find_agent(cursor, agent)))
    return None if login is None else context.prices(login)


def registered_flags(cursor: Cursor, agent: Agent, registered: frozenset[Flag] = frozenset()) -> frozenset[Flag]:
    """What tools are registered for: by the caller, and by the agent's own settings (decision 21)."""
    return registered | catalogs.flags(cursor, agent.id)


def state_inputs(
    cursor: Cursor,
    agent: Agent,
    now: datetime,
    left: Resolved,
    *,
    flags: frozenset[Flag] = frozenset(),
    quotes: Quotes | None = None,
) -> StateInputs:
    """Where the State of a run created now comes from, in the caller's snapshot of the store.

    Args:
        cursor: the store.
        agent: whose State.
        now: the one clock reading of the run.
        left: what the agent's bindings leave on.
        flags: what the runtime registered tools for.
        quotes: what the price service said; None in a preview, which never asks.
    """
    in_guild = agent.guild is not None
    guild = next((one for one in people.guilds(cursor) if one.id == agent.guild), None) if in_guild else None
    return StateInputs(
        now=now,
        max_tool_calls=agent.config.max_tool_calls,
        guild=guild,
        members=tuple(Member(*row) for row in agents.members(cursor, agent.guild)) if agent.guild else None,
        operators=people.operators(cursor, agent.org),
        group_history=groups.newest_public(cursor, agent.guild, GROUP_HISTORY_ROWS) if agent.guild else None,
        readable_levels=left.readable(in_guild=in_guild),
        writable_levels=left.writable(in_guild=in_guild),
        collections=_collections(cursor, agent, left),
        scripts=_scripts(cursor, agent, flags),
        environments=_environments(cursor, agent, flags),
        repositories=groups.repositories(cursor, agent.guild) if agent.guild and Flag.CODING in flags else None,
        prices=_prices(cursor, left, quotes),
    )


def _collections(cursor: Cursor, agent: Agent, left: Resolved) -> tuple[Grant, ...] | None:
    granted = collections.grants(cursor, agent.id)
    return granted if granted or RECORD_TOOLS & left.names else None


def _scripts(cursor: Cursor, agent: Agent, flags: frozenset[Flag]) -> tuple[Script, ...] | None:
    listed = catalogs.scripts(cursor, agent.id)
    return listed if listed or Flag.SANDBOX in flags else None


def _environments(cursor: Cursor, agent: Agent, flags: frozenset[Flag]) -> tuple[Environment, ...] | None:
    listed = catalogs.environments(cursor, agent.id)
    return listed if listed or RUNTIMES & flags else None


def _prices(cursor: Cursor, left: Resolved, quotes: Quotes | None) -> tuple[Price, ...] | None:
    login = prices_login(cursor, left)
    if login is None:
        return None
    return prices(login.pinned, all_unavailable(login.pinned, NOT_IN_PREVIEWS) if quotes is None else quotes)
