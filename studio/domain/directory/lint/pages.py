"""One text as the lint reads it: what it is for, its body below the header, and its statements."""

from dataclasses import dataclass

from studio.domain.directory.frontmatter import Document, read
from studio.domain.directory.lint.prose import NO_PROSE, Prose, Statement, read_prose
from studio.domain.directory.lint.rule import Place
from studio.domain.directory.tree import INDEX

QUOTE_CHARACTERS = 60
"""How much of a line a message quotes."""


@dataclass(frozen=True, slots=True)
class Page:
    """A text with all that the rules ask of it."""

    path: str
    """What findings call it."""
    place: Place
    """What it is for."""
    text: str
    """The text as stored."""
    document: Document
    """Its header and its body, line ends as LF."""
    prose: Prose
    """The body's statements; lines are those of the file. None of a deferred file that is no index, whose prose no rule binds."""
    history: tuple[str, ...] = ()
    """The text's versions, oldest first, this one last; empty where they are not known."""
    blocks: frozenset[str] = frozenset()
    """The names of the other blocks that one prompt holds beside it, casefolded."""

    def says(self) -> tuple[tuple[int, Statement], ...]:
        """The items and paragraphs that are English, with their numbers."""
        return tuple((at, one) for at, one in self.prose.said() if one.english)


def read_page(
    path: str, place: Place, text: str, history: tuple[str, ...] = (), blocks: frozenset[str] = frozenset()
) -> Page:
    """Read a text.

    Args:
        path: what findings call it.
        place: what it is for; only blocks and deferred files have a header.
        text: the text as stored.
        history: its versions, oldest first, this one last.
        blocks: the names of the other blocks that one prompt holds beside it, casefolded.
    """
    document = read(text) if place in {Place.BLOCK, Place.DEFERRED} else Document(_unified(text))
    silent = place == Place.DEFERRED and not path.endswith(INDEX)
    prose = NO_PROSE if silent else read_prose(document.body, document.body_line)
    return Page(path, place, text, document, prose, history, blocks)


def _unified(text: str) -> str:
    """The text with LF at its line ends, and without a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def quoted(text: str) -> str:
    """A short piece of a text for a message, on one line and without a full stop."""
    words = " ".join(text.split()).removesuffix(".")
    return words if len(words) <= QUOTE_CHARACTERS else words[: QUOTE_CHARACTERS - 1].rstrip() + "…"
