"""Our line diff against difflib on the same lines, in one run: right where difflib is wrong, and several times faster."""

import difflib
import random
from time import perf_counter

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from studio.domain.diff import count_lines, diff, split_lines

MEMORY_CHARACTERS = 12_000
TIMES_FASTER = 3
ROUNDS = 15


def memory(seed: int) -> str:
    """A memory of 12,000 characters whose lines repeat: blank lines, bullets, the same daily entries."""
    chance = random.Random(seed)
    common = ["", "", "", "- nothing new", "- checked the feed", "## Log", "- price fetched", "---", "- no reply"]
    lines: list[str] = []
    while sum(len(line) + 1 for line in lines) < MEMORY_CHARACTERS:
        own = f"- on day {chance.randrange(400)} Ana asked about item {chance.randrange(50)}"
        lines.append(chance.choice(common) if chance.random() < 0.85 else own)
    return ("\n".join(lines) + "\n" * MEMORY_CHARACTERS)[:MEMORY_CHARACTERS]


OLD, NEW = memory(1), memory(2)


def difflib_counts(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[int, int]:
    """Added and removed lines as difflib has them."""
    added = removed = 0
    for tag, i, j, k, m in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            added, removed = added + m - k, removed + j - i
    return added, removed


def fastest_ms(act: object, *arguments: object) -> float:
    """The fastest of several rounds, in milliseconds."""
    assert callable(act)
    times = []
    for _ in range(ROUNDS):
        start = perf_counter()
        act(*arguments)
        times.append(perf_counter() - start)
    return min(times) * 1_000


def test_counts_and_blocks_are_right_and_faster_than_difflib(capsys: pytest.CaptureFixture[str]) -> None:
    old_lines, new_lines = split_lines(OLD), split_lines(NEW)
    ours, theirs = count_lines(OLD, NEW), difflib_counts(old_lines, new_lines)
    counting, blocks = fastest_ms(count_lines, OLD, NEW), fastest_ms(diff, OLD, NEW)
    peer = fastest_ms(difflib_counts, old_lines, new_lines)
    with capsys.disabled():
        print(
            f"\n{len(old_lines)} and {len(new_lines)} lines: difflib {peer:.2f} ms, {theirs}; "
            f"count_lines {counting:.2f} ms ({peer / counting:.0f}x), diff {blocks:.2f} ms ({peer / blocks:.1f}x), {tuple(ours)}"
        )
    assert sum(ours) < sum(theirs)
    assert peer / counting >= TIMES_FASTER
    assert peer / blocks >= TIMES_FASTER


def test_diff_of_12_000_characters(benchmark: BenchmarkFixture) -> None:
    assert benchmark(diff, OLD, NEW).counts == count_lines(OLD, NEW)


def test_counts_of_100_kb(benchmark: BenchmarkFixture) -> None:
    old, new = "".join(memory(n) for n in range(8)), "".join(memory(n) for n in range(3, 11))
    assert sum(benchmark(count_lines, old, new)) > 0
