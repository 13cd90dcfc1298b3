"""Read a text's timeline: list, get, compare, filter by author."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property

from studio.actions.context import Context, find_agent
from studio.actions.directory.versions import DirectoryTexts
from studio.actions.publish import hydrated
from studio.actions.texts import Texts, comparison, version_text
from studio.domain.agents import Agent, Layout
from studio.domain.archive import header_lines
from studio.domain.authors import AuthorCount, count_authors
from studio.domain.bodies import EMPTY, Body, storable
from studio.domain.changes import FileChange, TextKind
from studio.domain.comparison import Comparison
from studio.domain.directory.link import Link
from studio.domain.paths import AgentId, PromptFileKind, parse
from studio.domain.timeline import Facts, Revision, Version, VersionText, marked, selected, sought, timeline
from studio.errors import UnknownPath
from studio.store import archive_names, changes, directories, marks, memory, tasks
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
    with _texts(context, agent, text) as texts:
        return selected(texts.versions, author=author, limit=limit, before=before)


def list_authors(context: Context, agent: str, text: TextKind) -> tuple[AuthorCount, ...]:
    """Everyone who wrote a version that is kept, with how many; most first."""
    with _texts(context, agent, text) as texts:
        return count_authors(version.author for version in texts.versions)


def get_version(context: Context, agent: str, text: TextKind, number: int | None = None) -> VersionText:
    """One version with its text; the live one without a number.

    Raises:
        UnknownAgent: there is no such agent.
        UnknownVersion: that version is not there, or no longer kept.
    """
    with _texts(context, agent, text) as texts:
        return version_text(texts, number)


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
    with _texts(context, agent, text) as texts:
        return comparison(texts, number, against)


def read_archive(context: Context, path: str) -> tuple[tuple[str, str], Body]:
    """An archived memory by its display path: its two header lines, and its text apart from them (decision 12). Operators only.

    Raises:
        UnknownPath: the path is no archive path, or no archive of this agent has this name.
    """
    file = parse(path)
    if file.kind is not PromptFileKind.ARCHIVE or file.archive is None:
        raise UnknownPath(path)
    with context.database.read() as cursor:
        number = archive_names.version_of(cursor, file.agent, file.archive)
        body = None if number is None else memory.archived_body(cursor, file.agent, number)
        if number is None or body is None:
            raise UnknownPath(path)
        held = next(one for one in memory.revisions(cursor, file.agent) if one.facts.number == number)
        body = EMPTY if held.facts.stand_in else body
        agent = find_agent(cursor, file.agent)
    if agent.org != file.org:
        raise UnknownPath(path)
    return header_of(held), body


def header_of(revision: Revision) -> tuple[str, str]:
    """The two header lines of an archived version (decision 13)."""
    by = revision.replaced_by
    return header_lines(revision.facts.since, by.at, by.author, by.occasion)


def list_archive(context: Context, agent: str) -> dict[int, str]:
    """The archive's file names by the version they hold; listing them in order of name is time order (decision 12).

    A memory directory has none: git keeps its versions.
    """
    with context.database.read() as cursor:
        found = find_agent(cursor, agent)
        return {} if found.layout is Layout.DIRECTORY else archive_names.of_agent(cursor, found.id)


def list_file_changes(context: Context, agent: str) -> tuple[FileChange, ...]:
    """The ledger of one agent's Task saves and memory writes, newest first."""
    with context.database.read() as cursor:
        return changes.of_agent(cursor, find_agent(cursor, agent).id)


def versions_of(cursor: Cursor, agent: Agent, text: TextKind) -> tuple[Version, ...]:
    """The timeline of one text, newest first."""
    if text is TextKind.TASK:
        return timeline(tasks.revisions(cursor, agent.id), tasks.live_facts(cursor, agent.id))
    live = memory.live_facts(cursor, agent.id) or hydrated(cursor, agent)
    return _marked(cursor, agent.id, timeline(memory.revisions(cursor, agent.id, live.number), live))


def _marked(cursor: Cursor, agent: AgentId, versions: tuple[Version, ...]) -> tuple[Version, ...]:
    """The versions of a memory with what marks them (decision 39)."""
    of_number = marks.of_agent(cursor, agent)
    if not of_number:
        return versions
    return tuple(replace(one, marks=of_number.get(one.number, ())) for one in versions)


def body_of(cursor: Cursor, agent: AgentId, text: TextKind, version: Version) -> Body:
    """What a version of an agent's text holds."""
    if text is TextKind.TASK:
        live = version.live
        found = tasks.live_text(cursor, agent) if live else tasks.revision_text(cursor, agent, version.number)
        return Body(found or "")
    if version.live:
        held = memory.live(cursor, agent)
        return held[1] if held else EMPTY
    return memory.archived_body(cursor, agent, version.number) or EMPTY


@contextmanager
def _texts(context: Context, agent: str, text: TextKind) -> Iterator[Texts]:
    """The one place where a memory in the store and a memory directory part."""
    with context.database.read() as cursor:
        stored = _Stored(context, cursor, agent, text)
        link = stored.link
        if link is None:
            yield stored
            return
    yield DirectoryTexts.of(context, link)


class _Stored:
    """A text in the store, read in one snapshot of it."""

    def __init__(self, context: Context, cursor: Cursor, agent: str, text: TextKind) -> None:
        self._context, self._cursor, self._named, self._text = context, cursor, agent, text

    @cached_property
    def _agent(self) -> Agent:
        return find_agent(self._cursor, self._named)

    @property
    def link(self) -> Link | None:
        """The directory that an agent has in place of this text; None where the text is here."""
        if self._text is TextKind.TASK:
            return None
        found = directories.get(self._cursor, self._named) if storable(self._named) else None
        if found is not None or self._live is not None:
            return found
        return directories.get(self._cursor, self._agent.id)

    @property
    def what(self) -> str:
        return f"the {'Task' if self._text is TextKind.TASK else 'memory'} of {self._agent.name}"

    @cached_property
    def _live(self) -> Facts | None:
        """The live memory row under this id: it proves that the agent is there, whose own row takes a sixth of the time of a list."""
        by_id = self._text is TextKind.MEMORY and storable(self._named)
        return memory.live_facts(self._cursor, AgentId(self._named)) if by_id else None

    @property
    def _id(self) -> AgentId:
        return self._agent.id if self._live is None else AgentId(self._named)

    @cached_property
    def versions(self) -> tuple[Version, ...]:
        return marked(self._recorded, self._outside)

    @property
    def _outside(self) -> Mapping[int, str]:
        """What was changed outside."""
        return self._context.outside.of(self._cursor, self._id, self._text)

    @property
    def _recorded(self) -> tuple[Version, ...]:
        """Its timeline as the rows say it."""
        if self._live is None:
            return versions_of(self._cursor, self._agent, self._text)
        kept = memory.revisions(self._cursor, self._id, self._live.number)
        return _marked(self._cursor, self._id, timeline(kept, self._live))

    def version(self, number: int | None) -> Version | None:
        """All that tells of a version stands in its own row and the one before it."""
        if self._live is None:
            return sought(self.versions, number)
        wanted = self._live.number if number is None else number
        rows = memory.revisions_around(self._cursor, self._id, wanted)
        there = timeline(rows, self._live if wanted == self._live.number else None)
        return sought(marked(_marked(self._cursor, self._id, there), self._outside), wanted)

    def body(self, version: Version) -> Body:
        return body_of(self._cursor, self._id, self._text, version)
