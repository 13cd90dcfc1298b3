r"""The prompt's own sections: their names, their tags, and how stored texts are kept from forging a tag (decision 20).

A memory that holds `</memory>` would end its section early, and one that holds `<guidelines>` would speak in our
name. So in the composed copy, and only there, the `<` of such a tag becomes `&lt;`, or `\u003c` inside the JSON of
State. Everything else with `<` stays: code in a memory is read as it was written.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
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
    """Which text, for a person: `Task`, `Memory`, `agent name`, `State`, `note org/…/a.md`, `title of org/…/a.md`."""
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


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of one text; a tag can be put together from pieces of several."""

    source: str
    """Names the text in the list of places."""
    start: int
    """Where the piece begins in that text, in code points from 0."""
    text: str
    """The piece, as stored."""


NAME_CHARACTERS = (
    r"-.:0-9A-Z_a-z\u00b7\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u037d\u037f-\u1fff\u200c\u200d\u203f\u2040"
    r"\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
"""What XML allows inside a name, as the inside of a character class."""
_TAG = re.compile(rf"<(?=(\s*+(?:/\s*+)?([{NAME_CHARACTERS}]++)(?:\s*+/?>)?))")
"""A `<` that opens or closes an element, with its whole name: `<memory-notes>` is no `<memory>`. Blanks may follow `<` and `/`."""
_OWN_NAME = re.compile("|".join(SectionName), re.IGNORECASE)


def neutralise(text: str, source: str) -> SafeText:
    """The text with `&lt;` in place of each `<` that would open or close one of the prompt's sections.

    Args:
        text: a Task, a memory or a name, as stored; the stored text is not touched.
        source: names the text in the list of places.
    """
    return neutralise_pieces((Piece(source, 0, text),))


def neutralise_pieces(pieces: Sequence[Piece], wrappers: frozenset[str] = frozenset()) -> SafeText:
    """The pieces joined, harmless as one text: no tag of ours stands in it, nor is one formed where two pieces meet.

    Args:
        pieces: what is joined; each place is listed by the piece that its `<` stands in.
        wrappers: names of further elements, casefolded, that the text may not open or close: those of the embeds that it stands in.
    """
    return _escape(pieces, wrappers, "&lt;")


def neutralise_json(text: str, source: str) -> SafeText:
    r"""JSON with `\u003c` in place of each such `<`, so that it still reads as the same values.

    Args:
        text: JSON whose only `<` are inside strings.
        source: names the text in the list of places.
    """
    return _escape((Piece(source, 0, text),), frozenset(), r"\u003c")


def _escape(pieces: Sequence[Piece], wrappers: frozenset[str], escaped: str) -> SafeText:
    """The pieces joined with every forged `<` written as `escaped`, and the list of what was changed."""
    text = "".join(piece.text for piece in pieces)
    begins: list[int] = []
    safe: list[str] = []
    places: list[Neutralised] = []
    done = 0
    for found in _forged_tags(text, wrappers):
        begins = begins or _begins(pieces)
        number = bisect_right(begins, found.start()) - 1
        piece = pieces[number]
        places.append(Neutralised(piece.source, piece.start + found.start() - begins[number], "<" + found[1]))
        safe += (text[done : found.start()], escaped)
        done = found.end()
    return SafeText("".join((*safe, text[done:])), tuple(places)) if places else SafeText(text, ())


def _begins(pieces: Sequence[Piece]) -> list[int]:
    """Where each piece begins in all of them joined."""
    begins = [0]
    for piece in pieces[:-1]:
        begins.append(begins[-1] + len(piece.text))
    return begins


def _forged_tags(text: str, wrappers: frozenset[str] = frozenset()) -> Iterator[re.Match[str]]:
    """The tags of our sections, and of these wrappers, in a text."""
    for found in _TAG.finditer(text):
        name = found[2]
        if _OWN_NAME.fullmatch(name) or (wrappers and name.casefold() in wrappers):
            yield found


def wrap(name: SectionName, content: str) -> str:
    """A whole section: its opening tag, the content as it is, its closing tag, each tag on a line of its own."""
    return f"<{name}>\n{content}\n</{name}>"


def line_of_tag(text: str) -> int | None:
    """The line, from 1, of the first tag of ours in a text that is inserted as it is; None if there is none."""
    found = next(_forged_tags(text), None)
    return None if found is None else text.count("\n", 0, found.start()) + 1
