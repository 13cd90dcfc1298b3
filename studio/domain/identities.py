"""Who is the same person: the one form in which a name and an address are compared (decision 40)."""

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from regex import Match

UNNAMED = "no name"
"""The author's name where a commit gives neither a name nor an address."""
NAME_CHARACTERS = 200
"""How much of a name is kept."""

_READ_CHARACTERS = 2_000
"""How much of a name is looked at: who commits writes what they like."""
_ANY_ADDRESS = re.compile(r"(?P<local>[^\s<>@]{1,128}+)@[^\s<>@]+")
_NOT_ONE_LINE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_NUMBERED = re.compile(r"\d+\+(?=[^@]+@users\.noreply\.github\.com$)")


class Identity(NamedTuple):
    """A name and an address, as a commit or a trailer writes them, or in canonical form."""

    name: str
    """The name; it may be empty."""
    address: str
    """The e-mail address; it may be empty."""

    def __str__(self) -> str:
        return f"{self.name} <{self.address}>".strip()

    @property
    def canonical(self) -> "Identity":
        """The form to compare: a name of one line in NFC, without hidden characters, and a small address without a number."""
        return Identity(clean_name(*self), _NUMBERED.sub("", plain(self.address.strip()).lower()))


def clean_name(name: str, address: str = "") -> str:
    """A name as one line without an e-mail address; the part before `@` where there is nothing else."""
    without = _ANY_ADDRESS.sub(lambda found: found["local"], name[:_READ_CHARACTERS])
    shown = _one_line(without.replace("<", " ").replace(">", " "))
    if not shown:
        shown = _one_line(_NUMBERED.sub("", address[:_READ_CHARACTERS]).partition("@")[0])
    return shown[:NAME_CHARACTERS].rstrip() or UNNAMED


def plain(words: str) -> str:
    """Words in NFC, so that two that look the same are the same."""
    return words if words.isascii() else unicodedata.normalize("NFC", words)


def _one_line(words: str) -> str:
    return plain(_NOT_ONE_LINE.sub(" ", words if words.isascii() else _seen(words)).strip())


def _seen(words: str) -> str:
    """Words without what hides in them; what cuts a line stays, to become a blank."""
    from studio.domain.invisible import FIND  # noqa: PLC0415 - the hook has no names to read and waits for no library

    def kept(found: "Match[str]") -> str:
        return "" if found["hidden"] and not _NOT_ONE_LINE.fullmatch(found[0]) else found[0]

    return FIND.sub(kept, words)
