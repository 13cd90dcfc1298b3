"""Set bindings and logins, and tell what they leave an agent with (decisions 9 and 10)."""

import json
import shlex
from dataclasses import replace

from studio.actions.context import Context, find_agent
from studio.domain.agents import Agent, Layout
from studio.domain.bindings import INSTANCE_ID, MEMORY_WRITE, Resolved, Rights, Scope, Setting, check_binding, resolve
from studio.domain.prices import Login
from studio.errors import BadSetting, UnknownGuild, UnknownLogin, UnknownOrg
from studio.store import agents, bindings, people
from studio.store.database import Cursor

SCOPES_SPELLED = {Scope.INSTANCE: "instance", Scope.ORG: "organisation", Scope.GUILD: "guild", Scope.AGENT: "agent"}
"""The scopes as sentences name them."""


def resolved(cursor: Cursor, agent: Agent) -> Resolved:
    """What every scope above the agent and the agent's own bindings leave on; `AgentConfig` is apart from it."""
    return resolve(bindings.of_agent(cursor, agent))


def offered_tools(cursor: Cursor, agent: Agent) -> tuple[str, ...]:
    """The tools of ours that a run of this agent is offered, in their order."""
    own, in_guild = agent.offers_memory_write, agent.guild is not None
    return resolved(cursor, agent).tools(memory_write=own, in_guild=in_guild)


def why_no_memory_write(cursor: Cursor, agent: Agent) -> str:
    """Return what withholds `memory_write` from an agent, nearest first, and what changes that."""
    name, config = shlex.quote(agent.name), agent.config
    if agent.layout is Layout.DIRECTORY:
        return f"its memory is a directory, which is written by commit; edit a file with 'studio dir edit {name} PATH'"
    if not config.memory:
        return f"its memory is off; 'studio agents set {name} --memory on' turns it on"
    if not config.memory_write:
        return f"its own setting is off; 'studio agents set {name} --memory-write on' turns it on"
    said = (one for one in bindings.of_agent(cursor, agent) if one.name == MEMORY_WRITE and one.turned_on is False)
    scope = next(said).scope
    back = json.dumps({"bindings": {scope: {MEMORY_WRITE: None}}})
    return f"its {SCOPES_SPELLED[scope]} turns it off; 'studio agents set {name} --from FILE' with {back} in FILE takes that back"


def get_rights(context: Context, agent: str) -> Rights:
    """What an agent can do, all scopes taken together; raises `UnknownAgent` or `AmbiguousAgent`."""
    with context.database.read() as cursor:
        found = find_agent(cursor, agent)
        left, in_guild = resolved(cursor, found), found.guild is not None
        tools = offered_tools(cursor, found)
        return Rights(tools, left.readable(in_guild=in_guild), left.writable(in_guild=in_guild), left.login)


def prices_login(cursor: Cursor, left: Resolved) -> Login | None:
    """The login behind `prices`, where one is named, is there and pins coins."""
    login = bindings.logins(cursor).get(left.login) if left.login is not None else None
    return login if login is not None and login.pinned else None


def set_binding(
    context: Context,
    scope: Scope,
    scope_id: str,
    name: str,
    *,
    turned_on: bool | None = None,
    login: str | None = None,
) -> None:
    """Say what one scope leaves on; with neither value it says nothing any more.

    Args:
        context: the open store.
        scope: which kind of scope.
        scope_id: id of the organisation or guild, id or name of the agent; `*` for the instance.
        name: a binding, one of `domain.bindings.NAMES`.
        turned_on: False turns it off for everything below.
        login: name of the login to use from this scope down.

    Raises:
        BadSetting: there is no such binding, or it uses no login.
        NotFound: the scope or the login is not there.
    """
    with context.database.tx() as cursor:
        put_binding(cursor, scope_id, Setting(scope, name, turned_on, login))


def put_binding(cursor: Cursor, scope_id: str, setting: Setting) -> None:
    """`set_binding` inside a transaction. What an agent says of `memory_write` is a setting of the agent itself."""
    check_binding(setting.name, setting.login)
    if setting.login is not None and setting.login not in (known := bindings.logins(cursor)):
        raise UnknownLogin(setting.login, tuple(known))
    where = _scope_id(cursor, setting.scope, scope_id)
    if setting.scope is Scope.AGENT and setting.name == MEMORY_WRITE:
        agent = find_agent(cursor, where)
        agents.update(cursor, replace(agent, config=replace(agent.config, memory_write=setting.turned_on is not False)))
    else:
        bindings.put(cursor, where, setting)


def _scope_id(cursor: Cursor, scope: Scope, given: str) -> str:
    """The scope's id in the store, if it is there."""
    match scope:
        case Scope.INSTANCE:
            if given != INSTANCE_ID:
                raise BadSetting(f"The instance has no id; write {INSTANCE_ID!r}, not {given!r}.")
            return INSTANCE_ID
        case Scope.ORG:
            org = people.first_org(cursor)
            if org is None or org[0] != given:
                raise UnknownOrg(given)
            return given
        case Scope.GUILD:
            guild = next((one for one in people.guilds(cursor) if given in (one.id, one.name)), None)
            if guild is None:
                raise UnknownGuild(given)
            return guild.id
        case Scope.AGENT:
            return find_agent(cursor, given).id
