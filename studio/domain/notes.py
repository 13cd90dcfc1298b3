"""Notes: Markdown that people and agents share, at agent, guild and organisation level."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime

from studio.domain.authors import Author
from studio.domain.bodies import Body, check_text
from studio.domain.paths import PromptFileKind, parse
from studio.domain.places import Level, Place, PlaceKind, parse_place
from studio.errors import BadName, NotANote, UnknownPath

_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.+?)(?:[ \t]+#+)?[ \t\r]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class NoteFacts:
    """A note in a list: everything but its body."""

    path: str
    """Its display path; what agents and Tasks name it by."""
    level: Level
    """Whose it is."""
    title: str
    """What it is called: its title field, else its first heading, else its file name (decision 23)."""
    characters: int
    """Size of the body in code points."""
    sha256: str
    """Of the body as UTF-8; a write gives it back (decision 37)."""
    updated_at: datetime
    """When it was last written (UTC)."""
    updated_by: Author
    """Who wrote it last."""


@dataclass(frozen=True, slots=True)
class Note:
    """A note with its body."""

    facts: NoteFacts
    """Everything else."""
    body: str
    """The Markdown as written."""
    title_field: str | None = None
    """The title as its writer set it, if one did."""


def title_of(place: Place, title: str | None, body: str) -> str:
    """A note's title: the title field, else the first heading, else the file stem; control characters become spaces (decision 23)."""
    heading = _HEADING.search(body.removeprefix("\ufeff"))
    found = (title or "").strip() or (heading[1].strip() if heading else "") or place.stem
    return "".join(" " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in found)


@dataclass(frozen=True, slots=True)
class NoteHit:
    """A note that a search found."""

    facts: NoteFacts
    """The note."""
    hits: int
    """How often the words occur in its title and body."""
    line: str
    """The first line of the body with one of the words, cut at 200 characters; empty where only the title has them."""


def folded(text: str) -> str:
    """The text as a search compares it: without letter case, in one normal form."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def words_of(search: str) -> tuple[str, ...]:
    """The words of a search, folded, each once; all of them must occur."""
    return tuple(dict.fromkeys(folded(search).split()))


LINE_CAP_CHARACTERS = 200
"""How much of a line a search shows."""


def found_line(body: str, words: tuple[str, ...]) -> str:
    """The first line of a body that holds one of the words of a search, cut where it is long."""
    for line in body.splitlines():
        if any(word in folded(line) for word in words):
            clean = " ".join(line.split())
            return clean if len(clean) <= LINE_CAP_CHARACTERS else f"{clean[: LINE_CAP_CHARACTERS - 1]}…"
    return ""


SEGMENT_CAP_CHARACTERS = 200
"""The longest folder or file name in a path."""


def note_place(path: str) -> Place:
    """Where a note is.

    Raises:
        NotANote: the path is a Task's or a memory's; these are never notes.
        UnknownPath: it is no note's path. A path of the memory archive is answered like any other that names nothing.
    """
    try:
        kind = parse(path).kind
    except UnknownPath:
        kind = None
    if kind in (PromptFileKind.TASK, PromptFileKind.MEMORY):
        raise NotANote(path, task=kind is PromptFileKind.TASK)
    place = parse_place(path)
    if place.kind is not PlaceKind.NOTE:
        raise UnknownPath(path)
    return place


def check_new_path(place: Place) -> Place:
    """The place itself, if something can be made there that a Task can embed by its path.

    Raises:
        BadName: a part is too long, begins or ends with a blank, or holds a line separator, `]]` or a leading dot.
    """
    for part in place.name.split("/"):
        if len(part) > SEGMENT_CAP_CHARACTERS:
            raise BadName(
                f"A part of the path has {len(part)} characters; at most {SEGMENT_CAP_CHARACTERS} are allowed."
            )
        if (
            part != part.strip()
            or part == ".md"
            or "]]" in part
            or any(unicodedata.category(c) in {"Zl", "Zp"} for c in part)
        ):
            raise BadName(
                f"The part {part!r} of the path cannot be embedded; use a name without ']]', line breaks and blanks at its ends."
            )
    return place


def make_note(place: Place, body: str, title: str | None, at: datetime, by: Author) -> Note:
    """A note as it is stored.

    Args:
        place: where.
        body: the Markdown as written.
        title: the title field; empty for none.
        at: when it is written (UTC).
        by: who writes it.

    Raises:
        UnusableText: body or title holds NUL or a lone surrogate (decision 5).
    """
    field = check_text(title.strip(), "The title") if title and title.strip() else None
    held = Body(check_text(body, "The note"))
    shown = title_of(place, field, body)
    return Note(NoteFacts(str(place), place.level, shown, held.characters, held.sha256, at, by), body, field)


@dataclass(frozen=True, slots=True)
class NoteWritten:
    """What a write of a note did."""

    facts: NoteFacts
    """The note as it is now."""
    changed: bool
    """Whether the write changed it; False where it already was like that (decision 37)."""
