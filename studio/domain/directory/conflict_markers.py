"""Conflict markers in a memory directory and in any other text, as findings: for the hook, the audit and the lint (decision 39)."""

from studio.domain.conflicts import find_conflicts
from studio.domain.directory.findings import Finding, Severity

CONFLICT_MARKERS = "conflict_markers"
"""The kind of these findings, in the hook and in the lint."""
REASON = "A conflict has to be settled: the model reads both sides, and the marks between them, as its memory."
"""Why they are refused."""
APPROVAL = "STUDIO_MEMORY_MARKERS_APPROVED"
"""The variable that, set to 1, says that the conflict markers of a commit are meant."""


def marker_findings(path: str, text: str, severity: Severity = Severity.ERROR) -> tuple[Finding, ...]:
    """A finding for each conflict that was not settled.

    Args:
        path: the text it was found in.
        text: the text.
        severity: an error in a memory directory, advice on an artifact memory and a Task (decision 35).
    """
    return tuple(
        Finding(
            kind=CONFLICT_MARKERS,
            path=path,
            line=one.lines[0],
            message=f"Lines {one.said} of {path} hold conflict markers of a merge that was not settled; keep one side, or join them.",
            rule=REASON,
            suggestion="Settle it, and take the markers out.",
            severity=severity,
        )
        for one in find_conflicts(text)
    )
