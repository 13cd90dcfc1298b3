"""Judge every commit of a range as the hook would have judged it: what went round it, and which commit broke each rule first.

One log, one batch of texts, and a listing for each commit that the range begins on. Of a commit only what it changed is judged again:
a file's own findings stand until its content, mode or config changes, and those of the whole until files come or go.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC
from functools import cached_property
from typing import NamedTuple

from studio import git
from studio.domain.attribution import attribute
from studio.domain.bodies import Body
from studio.domain.directory.audit import Audit, AuditedCommit, Mark, Marked, brought
from studio.domain.directory.config import Config
from studio.domain.directory.findings import Finding, Severity
from studio.domain.directory.limits import CONFIG_PROTECTED, change_findings, config_of, file_findings, tree_findings
from studio.domain.directory.secrets import secret_findings
from studio.domain.directory.tree import CONFIG, MARKDOWN, FileMode, Tree, TreeFile, shown_path
from studio.errors import NothingToRead
from studio.memfs.repo import SCANNED_CAP_BYTES, memory_files
from studio.memfs.secrets import keys_in

_WORD_OF_KEY = re.compile(r"[-+/\w]{16,}", re.ASCII)
"""What every key but a private one's header holds; another word of that length beside a key passes for a part of it."""


def audit_commits(repository: git.Repository, revisions: str = "", agent_authors: Sequence[str] = ()) -> Audit:
    """Judge the commits of a range, of all of HEAD's history without one.

    What a commit changed is judged against all parents: what a merge took from one of them it did not change. A first commit may
    bring read-only files, as the hook lets it, and its config is no notice. The limits of each commit are those of its own config.

    Args:
        repository: the directory.
        revisions: a range as `v1..HEAD`.
        agent_authors: globs of commit authors that are agents (decision 3).

    Raises:
        NotFound: the range names no commits; one that holds none is clean.
        NothingToRead: a partial copy lacks what is to be judged.
    """
    commits = git.lineage(repository, whole=True, revisions=revisions)[::-1]
    within = {commit.sha for commit in commits}
    edges = dict.fromkeys(parent for commit in commits for parent in commit.parents if parent not in within)
    begun = {edge: {entry.path: _file(entry) for entry in git.files_at(repository, edge)} for edge in edges}
    judge = _Judge(_read(repository, commits, begun))
    round_the_hook, notices = [], []
    for commit, new, carried in _judged(commits, begun, judge):
        audited = _audited(commit, agent_authors, carried)
        broke = tuple(one for one in new if one.kind != CONFIG_PROTECTED)
        if broke or carried:
            round_the_hook.append(replace(audited, findings=broke))
        notice = tuple(replace(one, severity=Severity.WARNING) for one in new if one.kind == CONFIG_PROTECTED)
        if notice:
            notices.append(replace(audited, findings=notice))
    cut_off = repository.shallow and not all(commit.parents for commit in commits)
    return Audit(len(commits), tuple(round_the_hook), tuple(notices), cut_off)


@dataclass
class _State:
    """What is known of one commit's tree."""

    files: dict[str, TreeFile]
    config: Config = field(default_factory=Config)
    of_config: tuple[Marked, ...] = ()
    of_files: dict[str, tuple[Marked, ...]] = field(default_factory=dict)
    of_tree: tuple[Marked, ...] = ()
    secrets: dict[str, tuple[Marked, ...]] = field(default_factory=dict)

    @property
    def structure(self) -> Iterator[Marked]:
        """What the hook refuses every commit of this tree for."""
        yield from self.of_config
        yield from self.of_tree
        for found in self.of_files.values():
            yield from found

    @cached_property
    def marks(self) -> Counter[Mark]:
        """All that is broken in this tree, as its children ask for it."""
        secrets = (one for found in self.secrets.values() for one in found)
        return Counter(mark for one in (*self.structure, *secrets) for mark in one.marks)


def _judged(
    commits: Sequence[git.Commit], begun: Mapping[str, dict[str, TreeFile]], judge: "_Judge"
) -> Iterator[tuple[git.Commit, tuple[Finding, ...], int]]:
    """Each commit, parents first, with what it broke and how much it carried on; a state is kept until its last child is judged."""
    waiting = Counter(parent for commit in commits for parent in commit.parents)
    states = {edge: judge.whole(files) for edge, files in begun.items()}
    for commit in commits:
        parents = [states[parent] for parent in commit.parents]
        state = judge.after(parents[0] if parents else _State({}), commit)
        changed = _changed(state, parents, commit)
        found = [*state.structure, *(one for path in changed for one in state.secrets.get(path, ()))]
        new = list(brought(found, (parent.marks for parent in parents) if found else ()))
        carried = len(found) - len(new)
        if parents:
            new.extend(_changes(state, parents, changed))
        yield commit, tuple(sorted(new, key=lambda one: (one.path, one.line or 0))), carried
        states[commit.sha] = state
        for parent in commit.parents:
            waiting[parent] -= 1
            if not waiting[parent]:
                del states[parent]


def _changed(state: _State, parents: Sequence[_State], commit: git.Commit) -> list[str]:
    """The paths that differ from every parent, as the hook sees them; the log names those that differ from the first."""
    paths = sorted({change.path for change in commit.changes})
    return [path for path in paths if all(state.files.get(path) != parent.files.get(path) for parent in parents)]


def _changes(state: _State, parents: Sequence[_State], changed: Sequence[str]) -> Iterator[Finding]:
    """What a commit changed and might not have."""

    def part(files: Mapping[str, TreeFile]) -> Tree:
        return Tree(tuple(files[path] for path in changed if path in files))

    return change_findings(part(state.files), [part(parent.files) for parent in parents], state.config)


