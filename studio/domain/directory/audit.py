"""What went round the hook: which commits broke which rule first (decision 34)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from studio.domain.authors import Author
from studio.domain.directory.findings import Finding

Key = tuple[str, str]
"""What makes two findings of different commits the same: the kind and the path."""


@dataclass(frozen=True, slots=True)
class AuditedCommit:
    """A commit that the hook would have refused."""

    commit: str
    """Its full sha."""
    at: datetime
    """The author's time (UTC)."""
    author: Author
    """Who wrote it, with the evidence (decision 3)."""
    subject: str
    """Its subject line."""
    parents: int
    """How many parents it has; git runs no pre-commit hook for a merge that needs no help."""
    findings: tuple[Finding, ...]
    """What it broke, that none of its parents had broken."""
    carried: int
    """How many findings of its parents it left as they were, for which the hook refuses every commit."""


@dataclass(frozen=True, slots=True)
class Audit:
    """A range of commits, each judged as the hook would have judged it."""

    commits: int
    """How many commits were judged."""
    round_the_hook: tuple[AuditedCommit, ...]
    """Those that the hook would have refused, oldest first."""
    notices: tuple[AuditedCommit, ...] = ()
    """Commits that changed the config, oldest first: whether a person approved it is recorded nowhere."""
    cut_off: bool = False
    """Whether the copy is shallow: its oldest commits answer for what came before them, and what they changed is not known."""

    @property
    def clean(self) -> bool:
        """Whether no commit went round the hook."""
        return not self.round_the_hook

    @property
    def first(self) -> tuple[tuple[Finding, AuditedCommit], ...]:
        """For each rule and path that was broken, the first commit that broke it, oldest first."""
        found: dict[Key, tuple[Finding, AuditedCommit]] = {}
        for commit in self.round_the_hook:
            for finding in commit.findings:
                found.setdefault(key_of(finding), (finding, commit))
        return tuple(found.values())


def key_of(finding: Finding) -> Key:
    """What makes it the same finding in another commit, where a line moved or a size grew."""
    return finding.kind, finding.path


def keys_of(findings: Iterable[Finding]) -> frozenset[Key]:
    """The keys of findings."""
    return frozenset(key_of(one) for one in findings)
