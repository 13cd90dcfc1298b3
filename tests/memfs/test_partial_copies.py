"""Every verb on a copy that lacks texts: what is not needed is not asked for, what is needed is one warning (decision 48).

git is kept from fetching, whatever a repository says, so what is missing stays missing.
"""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_shell import Shell
from directory_repository import INDEX, MemoryRepository, note

from studio import Studio
from studio.memfs.hook_install import install
from studio.memfs.repo import open_directory

HUMAN = note("Lead with the answer.\n", "human")
LONG = "x" * 3_000
LACKS = {"compile": "human.md", "deferred": "ops/pager.md", "other": "log.txt", "config": ".memfs.config.json"}


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[str], str]:
    """A copy that lacks the one text that is long, at HEAD and before."""

    def copy(path: str) -> str:
        files: dict[str, str | bytes] = {**INDEX, "human.md": HUMAN, "ops/MEMORY.md": "# Ops\n", "ops/pager.md": note()}
        config = '{"version": 1, "maxDepth": 1, "fileCharacterLimits": [{"pattern": "long", "maxCharacters": 1}'
        long = (
            config + " " * len(LONG) + "]}"
            if path.endswith("json")
            else note(LONG, "human")
            if path[-1] == "d"
            else LONG
        )
        memory = MemoryRepository.make(tmp_path / "memory", {**files, path: long})
        memory.write("main", {**files, path: long, "skills/x/SKILL.md": note(name="x")}, onto=memory.head())
        memory.git("config", "uploadpack.allowFilter", "true")
        memory.git(
            "clone", "--quiet", "--bare", "--filter=blob:limit=2k", f"file://{memory.folder}", str(tmp_path / "copy")
        )
        return str(tmp_path / "copy")

    return copy


@pytest.mark.parametrize("what", ["deferred", "other", "config"])
def test_a_prompt_compiles_without_what_does_not_reach_it(
    copied: Callable[[str], str], shell: Shell, what: str
) -> None:
    told = shell("dir", "compile", copied(LACKS[what]))
    assert (told.code, told.err) == (0, "")
    assert "Lead with the answer." in told.text


def test_a_prompt_that_cannot_be_whole_does_not_compile(copied: Callable[[str], str], shell: Shell) -> None:
    told = shell("dir", "compile", copied("human.md"))
    assert (told.code != 0, told.out) == (True, b"")
    assert "a partial copy that lacks human.md" in told.err


@pytest.mark.parametrize("what", LACKS)
def test_a_check_and_an_audit_warn_once_and_judge_the_rest(
    copied: Callable[[str], str], shell: Shell, what: str
) -> None:
    copy = copied(LACKS[what])
    said = f"This copy lacks a text that is to be read ({LACKS[what]})"
    checked = shell("dir", "check", copy, "--json").json
    assert [(one["kind"], said in one["message"]) for one in checked["findings"]] == [("text_lacking", True)]
    told = shell("dir", "audit", copy, "--json")
    assert (told.code, told.json["ok"], told.json["round_the_hook"]) == (2, False, [])
    assert [said in one for one in told.json["warnings"]] == [True]


@pytest.mark.parametrize(("what", "warned"), [("compile", 1), ("deferred", 1), ("other", 0), ("config", 1)])
def test_the_lint_warns_once_of_what_it_would_read(
    copied: Callable[[str], str], shell: Shell, what: str, warned: int
) -> None:
    found = shell("dir", "lint", copied(LACKS[what]), "--json").json["findings"]
    assert [one["kind"] for one in found].count("text_lacking") == warned


@pytest.mark.parametrize(("what", "lacking"), [("compile", 1), ("deferred", 1), ("other", 0), ("config", 1)])
def test_headroom_says_what_counts_as_empty(
    copied: Callable[[str], str], shell: Shell, what: str, lacking: int
) -> None:
    copy = copied(LACKS[what])
    assert {one["lacking"] for one in shell("dir", "headroom", copy, "--json").json} == {lacking}
    assert ("This copy lacks texts of" in shell("dir", "headroom", copy).err) == bool(lacking)


@pytest.mark.parametrize("what", ["deferred", "other", "config"])
def test_a_history_and_a_proposal_need_the_core_alone(copied: Callable[[str], str], shell: Shell, what: str) -> None:
    copy = copied(LACKS[what])
    assert shell("dir", "history", copy, "--json").code == 0
    assert shell("dir", "shrink", copy, "--json").code == 0


@pytest.mark.parametrize("what", ["deferred", "other", "config"])
def test_a_linked_copy_is_shown_with_a_warning(copied: Callable[[str], str], studio: Studio, what: str) -> None:
    agent = studio.create_agent("keeper").id
    studio.directories.link(copied(LACKS[what]), agent)
    assert [one.kind for one in studio.directories.survey(agent).contents.findings] == ["text_lacking"]
    assert studio.directories.get(agent).findings == 0
    assert "text_lacking" not in {one.kind for one in studio.directories.advise(agent).findings}


def test_the_hook_warns_of_what_a_sparse_copy_lacks_and_refuses_what_is_wrong(tmp_path: Path) -> None:
    memory = MemoryRepository.make(tmp_path / "memory", {**INDEX, "ops/MEMORY.md": "#\n", "ops/pager.md": note(LONG)})
    memory.git("config", "uploadpack.allowFilter", "true")
    memory.git(
        "clone", "--quiet", "--no-checkout", "--filter=blob:limit=2k", f"file://{memory.folder}", str(tmp_path / "copy")
    )
    copy = MemoryRepository(tmp_path / "copy")
    copy.git("read-tree", "HEAD")
    hook = install(open_directory(copy.folder))
    for path, text, refused in [("human.md", HUMAN, False), ("bad.md", "no header\n", True)]:
        sha = copy.git("hash-object", "-w", "--stdin", given=text.encode())
        copy.git("update-index", "--add", "--cacheinfo", f"100644,{sha},{path}")
        told = subprocess.run(
            [hook.path], cwd=copy.folder, capture_output=True, check=False
        )  # git itself may fetch before it
        assert told.returncode == int(refused)
        assert b"This copy lacks a text that is to be read (ops/pager.md)" in told.stderr
