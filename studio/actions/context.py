"""What every action needs at hand."""

from dataclasses import dataclass, field
from threading import Lock

from studio.actions.driving import RunsDriven
from studio.actions.turns import Turns
from studio.domain.agents import Agent, check_name
from studio.domain.authors import Author, operator
from studio.domain.bodies import storable
from studio.domain.paths import OrgId
from studio.domain.runs import Run, RunStatus
from studio.domain.suggestions import nearest
from studio.errors import AmbiguousAgent, RunOver, UnknownAgent, UnknownRun
from studio.sources.clock import Clock
from studio.sources.ids import Ids
from studio.sources.prices import Prices, coingecko_prices
from studio.sources.templates import Templates
from studio.store import agents, people, runs
from studio.store.database import Cursor, Database
from studio.store.outside import Outside

FIRST_ORG_NAME = "Organisation"
"""The name of an organisation that is made with what is first put into it."""


@dataclass(frozen=True, slots=True)
class Context:
    """The open store and the outside world that actions may touch."""

    database: Database
    """The store."""
    templates: Templates
    """Where prompt templates are read from, each time anew."""
    clock: Clock
    """The time."""
    ids: Ids
    """New ids."""
    operator: str
    """Who acts where no other operator is named (decision 4)."""
    prices: Prices = coingecko_prices
    """Asks for pinned prices; only the creation of a run calls it."""
    driven: RunsDriven = field(kw_only=True)
    """The runs that are generating."""
    keys: Turns = field(default_factory=Turns)
    """The keys of the requests that are being carried out."""
    outside: Outside = field(default_factory=Outside)
    """What was changed outside of the program since it was written."""
    verifying: Lock = field(default_factory=Lock)
    """Held while the store is verified: one at a time."""


def find_agent(cursor: Cursor, agent: str) -> Agent:
    """The agent of this id or unique name.

    Raises:
        UnknownAgent: there is none.
        AmbiguousAgent: several agents have this name.
    """
    if not storable(agent):
        raise UnknownAgent(agent)
    found = agents.get(cursor, agent)
    if found is not None:
        return found
    named = agents.by_name(cursor, agent.strip())
    if not named:
        raise UnknownAgent(agent, nearest(agent, agents.names(cursor)))
    if len(named) > 1:
        raise AmbiguousAgent(agent, [one.id for one in named])
    return named[0]


def find_open_run(cursor: Cursor, agent: Agent, run: str) -> Run:
    """The run in whose name an agent acts.

    Raises:
        UnknownRun: it is not on record, or is another agent's.
        RunOver: it has ended.
    """
    found = runs.get(cursor, run) if storable(run) else None
    if found is None or found.agent != agent.id:
        raise UnknownRun(run, agent.name)
    if found.status is not RunStatus.OPEN:
        raise RunOver(found.id, found.status)
    return found


def acting(context: Context, operator_name: str | None = None) -> Author:
    """The operator who acts: the one named, or the context's (decision 4).

    Raises:
        BadName: the name is not one plain line.
    """
    return operator(check_name(operator_name or context.operator, "An operator"))


def ensure_org(context: Context, cursor: Cursor) -> OrgId:
    """The store's organisation, made where it has none."""
    first = people.first_org(cursor)
    if first is not None:
        return first[0]
    org = OrgId(context.ids("o"))
    people.insert_org(cursor, org, FIRST_ORG_NAME, context.clock())
    return org
