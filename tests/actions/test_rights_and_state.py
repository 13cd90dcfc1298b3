"""Bindings as they are stored, what they leave an agent with, and State as runs and previews compose it."""

import json
from dataclasses import replace
from typing import Any

import pytest
from builders import context_of, open_store, wake
from price_server import PRICED, sends, serving

from studio.actions import runs
from studio.actions.context import Context
from studio.actions.studio import Studio
from studio.domain.bindings import TOOLS, Scope
from studio.domain.guidelines import Flag
from studio.domain.places import Level
from studio.domain.prices import Login, Quote, Quotes, Unavailable
from studio.domain.run_kinds import RunKind
from studio.domain.runs import Trigger
from studio.domain.settings import AgentSettings
from studio.errors import BadSetting, NoMemoryWrite, UnknownAgent, UnknownGuild, UnknownLogin, UnknownOrg

COINS = [{"id": "ethereum", "symbol": "eth", "name": "Ether"}, {"id": "bitcoin", "symbol": "btc", "name": "Bitcoin"}]


def state_in(prompt: str) -> dict[str, Any]:
    section = prompt.split("<state>\n")[1].partition("\n</state>")[0]
    return dict(json.loads(section.partition("\n\n")[2]))


def state(studio: Studio, agent: str = "scout") -> dict[str, Any]:
    return state_in(studio.preview(agent).text)


@pytest.fixture(autouse=True)
def scout(studio: Studio) -> None:
    """An agent in a guild."""
    studio.create_agent("scout", guild="Desk")


def pin(studio: Studio, **login: Any) -> None:
    """A login with two coins, used by the whole guild."""
    logins = [{"name": "market", "pinned_prices": COINS, **login}]
    studio.configure_agent_from("scout", {"logins": logins, "bindings": {"guild": {"prices": "market"}}})


# --- bindings -------------------------------------------------------------------------------------------------------------


def scopes(studio: Studio) -> dict[Scope, str]:
    agent = studio.get_agent("scout")
    return {Scope.INSTANCE: "*", Scope.ORG: agent.org, Scope.GUILD: str(agent.guild), Scope.AGENT: agent.id}


@pytest.mark.parametrize("scope", list(Scope))
def test_off_at_any_scope_is_off_below_it(studio: Studio, scope: Scope) -> None:
    studio.set_binding(scope, scopes(studio)[scope], "note_find", turned_on=False)
    assert "note_find" not in studio.get_rights("scout").tools
    studio.set_binding(scope, scopes(studio)[scope], "note_find")
    assert studio.get_rights("scout").tools == TOOLS


@pytest.mark.parametrize("scope", list(Scope))
def test_memory_write_off_at_any_scope_is_gone_from_prompt_and_tools(studio: Studio, scope: Scope) -> None:
    studio.set_binding(scope, scopes(studio)[scope], "memory_write", turned_on=False)
    prompt = studio.preview("scout", kind=RunKind.SCHEDULE)
    assert "memory_write" not in prompt.text
    assert "<memory>" in prompt.text
    assert "memory_write" not in studio.get_rights("scout").tools
    studio.set_binding(scope, scopes(studio)[scope], "memory_write", turned_on=True)
    assert "memory_write" in studio.preview("scout").text


@pytest.mark.parametrize("scope", list(Scope))
def test_a_refused_memory_write_names_what_gives_it_back(studio: Studio, scope: Scope) -> None:
    studio.set_binding(scope, scopes(studio)[scope], "memory_write", turned_on=False)
    with pytest.raises(NoMemoryWrite) as refused:
        studio.memory_write("scout", "x")
    said = str(refused.value)
    if scope is Scope.AGENT:
        assert "'studio agents set scout --memory-write on' turns it on" in said
        studio.configure_agent("scout", AgentSettings(memory_write=True))
    else:
        assert f"its {'organisation' if scope is Scope.ORG else scope} turns it off" in said
        studio.configure_agent_from("scout", json.loads(said[said.index("{") : said.rindex("}") + 1]))
    assert studio.memory_write("scout", "x").changed


def test_a_refused_memory_write_says_that_the_memory_is_off(studio: Studio) -> None:
    studio.configure_agent("scout", AgentSettings(memory=False))
    with pytest.raises(NoMemoryWrite, match="its memory is off; 'studio agents set scout --memory on' turns it on"):
        studio.memory_write("scout", "x")


