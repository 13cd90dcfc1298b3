"""Commits of a directory as rows of a history."""

from collections.abc import Callable, Sequence
from datetime import UTC
from functools import partial

from studio import git
from studio.domain.attribution import attributor
from studio.domain.authors import Author
from studio.domain.bodies import Body
from studio.domain.history import HistoryRow
from studio.domain.timeline import Origin, Status

_MOST_NAMED_COMMITS = 5


Who = Callable[[git.Commit], Author]
"""Names the author of a commit."""


def authors_of(repository: git.Repository, commits: Sequence[git.Commit], rule: Sequence[str]) -> Who:
    """What names the author of each of these commits, by the directory's `.mailmap` (decision 40).

    Args:
        repository: the directory.
        commits: all whose authors are to be named.
        rule: globs of commit authors that are agents (decision 3).
    """
    return attributor(commits, rule, partial(git.canonical, repository))


def row_of(commit: git.Commit, body: Body | None, who: Who) -> HistoryRow:
    """What a commit left of a text, by whom; its number and status are for who knows the rows around it.

    Args:
        commit: the commit.
        body: the text after it; None where there is none.
        who: names its author.
    """
    offset = commit.at.utcoffset()
    return HistoryRow(
        number=0,
        key=commit.sha,
        author=who(commit),
        at=commit.at.astimezone(UTC),
        body=body,
        status=Status.DELETED if body is None else Status.MODIFIED,
        origin=Origin(
            commit=commit.sha,
            subject=commit.subject,
            utc_offset_minutes=None if offset is None else round(offset.total_seconds() / 60),
        ),
    )


def left_out(commits: Sequence[str]) -> list[str]:
    """A sentence about the versions that a partial copy has no texts for; none where there are none."""
    if not commits:
        return []
    shown = ", ".join(sha[:10] for sha in commits[:_MOST_NAMED_COMMITS])
    more = f" and {len(commits) - _MOST_NAMED_COMMITS} more" if len(commits) > _MOST_NAMED_COMMITS else ""
    many = "1 commit is" if len(commits) == 1 else f"{len(commits)} commits are"
    return [f"{many} left out, because this copy lacks texts of them ({shown}{more}); clone the repository in full."]
