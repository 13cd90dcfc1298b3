"""JSON shapes of what is known about a text's past, one function per value. Times are UTC."""

from studio.domain.archive import iso_known
from studio.domain.authors import AuthorCount
from studio.domain.changes import FileChange
from studio.domain.records import Record, author_record


def author_count_record(count: AuthorCount) -> Record:
    """The author's record with `{key, versions}`; `key` is what a filter by this author takes."""
    return author_record(count.author) | {"key": count.author.key, "versions": count.versions}


def file_change_record(change: FileChange) -> Record:
    """`{number, agent, path, file, action, version, sha256, author, at, run, call}`; order is by `number` (decision 14)."""
    return {
        "number": change.number,
        "agent": change.agent,
        "path": change.path,
        "file": str(change.file),
        "action": str(change.action),
        "version": change.version,
        "sha256": change.sha256,
        "author": author_record(change.author),
        "at": iso_known(change.at),
        "run": change.run,
        "call": change.call,
    }
