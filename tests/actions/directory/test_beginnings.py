"""Beginning a memory directory: all of it, or nothing of it, whatever stands in the way or fails half-way."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import START
from directory_repository import INDEX, MemoryRepository, note
from full_disk import room_for

from studio.actions.directory.creating import begin_directory
from studio.domain.directory.begun import Begun
from studio.errors import (
    CannotMake,
    DirectoryThere,
    FolderInUse,
    HookInTheWay,
    InAnotherRepository,
    NotForMemory,
    NothingToRead,
    RepositoryHeld,
    StudioError,
    Uncommitted,
)
from studio.memfs.checks import check_commit
from studio.memfs.repo import open_directory

KEPT = {"notes.txt": "mine"}
ROOMS = [0, 100, 300, 600]
"""Sizes in bytes at which a full disk stops another step: git's own files, the hook, objects, the index, the template's files."""


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


def begin(folder: Path, *, operator: str = "Ana", hook: bool = True) -> Begun:
    return begin_directory(folder, now=START, operator=operator, hook=hook)


def held(folder: Path) -> dict[str, bytes | str | None]:
    """All that a folder holds, git's own files among it; objects that no commit names are no trace."""
    return {
        name: str(one.readlink()) if one.is_symlink() else one.read_bytes() if one.is_file() else None
        for one in sorted(folder.rglob("*"))
        if "/objects/" not in (name := one.relative_to(folder).as_posix())
    }


# --- what it does ---


@pytest.mark.parametrize("operator", ["Ana", "<>", "  <b> \n", "Zo\u00eb \U0001f9a6", "", "\udcff"], ids=ascii)
def test_whatever_the_operator_is_called_it_is_begun(tmp_path: Path, operator: str) -> None:
    """git takes no empty name, and cuts brackets and breaks out of one."""
    done = begin(tmp_path / "a" / "b", operator=operator)
    made = MemoryRepository(tmp_path / "a" / "b")
    assert (done.commit, done.behind) == (made.head(), None)
    assert made.git("log", "--format=%an%ae").isprintable()
    assert made.git("status", "--porcelain", "--untracked-files=all") == ""
    assert check_commit(open_directory(made.folder)).clean


def test_a_repository_with_files_keeps_them(tmp_path: Path) -> None:
    made = MemoryRepository.make(tmp_path)
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    begin(tmp_path)
    assert made.git("status", "--porcelain") == "?? notes.txt"


@pytest.mark.parametrize("ignored", ["/agents/", "*y]/", "/agents/scout/memory[[]y]", "*"])
@pytest.mark.parametrize("there", [True, False], ids=["there", "not there yet"])
def test_a_folder_that_a_repository_ignores_becomes_one_of_its_own(
    tmp_path: Path, ignored: str, *, there: bool
) -> None:
    outer = MemoryRepository.make(tmp_path, {".gitignore": ignored, "x.txt": "x"})
    folder, head = tmp_path / "agents" / "scout" / "memory[y]", outer.head()
    if there:
        folder.mkdir(parents=True)
    begin(folder)
    assert (outer.head(), outer.git("status", "--porcelain")) == (head, "")
    assert open_directory(folder).prefix == ""


# --- what stops it ---


@pytest.mark.parametrize("size", ROOMS)
def test_a_full_disk_leaves_no_new_folder(tmp_path: Path, size: int) -> None:
    with room_for(size), pytest.raises(CannotMake):
        begin(tmp_path / "new" / "memory")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("size", ROOMS)
def test_a_full_disk_leaves_a_folder_as_it_was(tmp_path: Path, size: int) -> None:
    with room_for(size), pytest.raises(CannotMake):
        begin(tmp_path)
    assert held(tmp_path) == {}


