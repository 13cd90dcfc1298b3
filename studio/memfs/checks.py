"""Check a memory directory: what the limits and the secrets scan find in what is staged, or in a commit (decisions 34 and 35)."""

from collections.abc import Iterable, Mapping

from studio.domain.directory.findings import Checked, Finding
from studio.domain.directory.limits import APPROVALS, check, older_findings
from studio.domain.directory.secrets import secret_findings
from studio.domain.directory.tree import Tree, TreeFile, shown_path
from studio.git import Repository
from studio.memfs.repo import scanned, staged, tree_at
from studio.memfs.secrets import keys_in


def check_staged(repo: Repository, *, config_approved: bool) -> Checked:
    """What the hook refuses in a commit of the index: all limits, and secrets in what it changes.

    Args:
        repo: the directory.
        config_approved: whether a person let this commit change the config.

    Raises what `studio.memfs.repo.staged` does.
    """
    found = staged(repo)
    changed = map(found.tree.at, found.changed)
    findings = (
        *check(found.tree, found.parents, config_approved=config_approved),
        *_secrets(file for file in changed if file is not None),
    )
    return Checked(findings, older_findings(findings, found.tree, found.parents))


def check_commit(repo: Repository, commit: str | None = None) -> Checked:
    """What the hook would refuse in the tree of a commit, of HEAD without one; what it changed is the audit's question.

    Raises what `studio.memfs.repo.tree_at` does.
    """
    return Checked(check_tree(scanned(repo, tree_at(repo, commit))))


def check_tree(tree: Tree) -> tuple[Finding, ...]:
    """What the hook would refuse in a tree, whatever it was before: all limits, and secrets in all that was read."""
    return (*check(tree), *_secrets(tree))


def config_approved(environment: Mapping[str, str]) -> bool:
    """Whether the environment says that a person let this commit change the config (decision 33)."""
    return any(environment.get(name) == "1" for name in APPROVALS)


def _secrets(files: Iterable[TreeFile]) -> Iterable[Finding]:
    for file in files:
        if file.body is not None:
            yield from secret_findings(shown_path(file.path), keys_in(file.body))
