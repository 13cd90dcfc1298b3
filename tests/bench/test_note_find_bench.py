"""Finding notes among ten thousand takes about 50 ms (issue 3, Speed)."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import START, context_of, open_store
from speed import Line, SpeedTable, in_turn

from studio.actions.studio import Studio
from studio.domain.authors import operator
from studio.domain.notes import make_note, note_place
from studio.store import notes

NOTES, WORDS_EACH, TURNS = 10_000, 300, 20
ABOUT_SECONDS = 0.050
TIMES_SCANNING = 6
SCAN = "SELECT count(*) FROM notes WHERE contains(folded_body, ?)"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """Ten thousand notes of 2 KB each, written as the store writes them."""
    folder: Path = tmp_path_factory.mktemp("bench")
    words = [f"{stem}{number}" for stem in ("harbour", "crane", "ferry") for number in range(1_000)]
    chance = random.Random(7)
    with open_store(folder / "studio.duckdb") as opened:
        opened.create_agent("scout")
        first = opened.notes.path("0.md")
        with context_of(opened).database.tx() as cursor:
            for number in range(NOTES):
                place = note_place(first.replace("0.md", f"{number}.md"))
                body = f"# {chance.choice(words)}\n{' '.join(chance.choices(words, k=WORDS_EACH))}"
                notes.insert(cursor, place, make_note(place, body, None, START, operator("Ana")))
        yield opened


@pytest.mark.parametrize(
    ("search", "some"),
    [("harbour77 ferry5", True), ("crane500", True), ("lighthouse", False)],
    ids=["two words", "one word", "no note has it"],
)
def test_finding_among_ten_thousand(studio: Studio, search: str, speed_table: SpeedTable, *, some: bool) -> None:
    """Peer: one scan of the same bodies for one of the words, which any search must pay."""
    assert bool(studio.notes.find(search)) is some
    word = search.split(maxsplit=1)[0]

    def scan(_: int) -> None:
        with context_of(studio).database.read() as cursor:
            cursor.execute(SCAN, [word]).fetchall()

    finding, scanning = in_turn(TURNS, lambda _: studio.notes.find(search), scan)
    line = speed_table.add(
        Line(
            f"find {search!r} among {NOTES:,} notes",
            finding,
            "one scan of the bodies",
            scanning,
            f"about {ABOUT_SECONDS * 1e3:.0f} ms, at most {TIMES_SCANNING} scans",
        )
    )
    assert line.ratio < TIMES_SCANNING
    assert finding.best < 2 * ABOUT_SECONDS
