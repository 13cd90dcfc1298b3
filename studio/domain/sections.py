r"""The prompt's own sections: their names, their tags, and how stored texts are kept from forging a tag (decision 20).

A memory that holds `</memory>` would end its section early, and one that holds `<guidelines>` would speak in our
name. So in the composed copy, and only there, the `<` of such a tag becomes `&lt;`, or `\u003c` inside the JSON of
State. Everything else with `<` stays: code in a memory is read as it was written.
"""

import re
from dataclasses import dataclass
from enum import StrEnum


class SectionName(StrEnum):
    """The sections of a composed prompt, in their order."""

    GUIDELINES = "guidelines"
    TASK = "task"
    STATE = "state"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Neutralised:
    """One place where a text would have opened or closed a section."""

    source: str
    """Which text, for a person: `Task`, `Memory`, `agent name`, `State`."""
    start: int
    """Where its `<` stands in that text, in code points from 0; for State in its JSON."""
    tag: str
    """What stood there, from `<` to the end of the name or the `>` that follows it."""


@dataclass(frozen=True, slots=True)
class SafeText:
    """A text that may stand in a section."""

    text: str
    """The text with every forged tag made harmless."""
    places: tuple[Neutralised, ...]
    """What was changed to make it so, in reading order."""


_NAME_GOES_ON = (
    r"[-.:0-9A-Z_a-z\u00b7\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u037d\u037f-\u1fff\u200c\u200d\u203f\u2040"
    r"\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff]"
)
"""What XML allows inside a name: with one of these behind it, `memory` only begins another name (`<memory-notes>`)."""

_FORGED_TAG = re.compile(
    rf"<(?=(\s*+(?:/\s*+)?(?:{'|'.join(SectionName)})(?!{_NAME_GOES_ON})(?:\s*+/?>)?))",
    re.IGNORECASE,
)
"""A `<` that opens or closes a section: any letter case, blanks after `<` or `/`, attributes or an end or not."""


def neutralise(text: str, source: str) -> SafeText:
    """The text with `&lt;` in place of each `<` that would open or close one of the prompt's sections.

    Args:
        text: a Task, a memory or a name, as stored; the stored text is not touched.
        source: names the text in the list of places.
    """
    return _escape(text, source, "&lt;")


def neutralise_json(text: str, source: str) -> SafeText:
    r"""JSON with `\u003c` in place of each such `<`, so that it still reads as the same values.

    Args:
        text: JSON whose only `<` are inside strings.
        source: names the text in the list of places.
    """
    return _escape(text, source, r"\u003c")


def _escape(text: str, source: str, escaped: str) -> SafeText:
    """The text with every forged `<` written as `escaped`, and the list of what was changed."""
    places = tuple(Neutralised(source, found.start(), "<" + found[1]) for found in _FORGED_TAG.finditer(text))
    return SafeText(_FORGED_TAG.sub(lambda _: escaped, text) if places else text, places)


def wrap(name: SectionName, content: str) -> str:
    """A whole section: its opening tag, the content as it is, its closing tag, each tag on a line of its own."""
    return f"<{name}>\n{content}\n</{name}>"


def line_of_tag(text: str) -> int | None:
    """The line, from 1, of the first tag of ours in a text that is inserted as it is; None if there is none."""
    found = _FORGED_TAG.search(text)
    return None if found is None else text.count("\n", 0, found.start()) + 1
