"""What a rule of the lint is, and what a text is for."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from studio.domain.directory.findings import Finding, Severity


class Place(StrEnum):
    """What a text is for, which says what rules bind it."""

    BLOCK = "block"
    """A root file of a directory that becomes a block of the prompt."""
    INDEX = "index"
    """Root `MEMORY.md`, the body of `<memory>`."""
    DEFERRED = "deferred"
    """A memory file in a folder, which no prompt holds."""
    MEMORY = "memory"
    """An artifact memory, an agent's own place without a required format."""
    TASK = "task"
    """An operator's standing purpose."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule."""

    kind: str
    """What it is called in findings and where it is switched off."""
    title: str
    """What it looks for, in a few words."""
    reason: str
    """Why, in the words of the specification where it has some."""
    places: frozenset[Place]
    """Which texts it binds; empty where it looks at a whole directory."""
    severity: Severity = Severity.WARNING
    """A secret and what is plainly broken weigh as errors; all else is advice (decision 35)."""

    def found(
        self,
        path: str,
        message: str,
        *,
        line: int | None = None,
        lines: Iterable[int] = (),
        suggestion: str | None = None,
        actual: str | int | None = None,
        limit: int | None = None,
    ) -> Finding:
        """Return a finding of this rule, at one line or at several; what is quoted of a text or a path can steer no terminal."""
        places = tuple(sorted(set(lines)))
        return Finding(
            kind=self.kind,
            path=path,
            message=_visible(message),
            rule=self.reason,
            actual=_visible(actual) if isinstance(actual, str) else actual,
            limit=limit,
            line=places[0] if places else line,
            suggestion=None if suggestion is None else _visible(suggestion),
            severity=self.severity,
            lines=places if len(places) > 1 else (),
        )


def _visible(text: str) -> str:
    """The text with escapes for control characters, line breaks and all else that cannot be seen."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)
