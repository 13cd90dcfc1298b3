"""Lint and shrink at the shell: each form, exit codes of their own, and what a person switches off."""

from pathlib import Path

import pytest
from cli_shell import Shell
from directory_repository import MemoryRepository, note

from studio.domain.directory.lint.rules import RULES

SHARED = Path(__file__).parents[3] / "shared"
SOUND: dict[str, str | bytes] = {
    "MEMORY.md": "Open memory before answering about a person you do not know.\n",
    "persona.md": note(
        "Verify claims against the running system before reporting them.\n", "persona", "Who I am and how I work."
    ),
}
LOUD: dict[str, str | bytes] = {
    **SOUND,
    "persona.md": note(
        "- NEVER guess.\n\n## How to deploy\n\n1. Stop it.\n2. Copy it.\n3. Start it.\n",
        "persona",
        "Who I am and how I work.",
    ),
}
KEY = "gh" + "p_" + "Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7j"


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    return MemoryRepository.make(tmp_path / "sound", SOUND).folder


@pytest.fixture
def loud(tmp_path: Path) -> Path:
    return MemoryRepository.make(tmp_path / "loud", LOUD).folder


def test_a_directory_without_findings_is_clean(shell: Shell, sound: Path) -> None:
    assert (shell("dir", "lint", sound).code, shell("dir", "lint", sound, "--json").json) == (
        0,
        {"ok": True, "findings": []},
    )


def test_findings_are_lines_for_people(shell: Shell, loud: Path) -> None:
    found = shell("dir", "lint", loud)
    assert found.code == 1
    assert (
        found.text.splitlines()[0]
        == "persona.md:5: warning: all_caps: Capitals for emphasis: NEVER. Say it plainly, with the reason."
    )
    assert "2 findings" in found.err


