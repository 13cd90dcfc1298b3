"""What a check or the lint found: one shape for the hook, the CLI, SARIF, the app and the audit (decision 34)."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a finding weighs."""

    ERROR = "error"
    """The hook refuses it, or the lint is sure that it does not work."""
    WARNING = "warning"
    """Advice (decision 35)."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule that one place breaks."""

    kind: str
    """The rule's name, as `file_too_long`."""
    path: str
    """The file, or the folder without a slash at the end."""
    message: str
    """One sentence: what is wrong, where and how to mend it."""
    rule: str
    """Where the rule comes from: the glob or field of the config, or `default`, or the reason that a writing rule gives."""
    actual: str | int | None = None
    """What was found: characters, levels, or a short quote."""
    limit: int | None = None
    """What is allowed, where it is a number."""
    line: int | None = None
    """The line it concerns, from 1, or the first of several; None for the whole file."""
    suggestion: str | None = None
    """What to write instead, where something can be proposed."""
    severity: Severity = Severity.ERROR
    """Whether it refuses or advises."""
    lines: tuple[int, ...] = ()
    """Every line that it concerns, in order; empty where that is `line` alone."""

    @property
    def places(self) -> tuple[int, ...]:
        """The lines that it concerns, in order; none where it concerns the whole file."""
        return self.lines or (() if self.line is None else (self.line,))


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found."""

    findings: tuple[Finding, ...]
    """Every finding of every kind."""
    older: frozenset[Finding] = frozenset()
    """Those that the commit in progress changes nothing of, so that they may be older."""

    @property
    def clean(self) -> bool:
        """Whether nothing was found."""
        return not self.findings
