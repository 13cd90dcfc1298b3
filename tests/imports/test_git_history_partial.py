"""Copies of a repository that lack something: read as they are, named, and never completed."""

from pathlib import Path

import pytest
from history_facts import FILE, contents, numbered
from repository_builder import RepositoryBuilder

from studio.errors import NotAHistory
from studio.imports.git_history import read_git_history


@pytest.fixture
def made(tmp_path: Path) -> RepositoryBuilder:
    return RepositoryBuilder(tmp_path / "repository")


def test_a_shallow_copy_is_read_and_named(made: RepositoryBuilder, tmp_path: Path) -> None:
    for text in ("a\n", "b\n", "c\n"):
        made.save(FILE, text)
    made.git("clone", "--quiet", "--depth=2", made.folder.as_uri(), str(tmp_path / "shallow"))
    history = read_git_history(tmp_path / "shallow", FILE)
    assert contents(history) == [b"b\n", b"c\n"]
    assert "shallow" in history.warnings[0]


def partial_copy(made: RepositoryBuilder, folder: Path, keep: str = "blob:limit=1k") -> None:
    made.git("config", "uploadpack.allowFilter", "true")
    made.git("clone", "--quiet", "--no-checkout", f"--filter={keep}", made.folder.as_uri(), str(folder))


def test_following_that_dies_in_a_partial_copy_falls_back_and_says_so_import_04(
    made: RepositoryBuilder, tmp_path: Path
) -> None:
    made.save("assets.txt", numbered(1, 1000))
    made.save(FILE, numbered(1, 20))
    made.save(FILE, numbered(1, 21))
    partial_copy(made, tmp_path / "partial")
    history = read_git_history(tmp_path / "partial", FILE)
    assert contents(history) == [numbered(1, 20).encode(), numbered(1, 21).encode()]
    assert len(history.warnings) == 1
    assert "Renames could not be followed" in history.warnings[0]


def test_versions_that_a_partial_copy_lacks_are_counted_and_never_fetched(
    made: RepositoryBuilder, tmp_path: Path
) -> None:
    for size in (10, 400, 20, 500, 30):
        made.save(FILE, numbered(1, size))
    partial_copy(made, tmp_path / "partial")
    have = ("-C", str(tmp_path / "partial"), "count-objects", "-v")
    before = made.lines(*have)
    history = read_git_history(tmp_path / "partial", FILE)
    assert [row.number for row in history.rows] == [1, 2, 3]
    assert contents(history) == [numbered(1, size).encode() for size in (10, 20, 30)]
    assert "2 versions are left out" in history.warnings[-1]
    assert made.lines(*have) == before


def test_a_partial_copy_without_any_text_is_refused(made: RepositoryBuilder, tmp_path: Path) -> None:
    made.save(FILE, "a\n")
    partial_copy(made, tmp_path / "partial", "blob:none")
    with pytest.raises(NotAHistory, match="partial copy lacks all"):
        read_git_history(tmp_path / "partial", FILE)
