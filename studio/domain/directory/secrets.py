"""Keys and tokens in a text, as findings that never hold what was found (decision 35)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from studio.domain.directory.findings import Finding, Severity

SECRET = "secret"  # noqa: S105 - a kind of finding, no password
"""The kind of these findings, in the hook and in the lint."""
REASON = "Never store secrets. Reference them by name, such as $SECRET_NAME."
"""Why, in the words of the specification."""


@dataclass(frozen=True, slots=True)
class KeyFound:
    """One place that holds a key of a known format; the key itself is kept nowhere."""

    format: str
    """Whose key it looks like, as `GitHub token`."""
    line: int
    """The line it begins in, from 1."""


SecretScan = Callable[[str], Sequence[KeyFound]]
"""What looks for keys in a text; `memfs.secrets.find_keys` is one."""


def find_nothing(_: str) -> tuple[KeyFound, ...]:
    """A scan for where nobody asks about secrets."""
    return ()


def secret_findings(path: str, found: Sequence[KeyFound], severity: Severity = Severity.ERROR) -> tuple[Finding, ...]:
    """A finding for each key.

    Args:
        path: the text it was found in.
        found: the keys.
        severity: an error in a memory directory, advice on an artifact memory and a Task (decision 35).
    """
    return tuple(
        Finding(
            kind=SECRET,
            path=path,
            line=one.line,
            message=(
                f"Line {one.line} of {path} holds what looks like a secret ({one.format}); "
                "take it out, and revoke it if it is real."
            ),
            rule=REASON,
            actual=one.format,
            suggestion="Name it instead, such as $SECRET_NAME, and keep its value outside memory.",
            severity=severity,
        )
        for one in found
    )
