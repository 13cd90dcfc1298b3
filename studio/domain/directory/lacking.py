"""What a partial or damaged copy of a repository lacks of what is to be read: one warning, and the rest is judged."""

from collections.abc import Collection

from studio.domain.directory.findings import Finding, Severity
from studio.domain.directory.limits import CORE, STRUCTURE
from studio.domain.directory.tree import shown_path

LACKING = "text_lacking"
"""The kind of such a finding."""
_MOST_NAMED = 5


def lacking_said(paths: Collection[str]) -> tuple[str, ...]:
    """One sentence about the texts that a copy lacks; nothing where there are none."""
    named = list(dict.fromkeys(map(shown_path, paths)))
    if not named:
        return ()
    more = f" and {len(named) - _MOST_NAMED} more" if len(named) > _MOST_NAMED else ""
    many = "a text that is" if len(named) == 1 else f"{len(named)} texts that are"
    why = "fetch what is missing, or ask 'git fsck' whether it is damaged; a file of more than 32 MiB is never read"
    some = ", ".join(named[:_MOST_NAMED]) + more
    return (f"This copy lacks {many} to be read ({some}), so what stands there was not judged; {why}.",)


def lacking_findings(paths: Collection[str]) -> tuple[Finding, ...]:
    """The same as a warning among the findings, so that what could not be judged is not called clean."""
    return tuple(
        Finding(LACKING, CORE, one, STRUCTURE, len(paths), severity=Severity.WARNING) for one in lacking_said(paths)
    )
