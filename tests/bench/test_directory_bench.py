"""The hook on a one-file commit, and compiling, against plain git on the same repository in the same run (issue 5, Speed)."""

import subprocess
from pathlib import Path

import pytest
from big_directory import SIZES, big_directory
from builders import blank_store
from directory_repository import MemoryRepository, note
from speed import Line, SpeedTable, in_turn

from studio.memfs import hook_install
from studio.memfs.repo import compiled_at, core_files, open_directory

HOOK_AIM_SECONDS = dict(zip(SIZES, (0.35, 0.6, 2.0), strict=True))
COMPILE_TIMES_GIT = 5
SURVEY_AIM_SECONDS = 0.1
TURNS, WARM_TURNS = 7, 30


@pytest.fixture(scope="module", params=SIZES, ids=lambda size: f"{size:,} files")
def memory(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> MemoryRepository:
    return big_directory(tmp_path_factory.mktemp("big") / "memory", request.param)


def size_of(memory: MemoryRepository) -> int:
    return len(memory.git("ls-files").splitlines())


def commit_one_file(memory: MemoryRepository, turn: int, *options: str) -> None:
    (memory.folder / "block0.md").write_text(note(f"Turn {turn} {' '.join(options)}.\n"), encoding="utf-8")
    memory.git("add", "block0.md")
    memory.git("commit", "--quiet", "--message=x", *options)


def test_the_hook_on_a_commit_of_one_file(memory: MemoryRepository, speed_table: SpeedTable) -> None:
    hook_install.install(open_directory(memory.folder))
    with_hook, without = in_turn(
        TURNS,
        lambda turn: commit_one_file(memory, turn),
        lambda turn: commit_one_file(memory, turn, "--no-verify"),
    )
    size = size_of(memory)
    on_top, aim = with_hook.best - without.best, HOOK_AIM_SECONDS[size]
    says = (
        f"on top {on_top * 1e3:.0f} ms (median {(with_hook.median - without.median) * 1e3:.0f}), aim {aim * 1e3:.0f} ms"
    )
    speed_table.add(Line(f"commit of one of {size:,} files", with_hook, "the same without hooks", without, says))
    assert on_top <= aim


def test_compiling_in_a_warm_process(memory: MemoryRepository, speed_table: SpeedTable) -> None:
    repo = open_directory(memory.folder)
    root = [
        line.split()[2] for line in memory.git("ls-tree", "HEAD").splitlines() if core_files(line.partition("\t")[2])
    ]
    shas = "".join(f"{sha}\n" for sha in root).encode()

    def plain_git(_: int) -> None:
        ask(memory.folder, "ls-tree", "-r", "-z", "HEAD")
        ask(memory.folder, "cat-file", "--batch", given=shas)

    ours, git = in_turn(WARM_TURNS, lambda _: compiled_at(repo), plain_git)
    assert len(compiled_at(repo).blocks) == len(root)
    limit = f"at most {COMPILE_TIMES_GIT} times"
    speed_table.add(Line(f"compiling {size_of(memory):,} files", ours, "git ls-tree and cat-file --batch", git, limit))
    assert ours.best <= COMPILE_TIMES_GIT * git.best


def test_looking_again_at_a_commit(memory: MemoryRepository, speed_table: SpeedTable) -> None:
    """A survey of what was read before, with the verdict on all its files."""
    with blank_store() as studio:
        agent = studio.create_agent("keeper").id
        studio.directories.link(str(memory.folder), agent)
        first = studio.directories.survey(agent)
        ours, git = in_turn(
            WARM_TURNS,
            lambda _: studio.directories.survey(agent),
            lambda _: ask(memory.folder, "rev-parse", "HEAD"),
        )
        assert studio.directories.survey(agent).contents is first.contents
    limit = f"at most {SURVEY_AIM_SECONDS * 1e3:.0f} ms"
    speed_table.add(Line(f"a survey of {size_of(memory):,} files", ours, "git rev-parse HEAD", git, limit))
    assert ours.median <= SURVEY_AIM_SECONDS


def ask(folder: Path, *arguments: str, given: bytes = b"") -> None:
    """A plain git, as a person runs it."""
    subprocess.run(["git", "-C", str(folder), *arguments], input=given, capture_output=True, check=True)