@pytest.mark.parametrize(("size", "hook"), [*((size, True) for size in ROOMS), *((size, False) for size in ROOMS[:3])])
@pytest.mark.parametrize("commits", [True, False], ids=["with commits", "without"])
def test_a_full_disk_leaves_a_repository_as_it_was(tmp_path: Path, size: int, *, commits: bool, hook: bool) -> None:
    made = MemoryRepository.make(tmp_path, KEPT if commits else None)
    shutil.rmtree(tmp_path / ".git" / "hooks", ignore_errors=True)
    before = held(tmp_path)
    with room_for(size), pytest.raises(CannotMake):
        begin(tmp_path, hook=hook)
    assert held(tmp_path) == before
    assert begin(tmp_path, hook=hook).commit == made.head()


def _file_for_a_folder(made: MemoryRepository) -> None:
    (made.folder / "projects").write_text("mine", encoding="utf-8")


def _file_for_a_folder_in_head_only(made: MemoryRepository) -> None:
    made.write("main", {"projects": "mine"})
    made.git("read-tree", "main")


def _folder_for_a_file_in_head_only(made: MemoryRepository) -> None:
    made.write("main", {"human.md/x.txt": "mine"})
    made.git("read-tree", "main")


def _staged(made: MemoryRepository) -> None:
    sha = made.git("hash-object", "-w", "--stdin", given=b"mine")
    made.git("update-index", "--add", "--cacheinfo", f"100644,{sha},projects")


def _lock(made: MemoryRepository) -> None:
    (made.folder / ".git/refs/heads/main.lock").touch()


def _foreign_hook(made: MemoryRepository) -> None:
    (made.folder / ".git/hooks").mkdir(exist_ok=True)
    (made.folder / ".git/hooks/pre-commit").write_text("#!/bin/sh\n", encoding="utf-8")


def _file_for_the_hooks(made: MemoryRepository) -> None:
    shutil.rmtree(made.folder / ".git/hooks", ignore_errors=True)
    (made.folder / ".git/hooks").write_text("", encoding="utf-8")


IN_THE_WAY: dict[str, tuple[Callable[[MemoryRepository], object], type[StudioError]]] = {
    "a file for a folder": (_file_for_a_folder, DirectoryThere),
    "a file for a folder, in HEAD only": (_file_for_a_folder_in_head_only, DirectoryThere),
    "a folder for a file, in HEAD only": (_folder_for_a_file_in_head_only, DirectoryThere),
    "a folder for a file": (lambda made: (made.folder / "human.md").mkdir(), DirectoryThere),
    "a link for a folder": (lambda made: (made.folder / "projects").symlink_to("/"), DirectoryThere),
    "a link to nothing for a file": (lambda made: (made.folder / "human.md").symlink_to("nowhere"), DirectoryThere),
    "a file for a folder, staged only": (_staged, Uncommitted),
    "a merge": (lambda made: (made.folder / ".git/MERGE_HEAD").write_text("0" * 40), Uncommitted),
    "the branch is locked": (_lock, RepositoryHeld),
    "another hook": (_foreign_hook, HookInTheWay),
    "a file for the folder of hooks": (_file_for_the_hooks, CannotMake),
}


@pytest.mark.parametrize("what", IN_THE_WAY)
def test_what_is_in_the_way_stays_as_it_was(tmp_path: Path, what: str) -> None:
    put, refused = IN_THE_WAY[what]
    made = MemoryRepository.make(tmp_path, {**INDEX, "notes.txt": "mine"})
    made.git("rm", "--quiet", "MEMORY.md")
    made.git("commit", "--quiet", "--message=x")
    put(made)
    before = held(tmp_path)
    with pytest.raises(refused):
        begin(tmp_path)
    assert held(tmp_path) == before


