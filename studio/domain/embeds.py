"""Embeds: the notes that an operator puts into a Task with `![[display-path]]`, and a ledger of what became of each.

Reading order, depth first. The Task is level 0; hop 1 and hop 2 are replaced by the note's body in an element of its
own, hop 3 stays text. A note stands once; where it is named again its title stands. A collection becomes its name.
Bodies share a budget; one that does not fit stays text, and so does a link that names nothing (decisions 23 and 24).
Only a Task embeds: the same marks in a memory or in the Guidelines are text.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from studio.domain.bodies import Body
from studio.domain.embeds_links import Link, links, references, why_broken
from studio.domain.embeds_wrapper import element, element_name
from studio.domain.places import Level
from studio.domain.sections import Neutralised, Piece, neutralise_pieces

__all__ = [
    "EMBED_BUDGET_BYTES",
    "HOPS",
    "LEFT_OUT",
    "CollectionTarget",
    "EmbedEntry",
    "EmbedState",
    "EmbedTarget",
    "Expansion",
    "NoteTarget",
    "embedded_notes",
    "expand",
    "references",
]

EMBED_BUDGET_BYTES = 65_536
"""How much the bodies of all embedded notes may take together, in bytes of UTF-8; their elements do not count."""
HOPS = 2
"""How many steps from the Task a note's body is still put in."""
TASK_SOURCE = "Task"
"""Names the Task in the list of neutralised places."""


@dataclass(frozen=True, slots=True)
class NoteTarget:
    """A note that an embed can name."""

    path: str
    """Its display path."""
    level: Level
    """Whose it is."""
    title: str
    """What it is called (decision 23)."""
    body: str
    """The Markdown as stored."""


@dataclass(frozen=True, slots=True)
class CollectionTarget:
    """A collection that an embed can name."""

    path: str
    """Its display path."""
    name: str
    """Its name; that is what an embed of it becomes."""


EmbedTarget = NoteTarget | CollectionTarget


class EmbedState(StrEnum):
    """What became of an embed."""

    INLINED = "inlined"
    """The note's body stands in its place."""
    REPEATED = "repeated"
    """The note's body stands further up, so its title stands here."""
    TABLE = "table"
    """The collection's name stands in its place."""
    TEXT = "text"
    """It stands at hop 3 and stays as written."""
    OVER_BUDGET = "over_budget"
    """The note's body no longer fits, so it stays as written."""
    BROKEN = "broken"
    """It names nothing, so it stays as written."""


LEFT_OUT = frozenset({EmbedState.BROKEN, EmbedState.OVER_BUDGET})
"""What became of an embed that an operator should know about."""


