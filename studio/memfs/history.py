"""Read a directory's history as versions, in a few git processes however long it is: a log, and one batch of texts."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from threading import Lock
from typing import NamedTuple

from studio import git
from studio.domain.bodies import EMPTY, Body
from studio.domain.directory.changes import plain_place
from studio.domain.directory.history import DirectoryHistory, changed_only, memory_body, versions_of
from studio.domain.directory.layout import compile_tree, reaches_prompt
from studio.domain.directory.tree import FileMode, Tree, TreeFile, shown_path
from studio.domain.history import HistoryRow
from studio.domain.timeline import Status, Version
from studio.errors import NothingToRead
from studio.memfs.commit_log import commits_of, is_folder
from studio.memfs.commits import Who, authors_of, left_out, row_of
from studio.memfs.file_history import file_rows
from studio.memfs.folder_history import folder_text, folder_versions
from studio.memfs.repo import compiled_at

CACHED_HISTORIES = 16
"""How many histories are held in memory: lists of versions, without their texts."""

_Key = tuple[git.Repository, str | None, tuple[str, ...], tuple[int, int] | None]
_cached: OrderedDict[_Key, DirectoryHistory] = OrderedDict()
_lock = Lock()


def read_history(
    repository: git.Repository, path: str | None = None, agent_authors: Sequence[str] = ()
) -> DirectoryHistory:
    """The versions of a directory's compiled memory, or of one file or folder.

    A history is read once for each HEAD, path, author rule and `.mailmap`. One that says what it lacks, as that of a partial or
    shallow copy, is read each time, since the copy may be completed without HEAD moving.

    Args:
        repository: the directory; HEAD is what it was when it was opened.
        path: the file or folder whose versions are asked for; None for the compiled memory (decision 1).
        agent_authors: globs of commit authors that are agents (decision 3).

    Raises:
        NothingToRead: no commit of HEAD's first parents knows the path, or a partial copy lacks every text.
    """
    key = (repository, plain_place(path or "") or None, tuple(agent_authors), git.mailmap_stamp(repository))
    with _lock:
        if key in _cached:
            _cached.move_to_end(key)
            return _cached[key]
    found = _read(*key[:3])
    if not found.warnings:
        with _lock:
            _cached[key] = found
            while len(_cached) > CACHED_HISTORIES:
                _cached.popitem(last=False)
    return found


def text_of(repository: git.Repository, history: DirectoryHistory, version: Version) -> Body:
    """What a version holds, read again from its commit.

    Raises:
        NothingToRead: a partial copy lacks it.
    """
    commit = version.origin.commit if version.origin else None
    if version.live or commit is None:
        return history.live
    if version.status is Status.DELETED:
        return EMPTY
    if history.path is None:
        return memory_body(compiled_at(repository, commit)) or EMPTY
    if history.path.endswith("/"):
        return folder_text(repository, commit, history.path)
    return file_body(repository, commit, version.origin.path if version.origin else history.path)


def file_body(repository: git.Repository, commit: str, path: str | None) -> Body:
    """What a file holds at a commit, by its path as it is shown; empty where it holds no text.

    Raises:
        NothingToRead: a partial copy lacks it.
    """
    entries = git.files_at(repository, commit, lambda name: shown_path(name) == path)
    for _, content in git.blobs(repository, [entry.sha for entry in entries if entry.kind == "blob"]):
        if content is None:
            raise NothingToRead(repository.given, f"it is a partial copy that lacks {path} at {commit}; fetch it first")
        return Body.of_bytes(content)
    return EMPTY


def _read(repository: git.Repository, path: str | None, rule: tuple[str, ...]) -> DirectoryHistory:
    commits = git.lineage(repository)
    warnings: list[str] = []
    if path is not None and is_folder(commits, path):
        path = path.removesuffix("/") + "/"
        counted, notes = commits_of(repository)
        warnings.extend(notes)
        versions, live = folder_versions(repository, counted, path, rule)
    elif path is not None:
        versions, live = versions_of(file_rows(repository, path, rule, warnings))
    else:
        versions, live = versions_of(_compiled(repository, commits, rule, warnings))
    if repository.shallow:
        warnings.append("The repository is a shallow copy, so versions older than its first commit are missing.")
    chain = frozenset(commit.sha for commit in commits)
    return DirectoryHistory(repository.head, versions, chain, live, path, tuple(warnings))


class _Held(NamedTuple):
    """What of a commit's tree reaches the prompt."""

    commit: git.Commit
    files: dict[str, git.Change]

    @property
    def texts(self) -> list[str]:
        """The shas of the texts that compiling needs: those of the root."""
        regular = (one for path, one in self.files.items() if "/" not in path)
        return [one.sha for one in regular if one.mode != FileMode.SUBMODULE]


def _compiled(
    repository: git.Repository, commits: Sequence[git.Commit], rule: tuple[str, ...], warnings: list[str]
) -> Iterator[HistoryRow]:
    """The compiled memory at each commit that changed it, oldest first."""
    held = tuple(_walk(reversed(commits)))
    who = authors_of(repository, [one.commit for one in held], rule)
    return changed_only(_rows(repository, held, who, warnings))


def _walk(commits: Iterable[git.Commit]) -> Iterator[_Held]:
    """What reaches the prompt after each commit that touched any of it."""
    files: dict[str, git.Change] = {}
    for commit in commits:
        changes = [change for change in commit.changes if reaches_prompt(change.path)]
        for change in changes:
            if change.status == "D":
                files.pop(change.path, None)
            else:
                files[change.path] = change
        if changes:
            yield _Held(commit, dict(files))


def _rows(repository: git.Repository, held: Sequence[_Held], who: Who, warnings: list[str]) -> Iterator[HistoryRow]:
    """A row for each; a text is read when it is first needed and dropped after its last use."""
    last_use = {sha: step for step, one in enumerate(held) for sha in one.texts}
    blobs = git.blobs(repository, last_use)
    texts: dict[str, bytes | None] = {}
    missing: list[str] = []
    for step, one in enumerate(held):
        for sha in one.texts:
            while sha not in texts:
                read, content = next(blobs)
                texts[read] = content
        if any(texts[sha] is None for sha in one.texts):
            if step == len(held) - 1:
                raise NothingToRead(
                    repository.given,
                    "it is a partial copy that lacks files of its memory, or damaged; fetch them, or ask 'git fsck'",
                )
            missing.append(one.commit.sha)
        else:
            yield row_of(one.commit, memory_body(compile_tree(_tree(one.files, texts))), who)
        for sha in one.texts:
            if last_use[sha] == step:
                texts.pop(sha, None)
    warnings.extend(left_out(missing))


def _tree(files: dict[str, git.Change], texts: dict[str, bytes | None]) -> Tree:
    def file(path: str, change: git.Change) -> TreeFile:
        content = None if "/" in path else texts.get(change.sha)
        body = None if content is None else Body.of_bytes(content)
        return TreeFile(path, FileMode.of_git(change.mode), change.sha, body)

    return Tree(tuple(file(path, files[path]) for path in sorted(files, key=_in_bytes)))


def _in_bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")