class _Judge:
    """Judges trees by the rules of the hook, each file once for each content and config."""

    def __init__(self, contents: "_Contents") -> None:
        self._bodies, self._searched = contents
        self._of_file: dict[tuple[str, str, str, Config], tuple[Marked, ...]] = {}
        self._secrets: dict[tuple[str, str, str], tuple[Marked, ...]] = {}

    def whole(self, files: dict[str, TreeFile]) -> _State:
        """The state of a tree that is judged from nothing."""
        state = _State(files)
        self._judge(state, list(files), config=True, structure=True)
        return state

    def after(self, before: _State, commit: git.Commit) -> _State:
        """The state after a commit on top of another."""
        state = replace(before, files=dict(before.files), of_files=dict(before.of_files), secrets=dict(before.secrets))
        for change in commit.changes:
            if change.status == "D":
                state.files.pop(change.path, None)
            else:
                state.files[change.path] = TreeFile(change.path, FileMode.of_git(change.mode), change.sha)
        paths = [change.path for change in commit.changes]
        config = CONFIG in paths or not commit.parents
        structure = config or any(
            change.path.endswith(MARKDOWN) and (change.status != "M" or "/" not in change.path)
            for change in commit.changes
        )
        self._judge(state, [*state.files, *paths] if config else paths, config=config, structure=structure)
        return state

    def _judge(self, state: _State, paths: Sequence[str], *, config: bool, structure: bool) -> None:
        if config:
            there = state.files.get(CONFIG)
            state.config, wrong = config_of(Tree(() if there is None else (self._with_body(there),)))
            state.of_config = tuple(map(Marked.of, wrong))
        for path in paths:
            file = state.files.get(path)
            _set(state.of_files, path, () if file is None else self._file(file, state.config))
            _set(state.secrets, path, () if file is None else self._secret(file))
        if structure:
            core = (self._with_body(one) if "/" not in one.path else one for one in state.files.values())
            state.of_tree = tuple(map(Marked.of, tree_findings(Tree(tuple(core)), state.config)))

    def _file(self, file: TreeFile, config: Config) -> tuple[Marked, ...]:
        if not file.memory:
            return ()
        key = (file.path, file.mode, file.sha, config)
        if key not in self._of_file:
            self._of_file[key] = tuple(map(Marked.of, file_findings(self._with_body(file), config)))
        return self._of_file[key]

    def _secret(self, file: TreeFile) -> tuple[Marked, ...]:
        searched = memory_files(file.path) or (file.regular and file.sha in self._searched)
        body = self._with_body(file).body if searched else None
        if body is None:
            return ()
        key = (file.path, file.mode, file.sha)
        if key not in self._secrets:
            found = secret_findings(shown_path(file.path), keys_in(body))
            lines = body.shown.split("\n") if found else []
            self._secrets[key] = tuple(Marked.of(one, _words(lines[(one.line or 1) - 1])) for one in found)
        return self._secrets[key]

    def _with_body(self, file: TreeFile) -> TreeFile:
        return file if file.mode == FileMode.SUBMODULE else replace(file, body=self._bodies.get(file.sha))


def _set(findings: dict[str, tuple[Marked, ...]], path: str, found: tuple[Marked, ...]) -> None:
    if found:
        findings[path] = found
    else:
        findings.pop(path, None)


def _words(line: str) -> frozenset[int]:
    """The hashes of what may be a key in a line that holds one, so that two keys are told apart and neither is kept."""
    return frozenset(hash(found[0]) for found in _WORD_OF_KEY.finditer(line))


class _Contents(NamedTuple):
    """The contents that are judged, by their shas."""

    bodies: dict[str, Body]
    searched: frozenset[str]
    """Those small enough to be searched for keys where they are no memory."""


def _read(
    repository: git.Repository, commits: Sequence[git.Commit], begun: Mapping[str, dict[str, TreeFile]]
) -> _Contents:
    """All memory, and the small ones of other files that the commits change, also as these were before."""
    changes = [change for commit in commits for change in commit.changes]
    changed = {change.path for change in changes}
    memory, others = set[str](), set[str]()
    came = ((change.path, change.mode, change.sha) for change in changes if change.status != "D")
    began = ((file.path, file.mode, file.sha) for files in begun.values() for file in files.values())
    for path, mode, sha in (*came, *began):
        if mode != git.SUBMODULE_MODE and memory_files(path):
            memory.add(sha)
        elif mode != git.SUBMODULE_MODE and path in changed:
            others.add(sha)
    sizes = git.sizes(repository, others) if others else {}
    searched = frozenset(sha for sha in others if sizes.get(sha, 0) <= SCANNED_CAP_BYTES)
    bodies: dict[str, Body] = {}
    for sha, content in git.blobs(repository, memory | searched):
        if content is None:
            raise NothingToRead(
                repository.given,
                "it is a partial copy that lacks texts of its history, or damaged; fetch them, or ask 'git fsck'",
            )
        bodies[sha] = Body.of_bytes(content)
    return _Contents(bodies, searched)


def _file(entry: git.TreeEntry) -> TreeFile:
    return TreeFile(entry.path, FileMode.of_git(entry.mode), entry.sha)


def _audited(commit: git.Commit, rule: Sequence[str], carried: int) -> AuditedCommit:
    author = attribute(commit.author_name, commit.author_address, commit.message, rule)
    at = commit.at.astimezone(UTC)
    return AuditedCommit(commit.sha, at, author, commit.subject, len(commit.parents), (), carried)
