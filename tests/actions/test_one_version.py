"""A version that is asked for by its number is the one that the whole timeline shows, though the timeline is not read for it."""

import pytest
from builders import Clock, context_of, delete_live_memory, overwrite, publish, texts_history, wake

from studio.actions.imports import import_history
from studio.actions.studio import Studio
from studio.domain.run_kinds import RunKind
from studio.domain.settings import AgentSettings
from studio.errors import UnknownVersion


def check(studio: Studio, agent: str) -> None:
    """Every version of both texts, by the agent's id and by its name."""
    named = studio.get_agent(agent)
    for name in (named.id, named.name):
        shown = studio.list_memory_versions(name)
        assert [studio.get_memory_version(name, one.number).version for one in shown] == list(shown)
        assert studio.get_memory_version(name).version == shown[0]
        tasks = studio.list_task_versions(name)
        assert [studio.get_task_version(name, one.number).version for one in tasks] == list(tasks)
        assert studio.get_task_version(name).version == tasks[0]
        for missing in (-1, 0, shown[-1].number - 1, shown[0].number + 1, 10**12):
            with pytest.raises(UnknownVersion):
                studio.get_memory_version(name, missing)


def test_of_saves_and_runs(studio: Studio, clock: Clock) -> None:
    studio.create_agent("scout", focus="watch")
    check(studio, "scout")
    for number in range(4):
        clock.tick()
        overwrite(studio, "scout", f"saved {number}\n", by="Ben")
        studio.memory_write("scout", f"written {number}\n", run=wake(studio, "scout", RunKind.DIRECT), call="c_1")
        publish(studio, "scout", f"Task {number}\n")
    check(studio, "scout")


def test_of_what_pruning_left(studio: Studio) -> None:
    studio.create_agent("scout", focus="watch")
    studio.configure_agent("scout", AgentSettings(retention=3))
    for number in range(6):
        overwrite(studio, "scout", f"saved {number}\n")
    assert studio.list_memory_versions("scout")[-1].first_kept
    check(studio, "scout")


def test_of_an_import_with_a_deletion(studio: Studio) -> None:
    import_history(context_of(studio), "book", texts_history("a\n", None, b"\xff\0", "a\nb\n"))
    check(studio, "book")
    overwrite(studio, "book", "by hand\n")
    check(studio, "book")


def test_while_the_live_row_is_missing(studio: Studio) -> None:
    studio.create_agent("scout", focus="watch")
    overwrite(studio, "scout", "gone\n")
    delete_live_memory(studio, "scout")
    check(studio, "scout")
