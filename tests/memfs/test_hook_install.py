"""The hook goes where git looks for it, never over somebody's work, and says so when its installation is gone."""

import sys
from pathlib import Path

import pytest
from directory_repository import INDEX, MemoryRepository, kinds

from studio.domain.directory.hooks import HookState
from studio.errors import CannotMake, HookInTheWay, HooksOutside
from studio.memfs.hook_install import ASIDE, install, status, uninstall
from studio.memfs.repo import open_directory

FOREIGN = "#!/bin/sh\nexit 0\n"


@pytest.fixture
def memory(tmp_path: Path) -> MemoryRepository:
    return MemoryRepository.make(tmp_path / "memory", INDEX)


@pytest.fixture(autouse=True)
def no_settings_of_the_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "global").write_text("", encoding="utf-8")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "global"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


def refuses_bad_commits(memory: MemoryRepository) -> bool:
    memory.stage({**INDEX, "bad.md": "no header\n"})
    return kinds(memory.commit().err) == ["fm_missing"]


def test_it_is_installed_again_without_harm_and_taken_away(memory: MemoryRepository) -> None:
    repo = open_directory(memory.folder)
    assert status(repo).state is HookState.ABSENT
    assert install(repo) == install(repo) == status(repo)
    assert status(repo).state is HookState.INSTALLED
    assert refuses_bad_commits(memory)
    assert uninstall(repo).state is HookState.ABSENT
    assert uninstall(repo).state is HookState.ABSENT
    assert memory.commit().code == 0


def test_a_foreign_hook_stays_unless_told_and_comes_back(memory: MemoryRepository) -> None:
    repo, hook = open_directory(memory.folder), memory.folder / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(FOREIGN, encoding="utf-8")
    assert status(repo).state is HookState.FOREIGN
    with pytest.raises(HookInTheWay, match="--force"):
        install(repo)
    with pytest.raises(HookInTheWay, match="not ours"):
        uninstall(repo)
    assert hook.read_text(encoding="utf-8") == FOREIGN
    kept = hook.with_name(hook.name + ASIDE)
    assert install(repo, force=True).kept == str(kept)
    assert kept.read_text(encoding="utf-8") == FOREIGN
    assert refuses_bad_commits(memory)
    assert uninstall(repo).state is HookState.FOREIGN
    assert hook.read_text(encoding="utf-8") == FOREIGN
    assert not kept.exists()


def test_a_second_foreign_hook_does_not_push_out_the_first(memory: MemoryRepository) -> None:
    repo, hook = open_directory(memory.folder), memory.folder / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.with_name(hook.name + ASIDE).write_text("first", encoding="utf-8")
    hook.write_text("second", encoding="utf-8")
    with pytest.raises(HookInTheWay, match="move one of them"):
        install(repo, force=True)
    assert hook.with_name(hook.name + ASIDE).read_text(encoding="utf-8") == "first"
    assert hook.read_text(encoding="utf-8") == "second"


@pytest.mark.parametrize("path", [".hooks", "/absolute", "~/home-hooks"])
def test_core_hooks_path_of_the_repository_is_heeded(
    memory: MemoryRepository, tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(memory.folder))
    memory.git("config", "core.hooksPath", str(tmp_path / "absolute") if path == "/absolute" else path)
    folder = {".hooks": memory.folder / ".hooks", "/absolute": tmp_path / "absolute"}.get(
        path, memory.folder / "home-hooks"
    )
    assert Path(install(open_directory(memory.folder), outside=path == "/absolute").path).parent == folder
    assert refuses_bad_commits(memory)


@pytest.mark.parametrize("scope", ["global", "local", "link"])
def test_a_folder_of_hooks_outside_of_the_repository_is_not_written_to_unless_confirmed(
    memory: MemoryRepository, tmp_path: Path, scope: str
) -> None:
    elsewhere = tmp_path / "all"
    if scope == "global":
        (tmp_path / "global").write_text(f"[core]\nhooksPath = {elsewhere}\n", encoding="utf-8")
    elif scope == "local":
        memory.git("config", "core.hooksPath", "../all")
    else:
        elsewhere.mkdir()
        (memory.folder / "hooks").symlink_to(elsewhere)
        memory.git("config", "core.hooksPath", "hooks")
    repo = open_directory(memory.folder)
    with pytest.raises(HooksOutside, match="every repository that looks there"):
        install(repo, force=True)
    assert list(tmp_path.glob("all/*")) == []
    assert install(repo, outside=True).state is HookState.INSTALLED
    assert {one.name for one in elsewhere.iterdir()} == {"pre-commit", "pre-merge-commit"}
    assert install(repo).state is HookState.INSTALLED, "it is there already"
    assert uninstall(repo).state is HookState.ABSENT
    memory.git("config", "core.hooksPath", ".git/hooks")
    assert status(repo).state is HookState.ABSENT
    assert install(repo).state is HookState.INSTALLED


def test_a_folder_of_hooks_that_is_none_is_told(memory: MemoryRepository) -> None:
    memory.git("config", "core.hooksPath", "/dev/null")
    assert status(open_directory(memory.folder)).state is HookState.ABSENT
    with pytest.raises(HooksOutside):
        install(open_directory(memory.folder))
    with pytest.raises(CannotMake, match="cannot be written"):
        install(open_directory(memory.folder), outside=True)


