"""The laws of the diff, and git as the judge of its counts and its patches."""

import os
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from studio.domain import lcs
from studio.domain.diff import Kind, apply, count_lines, diff, hunks, invert, split_lines
from studio.domain.lcs import common_length, common_runs
from studio.domain.patch import unified_patch
from studio.errors import Stale

LINES = st.sampled_from(
    ["", "", "a", "b", "- c", "# d", "\r", "e\r", "\ufefff", "x\u0085y", "\u2028", "a\rb", "d\u0301", "👩‍🔬", " "]
)
SEPARATORS = st.sampled_from(["\n", "\n", "\n", "\r\n", ""])
TEXTS = st.lists(st.tuples(LINES, SEPARATORS), max_size=12).map(lambda parts: "".join(a + b for a, b in parts))
FREE_TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, str]:
    """Two texts that are kin: lines dropped, repeated, moved or changed."""
    old = draw(TEXTS | FREE_TEXTS)
    lines = list(split_lines(old))
    for _ in range(draw(st.integers(0, 3))):
        at, to = draw(st.integers(0, len(lines))), draw(st.integers(0, len(lines)))
        taken = lines[min(at, to) : max(at, to)]
        kind = draw(st.sampled_from(["drop", "move", "copy", "put"]))
        if kind in ("drop", "move"):
            del lines[min(at, to) : max(at, to)]
        if kind in ("move", "copy"):
            at = draw(st.integers(0, len(lines)))
            lines[at:at] = taken
        if kind == "put":
            lines[at:at] = split_lines(draw(TEXTS))
    return old, "".join(lines)


PAIRS = st.one_of(edited(), st.tuples(TEXTS, TEXTS), st.tuples(FREE_TEXTS, FREE_TEXTS))


@given(FREE_TEXTS | TEXTS)
def test_lines_joined_are_the_text(text: str) -> None:
    assert "".join(split_lines(text)) == text
    assert all(line.endswith("\n") and line.count("\n") == 1 for line in split_lines(text)[:-1])


@given(PAIRS)
def test_a_diff_leads_there_and_back(pair: tuple[str, str]) -> None:
    old, new = pair
    change = diff(old, new)
    assert apply(old, change) == new
    assert apply(new, invert(change)) == old
    assert invert(invert(change)) == change
    assert change.is_empty == (old == new)


@given(PAIRS)
def test_blocks_cover_both_texts_and_do_what_they_say(pair: tuple[str, str]) -> None:
    change = diff(*pair)
    for before, after in pairwise(change.blocks):
        assert (before.old_end, before.new_end) == (after.old_start, after.new_start)
        assert not (before.kind is Kind.EQUAL and after.kind is Kind.EQUAL)
    for index, block in enumerate(change.blocks):
        assert (block.old == block.new) == (block.kind is Kind.EQUAL)
        assert bool(block.old) == (block.kind is not Kind.INSERT)
        assert bool(block.new) == (block.kind is not Kind.DELETE)
        if block.moved is not None:
            partner = change.blocks[block.moved]
            assert partner.moved == index
            assert {block.kind, partner.kind} == {Kind.INSERT, Kind.DELETE}
            assert block.old + block.new == partner.old + partner.new


@given(PAIRS)
def test_counts_alone_and_with_the_blocks_agree(pair: tuple[str, str]) -> None:
    change = diff(*pair)
    blocks = [block for block in change.blocks if block.kind is not Kind.EQUAL]
    assert count_lines(*pair) == change.counts
    assert change.counts == (sum(len(block.new) for block in blocks), sum(len(block.old) for block in blocks))


@given(PAIRS, st.integers(0, 4), st.integers(1, 3))
def test_hunks_show_every_change_and_say_what_they_hide(
    pair: tuple[str, str], context: int, hide_at_least: int
) -> None:
    change = diff(*pair)
    groups = hunks(change, context, hide_at_least)
    shown = [block for hunk in groups for block in hunk.blocks]
    assert [block for block in shown if block.kind is not Kind.EQUAL] == [
        block for block in change.blocks if block.kind is not Kind.EQUAL
    ]
    hidden = sum(hunk.hidden_before + hunk.hidden_after for hunk in groups)
    if groups:
        assert hidden + sum(len(block.old) for block in shown) == len(split_lines(pair[0]))
    for before, after in pairwise(groups):
        assert before.hidden_after == 0
        assert after.hidden_before >= hide_at_least
        assert before.blocks[-1].old_end + after.hidden_before == after.old_start
        assert before.blocks[-1].new_end + after.hidden_before == after.new_start


