"""Pinned prices: the coins that a login pins, and what a price service's answer says of them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

NO_PRICE = "no price returned"
"""Why a coin has no price although the service answered."""
NOT_IN_PREVIEWS = "a preview does not fetch prices"
"""Why a coin has no price in a preview (decision 26)."""
CHANGE_DECIMALS = 2
"""To how many decimals the change of a day is rounded."""


@dataclass(frozen=True, slots=True)
class Coin:
    """One pinned coin."""

    id: str
    """How the price service names it, e.g. `bitcoin`."""
    symbol: str
    """Its short name, e.g. `btc`."""
    name: str
    """Its name for people."""


@dataclass(frozen=True, slots=True)
class Login:
    """A connection to a price service."""

    name: str
    """Its name; bindings name it by this."""
    kind: str = "coingecko"
    """Which service it is."""
    base_url: str | None = None
    """Where the service is; None is its public address."""
    secret_name: str | None = None
    """Name of the environment variable that holds its key; the key itself is never stored."""
    pinned: tuple[Coin, ...] = ()
    """The coins that State shows, in stored order."""


@dataclass(frozen=True, slots=True)
class Quote:
    """What the service says of one coin."""

    usd: float
    """Its price in US dollars."""
    change_24h_pct: float | None = None
    """Its change over the last 24 hours in percent, rounded to two decimals; None where the service gave none."""
    updated_at: datetime | None = None
    """When the service last updated it (UTC); None where it did not say."""


@dataclass(frozen=True, slots=True)
class Unavailable:
    """That a coin has no price."""

    reason: str
    """Why, in a few words."""


Quotes = Mapping[str, Quote | Unavailable]
"""What is known of each coin, by its id."""


@dataclass(frozen=True, slots=True)
class Price:
    """One entry of State's `prices`."""

    coin: Coin
    """The pinned coin."""
    said: Quote | Unavailable
    """Its price, or why there is none."""


def prices(coins: tuple[Coin, ...], quotes: Quotes) -> tuple[Price, ...]:
    """The entries of State in stored order, whatever the order of the answer."""
    return tuple(Price(coin, quotes.get(coin.id, Unavailable(NO_PRICE))) for coin in coins)


def all_unavailable(coins: tuple[Coin, ...], reason: str) -> dict[str, Quote | Unavailable]:
    """That no coin has a price, each for the same reason."""
    return {coin.id: Unavailable(reason) for coin in coins}


def read_answer(coins: tuple[Coin, ...], answer: Mapping[str, object]) -> dict[str, Quote | Unavailable]:
    """Take the answer of CoinGecko's `/simple/price` apart; what is not of its form is as if it were not there."""
    return {coin.id: _quote(answer.get(coin.id)) for coin in coins}


def _quote(entry: object) -> Quote | Unavailable:
    if not isinstance(entry, Mapping):
        return Unavailable(NO_PRICE)
    usd = _number(entry.get("usd"))
    if usd is None or usd < 0:
        return Unavailable(NO_PRICE)
    change = _number(entry.get("usd_24h_change"))
    rounded = None if change is None else round(change, CHANGE_DECIMALS) + 0.0  # no minus zero
    return Quote(usd, rounded, _moment(entry.get("last_updated_at")))


def _number(value: object) -> float | None:
    """A finite number, or None for anything else; a truth value is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return value if math.isfinite(value) else None
    except OverflowError:
        return None


def _moment(value: object) -> datetime | None:
    """A time from seconds since 1970."""
    seconds = _number(value)
    try:
        return None if seconds is None else datetime.fromtimestamp(int(seconds), UTC)
    except (OverflowError, ValueError, OSError):
        return None