def test_findings_are_json_and_sarif_for_programs(shell: Shell, loud: Path) -> None:
    first, _ = shell("dir", "lint", loud, "--json").json["findings"]
    assert (first["kind"], first["path"], first["line"], first["severity"]) == ("all_caps", "persona.md", 5, "warning")
    assert first["rule"] == RULES["all_caps"].reason
    result, _ = shell("dir", "lint", loud, "--sarif").json["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("all_caps", "warning")
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 5


def test_rules_are_switched_off_by_the_person_who_runs_it(shell: Shell, loud: Path) -> None:
    assert [one["kind"] for one in shell("dir", "lint", loud, "--json", "--off", "all_caps").json["findings"]] == [
        "prohibition_only"
    ]
    assert shell("dir", "lint", loud, "--off", "all_caps", "--off", "prohibition_only").code == 0
    assert shell("dir", "lint", loud, STUDIO_LINT_OFF="all_caps, prohibition_only").code == 0
    refused = shell("dir", "lint", loud, "--off", "shouting", "--json")
    assert (refused.code, refused.error["kind"]) == (2, "refused")
    assert "'shouting'" in refused.error["message"]


def test_what_is_committed_is_looked_at_unless_told_otherwise(shell: Shell, tmp_path: Path) -> None:
    repository = MemoryRepository.make(tmp_path / "memory", LOUD)
    repository.stage(SOUND)
    assert [
        shell("dir", "lint", repository.folder, *more).code for more in ((), ("--staged",), ("--commit", "main"))
    ] == [1, 0, 1]
    assert shell("dir", "lint", repository.folder, "--staged", "--commit", "main").code == 2


def test_it_says_what_it_could_not_look_at(shell: Shell, tmp_path: Path) -> None:
    assert shell("dir", "lint", tmp_path / "nowhere").code == 2
    assert shell("dir", "lint").code == 2
    assert shell("dir", "shrink", tmp_path / "nowhere").code == 2


def test_the_old_layout_is_named(shell: Shell, tmp_path: Path) -> None:
    repository = MemoryRepository.make(
        tmp_path / "old", {"system/persona.md": "---\ndescription: Who I am\n---\nI keep notes.\n"}
    )
    found = shell("dir", "lint", repository.folder)
    assert found.code == 1
    assert "studio dir migrate" in found.text


def test_the_example_of_the_specification_is_clean(shell: Shell, tmp_path: Path) -> None:
    folder = SHARED / "formats" / "memfs-root-marker"
    if not folder.is_dir():
        pytest.skip("../shared is not here")
    files: dict[str, str | bytes] = {
        one.relative_to(folder).as_posix(): one.read_bytes() for one in folder.rglob("*") if one.is_file()
    }
    assert shell("dir", "lint", MemoryRepository.make(tmp_path / "memory", files).folder).code == 0


def test_a_key_is_an_error_and_is_not_printed(shell: Shell, tmp_path: Path) -> None:
    """memfs-lint-06."""
    files: dict[str, str | bytes] = {**SOUND, "skills/push/SKILL.md": note(f"Push with {KEY}.\n")}
    found = shell("dir", "lint", MemoryRepository.make(tmp_path / "memory", files).folder, "--json")
    assert [(one["kind"], one["severity"]) for one in found.json["findings"]] == [("secret", "error")]
    assert KEY[8:] not in found.text


def test_forty_commits_that_only_add_are_a_log(shell: Shell, tmp_path: Path) -> None:
    """memfs-lint-10, along the first parents, with the newest versions of each root file."""
    repository = MemoryRepository.make(tmp_path / "memory", SOUND)
    body, onto = "", "main"
    for number in range(12):
        body += f"Principle number {number} holds, because of reason {number}.\n\n"
        repository.write(
            "main", {**SOUND, "persona.md": note(body, "persona", "Who I am and how I work.")}, onto=f"{onto}^0"
        )
    found = shell("dir", "lint", repository.folder, "--json").json["findings"]
    assert [(one["kind"], one["path"]) for one in found] == [("append_only", "persona.md")]


def test_all_rules_are_listed_with_their_reasons(shell: Shell) -> None:
    assert all(rule.kind in shell("dir", "lint", "--rules").text for rule in RULES.values())
    listed = shell("dir", "lint", "--rules", "--json").json
    assert [one["kind"] for one in listed] == list(RULES)
    assert all(one["reason"] for one in listed)


def test_shrink_proposes_the_three_steps_in_order(shell: Shell, loud: Path) -> None:
    shown = shell("dir", "shrink", loud)
    assert shown.code == 0
    assert [line[:2] for line in shown.text.splitlines() if line[:1].isdigit() and line[1:3] == ". "] == [
        "1.",
        "2.",
        "3.",
    ]
    found = shell("dir", "shrink", loud, "--json").json
    assert [(one["step"], len(one["candidates"])) for one in found["steps"]] == [
        ("delete", 0),
        ("move", 0),
        ("skill", 1),
    ]
    assert found["needed"] is False
    assert found["steps"][2]["candidates"][0]["frees"] == len(
        "## How to deploy\n\n1. Stop it.\n2. Copy it.\n3. Start it.\n"
    )
    (result,) = shell("dir", "shrink", loud, "--sarif").json["runs"][0]["results"]
    assert result["ruleId"] == "shrink_skill"


# --- texts in the store ---


def test_an_artifact_memory_is_linted_as_advice(shell: Shell) -> None:
    shell.done(
        "memory", "save", "scout", "--yes-to", "key", given=f"NEVER guess.\nOn 2026-03-11 the key was {KEY}.\n".encode()
    )
    found = shell("memory", "lint", "scout", "--json")
    assert found.code == 1
    assert {(one["kind"], one["severity"]) for one in found.json["findings"]} == {
        ("secret", "warning"),
        ("all_caps", "warning"),
    }
    assert KEY[8:] not in found.text


def test_a_task_is_linted_and_so_is_its_draft(shell: Shell) -> None:
    assert shell("task", "lint", "scout").code == 0
    assert shell("task", "lint", "scout", "--draft").code == 2
    shell.done("task", "draft", "scout", given=b"The user likes answers first.\n")
    assert shell("task", "lint", "scout").code == 0
    assert [one["kind"] for one in shell("task", "lint", "scout", "--draft", "--json").json["findings"]] == [
        "third_person"
    ]
    assert shell("task", "lint", "scout", "--draft", "--off", "third_person").code == 0


def test_an_unknown_agent_is_no_finding(shell: Shell) -> None:
    assert shell("memory", "lint", "nobody").code == 2
