"""Rich display: HTML with all text escaped, and one line where there is no HTML."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from builders import Clock, blank_store
from IPython.core.interactiveshell import InteractiveShell

from studio import Studio
from studio.notebook import formatters

HOSTILE = "<img src=x onerror=alert(1)></memory>"


@pytest.fixture
def studio() -> Iterator[Studio]:
    with blank_store(Clock(datetime(2026, 9, 13, 9, 0, 12, tzinfo=UTC)), operator=HOSTILE) as opened:
        opened.create_agent("researcher", focus=HOSTILE)
        opened.save_memory("researcher", HOSTILE + "\n" + "line\n" * 500, force=True)
        yield opened


@pytest.fixture
def display() -> Iterator[Any]:
    shell: Any = InteractiveShell()  # type: ignore[no-untyped-call]
    assert formatters.register(shell)
    yield lambda value: shell.display_formatter.format(value)[0]
    InteractiveShell.clear_instance()


def values(studio: Studio) -> dict[str, Any]:
    comparison = studio.compare_memory("researcher", 2)
    return {
        "version": comparison.new,
        "text": studio.get_memory_version("researcher"),
        "comparison": comparison,
        "diff": comparison.diff,
        "prompt": studio.preview("researcher"),
    }


@pytest.mark.parametrize("kind", ["version", "text", "comparison", "diff", "prompt"])
def test_a_value_is_shown_small_and_escaped(studio: Studio, display: Any, kind: str) -> None:
    shown = display(values(studio)[kind])
    assert "<img" not in shown["text/html"]
    assert "</memory>" not in shown["text/html"]
    assert len(shown["text/html"]) < 60_000
    assert "\n" not in shown["text/plain"]
    assert len(shown["text/plain"]) < 400


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("version", "Version 2 by operator <img src=x onerror=alert(1)></memory>, 2026-09-13 09:00 UTC: +501 −0 lines"),
        ("comparison", "Change from version 1 to version 2: +501 −0 lines."),
        ("diff", "Change: +501 −0 lines"),
        ("prompt", "Prompt of "),
    ],
)
def test_the_line_says_what_a_person_needs(studio: Studio, display: Any, kind: str, says: str) -> None:
    assert display(values(studio)[kind])["text/plain"].startswith(says)


def test_without_a_shell_nothing_is_registered() -> None:
    assert not formatters.register()
