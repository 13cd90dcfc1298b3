"""What went round the hook: which commits broke which rule first (decision 34)."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from studio.domain.authors import Author
from studio.domain.directory.conflict_markers import CONFLICT_MARKERS
from studio.domain.directory.findings import Finding, Severity
from studio.domain.directory.limits import CONFIG_PROTECTED, CORE, READ_ONLY_CHANGED, STRUCTURE
from studio.domain.directory.tree import CONFIG

NOTICES = frozenset({CONFIG_PROTECTED, CONFLICT_MARKERS})
"""What a person can have approved, so that the audit tells of it and blames nobody."""
CARRIED = "carried"
"""The kind of what a commit is told that left older findings as they were."""
Key = tuple[str, str, str, str]
"""What makes two findings of different commits the same: the kind, the path, the field of a config, and what stands there."""
Mark = tuple[Key, int | None]
"""A key, and of a secret the hash of a word that may be it."""
_PLACE_IN_LIST = re.compile(r"\[\d+\]")


class Marked(NamedTuple):
    """A finding with what tells it from others."""

    finding: Finding
    """The finding."""
    marks: tuple[Mark, ...]
    """What is counted in two commits to tell whether one of them brought it."""

    @classmethod
    def of(cls, finding: Finding, words: Iterable[int] = ()) -> "Marked":
        """A finding by its key; a secret also by the hashes of the words that may be it, since no key leaves its text."""
        key = key_of(finding)
        return cls(finding, tuple((key, word) for word in words) or ((key, None),))


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

    @property
    def carries(self) -> Finding | None:
        """What it left as it was, as one finding; None where it left nothing."""
        if not self.carried:
            return None
        many = "1 finding" if self.carried == 1 else f"{self.carried} findings"
        message = (
            f"Commit {self.commit[:10]} leaves {many} of before as they were, for which the hook refuses a commit."
        )
        return Finding(CARRIED, CORE, message, STRUCTURE, self.carried, severity=Severity.WARNING)


@dataclass(frozen=True, slots=True)
class Audit:
    """A range of commits, each judged as the hook would have judged it."""

    commits: int
    """How many commits were judged."""
    round_the_hook: tuple[AuditedCommit, ...]
    """Those that the hook would have refused, oldest first."""
    notices: tuple[AuditedCommit, ...] = ()
    """Commits that changed the config or brought conflict markers, oldest first: whether a person approved that is recorded nowhere."""
    cut_off: bool = False
    """Whether the copy is shallow: its oldest commits answer for what came before them, and what they changed is not known."""
    warnings: tuple[str, ...] = ()
    """What could not be judged, one sentence each."""

    @property
    def clean(self) -> bool:
        """Whether all could be judged, and no commit went round the hook."""
        return not self.round_the_hook and not self.warnings

    @property
    def first(self) -> tuple[tuple[Finding, AuditedCommit], ...]:
        """For each rule, path and what is wrong there, the first commit that broke it, oldest first."""
        found: dict[Key, tuple[Finding, AuditedCommit]] = {}
        for commit in self.round_the_hook:
            for finding in commit.findings:
                found.setdefault(key_of(finding), (finding, commit))
        return tuple(found.values())


def key_of(finding: Finding) -> Key:
    """What makes it the same finding in another commit, where a line moved or a size grew.

    A number that was found only grows or shrinks; a word that was found, as a field or the format of a key, tells two findings apart.
    """
    changed = finding.kind in {CONFIG_PROTECTED, READ_ONLY_CHANGED}
    found = finding.actual if isinstance(finding.actual, str) and not changed else ""
    field = _PLACE_IN_LIST.sub("[]", finding.rule) if finding.path == CONFIG else ""
    return finding.kind, finding.path, field, found


def brought(found: Iterable[Marked], parents: Iterable[Counter[Mark]]) -> tuple[Finding, ...]:
    """The findings that a commit brought: those of which no parent has as many, so that a merge answers for none that it took.

    Args:
        found: what is wrong in the commit.
        parents: the marks of all that is wrong in each parent.
    """
    left = Counter[Mark]()
    for parent in parents:
        left |= parent
    new = []
    for finding, marks in found:
        left.subtract(marks)
        if any(left[mark] < 0 for mark in marks):
            new.append(finding)
    return tuple(new)