def test_a_diff_of_another_text_is_refused() -> None:
    with pytest.raises(Stale, match="another text"):
        apply("other\n", diff("old\n", "new\n"))


@given(st.lists(st.integers(0, 5), max_size=25), st.lists(st.integers(0, 5), max_size=25))
def test_halving_finds_as_much_as_one_matrix(old: list[int], new: list[int]) -> None:
    at_once = sum(run.length for run in common_runs(old, new).runs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lcs, "MATRIX_CELLS", 4)
        halved = common_runs(old, new)
    assert halved.exact
    assert sum(run.length for run in halved.runs) == at_once == common_length(old, new)
    assert all(old[run.old : run.old + run.length] == new[run.new : run.new + run.length] for run in halved.runs)


@given(st.lists(st.integers(0, 9), max_size=25), st.lists(st.integers(0, 9), max_size=25))
def test_beyond_the_bound_a_diff_is_right_though_not_proven_smallest(old: list[int], new: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lcs, "EXACT_CELLS", 8)
        found = common_runs(old, new)
        assert common_length(old, new) == sum(run.length for run in found.runs)
    assert found.exact or len(old) * len(new) > 8
    assert all(old[run.old : run.old + run.length] == new[run.new : run.new + run.length] for run in found.runs)
    assert all(a.old + a.length <= b.old and a.new + a.length <= b.new for a, b in pairwise(found.runs))


def git(*arguments: str, cwd: Path, stdin: bytes | None = None) -> "subprocess.CompletedProcess[bytes]":
    """Real git, without this machine's settings."""
    settings_off = {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(cwd.parent),
    }
    return subprocess.run(
        ["git", *arguments], cwd=cwd, input=stdin, capture_output=True, check=False, env={**os.environ, **settings_off}
    )


MANY_PAIRS = st.lists(PAIRS, min_size=20, max_size=40)
REAL_GIT = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


@REAL_GIT
@given(pairs=MANY_PAIRS)
def test_counts_equal_git_minimal_numstat(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]
) -> None:
    root = tmp_path_factory.mktemp("numstat")
    for side in (0, 1):
        (root / "ab"[side]).mkdir()
        for number, pair in enumerate(pairs):
            (root / "ab"[side] / str(number)).write_bytes(pair[side].encode())
    answer = git("diff", "--no-index", "--minimal", "--numstat", "--no-renames", "--text", "-z", "a", "b", cwd=root)
    fields = answer.stdout.decode().split("\0")
    counted = {}
    for numbers, _, path in zip(fields[0::3], fields[1::3], fields[2::3], strict=False):
        added, removed, _ = numbers.split("\t")
        counted[int(path.rsplit("/", 1)[1])] = (int(added), int(removed))
    assert counted == {n: tuple(count_lines(*pair)) for n, pair in enumerate(pairs) if pair[0] != pair[1]}


@REAL_GIT
@given(pairs=MANY_PAIRS)
def test_git_applies_the_patches_there_and_back(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]
) -> None:
    root = tmp_path_factory.mktemp("apply")
    files = [root / f"{number}.md" for number in range(len(pairs))]
    for file, (old, _) in zip(files, pairs, strict=True):
        file.write_bytes(old.encode())
    patch = "".join(unified_patch(*pair, name=file.name) for file, pair in zip(files, pairs, strict=True)).encode()
    if patch:
        there = git("apply", "--whitespace=nowarn", "-", cwd=root, stdin=patch)
        assert (there.returncode, there.stderr) == (0, b"")
        assert [file.read_bytes().decode() for file in files] == [new for _, new in pairs]
        back = git("apply", "-R", "--whitespace=nowarn", "-", cwd=root, stdin=patch)
        assert (back.returncode, back.stderr) == (0, b"")
    assert [file.read_bytes().decode() for file in files] == [old for old, _ in pairs]
