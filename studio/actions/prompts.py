"""Compose prompts from what is stored."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from studio.actions.bindings import offered_tools, resolved
from studio.actions.context import Context, find_agent
from studio.actions.directory.compiling import notice, read_memory
from studio.actions.state import registered_flags, state_inputs
from studio.domain.agents import Agent
from studio.domain.bindings import MEMORY_WRITE
from studio.domain.bodies import EMPTY, Body, check_text
from studio.domain.changes import TextKind
from studio.domain.compose import Prompt, PromptInputs, SourceText, compose
from studio.domain.embeds import CollectionTarget, EmbedTarget, NoteTarget, references
from studio.domain.guidelines import Flag
from studio.domain.prices import Quotes
from studio.domain.run_kinds import RunKind
from studio.store import collections, memory, notes, tasks
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
        NothingToRead: the agent's memory directory cannot be read.
        UnusableText: the Task or the memory that was given could be stored by nobody (decision 5).
    """
    for text, what in ((task, "The Task"), (memory_text, "The memory")):
        check_text(text or "", what)
    notice(context, agent)
    with context.database.read() as cursor:
        who = find_agent(cursor, agent)
        inputs = gather(context, cursor, who, kind, context.clock(), registered, task=task)
    if memory_text is not None:
        version = inputs.memory.version if inputs.memory else 1
        commit = inputs.memory.commit if inputs.memory else None
        inputs = replace(inputs, memory=SourceText(version, Body(memory_text), commit))
    return compose(inputs)


def gather(
    context: Context,
    cursor: Cursor,
    agent: Agent,
    kind: RunKind,
    now: datetime,
    registered: frozenset[Flag] = frozenset(),
    quotes: Quotes | None = None,
    task: str | None = None,
) -> PromptInputs:
    """Read all that a prompt depends on, in the caller's snapshot of the store, and what its memory directory has at HEAD.

    Args:
        context: the open store.
        cursor: the snapshot.
        agent: who the prompt is for.
        kind: what starts the run.
        now: the one clock reading.
        registered: what the runtime registers tools for, beside what is set on the agent.
        quotes: what `state.fetch_quotes` brought; None in a preview, which fetches no prices.
        task: a Task to compose with in place of the live one.
    """
    flags, left = registered_flags(cursor, agent, registered), resolved(cursor, agent)
    task_facts = tasks.live_facts(cursor, agent.id)
    task_text = tasks.live_text(cursor, agent.id) if task is None else task
    directory = read_memory(cursor, agent)
    held = None if directory or not agent.config.memory else _memory(cursor, agent)
    read = [(TextKind.TASK, task_facts.number)] if task is None else []
    read += [] if held is None else [(TextKind.MEMORY, held.version)]
    return PromptInputs(
        agent=agent,
        template=context.templates.system(),
        task=SourceText(task_facts.number, Body(task_text)),
        memory=directory.source if directory and agent.config.memory else held,
        state=state_inputs(cursor, agent, now, left, flags=flags, quotes=quotes),
        kind=kind,
        memory_write=MEMORY_WRITE in left.names,
        registered=flags,
        tools=tuple(name for name in offered_tools(cursor, agent) if name != MEMORY_WRITE),
        embeds=embed_targets(cursor, task_text),
        block_names=directory.block_names if directory else frozenset(),
        outside=_outside(context, cursor, agent, read),
    )


def _outside(context: Context, cursor: Cursor, agent: Agent, read: Iterable[tuple[TextKind, int]]) -> tuple[str, ...]:
    """A sentence for each of these texts that was changed outside (decision 38)."""
    found = ((kind, number, context.outside.of(cursor, agent.id, kind).get(number)) for kind, number in read)
    return tuple(
        f"The {'Task' if kind is TextKind.TASK else kind} (version {number}) was changed outside of Prompt Studio: {how};"
        " 'studio verify' says more."
        for kind, number, how in found
        if how is not None
    )


def embed_targets(cursor: Cursor, *tasks: str) -> dict[str, EmbedTarget]:
    """All that the embeds of Tasks name, themselves and one note further: one query for the notes of each hop, one for collections.

    They are read as the operator reads them, whatever an agent itself may read (decision 23).
    """
    named = tuple(dict.fromkeys(path for task in tasks for path in references(task)))
    found = notes.by_paths(cursor, named)
    nested = dict.fromkeys(path for note in found.values() for path in references(note.body) if path not in found)
    found |= notes.by_paths(cursor, tuple(nested))
    tables = collections.by_paths(cursor, tuple(path for path in (*named, *nested) if path not in found))
    read = {path: NoteTarget(path, one.facts.level, one.facts.title, one.body) for path, one in found.items()}
    return read | {path: CollectionTarget(path, one.name) for path, one in tables.items()}


def _memory(cursor: Cursor, agent: Agent) -> SourceText | None:
    """The live memory; a stand-in is not memory text (decision 41), so it reads as empty."""
    live = memory.live(cursor, agent.id)
    if live is None:
        return None
    facts, body = live
    return SourceText(facts.number, EMPTY if facts.stand_in else body, stand_in=facts.stand_in)
