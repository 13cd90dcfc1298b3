"""Bring a history into the store: a new agent, or more of the same history for an agent that came from it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from pathlib import Path

from studio.actions.context import Context, find_agent
from studio.actions.directory.links import in_store
from studio.actions.history import versions_of
from studio.actions.people import insert_agent
from studio.actions.restarts import check_source, goes_on, refusal, restart
from studio.domain.agents import Agent
from studio.domain.archive import STAMP_CHARACTERS, archive_name, stamp
from studio.domain.authors import Author
from studio.domain.bodies import EMPTY
from studio.domain.chain import EntryKind, renamed, renaming
from studio.domain.changes import Action, TextKind
from studio.domain.history import History, HistoryRow, Imported, Progress, count_rows
from studio.domain.paths import memory_path
from studio.domain.timeline import Actor, Facts, Version
from studio.errors import ImportRefused, UnknownAgent
from studio.imports.git_history import read_git_history
from studio.imports.history_file import read_history_file
from studio.store import agents, archive_names, chains, changes, memory
from studio.store.database import Cursor


def import_history(context: Context, agent: str, history: History, *, replace: bool = False) -> Imported:
    """Store a history as an agent's memory, whole or not at all; importing it again adds what is new.

    An existing agent takes more only from the same source, and never over a text that was written here since.

    Args:
        context: the open store.
        agent: id or unique name of an agent that came from this source, or the name of a new one.
        history: what was read.
        replace: whether an agent that holds less of this history may start its numbers anew (decision 48).

    Raises:
        ImportRefused: the agent came from elsewhere, its text was changed here, or the history was rewritten or is more than it holds.
        DirectoryMemory: its memory is a directory.
        AmbiguousAgent: several agents have this name.
    """
    with context.database.tx() as cursor:
        try:
            who = find_agent(cursor, agent)
        except UnknownAgent:
            who = insert_agent(context, cursor, agent, source=history.source)
            _store_new(cursor, who, history.rows)
            added, warnings = len(history.rows), history.warnings
        else:
            check_source(in_store(cursor, who, "imported"), history.source)
            versions = versions_of(cursor, who, TextKind.MEMORY)
            imported = [version for version in versions if version.origin is not None]
            if replace and not goes_on(who, imported, history, strictly=True):
                who = restart(context, cursor, who, versions, history)
                added, warnings = _begin(cursor, who, len(versions), history)
            else:
                added, warnings = _extend(context, cursor, who, versions, history)
        if added:
            _record(context, cursor, who, history)
    return Imported(who, len(history.rows), added, len(history.rows) - added, warnings)


def read_history(
    source: Path,
    path: str | None = None,
    rule: tuple[str, ...] = (),
    *,
    full_history: bool = False,
    progress: Progress | None = None,
) -> History:
    """Read what an import would store, without a store: a file of JSON Lines, or with a path the history of a file in git.

    Raises `NothingToRead`, `NotText` or `NotAHistory`.
    """
    if path is None:
        return read_history_file(source, rule)
    return read_git_history(source, path, agent_authors=rule, full_history=full_history, progress=progress)


def stored_rule(context: Context, agent: str) -> tuple[str, ...]:
    """The author rule that an operator set for an agent made by an import; none for any other, or one that is not there yet."""
    with context.database.read() as cursor:
        try:
            source = find_agent(cursor, agent).source
        except UnknownAgent:
            return ()
    return () if source is None else source.agent_authors


def has_full_history(context: Context, agent: str) -> bool:
    """Whether an agent was imported with what every branch made of its file (decision 48)."""
    with context.database.read() as cursor:
        try:
            source = find_agent(cursor, agent).source
        except UnknownAgent:
            return False
    return source is not None and source.full_history


def _store_new(cursor: Cursor, agent: Agent, rows: Sequence[HistoryRow]) -> None:
    """The whole history as a new agent's memory: all but the last row archived, the last one live."""
    held = _chained(_facts(rows), rows, chains.end(cursor, agent.id, TextKind.MEMORY, None))
    _archive(cursor, agent, rows, held, taken=())
    memory.insert_live(cursor, agent.id, held[-1], rows[-1].body or EMPTY)


def _begin(cursor: Cursor, agent: Agent, before: int, history: History) -> tuple[int, tuple[str, ...]]:
    """The whole history in the memory of an agent that was emptied for it."""
    _store_new(cursor, agent, history.rows)
    now = len(history.rows)
    if agent.retention is not None:
        memory.prune(cursor, agent.id, now - 1 - agent.retention)
    said = f"The numbers of {agent.name} start anew: it held {before} versions of this history, and has {now} now."
    return now, (*history.warnings, said)


