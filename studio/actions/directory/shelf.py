"""The part of the facade that is about memory directories."""

from typing import TYPE_CHECKING

from studio.actions.context import Context
from studio.actions.later import later
from studio.domain.authors import AuthorCount
from studio.domain.comparison import Comparison
from studio.domain.directory.audit import Audit
from studio.domain.directory.begun import Begun
from studio.domain.directory.changes import ChangeTexts, DirectoryChange, LastSeen
from studio.domain.directory.editing import Edited
from studio.domain.directory.findings import Checked, Finding
from studio.domain.directory.layout import Compiled
from studio.domain.directory.link import Link
from studio.domain.directory.proposal import Proposal
from studio.domain.directory.state import CommitDiff, DirectoryState, Headroom
from studio.domain.directory.survey import Advice, Survey
from studio.domain.directory.tree import Tree
from studio.domain.timeline import Version, VersionText

if TYPE_CHECKING:
    from studio.actions.directory import editing, links, linting, reading, restoring, surveying
else:
    names = ("editing", "links", "linting", "reading", "restoring", "surveying")
    editing, links, linting, reading, restoring, surveying = later("studio.actions.directory", *names)


class Directories:
    """The memory directories of one store's agents, as `Studio.directories`.

    An agent is named by its id or its unique name. A commit goes by any name that git knows, and is HEAD where none is given. With a
    path, versions are those of one file or folder; without one, those of the compiled memory (decision 1). All raise `NoDirectory` for
    an agent whose memory is in the store, and `NothingToRead` where the repository cannot be read.
    """

    def __init__(self, context: Context) -> None:
        self._context = context

    def begin(self, repository: str, *, hook: bool = True, hooks_outside: bool = False) -> Begun:
        """Begin a directory from the template where the folder is none yet. See `links.begin`."""
        return links.begin(self._context, repository, hook=hook, hooks_outside=hooks_outside)

    def link(self, repository: str, agent: str, *, agent_authors: tuple[str, ...] = ()) -> Link:
        """Make a repository the memory of an agent. See `links.link`."""
        return links.link(self._context, repository, agent, agent_authors=agent_authors)

    def unlink(self, agent: str) -> Link:
        """Make the artifact that an agent had before its memory again. See `links.unlink`."""
        return links.unlink(self._context, agent)

    def links(self) -> tuple[Link, ...]:
        """The links of all agents whose memory is a directory, without a look at any repository."""
        return links.every(self._context)

    def get(self, agent: str) -> DirectoryState:
        """How an agent's directory stands at HEAD: its limits, what the hook would refuse, whether its history was rewritten."""
        return reading.get_directory(self._context, agent)

    def tree(self, agent: str, commit: str | None = None) -> Tree:
        """All files of a commit, with the texts of Markdown and the config."""
        return reading.get_tree(self._context, agent, commit)

    def findings(self, agent: str, commit: str | None = None) -> tuple[Finding, ...]:
        """What the hook would refuse in the tree of a commit."""
        return reading.find_problems(self._context, agent, commit)

    def lint(self, agent: str, commit: str | None = None, *, off: tuple[str, ...] = ()) -> tuple[Finding, ...]:
        """What the writing rules say about the tree of a commit, as advice. See `linting.lint_directory`."""
        return linting.lint_linked(self._context, agent, commit, off=off)

    def shrink(self, agent: str, commit: str | None = None) -> Proposal:
        """What could be deleted, moved and turned into skills, near a limit or not. See `shrink.propose`."""
        return linting.shrink_linked(self._context, agent, commit)

    def compile(self, agent: str, commit: str | None = None, base: str | None = None) -> Compiled:
        """The compiled memory of a commit with its blocks, alone or in a base prompt."""
        return reading.compile_commit(self._context, agent, commit, base)

    def history(
        self,
        agent: str,
        path: str | None = None,
        *,
        author: str | None = None,
        limit: int | None = None,
        before: int | None = None,
    ) -> tuple[Version, ...]:
        """The versions of the compiled memory or of one file or folder, newest first, without texts."""
        return reading.list_versions(self._context, agent, path, author=author, limit=limit, before=before)

    def changes(
        self,
        agent: str,
        path: str | None = None,
        *,
        author: str | None = None,
        limit: int | None = None,
        before: int | None = None,
    ) -> tuple[DirectoryChange, ...]:
        """Every commit that touched memory, or one folder or file, newest first, and the versions they lie between (decision 42)."""
        return reading.list_changes(self._context, agent, path, author=author, limit=limit, before=before)

    def change(self, agent: str, commit: str, path: str | None = None) -> ChangeTexts:
        """One commit with the texts of the memory files that it touched, or of those of one folder or file."""
        return reading.get_change(self._context, agent, commit, path)

    def file(self, agent: str, path: str, commit: str | None = None) -> LastSeen:
        """A file at a commit; without one as it is, or as it last was where it is gone. Raises `UnknownFile`."""
        return reading.get_file(self._context, agent, path, commit)

    def authors(self, agent: str, path: str | None = None) -> tuple[AuthorCount, ...]:
        """Everyone who wrote a version, with how many; most first."""
        return reading.list_authors(self._context, agent, path)

    def version(self, agent: str, number: int | None = None, path: str | None = None) -> VersionText:
        """One version with its text; the newest without a number. Raises `UnknownVersion`."""
        return reading.get_version(self._context, agent, number, path)

    def compare(self, agent: str, number: int, against: int | None = None, path: str | None = None) -> Comparison:
        """The change that a version brought, or its change from any other version. Raises `UnknownVersion`."""
        return reading.compare_versions(self._context, agent, number, against, path)

    def diff(self, agent: str, old: str, new: str | None = None) -> CommitDiff:
        """What changed in the prompt from one commit to another."""
        return reading.diff_commits(self._context, agent, old, new)

    def headroom(self, agent: str) -> tuple[Headroom, ...]:
        """How much of the limits was used after each commit that changed memory or the config, oldest first."""
        return reading.list_headroom(self._context, agent)

    def audit(self, agent: str, revisions: str = "") -> Audit:
        """Which commits of a range, or of all history, went round the hook, and what each broke. See `surveying.audit`."""
        return surveying.audit(self._context, agent, revisions)

    def survey(self, agent: str, commit: str | None = None) -> Survey:
        """All that a commit holds and what the hook would refuse of it, read once for each commit. See `surveying.survey`."""
        return surveying.survey(self._context, agent, commit)

    def advise(self, agent: str, commit: str | None = None) -> Advice:
        """What the writing rules say of a commit and how it could shrink, read once for each commit. See `surveying.advise`."""
        return surveying.advise(self._context, agent, commit)

    def judge(self, agent: str, path: str, text: str | None) -> Checked:
        """What an edit that was not made yet would be told. See `surveying.judge`."""
        return surveying.judge(self._context, agent, path, text)

    def restore(
        self,
        agent: str,
        path: str,
        commit: str | None = None,
        *,
        message: str | None = None,
        expect: str | None = None,
        force: bool = False,
        config_approved: bool = False,
        yes_to: tuple[str, ...] = (),
        operator: str | None = None,
    ) -> Edited:
        """Bring a deleted file back as it last was, or any file as it was at a commit, by one edit. See `restoring.restore`."""
        return restoring.restore(
            self._context,
            agent,
            path,
            commit,
            message=message,
            expect=expect,
            force=force,
            config_approved=config_approved,
            yes_to=yes_to,
            operator_name=operator,
        )

    def edit(
        self,
        agent: str,
        path: str,
        text: str | None,
        message: str,
        *,
        expect: str | None = None,
        force: bool = False,
        config_approved: bool = False,
        yes_to: tuple[str, ...] = (),
        operator: str | None = None,
    ) -> Edited:
        """Commit a file as it should be, by an operator, through the checks of the hook; None deletes it. See `editing.edit`."""
        return editing.edit(
            self._context,
            agent,
            path,
            text,
            message,
            expect=expect,
            force=force,
            config_approved=config_approved,
            yes_to=yes_to,
            operator_name=operator,
        )
