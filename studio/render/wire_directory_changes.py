"""The JSON shapes of what was done to a memory directory, commit by commit."""

from collections.abc import Mapping

from studio.domain.archive import iso_known
from studio.domain.directory.changes import Around, ChangeTexts, DirectoryChange, FileChange, LastSeen
from studio.domain.records import Record, author_record, diff_record
from studio.domain.timeline import Version
from studio.render.wire_directory_history import commit_version_record


def directory_change_record(change: DirectoryChange) -> Record:
    """`{change, commit, at, author, subject, merge, version, new_version, added, removed, files}`.

    `version` is that of the compiled memory after the commit; where `new_version` is false, the commit lies between that version and
    the next. A file is `{path, old_path, status, part, mode, added, removed}`.
    """
    return {
        "change": change.number,
        "commit": change.commit,
        "at": iso_known(change.at),
        "author": author_record(change.author),
        "subject": change.subject,
        "merge": change.merge,
        "version": change.version,
        "new_version": change.new_version,
        "added": change.added,
        "removed": change.removed,
        "files": [_file_record(one) for one in change.files],
    }


def change_texts_record(found: ChangeTexts) -> Record:
    """The change's record, each of its files with `change`: that of its text as in `diff_record`, null where a side is no text."""
    files = [
        _file_record(one.change) | {"change": None if (made := one.diff) is None else diff_record(made)}
        for one in found.files
    ]
    return directory_change_record(found.change) | {"files": files}


def listed_version_record(version: Version, around: Mapping[int, Around]) -> Record:
    """A version's record with `changes_before` and `changes_after`: how many changes of memory that made no version lie beside it.

    They are null in a list of which that is not known: that of a file or a folder.
    """
    beside = around.get(version.number)
    before, after = (None, None) if beside is None else beside
    return commit_version_record(version) | {"changes_before": before, "changes_after": after}


def last_seen_record(found: LastSeen) -> Record:
    """`{path, commit, mode, sha256, text, deleted}`; `deleted` is the change that took the file away, null where it is there."""
    return {
        "path": found.path,
        "commit": found.commit,
        "mode": str(found.mode),
        "sha256": found.body.sha256,
        "text": found.body.shown,
        "deleted": None if found.gone is None else directory_change_record(found.gone),
    }


def _file_record(file: FileChange) -> Record:
    return {
        "path": file.path,
        "old_path": file.old_path,
        "status": str(file.status),
        "part": str(file.part),
        "mode": None if file.mode is None else str(file.mode),
        "added": file.added,
        "removed": file.removed,
    }
