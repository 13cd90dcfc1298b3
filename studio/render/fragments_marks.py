"""Text as escaped HTML in which nothing hides: invisible and direction characters become marks (case poisoning-03)."""

import html
import unicodedata

from studio.domain.invisible import FIND

_CONTROLS = (
    *("NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "TAB", "LF", "VT", "FF", "CR", "SO", "SI"),
    *("DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US"),
)
_SHORT_NAMES = {
    **{chr(code): name for code, name in enumerate(_CONTROLS)},
    "\x7f": "DEL",
    "\u0085": "NEL",
    " ": "SP",
    "\u200b": "ZWSP",
    "\ufeff": "BOM",
}
"""What a mark reads; letters, since few fonts have pictures of control characters. Others read `U+202E`."""
_NAMES = {"\r": "CARRIAGE RETURN", "\x1b": "ESCAPE", "\x85": "NEXT LINE", "\ufeff": "BYTE ORDER MARK"}


def marked(text: str) -> str:
    """Text as escaped HTML, with a mark in place of each invisible or direction character.

    A mark is `<span class="invisible" title="U+202E RIGHT-TO-LEFT OVERRIDE">U+202E</span>`. Tabs and newlines stay.
    What belongs to the spelling of an emoji (joiners, variation selectors, the tags of three flags) or of a script is
    no mark.
    """
    return with_marks(html.escape(text))


def with_marks(escaped: str) -> str:
    """`marked` for text that is escaped already."""
    parts: list[str] = []
    at = 0
    for found in FIND.finditer(escaped):
        if found["hidden"] is not None:
            parts += [escaped[at : found.start()], mark(found[0])]
            at = found.end()
    return "".join([*parts, escaped[at:]])


def mark(character: str) -> str:
    """The mark that stands for one invisible character."""
    code = f"U+{ord(character):04X}"
    short = _SHORT_NAMES.get(character, code)
    name = _NAMES.get(character) or unicodedata.name(character, "" if short == code else short)
    return f'<span class="invisible" title="{html.escape(f"{code} {name}".strip())}">{short}</span>'
