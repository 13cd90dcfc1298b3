"""Rows of what an agent's runtime gives it: scripts, environments, and the tools it registers."""

from collections.abc import Iterable, Sequence

from studio.domain.guidelines import Flag
from studio.domain.paths import AgentId
from studio.domain.surroundings import Environment, Script
from studio.store.database import Cursor

SCRIPTS = "SELECT name, description FROM scripts WHERE agent_id = ? ORDER BY position"
FORGET_SCRIPTS = "DELETE FROM scripts WHERE agent_id = ?"
INSERT_SCRIPT = "INSERT INTO scripts VALUES (?, ?, ?, ?)"


def scripts(cursor: Cursor, agent: AgentId) -> tuple[Script, ...]:
    """An agent's script catalog in stored order."""
    return tuple(Script(*row) for row in cursor.execute(SCRIPTS, [agent]).fetchall())


def replace_scripts(cursor: Cursor, agent: AgentId, listed: Sequence[Script]) -> None:
    """Store these scripts in place of the agent's."""
    cursor.execute(FORGET_SCRIPTS, [agent])
    for position, one in enumerate(listed, 1):
        cursor.execute(INSERT_SCRIPT, [agent, position, one.name, one.description])


ENVIRONMENTS = "SELECT name, description, bound FROM environments WHERE agent_id = ? ORDER BY position"
FORGET_ENVIRONMENTS = "DELETE FROM environments WHERE agent_id = ?"
INSERT_ENVIRONMENT = "INSERT INTO environments VALUES (?, ?, ?, ?, ?)"


def environments(cursor: Cursor, agent: AgentId) -> tuple[Environment, ...]:
    """An agent's environments in stored order, bound or not."""
    return tuple(Environment(*row) for row in cursor.execute(ENVIRONMENTS, [agent]).fetchall())


def replace_environments(cursor: Cursor, agent: AgentId, listed: Sequence[Environment]) -> None:
    """Store these environments in place of the agent's."""
    cursor.execute(FORGET_ENVIRONMENTS, [agent])
    for position, one in enumerate(listed, 1):
        cursor.execute(INSERT_ENVIRONMENT, [agent, position, one.name, one.description, one.bound])


FLAGS = "SELECT flag FROM agent_tools WHERE agent_id = ?"
FORGET_FLAGS = "DELETE FROM agent_tools WHERE agent_id = ?"
INSERT_FLAG = "INSERT INTO agent_tools VALUES (?, ?)"


def flags(cursor: Cursor, agent: AgentId) -> frozenset[Flag]:
    """What the agent's runtime registers tools for in every run (decision 21)."""
    return frozenset(Flag(row[0]) for row in cursor.execute(FLAGS, [agent]).fetchall())


def replace_flags(cursor: Cursor, agent: AgentId, listed: Iterable[Flag]) -> None:
    """Store what the agent's runtime registers tools for."""
    cursor.execute(FORGET_FLAGS, [agent])
    for flag in sorted(set(listed)):
        cursor.execute(INSERT_FLAG, [agent, str(flag)])
