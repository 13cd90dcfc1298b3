"""What a version holds: a text exactly as written, or bytes that are no text (decision 5).

No stored text is ever cut, normalised or re-encoded. Characters are Unicode code points.
"""

import hashlib
import re
from dataclasses import dataclass

from studio.errors import UnusableText

GIT_LOOKS_FOR_NUL_IN_BYTES = 8_000
"""git calls a blob binary, and counts no lines, when NUL is among its first 8,000 bytes."""
_UNUSABLE = re.compile("[\0\ud800-\udfff]")
"""NUL and surrogates; a surrogate in a text is always a lone one."""


@dataclass(frozen=True, slots=True)
class Body:
    """The content of one version: `text`, or `raw` bytes when it is not UTF-8 or holds NUL; exactly one of them is set."""

    text: str | None
    """The text, as written."""
    raw: bytes | None = None
    """The bytes of an imported version that is no text."""

    @classmethod
    def of_bytes(cls, content: bytes) -> "Body":
        """A body from stored bytes: text where it is UTF-8 without NUL, bytes otherwise."""
        if b"\0" not in content:
            try:
                return cls(content.decode("utf-8"))
            except UnicodeDecodeError:
                pass
        return cls(None, content)

    @property
    def binary(self) -> bool:
        """Whether this is kept as bytes: shown escaped and without a diff."""
        return self.raw is not None

    @property
    def content(self) -> bytes:
        """The stored bytes."""
        return self.raw if self.raw is not None else (self.text or "").encode("utf-8")

    @property
    def sha256(self) -> str:
        """The sha256 of the stored bytes, in hexadecimal: what a save gives back (decision 37)."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def characters(self) -> int:
        """Size in code points; of a binary body in bytes, since it reads as latin-1."""
        return len(self.raw) if self.raw is not None else len(self.text or "")

    @property
    def countable(self) -> bool:
        """Whether git would count its lines."""
        return self.raw is None or b"\0" not in self.raw[:GIT_LOOKS_FOR_NUL_IN_BYTES]

    @property
    def lines_text(self) -> str:
        """A text with one line for each of git's lines, equal lines exactly where the bytes are equal; for counting only."""
        return self.raw.decode("utf-8", "surrogateescape") if self.raw is not None else (self.text or "")

    @property
    def shown(self) -> str:
        """The text as a person may see it: a binary body escaped, byte by byte where it is no printable character."""
        if self.raw is None:
            return self.text or ""
        read = self.raw.decode("latin-1")
        return "".join(c if c in "\n\t" or (c.isascii() and c.isprintable()) else f"\\x{ord(c):02x}" for c in read)

    @property
    def binary_reason(self) -> str | None:
        """Why it is kept as bytes, for a label; None for a text."""
        if self.raw is None:
            return None
        return "holds NUL, kept as bytes" if b"\0" in self.raw else "not UTF-8, read as latin-1"


EMPTY = Body("")
"""An empty text."""


def check_text(text: str, what: str) -> str:
    """The text itself, if a write may take it.

    Args:
        text: the text a caller wants to store.
        what: names the text in the sentence, e.g. `The memory`.

    Raises:
        UnusableText: it holds NUL or a lone surrogate (decision 5).
    """
    found = _UNUSABLE.search(text)
    if found is None:
        return text
    character = found[0]
    holds = "a NUL character" if character == "\0" else f"the lone surrogate U+{ord(character):04X}"
    raise UnusableText(what, holds, text.count("\n", 0, found.start()) + 1)


def made_storable(text: str) -> str:
    """The text with U+FFFD, Unicode's replacement character, for each character that no store takes (decision 5)."""
    return _UNUSABLE.sub("\ufffd", text)


def storable(text: str) -> bool:
    """Whether the store can hold this text, so that a name which it cannot hold names nothing there (decision 5)."""
    return _UNUSABLE.search(text) is None
