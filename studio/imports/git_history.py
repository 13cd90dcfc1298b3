"""Read the history of one file from a git repository (decisions 3, 5, 14 and 16)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC
from functools import partial
from pathlib import Path

from studio import git
from studio.domain.agents import ImportSource
from studio.domain.attribution import Said, attributor
from studio.domain.authors import UNKNOWN, Author
from studio.domain.bodies import Body
from studio.domain.directory.tree import shown_path
from studio.domain.history import SUBMODULE_MODE, History, HistoryRow, status_of, with_stand_in
from studio.domain.stand_ins import StandInKind
from studio.domain.timeline import Origin, Status
from studio.errors import NotAHistory
from studio.imports.git_commits import Listed, Listing, list_versions
from studio.imports.git_path import FoundFile, find_file
from studio.imports.objects import Objects

_MOST_NAMED_COMMITS = 5
_BRINGS = {StandInKind.LFS: "'git lfs fetch --all'", StandInKind.ANNEX: "'git annex get --all'"}
"""The command that brings the texts of pointers, by their kind."""


def read_git_history(
    repo: str | Path,
    path: str,
    *,
    agent_authors: Sequence[str] = (),
    full_history: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> History:
    """All versions of a file in the history of HEAD, oldest first, whatever their size.

    Nothing is fetched and nothing in the repository changes; what cannot be read is named in the warnings.

    Args:
        repo: the folder of a repository, bare or not, or a folder in its working tree.
        path: the file, from that folder, from the root or from where the command runs.
        agent_authors: globs of author names that are agents (decision 3).
        full_history: take what every branch made of the file, also what a merge threw away (decision 48).
        progress: called with the number of texts read and of all texts.

    Raises:
        NothingToRead: there is no such repository or file; the sentence says which, and what is like it.
        NotAHistory: the repository is a partial copy that lacks all texts of this file.
        NotFound: git is not installed.
    """
    repository = git.open_repository(repo)
    found = find_file(repository, path)
    listing = list_versions(repository, found, full_history=full_history)
    listed = listing.versions[::-1]
    texts = _texts(repository, listed, progress)
    kept = [one for one in listed if _blob(one) is None or texts.get(one.change.sha) is not None]
    label = f"{repo}:{path}"
    if not any(_blob(one) for one in kept) and len(kept) < len(listed):
        raise NotAHistory(
            f"{label} has no text here: this partial copy lacks all of them; clone the repository in full."
        )
    who = attributor([one.commit for one in kept], agent_authors, partial(git.canonical, repository))
    rows = [_row(number, one, texts, who) for number, one in enumerate(kept, 1)]
    if git.cut_off(repository, kept[0].commit) or kept[0] != listed[0] or listing.unfollowed:
        rows[0] = replace(rows[0], author=UNKNOWN)  # whoever wrote it, all of its text is not theirs (decision 48)
    objects = Objects(repository)
    rows = [_with_text(row, objects, one.change) for row, one in zip(rows, kept, strict=True)]
    source = ImportSource("git", _key(found, listed, full_history=full_history), label, tuple(agent_authors))
    return History(source, tuple(rows), tuple(_warnings(repository, listing, kept, rows)))


def _key(found: FoundFile, listed: Sequence[Listed], *, full_history: bool) -> str:
    """What identifies the history in any copy of it."""
    return f"git{'+full' if full_history else ''}:{shown_path(found.path)}:{listed[0].commit.sha}"


def _with_text(row: HistoryRow, objects: Objects, change: git.Change) -> HistoryRow:
    """The row of a pointer with the text that it points to, where that is on this machine."""
    content = None if row.stand_in is None else objects.content(row.stand_in)
    if content is None:
        return row
    status = status_of(change.status, change.mode) or Status.MODIFIED
    return with_stand_in(replace(row, body=Body.of_bytes(content), status=status, stand_in=None), mode="")


def _blob(listed: Listed) -> str | None:
    """The sha of the version's text; None where it has none."""
    change = listed.change
    return None if change.status == "D" or change.mode == SUBMODULE_MODE else change.sha


