"""Which verbs of git the hooks see, on git itself; what none of them sees, the audit does (decision 34)."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from directory_repository import INDEX, MemoryRepository, note

from studio import git
from studio.domain.directory.hooks import HookState
from studio.memfs.audit import audit_commits
from studio.memfs.hook_install import MERGE_HOOK, install, status, uninstall
from studio.memfs.repo import open_directory

BAD = {"bad.md": "no header\n"}
CONFLICT = {"log.txt": "side\n"}
SEEN = {
    "a clean merge": (BAD, ["merge side"]),
    "a merge of three": (BAD, ["merge side other"]),
    "a pull": (BAD, ["pull --no-rebase . side"]),
    "a merge that is committed later": (BAD, ["merge --no-commit side", "commit -m x"]),
    "a squashed merge": (BAD, ["merge --squash side", "commit -m x"]),
    "a merge with a conflict": (
        BAD | CONFLICT,
        ["merge side", "checkout --ours log.txt", "add log.txt", "commit -m x"],
    ),
    "a merge that goes on": (
        BAD | CONFLICT,
        ["merge side", "checkout --ours log.txt", "add log.txt", "merge --continue"],
    ),
    "a pick with a conflict": (
        BAD | CONFLICT,
        ["cherry-pick side", "checkout --ours log.txt", "add log.txt", "commit -m x"],
    ),
    "a pick that goes on": (
        BAD | CONFLICT,
        ["cherry-pick side", "checkout --ours log.txt", "add log.txt", "cherry-pick --continue"],
    ),
    "an amended commit": (BAD, ["cherry-pick --no-commit side", "commit --amend -m x"]),
}
"""What the side branch changes, and the commands: the last of them is refused."""
UNSEEN = {
    "a fast-forward": (BAD, ["reset --hard start", "merge --ff-only side"]),
    "a merge without the check": (BAD, ["merge --no-verify side"]),
    "a pick": (BAD, ["cherry-pick side"]),
    "a revert": (BAD, ["merge --no-verify side", "revert --no-edit -m 1 HEAD", "revert --no-edit HEAD"]),
    "a rebase": (BAD, ["checkout side", "rebase main"]),
    "a patch": (BAD, ["am side.patch"]),
    "plumbing": (BAD, ["read-tree side", "update-ref HEAD side"]),
}
"""Commands that git runs neither hook for; the audit names the commit."""
ALLOWED = {
    "a sound branch": {"more.txt": "x"},
    "a protected file that the branch changed with its config open": {"locked.txt": "2\n"},
    "a config that a person approved on the branch": {
        ".memfs.config.json": '{"version": 1, "maxDepth": 5, "readOnlyFiles": ["locked.txt"]}'
    },
}
"""What a branch may bring: a merge answers for what differs from all its parents."""


@pytest.fixture
def memory(tmp_path: Path) -> MemoryRepository:
    config = '{"version": 1, "readOnlyFiles": ["locked.txt"]}'
    files = {
        **INDEX,
        "human.md": note(name="human"),
        "log.txt": "1\n",
        "locked.txt": "1\n",
        ".memfs.config.json": config,
    }
    made = MemoryRepository.make(tmp_path / "memory", files)
    made.git("tag", "start")
    return made


def commit(memory: MemoryRepository, branch: str, files: Mapping[str, str]) -> None:
    """Commit files on a branch from the start, past the hooks."""
    memory.git("checkout", "--quiet", "-B", branch, "start")
    for path, text in files.items():
        (memory.folder / path).write_text(text, encoding="utf-8")
    memory.git("add", "--all")
    memory.git("commit", "--quiet", "--no-verify", "--message=side")


def branched(memory: MemoryRepository, files: Mapping[str, str]) -> str:
    """A side branch with files, another, and a main that went on; gives the commit at HEAD."""
    commit(memory, "side", files)
    (memory.folder / ".git" / "info" / "exclude").write_text("*.patch\n", encoding="ascii")
    patch = memory.git("format-patch", "--stdout", "-1", "side")
    (memory.folder / "side.patch").write_text(patch + "\n", encoding="utf-8")
    commit(memory, "other", {"other.txt": "x"})
    commit(memory, "main", {"human.md": note("More.", "human"), "log.txt": "main\n" if "log.txt" in files else "1\n"})
    install(open_directory(memory.folder))
    return memory.head()


def run(memory: MemoryRepository, commands: list[str]) -> int:
    """How the last of some commands ends."""
    return [memory.ask(*one.split(), variables={"GIT_EDITOR": "true"}).code for one in commands][-1]


@pytest.mark.parametrize("verb", SEEN)
def test_a_verb_that_the_hooks_see_is_refused(memory: MemoryRepository, verb: str) -> None:
    files, commands = SEEN[verb]
    before = branched(memory, files)
    assert run(memory, commands) != 0
    assert memory.head() == before
    (memory.folder / "bad.md").write_text(note(name="bad"), encoding="utf-8")
    memory.git("add", "--all")
    assert memory.commit().code == 0, "mended, it is concluded"


@pytest.mark.parametrize("verb", UNSEEN)
def test_what_no_hook_sees_the_audit_does(memory: MemoryRepository, verb: str) -> None:
    files, commands = UNSEEN[verb]
    before = branched(memory, files)
    assert run(memory, commands) == 0
    assert memory.head() != before
    found = audit_commits(git.open_repository(memory.folder))
    assert [finding.path for finding, _ in found.first] == ["bad.md"]


@pytest.mark.parametrize("what", ALLOWED)
def test_a_merge_answers_for_what_it_changed_itself(memory: MemoryRepository, what: str) -> None:
    branched(memory, ALLOWED[what])
    told = memory.ask("merge", "side", variables={"GIT_EDITOR": "true"})
    assert told.code == 0, told.err
    found = audit_commits(git.open_repository(memory.folder)).round_the_hook
    assert [one for one in found if one.parents > 1] == []


def test_both_hooks_come_and_go_together(memory: MemoryRepository) -> None:
    repo = open_directory(memory.folder)
    found = install(repo)
    assert (found.state, found.merges and found.merges.state) == (HookState.INSTALLED, HookState.INSTALLED)
    merges = Path(found.path).with_name(MERGE_HOOK)
    merges.unlink()
    assert status(repo).state is HookState.OUTDATED, "as an installation from before it had one"
    assert install(repo).state is HookState.INSTALLED
    merges.write_text("#!/bin/sh\n", encoding="ascii")
    assert status(repo).state is HookState.INSTALLED
    assert uninstall(repo).state is HookState.ABSENT
    assert merges.read_text(encoding="ascii") == "#!/bin/sh\n", "another program's stays"
