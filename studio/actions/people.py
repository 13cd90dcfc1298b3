"""Create, find and configure agents and guilds."""

from dataclasses import replace

from studio.actions.context import Context, acting, ensure_org, find_agent
from studio.actions.links import with_broken_links
from studio.actions.publish import measured, sealed
from studio.domain.agents import Agent, AgentConfig, AgentSummary, Guild, ImportSource, check_max_tool_calls, check_name
from studio.domain.archive import creation_occasion
from studio.domain.authors import UNKNOWN
from studio.domain.bodies import EMPTY, Body, check_text, storable
from studio.domain.changes import TextKind
from studio.domain.paths import AgentId, GuildId, OrgId
from studio.domain.settings import AgentSettings, applied
from studio.domain.task import new_task_text
from studio.domain.timeline import Actor
from studio.errors import UnknownGuild
from studio.store import agents, memory, people
from studio.store.agents import Page
from studio.store.database import Cursor


def list_agents(
    context: Context, search: str = "", limit: int | None = None, offset: int = 0
) -> tuple[AgentSummary, ...]:
    """A page of the agents whose name, id, focus or guild holds all words of the search, by guild and name."""
    if not storable(search):
        return ()
    with context.database.read() as cursor:
        return with_broken_links(cursor, agents.summaries(cursor, Page(search, limit, offset)))


def count_agents(context: Context, search: str = "") -> int:
    """How many agents a search finds."""
    if not storable(search):
        return 0
    with context.database.read() as cursor:
        return agents.count(cursor, search)


def get_agent(context: Context, agent: str) -> Agent:
    """The agent of this id or unique name; raises `UnknownAgent` or `AmbiguousAgent`."""
    with context.database.read() as cursor:
        return find_agent(cursor, agent)


def list_guilds(context: Context) -> tuple[Guild, ...]:
    """All guilds by name."""
    with context.database.read() as cursor:
        return people.guilds(cursor)


def list_operators(context: Context) -> tuple[str, ...]:
    """The operators who have written something here, first seen first."""
    with context.database.read() as cursor:
        org = people.first_org(cursor)
        return () if org is None else people.operators(cursor, org[0])


def create_agent(
    context: Context,
    name: str,
    *,
    focus: str | None = None,
    guild: str | None = None,
    config: AgentConfig | None = None,
    agent_id: str | None = None,
    operator_name: str | None = None,
) -> Agent:
    """Make an agent with its first Task and an empty memory (versions 1 of both, with no recorded author).

    The occasion of the empty memory says who created the agent.

    Args:
        context: the open store.
        name: one line.
        focus: what it is for; becomes its first Task. Without it the Task is the repository's `task.md`.
        guild: name or id of its guild; a name that is new makes the guild.
        config: what operators set; all on by default.
        agent_id: the id to use, for an agent that has one elsewhere.
        operator_name: who creates it; the context's operator without one.

    Raises:
        BadName: a name cannot stand in a prompt.
        UnusableText: the focus holds NUL or a lone surrogate.
        NoTemplate: no focus was given and `task.md` is missing.
    """
    with context.database.tx() as cursor:
        made = insert_agent(context, cursor, name, focus=focus, guild=guild, config=config, agent_id=agent_id)
        created = Actor(UNKNOWN, made.created_at, occasion=creation_occasion(acting(context, operator_name)))
        empty = replace(measured(1, None, EMPTY, created), own=created)
        memory.insert_live(cursor, made.id, sealed(cursor, made, TextKind.MEMORY, None, empty, created), EMPTY)
        return made


def insert_agent(
    context: Context,
    cursor: Cursor,
    name: str,
    *,
    focus: str | None = None,
    guild: str | None = None,
    config: AgentConfig | None = None,
    agent_id: str | None = None,
    source: ImportSource | None = None,
) -> Agent:
    """`create_agent` inside a transaction, without a memory row; an agent with a source keeps all revisions (decision 11)."""
    now = context.clock()
    org = ensure_org(context, cursor)
    agent = Agent(
        id=AgentId(agent_id or context.ids("a")),
        org=org,
        name=check_name(name, "An agent"),
        created_at=now,
        focus=check_text(focus.strip(), "The focus") if focus and focus.strip() else None,
        config=config or AgentConfig(),
        source=source,
    )
    check_max_tool_calls(agent.config.max_tool_calls)
    if guild and guild.strip():
        home = find_guild(cursor, guild) or _new_guild(context, cursor, org, guild)
        agent = replace(agent, guild=home.id, guild_name=home.name)
    if source is not None:
        agent = replace(agent, retention=None)
    task = new_task_text(agent.focus, "" if agent.focus else context.templates.task())
    nobody = Actor(UNKNOWN, now)
    first = measured(1, None, Body(task), nobody)
    agents.insert(cursor, agent, task, sealed(cursor, agent, TextKind.TASK, None, first, nobody))
    return agent


def configure_agent(context: Context, agent: str, settings: AgentSettings) -> Agent:
    """Change what operators set on an agent.

    Raises:
        UnknownAgent: there is no such agent.
        UnknownGuild: the guild is not there.
        BadName: the name cannot stand in a prompt.
        BadSetting: a number is out of its range.
    """
    with context.database.tx() as cursor:
        changed = applied(find_agent(cursor, agent), settings)
        if settings.guild is not None:
            home = find_guild(cursor, settings.guild) if settings.guild.strip() else None
            if settings.guild.strip() and home is None:
                raise UnknownGuild(settings.guild)
            changed = replace(changed, guild=home.id if home else None, guild_name=home.name if home else None)
        agents.update(cursor, changed)
        return changed


def find_guild(cursor: Cursor, guild: str) -> Guild | None:
    """The guild of this id or name, or None."""
    return next((one for one in people.guilds(cursor) if guild.strip() in (one.id, one.name)), None)


def create_guild(
    context: Context,
    name: str,
    *,
    about: str | None = None,
    description: str | None = None,
    guild_id: str | None = None,
) -> Guild:
    """Make a guild; `about` and `description` stand in the State of its agents."""
    with context.database.tx() as cursor:
        org = ensure_org(context, cursor)
        return _new_guild(context, cursor, org, name, about=about, description=description, guild_id=guild_id)


def _new_guild(
    context: Context,
    cursor: Cursor,
    org: OrgId,
    name: str,
    *,
    about: str | None = None,
    description: str | None = None,
    guild_id: str | None = None,
) -> Guild:
    about = check_text(about, "The guild's about") if about else None
    description = check_text(description, "The guild's description") if description else None
    guild = Guild(GuildId(guild_id or context.ids("g")), org, check_name(name, "A guild"), about, description)
    people.insert_guild(cursor, guild, context.clock())
    return guild
