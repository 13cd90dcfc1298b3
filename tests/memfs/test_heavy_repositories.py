"""A repository that was built to be heavy ends in a sentence, soon, and in little memory: the limits are constants of `studio.git`."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_shell import Shell
from directory_repository import INDEX, MemoryRepository, note

from studio import git, git_write
from studio.domain.directory.config import MOST_GLOBS, read_config
from studio.domain.directory.hooks import HookState
from studio.memfs.audit import audit_commits
from studio.memfs.checks import check_staged
from studio.memfs.hook_install import install, status
from studio.memfs.repo import open_directory

SOON_SECONDS = 60
"""Ten are promised on a machine that does nothing else."""


def shared_trees(memory: MemoryRepository, levels: int) -> None:
    """Commit ten to the power of `levels` paths in a few hundred bytes: each tree holds the one below ten times."""
    blob = memory.git("hash-object", "-w", "--stdin", given=note().encode())
    listed = "".join(f"100644 blob {blob}\tf{number}.md\n" for number in range(10))
    for _ in range(levels):
        tree = memory.git("mktree", given=listed.encode())
        listed = "".join(f"040000 tree {tree}\td{number}\n" for number in range(10))
    memory.git("update-ref", "refs/heads/main", memory.git("commit-tree", tree, "-m", "heavy"))


def deep_tree(memory: MemoryRepository) -> None:
    """Commit one path of more bytes than a system takes."""
    tree = memory.git("write-tree")
    for _ in range(1_200):
        tree = memory.git("mktree", given=f"040000 tree {tree}\tdeep\n".encode())
    memory.git("update-ref", "refs/heads/main", memory.git("commit-tree", tree, "-m", "deep"))


HEAVY: dict[str, tuple[Callable[[MemoryRepository], None], str]] = {
    "ten thousand million paths": (lambda memory: shared_trees(memory, 10), "MiB of it"),
    "a path of 6,000 bytes": (deep_tree, "a path of more than 4,096 bytes"),
}


@pytest.mark.parametrize("verb", ["check", "audit"])
@pytest.mark.parametrize("what", HEAVY)
def test_every_verb_ends_in_a_sentence(tmp_path: Path, shell: Shell, what: str, verb: str) -> None:
    make, says = HEAVY[what]
    memory = MemoryRepository.make(tmp_path / "memory", INDEX)
    make(memory)
    begun = time.monotonic()
    told = shell("dir", verb, memory.folder)
    assert time.monotonic() - begun < SOON_SECONDS
    assert told.code != 0
    assert (says in told.err) or ("memory" in told.err and verb == "audit")
    assert "fault" not in told.err


def test_more_paths_than_any_memory_has_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git, "PATHS_PER_TREE", 999)
    memory = MemoryRepository.make(tmp_path / "memory", INDEX)
    shared_trees(memory, 3)
    repo = git.open_repository(memory.folder)
    with pytest.raises(git.TooHeavy, match="more than 999 files"):
        git.files_at(repo, repo.head)


def test_what_is_larger_than_any_text_is_not_read_and_the_rest_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git, "TEXT_BYTES", 1_000)
    files: dict[str, str | bytes] = {f"{number}.txt": str(number) * (2_000 if number % 3 else 5) for number in range(9)}
    memory = MemoryRepository.make(tmp_path / "memory", files)
    repo = git.open_repository(memory.folder)
    shas = [one.sha for one in git.files_at(repo, repo.head)]
    found = dict(git.blobs(repo, shas))
    assert [content is None for content in found.values()] == [number % 3 != 0 for number in range(9)]


def test_globs_beyond_the_limit_are_one_finding_and_are_not_heeded() -> None:
    text = json.dumps({"version": 1, "readOnlyFiles": [f"*{number}*" for number in range(6_000)]})
    config, found = read_config(text)
    assert (len(config.read_only), [one.kind for one in found]) == (MOST_GLOBS, ["config_too_many_globs"])


def test_a_named_pipe_in_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    memory = MemoryRepository.make(tmp_path / "memory", {**INDEX, "human.md": note(name="human")})
    for name in (".gitattributes", ".memfs.config.json", ".git/MERGE_HEAD", ".git/hooks/pre-commit"):
        (memory.folder / name).parent.mkdir(exist_ok=True)
        os.mkfifo(memory.folder / name)
    repo = open_directory(memory.folder)
    assert status(repo).state is HookState.FOREIGN
    assert install(repo, force=True).state is HookState.INSTALLED
    assert check_staged(repo, config_approved=False).clean
    assert audit_commits(repo).clean
    assert len(git.lineage(repo, renames=True, lines=True)) == 1
    with pytest.raises(git.GitFailed, match="stopped after 5 seconds"):
        git_write.conversions(repo, ["human.md"])
