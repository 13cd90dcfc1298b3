"""Save, restore and write an agent's memory."""

from studio.actions.bindings import offered_tools, why_no_memory_write
from studio.actions.context import Context, acting, find_agent, find_open_run
from studio.actions.directory.links import in_store
from studio.actions.history import body_of, versions_of
from studio.actions.publish import UNASKED, Guard, write_memory
from studio.domain.agents import Agent
from studio.domain.archive import MEMORY_VIEW, restore_occasion
from studio.domain.authors import Author, AuthorKind
from studio.domain.bindings import MEMORY_WRITE
from studio.domain.bodies import Body, check_text
from studio.domain.changes import Action, Saved, TextKind
from studio.domain.memory import check_memory_write
from studio.domain.questions import read_words
from studio.domain.timeline import Actor
from studio.errors import BadArgument, NoMemoryWrite, UnknownVersion
from studio.store.database import Cursor


def save_memory(context: Context, agent: str, text: str, *, guard: Guard, operator_name: str | None = None) -> Saved:
    """An operator's Save on the Memory view: writes as given, whatever its size (decision 5), and archives the text it replaces.

    Raises:
        UnknownAgent: there is no such agent.
        DirectoryMemory: its memory is a directory.
        UnusableText: the text holds NUL or a lone surrogate.
        TextChanged: the memory changed since it was read.
        UnprovenSave: neither `expect` nor `force` was given.
        Unconfirmed: it deserves a question that was not answered (decision 39).
    """
    body = Body(check_text(text, "The memory"))
    author = acting(context, operator_name)
    with context.database.tx() as cursor:
        who = in_store(cursor, find_agent(cursor, agent), "saved")
        actor = Actor(author, context.clock(), occasion=MEMORY_VIEW)
        return write_memory(cursor, who, body, actor, Action.SAVE, guard)


def restore_memory(
    context: Context,
    agent: str,
    number: int,
    *,
    expect: str | None = None,
    yes_to: tuple[str, ...] = (),
    operator_name: str | None = None,
) -> Saved:
    """Write an old version's text as a new version by the operator; history only grows (decision 17).

    Args:
        context: the open store.
        agent: id or unique name.
        number: the version to restore.
        expect: sha256 of the live text the operator looked at; None restores whatever is live.
        yes_to: the words of the questions that are answered with yes.
        operator_name: who restores, where that is not the context's operator.

    Raises:
        UnknownAgent: there is no such agent.
        DirectoryMemory: its memory is a directory.
        UnknownVersion: that version is not kept.
        BadArgument: that version is a deletion or a stand-in and holds no memory text.
        TextChanged: the memory changed since it was read.
        Unconfirmed: its text deserves a question that was not answered; `UnknownQuestion` for a word that answers none.
    """
    author = acting(context, operator_name)
    with context.database.tx() as cursor:
        who = in_store(cursor, find_agent(cursor, agent), "restored")
        versions = versions_of(cursor, who, TextKind.MEMORY)
        version = next((one for one in versions if one.number == number), None)
        if version is None:
            raise UnknownVersion(f"the memory of {who.name}", number, versions[-1].number, versions[0].number)
        if not version.status.holds_text or version.binary:
            what = (
                "is bytes, not text"
                if version.binary
                else f"is {version.stand_in or 'a deletion'} and holds no memory text"
            )
            raise BadArgument(f"Version {number} of the memory of {who.name} {what}; restore another version.")
        body = body_of(cursor, who.id, TextKind.MEMORY, version)
        actor = Actor(author, context.clock(), occasion=restore_occasion(number))
        guard = Guard(expect, full_replacement=expect is None, answered=read_words(yes_to))
        return write_memory(cursor, who, body, actor, Action.RESTORE, guard)


def memory_write(
    context: Context, agent: str, content: str, *, run: str | None = None, call: str | None = None
) -> Saved:
    """An agent's rewrite of its whole memory, as the tool `memory_write` does it.

    A full replacement by rule: it goes through whatever is live, the text it replaces is archived first, and the version
    names which version its run had read (decision 36's `based_on`). Nobody is asked; the version is marked instead (decision 39).

    Args:
        context: the open store.
        agent: id or unique name.
        content: the whole new memory, at most 12,000 characters.
        run: the open run that calls; without one the author is the agent.
        call: the id of that call.

    Raises:
        UnknownAgent: there is no such agent.
        DirectoryMemory: its memory is a directory.
        UnknownRun: the run is not on record, or is another agent's.
        RunOver: the run has ended.
        NoMemoryWrite: the tool is not offered to this agent (decisions 9 and 10).
        MemoryTooLong: the content is over the cap (decision 6).
        UnusableText: it holds NUL or a lone surrogate.
    """
    body = Body(check_text(check_memory_write(content), "The memory"))
    with context.database.tx() as cursor:
        who = in_store(cursor, find_agent(cursor, agent), "rewritten")
        if MEMORY_WRITE not in offered_tools(cursor, who):
            raise NoMemoryWrite(who.name, why_no_memory_write(cursor, who))
        actor = _writer(context, cursor, who, run, call)
        return write_memory(cursor, who, body, actor, Action.MEMORY_WRITE, UNASKED)


def _writer(context: Context, cursor: Cursor, agent: Agent, run: str | None, call: str | None) -> Actor:
    """Who writes: the run with what it had read, or the agent where no run is on record."""
    now = context.clock()
    if run is None:
        return Actor(Author(AuthorKind.AGENT, agent.name), now)
    found = find_open_run(cursor, agent, run)
    author = Author(AuthorKind.RUN, found.id)
    return Actor(author, now, found.id, call, found.composed_from.memory_version, found.occasion)
