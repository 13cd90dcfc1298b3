"""Names and numbers that operators set on agents."""

import pytest

from studio.domain.agents import (
    DEFAULT_RETENTION_REVISIONS,
    AgentConfig,
    check_max_tool_calls,
    check_name,
    check_retention,
)
from studio.errors import BadName, BadSetting


@pytest.mark.parametrize(
    ("memory", "memory_write", "offered"),
    [(True, True, True), (True, False, False), (False, True, False), (False, False, False)],
)
def test_memory_off_withdraws_memory_write(memory: bool, memory_write: bool, offered: bool) -> None:  # noqa: FBT001 - a table
    assert AgentConfig(memory, memory_write).offers_memory_write is offered


def test_an_agent_keeps_the_newest_fifty_by_default() -> None:
    assert DEFAULT_RETENTION_REVISIONS == 50


@pytest.mark.parametrize("name", ["researcher", "Ana María", "研究员", "a" * 200, "x\u200dy", '<b>"&'])
def test_names_are_one_line_of_any_script(name: str) -> None:
    assert check_name(f"  {name} ", "An agent") == name


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "not empty"),
        (" \t ", "not empty"),
        ("a\nb", "line break"),
        ("a\u2028b", "line break"),
        ("a\x00b", "control character"),
        ("a\ud800", "control character"),
        ("a" * 201, "201 characters"),
    ],
    ids=["empty", "blank", "line-break", "line-separator", "nul", "lone-surrogate", "too-long"],
)
def test_names_that_cannot_stand_in_a_prompt(name: str, why: str) -> None:
    with pytest.raises(BadName, match=why):
        check_name(name, "An agent")


@pytest.mark.parametrize("number", [1, 10_000])
def test_tool_calls_within_range(number: int) -> None:
    assert check_max_tool_calls(number) == number


@pytest.mark.parametrize("number", [0, -1, 10_001])
def test_tool_calls_out_of_range(number: int) -> None:
    with pytest.raises(BadSetting, match=f"not {number}"):
        check_max_tool_calls(number)


@pytest.mark.parametrize("number", [0, -50, 2**31])
def test_a_retention_that_cannot_be_kept(number: int) -> None:
    with pytest.raises(BadSetting, match="'all' keeps every one"):
        check_retention(number)
