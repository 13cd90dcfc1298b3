"""JSON shapes of guilds, operators and filed problems, one function per value. Times are UTC."""

from studio.domain.agents import Guild
from studio.domain.archive import iso_z
from studio.domain.problems import Problem
from studio.domain.records import Record


def guild_record(guild: Guild) -> Record:
    """`{id, name, about, description}`."""
    return {"id": guild.id, "name": guild.name, "about": guild.about, "description": guild.description}


def operator_record(name: str) -> Record:
    """`{name}`."""
    return {"name": name}


def problem_filed_record(problem: Problem) -> Record:
    """`{id, agent, run, report, at}`; `agent` and `run` are ids."""
    return {
        "id": problem.id,
        "agent": problem.agent,
        "run": problem.run,
        "report": problem.report,
        "at": iso_z(problem.at),
    }
