"""A real server on a real store, and a real browser: one server for each module, one page and one agent for each test."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from app_served import FORBIDDEN, opened, serve
from chromium import chromium
from playwright.sync_api import Browser, BrowserContext, Page

from studio import Studio, open_studio

NOW = datetime(2026, 11, 28, 9, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """The store that the server shows; tests write to it as runs and other people do."""
    file = tmp_path_factory.mktemp("app") / "app.duckdb"
    environment = {**os.environ, "STUDIO_NOW": NOW.isoformat(), "STUDIO_OPERATOR": "Ana"}
    with open_studio(file, environment=environment) as opened:
        yield opened


@pytest.fixture(scope="module")
def url(studio: Studio) -> Iterator[str]:
    """Where the app is served."""
    yield from serve(studio, demo=False)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium as the system has it."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """One context for a module, so that its pages share a cache."""
    opened = browser.new_context(viewport={"width": 1360, "height": 860}, reduced_motion="reduce")
    yield opened
    opened.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page that must stay on this machine, run without an error, and want nothing that its policy forbids."""
    opened = context.new_page()
    wrong: list[str] = []
    opened.on("console", lambda said: wrong.append(said.text) if FORBIDDEN in said.text else None)
    opened.on("pageerror", lambda error: wrong.append(f"error: {error}"))
    opened.on("request", lambda request: wrong.append(f"request: {request.url}") if _leaves(request.url) else None)
    yield opened
    opened.close()
    assert not wrong


def _leaves(address: str) -> bool:
    return not address.startswith(("http://127.0.0.1:", "data:", "blob:"))


@pytest.fixture
def agent(studio: Studio, request: pytest.FixtureRequest) -> str:
    """A fresh agent of its own for a test, by its id."""
    return studio.create_agent(request.node.name[:150], focus="Answers tickets.", guild="Desk").id


@pytest.fixture
def written(studio: Studio, agent: str) -> str:
    """An agent whose memory has five versions: empty, by an operator, by runs, by the agent."""
    studio.save_memory(agent, "# Desk\n\nSMS alarms are in UTC.\n", force=True)
    studio.memory_write(agent, "# Desk\n\nSMS alarms are in UTC.\nReset links live 24 hours.\n")
    studio.save_memory(
        agent, "# Desk\n\nSMS alarms are in local time.\nReset links live 24 hours.\n", force=True, operator="Ben"
    )
    studio.memory_write(
        agent, "# Desk\n\nSMS alarms are in UTC.\nReset links live 24 hours.\nAsk for the buoy number.\n"
    )
    return agent


@pytest.fixture
def go(page: Page, url: str) -> Any:
    """Opens an address of the app."""
    return lambda query: opened(page, f"{url}{query}")


@pytest.fixture(scope="session")
def axe_script() -> str:
    """axe-core, as the test library brings it."""
    import axe_playwright_python  # noqa: PLC0415 - only this fixture needs it

    return next(Path(axe_playwright_python.__file__).parent.rglob("axe.min.js")).read_text("utf-8")
