"""A memory row that was deleted by hand (decision 8): hydrate recreates it, a write creates it and archives nothing."""

import pytest
from builders import Clock, context_of, delete_live_memory, overwrite, wake

from studio.actions.studio import Studio
from studio.domain.run_kinds import RunKind


@pytest.fixture(autouse=True)
def agent(studio: Studio) -> None:
    studio.create_agent("scout", focus="watch")


def live_rows(studio: Studio) -> int:
    with context_of(studio).database.read() as cursor:
        found = cursor.execute("SELECT count(*) FROM memory").fetchone()
    return int(found[0]) if found else 0


def test_a_run_composes_an_empty_section_and_makes_the_row(studio: Studio) -> None:
    """system-message-13."""
    overwrite(studio, "scout", "gone\n")
    delete_live_memory(studio, "scout")
    run = wake(studio, "scout", RunKind.DIRECT)
    _, (system, *_) = studio.get_run(run)
    assert "<memory>" in system.content
    assert "gone" not in system.content
    assert live_rows(studio) == 1
    newest, *_ = studio.list_memory_versions("scout")
    assert (newest.number, newest.live, newest.characters, str(newest.author)) == (2, True, 0, "no recorded author")


def test_a_preview_makes_no_row(studio: Studio) -> None:
    delete_live_memory(studio, "scout")
    assert "<memory>" in studio.preview("scout").text
    assert live_rows(studio) == 0


@pytest.mark.parametrize("archived", [False, True], ids=["memory-write-16", "with-an-archive"])
def test_a_write_creates_the_row_and_archives_nothing(studio: Studio, archived: bool) -> None:  # noqa: FBT001 - a table
    if archived:
        overwrite(studio, "scout", "old\n", by="Ben")
    run = wake(studio, "scout", RunKind.DIRECT)
    before = studio.list_archive("scout")
    delete_live_memory(studio, "scout")
    studio.memory_write("scout", "new\n", run=run, call="c_7")
    assert studio.list_archive("scout") == before
    newest = studio.list_memory_versions("scout")[0]
    assert (newest.author.name, newest.run, newest.call, newest.based_on, newest.occasion) == (
        run,
        run,
        "c_7",
        newest.number,
        "direct",
    )
    assert studio.list_file_changes("scout")[0].author == newest.author


def test_the_author_is_not_the_one_the_newest_revision_names(studio: Studio) -> None:
    """Decision 8: revision 1 says that Ben wrote version 2, but that row is gone and Ana made this one."""
    overwrite(studio, "scout", "by Ben\n", by="Ben")
    delete_live_memory(studio, "scout")
    overwrite(studio, "scout", "by Ana\n", by="Ana")
    assert [str(version.author) for version in studio.list_memory_versions("scout")] == [
        "operator Ana",
        "no recorded author",
    ]
    overwrite(studio, "scout", "next\n", by="Eve")
    assert [str(version.author) for version in studio.list_memory_versions("scout")] == [
        "operator Eve",
        "operator Ana",
        "no recorded author",
    ]


def test_a_missing_row_reads_as_empty_everywhere(studio: Studio, clock: Clock) -> None:
    overwrite(studio, "scout", "a\nb\n")
    clock.tick()
    overwrite(studio, "scout", "a\nb\nc\n")
    delete_live_memory(studio, "scout")
    newest, *older = studio.list_memory_versions("scout")
    assert (newest.number, newest.live, newest.characters) == (3, True, 0)
    assert [version.number for version in older] == [2, 1]
    assert studio.get_memory_version("scout").body.text == ""
    change = studio.compare_memory("scout", 3).diff
    assert change is not None
    assert (change.counts.added, change.counts.removed) == (newest.added, newest.removed) == (0, 2)


def test_a_recreated_row_counts_against_the_version_before_it(studio: Studio) -> None:
    overwrite(studio, "scout", "a\nb\n")
    overwrite(studio, "scout", "a\nb\nc\n")
    delete_live_memory(studio, "scout")
    overwrite(studio, "scout", "a\nx\n")
    newest = studio.list_memory_versions("scout")[0]
    change = studio.compare_memory("scout", newest.number).diff
    assert change is not None
    assert (newest.added, newest.removed) == (change.counts.added, change.counts.removed) == (1, 1)
