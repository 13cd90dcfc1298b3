"""Finding a file's history: what identifies it, how it may be named, and what is refused."""

from collections.abc import Callable
from pathlib import Path

import pytest
from history_facts import FILE, contents, statuses
from repository_builder import RepositoryBuilder

from studio.domain.timeline import Status
from studio.errors import NothingToRead
from studio.imports.git_history import read_git_history


@pytest.fixture
def made(tmp_path: Path) -> RepositoryBuilder:
    return RepositoryBuilder(tmp_path / "repository")


def test_the_same_history_has_the_same_keys_in_any_copy(made: RepositoryBuilder, tmp_path: Path) -> None:
    made.save("sub/memory.md", "a\n")
    made.save("sub/memory.md", "b\n")
    made.git("clone", "--quiet", "--bare", str(made.folder), str(tmp_path / "bare.git"))
    made.git("worktree", "add", "--quiet", str(tmp_path / "tree"), "-b", "other")
    first = read_git_history(made.folder, "sub/memory.md")
    copies = [
        read_git_history(tmp_path / "bare.git", "sub/memory.md"),
        read_git_history(tmp_path / "tree", "sub/memory.md"),
        read_git_history(made.folder / "sub", "memory.md"),
        read_git_history(made.folder / "sub", "sub/memory.md"),
        read_git_history(made.folder / ".git", "sub/memory.md"),
        read_git_history(str(made.folder), "./sub//../sub/memory.md"),
        read_git_history(made.folder, "sub\\memory.md"),
        read_git_history(made.folder, str(made.folder / "sub" / "memory.md")),
    ]
    assert first.source.kind == "git"
    assert {copy.source.key for copy in copies} == {first.source.key}
    assert all(copy.rows == first.rows for copy in copies)
    assert len({row.key for row in first.rows}) == len(first.rows)


def test_a_grown_history_keeps_the_keys_of_its_rows(made: RepositoryBuilder) -> None:
    made.save(FILE, "a\n")
    before = read_git_history(made.folder, FILE)
    made.save(FILE, "b\n")
    after = read_git_history(made.folder, FILE)
    assert after.source.key == before.source.key
    assert after.rows[: len(before.rows)] == before.rows


def test_a_path_may_count_from_where_the_command_runs(made: RepositoryBuilder, monkeypatch: pytest.MonkeyPatch) -> None:
    made.save("sub/deep/memory.md", "a\n")
    monkeypatch.chdir(made.folder / "sub")
    assert read_git_history("..", "deep/memory.md").rows[0].origin.path == "sub/deep/memory.md"
    assert read_git_history(made.folder, "../sub/deep/memory.md").rows[0].origin.path == "sub/deep/memory.md"


def test_a_decomposed_name_is_found_by_its_composed_form(made: RepositoryBuilder) -> None:
    made.save("cafe\u0301.md", "a\n")
    assert read_git_history(made.folder, "caf\u00e9.md").rows[0].origin.path == "cafe\u0301.md"


def test_progress_ends_at_the_number_of_texts(made: RepositoryBuilder) -> None:
    for text in ("a\n", "b\n", "a\n"):
        made.save(FILE, text)
    seen: list[tuple[int, int]] = []
    read_git_history(made.folder, FILE, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]


def a_missing_folder(made: RepositoryBuilder) -> Path:
    return made.folder / "nowhere"


def too_long_a_name(made: RepositoryBuilder) -> Path:
    return made.folder / ("x" * 300)


def a_file_for_a_repository(made: RepositoryBuilder) -> Path:
    made.write("plain", "x")
    return made.folder / "plain"


def a_plain_folder(made: RepositoryBuilder) -> Path:
    (made.folder.parent / "plain").mkdir()
    return made.folder.parent / "plain"


def no_commits(made: RepositoryBuilder) -> Path:
    return made.folder


@pytest.mark.parametrize(
    ("prepare", "says"),
    [
        (a_missing_folder, "does not exist"),
        (too_long_a_name, "too long"),
        (a_file_for_a_repository, "is a file"),
        (a_plain_folder, "not a git repository"),
        (no_commits, "no commits yet"),
    ],
)
def test_a_repository_that_cannot_be_read(
    made: RepositoryBuilder, prepare: Callable[[RepositoryBuilder], Path], says: str
) -> None:
    folder = prepare(made)
    with pytest.raises(NothingToRead, match=says) as refused:
        read_git_history(folder, FILE)
    assert str(folder) in str(refused.value)
    assert str(refused.value).count("\n") == 0


@pytest.mark.parametrize(
    ("path", "says"),
    [
        pytest.param("memroy.md", "no commit in the history of HEAD knows it, such as memory.md", id="misspelt"),
        pytest.param("MEMORY.md", "such as memory.md", id="another case"),
        pytest.param("docs", "is a folder; name one of its files, such as docs/a.md", id="a folder"),
        pytest.param("docs/", "is a folder", id="a folder with a slash"),
        pytest.param("lib", "is a submodule", id="a submodule"),
        pytest.param("lib/memory.md", "lies in the submodule lib", id="in a submodule"),
        pytest.param("linked/a.md", "linked is a link to another folder", id="behind a link"),
        pytest.param("../outside.md", "names no file in the repository", id="outside"),
        pytest.param("", "names no file in the repository", id="nothing"),
        pytest.param("a\0b", "names no file in the repository", id="NUL"),
    ],
)
def test_a_path_without_a_history(made: RepositoryBuilder, path: str, says: str) -> None:
    made.write("docs/a.md", "x")
    (made.folder / "linked").symlink_to("docs")
    head = made.save(FILE, "a\n")
    made.git("update-index", "--add", "--cacheinfo", f"160000,{head},lib")
    made.git("commit", "--quiet", "--message=submodule")
    with pytest.raises(NothingToRead, match=says):
        read_git_history(made.folder, path)


def test_a_path_that_was_a_folder_lists_only_the_file(made: RepositoryBuilder) -> None:
    made.save("memory.md/inner.md", "not this\n")
    made.git("rm", "--quiet", "-r", "memory.md")
    made.commit("away")
    made.save(FILE, "a\n")
    assert contents(read_git_history(made.folder, FILE)) == [b"a\n"]


def test_a_path_that_became_a_submodule_has_no_text(made: RepositoryBuilder) -> None:
    head = made.save(FILE, "a\n")
    made.git("rm", "--quiet", "--cached", FILE)
    made.git("update-index", "--add", "--cacheinfo", f"160000,{head},{FILE}")
    made.git("commit", "--quiet", "--message=submodule")
    made.git("rm", "--quiet", "--cached", FILE)
    made.save(FILE, "b\n")
    history = read_git_history(made.folder, FILE)
    assert statuses(history) == [Status.ADDED, Status.DELETED, Status.MODIFIED]
    assert "submodule" in history.warnings[0]