@pytest.mark.parametrize("name", ["notes.txt", ".hidden", "folder/"])
def test_a_folder_that_holds_something_and_is_no_repository_is_not_taken_over(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir() if name.endswith("/") else (tmp_path / name).touch()
    before = held(tmp_path)
    with pytest.raises(FolderInUse, match=r"name an empty folder, or run 'git init' there"):
        begin(tmp_path)
    assert held(tmp_path) == before


@pytest.mark.parametrize("there", [True, False], ids=["there", "not there yet"])
def test_nothing_is_begun_in_a_repository_that_would_take_it_for_its_own(tmp_path: Path, *, there: bool) -> None:
    MemoryRepository.make(tmp_path, {".gitignore": "/other/\n", "x.txt": "x"})
    folder = tmp_path / "agents" / "memory"
    if there:
        folder.mkdir(parents=True)
    before = held(tmp_path)
    with pytest.raises(InAnotherRepository, match=rf"lies in the repository {tmp_path}, which does not ignore it"):
        begin(folder)
    assert held(tmp_path) == before


OF_SOMETHING_ELSE: dict[str, tuple[dict[str, str], str]] = {
    "a README": ({"README.md": "# Code\n", "x.py": ""}, r"1 to mend: README\.md: the file has no header"),
    "documentation": ({"docs/use.md": note()}, "docs/ is missing its required index"),
    "more than is told": ({f"{n}.md": "x" for n in range(5)}, r"5 to mend: .* And 2 more\."),
    "a protected file": (
        {".memfs.config.json": '{"version": 1, "readOnlyFiles": ["human.md"]}'},
        r"human\.md is read-only",
    ),
}


@pytest.mark.parametrize("what", OF_SOMETHING_ELSE)
def test_a_repository_whose_hook_would_refuse_each_commit_stays_as_it_was(tmp_path: Path, what: str) -> None:
    """Decision 34: its Markdown would be memory, and a README a block of the prompt."""
    files, says = OF_SOMETHING_ELSE[what]
    MemoryRepository.make(tmp_path, files)
    before = held(tmp_path)
    with pytest.raises(NotForMemory, match=says):
        begin(tmp_path)
    assert held(tmp_path) == before


@pytest.mark.parametrize("place", ["bare.git", "bare.git/new", "tree/.git", "tree/.git/new"])
def test_nothing_is_begun_inside_of_gits_own_folder(tmp_path: Path, place: str) -> None:
    made = MemoryRepository.make(tmp_path / "tree", KEPT)
    made.git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare.git"))
    before = held(tmp_path)
    with pytest.raises(CannotMake, match="git's own folder"):
        begin(tmp_path / place)
    assert held(tmp_path) == before


def test_a_folder_whose_git_is_broken_is_not_made_anew(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: /nowhere\n", encoding="utf-8")
    with pytest.raises(NothingToRead):
        begin(tmp_path)
    assert held(tmp_path) == {".git": b"gitdir: /nowhere\n"}


def test_a_hook_of_the_users_own_template_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "template/hooks").mkdir(parents=True)
    (tmp_path / "template/hooks/pre-commit").write_text("#!/bin/sh\n", encoding="utf-8")
    (tmp_path / "settings").write_text(f"[init]\n\ttemplateDir = {tmp_path}/template\n", encoding="utf-8")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "settings"))
    with pytest.raises(HookInTheWay):
        begin(tmp_path / "new" / "memory")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "name", ["link", "link/below", "n" * 300, "plain/below"], ids=["a link", "below", "long", "a file"]
)
def test_a_place_that_no_folder_can_have_is_said(tmp_path: Path, name: str) -> None:
    (tmp_path / "link").symlink_to("nowhere")
    (tmp_path / "plain").touch()
    before = held(tmp_path)
    with pytest.raises(CannotMake):
        begin(tmp_path / name)
    assert held(tmp_path) == before


@pytest.mark.parametrize(
    "name",
    ["with space", "q'uo\"te", "new\nline", "caf\u00e9 \u65e5\u672c", "\udcff", "-d", "\t", "$(x)`", "b\\s", "end "],
    ids=ascii,
)
def test_a_folder_of_any_name(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    assert begin(folder).behind is None
    made = MemoryRepository(folder)
    assert check_commit(open_directory(folder)).clean
    (folder / "bad.md").write_text("no header\n", encoding="utf-8")
    made.git("add", "bad.md")
    assert "fm_missing" in made.commit().err
