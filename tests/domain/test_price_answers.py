"""What a price service's answer says, whatever it sends."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.prices import NO_PRICE, Coin, Quote, Unavailable, prices, read_answer

BITCOIN, ETHER = Coin("bitcoin", "btc", "Bitcoin"), Coin("ethereum", "eth", "Ether")
AT = 1_789_344_000
MISSING = Unavailable(NO_PRICE)


def said(entry: object) -> Quote | Unavailable:
    return read_answer((BITCOIN,), {"bitcoin": entry})["bitcoin"]


@pytest.mark.parametrize(("change", "rounded"), [(1.23456, 1.23), (-2.9999, -3.0), (0, 0.0), (-0.001, 0.0)], ids=str)
def test_the_change_has_two_decimals_prices_04(change: float, rounded: float) -> None:
    quote = said({"usd": 1, "usd_24h_change": change, "last_updated_at": AT})
    assert quote == Quote(1, rounded, datetime.fromtimestamp(AT, UTC))
    assert isinstance(quote, Quote)
    assert str(quote.change_24h_pct) == str(rounded)


@pytest.mark.parametrize(
    "entry",
    [
        None, "text", [], {}, {"usd": None}, {"usd": "64000"}, {"usd": True}, {"usd": -1}, {"usd": float("nan")},
        {"usd": float("inf")}, {"usd": 10**400}, {"eur": 5},
    ],
    ids=["absent", "text", "list", "empty", "null", "quoted", "true", "negative", "NaN", "infinite", "huge", "other currency"],
)  # fmt: skip
def test_what_is_no_price_is_unavailable(entry: object) -> None:
    assert said(entry) == MISSING


@pytest.mark.parametrize("wrong", [None, "x", True, float("nan"), 10**400, 1e300], ids=str)
def test_a_change_or_time_that_is_none_is_left_out(wrong: object) -> None:
    quote = said({"usd": 5, "usd_24h_change": "x", "last_updated_at": wrong})
    assert quote == Quote(5)


def test_the_order_is_the_stored_one_prices_10() -> None:
    quotes = read_answer((ETHER, BITCOIN), {"bitcoin": {"usd": 1}, "ethereum": {"usd": 2}})
    assert [one.coin.id for one in prices((ETHER, BITCOIN), quotes)] == ["ethereum", "bitcoin"]


def test_a_coin_that_the_answer_lacks_has_a_reason_prices_06() -> None:
    quotes = read_answer((BITCOIN, ETHER), {"bitcoin": {"usd": 1}})
    assert [one.said for one in prices((BITCOIN, ETHER), quotes)] == [Quote(1), MISSING]


def test_a_coin_pinned_since_the_call_has_a_reason_too() -> None:
    assert [one.said for one in prices((BITCOIN, ETHER), {"bitcoin": Quote(1)})] == [Quote(1), MISSING]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["usd", "usd_24h_change", "last_updated_at"]), inner)
    ),
)


@given(JSON)
def test_any_answer_is_read_without_an_error(entry: object) -> None:
    quote = said(entry)
    assert isinstance(quote, Unavailable) or quote.usd >= 0
