"""Where pinned prices come from: one call of CoinGecko's `/simple/price`, never longer than five seconds in all."""

import contextlib
import json
import os
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING

from studio.domain.prices import Login, Quotes, all_unavailable, read_answer

if TYPE_CHECKING:
    import httpx

Prices = Callable[[Login], Quotes]
"""Asks a login's service for the prices of the coins it pins; a failure is an answer too and never an exception."""

LIMIT_SECONDS = 5.0
"""How long the whole call may take: name look-up, connection, and an answer that drips in."""
SERVICE = "coingecko.com"
"""The service's own domain."""
PUBLIC_ADDRESS = "https://api.coingecko.com/api/v3"
"""Where the service is for a login that names no address."""
KEY_HOSTS = "STUDIO_PRICE_HOSTS"
"""The environment variable with the hosts, beside the service's own and this machine, that a login's key may be sent to."""
KEY_HEADER = "x-cg-demo-api-key"
"""The header that carries a login's key."""
ANSWER_CAP_BYTES = 1_000_000
"""The largest answer that is read; a real one has about 100 bytes for each coin."""
HTTP_OK = 200


class _Failed(Exception):
    """The call brought nothing; the message says why."""


def coingecko_prices(login: Login) -> Quotes:
    """Ask for all coins of a login in one call. Where it fails, every coin is unavailable for the same reason.

    The call runs in a thread of its own: no setting of the client bounds a look-up that hangs and an answer that drips.
    """
    import httpx  # noqa: PLC0415 - most commands make no call, and it costs start-up time

    client = httpx.Client(timeout=LIMIT_SECONDS)
    asked: Future[dict[str, object]] = Future()
    threading.Thread(target=_ask, args=(client, login, os.environ, asked), daemon=True).start()
    try:
        return read_answer(login.pinned, asked.result(LIMIT_SECONDS))
    except (TimeoutError, httpx.TimeoutException):
        why = f"no answer within {LIMIT_SECONDS:g} seconds"
    except httpx.ConnectError:
        why = "cannot connect"
    except (httpx.HTTPError, httpx.InvalidURL, OSError):
        why = "the connection broke"
    except _Failed as failed:
        why = str(failed)
    finally:
        with contextlib.suppress(Exception):  # the thread may still read: closing under it is what ends it
            client.close()
    return all_unavailable(login.pinned, f"request failed: {why}")


def _ask(
    client: "httpx.Client", login: Login, environment: Mapping[str, str], asked: "Future[dict[str, object]]"
) -> None:
    """Make the call, and hand over what it brings or raises."""
    try:
        asked.set_result(_get(client, login, environment))
    except Exception as error:  # noqa: BLE001 - whoever waits raises it again
        asked.set_exception(error)


def _get(client: "httpx.Client", login: Login, environment: Mapping[str, str]) -> dict[str, object]:
    """The answer as a JSON object."""
    query = {
        "ids": ",".join(dict.fromkeys(coin.id for coin in login.pinned)),
        "vs_currencies": "usd",
        "include_24hr_change": "true",
        "include_last_updated_at": "true",
    }
    headers = {"accept": "application/json", "accept-encoding": "identity"}
    address = f"{(login.base_url or PUBLIC_ADDRESS).rstrip('/')}/simple/price"
    if key := environment.get(login.secret_name or ""):
        if not _may_have_key(client, address, environment):
            raise _Failed(f"{KEY_HOSTS} does not name the host of base_url, so it is not sent {login.secret_name}")
        if not (key.isascii() and key.isprintable()):
            raise _Failed(f"the key in {login.secret_name} is not one plain line")
        headers[KEY_HEADER] = key
    with client.stream("GET", address, params=query, headers=headers) as response:
        if response.status_code != HTTP_OK:
            raise _Failed(f"HTTP {response.status_code}")
        read = bytearray()
        for piece in response.iter_raw():
            read += piece
            if len(read) > ANSWER_CAP_BYTES:
                raise _Failed("the answer is too large")
    return _json_object(bytes(read))


def _may_have_key(client: "httpx.Client", address: str, environment: Mapping[str, str]) -> bool:
    """Whether a key may go to an address: whoever sets a login could have any variable of this process sent to their own host."""
    url = client.build_request("GET", address).url
    if url.host == SERVICE or url.host.endswith(f".{SERVICE}"):
        return url.scheme == "https"
    named = {host.strip().lower() for host in environment.get(KEY_HOSTS, "").split(",")}
    return url.host in {"localhost", "127.0.0.1", "::1", *named}


def _json_object(answer: bytes) -> dict[str, object]:
    try:
        value = json.loads(answer)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise _Failed("the answer is no JSON object")
    return value
