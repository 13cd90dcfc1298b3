"""Histories read from real repositories: which commits are versions, in which order, and what they did."""

import random
from itertools import pairwise
from pathlib import Path

import pytest
from history_facts import FILE, LOG, commits, contents, counts, edited, fast_history, numbered, numstat, statuses
from repository_builder import RepositoryBuilder

from studio.domain.stand_ins import StandIn, StandInKind
from studio.domain.timeline import Status
from studio.imports.git_history import read_git_history


@pytest.fixture
def made(tmp_path: Path) -> RepositoryBuilder:
    return RepositoryBuilder(tmp_path / "repository")


def test_a_linear_history_of_200_commits_lists_and_counts_as_git(made: RepositoryBuilder) -> None:
    dice, lines, texts = random.Random(16), [b"# Memory", b""], []
    for _ in range(200):
        lines = edited(dice, lines)
        texts.append(b"\n".join(lines) + (b"\n" if dice.random() > 0.3 and lines else b""))
    texts = [text for text, before in zip(texts, [None, *texts], strict=False) if text != before]
    fast_history(made, texts)

    history = read_git_history(made.folder, FILE)

    assert commits(history) == made.lines(*LOG, "--reverse", "--", FILE)
    assert contents(history) == texts
    assert counts(history) == numstat(made, "log", "--reverse", "--numstat", "--minimal", "--format=", "--", FILE)
    shas = [made.line("rev-parse", f"{row.origin.commit}:{FILE}") for row in history.rows[:40]]
    assert counts(history)[1:40] == [
        (numstat(made, "diff", "--minimal", "--numstat", old, new) or [(0, 0)])[0] for old, new in pairwise(shas)
    ]


def test_a_rename_is_followed_and_turned_round_afterwards_git_history_02(made: RepositoryBuilder) -> None:
    made.save("notes/old.md", numbered(1, 30))
    made.save("notes/old.md", numbered(1, 30, l3="three"))
    made.git("mv", "notes/old.md", FILE)
    made.write(FILE, numbered(1, 30, l3="three", l9="nine"))
    made.commit("move it")
    made.save(FILE, numbered(1, 31, l3="three", l9="nine"))

    history = read_git_history(made.folder, FILE)

    assert commits(history) == made.lines(*LOG, "--follow", "--", FILE)[::-1]
    assert statuses(history) == [Status.ADDED, Status.MODIFIED, Status.RENAMED, Status.MODIFIED]
    assert [(row.origin.path, row.origin.old_path) for row in history.rows[1:3]] == [
        ("notes/old.md", None),
        (FILE, "notes/old.md"),
    ]
    assert counts(history) == [(30, 0), (1, 1), (1, 1), (1, 0)]
    assert history.warnings == ()


def test_git_history_10_a_copy_found_by_following_is_not_a_rename(made: RepositoryBuilder) -> None:
    """Decision 41: the file that it was made from lives on."""
    made.save("SOCIAL.md", numbered(1, 20))
    made.save(FILE, numbered(1, 20, l2="two"))
    history = read_git_history(made.folder, FILE)
    assert statuses(history) == [Status.ADDED, Status.ADDED]
    assert [(row.origin.old_path, row.origin.copied) for row in history.rows] == [(None, False), ("SOCIAL.md", True)]
    assert counts(history) == [(20, 0), (1, 1)]


def two_sides(made: RepositoryBuilder) -> None:
    """The file changed on a branch and on main, in different places."""
    made.git("checkout", "--quiet", "-b", "side")
    made.save(FILE, numbered(1, 30, l3="three"))
    made.git("checkout", "--quiet", "main")
    made.save(FILE, numbered(1, 30, l27="27"))


def test_a_merge_that_differs_from_all_its_parents_is_a_version(made: RepositoryBuilder) -> None:
    made.save(FILE, numbered(1, 30))
    two_sides(made)
    merged = made.merge("side")
    history = read_git_history(made.folder, FILE)
    assert commits(history) == made.lines(*LOG, "--", FILE)[::-1]
    assert commits(history)[-1] == merged
    assert contents(history)[-1] == numbered(1, 30, l3="three", l27="27").encode()
    assert counts(history)[-1] == (1, 1)


@pytest.mark.parametrize("renamed", [False, True], ids=["same path", "renamed before"])
def test_a_resolved_conflict_is_the_newest_version(made: RepositoryBuilder, *, renamed: bool) -> None:
    made.save("old.md" if renamed else FILE, numbered(1, 30))
    if renamed:
        made.git("mv", "old.md", FILE)
        made.commit("move")
    made.git("checkout", "--quiet", "-b", "side")
    made.save(FILE, numbered(1, 30, l10="ten"))
    made.git("checkout", "--quiet", "main")
    made.save(FILE, numbered(1, 30, l10="TEN"))
    made.merge("side", resolved={FILE: numbered(1, 30, l10="ten or TEN")})
    history = read_git_history(made.folder, FILE)
    assert contents(history)[-1] == numbered(1, 30, l10="ten or TEN").encode()
    listed = set(made.lines(*LOG, "--follow", "--", FILE)) | {made.line("rev-parse", "HEAD")}
    assert len(history.rows) == len(listed)
    assert set(commits(history)) == listed


