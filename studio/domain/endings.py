"""What changes in a text without changing a word of it: line endings, byte order mark, final newline (decision 15)."""

from dataclasses import dataclass
from enum import StrEnum

BOM = "\ufeff"
"""A byte order mark: one code point, at the start of a text."""


class Endings(StrEnum):
    """How the lines of a text end. A carriage return alone ends no line; it is a character (decision 15)."""

    NONE = "none"
    """No line ends: the text is empty or one line without a newline."""
    LF = "LF"
    CRLF = "CRLF"
    MIXED = "mixed"
    """Some lines end in LF, some in CRLF."""


class Change(StrEnum):
    """Whether something came or went."""

    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class FormatChange:
    """What changed besides words."""

    old_endings: Endings = Endings.NONE
    """How the lines of the old text end."""
    new_endings: Endings = Endings.NONE
    """How the lines of the new text end."""
    bom: Change | None = None
    """Whether the byte order mark was added or removed."""
    final_newline: Change | None = None
    """Whether the newline after the last line was added or removed; not said of an empty text unless alone."""
    only: str | None = None
    """`line endings`, `BOM`, `final newline` or several in this order and with commas, where nothing else changed."""

    @property
    def endings_changed(self) -> bool:
        """Whether the line endings changed: of the texts as a whole, or of single lines while nothing else did."""
        named = Endings.NONE not in (self.old_endings, self.new_endings) and self.old_endings != self.new_endings
        if self.only is not None:
            return LINE_ENDINGS in self.only
        return named

    @property
    def inverted(self) -> "FormatChange":
        """The change back."""
        back = {Change.ADDED: Change.REMOVED, Change.REMOVED: Change.ADDED, None: None}
        return FormatChange(self.new_endings, self.old_endings, back[self.bom], back[self.final_newline], self.only)

    def __bool__(self) -> bool:
        return self.endings_changed or self.bom is not None or self.final_newline is not None


LINE_ENDINGS = "line endings"
"""The word for changed line endings."""
BYTE_ORDER_MARK = "BOM"
"""The word for a changed byte order mark."""
FINAL_NEWLINE = "final newline"
"""The word for a changed final newline."""


def endings(text: str) -> Endings:
    """How the lines of a text end."""
    crlf = text.count("\r\n")
    lines = text.count("\n")
    if not lines:
        return Endings.NONE
    if not crlf:
        return Endings.LF
    return Endings.CRLF if crlf == lines else Endings.MIXED


def only_changed(old: str, new: str) -> str | None:
    """What alone changed: `line endings`, `BOM`, `final newline`, or several with commas (decision 15).

    None where a word changed, or nothing did.
    """
    if old == new:
        return None
    old_text, new_text = old.removeprefix(BOM), new.removeprefix(BOM)
    old_lines, new_lines = _without_final_newline(old_text), _without_final_newline(new_text)
    if old_lines != new_lines and old_lines.replace("\r\n", "\n") != new_lines.replace("\r\n", "\n"):
        return None
    both_end = old_text.endswith("\n") and new_text.endswith("\n")
    last_changed = both_end and old_text.endswith("\r\n") != new_text.endswith("\r\n")
    changed = {
        LINE_ENDINGS: old_lines != new_lines or last_changed,
        BYTE_ORDER_MARK: (old_text is old) != (new_text is new),
        FINAL_NEWLINE: old_text.endswith("\n") != new_text.endswith("\n"),
    }
    return ", ".join(word for word, is_so in changed.items() if is_so) or None


def _without_final_newline(text: str) -> str:
    """The text up to the newline that ends its last line."""
    return text.removesuffix("\n").removesuffix("\r") if text.endswith("\r\n") else text.removesuffix("\n")


def format_change(old: str, new: str) -> FormatChange:
    """What changed besides words, also where words changed too (case diff-04)."""
    only = only_changed(old, new)
    comparable = only is not None or (old.removeprefix(BOM) != "" and new.removeprefix(BOM) != "")
    return FormatChange(
        old_endings=endings(old),
        new_endings=endings(new),
        bom=_change(old.startswith(BOM), new.startswith(BOM)),
        final_newline=_change(old.endswith("\n"), new.endswith("\n")) if comparable else None,
        only=only,
    )


def _change(had: bool, has: bool) -> Change | None:  # noqa: FBT001 - two facts of the same kind, in order
    """Whether a thing came or went."""
    if had == has:
        return None
    return Change.ADDED if has else Change.REMOVED
