"""Reading a directory out of git: names as they are, any commit, what is staged and what it changes."""

from pathlib import Path

import pytest
from directory_repository import INDEX, MemoryRepository, joined, note

from studio.domain.directory.tree import FileMode
from studio.errors import NotFound, NothingToRead, StudioError
from studio.memfs.repo import all_markdown, compiled_at, core_files, memory_files, open_directory, staged, tree_at

ODD = joined(
    [
        INDEX,
        {
            "memory 2026-04-14 记录.md": note(),
            'say "hi".md': note(),
            "tab\tand\nnewline.md": note(),
            "a\\b.md": note(),
            " lead.md": note(),
            "café/MEMORY.md": "i",
            "skills/s/SKILL.md": "s",
            "picture.png": "p",
        },
    ]
)


@pytest.fixture
def memory(tmp_path: Path) -> MemoryRepository:
    return MemoryRepository.make(tmp_path / "memory", ODD)


def test_names_are_read_as_they_are(memory: MemoryRepository) -> None:
    """encoding-03, and the quoted names of the cases."""
    repo = open_directory(memory.folder)
    assert {file.path for file in tree_at(repo)} == {file.path for file in staged(repo).tree} == set(ODD)
    assert [block.name for block in compiled_at(repo).blocks] == [
        " lead",
        "a\\b",
        "memory 2026-04-14 记录",
        'say "hi"',
        "tab\tand\nnewline",
        "memory",
    ]


@pytest.mark.parametrize(
    ("reads", "unread"),
    [
        (core_files, {"café/MEMORY.md", "skills/s/SKILL.md", "picture.png"}),
        (memory_files, {"skills/s/SKILL.md", "picture.png"}),
        (all_markdown, {"picture.png"}),
    ],
    ids=["core", "memory", "all Markdown"],
)
def test_only_what_is_asked_for_is_read(memory: MemoryRepository, reads: object, unread: set[str]) -> None:
    assert callable(reads)
    tree = tree_at(open_directory(memory.folder), reads=reads)
    assert {file.path for file in tree if file.body is None} == unread


def test_what_changes_is_read_whatever_it_is_named(memory: MemoryRepository) -> None:
    files = {**ODD, "changed.txt": "new", "huge.bin": b"x" * 1_100_000}
    memory.stage(files, {'say "hi".md': "100755"})
    found = staged(open_directory(memory.folder))
    assert found.changed == ("changed.txt", "huge.bin", 'say "hi".md')
    read = {file.path for file in found.tree if file.body is not None}
    assert ("changed.txt" in read, "huge.bin" in read, "picture.png" in read) == (True, False, False)
    chosen = found.tree.at('say "hi".md')
    assert chosen is not None
    assert chosen.mode is FileMode.EXECUTABLE


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_a_repository_of_either_hash_and_without_commits(tmp_path: Path, form: str) -> None:
    memory = MemoryRepository(tmp_path)
    memory.git("init", "--quiet", "--initial-branch=main", f"--object-format={form}", ".")
    repo = open_directory(tmp_path)
    with pytest.raises(NothingToRead, match="no commits yet"):
        tree_at(repo)
    (tmp_path / "MEMORY.md").write_text("", encoding="utf-8")
    (tmp_path / "later.md").write_text("x", encoding="utf-8")
    memory.git("add", "MEMORY.md")
    memory.git("add", "--intent-to-add", "later.md")
    found = staged(repo)
    assert ([file.path for file in found.tree], found.parents, found.changed) == (["MEMORY.md"], (), ("MEMORY.md",))


def test_a_commit_goes_by_any_name(memory: MemoryRepository) -> None:
    memory.write("main", {**INDEX, "new.md": note()}, onto="main~0")
    memory.git("tag", "old", "main~1")
    repo = open_directory(memory.folder)
    assert "new.md" in tree_at(repo)
    assert all(
        "new.md" not in tree_at(repo, name) for name in ("old", "HEAD^", "main~1", memory.git("rev-parse", "old"))
    )
    with pytest.raises(NotFound, match="has no commit 'gone'"):
        tree_at(repo, "gone")


@pytest.fixture
def places(memory: MemoryRepository, tmp_path: Path) -> Path:
    """A folder with every kind of place around a repository."""
    memory.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    for kind in ("--bare", "--separate-git-dir=" + str(tmp_path / "own.git")):
        memory.git("clone", "--quiet", kind, ".", str(tmp_path / ("bare.git" if kind == "--bare" else "apart")))
    outer = MemoryRepository.make(tmp_path / "outer", {"x.txt": "x"})
    outer.git("-c", "protocol.file.allow=always", "submodule", "add", "--quiet", str(memory.folder), "inner")
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    memory.git("clone", "--quiet", "--bare", ".", str(hidden / ".git"))
    for link, target in (("link", memory.folder), ("link-inside", memory.folder / "café")):
        (tmp_path / link).symlink_to(target)
    return tmp_path


ROOTS = ["memory", "memory/.", "side", "bare.git", "apart", "outer", "outer/inner", "hidden", "hidden/.git", "link"]
INSIDE = [
    "memory/café",
    "side/café",
    "bare.git/refs",
    "outer/inner/café",
    "hidden/.git/refs",
    "link-inside",
    "link/café",
]
GITS_OWN = ["memory/.git", "memory/.git/refs", "memory/.git/worktrees/side", "own.git"]


@pytest.mark.parametrize("place", ROOTS)
def test_a_directory_is_named_by_its_root(places: Path, place: str) -> None:
    repo = open_directory(places / place)
    assert compiled_at(repo, "HEAD") is not None
    assert repo.head


@pytest.mark.parametrize("place", [*INSIDE, *GITS_OWN])
def test_a_folder_inside_is_not_taken_for_the_repository_around_it(places: Path, place: str) -> None:
    """Who mistypes would be told of another directory than the one that was named, or write into it."""
    says = "is the inside of a repository; name its working tree" if place in GITS_OWN else "is a folder inside of the"
    with pytest.raises(StudioError, match=says):
        open_directory(places / place)
