"""Agents: list, make, read and set; what they may; guilds, operators, and the problems that agents filed."""

from studio.api import schemas
from studio.api.listing import answer_page, answer_whole, page_of
from studio.api.operations import EVERYONE, OPERATORS, READERS, Answer, Call, Operation, Route, answer
from studio.api.parameters import words
from studio.api.shapes import OBJECT
from studio.api.tables import Table
from studio.domain.agents import AgentConfig
from studio.domain.bindings import Scope
from studio.domain.settings import AgentSettings
from studio.render.wire import agent_record, summary_record
from studio.render.wire_notes import broken_link_record, rights_record
from studio.render.wire_people import guild_record, operator_record, problem_filed_record

AGENTS = Table("agents", schemas.AGENT_ROW, counted=True)
GUILDS = Table("guilds", schemas.GUILD)
OPERATORS_SEEN = Table("operators", schemas.OPERATOR)
PROBLEMS = Table("problems", schemas.PROBLEM_FILED)


def list_agents(call: Call) -> Answer:
    """List the agents by guild and name."""
    search, page = call.query.get("search", ""), page_of(call, AGENTS)
    found = call.studio.list_agents(search, limit=page.one_more, offset=page.offset)
    return answer_page(call, AGENTS, found, summary_record, total=call.studio.count_agents(search))


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


def set_agent_from(call: Call) -> Answer:
    """Set what has no editor from one JSON value, all of it or nothing: the README's `agents set --from` has its form."""
    return answer(agent_record(call.studio.configure_agent_from(call.agent, call.data)))


def get_rights(call: Call) -> Answer:
    """Read which tools an agent is offered and which note levels it may use, all scopes taken together."""
    return answer(rights_record(call.studio.get_rights(call.agent)))


def list_broken_links(call: Call) -> Answer:
    """List the embeds of an agent's live Task that name nothing, each with its reason."""
    return answer({"broken": [broken_link_record(one) for one in call.studio.list_broken_links(call.agent)]})


def set_binding(call: Call) -> Answer:
    """Say what one scope leaves on of a tool, a note level or a login; with neither value it says nothing any more."""
    given = call.data
    call.studio.set_binding(
        Scope(given["scope"]), given["id"], given["name"], turned_on=given.get("turned_on"), login=given.get("login")
    )
    return Answer(status=204)


def list_guilds(call: Call) -> Answer:
    """List the guilds by name."""
    return answer_whole(call, GUILDS, call.studio.list_guilds(), guild_record)


def list_operators(call: Call) -> Answer:
    """List the operators who have written something here, first seen first."""
    return answer_whole(call, OPERATORS_SEEN, call.studio.list_operators(), operator_record)


def list_problems(call: Call) -> Answer:
    """List what agents filed with `report_issue`, newest first."""
    return answer_whole(call, PROBLEMS, call.studio.list_problems(), problem_filed_record)


_SEARCH = words("search", "Only agents whose name, id, focus or guild holds all these words.")
ROUTES = (
    Route(
        "/api/agents",
        {
            "GET": Operation(list_agents, READERS, query=(_SEARCH,), table=AGENTS),
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
    Route(
        "/api/agents/{agent}/settings",
        {"PATCH": Operation(set_agent_from, OPERATORS, takes=OBJECT, answers=schemas.AGENT)},
    ),
    Route("/api/agents/{agent}/rights", {"GET": Operation(get_rights, EVERYONE, answers=schemas.RIGHTS)}),
    Route(
        "/api/agents/{agent}/task/broken-links",
        {"GET": Operation(list_broken_links, READERS, answers=schemas.BROKEN_LINKS)},
    ),
    Route("/api/bindings", {"PUT": Operation(set_binding, OPERATORS, takes=schemas.BIND, status=204)}),
    Route("/api/guilds", {"GET": Operation(list_guilds, READERS, table=GUILDS)}),
    Route("/api/operators", {"GET": Operation(list_operators, READERS, table=OPERATORS_SEEN)}),
    Route("/api/problems", {"GET": Operation(list_problems, READERS, table=PROBLEMS)}),
)
