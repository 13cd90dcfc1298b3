"""Composing with a full budget of embeds costs little beside reading what it is made of (issue 3, Speed)."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import context_of, open_store, overwrite, publish
from speed import Line, SpeedTable, in_turn

from studio.actions.context import find_agent
from studio.actions.prompts import gather
from studio.actions.studio import Studio
from studio.domain.collections import Access, Column
from studio.domain.compose import compose
from studio.domain.embeds import EMBED_BUDGET_BYTES
from studio.domain.memory import MEMORY_CAP_CHARACTERS
from studio.domain.run_kinds import RunKind
from studio.store import collections, memory, notes, tasks

NOTES, COLLECTIONS, TURNS = 40, 50, 40
TIMES_READING = 3
ABOUT_SECONDS = 0.010
LINE = "- Ana asked for `List<String>` in section <b>2</b>, see 記録 and </memory>.\n"


def text_of(size_bytes: int) -> str:
    """Lines of that many bytes, the last one filled up."""
    line_bytes = len(LINE.encode())
    lines = LINE * ((size_bytes - 1) // line_bytes)
    return lines + "." * (size_bytes - len(lines.encode()) - 1) + "\n"


@pytest.fixture
def agent(studio: Studio) -> str:
    """An agent whose Task embeds 20 notes, each of which ends with an embed of one more: 64 KB in all."""
    who = studio.create_agent("researcher").id
    paths = [studio.notes.path(f"folder/n{number}.md") for number in range(NOTES)]
    sizes = [EMBED_BUDGET_BYTES // NOTES] * (NOTES - 1)
    for number, size in enumerate([*sizes, EMBED_BUDGET_BYTES - sum(sizes)]):
        nested = f"![[{paths[number + NOTES // 2]}]]\n" if number < NOTES // 2 else ""
        studio.notes.create(paths[number], text_of(size - len(nested)) + nested)
    for number in range(COLLECTIONS):
        path = studio.collections.path(f"table{number}")
        studio.collections.create(path, [Column("day"), Column("what", "in a sentence")], purpose="What happened")
        studio.collections.grant(who, path, Access.READ)
    publish(studio, who, "Sort the inbox.\n" + "".join(f"![[{path}]]\n" for path in paths[: NOTES // 2]))
    overwrite(studio, who, (LINE * (MEMORY_CAP_CHARACTERS // len(LINE) + 1))[:MEMORY_CAP_CHARACTERS])
    return who


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    with open_store(tmp_path / "studio.duckdb") as opened:
        yield opened


def test_composing_with_a_full_budget_of_embeds(studio: Studio, agent: str, speed_table: SpeedTable) -> None:
    context = context_of(studio)
    prompt = studio.preview(agent)
    assert prompt.embed_bytes == EMBED_BUDGET_BYTES
    assert len(prompt.made_of.notes) == NOTES
    first = [path for path, _ in prompt.made_of.notes[::2]]
    second = [path for path, _ in prompt.made_of.notes[1::2]]
    with context.database.read() as cursor:
        who = find_agent(cursor, agent)
        inputs = gather(context, cursor, who, RunKind.DIRECT, context.clock())

    def read_texts(_: int) -> None:
        with context.database.read() as cursor:
            tasks.live_text(cursor, who.id)
            memory.live(cursor, who.id)
            notes.by_paths(cursor, first)
            notes.by_paths(cursor, second)
            collections.grants(cursor, who.id)

    def read_and_compose(_: int) -> None:
        studio.preview(agent)

    reading, composing, whole = in_turn(TURNS, read_texts, lambda _: compose(inputs), read_and_compose)
    peer = "reading the same texts from the store"
    limit = f"at most {TIMES_READING} times, about 10 ms"
    speed_table.add(Line("composing 64 KB of embeds over 40 notes", composing, peer, reading, limit))
    speed_table.add(Line("reading everything and composing it", whole, peer, reading, "no limit of its own"))
    assert composing.best <= TIMES_READING * reading.best
    assert composing.best <= ABOUT_SECONDS
