"""The app as a real server on a real store, and a page of it that is there."""

import asyncio
import threading
from collections.abc import Iterator
from functools import partial
from queue import Queue
from typing import Any
from unittest.mock import patch

import panel as pn
from playwright.sync_api import Page

from studio import Studio
from studio.actions.listening import Reach
from studio.api.routes import routes_for
from studio.app.server import run

FORGETFUL = partial(pn.serve, check_unused_sessions_milliseconds=1_000, unused_session_lifetime_milliseconds=5_000)
"""Panel's server, which ends the sessions of closed pages soon: for half a minute each looks for news, and tests close many."""

FORBIDDEN = "Content Security Policy"
"""What Chromium says of whatever a page's policy forbids."""


def serve(studio: Studio, *, demo: bool, reach: Reach | None = None) -> Iterator[str]:
    """Serve a store from a thread until the generator ends; with the API where others reach it."""
    routes = routes_for(lambda _: studio, names=reach.names) if reach else []
    ready: Queue[Any] = Queue()
    loop = asyncio.new_event_loop()

    def target() -> None:
        asyncio.set_event_loop(loop)
        try:
            with patch.object(pn, "serve", FORGETFUL):
                run(
                    studio,
                    address="127.0.0.1",
                    port=0,
                    open_browser=False,
                    demo=demo,
                    on_ready=ready.put,
                    routes=routes,
                    reach=reach,
                )
        except BaseException as error:  # noqa: BLE001 - the waiting test must hear of it
            ready.put(error)

    thread = threading.Thread(target=target, daemon=True)
    thread.start()
    told = ready.get(timeout=60)
    if isinstance(told, BaseException):
        raise told
    yield told
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)


def opened(page: Page, address: str) -> Page:
    """The page once it is there."""
    page.goto(address)
    page.wait_for_selector("body.ready")
    return page
