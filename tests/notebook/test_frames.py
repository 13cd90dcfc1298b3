"""`versions_df`: one row for each version, with declared columns and dtypes."""

import shutil
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pandas as pd
import pytest
from builders import Clock, blank_store
from directory_repository import INDEX, MemoryRepository, note
from hypothesis import given, settings
from hypothesis import strategies as st

from studio import Studio, Version
from studio.domain.authors import AuthorKind
from studio.domain.timeline import Origin, Status
from studio.errors import BadAuthorFilter, NothingToRead, UnknownAgent, UnknownAuthor
from studio.notebook import VERSION_COLUMNS, versions_df

NOW = datetime(2026, 9, 13, 9, 0, 12, tzinfo=UTC)
WRITES = st.lists(st.tuples(st.sampled_from(["Ana", "Ben", None]), st.text("ab\n", max_size=12)), max_size=6)
"""Who writes what: an operator by name, or the agent itself."""


def a_studio() -> AbstractContextManager[Studio]:
    return blank_store(Clock(NOW))


def replay(studio: Studio, agent: str, writes: list[tuple[str | None, str]]) -> None:
    studio.create_agent(agent)
    for operator, text in writes:
        if operator is None:
            studio.memory_write(agent, text)
        else:
            studio.save_memory(agent, text, force=True, operator=operator, yes_to=("empty",))


def as_row(version: Version) -> tuple[object, ...]:
    """What a frame's row must say of a version."""
    author = version.author
    who = (version.number, author.kind, author.name, author.via, author.evidence, version.at, version.until)
    counts = (version.added, version.removed, version.characters, version.status, version.live)
    stands = (version.stand_in.kind, version.stand_in.stands_for) if version.stand_in else (None, None)
    written = (version.run, version.call, version.based_on)
    origin = version.origin or Origin()
    came_from = (origin.commit, origin.subject, origin.path, origin.old_path)
    said = (",".join(version.marks) or None, version.changed_outside)
    return (*who, *counts, *written, version.only_changed, version.first_kept, *stands, *came_from, *said)


def rows_of(frame: pd.DataFrame) -> list[tuple[object, ...]]:
    plain = frame.drop(columns=["agent", "agent_name"]).astype(object)
    return [tuple(None if pd.isna(value) else value for value in row) for row in plain.itertuples(index=False)]


@settings(max_examples=15, deadline=None)
@given(WRITES)
def test_rows_are_the_versions_listed(writes: list[tuple[str | None, str]]) -> None:
    with a_studio() as studio:
        replay(studio, "researcher", writes)
        frame = versions_df(studio, "researcher")
        assert rows_of(frame) == [as_row(version) for version in studio.list_memory_versions("researcher")]


@settings(max_examples=10, deadline=None)
@given(WRITES, WRITES)
def test_all_agents_are_the_single_agents_put_together(
    first: list[tuple[str | None, str]], second: list[tuple[str | None, str]]
) -> None:
    with a_studio() as studio:
        replay(studio, "first", first)
        replay(studio, "second", second)
        together = pd.concat([versions_df(studio, name) for name in ("first", "second")], ignore_index=True)
        pd.testing.assert_frame_equal(versions_df(studio), together)


@pytest.mark.parametrize("text", ["memory", "task"])
@pytest.mark.parametrize("agents", [0, 1], ids=["empty-store", "one-agent"])
def test_columns_and_dtypes_are_the_declared_ones(agents: int, text: str) -> None:
    with a_studio() as studio:
        for number in range(agents):
            replay(studio, f"agent {number}", [("Ana", "one\n"), (None, "two\n")])
        frame = versions_df(studio, text=text)  # type: ignore[arg-type]
    assert list(frame) == list(VERSION_COLUMNS)
    assert {name: str(dtype) for name, dtype in frame.dtypes.items()} == VERSION_COLUMNS
    assert list(frame["author_kind"].cat.categories) == list(AuthorKind)
    assert list(frame["status"].cat.categories) == list(Status)
    assert len(frame) == (0 if not agents else 3 if text == "memory" else 1)


