"""Which commits are the versions of a file: what git lists, so that the newest version is what the file holds now.

Plain `git log -- path` lists every commit that changed the path, and a merge only where its text differs from all its
parents; a branch whose changes a merge threw away is left out. `git log --follow` goes on below a rename
or copy, but lists no merges and does list what was thrown away. We take the plain list where the path never changed,
else what `--follow` lists (git-history-02) with the merges put back: without them the newest version could be a text
that no checkout ever held. `--full-history` takes them all (decision 48): what any branch made of the file under any
path that it had.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from studio import git
from studio.imports.git_path import FoundFile


class Listed(NamedTuple):
    """One version: a commit and what it did to the file."""

    commit: git.Commit
    """The commit."""
    change: git.Change
    """What it did to the path that the file had then."""


class Listing(NamedTuple):
    """The versions of a file."""

    versions: list[Listed]
    """Newest first."""
    unfollowed: str | None = None
    """Why git could not follow renames; None where it could."""
    more: int = 0
    """How many versions there are beside them that `--full-history` takes."""


def list_versions(repository: git.Repository, found: FoundFile, *, full_history: bool = False) -> Listing:
    """The versions of a file.

    Args:
        repository: where it is.
        found: the file.
        full_history: take every commit that changed it on any branch, also what a merge threw away (decision 48).

    Raises:
        GitFailed: git cannot list the commits at all.
    """
    unfollowed = None
    try:
        followed = list(_follow(git.log(repository, [found.path], follow=True), found.path))
    except git.GitFailed as error:
        followed, unfollowed = [], error.says
    turns = [listed for listed in followed if listed.change.old_path is not None]
    paths = dict.fromkeys([found.path, *(turn.change.old_path or "" for turn in turns)])
    everything = git.log(repository, list(paths), full=True)
    whole = _full(repository, found, turns, everything)
    if not turns or _created_again(repository, turns[0]):
        plain = [Listed(commit, change) for commit in found.commits for change in _changes_of(commit, found.path)]
        versions = _settled(found, plain, found.commits)
    else:
        versions = _settled(found, _with_merges(followed, everything), everything)
    taken = {listed.commit.sha for listed in versions}
    more = sum(listed.commit.sha not in taken for listed in whole)
    if full_history and more:
        return Listing(_with_taken_sides(repository, found, whole, everything), unfollowed)
    return Listing(versions, unfollowed, more)


def _full(
    repository: git.Repository, found: FoundFile, turns: Sequence[Listed], everything: Sequence[git.Commit]
) -> list[Listed]:
    """Every commit that changed the file under the path it had below each rename or copy, newest first."""
    versions = {turn.commit.sha: turn for turn in turns}
    starts = [(found.path, ""), *((turn.change.old_path or "", turn.commit.sha) for turn in turns)]
    for path, start in starts:
        commits = everything if not turns else git.log(repository, [path], start=start, full=True)
        for commit in commits:
            for change in _changes_of(commit, path):
                versions.setdefault(commit.sha, Listed(commit, change))
    return [versions[commit.sha] for commit in everything if commit.sha in versions]


def _with_taken_sides(
    repository: git.Repository, found: FoundFile, whole: Sequence[Listed], everything: Sequence[git.Commit]
) -> list[Listed]:
    """The versions with every merge that holds another text than the one listed before it: it took the side listed earlier.

    What is listed up to a commit depends on nothing newer, so that more commits only add to it.
    """
    known = {listed.commit.sha: listed for listed in whole}
    path = found.path
    asked: dict[str, str] = {}
    for commit in everything:
        asked[commit.sha] = path
        listed = known.get(commit.sha)
        path = (listed.change.old_path if listed else None) or path
    merges = [commit.sha for commit in everything if len(commit.parents) > 1 and commit.sha not in known]
    held = git.held_at(repository, {sha: asked[sha] for sha in merges})
    modes = {listed.change.sha: listed.change.mode for listed in whole}
    versions: list[Listed] = []
    for commit in reversed(everything):
        last = versions[-1].change.sha if versions and versions[-1].change.status != "D" else ""
        if commit.sha in known:
            versions.append(known[commit.sha])
        elif commit.sha in held and held[commit.sha] != last:
            sha = held[commit.sha]
            change = git.Change("M" if sha else "D", modes.get(sha, git.ABSENT_MODE), sha, asked[commit.sha])
            versions.append(Listed(commit, change))
    return versions[::-1]


def _created_again(repository: git.Repository, turn: Listed) -> bool:
    """Whether the path was deleted before this commit brought it back.

    Then a likeness to another file is no rename: deletion and re-creation are shown as such (git-history-04).
    """
    path = turn.change.path
    before = git.log(repository, [path], start=turn.commit.sha)
    return any(change.status == "D" for commit in before for change in _changes_of(commit, path))


def _changes_of(commit: git.Commit, path: str) -> Iterator[git.Change]:
    """What a commit did to exactly this path; a path asked for also matches files in a folder of its name."""
    return (change for change in commit.changes if change.path == path)


def _follow(commits: Iterable[git.Commit], path: str) -> Iterator[Listed]:
    """The changes of the file under the path it had at each commit, as `--follow` found it."""
    for commit in commits:
        for change in _changes_of(commit, path):
            yield Listed(commit, change)
            path = change.old_path or path


def _with_merges(followed: Sequence[Listed], everything: Iterable[git.Commit]) -> list[Listed]:
    """The followed versions and, where they belong, the merges whose text differs from all their parents."""
    places = {listed.commit.sha: place for place, listed in enumerate(followed)}
    versions: list[Listed] = []
    done = 0
    for commit in everything:
        if commit.sha in places:
            place = places[commit.sha] + 1
            versions.extend(followed[done:place])
            done = max(done, place)
        elif len(commit.parents) > 1 and done < len(followed):
            versions.extend(Listed(commit, change) for change in _changes_of(commit, followed[done].change.path))
    versions.extend(followed[done:])
    return versions


def _settled(found: FoundFile, versions: list[Listed], everything: Iterable[git.Commit]) -> list[Listed]:
    """The versions, with the last merge on top where it threw the newest one away: live is what HEAD holds."""
    newest = versions[0]
    listed = None if newest.change.status == "D" else (newest.change.mode, newest.change.sha)
    held = None if found.entry is None else (found.entry.mode, found.entry.sha)
    later = takewhile(lambda commit: commit.sha != newest.commit.sha, everything)
    merge = next((commit for commit in later if len(commit.parents) > 1), None)
    if held == listed or merge is None:
        return versions
    mode, sha = held or (git.ABSENT_MODE, "")
    return [Listed(merge, git.Change("M" if held else "D", mode, sha, found.path)), *versions]
