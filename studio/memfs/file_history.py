"""One file's versions in the history of a directory (decision 1)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from studio import git
from studio.domain.bodies import Body
from studio.domain.directory.tree import shown_path
from studio.domain.history import SUBMODULE_MODE, HistoryRow, status_of, with_stand_in
from studio.domain.timeline import Status
from studio.errors import NothingToRead
from studio.memfs.commits import Who, authors_of, left_out, row_of


def file_rows(repository: git.Repository, path: str, rule: Sequence[str], warnings: list[str]) -> list[HistoryRow]:
    """The versions of a file along HEAD's first parents, oldest first, numbered.

    Args:
        repository: the directory.
        path: its path at HEAD, or the last it had.
        rule: globs of commit authors that are agents (decision 3).
        warnings: takes a sentence for what could not be read.

    Raises:
        NothingToRead: no commit knows the path, or a partial copy lacks every text.
    """
    try:
        commits = git.lineage(repository, renames=True)
    except git.GitFailed as error:
        warnings.append(f"Renames could not be followed ({error.says}), so versions under an earlier path are missing.")
        commits = git.lineage(repository)
    listed = list(follow(commits, path))[::-1]
    texts = dict(git.blobs(repository, [change.sha for _, change in listed if _has_text(change)]))
    kept = [(commit, change) for commit, change in listed if not _has_text(change) or texts[change.sha] is not None]
    missing = [commit.sha for commit, change in listed if _has_text(change) and texts[change.sha] is None]
    if not kept:
        why = "this partial copy lacks all its texts; clone it in full" if missing else "no commit of HEAD knows it"
        raise NothingToRead(f"{path!r} in {repository.given}", why)
    warnings.extend(left_out(missing))
    who = authors_of(repository, [commit for commit, _ in kept], rule)
    return [_row(number, *one, texts, who) for number, one in enumerate(kept, 1)]


def follow(commits: Sequence[git.Commit], path: str) -> Iterator[tuple[git.Commit, git.Change]]:
    """The commits that changed a file, newest first, each with what it did to the path that the file had then.

    A rename is followed to the old path. Where the path was deleted before, a likeness to another file is no rename: deletion and
    re-creation are shown as such (git-history-04).

    Args:
        commits: HEAD's first parents, newest first, with renames.
        path: its path at HEAD, or the last it had.
    """
    for place, commit in enumerate(commits):
        change = next((one for one in commit.changes if path in (one.path, one.old_path)), None)
        if change is None:
            continue
        if change.path != path:
            yield commit, git.Change("D", git.ABSENT_MODE, "", path)
        elif change.old_path is None:
            yield commit, change
        elif _gone_before(commits[place + 1 :], path):
            yield commit, git.Change("A", change.mode, change.sha, path)
        else:
            yield commit, change
            path = change.old_path


def _gone_before(commits: Sequence[git.Commit], path: str) -> bool:
    """Whether the file was deleted or moved away in one of these commits."""
    changes = (change for commit in commits for change in commit.changes)
    return any(one.old_path == path or (one.path == path and one.status == "D") for one in changes)


def _has_text(change: git.Change) -> bool:
    return change.status != "D" and change.mode != SUBMODULE_MODE


def _row(number: int, commit: git.Commit, change: git.Change, texts: dict[str, bytes | None], who: Who) -> HistoryRow:
    content = texts[change.sha] if _has_text(change) else None
    row = row_of(commit, None if content is None else Body.of_bytes(content), who)
    old_path = None if change.old_path is None else shown_path(change.old_path)
    copied = change.status == "C"
    row = replace(
        row,
        number=number,
        status=status_of(change.status, change.mode) or Status.MODIFIED,
        origin=replace(row.origin, path=shown_path(change.path), old_path=old_path, copied=copied),
    )
    return with_stand_in(row, change.mode)
