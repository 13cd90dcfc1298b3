"""Import more of a history than an agent holds: why that is not a matter of adding to it, and its numbers begun anew (decision 48)."""

from collections.abc import Sequence
from dataclasses import replace

from studio.actions.context import Context
from studio.domain.agents import Agent, ImportSource
from studio.domain.bodies import EMPTY
from studio.domain.chain import EntryKind, restarting
from studio.domain.changes import Action, TextKind
from studio.domain.history import History, HistoryRow
from studio.domain.timeline import Version
from studio.errors import ImportRefused
from studio.store import agents, chains, changes, memory, restarts
from studio.store.database import Cursor

_KINDS = ("git+full:", "git:", "history:")
"""How the key of a source begins, before the path and the first commit."""


def check_source(agent: Agent, source: ImportSource) -> None:
    """Refuse an agent that came from elsewhere: not from this path of a history.

    Raises:
        ImportRefused: it did.
    """
    if agent.source is None:
        raise ImportRefused(f"The agent {agent.name} was not made by an import; name a new agent with --agent.")
    if (agent.source.kind, _path(agent.source)) != (source.kind, _path(source)):
        raise ImportRefused(
            f"The agent {agent.name} came from {agent.source.label}, not from {source.label}; name a new agent with --agent."
        )


def goes_on(agent: Agent, imported: Sequence[Version], history: History, *, strictly: bool = False) -> bool:
    """Whether a history begins with the versions that an agent holds.

    Args:
        agent: the agent.
        imported: its versions that came from an import, of which a pruned archive lacks the oldest.
        history: what was read.
        strictly: whether what is a stand-in in one of them must be one in the other.
    """
    # An older copy of the history ends earlier than what the agent holds.
    both = [(one, history.rows[one.number - 1]) for one in imported if one.number <= len(history.rows)]
    alike = (_same(version, row, strictly=strictly) for version, row in both)
    return agent.source is not None and agent.source.key == history.source.key and bool(both) and all(alike)


def refusal(agent: Agent, imported: Sequence[Version], history: History) -> ImportRefused:
    """Why a history that does not go on from what an agent holds is not added to it, and what to do."""
    label, many = history.source.label, len(history.rows)
    either = "import it with --replace, which starts its numbers anew, or as a new agent with --agent"
    brought = sum(1 for version, row in zip(reversed(imported), history.rows, strict=False) if _brought(version, row))
    if not any(_held(one, history.rows) for one in imported):
        why, do = (
            f"The history of {label} has nothing of what {agent.name} was imported from, or was rewritten",
            "import it as a new agent with --agent",
        )
    elif _lesser(imported, history.rows):
        why, do = f"{label} has less of the history than {agent.name} holds", "import from a copy that has all of it"
    elif len(imported) == many and brought:
        texts = "1 version of it has its text" if brought == 1 else f"{brought} versions of it have their texts"
        why, do = f"{texts} now, where {agent.name} holds a stand-in", either
    elif all(_held(one, history.rows) for one in imported) and many > len(imported):
        why, do = (
            f"The history of {label} has {many} versions, more than the {len(imported)} that {agent.name} was imported with",
            either,
        )
    else:
        why, do = f"The history of {label} was rewritten since {agent.name} was imported", either
    return ImportRefused(f"{why}; {do}.")


def restart(context: Context, cursor: Cursor, agent: Agent, versions: Sequence[Version], history: History) -> Agent:
    """Empty an agent's memory, so that a history can be stored in it from version 1: the one place where numbers begin anew.

    Args:
        context: the open store.
        cursor: the transaction in which the history is stored next.
        agent: the agent, made from a part of this history.
        versions: all that it holds, newest first.
        history: what was read.

    Raises:
        ImportRefused: its memory was written here since, or has nothing in common with this history.
    """
    imported = [one for one in versions if one.origin is not None]
    if _lesser(imported, history.rows) or not any(_held(one, history.rows) for one in imported):
        raise refusal(agent, imported, history)
    made = changes.of_agent(cursor, agent.id)
    written = [one.version for one in made if one.file is TextKind.MEMORY and one.action is not Action.IMPORT]
    if written or len(imported) < len(versions):
        number = min(written, default=versions[0].number)
        raise ImportRefused(
            f"The memory of {agent.name} was changed here in version {number}, so its numbers cannot start anew;"
            " import the history as a new agent with --agent."
        )
    live = memory.live(cursor, agent.id)
    if live is not None:
        said = restarting(len(versions), made[0].number if made else 0)
        chains.append(cursor, agent.id, TextKind.MEMORY, live[0], EntryKind.RESTART, said, context.clock())
    context.outside.forget(agent.id, TextKind.MEMORY)
    restarts.clear(cursor, agent.id)
    begun = replace(agent, source=replace(history.source, restarted_at=context.clock()))
    agents.update(cursor, begun)
    return begun


def _path(source: ImportSource) -> str:
    """The path that a source is the history of."""
    kind = next((one for one in _KINDS if source.key.startswith(one)), "")
    return source.key.removeprefix(kind).rpartition(":")[0]


def _same(version: Version, row: HistoryRow, *, strictly: bool) -> bool:
    origin, standing = version.origin, (version.stand_in is None, row.stand_in is None)
    return (
        origin is not None
        and (origin.commit, origin.path) == (row.origin.commit, row.origin.path)
        and version.sha256 == (row.body or EMPTY).sha256
        and (not strictly or standing[0] == standing[1])
    )


def _brought(version: Version, row: HistoryRow) -> bool:
    """Whether the text of a version that was a stand-in is there by now."""
    same = version.origin is not None and version.origin.commit == row.origin.commit
    return same and version.stand_in is not None and row.stand_in is None


def _lesser(imported: Sequence[Version], rows: Sequence[HistoryRow]) -> bool:
    """Whether an agent holds all of a history and more, of which not even the first commit is missing."""
    commits = {one.origin.commit for one in imported if one.origin}
    return len(rows) < len(imported) and all(row.origin.commit in commits for row in rows[1:])


def _held(version: Version, rows: Sequence[HistoryRow]) -> bool:
    """Whether a history has a version; the first one of a shallow copy has the right text, but not the commit that wrote it."""
    commit = version.origin.commit if version.origin else None
    return any(row.origin.commit == commit or (row.body or EMPTY).sha256 == version.sha256 for row in rows)