def _extend(
    context: Context, cursor: Cursor, agent: Agent, versions: Sequence[Version], history: History
) -> tuple[int, tuple[str, ...]]:
    """The rows that the agent does not hold yet, and a changed author rule for those it does."""
    rows = history.rows
    imported = [version for version in versions if version.origin is not None]
    known = imported[0].number if imported else 0
    # A pruned archive begins later than version 1, and an older copy of the history ends earlier than ours.
    both = [(version, rows[version.number - 1]) for version in imported if version.number <= len(rows)]
    if not goes_on(agent, imported, history):
        raise refusal(agent, imported, history)
    warnings = history.warnings + _set_authors(context, cursor, agent, both, history.source.agent_authors)
    if known > len(rows):
        return 0, (
            *warnings,
            f"{agent.name} already holds {known - len(rows)} newer versions than {history.source.label}.",
        )
    if known == len(rows):
        return 0, warnings
    if known != versions[0].number:
        raise ImportRefused(
            f"The memory of {agent.name} was changed here in version {known + 1}, so {len(rows) - known} newer versions of"
            f" {history.source.label} were not added; import it as a new agent with --agent."
        )
    live = memory.live(cursor, agent.id)
    assert live is not None  # noqa: S101 - its origin was just read
    held = _chained(_facts(rows)[known:], rows[known:], chains.end(cursor, agent.id, TextKind.MEMORY, live[0]))
    first_new = _actor(rows[known])
    taken = tuple(archive_names.of_agent(cursor, agent.id).values())
    name = archive_name(first_new.at, first_new.author, taken)
    memory.insert_revision(cursor, agent.id, *live, name, first_new)
    _archive(cursor, agent, rows[known:], held, (*taken, name))
    memory.replace_live(cursor, agent.id, held[-1], rows[-1].body or EMPTY)
    if agent.retention is not None:
        memory.prune(cursor, agent.id, len(rows) - 1 - agent.retention)
    return len(rows) - known, warnings


def _set_authors(
    context: Context,
    cursor: Cursor,
    agent: Agent,
    both: Sequence[tuple[Version, HistoryRow]],
    rule: tuple[str, ...],
) -> tuple[str, ...]:
    """Name the authors anew where the operator gave another rule or `.mailmap` did; the recorded ones stay (decisions 3, 38, 40)."""
    if agent.source is None:
        return ()
    changed = [(version, row.author) for version, row in both if version.author != _named(version, row.author)]
    if changed:
        _rename(cursor, agent, changed, rule, context.clock())
    why = "Authors are named anew" if rule == agent.source.agent_authors else "The author rule changed"
    agents.update(cursor, replace(agent, source=replace(agent.source, agent_authors=rule)))
    many = "1 version has" if len(changed) == 1 else f"{len(changed)} versions have"
    return (f"{why}: {many} another author now.",) if changed else ()


def _named(version: Version, author: Author) -> Author:
    """How a version shows this author: as it is where that is the recorded one."""
    recorded = version.recorded or version.author
    return author if author == recorded else renamed(author, recorded)


def _rename(
    cursor: Cursor, agent: Agent, changed: Sequence[tuple[Version, Author]], rule: tuple[str, ...], now: datetime
) -> None:
    """Enter in the chain that versions have other authors from here on, and let the views show them."""
    for version, author in changed:
        as_recorded = author == (version.recorded or version.author)
        chains.rename(cursor, agent.id, version.number, None if as_recorded else author)
    live = memory.live(cursor, agent.id)
    last = memory.newest_revision(cursor, agent.id) if live is None else live[0]
    if last is not None:
        content = renaming({version.number: author for version, author in changed}, rule)
        chains.append(cursor, agent.id, TextKind.MEMORY, last, EntryKind.RENAMING, content, now)


def _chained(held: Sequence[Facts], rows: Sequence[HistoryRow], end: str) -> list[Facts]:
    """Versions that follow the entry with the link `end`, each tied to the one before (decision 38)."""
    tied: list[Facts] = []
    for facts, row in zip(held, rows, strict=True):
        seal = chains.seal_of(end, facts, _actor(row))
        tied.append(replace(facts, seal=seal))
        end = seal.link
    return tied


def _facts(rows: Sequence[HistoryRow]) -> list[Facts]:
    """Each row as a version, counted as decision 15 and 16 say."""
    counted = count_rows(rows)
    return [
        Facts(
            number=row.number,
            sha256=(row.body or EMPTY).sha256,
            characters=(row.body or EMPTY).characters,
            added=counts.added,
            removed=counts.removed,
            since=row.at,
            status=row.status,
            binary=row.body is not None and row.body.binary,
            only_changed=counts.only_changed,
            own=_actor(row) if row.number == 1 else None,
            origin=row.origin,
            stand_in=row.stand_in,
        )
        for row, counts in zip(rows, counted, strict=True)
    ]


def _actor(row: HistoryRow) -> Actor:
    commit = row.origin.commit
    return Actor(row.author, row.at, occasion=f"commit {commit[:12]}" if commit else "import")


def _archive(
    cursor: Cursor, agent: Agent, rows: Sequence[HistoryRow], held: Sequence[Facts], taken: Sequence[str]
) -> None:
    """Archive all rows but the last, each with who replaced it."""
    names: dict[str, list[str]] = {}
    for name in taken:
        names.setdefault(name[:STAMP_CHARACTERS], []).append(name)
    archived = []
    for (row, facts), (after, _) in pairwise(zip(rows, held, strict=True)):
        actor = _actor(after)
        same_second = names.setdefault(stamp(actor.at), [])
        same_second.append(archive_name(actor.at, actor.author, same_second))
        archived.append((facts, row.body or EMPTY, same_second[-1], actor))
    memory.insert_revisions(cursor, agent.id, archived)


def _record(context: Context, cursor: Cursor, agent: Agent, history: History) -> None:
    """One ledger row for the import, naming the version it ended with."""
    last = history.rows[-1]
    changes.insert(
        cursor,
        agent.id,
        path=memory_path(agent.org, agent.id),
        file=TextKind.MEMORY,
        action=Action.IMPORT,
        version=last.number,
        sha256=(last.body or EMPTY).sha256,
        author=last.author,
        at=context.clock(),
    )
