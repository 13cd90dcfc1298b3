"""Judge every commit of a range as the hook would have judged it: what went round it, and which commit broke each rule first.

One log, one batch of texts, and a listing for each commit that the range begins on. Of a commit only what it changed is judged again:
a file's own findings stand until its content, mode or config changes, and those of the whole until files come or go.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC

from studio import git
from studio.domain.directory.audit import NOTICES, Audit, AuditedCommit, Marked, brought
from studio.domain.directory.config import Config
from studio.domain.directory.findings import Finding, Severity
from studio.domain.directory.lacking import lacking_said
from studio.domain.directory.limits import change_findings, config_of, file_findings, tree_findings
from studio.domain.directory.secrets import secret_findings
from studio.domain.directory.tree import CONFIG, INDEX, MARKDOWN, SKILLS, FileMode, Tree, TreeFile, shown_path
from studio.memfs.audit_texts import Texts, read_texts
from studio.memfs.checks import markers_in
from studio.memfs.commits import Who, authors_of
from studio.memfs.repo import memory_files


def audit_commits(repository: git.Repository, revisions: str = "", agent_authors: Sequence[str] = ()) -> Audit:
    """Judge the commits of a range, of all of HEAD's history without one.

    What a commit changed is judged against all parents: what a merge took from one of them it did not change. A first commit may
    bring read-only files, as the hook lets it, and its config is no notice. The limits of each commit are those of its own config.
    What a partial copy lacks is not judged, and the audit says so.

    Args:
        repository: the directory.
        revisions: a range as `v1..HEAD`.
        agent_authors: globs of commit authors that are agents (decision 3).

    Raises:
        NotFound: the range names no commits; one that holds none is clean.
    """
    commits = git.lineage(repository, whole=True, revisions=revisions)[::-1]
    within = {commit.sha for commit in commits}
    edges = dict.fromkeys(parent for commit in commits for parent in commit.parents if parent not in within)
    begun = {edge: {entry.path: _file(entry) for entry in git.files_at(repository, edge)} for edge in edges}
    texts = read_texts(repository, commits, begun)
    judge = _Judge(texts)
    who = authors_of(repository, commits, agent_authors)
    round_the_hook, notices = [], []
    for commit, new, carried in _judged(commits, begun, judge):
        audited = _audited(commit, who, carried)
        broke = tuple(one for one in new if one.kind not in NOTICES)
        if broke or carried:
            round_the_hook.append(replace(audited, findings=broke))
        notice = tuple(replace(one, severity=Severity.WARNING) for one in new if one.kind in NOTICES)
        if notice:
            notices.append(replace(audited, findings=notice))
    cut_off = repository.shallow and not all(commit.parents for commit in commits)
    return Audit(len(commits), tuple(round_the_hook), tuple(notices), cut_off, lacking_said(texts.lacking))


@dataclass(slots=True)
class _State:
    """What is known of one commit's tree."""

    files: dict[str, TreeFile]
    config: Config = field(default_factory=Config)
    of_config: tuple[Marked, ...] = ()
    of_files: dict[str, tuple[Marked, ...]] = field(default_factory=dict)
    of_tree: tuple[Marked, ...] = ()
    first: dict[str, str] = field(default_factory=dict)
    """The first Markdown of each folder."""
    secrets: dict[str, tuple[Marked, ...]] = field(default_factory=dict)
    judged: Sequence[str] = ()
    """The paths that were judged again after its first parent."""

    def refused(self, changed: Sequence[str]) -> int:
        """For how much the hook refuses it."""
        whole = len(self.of_config) + len(self.of_tree) + sum(map(len, self.of_files.values()))
        return whole + sum(len(self.secrets.get(path, ())) for path in changed)


def _brought(state: _State, parents: Sequence[_State], changed: Sequence[str]) -> Iterator[Finding]:
    """What none of a commit's parents had: only what was judged again can hold any of it."""
    yield from _new(state.of_config, [one.of_config for one in parents])
    yield from _new(state.of_tree, [one.of_tree for one in parents])
    for path in state.judged:
        yield from _new(state.of_files.get(path, ()), [one.of_files.get(path, ()) for one in parents])
    for path in changed:
        yield from _new(state.secrets.get(path, ()), [one.secrets.get(path, ()) for one in parents])


def _new(found: tuple[Marked, ...], before: Sequence[tuple[Marked, ...]]) -> tuple[Finding, ...]:
    """The findings about one thing that none of the parents had about it."""
    if not found or any(one is found for one in before):
        return ()
    return brought(found, [Counter(mark for one in several for mark in one.marks) for several in before])


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
        new = list(_brought(state, parents, changed))
        carried = state.refused(changed) - len(new)
        if parents:
            new.extend(_changes(state, parents, changed))
        new.extend(_markers(judge, state, parents, changed))
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


