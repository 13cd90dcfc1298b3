"""What agents say to others: messages in their guild's chat, and problems filed for the operator."""

from studio.actions.context import Context, find_agent, find_open_run
from studio.domain.agents import Agent
from studio.domain.bodies import check_text
from studio.domain.paths import GuildId, RunId
from studio.domain.problems import Problem
from studio.domain.surroundings import GroupMessage
from studio.errors import BadArgument
from studio.store import groups, problems
from studio.store.database import Cursor


def guild_of(context: Context, agent: str) -> GuildId:
    """The id of an agent's guild.

    Raises:
        UnknownAgent: there is no such agent.
        BadArgument: it has no guild.
    """
    with context.database.read() as cursor:
        found = find_agent(cursor, agent)
    if found.guild is None:
        raise BadArgument(f"{found.name} is in no guild.")
    return found.guild


def post_message(
    context: Context, agent: str, text: str, *, tags: tuple[str, ...] = (), run: str | None = None
) -> GroupMessage:
    """Post to the chat of an agent's guild in its name.

    Args:
        context: the open store.
        agent: id or unique name.
        text: the message, as it is shown.
        tags: names of those it is for.
        run: the open run that posts.

    Raises:
        UnknownAgent: there is no such agent.
        UnknownRun, RunOver: the run is another agent's or none, or has ended.
        BadArgument: it has no guild, or the message is blank.
        UnusableText: the message or a tag holds NUL or a lone surrogate.
    """
    for part in (text, *tags):
        check_text(part, "The message")
    if not text.strip():
        raise BadArgument("The message is blank.")
    guild = guild_of(context, agent)
    with context.database.tx() as cursor:
        sender = find_agent(cursor, agent)
        message = GroupMessage(sender.name, text, context.clock(), tags=tags, run=_open(cursor, sender, run))
        groups.post(cursor, guild, message)
    return message


def report_problem(context: Context, agent: str, report: str, run: str | None = None) -> str:
    """File a tooling problem for the operator; gives its id.

    Raises:
        UnknownAgent: there is no such agent.
        UnknownRun, RunOver: the run is another agent's or none, or has ended.
        UnusableText: the report holds NUL or a lone surrogate.
    """
    check_text(report, "The report")
    with context.database.tx() as cursor:
        who = find_agent(cursor, agent)
        filed = Problem(context.ids("p"), who.id, _open(cursor, who, run), report, context.clock())
        problems.insert(cursor, filed)
    return filed.id


def _open(cursor: Cursor, agent: Agent, run: str | None) -> RunId | None:
    """The run in whose name an agent speaks, if it does in one."""
    return None if run is None else find_open_run(cursor, agent, run).id


def list_problems(context: Context) -> tuple[Problem, ...]:
    """The problems that agents filed, newest first."""
    with context.database.read() as cursor:
        return problems.newest_first(cursor)
