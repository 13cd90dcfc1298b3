"""What an agent's memory directory holds at HEAD, at any commit and over time."""

from studio import git
from studio.actions.context import Context
from studio.actions.directory.contents import contents_of
from studio.actions.directory.links import linked, look
from studio.actions.directory.tending import commit_diff
from studio.actions.directory.versions import DirectoryTexts
from studio.actions.texts import comparison, version_text
from studio.domain.authors import AuthorCount, count_authors
from studio.domain.comparison import Comparison
from studio.domain.directory.changes import ChangeTexts, DirectoryChange, LastSeen, selected_changes
from studio.domain.directory.findings import Finding
from studio.domain.directory.layout import Compiled
from studio.domain.directory.state import CommitDiff, DirectoryState, Headroom
from studio.domain.directory.survey import refuses
from studio.domain.directory.tree import Tree
from studio.domain.timeline import Version, VersionText, selected
from studio.memfs import changes
from studio.memfs.headroom import read_headroom
from studio.memfs.repo import compiled_at, open_directory


def get_directory(context: Context, agent: str) -> DirectoryState:
    """How an agent's directory stands at HEAD. Raises `NoDirectory` or `NothingToRead`."""
    _, link = linked(context, agent)
    opened = look(context, link)
    contents = contents_of(opened.repository)
    newest = opened.history.newest
    return DirectoryState(
        link=opened.link,
        head=opened.repository.head,
        version=newest.number if newest else None,
        characters=newest.characters if newest else 0,
        findings=sum(map(refuses, contents.findings)),
        legacy=contents.legacy,
        gauges=contents.gauges,
        warnings=opened.history.warnings,
    )


def get_tree(context: Context, agent: str, commit: str | None = None) -> Tree:
    """All files of a commit, of HEAD without one, with the texts of Markdown and the config. Raises `NotFound` for no commit."""
    return contents_of(_repository(context, agent), commit).tree


def find_problems(context: Context, agent: str, commit: str | None = None) -> tuple[Finding, ...]:
    """What the hook would refuse in the tree of a commit, of HEAD without one."""
    return contents_of(_repository(context, agent), commit).findings


def compile_commit(context: Context, agent: str, commit: str | None = None, base: str | None = None) -> Compiled:
    """The compiled memory of a commit, of HEAD without one, alone or in a base prompt."""
    return compiled_at(_repository(context, agent), commit, base)


def list_versions(
    context: Context,
    agent: str,
    path: str | None = None,
    *,
    author: str | None = None,
    limit: int | None = None,
    before: int | None = None,
) -> tuple[Version, ...]:
    """The versions of the compiled memory, or of one file or folder, newest first. See `domain.timeline.selected`."""
    versions = _texts(context, agent, path).versions
    return selected(versions, author=author, limit=limit, before=before)


def list_authors(context: Context, agent: str, path: str | None = None) -> tuple[AuthorCount, ...]:
    """Everyone who wrote a version, with how many; most first."""
    return count_authors(version.author for version in _texts(context, agent, path).versions)


def get_version(context: Context, agent: str, number: int | None = None, path: str | None = None) -> VersionText:
    """One version of the compiled memory or of a file, with its text; the newest without a number. Raises `UnknownVersion`."""
    return version_text(_texts(context, agent, path), number)


def compare_versions(
    context: Context, agent: str, number: int, against: int | None = None, path: str | None = None
) -> Comparison:
    """The change that a version brought, or its change from any other version. Raises `UnknownVersion`."""
    return comparison(_texts(context, agent, path), number, against)


def list_changes(
    context: Context,
    agent: str,
    path: str | None = None,
    *,
    author: str | None = None,
    limit: int | None = None,
    before: int | None = None,
) -> tuple[DirectoryChange, ...]:
    """What was done to the memory, or to a folder or file of it, newest first (decision 42). See `selected_changes`."""
    _, link = linked(context, agent)
    repository = open_directory(link.path, unborn=False)
    found = changes.read_changes(repository, path, link.agent_authors).changes
    return selected_changes(found, author=author, limit=limit, before=before)


def get_change(context: Context, agent: str, commit: str, path: str | None = None) -> ChangeTexts:
    """One commit with the texts of the memory files that it touched. Raises `NotFound` for no such change."""
    _, link = linked(context, agent)
    return changes.read_change(open_directory(link.path, unborn=False), commit, path, link.agent_authors)


def get_file(context: Context, agent: str, path: str, commit: str | None = None) -> LastSeen:
    """A file at a commit; without one as it is, or as it last was. Raises `UnknownFile`."""
    _, link = linked(context, agent)
    return changes.last_seen(open_directory(link.path, unborn=False), path, commit, link.agent_authors)


def diff_commits(context: Context, agent: str, old: str, new: str | None = None) -> CommitDiff:
    """What changed in the prompt from one commit to another, to HEAD without one. Raises `NotFound` for no commit."""
    return commit_diff(_repository(context, agent), old, new)


def list_headroom(context: Context, agent: str) -> tuple[Headroom, ...]:
    """How much of the limits was used after each commit, oldest first."""
    return read_headroom(_repository(context, agent))


def _texts(context: Context, agent: str, path: str | None) -> DirectoryTexts:
    _, link = linked(context, agent)
    return DirectoryTexts.of(context, link, path)


def _repository(context: Context, agent: str) -> git.Repository:
    _, link = linked(context, agent)
    return open_directory(link.path, unborn=False)
