"""Gather what `domain.questions` is told of a text that is to go live: the keys in it, and what becomes of embeds."""

from collections.abc import Mapping

from studio.actions.prompts import embed_targets
from studio.domain.bodies import Body
from studio.domain.embeds import EmbedEntry, EmbedState, EmbedTarget, NoteTarget, expand
from studio.domain.notes import Note
from studio.domain.questions import Asked, Embedding, What, questions
from studio.memfs.secrets import find_keys, keys_in
from studio.store import notes, tasks
from studio.store.database import Cursor

Key = tuple[str, str | None, EmbedState]
"""An embed that is left out: as it is written, where, and why."""


def of_memory(body: Body, was: str) -> tuple[Asked, ...]:
    """What to ask of a memory, or to mark its version with where nobody is asked."""
    return questions(What.MEMORY, body.shown, was, keys=keys_in(body))


def of_task(cursor: Cursor, text: str, was: str) -> tuple[Asked, ...]:
    """What to ask of a Task."""
    embedding = Embedding(expand(text, embed_targets(cursor, text)).ledger)
    return questions(What.TASK, text, was, keys=find_keys(text), embedding=embedding)


def of_note(cursor: Cursor, note: Note, held: Note | None) -> tuple[Asked, ...]:
    """What to ask of a note: what it brings into the live Tasks that embed it, too.

    Args:
        cursor: the store.
        note: as it is to be.
        held: as it is; None where it is new.
    """
    keys = find_keys(note.body)
    return questions(
        What.NOTE, note.body, held.body if held else "", keys=keys, embedding=_embedding(cursor, note, held)
    )


def _embedding(cursor: Cursor, note: Note, held: Note | None) -> Embedding:
    """Return the embeds of live Tasks that this change breaks or puts over the budget, and those that the note itself brings."""
    path, facts = note.facts.path, note.facts
    between = (path, *(one.facts.path for one in notes.holding(cursor, path)))
    found: dict[Key, EmbedEntry] = {}
    whose: list[str] = []
    for name, task in tasks.holding(cursor, between):
        targets = embed_targets(cursor, task, note.body)
        before = _left_out(task, targets if held else {one: targets[one] for one in targets if one != path})
        after = _left_out(task, {**targets, path: NoteTarget(path, facts.level, facts.title, note.body)})
        new = {key: entry for key, entry in after.items() if key not in before}
        if new:
            whose.append(name)
            found |= new
    tasks_of = f"The live Task{'s' if len(whose) > 1 else ''} of {', '.join(whose)} then"
    return Embedding(tuple(found.values()), tasks_of, path)


def _left_out(task: str, targets: Mapping[str, EmbedTarget]) -> dict[Key, EmbedEntry]:
    return {(one.written, one.within, one.state): one for one in expand(task, targets).left_out}
