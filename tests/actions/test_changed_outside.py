"""What was changed outside of the program is credited to nobody wherever it is listed, and said on every run (decision 38)."""

from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from builders import Clock, blank_file, open_store, overwrite, publish, wake

from studio import studio_get_memory_version, studio_list_memory_revisions
from studio.actions.studio import Studio
from studio.domain.authors import AuthorKind
from studio.domain.settings import AgentSettings
from studio.domain.timeline import Version
from studio.notebook.frames import versions_df

TEXT = "its text does not match its sha256"
AUTHOR = "author, time, run or call are not those that it was stored with"
LINK = "its link is not over its number, hash, size, status and author"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A closed store: `scout` with four memory versions, the third of a run, and three Tasks."""
    store = blank_file(tmp_path)
    with open_store(store, Clock()) as studio:
        studio.create_agent("scout", focus="Watch.")
        overwrite(studio, "scout", "one\n")
        studio.memory_write("scout", "two\n", run=wake(studio, "scout"), call="c_1")
        overwrite(studio, "scout", "three\n")
        publish(studio, "scout", "Watch closely.")
        publish(studio, "scout", "Watch and report.")
    return store


def change(file: Path, statement: str) -> None:
    with duckdb.connect(str(file)) as connection:
        connection.execute(statement)


MEMORY = Studio.list_memory_versions
TASK = Studio.list_task_versions
CHANGES: dict[str, tuple[str, Callable[[Studio, str], tuple[Version, ...]], int, str]] = {
    "a live memory": ("UPDATE memory SET text = 'mine'", MEMORY, 4, TEXT),
    "an archived memory": ("UPDATE memory_revisions SET text = 'mine' WHERE version = 3", MEMORY, 3, TEXT),
    "bytes in place of a text": (
        "UPDATE memory_revisions SET text = NULL, raw = 'mine'::BLOB WHERE version = 3",
        MEMORY,
        3,
        TEXT,
    ),
    "a live Task": ("UPDATE agents SET task = 'Obey.'", TASK, 3, TEXT),
    "an archived Task": ("UPDATE task_revisions SET text = 'Obey.' WHERE version = 2", TASK, 2, TEXT),
    "an author": ("UPDATE memory_revisions SET actor_name = 'Eve' WHERE version = 3", MEMORY, 4, AUTHOR),
    "a time": ("UPDATE memory SET since = since - INTERVAL 1 HOUR", MEMORY, 4, AUTHOR),
    "a run": ("UPDATE memory_revisions SET run_id = NULL WHERE version = 2", MEMORY, 3, AUTHOR),
    "who published": ("UPDATE task_revisions SET actor_name = 'Eve' WHERE version = 2", TASK, 3, AUTHOR),
    "a text with its hash": (
        "UPDATE memory_revisions SET text = 'x', sha256 = sha256('x'), characters = 1 WHERE version = 3",
        MEMORY,
        3,
        LINK,
    ),
    "a status": ("UPDATE memory SET status = 'renamed'", MEMORY, 4, LINK),
}


@pytest.mark.parametrize("what", CHANGES)
def test_it_is_credited_to_nobody(file: Path, what: str) -> None:
    statement, listed, number, how = CHANGES[what]
    with open_store(file) as studio:
        before = {version.number: version for version in listed(studio, "scout")}
    change(file, statement)
    with open_store(file) as studio:
        after = {version.number: version for version in listed(studio, "scout")}
        changed = after.pop(number)
        assert (changed.changed_outside, changed.author.kind) == (how, AuthorKind.UNKNOWN)
        assert (changed.author.evidence, str(changed.author)) == (f"changed outside: {how}", "nobody: changed outside")
        assert (changed.run, changed.call, changed.based_on) == (None, None, None)
        del before[number]
        assert {kept: one.author for kept, one in after.items()} == {kept: one.author for kept, one in before.items()}
        assert all(one.changed_outside is None for one in after.values())


def test_every_place_that_lists_or_opens_it_says_so(file: Path) -> None:
    change(file, "UPDATE memory_revisions SET text = 'mine' WHERE version = 3")
    with open_store(file) as studio:
        agent = studio.get_agent("scout").id
        assert studio.get_memory_version("scout", 3).version.changed_outside == TEXT
        assert studio.compare_memory("scout", 3).new.changed_outside == TEXT
        assert [str(count.author.kind) for count in studio.list_memory_authors("scout")].count("run") == 0
        listed = studio_list_memory_revisions(agent, studio=studio)
        assert [one.get("changed_outside") for one in listed] == [None, TEXT, None, None]
        assert listed[1]["author"]["kind"] == "unknown"
        assert studio_get_memory_version(agent, 3, studio=studio)["changed_outside"] == TEXT
        frame = versions_df(studio, "scout")
        assert frame["changed_outside"].dropna().to_dict() == {1: TEXT}


def test_a_run_and_a_preview_that_read_it_warn(file: Path) -> None:
    change(file, "UPDATE memory SET text = 'mine'; UPDATE agents SET task = 'Obey.'")
    with open_store(file) as studio:
        warned = studio.preview("scout").warnings
        assert warned == (
            f"The Task (version 3) was changed outside of Prompt Studio: {TEXT}; 'studio verify' says more.",
            f"The memory (version 4) was changed outside of Prompt Studio: {TEXT}; 'studio verify' says more.",
        )
        assert studio.get_run(wake(studio, "scout"))[0].composed_from.warnings == warned
        assert studio.preview("scout", task="Another.").warnings == warned[1:]
        assert studio.preview("scout", memory_text="Another.").warnings[:1] == warned[:1]


def test_saving_what_was_there_before_is_a_change(file: Path) -> None:
    """The stored hash is that of the text which is saved, and still the text that the next run reads is another one."""
    change(file, "UPDATE memory SET text = 'mine'; UPDATE agents SET task = 'Obey.'")
    with open_store(file) as studio:
        live = studio.get_memory_version("scout").version
        saved = studio.save_memory("scout", "three\n", expect=live.sha256)
        assert (saved.version, saved.changed) == (5, True)
        assert studio.get_memory_version("scout").body.text == "three\n"
        published = studio.save_task(
            "scout", "Watch and report.", expect=studio.get_task_version("scout").version.sha256
        )
        assert (published.version, published.changed) == (4, True)
        assert studio.preview("scout").warnings == ()
        assert [one.changed_outside for one in studio.list_memory_versions("scout")][:2] == [None, TEXT]
    with open_store(file) as studio:
        assert [one.changed_outside for one in studio.list_memory_versions("scout")] == [None, TEXT, None, None, None]


def test_a_long_archive_is_looked_at_whole(tmp_path: Path) -> None:
    """Beyond the newest versions, which are found by their keys."""
    store = blank_file(tmp_path)
    with open_store(store) as studio:
        studio.create_agent("scout", focus="Watch.")
        studio.configure_agent("scout", AgentSettings(retention=90))
        for number in range(2, 80):
            overwrite(studio, "scout", f"{number}\n")
    change(store, "UPDATE memory_revisions SET text = 'mine' WHERE version = 3")
    with open_store(store) as studio:
        assert [one.number for one in studio.list_memory_versions("scout") if one.changed_outside] == [3]
