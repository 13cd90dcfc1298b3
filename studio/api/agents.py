"""Agents: list, make, read and set."""

from studio.api import schemas
from studio.api.operations import EVERYONE, OPERATORS, READERS, Answer, Call, Operation, Route, answer, integer, words
from studio.domain.agents import AgentConfig
from studio.domain.settings import AgentSettings
from studio.render.wire import agent_record, summary_record


def list_agents(call: Call) -> Answer:
    """List the agents by guild and name, a page at a time."""
    search = call.query.get("search", "")
    found = call.studio.list_agents(search, limit=call.query.get("limit", 100), offset=call.query.get("offset", 0))
    return answer({"agents": [summary_record(one) for one in found], "total": call.studio.count_agents(search)})


def make_agent(call: Call) -> Answer:
    """Make an agent; its focus becomes its first Task."""
    given = call.data
    config = AgentConfig(**{key: given[key] for key in ("memory", "memory_write", "max_tool_calls") if key in given})
    made = call.studio.create_agent(given["name"], focus=given.get("focus"), guild=given.get("guild"), config=config)
    return answer(agent_record(made), status=201, Location=f"/api/agents/{made.id}")


def get_agent(call: Call) -> Answer:
    """Read an agent and what is set on it."""
    return answer(agent_record(call.studio.get_agent(call.agent)))


def set_agent(call: Call) -> Answer:
    """Change what operators set on an agent; what is not named stays."""
    return answer(agent_record(call.studio.configure_agent(call.agent, AgentSettings(**call.data))))


ROUTES = (
    Route(
        "/api/agents",
        {
            "GET": Operation(
                list_agents,
                READERS,
                query=(
                    words("search", "Only agents whose name, id, focus or guild holds all these words."),
                    integer("limit", "How many at most; 100 without it.", maximum=1000),
                    integer("offset", "How many to leave out.", minimum=0),
                ),
                answers=schemas.AGENTS,
            ),
            "POST": Operation(make_agent, OPERATORS, takes=schemas.MAKE_AGENT, answers=schemas.AGENT, status=201),
        },
    ),
    Route(
        "/api/agents/{agent}",
        {
            "GET": Operation(get_agent, EVERYONE, answers=schemas.AGENT),
            "PATCH": Operation(set_agent, OPERATORS, takes=schemas.SET_AGENT, answers=schemas.AGENT),
        },
    ),
)