def test_times_are_utc_and_the_live_version_has_no_end() -> None:
    with a_studio() as studio:
        replay(studio, "researcher", [("Ana", "one\n")])
        frame = versions_df(studio, "researcher").set_index("version")
    assert frame.loc[2, "at"] == NOW
    assert frame["at"].dt.tz.utcoffset(None) == timedelta(0)
    assert frame["until"].isna().to_dict() == {2: True, 1: False}
    assert frame["live"].to_dict() == {2: True, 1: False}


def test_missing_is_never_zero_and_never_an_empty_text() -> None:
    with a_studio() as studio:
        replay(studio, "researcher", [(None, "one\n")])
        newest, oldest = versions_df(studio, "researcher").itertuples()
    assert (newest.author_name, newest.added, newest.removed) == ("researcher", 1, 0)
    assert oldest.author_name is pd.NA
    assert newest.run is pd.NA
    assert newest.based_on is pd.NA


@pytest.mark.parametrize(
    ("author", "versions"),
    [("operator", [4, 2]), ("operator:Ana", [2]), ("agent", [3]), ("unknown", [1]), ("run", []), (None, [4, 3, 2, 1])],
)
def test_an_author_filter_keeps_numbers_and_counts(author: str | None, versions: list[int]) -> None:
    with a_studio() as studio:
        replay(studio, "researcher", [("Ana", "one\n"), (None, "two\n"), ("Ben", "three\n")])
        everyone = versions_df(studio, "researcher")
        kept = versions_df(studio, "researcher", author=author)
        assert list(kept["version"]) == versions
        assert rows_of(kept) == rows_of(everyone[everyone["version"].isin(versions)])


def test_a_filter_over_all_agents_needs_the_author_only_once() -> None:
    with a_studio() as studio:
        replay(studio, "first", [("Ana", "one\n")])
        replay(studio, "second", [("Ben", "one\n")])
        assert list(versions_df(studio, author="operator:Ben")["agent_name"]) == ["second"]
        with pytest.raises(UnknownAuthor, match="operator:Ana, operator:Ben"):
            versions_df(studio, author="operator:Cleo")


def test_what_is_not_there_is_refused_in_a_sentence() -> None:
    with a_studio() as studio:
        with pytest.raises(UnknownAgent):
            versions_df(studio, "nobody")
        with pytest.raises(BadAuthorFilter):
            versions_df(studio, author="robot")


def test_a_directory_agents_versions_are_rows_as_any(tmp_path: Path) -> None:
    """Decision 1: its versions are the commits that changed its compiled memory."""
    repository = MemoryRepository.make(tmp_path / "memory", {**INDEX, "human.md": note()})
    with a_studio() as studio:
        studio.create_agent("keeper")
        studio.directories.link(str(repository.folder), "keeper")
        frame = versions_df(studio, "keeper")
        assert rows_of(frame) == [as_row(version) for version in studio.list_memory_versions("keeper")]
        assert list(frame["author_name"]) == ["Ana"]


def test_of_all_agents_one_whose_directory_is_gone_is_left_out_with_a_warning(tmp_path: Path) -> None:
    repository = MemoryRepository.make(tmp_path / "memory", INDEX)
    with a_studio() as studio:
        replay(studio, "first", [("Ana", "one\n")])
        studio.create_agent("keeper")
        studio.directories.link(str(repository.folder), "keeper")
        shutil.rmtree(repository.folder)
        with pytest.warns(UserWarning, match="keeper is left out. .* does not exist"):
            frame = versions_df(studio)
        assert set(frame["agent_name"]) == {"first"}
        assert set(versions_df(studio, text="task")["agent_name"]) == {"first", "keeper"}
        with pytest.raises(NothingToRead):
            versions_df(studio, "keeper")
