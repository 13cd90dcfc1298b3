"""Rendered Markdown against nh3.clean of the HTML it becomes, in one run: hard texts cost no more than usual ones do."""

from time import perf_counter

import nh3
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from studio.render.markdown import render

CHARACTERS = 12_000
USUAL = (
    "## Log\n\n- **09:00** checked `feed.py`, see [the note](https://a.example/n)\n  - no reply from Ana\n\nAll is well.\n\n"
    * 100
)
MOTIFS = [
    "*a ",
    "[a](",
    "[",
    "_",
    "<",
    "`a",
    "- ",
    "|`",
    "\\*",
    "# a\n",
    "a\n=\n",
    "***\n",
    "- a\n\n",
    "> ",
    "a_ _b",
    "x  \n",
]
TEXTS = {"usual": USUAL[:CHARACTERS], **{repr(m): (m * CHARACTERS)[:CHARACTERS] for m in MOTIFS}}
TIMES_USUAL = 20
ROUNDS = 3


def fastest_ms(act: object, text: str) -> float:
    """The fastest of several rounds, in milliseconds."""
    assert callable(act)
    times = []
    for _ in range(ROUNDS):
        start = perf_counter()
        act(text)
        times.append(perf_counter() - start)
    return min(times) * 1_000


def test_no_text_of_12_000_characters_is_much_slower_than_a_usual_one(capsys: pytest.CaptureFixture[str]) -> None:
    ours = {name: fastest_ms(render, text) for name, text in TEXTS.items()}
    with capsys.disabled():
        print()
        for name, text in TEXTS.items():
            peer = fastest_ms(nh3.clean, render(text))
            print(f"{name:>12}: render {ours[name]:.1f} ms, nh3.clean of it {peer:.2f} ms ({ours[name] / peer:.0f}x)")
    assert max(ours.values()) <= TIMES_USUAL * ours["usual"]


def test_usual_text_of_12_000_characters(benchmark: BenchmarkFixture) -> None:
    assert "<h2>Log</h2>" in benchmark(render, TEXTS["usual"])
