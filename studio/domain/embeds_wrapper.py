"""The element that an embedded note stands in (decision 24).

<pricing path="org/o_1/notes/pricing.md" level="org">
10 EUR
</pricing>
"""

import re
from html import escape

from studio.domain.places import Level
from studio.domain.sections import NAME_CHARACTERS, SectionName

PREFIX = "note-"
"""Before a name that could not open an element of its own."""
RESERVED = frozenset(
    {*SectionName, "human", "persona", "description", "system", "user", "assistant", "tool", "developer"}
)
"""Names that mean something else in a prompt: its sections, the usual memory blocks and what they hold, the roles of messages."""

_NOT_IN_A_NAME = re.compile(rf"[^{NAME_CHARACTERS}]")
_OPENS_NO_ELEMENT = re.compile(r"xml|[-.0-9\u00b7\u0300-\u036f\u203f\u2040]|$", re.IGNORECASE)
"""How a name may not begin: reserved by XML, or a character that only stands further in."""


def element_name(path: str, block_names: frozenset[str] = frozenset()) -> str:
    """The name of the element for a note's display path: its file stem, made fit for XML.

    Args:
        path: the display path.
        block_names: further names that mean something else in this prompt, casefolded.
    """
    stem = path.rsplit("/", 1)[-1].removesuffix(".md")
    name = _NOT_IN_A_NAME.sub("-", stem)
    taken = name.casefold() in RESERVED | block_names
    return f"{PREFIX}{name}" if taken or _OPENS_NO_ELEMENT.match(name) else name


def element(name: str, path: str, level: Level, content: str) -> str:
    """A whole element; un-escaping its `path` gives the display path back exactly.

    Args:
        name: the element's name, as `element_name` gives it.
        path: the note's display path.
        level: whose note it is.
        content: its body, already safe to stand in this element.
    """
    written = escape(path, quote=False).replace('"', "&quot;")
    return f'<{name} path="{written}" level="{level}">\n{content}\n</{name}>'
