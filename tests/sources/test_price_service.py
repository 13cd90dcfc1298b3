"""One call, never longer than five seconds in all, against a real server that is slow, silent, wrong or partial."""

import socket
import time
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from price_server import COINS, PRICED, Answer, Handler, sends, serving

from studio.domain.prices import Login, Quote, Quotes, Unavailable
from studio.sources import prices
from studio.sources.prices import coingecko_prices


def asked(answer: Answer) -> Quotes:
    with serving(answer) as server:
        return coingecko_prices(server.login())


def reasons(quotes: Quotes) -> set[str]:
    return {one.reason for one in quotes.values() if isinstance(one, Unavailable)}


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> float:
    """The limit, shortened so that the suite need not wait; one test below waits for the real one."""
    monkeypatch.setattr(prices, "LIMIT_SECONDS", 0.3)
    return 0.3


def test_one_call_prices_all_coins_prices_03() -> None:
    with serving(sends(PRICED)) as server:
        quotes = coingecko_prices(server.login())
    assert {coin: (q.usd, q.change_24h_pct) for coin, q in quotes.items() if isinstance(q, Quote)} == {
        "bitcoin": (64000.5, 1.23),
        "ethereum": (2500, -3.0),
    }
    (path, headers), *more = server.asked
    assert more == []
    assert urlsplit(path).path == "/api/v3/simple/price"
    assert parse_qs(urlsplit(path).query) == {
        "ids": ["bitcoin,ethereum"],
        "vs_currencies": ["usd"],
        "include_24hr_change": ["true"],
        "include_last_updated_at": ["true"],
    }
    assert prices.KEY_HEADER not in {name.lower() for name in headers}


def test_the_key_comes_from_the_variable_that_the_login_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUR_KEY", "k-123")
    with serving(sends(PRICED)) as server:
        coingecko_prices(server.login("OUR_KEY"))
    assert {name.lower(): value for name, value in server.asked[0][1].items()}["x-cg-demo-api-key"] == "k-123"


def test_a_key_that_is_no_plain_line_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUR_KEY", "k\r\nx: y")
    with serving(sends(PRICED)) as server:
        assert reasons(coingecko_prices(server.login("OUR_KEY"))) == {
            "request failed: the key in OUR_KEY is not one plain line"
        }
    assert server.asked == []


def test_a_partial_answer_prices_what_it_has_prices_06() -> None:
    quotes = asked(sends({"bitcoin": PRICED["bitcoin"]}))
    assert isinstance(quotes["bitcoin"], Quote)
    assert quotes["ethereum"] == Unavailable("no price returned")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        pytest.param(sends({}, 429), "HTTP 429", id="refused"),
        pytest.param(sends({}, 500), "HTTP 500", id="failed"),
        pytest.param(sends({}, 302), "HTTP 302", id="sent elsewhere: the key is not carried there"),
        pytest.param(sends(b"<html>"), "the answer is no JSON object", id="HTML"),
        pytest.param(sends([1]), "the answer is no JSON object", id="a list"),
        pytest.param(sends(b"\xff\xfe{}"), "the answer is no JSON object", id="bytes that are no text"),
        pytest.param(sends(b"[" * 200_000), "the answer is no JSON object", id="nested without end"),
        pytest.param(sends(b" " * 1_000_001), "the answer is too large", id="huge"),
        pytest.param(lambda handler: handler.connection.close(), "the connection broke", id="hangs up"),
        pytest.param(lambda handler: handler.wfile.write(b"nonsense\r\n\r\n"), "the connection broke", id="no HTTP"),
    ],
)
def test_a_failed_call_says_why_for_every_coin(answer: Answer, reason: str) -> None:
    quotes = asked(answer)
    assert set(quotes) == {"bitcoin", "ethereum"}
    assert reasons(quotes) == {f"request failed: {reason}"}


def test_nobody_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        login = Login("market", base_url=f"http://127.0.0.1:{taken.getsockname()[1]}", pinned=COINS)
        assert reasons(coingecko_prices(login)) == {"request failed: cannot connect"}


@pytest.mark.parametrize("address", ["http://", "http://[::1", "http://exa mple"], ids=str)
def test_an_address_that_is_none(address: str) -> None:
    assert len(reasons(coingecko_prices(Login("market", base_url=address, pinned=COINS)))) == 1


def drips_body(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("content-length", "1000")
    handler.end_headers()
    for _ in range(1000):
        handler.wfile.write(b" ")
        time.sleep(0.05)


def drips_headers(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(1000):
        handler.wfile.write(f"x-{number}: y\r\n".encode())
        time.sleep(0.05)


def silent(_: Handler) -> None:
    time.sleep(10)


@pytest.mark.parametrize("answer", [silent, drips_body, drips_headers], ids=["silent", "body drips", "headers drip"])
def test_the_limit_is_for_the_whole_call_prices_07(answer: Answer, short: float) -> None:
    started = time.monotonic()
    with serving(answer) as server:
        quotes = coingecko_prices(server.login())
        took = time.monotonic() - started
    assert reasons(quotes) == {"request failed: no answer within 0.3 seconds"}
    assert took < short + 2


def test_the_limit_is_five_seconds_prices_07() -> None:
    assert prices.LIMIT_SECONDS == 5


ELSEWHERE = "prices.example"


@pytest.mark.parametrize(
    ("address", "hosts", "sent"),
    [
        (None, "", True),
        ("https://pro-api.coingecko.com/api/v3", "", True),
        ("http://api.coingecko.com/api/v3", "", False),
        (f"https://{ELSEWHERE}", "", False),
        (f"https://{ELSEWHERE}", f"other.example, {ELSEWHERE}", True),
        ("https://coingecko.com.evil.example", "", False),
        ("https://notcoingecko.com", "", False),
        (f"https://{ELSEWHERE}@evil.example", ELSEWHERE, False),
        ("http://[::1]:8000", "", True),
    ],
)
def test_a_key_goes_to_no_host_that_whoever_set_the_login_chose(address: str | None, hosts: str, *, sent: bool) -> None:
    """Else an operator elsewhere could have any variable of the server sent to themselves."""
    asked_with: list[str | None] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked_with.append(request.headers.get("x-cg-demo-api-key"))
        return httpx.Response(200, content=iter([b"{}"]))

    login = Login("market", base_url=address, secret_name="OUR_KEY", pinned=COINS)
    with httpx.Client(transport=httpx.MockTransport(answer)) as client:
        if sent:
            prices._get(client, login, {"OUR_KEY": "k", prices.KEY_HOSTS: hosts})
        else:
            with pytest.raises(prices._Failed, match=prices.KEY_HOSTS):
                prices._get(client, login, {"OUR_KEY": "k", prices.KEY_HOSTS: hosts})
    assert asked_with == (["k"] if sent else [])
