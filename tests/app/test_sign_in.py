"""Who gets to see the page: everybody on this machine, who signed in where others reach it, and no page of another site."""

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from app_served import opened, serve
from playwright.sync_api import Page, expect
from tornado.httpclient import HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

from studio import Studio, open_studio
from studio.actions.listening import Reach
from studio.app.doorkeeper import COOKIE
from studio.domain.tokens import Role

NAME = "studio.example"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A store that others reach, with an agent and three tokens."""
    with open_studio(tmp_path_factory.mktemp("shared") / "s.duckdb", operator="Ana") as studio:
        studio.create_agent("desk", focus="Sell.")
        yield studio


@pytest.fixture(scope="module")
def secrets(shared: Studio) -> dict[str, str]:
    """The tokens by name."""
    roles = {"Ben": Role.OPERATOR, "wall": Role.VIEWER}
    made = {name: shared.tokens.create(name, role)[1] for name, role in roles.items()}
    return made | {"runtime": shared.tokens.create("runtime", Role.AGENT, agent="desk")[1]}


@pytest.fixture(scope="module")
def door(shared: Studio) -> Iterator[str]:
    """Where it is served, with sign-in."""
    yield from serve(shared, demo=False, reach=Reach((NAME,), sign_in=True))


@pytest.fixture
def client(door: str) -> Iterator[httpx.Client]:
    """A browser of somebody who has not signed in."""
    with httpx.Client(base_url=door, timeout=30) as one:
        yield one


def sign_in(client: httpx.Client, token: str, leads_to: str = "/", **headers: str) -> httpx.Response:
    return client.post("sign-in", data={"token": token, "next": leads_to}, headers=headers)


# --- who signs in ---


def test_a_page_leads_to_the_sign_in_page_and_back(client: httpx.Client, secrets: dict[str, str]) -> None:
    asked = client.get("?agent=desk&place=prompt")
    assert asked.status_code == 302
    page = client.get(asked.headers["Location"])
    assert page.status_code == 200
    assert 'name="next" value="/?agent=desk&amp;place=prompt"' in page.text
    done = sign_in(client, f" {secrets['Ben']} ", "/?agent=desk&place=prompt")
    assert (done.status_code, done.headers["Location"]) == (303, "./?agent=desk&place=prompt")
    shown = client.get(done.headers["Location"])
    assert shown.status_code == 200
    assert '<span class="signed-in">Ben</span>' in shown.text
    assert "Sign out" in shown.text


def test_the_cookie_is_signed_and_kept_from_scripts_and_other_sites(
    client: httpx.Client, secrets: dict[str, str]
) -> None:
    given = sign_in(client, secrets["Ben"]).headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(given.split("; "))
    assert "Secure" not in given
    assert secrets["Ben"] not in given
    behind_tls = sign_in(client, secrets["Ben"], Host=NAME, Origin=f"https://{NAME}")
    assert behind_tls.status_code == 303
    assert "Secure" in behind_tls.headers["Set-Cookie"].split("; ")


def test_the_page_holds_no_cookie(client: httpx.Client, secrets: dict[str, str]) -> None:
    sign_in(client, secrets["Ben"])
    token = re.findall(r'"token":"([^"]+)"', client.get("").text)[0]
    payload = re.sub(r"[^A-Za-z0-9_-]", "", token)
    assert client.cookies[COOKIE][:20] not in payload
    assert client.cookies[COOKIE] not in client.get("").text


@pytest.mark.parametrize("token", ["", "studio_guess", "{runtime}", "\udcff", "x" * 100_000], ids=lambda one: one[:12])
def test_what_lets_nobody_in_is_a_sentence(client: httpx.Client, secrets: dict[str, str], token: str) -> None:
    given = token.format(**secrets).encode("utf-8", "surrogateescape")
    refused = client.post("sign-in", data={"token": given, "next": "/"})
    assert refused.status_code == 403
    assert "This token lets nobody in" in refused.text
    assert "Set-Cookie" not in refused.headers
    assert client.get("").status_code == 302


@pytest.mark.parametrize(
    "value", ["", "x", "2|1:0|10:1|13:studio-visitor|4:e30=|", "Ben"], ids=["empty", "no cookie", "unsigned", "a name"]
)
def test_a_cookie_that_we_did_not_make_is_none(client: httpx.Client, value: str) -> None:
    assert client.get("", headers={"Cookie": f"{COOKIE}={value}"}).status_code == 302


def test_a_cookie_ends_with_its_token(client: httpx.Client, shared: Studio) -> None:
    token = shared.tokens.create("passing", Role.OPERATOR)[1]
    sign_in(client, token)
    assert client.get("").status_code == 200
    shared.tokens.revoke("passing")
    shared.tokens.create("passing", Role.OPERATOR)
    assert client.get("").status_code == 302
    shared.tokens.revoke("passing")


def test_signing_out_takes_the_cookie_back(client: httpx.Client, secrets: dict[str, str]) -> None:
    sign_in(client, secrets["wall"])
    assert client.get("sign-out").status_code == 302  # a mere link does nothing
    assert client.get("").status_code == 200
    assert client.post("sign-out").headers["Location"] == "./sign-in"
    assert client.get("").status_code == 302


@pytest.mark.parametrize(
    "leads_to",
    ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "", "/x\r\nSet-Cookie: a=b"],
)
def test_it_leads_nowhere_else(client: httpx.Client, secrets: dict[str, str], leads_to: str) -> None:
    assert sign_in(client, secrets["Ben"], leads_to).headers["Location"] == "./"


def test_rest_takes_no_cookie(client: httpx.Client, secrets: dict[str, str]) -> None:
    sign_in(client, secrets["Ben"])
    assert client.get("api/agents").status_code == 401
    bearer = {"Authorization": f"Bearer {secrets['Ben']}", "Host": NAME}
    assert client.get("api/agents", headers=bearer).status_code == 200


def test_who_follows_a_link_on_another_site_steps_over_it_first(client: httpx.Client) -> None:
    page = client.get("sign-in?next=%2F%3Fagent%3Ddesk", headers={"Sec-Fetch-Site": "cross-site"})
    assert 'http-equiv="refresh" content="0;url=./?agent=desk"' in page.text
    assert "<form" not in page.text


def test_the_page_at_the_door_runs_no_script_and_is_framed_by_nobody(client: httpx.Client) -> None:
    page = client.get("sign-in")
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert page.headers["Cache-Control"] == "no-store"
    assert "<script" not in page.text


# --- other sites, with sign-in and without ---


@pytest.fixture(scope="module", params=["with sign-in", "on this machine"])
def any_door(request: pytest.FixtureRequest, door: str, url: str) -> str:
    return door if request.param == "with sign-in" else url


REFUSED = {
    "another name": {"Host": "evil.example"},
    "another name with our port": {"Host": "evil.example:5006"},
    "another name that begins as ours": {"Host": "127.0.0.1.evil.example"},
    "no name": {"Host": ""},
    "another origin": {"Origin": "http://evil.example"},
    "no origin": {"Origin": "null"},
    "an origin that is none": {"Origin": "http://["},
    "an origin of another kind": {"Origin": "ftp://127.0.0.1"},
    "inside of another page": {"Sec-Fetch-Dest": "iframe", "Sec-Fetch-Site": "cross-site"},
    "inside of a page of ours": {"Sec-Fetch-Dest": "iframe", "Sec-Fetch-Site": "same-origin"},
    "a session by its name": {"Bokeh-Session-Id": "mine"},
}


@pytest.mark.parametrize("path", ["", "sign-in"])
@pytest.mark.parametrize("headers", REFUSED.values(), ids=REFUSED)
def test_what_another_site_sends_is_refused(any_door: str, path: str, headers: dict[str, str]) -> None:
    assert httpx.get(any_door + path, headers=headers, timeout=30).status_code in (400, 403)


@pytest.mark.parametrize("query", ["?bokeh-session-id=mine", "?bokeh-token=mine"])
def test_no_session_is_joined_by_its_name(any_door: str, query: str) -> None:
    assert httpx.get(any_door + query, timeout=30).status_code == 403


def test_localhost_and_the_address_are_names_of_this_machine(url: str) -> None:
    port = url.rstrip("/").rpartition(":")[2]
    for host in (f"localhost:{port}", f"127.0.0.1:{port}", "[::1]"):
        assert httpx.get(url, headers={"Host": host}, timeout=30).status_code == 200
    assert httpx.get(url + "sign-in", timeout=30).headers["Location"] == "./"


def socket_opens(url: str, **headers: str) -> bool:
    """Whether a websocket of a page opens and answers; asked in a thread, since a browser keeps an event loop in this one."""
    cookie = {name: value for name, value in headers.items() if name == "Cookie"}
    token = (re.findall(r'"token":"([^"]+)"', httpx.get(url, headers=cookie, timeout=30).text) or ["none"])[0]

    async def ask() -> bool:
        request = HTTPRequest(url.replace("http", "ws") + "ws", headers=headers)
        try:
            opened = await websocket_connect(request, subprotocols=["bokeh", token])
        except HTTPClientError:
            return False
        return await asyncio.wait_for(opened.read_message(), 20) is not None

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(ask())).result()


def test_a_websocket_opens_for_our_own_page_and_for_no_other(url: str) -> None:
    assert socket_opens(url, Origin=url.rstrip("/"))
    assert not socket_opens(url, Origin="http://evil.example")


def test_a_websocket_needs_the_cookie_where_others_reach_us(
    client: httpx.Client, door: str, secrets: dict[str, str]
) -> None:
    sign_in(client, secrets["wall"])
    cookie = f"{COOKIE}={client.cookies[COOKIE]}"
    origin = door.rstrip("/")
    assert socket_opens(door, Origin=origin, Cookie=cookie)
    assert not socket_opens(door, Origin=origin)
    assert not socket_opens(door, Origin="http://evil.example", Cookie=cookie)


# --- in a browser ---


def test_a_viewer_reads_an_operator_writes_and_a_revoked_token_ends_it(page: Page, door: str, shared: Studio) -> None:
    viewer = shared.tokens.create("hall", Role.VIEWER)[1]
    page.goto(f"{door}?agent=desk&mode=edit")
    page.get_by_label("Token").fill("studio_guess")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("This token lets nobody in")
    page.get_by_label("Token").fill(viewer)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("hall is a viewer, who reads only.")).to_be_visible()
    expect(page.get_by_text("has written nothing yet")).to_be_visible()
    expect(page.get_by_role("button", name="Write the first memory")).to_have_count(0)
    shared.save_memory("desk", "by Ana\n", force=True)
    expect(page.get_by_text("by Ana")).to_be_visible()
    expect(page.get_by_role("button", name="Edit", exact=True)).to_have_count(0)
    shared.tokens.revoke("hall")
    expect(page.get_by_label("Token")).to_be_visible()

    page.get_by_label("Token").fill(shared.tokens.create("Cleo", Role.OPERATOR)[1])
    page.get_by_role("button", name="Sign in").click()
    opened(page, f"{door}?agent=desk&mode=edit")
    page.get_by_label("The live memory, as Markdown").fill("by Cleo\n")
    page.get_by_role("button", name="Save as version 3").click()
    expect(page.get_by_text("Saved as version 3.")).to_be_visible()
    assert str(shared.list_memory_versions("desk", limit=1)[0].author) == "operator Cleo"
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Token")).to_be_visible()
