"""Commits of a directory as rows of a history."""

from collections.abc import Sequence
from datetime import UTC

from studio import git
from studio.domain.attribution import attribute
from studio.domain.bodies import Body
from studio.domain.history import HistoryRow
from studio.domain.timeline import Origin, Status

_MOST_NAMED_COMMITS = 5


def row_of(commit: git.Commit, body: Body | None, rule: Sequence[str]) -> HistoryRow:
    """What a commit left of a text, by whom; its number and status are for who knows the rows around it.

    Args:
        commit: the commit.
        body: the text after it; None where there is none.
        rule: globs of commit authors that are agents (decision 3).
    """
    offset = commit.at.utcoffset()
    return HistoryRow(
        number=0,
        key=commit.sha,
        author=attribute(commit.author_name, commit.author_address, commit.message, rule),
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
