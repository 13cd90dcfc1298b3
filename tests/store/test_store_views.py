"""The analysts' views equal `domain.timeline`, whatever happened to an agent."""

from collections.abc import Iterator
from typing import Any

import pytest
from builders import (
    Clock,
    blank_store,
    context_of,
    delete_live_memory,
    history,
    history_row,
    publish,
    texts_history,
    wake,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from studio.actions.imports import import_history
from studio.actions.studio import Studio
from studio.domain.authors import Author, AuthorKind
from studio.domain.bodies import Body
from studio.domain.settings import AgentSettings
from studio.domain.stand_ins import StandIn, StandInKind
from studio.domain.timeline import Version, timeline
from studio.errors import StudioError
from studio.store import memory, tasks

MEMORY_VIEW = (
    "SELECT version, author_kind, author_name, since, until, added, removed, characters, status, only_changed, is_binary,"
    " live, run_id, call_id, based_on, sha256, stand_in_kind, stands_for FROM memory_versions WHERE agent_id = ? ORDER BY version DESC"
)
TASK_VIEW = (
    "SELECT version, author_kind, author_name, note, since, until, added, removed, characters, only_changed, live, sha256"
    " FROM task_versions WHERE agent_id = ? ORDER BY version DESC"
)
SMALL = st.sampled_from(["", "a\n", "a\nb\n", "a\r\nb\r\n", "\ufeffa\n", "a", "b\nb\nb\n", "😀\n"])
STEP = st.one_of(
    st.tuples(st.just("save"), SMALL, st.sampled_from(["Ana", "Ben"])),
    st.tuples(st.just("write"), SMALL, st.booleans()),
    st.tuples(st.just("restore"), st.integers(1, 9)),
    st.tuples(st.just("delete row")),
    st.tuples(st.just("hydrate")),
    st.tuples(st.just("retention"), st.sampled_from([1, 2, 5, "all"])),
    st.tuples(st.just("publish"), SMALL),
    st.tuples(st.just("restore task"), st.integers(1, 5)),
    st.tuples(st.just("clock"), st.integers(-90, 90)),
)


@pytest.fixture(scope="module")
def long_lived() -> Iterator[tuple[Studio, Clock]]:
    """One store for all examples; each has an agent of its own."""
    clock = Clock()
    with blank_store(clock) as studio:
        yield studio, clock


def memory_row(version: Version) -> tuple[object, ...]:
    author = version.author
    counted = (version.added, version.removed, version.characters, str(version.status), version.only_changed)
    written = (version.run, version.call, version.based_on)
    who = (version.number, str(author.kind), author.name, version.at, version.until)
    stands = (str(version.stand_in.kind), version.stand_in.stands_for) if version.stand_in else (None, None)
    return (*who, *counted, version.binary, version.live, *written, version.sha256, *stands)


def task_row(version: Version) -> tuple[object, ...]:
    author = version.author
    who = (version.number, str(author.kind), author.name, version.note, version.at, version.until)
    return (
        *who,
        version.added,
        version.removed,
        version.characters,
        version.only_changed,
        version.live,
        version.sha256,
    )


def check(studio: Studio, agent: str) -> None:
    """Both views against the domain, and the laws of version numbers."""
    who = studio.get_agent(agent)
    with context_of(studio).database.read() as cursor:
        kept = memory.revisions(cursor, who.id)
        domain = timeline(kept, memory.live_facts(cursor, who.id))
        assert cursor.execute(MEMORY_VIEW, [who.id]).fetchall() == [memory_row(version) for version in domain]
        tasks_kept = timeline(tasks.revisions(cursor, who.id), tasks.live_facts(cursor, who.id))
        assert cursor.execute(TASK_VIEW, [who.id]).fetchall() == [task_row(version) for version in tasks_kept]
    shown = studio.list_memory_versions(agent)
    numbers = [version.number for version in shown]
    assert numbers == list(range(numbers[0], numbers[0] - len(numbers), -1))
    assert len(shown) == len(kept) + 1
    names = studio.list_archive(agent)
    assert sorted(names) == [revision.facts.number for revision in kept]
    assert len(set(names.values())) == len(names)


def archived(studio: Studio, agent: str) -> dict[int, tuple[str, str]]:
    """The archive's texts and hashes by version."""
    with context_of(studio).database.read() as cursor:
        found = cursor.execute(
            "SELECT version, text, sha256 FROM memory_revisions WHERE agent_id = ?", [agent]
        ).fetchall()
    assert all(Body(text).sha256 == sha256 for _, text, sha256 in found)
    return {version: (text, sha256) for version, text, sha256 in found}


def do(studio: Studio, clock: Clock, agent: str, step: tuple[Any, ...]) -> None:
    match step:
        case ("save", text, name):
            studio.save_memory(agent, text, force=True, operator=name)
        case ("write", text, with_run):
            studio.memory_write(agent, text, run=wake(studio, agent) if with_run else None, call="c_1")
        case ("restore", number):
            studio.restore_memory(agent, number)
        case ("delete row",):
            delete_live_memory(studio, agent)
        case ("hydrate",):
            wake(studio, agent)
        case ("retention", kept):
            studio.configure_agent(agent, AgentSettings(retention=kept))
        case ("publish", text):
            publish(studio, agent, text)
        case ("restore task", number):
            studio.restore_task(agent, number)
        case ("clock", seconds):
            clock.tick(seconds)


QUICK = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@QUICK
@given(steps=st.lists(STEP, max_size=10))
def test_views_equal_the_domain_after_anything(long_lived: tuple[Studio, Clock], steps: list[tuple[Any, ...]]) -> None:
    studio, clock = long_lived
    agent = studio.create_agent("scout", focus="watch").id
    before = archived(studio, agent)
    for step in steps:
        listed = studio.list_memory_versions(agent)
        try:
            do(studio, clock, agent, step)
        except StudioError:  # a version that is not kept: then nothing changes
            assert studio.list_memory_versions(agent) == listed
        check(studio, agent)
        after = archived(studio, agent)
        assert all(after[number] == before[number] for number in before.keys() & after.keys()), "a kept text changed"
        before = after


@QUICK
@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from([b"a\n", b"a\nb\n", b"\xe9\n", b"\0", b"", None]),
            st.sampled_from(AuthorKind),
            st.none() | st.text("ab", min_size=1, max_size=2),
            st.none()
            | st.builds(StandIn, st.sampled_from(StandInKind), st.text("ab", min_size=1), st.none() | st.just(7)),
        ),
        min_size=1,
        max_size=8,
    ),
    cut=st.integers(1, 8),
    steps=st.lists(STEP, max_size=4),
)
def test_views_equal_the_domain_after_an_import(
    long_lived: tuple[Studio, Clock],
    rows: list[tuple[bytes | None, AuthorKind, str | None, StandIn | None]],
    cut: int,
    steps: list[tuple[Any, ...]],
) -> None:
    studio, clock = long_lived
    name = f"import {studio.count_agents()}"
    built = [
        history_row(n, content, author=Author(kind, who), stand_in=None if content is None else stand_in)
        for n, (content, kind, who, stand_in) in enumerate(rows, 1)
    ]
    agent = import_history(context_of(studio), name, history(built[:cut])).agent.id
    check(studio, agent)
    import_history(context_of(studio), name, history(built))
    check(studio, agent)
    assert [version.author for version in reversed(studio.list_memory_versions(agent))] == [row.author for row in built]
    for step in steps:
        try:
            do(studio, clock, agent, step)
        except StudioError:
            continue
        check(studio, agent)


def test_the_view_of_a_plain_history_reads_as_the_list_does(long_lived: tuple[Studio, Clock]) -> None:
    studio, _ = long_lived
    agent = import_history(context_of(studio), "plain", texts_history("a\n", "b\n")).agent.id
    with context_of(studio).database.read() as cursor:
        found = cursor.execute(
            "SELECT version, author_kind, author_name, live FROM memory_versions WHERE agent_id = ? ORDER BY version",
            [agent],
        ).fetchall()
    assert found == [(1, "operator", "Ben", False), (2, "operator", "Ben", True)]