def _markers(judge: "_Judge", state: _State, parents: Sequence[_State], changed: Sequence[str]) -> Iterator[Finding]:
    """The conflict markers that a commit brought into memory files."""
    for path in changed:
        found, *before = (judge.markers(one.files.get(path)) for one in (state, *parents))
        yield from _new(found, before)


class _Judge:
    """Judges trees by the rules of the hook, each file once for each content and config."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._of_file: dict[tuple[str, str, str, Config], tuple[Marked, ...]] = {}

    def whole(self, files: dict[str, TreeFile]) -> _State:
        """The state of a tree that is judged from nothing."""
        state = _State(files)
        self._judge(state, tuple(files), config=True, structure=True)
        return state

    def after(self, before: _State, commit: git.Commit) -> _State:
        """The state after a commit on top of another."""
        state = replace(before, files=dict(before.files), of_files=dict(before.of_files), secrets=dict(before.secrets))
        for change in commit.changes:
            if change.status == "D":
                state.files.pop(change.path, None)
            else:
                state.files[change.path] = TreeFile(change.path, FileMode.of_git(change.mode), change.sha)
        paths = dict.fromkeys(change.path for change in commit.changes)
        config = CONFIG in paths or not commit.parents
        structure = config or any(_shapes(before, change) for change in commit.changes)
        paths = dict.fromkeys(state.files) | paths if config else paths
        self._judge(state, tuple(paths), config=config, structure=structure)
        return state

    def _judge(self, state: _State, paths: Sequence[str], *, config: bool, structure: bool) -> None:
        if config:
            there = state.files.get(CONFIG)
            state.config, wrong = config_of(Tree(() if there is None else (self._with_body(there),)))
            state.of_config = tuple(map(Marked.of, wrong))
        state.judged = paths
        for path in paths:
            file = state.files.get(path)
            _set(state.of_files, path, () if file is None else self._file(file, state.config))
            _set(state.secrets, path, () if file is None else self._secret(file))
        if structure:
            markdown = [one for path, one in state.files.items() if path.endswith(MARKDOWN)]
            state.first = {one.folder: one.path for one in reversed(markdown)}
            tree = Tree(tuple(one if "/" in one.path else self._with_body(one) for one in markdown))
            state.of_tree = tuple(map(Marked.of, tree_findings(tree, state.config)))

    def _file(self, file: TreeFile, config: Config) -> tuple[Marked, ...]:
        if not file.memory:
            return ()
        key = (file.path, file.mode, file.sha, config)
        if key not in self._of_file:
            self._of_file[key] = tuple(map(Marked.of, file_findings(self._with_body(file), config)))
        return self._of_file[key]

    def markers(self, file: TreeFile | None) -> tuple[Marked, ...]:
        """The conflict markers in a file; none where it is not there."""
        return () if file is None else tuple(map(Marked.of, markers_in(self._with_body(file))))

    def _secret(self, file: TreeFile) -> tuple[Marked, ...]:
        if file.sha not in self._texts.keys or not self._searched(file):
            return ()
        path = shown_path(file.path)
        found = self._texts.keys[file.sha]
        return tuple(Marked.of(one, words) for key, words in found for one in secret_findings(path, [key]))

    def _searched(self, file: TreeFile) -> bool:
        if memory_files(file.path):
            return file.mode != FileMode.SUBMODULE
        return file.regular and file.sha in self._texts.searched

    def _with_body(self, file: TreeFile) -> TreeFile:
        return file if file.mode == FileMode.SUBMODULE else replace(file, body=self._texts.bodies.get(file.sha))


def _shapes(before: _State, change: git.Change) -> bool:
    """Whether what is wrong with the whole can depend on a change: on a core file, an index, or the first file of a folder."""
    folder, _, name = change.path.rpartition("/")
    if not name.endswith(MARKDOWN) or (folder and change.status == "M"):
        return False
    return folder in {"", SKILLS} or name == INDEX or before.first.get(folder, change.path) == change.path


def _set(findings: dict[str, tuple[Marked, ...]], path: str, found: tuple[Marked, ...]) -> None:
    if found:
        findings[path] = found
    else:
        findings.pop(path, None)


def _file(entry: git.TreeEntry) -> TreeFile:
    return TreeFile(entry.path, FileMode.of_git(entry.mode), entry.sha)


def _audited(commit: git.Commit, who: Who, carried: int) -> AuditedCommit:
    at = commit.at.astimezone(UTC)
    return AuditedCommit(commit.sha, at, who(commit), commit.subject, len(commit.parents), (), carried)
