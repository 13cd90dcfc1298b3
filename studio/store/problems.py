"""Rows of the problems that agents filed for their operators."""

from dataclasses import astuple

from studio.domain.paths import AgentId, RunId
from studio.domain.problems import Problem
from studio.store.database import Cursor

INSERT = "INSERT INTO problems VALUES (?, ?, ?, ?, ?)"


def insert(cursor: Cursor, problem: Problem) -> None:
    """Enter a problem."""
    cursor.execute(INSERT, list(astuple(problem)))


LIST = (
    "SELECT problem_id, agent_id, run_id, report, reported_at FROM problems ORDER BY reported_at DESC, problem_id DESC"
)


def newest_first(cursor: Cursor) -> tuple[Problem, ...]:
    """All problems, newest first."""
    return tuple(
        Problem(problem, AgentId(agent), None if run is None else RunId(run), report, at)
        for problem, agent, run, report, at in cursor.execute(LIST).fetchall()
    )
