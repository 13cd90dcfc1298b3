"""One text of an agent in all its versions, wherever it is kept: in the store or in a memory directory (decision 1)."""

from typing import Protocol

from studio.domain.bodies import EMPTY, Body
from studio.domain.comparison import Comparison, base_of, compare
from studio.domain.timeline import Version, VersionText, picked


class Texts(Protocol):
    """What a timeline is read from."""

    @property
    def what(self) -> str:
        """Names the text in a sentence, as `the memory of scout`."""

    @property
    def versions(self) -> tuple[Version, ...]:
        """Its timeline, newest first."""

    def version(self, number: int | None) -> Version | None:
        """One version, the newest without a number, read without all the others; None where it is not there."""

    def body(self, version: Version) -> Body:
        """What a version holds."""


def version_text(texts: Texts, number: int | None) -> VersionText:
    """One version with its text; the newest without a number. Raises `UnknownVersion`."""
    version = texts.version(number) or picked(texts.versions, number, texts.what)
    return _read(texts, version)


def comparison(texts: Texts, number: int, against: int | None) -> Comparison:
    """The change that a version brought, or its change from any other version. Raises `UnknownVersion`.

    Args:
        texts: where they are read.
        number: the version to look at.
        against: the version to compare with; None is the one its counts are against: the last before it with a text.
    """
    new = picked(texts.versions, number, texts.what)
    old = base_of(texts.versions, number) if against is None else picked(texts.versions, against, texts.what)
    return compare(None if old is None else _read(texts, old), _read(texts, new))


def _read(texts: Texts, version: Version) -> VersionText:
    """A version with its text; what only stands for one is never handed out as a text (decision 41)."""
    return VersionText(version, EMPTY if version.stand_in else texts.body(version))
