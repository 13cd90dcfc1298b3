"""Notes: Markdown that people and agents share, at agent, guild and organisation level."""

import unicodedata
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from studio.domain.authors import Author
from studio.domain.bodies import Body, check_text
from studio.domain.headings import first_heading
from studio.domain.paths import PromptFileKind, parse
from studio.domain.places import Level, Place, PlaceKind, check_embeddable, parse_place
from studio.errors import BadName, NotANote, UnknownPath

TITLE_CAP_CHARACTERS = 200
"""The longest title."""
FIND_LIMIT_NOTES = 20
"""How many notes a search gives when nobody asked for another number."""


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
    """Of all that a write can change, see `note_sha256`; a write gives it back (decision 37)."""
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
    """A note's title: the title field, else the first heading, else the file stem; control characters become spaces (decision 23).

    One of more than 200 characters is shown cut, ending in `…`; the heading itself stays as written.
    """
    found = _cut((title or "").strip() or first_heading(body) or place.stem, TITLE_CAP_CHARACTERS)
    return "".join(" " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in found)


def title_field(title: str | None) -> str | None:
    """The title that a writer gives a note, without blanks around it; None where it is empty.

    Raises:
        BadName: it has more than 200 characters.
        UnusableText: it holds NUL or a lone surrogate (decision 5).
    """
    clean = check_text((title or "").strip(), "The title")
    if len(clean) > TITLE_CAP_CHARACTERS:
        raise BadName(f"The title has {len(clean)} characters; at most {TITLE_CAP_CHARACTERS} are allowed.")
    return clean or None


def note_sha256(title: str | None, body_sha256: str) -> str:
    """The sha256 that a write of a note gives back: the body's own, or where it has a title field that of both.

    A rename changes it too, so that of two people who rename a note one is told (decision 37).
    """
    return body_sha256 if title is None else sha256(f"{title}\0{body_sha256}".encode()).hexdigest()


def _cut(text: str, cap_characters: int) -> str:
    """The text, or as much of it as the cap allows, ending in an ellipsis."""
    return text if len(text) <= cap_characters else f"{text[: cap_characters - 1]}…"


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
            return _cut(" ".join(line.split()), LINE_CAP_CHARACTERS)
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
        BadName: a part is too long, nothing but `.md`, or one that no embed can name.
    """
    for part in place.name.split("/"):
        if len(part) > SEGMENT_CAP_CHARACTERS:
            raise BadName(
                f"A part of the path has {len(part)} characters; at most {SEGMENT_CAP_CHARACTERS} are allowed."
            )
        if part == ".md":
            raise BadName("The file of a note needs a name before '.md'.")
    check_embeddable(place.kind, place.name)
    return place


def make_note(place: Place, body: str, title: str | None, at: datetime, by: Author) -> Note:
    """A note as it is stored.

    Args:
        place: where.
        body: the Markdown as written.
        title: the title field, as `title_field` gives it.
        at: when it is written (UTC).
        by: who writes it.

    Raises:
        UnusableText: the body holds NUL or a lone surrogate (decision 5).
    """
    held = Body(check_text(body, "The note"))
    shown = title_of(place, title, body)
    facts = NoteFacts(str(place), place.level, shown, held.characters, note_sha256(title, held.sha256), at, by)
    return Note(facts, body, title)


@dataclass(frozen=True, slots=True)
class NoteWritten:
    """What a write of a note did."""

    facts: NoteFacts
    """The note as it is now."""
    changed: bool
    """Whether the write changed it; False where it already was like that (decision 37)."""
