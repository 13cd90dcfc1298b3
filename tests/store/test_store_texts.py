"""Texts go through the store byte for byte, and their counts are git's (decisions 5 and 15)."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import TEXTS, blank_store, overwrite, publish, texts_history
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from studio.actions.imports import import_history
from studio.actions.studio import Studio
from studio.domain.bodies import Body

QUICK = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
LINES = st.lists(st.sampled_from(["a", "b", "c", "", " a", "é", "😀", "a\r", "\ufeffa"]), max_size=8)
LINED = st.builds(lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n", "\r\n"]))


@pytest.fixture(scope="module")
def long_lived() -> Iterator[Studio]:
    with blank_store() as studio:
        studio.create_agent("scout", focus="x")
        yield studio


@QUICK
@given(text=TEXTS, after=TEXTS)
@example(text="\ufeffa\r\nb", after="")
@example(text="😀\U0010ffff\u2028\x85\x0b", after="\r")
@example(text="'; DROP TABLE memory; -- $1 ? {{x}}", after="\\0")
def test_any_text_comes_back_as_it_was(long_lived: Studio, text: str, after: str) -> None:
    for write, read in (
        (overwrite, long_lived.get_memory_version),
        (publish, long_lived.get_task_version),
    ):
        first = write(long_lived, "scout", text)
        live = read("scout", first)
        assert (live.body.text, live.version.sha256, live.version.characters) == (text, Body(text).sha256, len(text))
        write(long_lived, "scout", after)
        assert read("scout", first).body.content == text.encode()
        assert read("scout").body.text == after


@QUICK
@given(content=st.binary(max_size=40), after=st.binary(max_size=40))
def test_any_imported_bytes_come_back_as_they_were(long_lived: Studio, content: bytes, after: bytes) -> None:
    name = f"import {long_lived.count_agents()}"
    import_history(long_lived._context, name, texts_history(content, after))
    assert long_lived.get_memory_version(name, 1).body.content == content
    assert long_lived.get_memory_version(name, 2).body.content == after


def test_stored_counts_are_gits(tmp_path: Path) -> None:
    """Decision 15, over a batch of pairs in one `git diff --minimal --numstat`."""
    pairs: list[tuple[str, str]] = []

    @settings(max_examples=70, deadline=None, database=None, derandomize=True)
    @given(LINED, LINED)
    def gather(old: str, new: str) -> None:
        pairs.append((old, new))

    gather()
    stored: dict[str, tuple[int | None, int | None]] = {}
    with blank_store() as studio:
        studio.create_agent("scout", focus="x")
        for number, (old, new) in enumerate(pairs):
            for side, text in (("a", old), ("b", new)):
                (tmp_path / side).mkdir(exist_ok=True)
                (tmp_path / side / f"{number}.md").write_bytes(text.encode())
            overwrite(studio, "scout", old)
            version = studio.list_memory_versions("scout")[0].number
            if overwrite(studio, "scout", new) > version:
                newest = studio.list_memory_versions("scout")[0]
                stored[f"{number}.md"] = (newest.added, newest.removed)
    command = ["git", "diff", "--no-index", "--minimal", "--numstat", "--no-renames", "a", "b"]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    counted: dict[str, tuple[int | None, int | None]] = {}
    for line in told.splitlines():
        added, removed, path = line.split("\t")
        counted[path.split("/")[-1].rstrip("}")] = (int(added), int(removed))
    assert len(stored) > 30
    assert stored == counted
