"""`memory_write`: a full replacement by the agent, at most 12,000 characters (decisions 5 to 10)."""

import pytest
from builders import Clock, overwrite, wake

from studio.actions.studio import Studio
from studio.domain.runs import RunStatus
from studio.domain.settings import AgentSettings
from studio.errors import MemoryTooLong, NoMemoryWrite, RunOver, UnknownRun, UnusableText


@pytest.fixture(autouse=True)
def agent(studio: Studio) -> None:
    studio.create_agent("scout", focus="watch")


def state(studio: Studio) -> tuple[object, ...]:
    """All that a refused or unchanging write must leave alone."""
    return (
        studio.get_memory_version("scout"),
        studio.list_memory_versions("scout"),
        studio.list_archive("scout"),
        studio.list_file_changes("scout"),
    )


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("x" * 11_999, id="memory-write-01"),
        pytest.param("x" * 11_999 + "😀", id="memory-write-04"),
        pytest.param("😀" * 12_000, id="12000-astral"),
        pytest.param("x" * 11_999 + "\n", id="11999-and-newline"),
        pytest.param("\r\n" * 6_000, id="6000-crlf"),
        pytest.param("\ufeff" + "x" * 11_999, id="bom-counts"),
    ],
)
def test_a_text_up_to_the_cap_is_stored(studio: Studio, content: str) -> None:
    assert studio.memory_write("scout", content).version == 2
    assert studio.get_memory_version("scout").body.text == content


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("x" * 12_001, id="memory-write-03"),
        pytest.param("x" * 12_000 + "\n", id="memory-write-06"),
        pytest.param("x" * 12_390 + "\ncorrection", id="size-02"),
        pytest.param("e\u0301" * 6_000 + "x", id="combining-accents-count"),
    ],
)
def test_a_text_over_the_cap_is_refused_whole(studio: Studio, content: str) -> None:
    studio.memory_write("scout", "kept\n")
    before = state(studio)
    with pytest.raises(MemoryTooLong, match=r"^memory exceeds 12000 characters$"):
        studio.memory_write("scout", content)
    assert state(studio) == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("é\n", "e\u0301\n", id="memory-write-09"),
        pytest.param("a\nb\n", "a\r\nb\r\n", id="memory-write-10"),
        pytest.param("a\n", "a", id="final-newline"),
        pytest.param("a\n", "\ufeffa\n", id="bom"),
        pytest.param("a\n", "", id="memory-write-13"),
    ],
)
def test_a_text_that_differs_in_any_byte_is_a_version(studio: Studio, old: str, new: str) -> None:
    studio.memory_write("scout", old)
    assert studio.memory_write("scout", new).changed
    assert studio.get_memory_version("scout").body.text == new
    assert studio.get_memory_version("scout", 2).body.text == old


def test_a_byte_identical_write_leaves_everything_as_it_is(studio: Studio, clock: Clock) -> None:
    """memory-write-07, timeline-16: not even the time or the author change."""
    run, other = wake(studio, "scout"), wake(studio, "scout")
    made = studio.memory_write("scout", "kept\n", run=run)
    before = state(studio)
    clock.tick()
    again = studio.memory_write("scout", "kept\n", run=other)
    assert (again.version, again.changed, again.sha256) == (made.version, False, made.sha256)
    assert state(studio) == before


def test_the_first_write_archives_the_empty_text(studio: Studio) -> None:
    """memory-write-15: otherwise the first written version would be the oldest and lose its author."""
    run = wake(studio, "scout")
    studio.memory_write("scout", "first\n", run=run, call="c_1")
    newest, oldest = studio.list_memory_versions("scout")
    assert studio.get_memory_version("scout", 1).body.text == ""
    assert (newest.author.name, newest.run, newest.call) == (run, run, "c_1")
    assert str(oldest.author) == "no recorded author"


def test_without_a_run_on_record_the_author_is_the_agent(studio: Studio) -> None:
    """timeline-09."""
    studio.memory_write("scout", "x")
    version = studio.list_memory_versions("scout", author="agent")[0]
    assert (str(version.author), version.run) == ("agent scout", None)


def test_each_write_of_one_run_opens_its_own_call(studio: Studio) -> None:
    """timeline-12, timeline-13."""
    run = wake(studio, "scout")
    studio.memory_write("scout", "one\n", run=run, call="c_1")
    studio.memory_write("scout", "two\n", run=run, call="c_2")
    assert [(version.run, version.call) for version in studio.list_memory_versions("scout")] == [
        (run, "c_2"),
        (run, "c_1"),
        (None, None),
    ]
    assert [(change.version, change.run, change.call) for change in studio.list_file_changes("scout")] == [
        (3, run, "c_2"),
        (2, run, "c_1"),
    ]


def test_a_stale_replacement_goes_through_and_loses_nothing(studio: Studio) -> None:
    """concurrency-01: a full replacement by rule; what it replaced is archived with who replaced it."""
    studio.memory_write("scout", "A\n")
    first, second = wake(studio, "scout"), wake(studio, "scout")
    studio.memory_write("scout", "A\nB\nC\n", run=second)
    studio.memory_write("scout", "A2\n", run=first)
    assert [version.author.name for version in studio.list_memory_versions("scout")] == [first, second, "scout", None]
    assert studio.get_memory_version("scout", 3).body.text == "A\nB\nC\n"


def test_a_version_names_the_version_its_run_had_read(studio: Studio) -> None:
    """concurrency-09, decision 36: the operator sees that version 5 was written over version 4 unread."""
    overwrite(studio, "scout", "two\n")
    overwrite(studio, "scout", "three\n")
    reader = wake(studio, "scout")
    studio.memory_write("scout", "four\n", run=wake(studio, "scout"))
    made = studio.memory_write("scout", "five\n", run=reader)
    newest = studio.list_memory_versions("scout")[0]
    assert (made.version, newest.based_on) == (5, 3)


@pytest.mark.parametrize("settings", [AgentSettings(memory=False), AgentSettings(memory_write=False)])
def test_a_tool_that_is_not_offered_writes_nothing(studio: Studio, settings: AgentSettings) -> None:
    """Decisions 9 and 10."""
    studio.configure_agent("scout", settings)
    before = state(studio)
    with pytest.raises(NoMemoryWrite, match="not offered to scout"):
        studio.memory_write("scout", "x")
    assert state(studio) == before


@pytest.mark.parametrize("content", ["a\0", "a\ud800"], ids=["nul", "lone-surrogate"])
def test_what_no_store_can_hold_is_refused(studio: Studio, content: str) -> None:
    before = state(studio)
    with pytest.raises(UnusableText):
        studio.memory_write("scout", content)
    assert state(studio) == before


def test_a_run_that_has_ended_writes_nothing_more(studio: Studio) -> None:
    run = wake(studio, "scout")
    studio.finish_run(run, RunStatus.STOPPED)
    before = state(studio)
    with pytest.raises(RunOver, match="is stopped"):
        studio.memory_write("scout", "too late\n", run=run)
    assert state(studio) == before


def test_a_run_of_another_agent_cannot_write_here(studio: Studio) -> None:
    studio.create_agent("other", focus="x")
    before = state(studio)
    for run in (wake(studio, "other"), "r_none", "r_\ud800"):
        with pytest.raises(UnknownRun):
            studio.memory_write("scout", "x", run=run)
    assert state(studio) == before
