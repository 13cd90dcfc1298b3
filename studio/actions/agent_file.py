"""Set on an agent what has no editor, from a JSON value: all of it or nothing. The form is `domain.agent_file`'s."""

from collections.abc import Sequence

from studio.actions.bindings import put_binding
from studio.actions.collections import put_collection
from studio.actions.context import Context, find_agent
from studio.domain.agent_file import AgentFile, CollectionEntry, read_agent_file
from studio.domain.agents import Agent
from studio.domain.bindings import INSTANCE_ID, Scope
from studio.domain.collections import Column, make_collection
from studio.domain.paths import OrgId
from studio.domain.places import Level, Place, PlaceKind
from studio.domain.surroundings import GroupMessage
from studio.errors import BadAgentFile, StudioError
from studio.store import bindings, catalogs, collections, groups, people
from studio.store.database import Cursor


def configure_agent_from(context: Context, agent: str, data: object) -> Agent:
    """Set what a file says; a key that it leaves out stays as it is.

    Args:
        context: the open store.
        agent: id or unique name.
        data: the file as a JSON value; `domain.agent_file` documents it.

    Raises:
        UnknownAgent: there is no such agent.
        BadAgentFile: something is wrong with the file; the sentence has every finding, and nothing was set.
    """
    file = read_agent_file(data)
    with context.database.tx() as cursor:
        found = find_agent(cursor, agent)
        if findings := [*file.findings, *_findings(cursor, found, file)]:
            raise BadAgentFile(findings)
        _set_own(cursor, found, file)
        _set_guild(cursor, found, file)
        for name in file.operators:
            people.ensure_operator(cursor, found.org, name, context.clock())
        _set_collections(context, cursor, found, file)
        for login in file.logins:
            bindings.put_login(cursor, login)
        for setting in file.bindings:
            put_binding(cursor, _scope_ids(found)[setting.scope], setting)
        return find_agent(cursor, found.id)


def _findings(cursor: Cursor, agent: Agent, file: AgentFile) -> list[str]:
    """What is wrong with a file for this agent in this store."""
    found = []
    known = {login.name for login in file.logins} | set(bindings.logins(cursor))
    found += [
        f"bindings.{one.scope}.{one.name} names the login {one.login!r}, which is neither here nor in the store"
        for one in file.bindings
        if one.login is not None and one.login not in known
    ]
    for number, entry in enumerate(file.collections or ()):
        found += [f"collections[{number}] {what}" for what in _collection_findings(cursor, agent, entry)]
    if agent.guild is None:
        in_guild = "needs a guild, and the agent has none; set one with --guild"
        found += [f"guild {in_guild}"] if file.guild is not None else []
        found += [f"bindings.guild {in_guild}"] if any(one.scope is Scope.GUILD for one in file.bindings) else []
    return found


def _collection_findings(cursor: Cursor, agent: Agent, entry: CollectionEntry) -> Sequence[str]:
    if not entry.name:
        return []  # its name is a finding by now
    place = _place(agent, entry)
    if place is None:
        return ["needs a guild, and the agent has none; set one with --guild"]
    if entry.columns is None and collections.get(cursor, str(place)) is None:
        return [f"needs columns: there is no {entry.level} collection {entry.name!r} yet"]
    try:
        make_collection(place, None, entry.columns or (Column("any"),))
    except StudioError as error:
        return [f"cannot be made: {error.message.rstrip('.')}"]
    return []


def _place(agent: Agent, entry: CollectionEntry) -> Place | None:
    """Where a collection of the file is; None where that is a guild and the agent has none."""
    owner = {Level.AGENT: agent.id, Level.GUILD: agent.guild, Level.ORG: agent.org}[entry.level]
    if owner is None:
        return None
    return Place(PlaceKind.COLLECTION, OrgId(agent.org), entry.level, owner, entry.name)


def _set_own(cursor: Cursor, agent: Agent, file: AgentFile) -> None:
    if file.tools is not None:
        catalogs.replace_flags(cursor, agent.id, file.tools)
    if file.scripts is not None:
        catalogs.replace_scripts(cursor, agent.id, file.scripts)
    if file.environments is not None:
        catalogs.replace_environments(cursor, agent.id, file.environments)


def _set_guild(cursor: Cursor, agent: Agent, file: AgentFile) -> None:
    if agent.guild is None or file.guild is None:
        return
    guild = next(one for one in people.guilds(cursor) if one.id == agent.guild)
    about, description = file.guild.get("about", guild.about), file.guild.get("description", guild.description)
    groups.describe(cursor, guild.id, about, description)
    if file.repositories is not None:
        groups.replace_repositories(cursor, guild.id, file.repositories)
    held = {_key(one) for one in groups.messages(cursor, guild.id)} if file.messages else set()
    for message in file.messages:
        if _key(message) not in held:
            groups.post(cursor, guild.id, message)
            held.add(_key(message))


def _key(message: GroupMessage) -> tuple[object, ...]:
    """What makes a row of the chat the same row."""
    return message.sender, message.at, message.text


def _set_collections(context: Context, cursor: Cursor, agent: Agent, file: AgentFile) -> None:
    if file.collections is None:
        return
    collections.revoke_all(cursor, agent.id)
    for entry in file.collections:
        place = _place(agent, entry)
        if place is None:  # a finding by now
            continue
        held = collections.get(cursor, str(place))
        columns = entry.columns if entry.columns is not None else held.columns if held else ()
        purpose = entry.purpose if entry.sets_purpose or held is None else held.purpose
        made = make_collection(place, purpose, columns)
        put_collection(context, cursor, made)
        collections.set_access(cursor, agent.id, made.path, entry.access)


def _scope_ids(agent: Agent) -> dict[Scope, str]:
    """Whose bindings the file's scopes are."""
    return {
        Scope.INSTANCE: INSTANCE_ID,
        Scope.ORG: agent.org,
        Scope.GUILD: agent.guild or "",
        Scope.AGENT: agent.id,
    }
