"""Rows of guilds beyond their names: group chat and repositories."""

import json
from collections.abc import Sequence

from studio.domain.paths import GuildId, RunId
from studio.domain.surroundings import GroupMessage, Repository
from studio.store.database import Cursor, Row

MESSAGES = "SELECT sender, content, posted_at, public, tags, run_id FROM group_messages WHERE guild_id = ?"


def _message(row: Row) -> GroupMessage:
    sender, content, posted_at, public, tags, run = row
    return GroupMessage(
        sender, content, posted_at, public, tuple(json.loads(tags)), None if run is None else RunId(run)
    )


def messages(cursor: Cursor, guild: GuildId) -> tuple[GroupMessage, ...]:
    """A guild's whole chat, oldest first."""
    return tuple(_message(row) for row in cursor.execute(f"{MESSAGES} ORDER BY position", [guild]).fetchall())


def newest_public(cursor: Cursor, guild: GuildId, most: int) -> tuple[GroupMessage, ...]:
    """The newest rows that agents see, oldest of them first."""
    rows = cursor.execute(f"{MESSAGES} AND public ORDER BY position DESC LIMIT ?", [guild, most]).fetchall()
    return tuple(_message(row) for row in reversed(rows))


POST = (
    "INSERT INTO group_messages SELECT ?, coalesce(max(position), 0) + 1, ?, ?, ?, ?, ?, ? FROM group_messages"
    " WHERE guild_id = ?"
)


def post(cursor: Cursor, guild: GuildId, message: GroupMessage) -> None:
    """Append a row to a guild's chat."""
    tags = json.dumps(message.tags, ensure_ascii=False)
    held: list[object] = [message.sender, message.text, message.public, tags, message.run, message.at]
    cursor.execute(POST, [guild, *held, guild])


REPOSITORIES = "SELECT name, path, default_branch FROM repositories WHERE guild_id = ? ORDER BY position"


def repositories(cursor: Cursor, guild: GuildId) -> tuple[Repository, ...]:
    """A guild's repositories in stored order."""
    return tuple(Repository(*row) for row in cursor.execute(REPOSITORIES, [guild]).fetchall())


FORGET_REPOSITORIES = "DELETE FROM repositories WHERE guild_id = ?"
INSERT_REPOSITORY = "INSERT INTO repositories VALUES (?, ?, ?, ?, ?)"


def replace_repositories(cursor: Cursor, guild: GuildId, listed: Sequence[Repository]) -> None:
    """Store these repositories in place of the guild's."""
    cursor.execute(FORGET_REPOSITORIES, [guild])
    for position, one in enumerate(listed, 1):
        cursor.execute(INSERT_REPOSITORY, [guild, position, one.name, one.path, one.default_branch])


DESCRIBE = "UPDATE guilds SET about = ?, description = ? WHERE guild_id = ?"


def describe(cursor: Cursor, guild: GuildId, about: str | None, description: str | None) -> None:
    """Store what a guild is and how it works."""
    cursor.execute(DESCRIBE, [about, description, guild])
