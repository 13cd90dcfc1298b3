"""How the root files of a directory came to be: their newest versions, from one log and one batch of texts."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from studio import git
from studio.domain.bodies import Body
from studio.domain.directory.tree import FileMode
from studio.memfs.repo import core_files


def recent_texts(repo: git.Repository, most: int, commit: str | None = None) -> dict[str, tuple[str, ...]]:
    """The newest versions of each root file along the first parents, oldest first; those before a deletion are left out.

    Args:
        repo: the directory.
        most: how many versions of a file at most.
        commit: the commit to look back from, by any name git knows; HEAD without one.

    A version that is no text, or that a partial copy lacks, is left out too.
    """
    start = repo if commit is None else replace(repo, head=git.commit_of(repo, commit))
    shas: dict[str, list[str]] = defaultdict(list)
    gone: set[str] = set()
    for done in git.lineage(start):
        for change in done.changes:
            if not core_files(change.path) or change.path in gone or len(shas[change.path]) >= most:
                continue
            if change.status == "D" or change.mode not in {FileMode.REGULAR, FileMode.EXECUTABLE}:
                gone.add(change.path)
            else:
                shas[change.path].append(change.sha)
    contents = dict(git.blobs(start, [sha for several in shas.values() for sha in several]))
    return {
        path: tuple(_texts(contents.get(sha) for sha in reversed(several))) for path, several in shas.items() if several
    }


def _texts(contents: Iterable[bytes | None]) -> Iterator[str]:
    for content in contents:
        body = None if content is None else Body.of_bytes(content)
        if body is not None and body.text is not None:
            yield body.text
