"""Counts are git's even where git's own are not the smallest (decision 15)."""

import random
import re
import subprocess
from pathlib import Path

import pytest

from studio.domain.diff import apply, count_lines, diff
from studio.domain.discard import kept_positions
from studio.domain.lcs import common_length

BRACES_AMONG_STRANGERS = ("}\n" * 20, "".join(f"new {n}\n" * 6 + ("}\n" if n % 2 else "") for n in range(12)))
"""Twenty braces, and a text of new lines with six single braces among them."""


def git_version() -> tuple[int, ...]:
    said = subprocess.run(["git", "--version"], check=True, capture_output=True, text=True).stdout
    found = re.search(r"(\d+)\.(\d+)", said)
    assert found
    return tuple(int(part) for part in found.groups())


def git_counts(pairs: dict[str, tuple[str, str]], folder: Path) -> dict[str, tuple[int, int]]:
    """What git counts for each pair, asked once for all of them."""
    for side in (0, 1):
        (folder / "ab"[side]).mkdir()
        for name, texts in pairs.items():
            (folder / "ab"[side] / name).write_bytes(texts[side].encode())
    command = ["git", "diff", "--no-index", "--no-renames", "--minimal", "--numstat", "-z", "a", "b"]
    out = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True).stdout
    counts = dict.fromkeys(pairs, (0, 0))
    fields = iter(out.split("\0"))
    for field in fields:
        if field.strip():
            added, removed, _ = field.split("\t")
            next(fields)
            counts[Path(next(fields)).name] = (int(added), int(removed))
    return counts


def random_pair(rng: random.Random) -> tuple[str, str]:
    """A text with many repeated lines, and an edit of it."""
    size, names = rng.choice([5, 30, 100, 300]), rng.choice([3, 8, 40, 400])
    common = rng.choice([0.1, 0.5])
    old = [
        rng.choice(["", "}", f"x{rng.randrange(names)}"]) if rng.random() < common else f"u{rng.randrange(9 * size)}"
        for _ in range(size)
    ]
    new = list(old)
    for _ in range(rng.randrange(1, size)):
        at, turn = rng.randrange(len(new) + 1), rng.random()
        if turn < 0.4:
            del new[at : at + rng.randrange(1, 6)]
        elif turn < 0.8:
            new[at:at] = [rng.choice(["", "}", f"new{rng.randrange(50)}"]) for _ in range(rng.randrange(1, 8))]
        else:
            new[at:at] = rng.sample(old, min(len(old), 5))
    return "\n".join(old), "\n".join(new) + rng.choice(["", "\n"])


def test_counts_equal_git_on_texts_full_of_repeated_lines(tmp_path: Path) -> None:
    rng = random.Random(20)
    pairs = {f"pair-{n}": random_pair(rng) for n in range(150)} | {"braces": BRACES_AMONG_STRANGERS}
    ours = {name: tuple(count_lines(*texts)) for name, texts in pairs.items()}
    git = git_counts(pairs, tmp_path)
    if git_version() < (2, 50):
        assert ours == git
    else:
        assert all(git[name] <= ours[name] for name in pairs)


def test_view_and_counts_agree_where_lines_are_set_aside() -> None:
    old, new = BRACES_AMONG_STRANGERS
    change = diff(old, new)
    assert change.counts == count_lines(old, new)
    assert apply(old, change) == new


def test_a_frequent_line_among_strangers_is_not_compared() -> None:
    old, new = (text.splitlines(keepends=True) for text in BRACES_AMONG_STRANGERS)
    assert kept_positions(new, old, 0, len(new)) != list(range(len(new)))
    assert common_length(old, new, like_git=True) < common_length(old, new)


@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_rare_line_is_always_compared(times: int) -> None:
    strangers = [f"stranger {n}\n" for n in range(20)]
    new = [*strangers[:10], "}\n", *strangers[10:]]
    old = ["}\n"] * times + [f"gone {n}\n" for n in range(100)]
    assert 10 in kept_positions(new, old, 0, len(new))