def test_an_empty_path_of_hooks_is_where_git_looks(memory: MemoryRepository) -> None:
    """git takes it for the root of the disk."""
    install(open_directory(memory.folder))
    memory.git("config", "core.hooksPath", "")
    found = status(open_directory(memory.folder))
    assert (found.state, found.path) == (HookState.ABSENT, memory.git("rev-parse", "--git-path", "hooks/pre-commit"))
    with pytest.raises(HooksOutside, match="to /,"):
        install(open_directory(memory.folder))


def test_a_linked_worktree_shares_the_hook(memory: MemoryRepository) -> None:
    other = memory.folder.parent / "other"
    memory.git("worktree", "add", "--quiet", str(other))
    assert install(open_directory(other)) == status(open_directory(memory.folder))
    assert refuses_bad_commits(MemoryRepository(other))


def test_an_installation_that_moved_is_told_and_refuses(memory: MemoryRepository) -> None:
    repo = open_directory(memory.folder)
    install(repo, python="/gone/bin/python")
    memory.stage({**INDEX, "a.txt": "x"})
    told = memory.commit()
    assert told.code != 0
    assert "Prompt Studio is no longer at /gone/bin/python" in told.err
    assert "studio dir hook install ." in told.err
    assert status(repo).state is HookState.OUTDATED
    assert install(repo).state is HookState.INSTALLED
    assert memory.commit().code == 0


def test_a_python_that_lost_prompt_studio_is_told_and_refuses(memory: MemoryRepository, tmp_path: Path) -> None:
    bare = tmp_path / "it's bare" / "python"
    bare.parent.mkdir()
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S -I "$@"\n', encoding="utf-8")
    bare.chmod(0o755)
    install(open_directory(memory.folder), python=str(bare))
    memory.stage({**INDEX, "a.txt": "x"})
    told = memory.commit()
    assert told.code != 0
    assert "has no Prompt Studio any more" in told.err
    assert "Traceback" not in told.err


@pytest.mark.parametrize("name", ["a b", "q'\"q", "new\nline", "caf\u00e9", "\udcff", "$x`y`", "b\\s"], ids=ascii)
def test_a_python_in_a_folder_of_any_name_runs_it(memory: MemoryRepository, tmp_path: Path, name: str) -> None:
    python = tmp_path / name / "python"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    repo = open_directory(memory.folder)
    assert install(repo, python=str(python)).state is HookState.INSTALLED
    assert status(repo, python=str(python)).python == str(python)
    assert refuses_bad_commits(memory)


def test_a_hook_that_git_would_not_run_is_told(memory: MemoryRepository) -> None:
    repo = open_directory(memory.folder)
    Path(install(repo).path).chmod(0o644)
    assert status(repo).state is HookState.DISABLED
    assert install(repo).state is HookState.INSTALLED


def test_the_hook_loads_neither_the_command_line_nor_the_store(memory: MemoryRepository) -> None:
    """What a commit waits for: the machinery of other doors is loaded by none of it, and the scanner only for what may be a key."""
    check = (
        "import sys; from studio.memfs.hook import main; code = main(); print(code, *sorted(set(sys.modules) & "
        "{'typer', 'rich', 'duckdb', 'pandas', 'panel', 'tornado', 'requests', 'detect_secrets', 'pyuca', 'rapidfuzz', 'asyncio'}))"
    )
    memory.stage({**INDEX, "café.md": "---\nname: n\ndescription: d\n---\nBe brief.\n"})
    done = MemoryRepository(memory.folder, {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"})
    script = memory.folder / ".git" / "hooks" / "pre-commit"
    script.parent.mkdir(exist_ok=True)
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -c "{check}" >&2\n', encoding="utf-8")
    script.chmod(0o755)
    assert done.commit().err.strip() == "0"


@pytest.mark.parametrize("line", ["python='abc", 'python="', "python=", "pithon=/x"])
def test_a_hook_of_ours_that_a_hand_has_broken_is_outdated_and_mended(memory: MemoryRepository, line: str) -> None:
    repo = open_directory(memory.folder)
    hook = Path(install(repo).path)
    lines = hook.read_text(encoding="utf-8").split("\n")
    hook.write_text("\n".join(line if one.startswith("python=") else one for one in lines), encoding="utf-8")
    assert status(repo).state is HookState.OUTDATED
    assert install(repo).state is HookState.INSTALLED


@pytest.mark.parametrize("act", ["install", "uninstall"])
def test_a_folder_of_hooks_that_cannot_be_written_is_told_and_stays_as_it_was(
    memory: MemoryRepository, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    repo, hook = open_directory(memory.folder), memory.folder / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(FOREIGN, encoding="utf-8")
    if act == "uninstall":
        install(repo, force=True)
    before = {path.name: path.read_bytes() for path in hook.parent.iterdir()}

    def read_only(self: Path, *_: object) -> Path:
        raise OSError(30, "Read-only file system", str(self))

    monkeypatch.setattr(Path, "rename", read_only)
    monkeypatch.setattr(Path, "replace", read_only)
    with pytest.raises(CannotMake, match="Read-only file system"):
        install(repo, force=True) if act == "install" else uninstall(repo)
    assert {path.name: path.read_bytes() for path in hook.parent.iterdir()} == before
