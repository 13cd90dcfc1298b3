"""Agents and guilds: made, found, configured."""

import pytest
from builders import Clock, overwrite

from studio.actions.people import create_guild
from studio.actions.studio import Studio
from studio.domain.agents import AgentConfig
from studio.domain.settings import AgentSettings
from studio.errors import AmbiguousAgent, BadName, BadSetting, UnknownAgent, UnknownGuild, UnusableText


def test_a_new_agent_has_a_task_and_an_empty_memory(studio: Studio, clock: Clock) -> None:
    """timeline-03."""
    agent = studio.create_agent(" scout ", focus=" billing ", guild="harbour", config=AgentConfig(memory_write=False))
    assert (agent.name, agent.focus, agent.guild_name, agent.created_at) == ("scout", "billing", "harbour", clock.now)
    assert studio.get_agent(agent.id) == agent
    (memory,) = studio.list_memory_versions("scout")
    (task,) = studio.list_task_versions("scout")
    for version in (memory, task):
        assert (version.number, str(version.author), version.live, version.at) == (
            1,
            "no recorded author",
            True,
            clock.now,
        )
    assert studio.list_file_changes("scout") == ()


def test_a_search_takes_any_number_of_words(studio: Studio) -> None:
    words = [f"word{number}" for number in range(1_500)]
    studio.create_agent("all", focus=" ".join(words))
    studio.create_agent("some", focus=" ".join(words[:-1]))
    assert [one.agent.name for one in studio.list_agents(" ".join(words).upper())] == ["all"]
    assert [one.agent.name for one in studio.list_agents("")] == ["all", "some"]


def test_an_agent_is_found_by_id_or_unique_name(studio: Studio) -> None:
    first = studio.create_agent("scout", focus="x")
    assert studio.get_agent("scout") == studio.get_agent(first.id) == studio.get_agent(" scout ") == first
    second = studio.create_agent("scout", focus="y")
    with pytest.raises(AmbiguousAgent, match=f"{first.id}.*{second.id}|{second.id}.*{first.id}"):
        studio.get_agent("scout")
    assert studio.get_agent(second.id) == second


@pytest.mark.parametrize("name", ["nobody", "", "Scout", "\ud800", "\0", "' OR 1=1 --"])
def test_an_unknown_agent(studio: Studio, name: str) -> None:
    studio.create_agent("scout", focus="x")
    with pytest.raises(UnknownAgent):
        studio.get_agent(name)


def test_a_guild_is_made_with_its_first_agent_and_found_after(studio: Studio) -> None:
    first = studio.create_agent("a", focus="x", guild="harbour")
    second = studio.create_agent("b", focus="x", guild=" harbour ")
    third = studio.create_agent("c", focus="x", guild=first.guild)
    assert first.guild == second.guild == third.guild
    assert [guild.name for guild in studio.list_guilds()] == ["harbour"]


def test_settings_are_stored(studio: Studio) -> None:
    studio.create_agent("scout", focus="x", guild="harbour")
    settings = AgentSettings("ranger", "y", "", memory=False, memory_write=False, max_tool_calls=3, retention="all")
    changed = studio.configure_agent("scout", settings)
    assert studio.get_agent("ranger") == changed
    assert (changed.focus, changed.guild, changed.retention) == ("y", None, None)
    assert changed.config == AgentConfig(memory=False, memory_write=False, max_tool_calls=3)


@pytest.mark.parametrize(
    ("settings", "refusal"),
    [
        (AgentSettings(guild="nowhere"), UnknownGuild),
        (AgentSettings(name=""), BadName),
        (AgentSettings(focus="\ud800"), UnusableText),
        (AgentSettings(retention="some"), BadSetting),
    ],
    ids=["guild", "name", "focus", "retention"],
)
def test_a_refused_setting_changes_nothing(studio: Studio, settings: AgentSettings, refusal: type[Exception]) -> None:
    agent = studio.create_agent("scout", focus="x")
    with pytest.raises(refusal):
        studio.configure_agent("scout", settings)
    assert studio.get_agent(agent.id) == agent


@pytest.mark.parametrize(
    ("name", "focus", "guild", "refusal"),
    [
        ("", "x", None, BadName),
        ("a\nb", "x", None, BadName),
        ("a", "x\0", None, UnusableText),
        ("a", "x", "g\nh", BadName),
    ],
    ids=["no-name", "two-lines", "focus-nul", "guild-two-lines"],
)
def test_an_agent_that_is_refused_leaves_nothing(
    studio: Studio, name: str, focus: str, guild: str | None, refusal: type[Exception]
) -> None:
    with pytest.raises(refusal):
        studio.create_agent(name, focus=focus, guild=guild)
    assert studio.count_agents() == 0
    assert studio.list_guilds() == ()


def test_a_guilds_description_is_a_text(studio: Studio) -> None:
    with pytest.raises(UnusableText):
        create_guild(studio._context, "harbour", about="x\0")
    assert studio.list_guilds() == ()


def test_the_list_is_by_guild_and_name_and_pages_without_gaps(studio: Studio) -> None:
    for name, guild in (("zoe", "a"), ("Ann", "b"), ("bob", "b"), ("solo", None), ("amy", "a")):
        studio.create_agent(name, focus="watch", guild=guild)
    everyone = [summary.agent.name for summary in studio.list_agents()]
    assert everyone == ["amy", "zoe", "Ann", "bob", "solo"]
    pages = [studio.list_agents(limit=2, offset=start) for start in (0, 2, 4, 6)]
    assert [summary.agent.name for page in pages for summary in page] == everyone


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("", 3),
        ("SCOUT", 1),
        ("harbour", 2),
        ("harbour pay", 1),
        ("nobody", 0),
        ("%", 0),
        ("_", 3),
        ("scout  watch", 1),
    ],
)
def test_a_search_finds_all_its_words(studio: Studio, search: str, found: int) -> None:
    """Ids hold `_`, so that word finds everyone; `%` is no wildcard."""
    studio.create_agent("scout", focus="watch", guild="harbour")
    studio.create_agent("payer", focus="billing", guild="harbour")
    studio.create_agent("poet", focus="verse")
    assert (studio.count_agents(search), len(studio.list_agents(search))) == (found, found)


def test_a_summary_tells_size_and_time_without_reading_texts(studio: Studio, clock: Clock) -> None:
    studio.create_agent("scout", focus="x")
    clock.tick()
    overwrite(studio, "scout", "😀é\n")
    (summary,) = studio.list_agents()
    assert (summary.memory_version, summary.memory_characters, summary.memory_at) == (2, 3, clock.now)
    assert (summary.task_version, summary.has_draft) == (1, False)
