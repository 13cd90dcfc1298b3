"""The memory of a directory agent as a run reads it: what is committed at HEAD, compiled (decisions 1 and 32)."""

from dataclasses import dataclass

from studio.actions.context import Context, find_agent
from studio.actions.directory.links import link_of, look
from studio.domain.agents import Agent, Layout
from studio.domain.compose import SourceText
from studio.domain.directory.history import memory_body
from studio.memfs.history import read_history
from studio.memfs.repo import compiled_at, open_directory
from studio.store.database import Cursor


@dataclass(frozen=True, slots=True)
class CompiledMemory:
    """What of a directory goes into a prompt."""

    source: SourceText | None
    """The compiled text with its version and commit; None where nothing compiles."""
    block_names: frozenset[str]
    """The names of its blocks, casefolded."""


def read_memory(cursor: Cursor, agent: Agent) -> CompiledMemory | None:
    """The compiled memory at HEAD; None for an agent whose memory is in the store, or is switched off (decision 9).

    Raises:
        NothingToRead: the repository is not there any more, or a partial copy lacks what is to be read.
    """
    if agent.layout is not Layout.DIRECTORY or not agent.config.memory:
        return None
    link = link_of(cursor, agent)
    repository = open_directory(link.path, unborn=False)
    newest = read_history(repository, None, link.agent_authors).newest
    compiled = compiled_at(repository)
    body = memory_body(compiled)
    names = frozenset(block.name.casefold() for block in compiled.blocks)
    if body is None or newest is None:
        return CompiledMemory(None, names)
    return CompiledMemory(SourceText(newest.number, body, repository.head), names)


def notice(context: Context, agent: str) -> None:
    """Look at an agent's directory before a prompt is composed: its history is read outside of any transaction, and remembered."""
    with context.database.read() as cursor:
        who = find_agent(cursor, agent)
        link = link_of(cursor, who) if who.layout is Layout.DIRECTORY and who.config.memory else None
    if link is not None:
        look(context, link)
