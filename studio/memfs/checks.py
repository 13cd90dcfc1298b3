"""Check a memory directory: what the limits and the secrets scan find in what is staged, or in a commit (decisions 34 and 35)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from studio.domain.directory.conflict_markers import APPROVAL, marker_findings
from studio.domain.directory.findings import Checked, Finding
from studio.domain.directory.lacking import lacking_findings
from studio.domain.directory.limits import APPROVALS, CORE, check, core_characters, older_findings
from studio.domain.directory.secrets import KeyFound, secret_findings
from studio.domain.directory.tree import CONFIG, Tree, TreeFile, shown_path
from studio.git import Repository
from studio.memfs.repo import SCANNED_CAP_BYTES, memory_files, small_bodies, staged, tree_at, with_core
from studio.memfs.secrets import keys_in


def check_staged(
    repo: Repository, *, config_approved: bool, markers_approved: bool = False, merging: Sequence[str] = ()
) -> Checked:
    """What the hook refuses in a commit of the index: all limits, and secrets and conflict markers in what it changes.

    Args:
        repo: the directory.
        config_approved: whether a person let this commit change the config.
        markers_approved: whether somebody said that the conflict markers in it are meant.
        merging: the commits of a merge that git makes without help.

    Raises what `studio.memfs.repo.staged` does.
    """
    found = staged(repo, merging)
    changed = [file for file in map(found.tree.at, found.changed) if file is not None and file.body is not None]
    findings = (
        *check(found.tree, found.parents, config_approved=config_approved),
        *_secrets((file, keys_in(file.body)) for file in changed if file.body is not None),
        *(() if markers_approved else _markers(changed)),
        *lacking_findings(found.tree.lacking),
    )
    parents = found.parents
    if any(one.path == CORE for one in findings):
        parents = tuple(with_core(repo, parent) for parent in parents)
    return Checked(findings, older(findings, found.tree, parents))


def older(findings: Sequence[Finding], tree: Tree, parents: Sequence[Tree]) -> frozenset[Finding]:
    """The findings that a commit has nothing to do with, and those of the whole core where it does not make that longer.

    Args:
        findings: what the hook refuses in the tree.
        tree: the tree, with its memory and its config read.
        parents: what it is committed on, root Markdown read where a finding concerns the whole core.
    """
    unchanged = older_findings(findings, tree, parents)
    if any(_lets_core_be(tree, parent) for parent in parents):
        return unchanged.union(one for one in findings if one.path == CORE)
    return unchanged


def _lets_core_be(tree: Tree, parent: Tree) -> bool:
    """Whether the core is no longer than in a parent, under the same limits."""
    configs = [None if file is None else (file.sha, file.mode) for file in (tree.at(CONFIG), parent.at(CONFIG))]
    return configs[0] == configs[1] and core_characters(tree) <= core_characters(parent)


def check_commit(repo: Repository, commit: str | None = None) -> Checked:
    """What the hook would refuse in the tree of a commit, of HEAD without one; what it changed is the audit's question.

    Raises what `studio.memfs.repo.tree_at` does.
    """
    return Checked(check_tree(repo, tree_at(repo, commit)))


def check_tree(repo: Repository, tree: Tree) -> tuple[Finding, ...]:
    """What the hook would refuse in a tree, whatever it was before: all limits, conflict markers, secrets in memory and small files.

    What of it was not read yet is read one file at a time, and none of it is kept.

    Args:
        repo: where its files are.
        tree: the tree, with its memory and its config read, and whatever else; what a partial copy lacks of it is one warning.
    """
    keys = {sha: None if body is None else keys_in(body) for sha, body in small_bodies(repo, tree)}
    secrets = _secrets((file, _keys_of(file, keys)) for file in tree)
    lacking = [file.path for file in tree if file.regular and file.body is None and keys.get(file.sha, ()) is None]
    return (*check(tree), *secrets, *_markers(tree), *lacking_findings((*tree.lacking, *lacking)))


def _keys_of(file: TreeFile, keys: Mapping[str, tuple[KeyFound, ...] | None]) -> tuple[KeyFound, ...]:
    """The keys in a file that was read, or those known by its sha; whoever read more than others is told no more than they are."""
    if file.body is None:
        return (keys.get(file.sha) or ()) if file.regular else ()
    small = file.regular and len(file.body.content) <= SCANNED_CAP_BYTES
    return keys_in(file.body) if memory_files(file.path) or small else ()


def config_approved(environment: Mapping[str, str]) -> bool:
    """Whether the environment says that a person let this commit change the config (decision 33)."""
    return any(environment.get(name) == "1" for name in APPROVALS)


def markers_approved(environment: Mapping[str, str]) -> bool:
    """Whether the environment says that the conflict markers of this commit are meant (decision 39)."""
    return environment.get(APPROVAL) == "1"


def markers_in(file: TreeFile) -> tuple[Finding, ...]:
    """The conflicts in a memory file that was read; in other files they can be text."""
    if not file.memory or file.body is None or file.body.binary:
        return ()
    return marker_findings(shown_path(file.path), file.text)


def _markers(files: Iterable[TreeFile]) -> Iterator[Finding]:
    for file in files:
        yield from markers_in(file)


def _secrets(found: Iterable[tuple[TreeFile, tuple[KeyFound, ...]]]) -> Iterator[Finding]:
    for file, keys in found:
        yield from secret_findings(shown_path(file.path), keys)
