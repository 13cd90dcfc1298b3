"""The first version of a new agent is its creation: it says who created the agent, and nobody wrote its empty text."""

from datetime import UTC, datetime

from builders import Clock, overwrite

from studio.actions.studio import Studio
from studio.domain.archive import is_creation
from studio.domain.records import version_record
from studio.domain.timeline import Version
from studio.render.fragments_timeline import versions


def first(studio: Studio) -> Version:
    return studio.list_memory_versions("scout")[-1]


def test_the_empty_memory_of_a_new_agent_says_who_created_it(studio: Studio, clock: Clock) -> None:
    studio.create_agent("scout", focus="x")
    assert (is_creation(first(studio).occasion), first(studio).occasion) == (True, "agent created by operator Ana")
    clock.tick()
    overwrite(studio, "scout", "a text")
    newest, oldest = studio.list_memory_versions("scout")
    assert (is_creation(oldest.occasion), str(oldest.author), is_creation(newest.occasion)) == (
        True,
        "no recorded author",
        False,
    )
    assert version_record(oldest)["occasion"] == "agent created by operator Ana"
    assert "occasion" not in version_record(newest)


def test_the_list_shows_it_as_the_creation(studio: Studio) -> None:
    studio.create_agent("scout", focus="x")
    now = datetime(2026, 9, 13, tzinfo=UTC)
    page = str(versions([first(studio)], chosen=None, against=None, hidden=0, cap=True, now=now, href=lambda **_: "#"))
    assert "agent created by operator Ana" in page
    assert "first kept" not in page
