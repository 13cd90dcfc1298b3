"""What browsers are told: scripts of ours only, no frames, no address of others, and nothing of the server itself."""

import re

import httpx
import pytest
from app_served import FORBIDDEN, opened
from playwright.sync_api import BrowserContext

NONCE = re.compile(r"'nonce-([\w-]{20,})'")


def policy_of(answer: httpx.Response) -> dict[str, list[str]]:
    """The directives of an answer's policy."""
    parts = [part.split() for part in answer.headers["Content-Security-Policy"].split(";")]
    return {name: values for name, *values in parts}


def test_the_page_runs_only_its_own_scripts(url: str) -> None:
    answer = httpx.get(url, timeout=30)
    policy = policy_of(answer)
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == ["'none'"]
    assert policy["form-action"] == ["'self'"]
    assert [source for source in policy["script-src"] if not source.startswith("'nonce-")] == ["'self'"]
    nonce = NONCE.search(answer.headers["Content-Security-Policy"])
    assert nonce is not None
    scripts = re.findall(r"<script(?![^>]*application/json)[^>]*>", answer.text)
    assert scripts
    assert [script for script in scripts if f'nonce="{nonce[1]}"' not in script] == []


def test_each_page_has_a_word_of_its_own(url: str) -> None:
    words = {NONCE.findall(httpx.get(url, timeout=30).headers["Content-Security-Policy"])[0] for _ in range(3)}
    assert len(words) == 3


@pytest.mark.parametrize("path", ["", "static/js/bokeh.min.js", "nothing-is-here"])
def test_every_answer_tells_browsers_what_they_may_do(url: str, path: str) -> None:
    told = httpx.get(url + path, timeout=30).headers
    assert "Server" not in told
    assert (told["X-Content-Type-Options"], told["X-Frame-Options"]) == ("nosniff", "DENY")
    assert told["Referrer-Policy"] == "same-origin"
    assert "frame-ancestors 'none'" in told["Content-Security-Policy"]


@pytest.mark.parametrize(
    "hostile",
    [
        "const s = document.createElement('script'); s.textContent = 'window.ran = true'; document.body.append(s)",
        "document.body.insertAdjacentHTML('beforeend', '<img src=/x onerror=\"window.ran = true\">')",
        "const a = document.createElement('a'); a.href = 'javascript:window.ran = true'; document.body.append(a); a.click()",
        "const s = document.createElement('script'); s.src = 'http://127.0.0.1:9/x.js'; document.body.append(s)",
        "const s = document.createElement('script'); s.src = 'data:text/javascript,window.ran=true'; document.body.append(s)",
        "fetch('http://127.0.0.1:9/').catch(() => {})",
        "document.body.insertAdjacentHTML('beforeend', '<iframe src=\"data:text/html,x\"></iframe>')",
    ],
    ids=["inline", "handler", "address", "foreign", "data", "request", "frame"],
)
def test_what_a_page_is_made_to_want_is_forbidden_and_heard_by_these_tests(
    context: BrowserContext, url: str, hostile: str
) -> None:
    page = context.new_page()
    heard: list[str] = []
    page.on("console", lambda said: heard.append(said.text) if FORBIDDEN in said.text else None)
    opened(page, url)
    assert heard == []
    page.evaluate(f"() => {{ {hostile} }}")
    page.wait_for_timeout(300)
    assert heard
    assert page.evaluate("() => window.ran") is None
    page.close()
