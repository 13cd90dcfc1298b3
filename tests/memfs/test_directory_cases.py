"""Every case of `memory-directory.json` through the real hook and the real compile, with git.

The tree, or the change to it, is staged and committed through the hook; then HEAD compiles, or the tree itself where nothing else
was committed before (see the specification's README for the fields).
"""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from directory_repository import MemoryRepository, kinds

from studio.domain.directory.tree import CONFIG
from studio.memfs import hook_install
from studio.memfs.repo import compiled_at, open_directory

FILE = Path(__file__).parents[2].parent / "shared" / "cases" / "memory-directory.json"
CASES: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else []
APPROVED = {"STUDIO_MEMORY_CONFIG_APPROVED": "1"}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository without commits that has the hook, for each case to copy."""
    made = MemoryRepository.make(tmp_path_factory.mktemp("prepared") / "memory")
    hook_install.install(open_directory(made.folder))
    return made.folder


@pytest.fixture
def repository(prepared: Path, tmp_path: Path) -> MemoryRepository:
    return MemoryRepository(Path(shutil.copytree(prepared, tmp_path / "memory")))


@pytest.mark.skipif(not CASES, reason="the shared cases are not beside the repository")
@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_case(case: dict[str, Any], repository: MemoryRepository) -> None:
    files, change = tree_of(case), case["staged_change"]
    modes = {path: mode for path, mode in (case.get("modes") or {}).items() if ":" not in mode}
    approve = case.get("approve") or (change is None and case["config"] is not None)
    if change is not None:
        repository.write("main", files, modes)
        files = changed(files, change)
        modes = {path: mode.partition(":")[0] for path, mode in (case.get("modes") or {}).items()}
    repository.stage(files, modes)
    for path, text in (case.get("worktree") or {}).items():
        (repository.folder / path).write_text(text, encoding="utf-8")
    before, staged = repository.head(), repository.staged_tree()

    told = repository.commit(**(APPROVED if approve else {}))

    expect = case["expect"]
    assert (told.code == 0) == expect["ok"], told.err
    assert (repository.head() != before) == expect["ok"]
    assert repository.staged_tree() == staged
    assert bool(kinds(told.err)) != expect["ok"]
    assert expect["error_kind"] is None or expect["error_kind"] in kinds(told.err)
    if expect.get("compiled") is not None:
        commit = "staged" if change is None else "HEAD"
        assert (
            compiled_at(open_directory(repository.folder), commit, case.get("base_prompt")).text == expect["compiled"]
        )


def tree_of(case: dict[str, Any]) -> dict[str, str | bytes]:
    """The files of a case, its config among them."""
    files = {path: text_of(text) for path, text in case["files"].items()}
    config = case["config"]
    return files if config is None else {**files, CONFIG: config if isinstance(config, str) else json.dumps(config)}


def changed(files: dict[str, str | bytes], change: dict[str, Any]) -> dict[str, str | bytes]:
    """The files after a change; null deletes one."""
    after = {**files, **{path: text_of(text) for path, text in change.items() if text is not None}}
    return {path: text for path, text in after.items() if change.get(path, "") is not None}


def text_of(text: str | dict[str, Any]) -> str | bytes:
    """A text, or a long one from its parts."""
    return text if isinstance(text, str) else f"{text['prefix']}{text['repeat'] * text['times']}{text['suffix']}"
