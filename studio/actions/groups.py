"""What agents say to others: messages in their guild's chat, and problems filed for the operator."""

from studio.actions.context import Context, find_agent
from studio.domain.bodies import check_text
from studio.domain.paths import GuildId, RunId
from studio.domain.problems import Problem
from studio.domain.surroundings import GroupMessage
from studio.errors import BadArgument
from studio.store import groups, problems


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
        run: the run that posts.

    Raises:
        UnknownAgent: there is no such agent.
        BadArgument: it has no guild, or the message is blank.
        UnusableText: the message or a tag holds NUL or a lone surrogate.
    """
    for part in (text, *tags):
        check_text(part, "The message")
    if not text.strip():
        raise BadArgument("The message is blank.")
    guild = guild_of(context, agent)
    with context.database.tx() as cursor:
        sender = find_agent(cursor, agent).name
        message = GroupMessage(sender, text, context.clock(), tags=tags, run=None if run is None else RunId(run))
        groups.post(cursor, guild, message)
    return message


def report_problem(context: Context, agent: str, report: str, run: str | None = None) -> str:
    """File a tooling problem for the operator; gives its id.

    Raises:
        UnknownAgent: there is no such agent.
        UnusableText: the report holds NUL or a lone surrogate.
    """
    check_text(report, "The report")
    with context.database.tx() as cursor:
        who = find_agent(cursor, agent).id
        filed = Problem(context.ids("p"), who, None if run is None else RunId(run), report, context.clock())
        problems.insert(cursor, filed)
    return filed.id


def list_problems(context: Context) -> tuple[Problem, ...]:
    """The problems that agents filed, newest first."""
    with context.database.read() as cursor:
        return problems.newest_first(cursor)
