"""What State shows of everything around the agent, by the cases' ids (decision 22)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from studio.domain import state
from studio.domain.agents import Guild
from studio.domain.collections import Access, Collection, Column, Grant
from studio.domain.paths import GuildId, OrgId
from studio.domain.places import Level
from studio.domain.prices import Coin, Price, Quote, Unavailable
from studio.domain.state import Member, StateInputs
from studio.domain.surroundings import Environment, GroupMessage, Repository, Script

NOW = datetime(2026, 9, 13, 23, 59, 59, tzinfo=UTC)
BITCOIN, ETHER = Coin("bitcoin", "btc", "Bitcoin"), Coin("ethereum", "eth", "Ether")


def shown(**sources: Any) -> dict[str, Any]:
    return state.snapshot(StateInputs(NOW, 40, **sources))


def row(number: int, *, public: bool = True) -> GroupMessage:
    return GroupMessage("Ana", f"row {number}", NOW + timedelta(minutes=number), public)


def grant(number: int, access: Access = Access.READ) -> Grant:
    name = f"table{number:02}"
    columns = (Column("company", "legal name"), Column("state"))
    return Grant(Collection(f"org/o_1/collections/{name}", Level.ORG, name, "Who buys.", columns), access)


def test_keys_stand_in_the_order_of_decision_22() -> None:
    whole = shown(
        prices=(Price(BITCOIN, Unavailable("x")),),
        repositories=(),
        environments=(),
        scripts=(),
        collections=(),
        writable_levels=(),
        readable_levels=(),
        group_history=(),
        operators=(),
        members=(),
        guild=Guild(GuildId("g"), OrgId("o"), "Desk", "A", "D"),
    )
    assert list(whole) == [
        "utc_now", "utc_date", "max_tool_calls", "guild", "members", "operators", "group_history", "readable_levels",
        "writable_levels", "collections", "scripts", "environments", "repositories", "prices",
    ]  # fmt: skip


def test_a_source_that_is_not_set_has_no_key_and_an_empty_one_is_a_list() -> None:
    assert list(shown()) == ["utc_now", "utc_date", "max_tool_calls"]
    lists = ("members", "operators", "group_history", "readable_levels", "collections", "scripts", "environments")
    assert {key: value for key, value in shown(**dict.fromkeys(lists, ())).items() if key in lists} == {
        key: [] for key in lists
    }


def test_members_without_a_focus_have_a_name_only_state_05() -> None:
    assert shown(members=(Member("a", "reads"), Member("b")))["members"] == [
        {"name": "a", "focus": "reads"},
        {"name": "b"},
    ]


@pytest.mark.parametrize(
    ("rows", "texts"),
    [
        pytest.param(
            [row(n, public=n not in {3, 8, 14}) for n in range(1, 15)],
            [1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 13][-10:],
            id="state-07: 14 rows of which 3 are not public: the newest ten public, oldest first",
        ),
        pytest.param([row(n) for n in range(1, 4)], [1, 2, 3], id="state-08: fewer than ten"),
        pytest.param([row(1, public=False)], [], id="no public row"),
    ],
)
def test_group_history(rows: list[GroupMessage], texts: list[int]) -> None:
    assert [one["text"] for one in shown(group_history=tuple(rows))["group_history"]] == [f"row {n}" for n in texts]


def test_a_group_row_has_from_at_and_text() -> None:
    assert shown(group_history=(row(0),))["group_history"] == [
        {"from": "Ana", "at": "2026-09-13T23:59:59Z", "text": "row 0"}
    ]


def test_levels_stand_in_their_order_however_they_come() -> None:
    assert shown(readable_levels=(Level.ORG, Level.AGENT, Level.GUILD))["readable_levels"] == ["agent", "guild", "org"]


@pytest.mark.parametrize(
    ("granted", "listed", "truncated"),
    [
        pytest.param(0, 0, False, id="none"),
        pytest.param(50, 50, False, id="state-09: 50 entries and no truncated one"),
        pytest.param(51, 50, True, id="state-10: 51 entries, the last says truncated"),
        pytest.param(70, 50, True, id="one truncated entry however many more there are"),
    ],
)
def test_collections_are_capped(granted: int, listed: int, *, truncated: bool) -> None:
    entries = shown(collections=tuple(grant(n) for n in range(granted)))["collections"]
    assert [one.get("name") for one in entries[:listed]] == [f"table{n:02}" for n in range(listed)]
    assert entries[listed:] == ([{"truncated": True}] if truncated else [])


def test_a_collection_has_these_fields_in_order_state_11() -> None:
    entry = shown(collections=(grant(1, Access.WRITE),))["collections"][0]
    assert list(entry.items()) == [
        ("name", "table01"),
        ("purpose", "Who buys."),
        ("access", "write"),
        ("scope", "org"),
        ("display_path", "org/o_1/collections/table01"),
        ("columns", [{"name": "company", "description": "legal name"}, {"name": "state"}]),
    ]


def test_scripts_by_name_and_description_state_14() -> None:
    assert shown(scripts=(Script("a.py", "Draws."), Script("b.py")))["scripts"] == [
        {"name": "a.py", "description": "Draws."},
        {"name": "b.py"},
    ]


def test_two_repositories_state_15() -> None:
    both = (Repository("site", "/srv/site", "main"), Repository("api", "/srv/api", "trunk"))
    assert shown(repositories=both)["repositories"] == [
        {"name": "site", "path": "/srv/site", "default_branch": "main"},
        {"name": "api", "path": "/srv/api", "default_branch": "trunk"},
    ]


def test_only_bound_environments_state_16() -> None:
    three = (Environment("prod", "Live."), Environment("old", "Gone.", bound=False), Environment("dev", "Trial."))
    assert shown(environments=three)["environments"] == [
        {"name": "prod", "description": "Live."},
        {"name": "dev", "description": "Trial."},
    ]


# --- prices -------------------------------------------------------------------------------------------------------------


def test_without_pinned_coins_there_is_neither_key_nor_sentence_prices_01() -> None:
    assert "prices" not in shown(prices=())
    assert "prices" not in shown()
    assert "prices" not in state.content("{}")


def test_with_pinned_coins_the_intro_explains_the_key_prices_03() -> None:
    assert "`prices`" in state.content("{}", prices=True)
    assert state.content("{}", prices=True).startswith(state.INTRO)


def test_a_priced_and_an_unavailable_coin_prices_06() -> None:
    quote = Quote(64000.5, 1.23, NOW)
    assert shown(prices=(Price(ETHER, Unavailable("no price returned")), Price(BITCOIN, quote)))["prices"] == [
        {"id": "ethereum", "symbol": "eth", "name": "Ether", "unavailable": "no price returned"},
        {
            "id": "bitcoin",
            "symbol": "btc",
            "name": "Bitcoin",
            "usd": 64000.5,
            "change_24h_pct": 1.23,
            "updated_at": "2026-09-13T23:59:59Z",
        },
    ]
