"""Rows of agents."""

import json
from dataclasses import dataclass

from studio.domain.agents import Agent, AgentConfig, AgentSummary, ImportSource, Layout
from studio.domain.paths import AgentId, GuildId, OrgId
from studio.domain.timeline import Facts
from studio.store.database import Cursor, Row
from studio.store.paging import rows_of

COLUMNS = (
    "a.agent_id, a.org_id, a.name, a.created_at, a.guild_id, g.name, a.focus, a.layout, a.retention, a.memory_on, a.memory_write_on,"
    " a.max_tool_calls, a.source_kind, a.source_key, a.source_label, a.source_agent_authors, a.source_restarted_at"
)
"""The columns of `Agent`, in the order that `_agent` reads them."""
FROM = "FROM agents a LEFT JOIN guilds g ON g.guild_id = a.guild_id"


def _agent(row: Row) -> Agent:
    agent_id, org, name, created_at, guild, guild_name, focus, layout, retention, memory, memory_write, calls = row[:12]
    kind, key, label, authors, restarted_at = row[12:17]
    return Agent(
        id=AgentId(agent_id),
        org=OrgId(org),
        name=name,
        created_at=created_at,
        guild=None if guild is None else GuildId(guild),
        guild_name=guild_name,
        focus=focus,
        layout=Layout(layout),
        config=AgentConfig(memory, memory_write, calls),
        retention=retention,
        source=None if kind is None else ImportSource(kind, key, label, tuple(json.loads(authors)), restarted_at),
    )


GET = f"SELECT {COLUMNS} {FROM} WHERE a.agent_id = ?"


def get(cursor: Cursor, agent: str) -> Agent | None:
    """The agent with this id, or None."""
    row = cursor.execute(GET, [agent]).fetchone()
    return None if row is None else _agent(row)


BY_NAME = f"SELECT {COLUMNS} {FROM} WHERE a.name = ? ORDER BY a.agent_id"


def by_name(cursor: Cursor, name: str) -> tuple[Agent, ...]:
    """All agents with this name."""
    return tuple(_agent(row) for row in cursor.execute(BY_NAME, [name]).fetchall())


NAMES = "SELECT DISTINCT name FROM agents"


def names(cursor: Cursor) -> tuple[str, ...]:
    """The names of all agents, each once."""
    return tuple(str(row[0]) for row in cursor.execute(NAMES).fetchall())


MEMBERS = "SELECT name, focus FROM agents WHERE guild_id = ? ORDER BY created_at, agent_id"


def members(cursor: Cursor, guild: GuildId) -> tuple[tuple[str, str | None], ...]:
    """Name and focus of a guild's agents, first created first."""
    return tuple((row[0], row[1]) for row in cursor.execute(MEMBERS, [guild]).fetchall())


@dataclass(frozen=True, slots=True)
class Page:
    """Which agents of the list to read."""

    search: str = ""
    """Words that must all occur in name, id, focus or guild, in any letter case."""
    limit: int | None = None
    """How many at most; None for all."""
    offset: int = 0
    """How many to pass over."""


MATCHES = (
    " WHERE len(list_filter(?::VARCHAR[], lambda word: NOT contains("
    "lower(a.name || ' ' || a.agent_id || ' ' || coalesce(a.focus, '') || ' ' || coalesce(g.name, '')), word))) = 0"
)
"""Whether an agent has all words. The words are one parameter, since a condition for each would nest too deeply."""
LIST = (
    f"SELECT {COLUMNS}, CASE WHEN r.agent_id IS NULL THEN m.version ELSE nullif(r.seen_version, 0) END,"
    " coalesce(r.seen_characters, CASE WHEN m.stand_in IS NULL THEN m.characters END, 0),"
    " CASE WHEN r.agent_id IS NULL THEN m.since ELSE r.seen_at END, a.task_version,"
    " d.agent_id IS NOT NULL AND d.sha256 <> a.task_sha256"
    f" {FROM} LEFT JOIN memory m ON m.agent_id = a.agent_id LEFT JOIN task_drafts d ON d.agent_id = a.agent_id"
    " LEFT JOIN directories r ON r.agent_id = a.agent_id"
)
"""Of a memory directory, what was last seen of it: a list asks no git."""
ORDER = " ORDER BY g.name NULLS LAST, lower(a.name), a.agent_id"


def summaries(cursor: Cursor, page: Page) -> tuple[AgentSummary, ...]:
    """A page of the agent list, grouped by guild and ordered by name."""
    limit = "" if page.limit is None else f" LIMIT {rows_of(page.limit)} OFFSET {rows_of(page.offset)}"
    rows = cursor.execute(LIST + MATCHES + ORDER + limit, [page.search.lower().split()]).fetchall()
    return tuple(AgentSummary(_agent(row[:17]), *row[17:]) for row in rows)


COUNT = f"SELECT count(*) {FROM}"


def count(cursor: Cursor, search: str = "") -> int:
    """How many agents match a search."""
    row = cursor.execute(COUNT + MATCHES, [search.lower().split()]).fetchone()
    return 0 if row is None else int(row[0])


INSERT = f"INSERT INTO agents VALUES ({', '.join('?' * 27)})"


def insert(cursor: Cursor, agent: Agent, task: str, facts: Facts) -> None:
    """Enter an agent with its first Task."""
    who = [
        agent.id,
        agent.org,
        agent.guild,
        agent.name,
        agent.focus,
        agent.created_at,
        str(agent.layout),
        agent.retention,
    ]
    live = [
        task,
        facts.number,
        facts.sha256,
        facts.characters,
        facts.added,
        facts.removed,
        facts.only_changed,
        facts.since,
    ]
    source, sealed = _source(agent.source), facts.seal or (None, None, None)
    cursor.execute(INSERT, [*who, *_config(agent), *source[:4], *live, *source[4:], *sealed])


UPDATE = (
    "UPDATE agents SET name = ?, focus = ?, guild_id = ?, retention = ?, memory_on = ?, memory_write_on = ?, max_tool_calls = ?,"
    " source_kind = ?, source_key = ?, source_label = ?, source_agent_authors = ?, source_restarted_at = ? WHERE agent_id = ?"
)


def update(cursor: Cursor, agent: Agent) -> None:
    """Store what operators set on an agent; its Task is not touched."""
    named = [agent.name, agent.focus, agent.guild, agent.retention]
    cursor.execute(UPDATE, [*named, *_config(agent), *_source(agent.source), agent.id])


def _config(agent: Agent) -> list[object]:
    return [agent.config.memory, agent.config.memory_write, agent.config.max_tool_calls]


def _source(source: ImportSource | None) -> list[object]:
    if source is None:
        return [None] * 5
    rule = json.dumps(source.agent_authors, ensure_ascii=False)
    return [source.kind, source.key, source.label, rule, source.restarted_at]
