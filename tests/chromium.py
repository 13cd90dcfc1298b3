"""Chromium as the system has it, driven by Playwright."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first that is there. The shell has no window around its pages, and opens one with a quarter of the work."""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
]

expect.set_options(timeout=10_000)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser until the block ends; without Chromium the test is skipped, and fails where CI is to have it."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        reason = "the browser tests need Chromium: apt-get install chromium-headless-shell"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield started
        started.close()