def test_the_agents_own_memory_write_is_its_setting(studio: Studio) -> None:
    studio.set_binding(Scope.AGENT, "scout", "memory_write", turned_on=False)
    assert studio.get_agent("scout").config.memory_write is False
    studio.configure_agent("scout", AgentSettings(memory_write=True))
    assert "memory_write" in studio.get_rights("scout").tools


def test_another_guilds_bindings_do_not_bind(studio: Studio) -> None:
    studio.create_agent("other", guild="Elsewhere")
    studio.set_binding(Scope.GUILD, "Elsewhere", "note_find", turned_on=False)
    assert "note_find" in studio.get_rights("scout").tools
    assert "note_find" not in studio.get_rights("other").tools


@pytest.mark.parametrize(
    ("scope", "scope_id", "error"),
    [
        (Scope.INSTANCE, "x", BadSetting),
        (Scope.ORG, "o_none", UnknownOrg),
        (Scope.GUILD, "None", UnknownGuild),
        (Scope.AGENT, "none", UnknownAgent),
    ],
    ids=["instance", "org", "guild", "agent"],
)
def test_a_scope_that_is_not_there(studio: Studio, scope: Scope, scope_id: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        studio.set_binding(scope, scope_id, "note_find", turned_on=False)


def test_a_login_that_is_not_there(studio: Studio) -> None:
    with pytest.raises(UnknownLogin, match="there is none yet"):
        studio.set_binding(Scope.AGENT, "scout", "prices", login="market")


def test_bindings_and_logins_survive_reopening(tmp_path: Any) -> None:
    with open_store(tmp_path / "s.duckdb") as studio:
        studio.create_agent("scout", guild="Desk")
        pin(studio)
        studio.set_binding(Scope.ORG, studio.get_agent("scout").org, "org_notes_write", turned_on=False)
    with open_store(tmp_path / "s.duckdb") as studio:
        assert studio.get_rights("scout").login == "market"
        assert studio.get_rights("scout").writable == (Level.AGENT, Level.GUILD)
        assert [coin["id"] for coin in state(studio)["prices"]] == ["ethereum", "bitcoin"]


# --- State ----------------------------------------------------------------------------------------------------------------


def test_a_new_agent_in_a_guild(studio: Studio) -> None:
    assert list(state(studio)) == [
        "utc_now", "utc_date", "max_tool_calls", "members", "operators", "group_history", "readable_levels",
        "writable_levels", "collections",
    ]  # fmt: skip
    assert (state(studio)["group_history"], state(studio)["collections"]) == ([], [])


def test_an_agent_without_a_guild_has_neither_members_nor_chat(studio: Studio) -> None:
    studio.create_agent("loner")
    assert not {"guild", "members", "group_history"} & set(state(studio, "loner"))
    assert state(studio, "loner")["readable_levels"] == ["agent", "org"]


def test_levels_follow_the_grants(studio: Studio) -> None:
    for binding in ("guild_notes_write", "org_notes_read", "org_notes_write"):
        studio.set_binding(Scope.GUILD, "Desk", binding, turned_on=False)
    assert state(studio)["readable_levels"] == ["agent", "guild"]
    assert state(studio)["writable_levels"] == ["agent"]


def test_no_note_is_listed_state_13(studio: Studio) -> None:
    for number in range(20):
        studio.notes.create(studio.notes.path(f"zebra{number}.md"), "zebra")
    assert "zebra" not in studio.preview("scout").text


@pytest.mark.parametrize(
    ("tools", "keys"),
    [
        (["sandbox"], {"scripts", "environments"}),
        (["coding"], {"environments", "repositories"}),
        (["search", "browser", "schedule"], set()),
    ],
    ids=["sandbox", "coding", "neither"],
)
def test_catalogs_come_with_the_tools_they_serve(studio: Studio, tools: list[str], keys: set[str]) -> None:
    studio.configure_agent_from("scout", {"tools": tools})
    shown = {key: value for key, value in state(studio).items() if key in {"scripts", "environments", "repositories"}}
    assert shown == {key: [] for key in keys}


def test_repositories_are_for_coding_agents_only_state_15(studio: Studio) -> None:
    repositories = [{"name": name, "path": f"/work/{name}", "default_branch": "main"} for name in ("site", "api")]
    studio.configure_agent_from("scout", {"guild": {"repositories": repositories}})
    assert "repositories" not in state(studio)
    shown = state_in(studio.preview("scout", registered=frozenset({Flag.CODING})).text)
    assert shown["repositories"] == repositories


def test_tools_set_on_the_agent_are_taught_decision_21(studio: Studio) -> None:
    before = studio.preview("scout").text
    studio.configure_agent_from("scout", {"tools": ["search"]})
    assert "tavily_search" not in before
    assert "tavily_search" in studio.preview("scout").text


# --- prices ---------------------------------------------------------------------------------------------------------------


class Service:
    """Stands for the price service: counts its calls, and looks at the store while it is asked."""

    def __init__(self, quotes: Quotes) -> None:
        self.quotes = quotes
        self.asked: list[Login] = []
        self.meanwhile: Studio | None = None

    def __call__(self, login: Login) -> Quotes:
        self.asked.append(login)
        if self.meanwhile is not None:
            self.meanwhile.save_memory("scout", "written meanwhile", force=True)
        return self.quotes


def with_service(studio: Studio, service: Service) -> Context:
    studio._context = replace(context_of(studio), prices=service)
    return studio._context


def test_no_pins_no_key_no_word_and_no_call_prices_01(studio: Studio) -> None:
    service = Service({})
    context = with_service(studio, service)
    run = runs.create_run(context, "scout", Trigger(RunKind.DIRECT))
    text = studio.get_run(run.id)[1][0].content
    assert "prices" not in text.split("<state>")[1].split("</state>")[0]
    assert service.asked == []


def test_a_run_asks_once_and_shows_the_stored_order_prices_03_10(studio: Studio) -> None:
    pin(studio)
    service = Service({"bitcoin": Quote(64000.5, 1.23), "ethereum": Unavailable("no price returned")})
    with_service(studio, service)
    run = wake(studio, "scout")
    text = studio.get_run(run)[1][0].content
    assert state_in(text)["prices"] == [
        {**COINS[0], "unavailable": "no price returned"},
        {**COINS[1], "usd": 64000.5, "change_24h_pct": 1.23},
    ]
    assert "`prices`" in text
    assert [login.name for login in service.asked] == ["market"]


def test_a_preview_lists_the_coins_and_never_calls_prices_09(studio: Studio) -> None:
    pin(studio)
    service = Service({})
    with_service(studio, service)
    text = studio.preview("scout").text
    assert state_in(text)["prices"] == [{**coin, "unavailable": "a preview does not fetch prices"} for coin in COINS]
    assert "`prices`" in text
    assert service.asked == []


def test_others_write_while_a_run_waits_for_prices(studio: Studio) -> None:
    pin(studio)
    service = Service({})
    service.meanwhile = studio
    with_service(studio, service)
    text = studio.get_run(wake(studio, "scout"))[1][0].content
    assert "written meanwhile" in text


def test_the_nearest_login_is_asked(studio: Studio) -> None:
    pin(studio)
    own = {"name": "own", "pinned_prices": COINS[:1]}
    studio.configure_agent_from("scout", {"logins": [own], "bindings": {"agent": {"prices": "own"}}})
    assert [coin["id"] for coin in state(studio)["prices"]] == ["ethereum"]


def test_a_login_without_pins_shows_nothing(studio: Studio) -> None:
    pin(studio, pinned_prices=[])
    assert "prices" not in state(studio)


def test_nobody_listens_and_the_run_starts_anyway_prices_08(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    pin(studio, base_url="http://127.0.0.1:1")
    text = studio.get_run(wake(studio, "scout"))[1][0].content
    assert {coin["unavailable"] for coin in state_in(text)["prices"]} == {"request failed: cannot connect"}


def test_a_run_asks_a_real_service_once_and_a_preview_never_prices_03_09(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "*")
    with serving(sends(PRICED)) as server:
        pin(studio, base_url=server.login().base_url)
        studio.preview("scout")
        assert server.asked == []
        text = studio.get_run(wake(studio, "scout"))[1][0].content
        assert len(server.asked) == 1
    at = "2026-09-14T00:00:00Z"
    assert state_in(text)["prices"] == [
        {**COINS[0], "usd": 2500, "change_24h_pct": -3.0, "updated_at": at},
        {**COINS[1], "usd": 64000.5, "change_24h_pct": 1.23, "updated_at": at},
    ]
