"""`TimelineExplorer`: agent, author and version are chosen by their values; the change follows."""

import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from builders import Clock, blank_store
from directory_repository import INDEX, MemoryRepository, note

from studio import Comparison, Studio
from studio.notebook import TimelineExplorer

HOSTILE = "<img src=x onerror=alert(1)>\n</memory>\n<script>alert(2)</script>\n"


@pytest.fixture
def studio() -> Iterator[Studio]:
    with blank_store(Clock(datetime(2026, 9, 13, 9, 0, 12, tzinfo=UTC))) as opened:
        opened.create_agent("first")
        opened.save_memory("first", "apples\n", force=True)
        opened.memory_write("first", "apples\npears\n")
        opened.save_memory("first", "apples\npears\nplums\n", force=True, operator="Ben")
        opened.create_agent("second")
        opened.save_memory("second", HOSTILE, force=True)
        yield opened


def words(html: str) -> str:
    """What a person reads of some HTML."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", re.sub(r"(?s)<style>.*?</style>", "", html)))


def test_it_opens_with_the_newest_version_of_the_agent_named(studio: Studio) -> None:
    explorer = TimelineExplorer(studio, "second")
    assert (explorer.agent.value, explorer.author.value) == (studio.get_agent("second").id, "")
    assert explorer.version.value == 2
    assert repr(explorer) == "TimelineExplorer(agent='second', author='everyone', version=2)"


def test_it_opens_with_the_first_agent_when_none_is_named(studio: Studio) -> None:
    assert TimelineExplorer(studio).agent.label == "first"


def test_the_slider_goes_from_the_oldest_to_the_newest(studio: Studio) -> None:
    assert [number for _, number in TimelineExplorer(studio).version.options] == [1, 2, 3, 4]


def test_choosing_a_version_shows_its_change(studio: Studio) -> None:
    explorer = TimelineExplorer(studio)
    explorer.version.value = 3
    assert "Change from version 2 to version 3: +1 −0 lines" in words(explorer.change.value)
    assert "pears" in words(explorer.change.value)
    assert "plums" not in words(explorer.change.value)


def test_the_author_filter_counts_kinds_and_single_authors(studio: Studio) -> None:
    options = dict(TimelineExplorer(studio).author.options)
    assert options["everyone (4)"] == ""
    assert options["any operator (2)"] == "operator"
    assert options["any run (0)"] == "run"
    assert options["operator Ben (1)"] == "operator:Ben"


def test_choosing_an_author_leaves_their_versions_and_says_so(studio: Studio) -> None:
    explorer = TimelineExplorer(studio)
    explorer.author.value = "operator"
    assert [number for _, number in explorer.version.options] == [2, 4]
    assert explorer.version.value == 4
    assert "The filter hides 2 of 4 versions." in words(explorer.note.value)
    explorer.author.value = "operator:Ana"
    assert explorer.version.value == 2


def test_a_filter_that_leaves_nothing_says_so_and_can_be_left(studio: Studio) -> None:
    explorer = TimelineExplorer(studio)
    explorer.author.value = "run"
    assert "No version is by any run. The filter hides 4 of 4 versions." in words(explorer.note.value)
    assert (explorer.version.value, explorer.version.disabled, explorer.change.value) == (0, True, "")
    explorer.author.value = ""
    assert (explorer.version.value, explorer.version.disabled) == (4, False)


def test_another_agent_keeps_a_filter_it_knows_and_drops_one_it_does_not(studio: Studio) -> None:
    explorer = TimelineExplorer(studio, "first")
    explorer.author.value = "operator:Ana"
    explorer.agent.value = studio.get_agent("second").id
    assert (explorer.author.value, explorer.version.value) == ("operator:Ana", 2)
    explorer.agent.value = studio.get_agent("first").id
    explorer.author.value = "operator:Ben"
    explorer.agent.value = studio.get_agent("second").id
    assert (explorer.author.value, explorer.version.value) == ("", 2)


def test_hostile_memory_stays_text(studio: Studio) -> None:
    change = TimelineExplorer(studio, "second").change.value
    assert "<img" not in change
    assert "<script" not in change
    assert "</memory>" not in change
    assert "&lt;img src=x onerror=alert(1)&gt;" in re.sub(r"</?(ins|del|mark|span)[^>]*>", "", change)


def test_each_version_is_compared_once_when_an_agent_is_chosen(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = TimelineExplorer(studio, "first")
    compared: list[int] = []
    compare = studio.compare_memory

    def counted(agent: str, number: int) -> Comparison:
        compared.append(number)
        return compare(agent, number)

    monkeypatch.setattr(studio, "compare_memory", counted)
    explorer.agent.value = studio.get_agent("second").id
    assert compared == [2]


def test_a_store_without_agents_says_so() -> None:
    with blank_store() as empty:
        explorer = TimelineExplorer(empty)
        assert "no agent" in words(explorer.note.value)


def test_agents_of_one_name_are_told_apart(studio: Studio) -> None:
    second = studio.create_agent("second")
    explorer = TimelineExplorer(studio, second.id)
    assert explorer.agent.label == f"second ({second.id})"


def test_a_memory_directory_is_explored_as_any_memory_and_named_when_it_is_gone(studio: Studio, tmp_path: Path) -> None:
    repository = MemoryRepository.make(tmp_path / "memory", {**INDEX, "human.md": note("Be brief.\n")})
    keeper = studio.create_agent("keeper").id
    studio.directories.link(str(repository.folder), keeper)
    explorer = TimelineExplorer(studio, "keeper")
    assert "Be brief." in words(explorer.change.value)
    shutil.rmtree(repository.folder)
    explorer.author.value = "operator"
    assert "does not exist" in words(explorer.note.value)
    assert (explorer.version.value, explorer.version.disabled, explorer.change.value) == (0, True, "")
    assert "does not exist" in words(TimelineExplorer(studio, keeper).note.value)
    explorer.agent.value = studio.get_agent("first").id
    assert explorer.version.value == 4
