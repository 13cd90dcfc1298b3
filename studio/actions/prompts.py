"""Compose prompts from what is stored."""

from dataclasses import replace
from datetime import datetime

from studio.actions.context import Context, find_agent
from studio.domain.agents import Agent
from studio.domain.bodies import EMPTY, Body
from studio.domain.compose import Prompt, PromptInputs, SourceText, compose
from studio.domain.guidelines import Flag
from studio.domain.run_kinds import RunKind
from studio.domain.state import Member, StateInputs
from studio.domain.timeline import Status
from studio.store import agents, memory, people, tasks
from studio.store.database import Cursor


def preview(
    context: Context,
    agent: str,
    *,
    kind: RunKind = RunKind.DIRECT,
    registered: frozenset[Flag] = frozenset(),
    task: str | None = None,
    memory_text: str | None = None,
) -> Prompt:
    """The prompt as a run created now would store it (decision 26).

    Args:
        context: the open store.
        agent: id or unique name.
        kind: what would start the run.
        registered: what the runtime would register tools for.
        task: a Task to compose with in place of the live one, e.g. a draft under review.
        memory_text: a memory to compose with in place of the live one.

    Raises:
        UnknownAgent: there is no such agent.
        NoTemplate: `system.md` is missing.
    """
    with context.database.read() as cursor:
        who = find_agent(cursor, agent)
        inputs = gather(context, cursor, who, kind, context.clock(), registered)
    if task is not None:
        inputs = replace(inputs, task=SourceText(inputs.task.version, Body(task)))
    if memory_text is not None:
        version = inputs.memory.version if inputs.memory else 1
        inputs = replace(inputs, memory=SourceText(version, Body(memory_text)))
    return compose(inputs)


def gather(
    context: Context,
    cursor: Cursor,
    agent: Agent,
    kind: RunKind,
    now: datetime,
    registered: frozenset[Flag] = frozenset(),
) -> PromptInputs:
    """Read all that a prompt depends on, in the caller's snapshot of the store."""
    task_facts = tasks.live_facts(cursor, agent.id)
    return PromptInputs(
        agent=agent,
        template=context.templates.system(),
        task=SourceText(task_facts.number, Body(tasks.live_text(cursor, agent.id))),
        memory=_memory(cursor, agent) if agent.config.memory else None,
        state=_state(cursor, agent, now),
        kind=kind,
        memory_write=True,
        registered=registered,
    )


def _memory(cursor: Cursor, agent: Agent) -> SourceText | None:
    """The live memory; a link's target is no memory text (decision 16), so it reads as empty."""
    live = memory.live(cursor, agent.id)
    if live is None:
        return None
    facts, body = live
    return SourceText(facts.number, EMPTY if facts.status is Status.LINK else body)


def _state(cursor: Cursor, agent: Agent, now: datetime) -> StateInputs:
    """Where State comes from (decision 22); an agent without a guild has neither guild nor members."""
    guild = next((one for one in people.guilds(cursor) if one.id == agent.guild), None)
    members = None if agent.guild is None else tuple(Member(*row) for row in agents.members(cursor, agent.guild))
    return StateInputs(
        now=now,
        max_tool_calls=agent.config.max_tool_calls,
        guild=guild,
        members=members,
        operators=people.operators(cursor, agent.org),
    )
