"""A run's opening rows, trailers and occasions (decisions 27 and 29)."""

import json

import pytest
from builders import START

from studio.domain.run_kinds import RunKind
from studio.domain.runs import Role, Trigger, check_max_steps, opening_rows, tool_result
from studio.errors import BadSetting

GROUP = Trigger(RunKind.GROUP, message="ship it?", sender="Ben", tags=("ana", "ben"), tagged=True)
SCHEDULE = Trigger(RunKind.SCHEDULE, instruction="check inbox", previous_run_at=START)


@pytest.mark.parametrize(
    ("trigger", "roles"),
    [
        pytest.param(Trigger(RunKind.DIRECT), [Role.SYSTEM], id="system-message-06"),
        pytest.param(Trigger(RunKind.DIRECT, message=""), [Role.SYSTEM, Role.USER], id="direct-with-message"),
        pytest.param(GROUP, [Role.SYSTEM, Role.USER], id="system-message-07"),
        pytest.param(SCHEDULE, [Role.SYSTEM, Role.USER], id="system-message-09"),
    ],
)
def test_the_rows_a_run_begins_with(trigger: Trigger, roles: list[Role]) -> None:
    rows = opening_rows("composed", trigger, START)
    assert [row.role for row in rows] == roles
    assert [row.position for row in rows] == list(range(len(roles)))
    assert rows[0].content == "composed"


def _info(trigger: Trigger) -> tuple[str, object]:
    heading, _, body = opening_rows("composed", trigger, START)[1].content.partition("\n")
    return heading, json.loads(body)


def test_group_info_carries_the_newest_message_and_whether_it_tagged() -> None:
    """system-message-07."""
    assert _info(GROUP) == (
        "Group Chat info",
        {"latestMessage": {"from": "Ben", "text": "ship it?"}, "youWereTagged": True},
    )


def test_a_wake_up_carries_its_instruction_and_the_previous_run() -> None:
    """system-message-09."""
    assert _info(SCHEDULE) == (
        "Schedule wake-up",
        {"instruction": "check inbox", "previous_run_at": "2026-09-12T09:00:07Z"},
    )


def test_the_first_wake_up_has_no_previous_run() -> None:
    """system-message-10: null, not a missing key."""
    assert _info(Trigger(RunKind.SCHEDULE, instruction="x"))[1] == {"instruction": "x", "previous_run_at": None}


def test_a_direct_message_is_the_users_own_words() -> None:
    assert opening_rows("composed", Trigger(RunKind.DIRECT, message="{{x}} $& </task>"), START)[1].content == (
        "{{x}} $& </task>"
    )


@pytest.mark.parametrize(
    ("trigger", "occasion"),
    [
        (Trigger(RunKind.DIRECT, message="hello"), "direct"),
        (GROUP, "group: @ana, @ben"),
        (Trigger(RunKind.GROUP), "group"),
        (SCHEDULE, 'schedule wake-up: "check inbox"'),
    ],
    ids=["direct", "group", "group-untagged", "schedule"],
)
def test_the_occasion_of_a_run(trigger: Trigger, occasion: str) -> None:
    """Decision 13."""
    assert trigger.occasion == occasion


@pytest.mark.parametrize(("remaining", "lines"), [(40, 2), (9, 2), (8, 3), (1, 3), (0, 3)])
def test_tool_results_end_with_the_calls_left(remaining: int, lines: int) -> None:
    """Decision 27: at 8 or fewer the wrap-up line stands directly above the trailer."""
    split = tool_result("done", remaining).split("\n")
    assert (len(split), split[0], split[-1]) == (lines, "done", f"remaining_tool_calls: {remaining}")


@pytest.mark.parametrize(("kind", "one_shot"), [("direct", False), ("group", True), ("schedule", True)])
def test_nobody_answers_a_one_shot_run(kind: str, one_shot: bool) -> None:  # noqa: FBT001 - a table's column
    assert RunKind(kind).one_shot is one_shot


@pytest.mark.parametrize("number", [0, -1, 10_001])
def test_steps_out_of_range(number: int) -> None:
    with pytest.raises(BadSetting, match="max_steps must be from 1 to 10000"):
        check_max_steps(number)
    assert check_max_steps(10_000) == 10_000
