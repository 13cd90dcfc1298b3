"""Rows of organisations, guilds and operators."""

from datetime import datetime

from studio.domain.agents import Guild
from studio.domain.paths import GuildId, OrgId
from studio.store.database import Cursor

FIRST_ORG = "SELECT org_id, name FROM orgs ORDER BY created_at, org_id LIMIT 1"


def first_org(cursor: Cursor) -> tuple[OrgId, str] | None:
    """The store's organisation, or None while it is empty."""
    row = cursor.execute(FIRST_ORG).fetchone()
    return None if row is None else (OrgId(row[0]), str(row[1]))


INSERT_ORG = "INSERT INTO orgs VALUES (?, ?, ?)"


def insert_org(cursor: Cursor, org: OrgId, name: str, now: datetime) -> None:
    """Enter an organisation."""
    cursor.execute(INSERT_ORG, [org, name, now])


GUILDS = "SELECT guild_id, org_id, name, about, description FROM guilds ORDER BY name, guild_id"


def guilds(cursor: Cursor) -> tuple[Guild, ...]:
    """All guilds by name."""
    return tuple(Guild(GuildId(row[0]), OrgId(row[1]), *row[2:]) for row in cursor.execute(GUILDS).fetchall())


INSERT_GUILD = "INSERT INTO guilds VALUES (?, ?, ?, ?, ?, ?)"


def insert_guild(cursor: Cursor, guild: Guild, now: datetime) -> None:
    """Enter a guild."""
    cursor.execute(INSERT_GUILD, [guild.id, guild.org, guild.name, guild.about, guild.description, now])


OPERATORS = "SELECT name FROM operators WHERE org_id = ? ORDER BY created_at, name"


def operators(cursor: Cursor, org: OrgId) -> tuple[str, ...]:
    """The organisation's operators, first seen first."""
    return tuple(str(row[0]) for row in cursor.execute(OPERATORS, [org]).fetchall())


KNOWN_OPERATOR = "SELECT 1 FROM operators WHERE org_id = ? AND name = ?"
INSERT_OPERATOR = "INSERT INTO operators VALUES (?, ?, ?)"


def ensure_operator(cursor: Cursor, org: OrgId, name: str, now: datetime) -> None:
    """Enter an operator's name with the first write under it; looking first is quicker than INSERT OR IGNORE on every write."""
    if cursor.execute(KNOWN_OPERATOR, [org, name]).fetchone() is None:
        cursor.execute(INSERT_OPERATOR, [org, name, now])
