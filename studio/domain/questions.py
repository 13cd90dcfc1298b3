"""What deserves a question before a text goes live (decision 39): one function, asked at every door.

An operator who publishes, saves, restores or edits is asked; whoever means it says so with the words of `Question`. An agent that
writes is never asked: its version bears the words as marks instead.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from studio.domain.conflicts import Conflict, find_conflicts
from studio.domain.directory import frontmatter
from studio.domain.directory.secrets import KeyFound
from studio.domain.embeds import EmbedEntry, EmbedState
from studio.errors import Unconfirmed, UnknownQuestion

NAMED = 3
"""How many places of one kind a sentence names."""


class Question(StrEnum):
    """The questions, as the words that answer them at every door."""

    MARKERS = "markers"
    """It holds conflict markers."""
    EMPTY = "empty"
    """Nothing of a text would be left."""
    BROKEN_LINKS = "broken-links"
    """It embeds what is not there."""
    OVER_BUDGET = "over-budget"
    """It embeds more than the prompt takes."""
    KEY = "key"
    """It holds what looks like a secret."""


class What(StrEnum):
    """Which kind of text goes live, in the words of a sentence."""

    TASK = "the Task"
    MEMORY = "the memory"
    NOTE = "the note"
    FILE = "the file"


@dataclass(frozen=True, slots=True)
class Asked:
    """One question about one text."""

    word: Question
    """Which one."""
    sentence: str
    """What is the matter, and where."""
    lines: tuple[int, ...] = ()
    """The lines of the text that it is about, from 1; none where it is about the whole, or about another text."""


_KINDS = (
    (EmbedState.BROKEN, Question.BROKEN_LINKS, "a broken link"),
    (EmbedState.OVER_BUDGET, Question.OVER_BUDGET, "an embed over the budget"),
)


@dataclass(frozen=True, slots=True)
class Embedding:
    """What becomes of the embeds of a Task when a text goes live: of the Task itself, or of live Tasks that embed a note."""

    entries: tuple[EmbedEntry, ...] = ()
    """The embeds."""
    whose: str = "It"
    """Whose they are, for a sentence."""
    within: str | None = None
    """The path of the note that goes live; None where the Task does."""


def questions(
    what: What, text: str, was: str, *, keys: Sequence[KeyFound] = (), embedding: Embedding | None = None
) -> tuple[Asked, ...]:
    """What to ask before a text goes live, in the order of `Question`.

    Args:
        what: which kind of text.
        text: the text that is to go live.
        was: the one it replaces; empty where there is none.
        keys: the keys of known formats in it.
        embedding: what becomes of embeds; a memory and a file of a directory have none.
    """
    asked: list[Asked] = []
    if conflicts := find_conflicts(text):
        asked.append(_markers(conflicts))
    if empties(what, text, was):
        asked.append(Asked(Question.EMPTY, _empty(what, was)))
    if embedding is not None:
        asked += _embeds(embedding, text)
    if keys:
        asked.append(_keys(keys))
    return tuple(asked)


def empties(what: What, text: str, was: str) -> bool:
    """Whether a text leaves nothing of the one it replaces; of a file in a memory directory what counts stands below its header."""
    if what is What.FILE:
        text, was = frontmatter.read(text).body, frontmatter.read(was).body
    return _blank(text) and not _blank(was)


def read_words(given: Iterable[str]) -> frozenset[Question]:
    """The questions that words answer.

    Raises:
        UnknownQuestion: one of them names none.
    """
    known = {str(one): one for one in Question}
    words = [word.strip() for word in given]
    for word in words:
        if word not in known:
            raise UnknownQuestion(word, tuple(known))
    return frozenset(known[word] for word in words)


def check_answered(name: str, asked: Iterable[Asked], answered: frozenset[Question]) -> None:
    """Refuse what nobody said to be meant.

    Args:
        name: names the text in a sentence, as `The Task of scout`.
        asked: the questions.
        answered: those that were answered with yes.

    Raises:
        Unconfirmed: a question was not answered; it carries those that were not.
    """
    left = [one for one in asked if one.word not in answered]
    if left:
        raise Unconfirmed(name, [(str(one.word), one.sentence, one.lines) for one in left])


def _blank(text: str) -> bool:
    """Whether a text says nothing: it is empty, or all of it is blank or cannot be seen."""
    return not text.strip() or all(one.isspace() or unicodedata.category(one) in {"Cc", "Cf"} for one in text)


def _markers(conflicts: Sequence[Conflict]) -> Asked:
    places = _and([f"lines {one.said}" for one in conflicts[:NAMED]], len(conflicts) - NAMED)
    lines = tuple(line for one in conflicts for line in one.lines)
    return Asked(Question.MARKERS, f"Conflict markers of a merge that was not settled stand in {places}.", lines)


def _empty(what: What, was: str) -> str:
    why = ", and runs would have no purpose" if what is What.TASK else ""
    return f"Nothing would be left of {what}, which has {len(was):,} characters now{why}."


def _embeds(embedding: Embedding, text: str) -> Iterator[Asked]:
    for state, word, kind in _KINDS:
        entries = [one for one in embedding.entries if one.state is state]
        if not entries:
            continue
        first = entries[0]
        within = f" in {first.within}" if first.within else ""
        more = f" and {len(entries) - 1} more" if len(entries) > 1 else ""
        says = f"{embedding.whose} has {kind}, ![[{first.written}]]{within}{more} ({first.reason.rstrip('.')})."
        own = (one.start for one in entries if one.within == embedding.within)
        yield Asked(word, says, tuple(sorted({text.count("\n", 0, start) + 1 for start in own})))


def _keys(keys: Sequence[KeyFound]) -> Asked:
    places = _and([f"line {one.line} ({one.format})" for one in keys[:NAMED]], len(keys) - NAMED)
    return Asked(Question.KEY, f"What looks like a secret stands in {places}.", tuple(one.line for one in keys))


def _and(names: Sequence[str], more: int) -> str:
    """The names for a sentence, and how many more there are."""
    named = [*names, *([f"{more} more"] if more > 0 else [])]
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
