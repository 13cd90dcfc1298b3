"""Read a text's timeline: list, get, compare, filter by author."""

from collections.abc import Sequence

from studio.actions.context import Context, find_agent
from studio.actions.publish import hydrated
from studio.domain.agents import Agent
from studio.domain.archive import header_lines
from studio.domain.authors import AuthorCount, AuthorFilter, count_authors
from studio.domain.bodies import EMPTY, Body, storable
from studio.domain.changes import FileChange, TextKind
from studio.domain.comparison import Comparison, base_of, compare
from studio.domain.paths import AgentId, PromptFileKind, parse
from studio.domain.timeline import Revision, Version, VersionText, by_author, timeline
from studio.errors import UnknownAuthor, UnknownPath, UnknownVersion
from studio.store import changes, memory, tasks
from studio.store.database import Cursor


def list_versions(
    context: Context,
    agent: str,
    text: TextKind,
    *,
    author: str | None = None,
    limit: int | None = None,
    before: int | None = None,
) -> tuple[Version, ...]:
    """The timeline of one text, newest first; no text is read.

    Args:
        context: the open store.
        agent: id or unique name.
        text: memory or Task.
        author: keep only this kind of author, or one author as `kind:name` (decision 3).
        limit: how many at most.
        before: keep only versions with a smaller number.

    Raises:
        UnknownAgent: there is no such agent.
        BadAuthorFilter: the filter is not a kind or `kind:name`.
        UnknownAuthor: `kind:name` names nobody who wrote a version.
    """
    chosen = AuthorFilter.parse(author) if author is not None else None
    with context.database.read() as cursor:
        versions = _versions_of_named(cursor, agent, text)
    found = by_author(versions, chosen)
    if chosen is not None and chosen.name is not None and not found:
        raise UnknownAuthor(str(chosen), [count.author.key for count in count_authors(v.author for v in versions)])
    earlier = [version for version in found if before is None or version.number < before]
    return tuple(earlier if limit is None else earlier[: max(limit, 0)])


def list_authors(context: Context, agent: str, text: TextKind) -> tuple[AuthorCount, ...]:
    """Everyone who wrote a version that is kept, with how many; most first."""
    with context.database.read() as cursor:
        versions = _versions_of_named(cursor, agent, text)
    return count_authors(version.author for version in versions)


def get_version(context: Context, agent: str, text: TextKind, number: int | None = None) -> VersionText:
    """One version with its text; the live one without a number.

    Raises:
        UnknownAgent: there is no such agent.
        UnknownVersion: that version is not there, or no longer kept.
    """
    with context.database.read() as cursor:
        who = find_agent(cursor, agent)
        versions = versions_of(cursor, who, text)
        version = _pick(who, text, versions, number)
        return VersionText(version, body_of(cursor, who, text, version))


def compare_versions(
    context: Context, agent: str, text: TextKind, number: int, against: int | None = None
) -> Comparison:
    """The change that a version brought, or its change from any other version.

    Args:
        context: the open store.
        agent: id or unique name.
        text: memory or Task.
        number: the version to look at.
        against: the version to compare with; None is the one its counts are against: the last before it with a text.

    Raises:
        UnknownAgent: there is no such agent.
        UnknownVersion: one of them is not there, or no longer kept.
    """
    with context.database.read() as cursor:
        who = find_agent(cursor, agent)
        versions = versions_of(cursor, who, text)
        new = _pick(who, text, versions, number)
        old = base_of(versions, number) if against is None else _pick(who, text, versions, against)
        before = None if old is None else VersionText(old, body_of(cursor, who, text, old))
        after = VersionText(new, body_of(cursor, who, text, new))
    return compare(before, after)


def read_archive(context: Context, path: str) -> tuple[tuple[str, str], Body]:
    """An archived memory by its display path: its two header lines, and its text apart from them (decision 12). Operators only.

    Raises:
        UnknownPath: the path is no archive path, or no archive of this agent has this name.
    """
    file = parse(path)
    if file.kind is not PromptFileKind.ARCHIVE or file.archive is None:
        raise UnknownPath(path)
    with context.database.read() as cursor:
        number = memory.version_of_archive(cursor, file.agent, file.archive)
        body = None if number is None else memory.archived_body(cursor, file.agent, number)
        if number is None or body is None:
            raise UnknownPath(path)
        held = next(one for one in memory.revisions(cursor, file.agent) if one.facts.number == number)
        agent = find_agent(cursor, file.agent)
    if agent.org != file.org:
        raise UnknownPath(path)
    return header_of(held), body


def header_of(revision: Revision) -> tuple[str, str]:
    """The two header lines of an archived version (decision 13)."""
    by = revision.replaced_by
    return header_lines(revision.facts.since, by.at, by.author, by.occasion)


def list_archive(context: Context, agent: str) -> dict[int, str]:
    """The archive's file names by the version they hold; listing them in order of name is time order (decision 12)."""
    with context.database.read() as cursor:
        return memory.archive_names(cursor, find_agent(cursor, agent).id)


def list_file_changes(context: Context, agent: str) -> tuple[FileChange, ...]:
    """The ledger of one agent's Task saves and memory writes, newest first."""
    with context.database.read() as cursor:
        return changes.of_agent(cursor, find_agent(cursor, agent).id)


def versions_of(cursor: Cursor, agent: Agent, text: TextKind) -> tuple[Version, ...]:
    """The timeline of one text, newest first."""
    if text is TextKind.TASK:
        return timeline(tasks.revisions(cursor, agent.id), tasks.live_facts(cursor, agent.id))
    live = memory.live_facts(cursor, agent.id) or hydrated(cursor, agent)
    return timeline(memory.revisions(cursor, agent.id, live.number), live)


def _versions_of_named(cursor: Cursor, agent: str, text: TextKind) -> tuple[Version, ...]:
    """The timeline of an agent's text, by id or unique name.

    A live memory row under this id proves that the agent is there, so the agent itself, a sixth of the time of a list, is not read.
    """
    by_id = text is TextKind.MEMORY and storable(agent)
    live = memory.live_facts(cursor, AgentId(agent)) if by_id else None
    if live is None:
        return versions_of(cursor, find_agent(cursor, agent), text)
    return timeline(memory.revisions(cursor, AgentId(agent), live.number), live)


def body_of(cursor: Cursor, agent: Agent, text: TextKind, version: Version) -> Body:
    """What a version holds."""
    if text is TextKind.TASK:
        live = version.live
        found = tasks.live_text(cursor, agent.id) if live else tasks.revision_text(cursor, agent.id, version.number)
        return Body(found or "")
    if version.live:
        held = memory.live(cursor, agent.id)
        return held[1] if held else EMPTY
    return memory.archived_body(cursor, agent.id, version.number) or EMPTY


def _pick(agent: Agent, text: TextKind, versions: Sequence[Version], number: int | None) -> Version:
    """The version with this number, or the newest."""
    if number is None:
        return versions[0]
    found = next((version for version in versions if version.number == number), None)
    if found is None:
        what = f"the {'Task' if text is TextKind.TASK else 'memory'} of {agent.name}"
        raise UnknownVersion(what, number, versions[-1].number, versions[0].number)
    return found