@dataclass(frozen=True, slots=True)
class EmbedEntry:
    """One embed and what became of it."""

    written: str
    """What stands between the brackets, without the spaces around it."""
    path: str | None
    """The display path of what it names; None where it is broken or was not looked up."""
    hop: int
    """1 in the Task, 2 in a note that the Task embeds, 3 in a note that such a note embeds."""
    state: EmbedState
    """What became of it."""
    shown: str | None
    """The title or name: what stands in its place where that is one line, and what the element's note is called."""
    reason: str
    """Why it is not simply inlined, one sentence; empty where it is."""
    bytes: int
    """What its body takes of the budget; 0 unless inlined."""
    within: str | None
    """The path of the note it is written in; None for the Task."""
    start: int
    """Where it begins in that text as stored, in code points."""
    end: int
    """Where it ends there."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """A Task with its embeds expanded, safe to stand in its section."""

    text: str
    """The composed copy of the Task."""
    ledger: tuple[EmbedEntry, ...]
    """Every embed in reading order."""
    bytes: int
    """How much of the budget is used."""
    notes: tuple[tuple[str, str], ...]
    """Path and sha256 of every note whose body stands in the text, in reading order (decision 26)."""
    neutralised: tuple[Neutralised, ...]
    """Every tag that was made harmless, in reading order (decision 20)."""

    @property
    def broken(self) -> tuple[EmbedEntry, ...]:
        """The broken links, in reading order."""
        return tuple(entry for entry in self.ledger if entry.state is EmbedState.BROKEN)

    @property
    def left_out(self) -> tuple[EmbedEntry, ...]:
        """What an operator wanted in the prompt and what does not stand there: broken links and what is over the budget."""
        return tuple(entry for entry in self.ledger if entry.state in LEFT_OUT)


def expand(task: str, targets: Mapping[str, EmbedTarget], block_names: frozenset[str] = frozenset()) -> Expansion:
    """Put what a Task embeds in its place.

    Args:
        task: the Task as stored.
        targets: notes and collections by display path: all that `references` finds in the Task, and in the notes found so.
            One that is absent does not exist.
        block_names: names that a memory directory's blocks have, casefolded, which no note's element takes (decision 24).
    """
    expander = _Expander(targets, block_names)
    text = expander.text_of(task, TASK_SOURCE, None, 1, frozenset())
    return Expansion(
        text=text,
        ledger=tuple(expander.ledger),
        bytes=expander.spent,
        notes=tuple((path, Body(note.body).sha256) for path, note in expander.inlined.items()),
        neutralised=tuple(expander.places),
    )


def embedded_notes(task: str, targets: Mapping[str, EmbedTarget]) -> tuple[str, ...]:
    """The notes that a Task embeds, itself or through one other note: they are not deleted or moved (decision 25).

    Args:
        task: the Task as stored.
        targets: as for `expand`.
    """
    found: dict[str, None] = {}
    for path in references(task):
        target = targets.get(path)
        if isinstance(target, NoteTarget):
            found[path] = None
            found.update(dict.fromkeys(p for p in references(target.body) if isinstance(targets.get(p), NoteTarget)))
    return tuple(found)


class _Expander:
    """What is known while a Task is read from its beginning to its end."""

    def __init__(self, targets: Mapping[str, EmbedTarget], block_names: frozenset[str]) -> None:
        self.targets = targets
        self.block_names = block_names
        self.ledger: list[EmbedEntry] = []
        self.places: list[Neutralised] = []
        self.inlined: dict[str, NoteTarget] = {}
        self.spent = 0

    def text_of(self, text: str, source: str, within: str | None, hop: int, wrappers: frozenset[str]) -> str:
        """The composed copy of a text.

        Args:
            text: the Task or a note's body.
            source: names it in the list of places.
            within: the note's path, None for the Task.
            hop: how many steps from the Task its embeds are.
            wrappers: the elements it stands in, casefolded.
        """
        done = 0
        parts: list[str] = []
        pieces: list[Piece] = []  # what stands side by side with no element between, so that a tag could form across it

        def close_pieces() -> None:
            safe = neutralise_pieces(pieces, wrappers)
            parts.append(safe.text)
            self.places.extend(safe.places)
            pieces.clear()

        for link in links(text):
            entry = self.entry(link, within, hop)
            self.ledger.append(entry)
            if entry.path is None or entry.shown is None or entry.state is EmbedState.OVER_BUDGET:
                continue  # stays as written
            pieces.append(Piece(source, done, text[done : link.start]))
            done = link.end
            if entry.state is EmbedState.INLINED:
                close_pieces()
                parts.append(self.element(self.inlined[entry.path], hop, wrappers))
            else:
                what = "name" if entry.state is EmbedState.TABLE else "title"
                pieces.append(Piece(f"{what} of {entry.path}", 0, entry.shown))
        pieces.append(Piece(source, done, text[done:]))
        close_pieces()
        return "".join(parts)

    def element(self, note: NoteTarget, hop: int, wrappers: frozenset[str]) -> str:
        """A note's body in its element."""
        name = element_name(note.path, self.block_names)
        inside = wrappers | {name.casefold()}
        body = self.text_of(note.body, f"note {note.path}", note.path, hop + 1, inside)
        return element(name, note.path, note.level, body)

    def entry(self, link: Link, within: str | None, hop: int) -> EmbedEntry:
        """Decide what becomes of an embed; a body that is to be inlined is booked at once."""
        path: str | None = link.path
        shown: str | None = None
        used = 0
        if link.path in self.inlined:
            shown = _one_line(self.inlined[link.path].title)
            state, reason = EmbedState.REPEATED, "The note already stands further up, so its title stands here."
        elif hop > HOPS:
            path, state = None, EmbedState.TEXT
            reason = "Embeds are expanded in the Task and in the notes it embeds, not further down."
        elif (target := self.targets.get(link.path)) is None:
            path, state, reason = None, EmbedState.BROKEN, why_broken(link.path)
        elif isinstance(target, CollectionTarget):
            shown = _one_line(target.name)
            state, reason = EmbedState.TABLE, "A collection is named; its records are not put into a prompt."
        else:
            shown = _one_line(target.title)
            state, reason, used = self.book(target)
        return EmbedEntry(link.path, path, hop, state, shown, reason, used, within, link.start, link.end)

    def book(self, note: NoteTarget) -> tuple[EmbedState, str, int]:
        """Take a note's body from the budget if it fits."""
        size = len(note.body.encode("utf-8"))
        left = EMBED_BUDGET_BYTES - self.spent
        if size > left:
            reason = f"The note takes {size:,} bytes and {left:,} of {EMBED_BUDGET_BYTES:,} are left."
            return EmbedState.OVER_BUDGET, reason, 0
        self.spent += size
        self.inlined[note.path] = note
        return EmbedState.INLINED, "", size


def _one_line(text: str) -> str:
    """A title or name as it may stand in a line: control characters become spaces (decision 23)."""
    return "".join(" " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in text)
