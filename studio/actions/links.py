"""What live Tasks embed: which embeds are broken, and which notes may not go (decisions 23 and 25).

Drafts and old versions of a Task do not count.
"""

from collections.abc import Sequence
from dataclasses import replace

from studio.actions.context import Context, find_agent
from studio.actions.prompts import embed_targets
from studio.domain.agents import AgentSummary
from studio.domain.embeds import EmbedEntry, Expansion, NoteTarget, embedded_notes, expand
from studio.store import notes, tasks
from studio.store.database import Cursor


def broken_links(context: Context, agent: str) -> tuple[EmbedEntry, ...]:
    """The embeds of an agent's live Task that name nothing or are over the budget, with the reason, in reading order.

    Raises:
        UnknownAgent: there is no such agent.
    """
    with context.database.read() as cursor:
        task = tasks.live_text(cursor, find_agent(cursor, agent).id)
        return expand(task, embed_targets(cursor, task)).left_out


def expand_task(context: Context, task: str) -> Expansion:
    """What becomes of every embed of a Task's text, live or not, and how much of the budget they take."""
    with context.database.read() as cursor:
        return expand(task, embed_targets(cursor, task))


def with_broken_links(cursor: Cursor, summaries: Sequence[AgentSummary]) -> tuple[AgentSummary, ...]:
    """A page of agents with how many of their embeds are broken or over the budget; Tasks that embed nothing are not read."""
    embedding = tasks.with_embeds(cursor, [one.agent.id for one in summaries])
    if not embedding:
        return tuple(summaries)
    targets = embed_targets(cursor, *embedding.values())
    found = {agent: expand(task, targets) for agent, task in embedding.items()}
    return tuple(_counted(one, found.get(one.agent.id)) for one in summaries)


def _counted(summary: AgentSummary, found: Expansion | None) -> AgentSummary:
    if found is None:
        return summary
    broken = len(found.broken)
    return replace(summary, broken_links=broken, over_budget=len(found.left_out) - broken)


def embedding_agents(cursor: Cursor, path: str) -> tuple[str, ...]:
    """The names of the agents whose live Task embeds a note, itself or through one other note."""
    between = notes.holding(cursor, path)
    note = notes.get(cursor, path)
    known = {one.facts.path: one for one in (*between, *([note] if note else []))}
    targets = {path: NoteTarget(path, one.facts.level, one.facts.title, one.body) for path, one in known.items()}
    candidates = tasks.holding(cursor, tuple(targets))
    return tuple(name for name, task in candidates if path in embedded_notes(task, targets))
