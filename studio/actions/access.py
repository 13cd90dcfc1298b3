"""Who asks for a note or a collection, and what they may do with it (decision 10): operators everything, agents what is granted."""

from dataclasses import dataclass
from typing import NamedTuple

from studio.actions.bindings import resolved
from studio.actions.context import FIRST_ORG_NAME, Context, acting, find_agent, find_open_run
from studio.domain.agents import Agent
from studio.domain.authors import Author, AuthorKind
from studio.domain.places import Level, Place
from studio.errors import NotGranted, UnknownAgent, UnknownGuild, UnknownOrg
from studio.store import agents, people
from studio.store.database import Cursor
from studio.store.notes import Owner

READ, WRITE = "read", "write"
"""The two rights on a note level."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: an agent where one is named, else an operator."""

    agent: str | None = None
    """Id or unique name of the agent that acts."""
    run: str | None = None
    """The open run it acts in."""
    operator: str | None = None
    """The operator, where it is not the context's."""


OPERATOR = Caller()
"""The operator of the context."""


class Who(NamedTuple):
    """A caller as the store knows them."""

    agent: Agent | None
    """The agent, or None for an operator, who may do everything."""
    author: Author
    """Whose name a write bears."""


def who(context: Context, cursor: Cursor, caller: Caller) -> Who:
    """Look a caller up.

    Raises:
        UnknownAgent: there is no such agent.
        UnknownRun: the run is not on record, or is another agent's.
        RunOver: the run has ended; nothing is written in its name any more.
        BadName: the operator's name is not one plain line.
    """
    if caller.agent is None:
        return Who(None, acting(context, caller.operator))
    agent = find_agent(cursor, caller.agent)
    if caller.run is None:
        return Who(agent, Author(AuthorKind.AGENT, agent.name))
    return Who(agent, Author(AuthorKind.RUN, find_open_run(cursor, agent, caller.run).id))


def note_wrote(context: Context, cursor: Cursor, place: Place, author: Author) -> None:
    """Enter an operator's name with their first write."""
    if author.kind is AuthorKind.OPERATOR and author.name:
        people.ensure_operator(cursor, place.org, author.name, context.clock())


def owners(cursor: Cursor, agent: Agent | None, level: Level | None = None) -> tuple[Owner, ...] | None:
    """Whose notes a caller may read, of one level or of all; None for everybody's."""
    if agent is None:
        return None
    readable = resolved(cursor, agent).readable(in_guild=agent.guild is not None)
    return tuple((one, _own(agent, one)) for one in readable if level in (None, one))


def check_level(cursor: Cursor, agent: Agent | None, place: Place, right: str) -> None:
    """Refuse an agent a note that its bindings do not open to it, whether the note is there or not.

    Raises:
        NotGranted: the level is not granted, or the note belongs to another agent, guild or organisation.
    """
    if agent is None:
        return
    if place.org != agent.org or place.owner != _own(agent, place.level):
        why = "it belongs to another organisation" if place.org != agent.org else f"it belongs to another {place.level}"
        raise NotGranted(agent.name, right, str(place), why)
    left, in_guild = resolved(cursor, agent), agent.guild is not None
    granted = left.readable(in_guild=in_guild) if right == READ else left.writable(in_guild=in_guild)
    if place.level not in granted:
        why = f"the binding {place.level}_notes_{right} is off"
        raise NotGranted(agent.name, right, f"notes of its {_SPELLED[place.level]}", why)


_SPELLED = {Level.AGENT: "own", Level.GUILD: "guild", Level.ORG: "organisation"}


def _own(agent: Agent, level: Level) -> str:
    """The id of the agent's own owner at a level; empty where it has no guild."""
    return {Level.AGENT: str(agent.id), Level.GUILD: str(agent.guild or ""), Level.ORG: str(agent.org)}[level]


def check_owner(context: Context, cursor: Cursor, place: Place) -> None:
    """Refuse a place whose organisation, guild or agent is not there; a store that holds nothing yet gets the place's organisation.

    Raises:
        NotFound: it is not.
    """
    org = people.first_org(cursor)
    if org is None and place.level is Level.ORG:
        people.insert_org(cursor, place.org, FIRST_ORG_NAME, context.clock())
    elif org is None or org[0] != place.org:
        raise UnknownOrg(place.org)
    if place.level is Level.AGENT and agents.get(cursor, place.owner) is None:
        raise UnknownAgent(place.owner)
    if place.level is Level.GUILD and all(one.id != place.owner for one in people.guilds(cursor)):
        raise UnknownGuild(place.owner)


def full_path(context: Context, name: str, kind: str, *, agent: str | None = None, guild: str | None = None) -> str:
    """The display path of a note or collection from its name and whose it is; a full path is given back as it is.

    Args:
        context: the open store.
        name: e.g. `pricing.md`, or a full display path.
        kind: `notes` or `collections`.
        agent: whose it is.
        guild: whose it is; without agent and guild it is the organisation's.

    Raises:
        UnknownAgent: there is no such agent.
        UnknownGuild: there is no such guild.
    """
    if name.startswith("org/"):
        return name
    with context.database.read() as cursor:
        org = people.first_org(cursor)
        base = f"org/{context.ids('o') if org is None else org[0]}"  # without one, what is made there makes it (`check_owner`)
        if agent is not None:
            base = f"{base}/agents/{find_agent(cursor, agent).id}"
        elif guild is not None:
            found = next((one for one in people.guilds(cursor) if guild.strip() in (one.id, one.name)), None)
            if found is None:
                raise UnknownGuild(guild)
            base = f"{base}/guilds/{found.id}"
    return f"{base}/{kind}/{name}"
