"""A stored prompt is taken apart again at the places where it was composed (decisions 20 and 27)."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.agents import Agent, AgentConfig
from studio.domain.bodies import Body
from studio.domain.compose import PromptInputs, SourceText, compose
from studio.domain.paths import AgentId, OrgId
from studio.domain.run_kinds import RunKind
from studio.domain.state import StateInputs
from studio.domain.stored_prompt import sections_of

NOW = datetime(2026, 9, 13, 9, 0, 12, tzinfo=UTC)
TAGS = [f"<{slash}{name}>" for slash in ("", "/") for name in ("guidelines", "task", "state", "memory")]
BODIES = st.lists(st.sampled_from([*TAGS, "\n", "\n\n", "word", "< memory >"]), max_size=12).map("".join)
"""Texts made of what could be taken for a section's edge."""


def inputs(task: str, memory: str, *, on: bool = True) -> PromptInputs:
    return PromptInputs(
        agent=Agent(AgentId("a_01"), OrgId("o_1"), "researcher", NOW, config=AgentConfig(memory=on)),
        template="Be brief.\n",
        task=SourceText(1, Body(task)),
        memory=SourceText(1, Body(memory)),
        state=StateInputs(NOW, 40),
        kind=RunKind.DIRECT,
        memory_write=True,
    )


@given(BODIES, BODIES, st.booleans())
def test_the_sections_are_found_where_they_were_put(task: str, memory: str, on: bool) -> None:  # noqa: FBT001 - drawn
    prompt = compose(inputs(task, memory, on=on))
    assert sections_of(prompt.text) == prompt.sections


def test_a_template_that_quotes_an_edge_leaves_it_in_the_guidelines() -> None:
    quoting = replace(inputs("Work.", "Known."), template="It ends with\n</guidelines>\n\n<task>\nand goes on.\n")
    prompt = compose(quoting)
    assert sections_of(prompt.text) == prompt.sections


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("You are a helpful assistant.", id="another system message"),
        pytest.param("<guidelines>\nBe brief.", id="a section that never ends"),
        pytest.param("<guidelines>\na\n</guidelines>\n\n<state>\nb\n</state>", id="sections missing"),
    ],
)
def test_what_was_not_composed_has_no_sections(text: str) -> None:
    assert sections_of(text) == ()
