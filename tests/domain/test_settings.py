"""Settings change what they name and nothing else."""

import pytest
from builders import START

from studio.domain.agents import Agent, AgentConfig
from studio.domain.paths import AgentId, OrgId
from studio.domain.settings import AgentSettings, applied
from studio.errors import BadName, BadSetting, UnusableText

AGENT = Agent(AgentId("a_1"), OrgId("o_1"), "researcher", START, focus="billing", config=AgentConfig(max_tool_calls=7))


def test_nothing_named_changes_nothing() -> None:
    assert applied(AGENT, AgentSettings()) == AGENT


@pytest.mark.parametrize(
    ("settings", "field", "value"),
    [
        (AgentSettings(name=" scout "), "name", "scout"),
        (AgentSettings(focus="prices"), "focus", "prices"),
        (AgentSettings(focus=" "), "focus", None),
        (AgentSettings(retention=3), "retention", 3),
        (AgentSettings(retention="3"), "retention", 3),
        (AgentSettings(retention="all"), "retention", None),
        (AgentSettings(memory=False), "config", AgentConfig(memory=False, max_tool_calls=7)),
        (AgentSettings(memory_write=False), "config", AgentConfig(memory_write=False, max_tool_calls=7)),
        (AgentSettings(max_tool_calls=9), "config", AgentConfig(max_tool_calls=9)),
    ],
    ids=[
        "name",
        "focus",
        "no-focus",
        "retention",
        "retention-text",
        "retention-all",
        "memory",
        "memory-write",
        "calls",
    ],
)
def test_one_setting_changes_one_field(settings: AgentSettings, field: str, value: object) -> None:
    changed = applied(AGENT, settings)
    differs = {name for name in AGENT.__slots__ if getattr(changed, name) != getattr(AGENT, name)}
    assert (differs, getattr(changed, field)) == ({field}, value)


@pytest.mark.parametrize(
    ("settings", "refusal"),
    [
        (AgentSettings(name="a\nb"), BadName),
        (AgentSettings(focus="a\0"), UnusableText),
        (AgentSettings(retention="many"), BadSetting),
        (AgentSettings(retention=0), BadSetting),
        (AgentSettings(max_tool_calls=0), BadSetting),
    ],
    ids=["name", "focus", "retention-word", "retention-zero", "calls"],
)
def test_settings_that_are_refused(settings: AgentSettings, refusal: type[Exception]) -> None:
    with pytest.raises(refusal):
        applied(AGENT, settings)
