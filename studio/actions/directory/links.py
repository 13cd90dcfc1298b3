"""Link an agent to the repository that is its memory, and look at what is there now."""

from pathlib import Path
from typing import NamedTuple

from studio import git
from studio.actions.context import Context, find_agent
from studio.actions.directory.creating import begin_directory, check_place, check_storable
from studio.domain.agents import Agent, Layout
from studio.domain.bodies import check_text
from studio.domain.directory.begun import Begun
from studio.domain.directory.history import DirectoryHistory
from studio.domain.directory.legacy import is_legacy
from studio.domain.directory.link import Link, looked_at, seen
from studio.domain.directory.tree import INDEX
from studio.errors import DirectoryMemory, NoDirectory
from studio.memfs.history import read_history
from studio.memfs.repo import open_directory, tree_at
from studio.store import directories
from studio.store.database import Cursor


class Opened(NamedTuple):
    """A linked directory as it is now."""

    link: Link
    """The link, with what was seen just now."""
    repository: git.Repository
    """The repository, at its HEAD."""
    history: DirectoryHistory
    """The versions of its compiled memory."""


def begin(context: Context, repository: str | Path, *, hook: bool = True, hooks_outside: bool = False) -> Begun:
    """Begin a memory directory from the template, which passes its own checks and lint; a directory that is there stays as it is.

    Args:
        context: the open store.
        repository: the folder; made where it is not there.
        hook: whether to install the hooks in a new one.
        hooks_outside: whether somebody confirmed that they are written outside of it.

    Raises what `creating.begin_directory` does.
    """
    context.database.ask_to_write()
    folder = Path(repository)
    check_place(folder)
    check_storable(folder)
    if (folder / ".git").exists() or (folder / "HEAD").exists():
        found = open_directory(folder)
        if found.head and _holds_memory(found):
            return Begun(str(folder), found.head, ())
    prompts, by = context.templates.folder, context.operator
    now = context.clock()
    return begin_directory(folder, now=now, prompts=prompts, operator=by, hook=hook, hooks_outside=hooks_outside)


def _holds_memory(repository: git.Repository) -> bool:
    """Whether what is committed is a memory directory, of today's layout or of the old one."""
    tree = tree_at(repository, reads=lambda _: False)
    return INDEX in tree or is_legacy(tree)


def link(context: Context, repository: str | Path, agent: str, *, agent_authors: tuple[str, ...] = ()) -> Link:
    """Make a repository the memory of an agent. What the agent had before stays in the store and is its memory again when unlinked.

    Linking again changes the repository or the author rule; numbers of versions are those of the repository's history.

    Args:
        context: the open store.
        repository: the root of a git repository with commits.
        agent: id or unique name.
        agent_authors: globs of commit authors that are agents (decision 3).

    Raises:
        UnknownAgent: there is no such agent.
        NothingToRead: it is no repository, or has no commits.
        BadArgument: it is a folder inside of a repository, or its path is no text.
        UnusableText: a glob is no text.
    """
    for glob in agent_authors:
        check_text(glob, "A rule for authors")
    opened = open_directory(check_storable(repository), unborn=False)
    history = read_history(opened, None, agent_authors)
    now = context.clock()
    with context.database.tx() as cursor:
        who = find_agent(cursor, agent)
        made = Link(who.id, opened.given, now, seen(opened.head, history.newest), agent_authors)
        directories.put(cursor, made)
        directories.set_layout(cursor, who.id, Layout.DIRECTORY)
    return made


def unlink(context: Context, agent: str) -> Link:
    """Make the artifact that an agent had before its memory again; the repository stays as it is.

    Raises:
        UnknownAgent: there is no such agent.
        NoDirectory: its memory is no directory.
    """
    with context.database.tx() as cursor:
        who = find_agent(cursor, agent)
        found = link_of(cursor, who)
        directories.delete(cursor, who.id)
        directories.set_layout(cursor, who.id, Layout.ARTIFACT)
    return found


def every(context: Context) -> tuple[Link, ...]:
    """The links of all agents whose memory is a directory, as they were last seen; no repository is looked at."""
    with context.database.read() as cursor:
        return directories.every(cursor)


def link_of(cursor: Cursor, agent: Agent) -> Link:
    """The link of an agent whose memory is a directory.

    Raises:
        NoDirectory: its memory is an artifact.
    """
    found = directories.get(cursor, agent.id) if agent.layout is Layout.DIRECTORY else None
    if found is None:
        raise NoDirectory(agent.name)
    return found


def in_store(cursor: Cursor, agent: Agent, verb: str) -> Agent:
    """The agent itself, if its memory is a text in the store that can be written as a whole.

    Args:
        cursor: the snapshot.
        agent: whose memory.
        verb: what was to be done to it, as `saved`.

    Raises:
        DirectoryMemory: its memory is a directory, which is edited block by block (decision 1).
    """
    if agent.layout is Layout.DIRECTORY:
        raise DirectoryMemory(agent.name, verb, link_of(cursor, agent).path)
    return agent


def linked(context: Context, agent: str) -> tuple[Agent, Link]:
    """The agent of this id or unique name, and its link; raises what `find_agent` and `link_of` raise."""
    with context.database.read() as cursor:
        who = find_agent(cursor, agent)
        return who, link_of(cursor, who)


def look(context: Context, link: Link) -> Opened:
    """Open a linked directory and remember what was seen, so that rewritten history is noticed (decision 1).

    Not to be called inside a transaction: git is asked, and what is new is stored.

    Raises:
        NothingToRead: the repository is not there any more, or a partial copy lacks what is to be read.
    """
    repository = open_directory(link.path, unborn=False)
    history = read_history(repository, None, link.agent_authors)
    if repository.head == link.seen.head:
        return Opened(link, repository, history)
    changed = looked_at(link, seen(repository.head, history.newest), history.chain, context.clock())
    if context.database.keeps:
        with context.database.own_tx() as cursor:
            if directories.get(cursor, link.agent) == link:
                directories.put(cursor, changed)
    return Opened(changed, repository, history)