def test_a_merge_of_one_side_only_is_no_version(made: RepositoryBuilder) -> None:
    made.save(FILE, "one\n")
    made.git("checkout", "--quiet", "-b", "side")
    made.save(FILE, "two\n")
    made.git("checkout", "--quiet", "main")
    made.save("other", "x")
    made.merge("side")
    assert contents(read_git_history(made.folder, FILE)) == [b"one\n", b"two\n"]


def test_an_octopus_merge_is_read(made: RepositoryBuilder) -> None:
    made.save(FILE, numbered(1, 30))
    for branch, change in (("a", {"l2": "a"}), ("b", {"l15": "b"}), ("c", {"l28": "c"})):
        made.git("checkout", "--quiet", "-b", branch, "main")
        made.save(FILE, numbered(1, 30, **change))
    made.git("checkout", "--quiet", "main")
    made.merge("a", "b", "c")
    history = read_git_history(made.folder, FILE)
    assert len(made.line("log", "-1", "--format=%P").split()) > 2
    assert commits(history) == made.lines(*LOG, "--", FILE)[::-1]
    assert contents(history)[-1] == numbered(1, 30, l2="a", l15="b", l28="c").encode()


@pytest.mark.parametrize("renamed", [False, True], ids=["same path", "renamed before"])
def test_what_a_merge_threw_away_is_not_live(made: RepositoryBuilder, *, renamed: bool) -> None:
    made.save("old.md" if renamed else FILE, numbered(1, 30))
    if renamed:
        made.git("mv", "old.md", FILE)
        made.commit("move")
    two_sides(made)
    made.merge("side", how="--strategy=ours")
    history = read_git_history(made.folder, FILE)
    assert contents(history)[-1] == numbered(1, 30, l27="27").encode()
    assert renamed or commits(history) == made.lines(*LOG, "--", FILE)[::-1]


def test_deletion_and_re_creation_are_shown_as_such_git_history_04(made: RepositoryBuilder) -> None:
    made.save(FILE, "a\nb\n")
    made.git("rm", "--quiet", FILE)
    made.commit("delete")
    made.save(FILE, "b\nc\nd\n")
    history = read_git_history(made.folder, FILE)
    assert statuses(history) == [Status.ADDED, Status.DELETED, Status.ADDED]
    assert contents(history) == [b"a\nb\n", None, b"b\nc\nd\n"]
    assert counts(history) == [(2, 0), (0, 2), (2, 1)]


@pytest.mark.parametrize("kept", [True, False], ids=["beside its likeness", "while its likeness goes"])
def test_a_re_created_file_keeps_its_own_past_though_another_is_like_it(made: RepositoryBuilder, *, kept: bool) -> None:
    made.save(FILE, "first life\n")
    made.git("rm", "--quiet", FILE)
    made.commit("delete")
    made.save("task_02.md", numbered(1, 20))
    made.write(FILE, numbered(1, 20, l4="four"))
    if not kept:
        made.git("rm", "--quiet", "task_02.md")
    made.commit("again")
    history = read_git_history(made.folder, FILE)
    assert commits(history) == made.lines(*LOG, "--", FILE)[::-1]
    assert statuses(history) == [Status.ADDED, Status.DELETED, Status.ADDED]


def test_a_deleted_file_is_found_by_its_path(made: RepositoryBuilder) -> None:
    made.save(FILE, "a\n")
    made.git("rm", "--quiet", FILE)
    made.commit("delete")
    assert statuses(read_git_history(made.folder, FILE)) == [Status.ADDED, Status.DELETED]


def test_a_file_that_lived_and_died_on_a_branch_is_found(made: RepositoryBuilder) -> None:
    made.save("other", "x")
    made.git("checkout", "--quiet", "-b", "side")
    made.save(FILE, "a\n")
    made.git("rm", "--quiet", FILE)
    made.commit("delete")
    made.git("checkout", "--quiet", "main")
    made.save("other", "y")
    made.merge("side")
    assert statuses(read_git_history(made.folder, FILE)) == [Status.ADDED, Status.DELETED]


def test_a_link_and_back_git_history_06(made: RepositoryBuilder) -> None:
    made.save(FILE, "one\ntwo\n")
    (made.folder / FILE).unlink()
    (made.folder / FILE).symlink_to("AGENTS.md")
    made.commit("link")
    made.save(FILE, "one\ntwo\nthree\n")
    history = read_git_history(made.folder, FILE)
    assert statuses(history) == [Status.ADDED, Status.STAND_IN, Status.MODIFIED]
    assert contents(history)[1] == b"AGENTS.md"
    assert history.rows[1].stand_in == StandIn(StandInKind.LINK, "AGENTS.md")
    assert counts(history) == [(2, 0), (0, 0), (1, 0)]


def test_a_change_of_mode_is_a_version_without_lines(made: RepositoryBuilder) -> None:
    made.save(FILE, "a\n")
    (made.folder / FILE).chmod(0o755)
    made.commit("chmod")
    assert counts(read_git_history(made.folder, FILE)) == [(1, 0), (0, 0)]