def _texts(
    repository: git.Repository, listed: Sequence[Listed], progress: Callable[[int, int], None] | None
) -> dict[str, bytes | None]:
    """The content of every version by its sha; equal ones are read once."""
    wanted = list(dict.fromkeys(sha for one in listed if (sha := _blob(one)) is not None))
    texts: dict[str, bytes | None] = {}
    for sha, content in git.blobs(repository, wanted):
        texts[sha] = content
        if progress is not None:
            progress(len(texts), len(wanted))
    return texts


def _row(number: int, listed: Listed, texts: dict[str, bytes | None], who: Callable[[Said], Author]) -> HistoryRow:
    commit, change = listed
    blob = _blob(listed)
    content = None if blob is None else texts[blob]
    path, at = shown_path(change.path), commit.at
    offset = at.utcoffset()
    row = HistoryRow(
        number=number,
        key=f"{commit.sha}:{path}",
        author=who(commit),
        at=at.astimezone(UTC),
        body=None if content is None else Body.of_bytes(content),
        status=status_of(change.status, change.mode) or Status.MODIFIED,
        origin=Origin(
            commit=commit.sha,
            subject=commit.subject,
            path=path,
            old_path=None if change.old_path is None else shown_path(change.old_path),
            utc_offset_minutes=None if offset is None else round(offset.total_seconds() / 60),
            copied=change.status == "C",
        ),
    )
    return with_stand_in(row, change.mode)


def _warnings(
    repository: git.Repository, listing: Listing, kept: Sequence[Listed], rows: Sequence[HistoryRow]
) -> Iterator[str]:
    """What was not read, one sentence for each reason."""
    if listing.unfollowed:
        yield f"Renames could not be followed ({listing.unfollowed}), so versions under an earlier path are missing."
    if repository.shallow:
        yield "The repository is a shallow copy, so versions older than its first commit are missing."
    if listing.more:
        is_more = "1 more version is" if listing.more == 1 else f"{listing.more} more versions are"
        yield f"{is_more} on branches that a merge did not take, or under another path; --full-history takes them."
    yield from _unread(listing.versions[::-1], kept)
    yield from _without_text(rows)


def _without_text(rows: Sequence[HistoryRow]) -> Iterator[str]:
    """How many versions hold a pointer in place of their text, and what brings it."""
    for kind, brings in _BRINGS.items():
        lacking = sum(row.stand_in is not None and row.stand_in.kind is kind for row in rows)
        if lacking:
            many = "1 version lacks its text" if lacking == 1 else f"{lacking} versions lack their texts"
            yield f"{many}; {brings} in the repository brings what is missing, then import again with --replace."


def _unread(listed: Sequence[Listed], kept: Sequence[Listed]) -> list[str]:
    """One sentence for each kind of version that could not be read as it is."""
    left = set(kept)
    missing = [one for one in listed if one not in left]
    submodule = [one for one in kept if one.change.mode == SUBMODULE_MODE and one.change.status != "D"]
    timeless = [one for one in kept if one.commit.authored is None]
    sentences = []
    if missing:
        sentences.append(
            f"{_versions(missing)} left out, because this copy lacks the texts (commits {_named(missing)}); "
            "clone the repository in full and import again."
        )
    if submodule:
        sentences.append(
            f"{_versions(submodule)} shown as deleted, because the path was a submodule ({_named(submodule)})."
        )
    if timeless:
        sentences.append(f"{_versions(timeless)} without a readable author's time ({_named(timeless)}).")
    return sentences


def _versions(listed: Sequence[Listed]) -> str:
    return "1 version is" if len(listed) == 1 else f"{len(listed)} versions are"


def _named(listed: Sequence[Listed]) -> str:
    """The commits by their short shas: all, or the first few and how many more."""
    shown = ", ".join(one.commit.sha[:10] for one in listed[:_MOST_NAMED_COMMITS])
    more = len(listed) - _MOST_NAMED_COMMITS
    return f"{shown} and {more} more" if more > 0 else shown
