"""JSON shapes of what is known about a text's past, one function per value. Times are UTC."""

from studio.domain.archive import iso_known
from studio.domain.authors import AuthorCount
from studio.domain.changes import FileChange
from studio.domain.history import History, found_authors
from studio.domain.records import Record, author_record


def author_count_record(count: AuthorCount) -> Record:
    """The author's record with `{key, versions}`; `key` is what a filter by this author takes."""
    return author_record(count.author) | {"key": count.author.key, "versions": count.versions}


def found_record(history: History) -> Record:
    """`{label, versions, authors, warnings}`: what an import would take; `authors` have `{kind, name, key, versions, reasons}`.

    `reasons` lists `{evidence, via, versions}`, the commonest first; `evidence` is null where nothing spoke for an agent.
    """
    authors = [
        {
            "kind": str(found.author.kind),
            "name": found.author.name,
            "key": found.author.key,
            "versions": found.versions,
            "reasons": [reason._asdict() for reason in found.reasons],
        }
        for found in found_authors(history.rows)
    ]
    label, warnings = history.source.label, list(history.warnings)
    return {"label": label, "versions": len(history.rows), "authors": authors, "warnings": warnings}


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
