"""The demo's runs keep the rules that every run keeps."""

from collections.abc import Iterator

import pytest
from builders import blank_store

from studio.actions.studio import Studio
from studio.domain.run_machine import REMINDER
from studio.domain.runs import Message, Role, Run, RunStatus
from studio.errors import NotEmpty


@pytest.fixture(scope="module")
def demo() -> Iterator[Studio]:
    with blank_store() as opened:
        opened.load_demo()
        yield opened


def all_runs(demo: Studio) -> Iterator[tuple[Run, tuple[Message, ...]]]:
    for summary in demo.list_agents():
        for run in demo.list_runs(summary.agent.id):
            yield run, demo.get_run(run.id)[1]


def test_a_demo_wake_that_skipped_its_memory_was_reminded_once(demo: Studio) -> None:
    """Decision 28: the reminder, one step more, and the end."""
    skipped = [rows for run, rows in all_runs(demo) if run.memory_skipped]
    assert len(skipped) == 4
    for rows in skipped:
        assert [row.content for row in rows].count(REMINDER) == 1
        assert (rows[-2].content, rows[-2].source, rows[-2].role) == (REMINDER, "memory", Role.SYSTEM)
        assert rows[-1].role is Role.ASSISTANT


def test_no_other_run_of_the_demo_ends_on_a_reminder(demo: Studio) -> None:
    for run, rows in all_runs(demo):
        reminded = REMINDER in [row.content for row in rows]
        assert not reminded or (run.kind.one_shot and run.status is RunStatus.COMPLETED)
        assert [row.position for row in rows] == list(range(len(rows)))
        assert [row.at for row in rows] == sorted(row.at for row in rows)
        assert run.status is RunStatus.OPEN or run.finished_at is not None


def test_every_version_that_a_demo_run_wrote_opens_its_step(demo: Studio) -> None:
    """timeline-12."""
    opened = 0
    for summary in demo.list_agents():
        for version in demo.list_memory_versions(summary.agent.id):
            if version.run is not None:
                step = demo.open_step(summary.agent.id, version.number)
                row = demo.get_run(step.run)[1][step.position]
                assert (step.run, [call.name for call in row.tool_calls]) == (version.run, ["memory_write"])
                opened += 1
    assert opened > 20


def test_the_demo_goes_into_an_empty_store_only(demo: Studio) -> None:
    with pytest.raises(NotEmpty):
        demo.load_demo()
    assert demo.count_agents() == 7
