"""Bindings resolve instance, org, guild, agent: off anywhere is off, and the nearest login wins (decision 10)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.bindings import NAMES, TOOLS, Scope, Setting, check_binding, resolve
from studio.domain.places import Level
from studio.errors import BadSetting

SETTINGS = st.builds(
    Setting,
    st.sampled_from(list(Scope)),
    st.sampled_from(NAMES),
    st.sampled_from([True, False, None]),
    st.sampled_from(["one", "two", None]),
)


def test_nothing_said_leaves_everything_on() -> None:
    left = resolve([])
    assert left.tools(memory_write=True, in_guild=True) == TOOLS
    assert left.readable(in_guild=True) == left.writable(in_guild=True) == (Level.AGENT, Level.GUILD, Level.ORG)
    assert left.login is None


@pytest.mark.parametrize("scope", list(Scope))
@pytest.mark.parametrize("name", TOOLS)
def test_any_scope_turns_a_tool_off(scope: Scope, name: str) -> None:
    on = [Setting(one, name, turned_on=True) for one in Scope if one is not scope]
    tools = resolve([*on, Setting(scope, name, turned_on=False)]).tools(memory_write=True, in_guild=True)
    assert tools == tuple(tool for tool in TOOLS if tool != name)


@given(st.lists(SETTINGS))
def test_off_anywhere_is_off_and_nothing_else_is(settings: list[Setting]) -> None:
    off = {one.name for one in settings if one.turned_on is False}
    assert resolve(settings).names == frozenset(NAMES) - off


@pytest.mark.parametrize(
    ("off", "readable", "writable"),
    [
        ([], ["agent", "guild", "org"], ["agent", "guild", "org"]),
        (["guild_notes_read"], ["agent", "org"], ["agent", "guild", "org"]),
        (["guild_notes_write", "org_notes_write"], ["agent", "guild", "org"], ["agent"]),
        (["guild_notes_read", "org_notes_read"], ["agent"], ["agent", "guild", "org"]),
    ],
    ids=["all", "no guild reading", "writes its own only", "reads its own only"],
)
def test_the_four_grants_open_levels_and_the_own_level_is_always_both(
    off: list[str], readable: list[str], writable: list[str]
) -> None:
    left = resolve([Setting(Scope.ORG, name, turned_on=False) for name in off])
    assert [*left.readable(in_guild=True)] == readable
    assert [*left.writable(in_guild=True)] == writable


def test_without_a_guild_there_is_no_guild_level_and_no_group_to_post_to() -> None:
    left = resolve([])
    assert left.readable(in_guild=False) == (Level.AGENT, Level.ORG)
    assert "group_post" not in left.tools(memory_write=True, in_guild=False)


def test_memory_write_is_also_the_agents_own_setting_decision_9() -> None:
    assert "memory_write" not in resolve([]).tools(memory_write=False, in_guild=True)


@pytest.mark.parametrize(
    ("logins", "nearest"),
    [
        ({Scope.INSTANCE: "i"}, "i"),
        ({Scope.INSTANCE: "i", Scope.ORG: "o"}, "o"),
        ({Scope.GUILD: "g", Scope.INSTANCE: "i", Scope.ORG: "o"}, "g"),
        ({Scope.AGENT: "a", Scope.GUILD: "g", Scope.INSTANCE: "i"}, "a"),
    ],
    ids=["instance", "org", "guild", "agent"],
)
def test_the_nearest_login_wins(logins: dict[Scope, str], nearest: str) -> None:
    assert resolve([Setting(scope, "prices", None, login) for scope, login in logins.items()]).login == nearest


def test_prices_turned_off_have_no_login() -> None:
    settings = [Setting(Scope.AGENT, "prices", None, "a"), Setting(Scope.INSTANCE, "prices", turned_on=False)]
    assert resolve(settings).login is None


@pytest.mark.parametrize(("name", "login"), [("zap", None), ("note_find", "market")], ids=["unknown", "uses no login"])
def test_what_is_no_binding_is_refused(name: str, login: str | None) -> None:
    with pytest.raises(BadSetting, match=name):
        check_binding(name, login)
