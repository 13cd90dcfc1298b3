"""Rows of tokens."""

from studio.domain.paths import AgentId
from studio.domain.tokens import Role, Token
from studio.store.database import Cursor

ALL = "SELECT name, role, agent_id, created_at, sha256 FROM tokens ORDER BY name"


def all_with_hashes(cursor: Cursor) -> tuple[tuple[Token, str], ...]:
    """All tokens by name, each with the sha256 of its secret."""
    rows = cursor.execute(ALL).fetchall()
    return tuple(
        (Token(name, Role(role), AgentId(agent) if agent else None, made), sha256)
        for name, role, agent, made, sha256 in rows
    )


INSERT = "INSERT INTO tokens VALUES (?, ?, ?, ?, ?)"


def insert(cursor: Cursor, token: Token, sha256: str) -> None:
    """Enter a token."""
    cursor.execute(INSERT, [token.name, sha256, str(token.role), token.agent, token.created_at])


DELETE = "DELETE FROM tokens WHERE name = ?"


def delete(cursor: Cursor, name: str) -> None:
    """Remove a token."""
    cursor.execute(DELETE, [name])
