"""Lists of notes by whose they are, a part of a long one at a time."""

from collections.abc import Iterator

import pytest
from builders import blank_store

from studio import Studio
from studio.domain.notes import NoteFacts
from studio.domain.places import Level, parse_place


@pytest.fixture
def studio() -> Iterator[Studio]:
    with blank_store() as opened:
        opened.create_agent("scout", guild="Harbour")
        opened.create_agent("other", guild="Harbour")
        for name in ("b.md", "a.md", "folder/c.md"):
            for owner in ({"agent": "scout"}, {"agent": "other"}, {"guild": "Harbour"}, {}):
                opened.notes.create(opened.notes.path(name, **owner), f"Text of {name}.\n")
        yield opened


def names(notes: tuple[NoteFacts, ...]) -> list[str]:
    return [parse_place(one.path).name for one in notes]


@pytest.mark.parametrize("level", list(Level))
def test_one_owners_notes_are_those_of_the_whole_list(studio: Studio, level: Level) -> None:
    scout = studio.get_agent("scout")
    owner = str({Level.AGENT: scout.id, Level.GUILD: scout.guild, Level.ORG: scout.org}[level])
    listed = studio.notes.list(level=level, owner=owner)
    assert listed == tuple(one for one in studio.notes.list() if parse_place(one.path).owner == owner)
    assert names(listed) == ["a.md", "b.md", "folder/c.md"]
    assert studio.notes.count(level, owner) == len(listed)


def test_a_limit_keeps_the_first(studio: Studio) -> None:
    scout = studio.get_agent("scout").id
    assert names(studio.notes.list(level=Level.AGENT, owner=scout, limit=2)) == ["a.md", "b.md"]
    assert studio.notes.list(limit=2) == studio.notes.list()[:2]
    assert studio.notes.list(as_agent="scout", limit=2) == studio.notes.list(as_agent="scout")[:2]


def test_an_agent_lists_nothing_of_another_even_by_owner(studio: Studio) -> None:
    other = studio.get_agent("other").id
    assert studio.notes.list(level=Level.AGENT, owner=other, as_agent="scout") == ()
