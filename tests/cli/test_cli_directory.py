"""`studio dir` at the shell: the text and nothing else, findings in each form, exit codes of their own."""

import json
from pathlib import Path

import pytest
from cli_shell import Shell
from directory_repository import INDEX, MemoryRepository, joined, note

from studio.actions.directory.checking import check_directory, compile_directory
from studio.actions.directory.linting import lint_directory
from studio.errors import StudioError

SOUND = joined([INDEX, {"alpha.md": note("Be direct.\n"), "ops/MEMORY.md": "Runbooks.\n"}])
COMPILED = """<alpha>
<description>What it holds.</description>
Be direct.
</alpha>

<memory>
# Index
<deferred-memory>
<directory path="ops/" index="ops/MEMORY.md" />
</deferred-memory>
</memory>"""


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """The command line where no store is needed, and git without the settings of this machine."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "no-settings"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return Shell(tmp_path)


@pytest.fixture
def memory(tmp_path: Path) -> MemoryRepository:
    return MemoryRepository.make(tmp_path / "memory", SOUND)


def test_compile_prints_the_text_and_nothing_else(shell: Shell, memory: MemoryRepository) -> None:
    assert shell.done("dir", "compile", memory.folder).text == COMPILED


def test_compile_reads_what_is_committed_only(shell: Shell, memory: MemoryRepository) -> None:
    """memfs-compile-07."""
    memory.stage({**SOUND, "MEMORY.md": "staged\n"})
    (memory.folder / "MEMORY.md").write_text("edited\n", encoding="utf-8")
    assert shell.done("dir", "compile", memory.folder).text == COMPILED


def test_compile_takes_any_commit_and_a_base_prompt(shell: Shell, memory: MemoryRepository) -> None:
    memory.write("main", {**SOUND, "alpha.md": note("Be kind.\n")}, onto="main~0")
    base = shell.folder / "base.txt"
    base.write_bytes(b"Head\r\n{CORE_MEMORY}\nTail")
    found = shell.done("dir", "compile", memory.folder, "--commit", "HEAD~1", "--base", base)
    assert found.out == f"Head\r\n{COMPILED}\nTail".encode()
    assert "Be kind." in shell.done("dir", "compile", memory.folder, "--base", "-", given=b"Head").text


def test_compile_in_json_says_where_each_block_stands(shell: Shell, memory: MemoryRepository) -> None:
    found = shell.done("dir", "compile", memory.folder, "--json").json
    assert (found["text"], found["characters"], found["deferred"]) == (COMPILED, len(COMPILED), ["ops"])
    cut = [COMPILED[one["start"] : one["end"]].partition("\n")[0] for one in found["blocks"]]
    assert cut == ["<alpha>", "<memory>"]
    assert [one["path"] for one in found["blocks"]] == ["alpha.md", "MEMORY.md"]


@pytest.mark.parametrize("commit", ["no-such", "--all", "HEAD:MEMORY.md"])
def test_what_names_no_commit_is_told(shell: Shell, memory: MemoryRepository, commit: str) -> None:
    told = shell("dir", "compile", memory.folder, f"--commit={commit}")
    assert (told.code, told.out) == (3, b"")
    assert f"has no commit {commit!r}" in told.err


def test_the_old_layout_is_told_how_to_migrate(shell: Shell, shared: Path, tmp_path: Path) -> None:
    folder = shared / "formats" / "memfs-legacy"
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.md")}
    old = MemoryRepository.make(tmp_path / "old", files)
    told = shell("dir", "compile", old.folder)
    assert (told.code, told.out) == (0, b"")
    assert "old layout, 'studio dir migrate' moves it" in told.err
    assert "studio dir migrate" in shell("dir", "check", old.folder).text


def test_check_is_clean(shell: Shell, memory: MemoryRepository) -> None:
    assert shell.done("dir", "check", memory.folder, "--json").json == {"ok": True, "findings": []}
    told = shell("dir", "check", memory.folder)
    assert (told.code, told.out, told.err) == (0, b"", "Clean.\n")


def test_check_tells_every_finding_in_the_shape_of_the_issue(shell: Shell, memory: MemoryRepository) -> None:
    memory.stage({**SOUND, "long.md": note("x" * 20_000)})
    assert shell.done("dir", "check", memory.folder, "--json").json["ok"]
    told = shell("dir", "check", memory.folder, "--staged", "--json")
    assert told.code == 1
    characters = len(note("x" * 20_000))
    (finding,) = told.json["findings"]
    assert told.json["ok"] is False
    assert finding.pop("message").startswith(f"long.md has {characters:,} characters")
    assert finding == {
        "kind": "file_too_long",
        "path": "long.md",
        "actual": characters,
        "limit": 20_000,
        "rule": "default",
    }


def test_check_marks_what_is_older_for_a_person(shell: Shell, memory: MemoryRepository) -> None:
    memory.write("main", {**SOUND, "old.md": "no header\n"})
    memory.stage({**SOUND, "old.md": "no header\n", "new.md": "no header\n"})
    new, old = shell("dir", "check", memory.folder, "--staged").text.splitlines()
    assert new.startswith("fm_missing: new.md")
    assert old.endswith("(may be older than what is staged)")


def test_check_in_sarif(shell: Shell, memory: MemoryRepository) -> None:
    core = json.dumps({"version": 1, "maxCoreMemoryCharacters": 5})
    memory.write("main", {**SOUND, ".memfs.config.json": core, "a b.md": "no header\n", "p/n.md": note()})
    told = shell("dir", "check", memory.folder, "--sarif")
    assert told.code == 1
    log = told.json
    assert (log["version"], log["runs"][0]["tool"]["driver"]["name"]) == ("2.1.0", "Prompt Studio")
    rules = [rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]]
    results = log["runs"][0]["results"]
    assert all(rules[one["ruleIndex"]] == one["ruleId"] and one["level"] == "error" for one in results)
    places = {one["ruleId"]: one["locations"][0]["physicalLocation"] for one in results}
    assert places["fm_missing"] == {
        "artifactLocation": {"uri": "a%20b.md", "uriBaseId": "ROOT"},
        "region": {"startLine": 1},
    }
    assert places["core_too_long"]["artifactLocation"]["uri"] == "MEMORY.md"
    assert places["dir_index_missing"]["artifactLocation"]["uri"] == "p/MEMORY.md"


@pytest.mark.parametrize(
    "words", [["no-such"], ["file.txt"], ["plain"], ["empty"], ["memory", "--staged", "--commit=HEAD"]]
)
def test_check_that_could_not_run_has_a_code_of_its_own(
    shell: Shell, memory: MemoryRepository, words: list[str]
) -> None:
    assert memory.folder.is_dir()
    (shell.folder / "file.txt").write_text("x", encoding="utf-8")
    (shell.folder / "plain").mkdir()
    MemoryRepository.make(shell.folder / "empty")
    told = shell("dir", "check", shell.folder / words[0], *words[1:], "--json")
    assert (told.code, told.out) == (2, b"")
    assert told.error["message"]


def test_a_partial_copy_says_so(shell: Shell, memory: MemoryRepository) -> None:
    copy = MemoryRepository(shell.folder)
    memory.git("config", "uploadpack.allowFilter", "true")
    copy.git("clone", "--quiet", "--bare", "--filter=blob:none", f"file://{memory.folder}", "copy")
    with pytest.raises(StudioError, match="partial copy"):
        compile_directory(shell.folder / "copy")
    assert [one.kind for one in check_directory(shell.folder / "copy").findings] == ["text_lacking"]


@pytest.mark.parametrize("variable", ["STUDIO_MEMORY_CONFIG_APPROVED", "LETTA_MEMORY_CONSTRAINTS_UPDATE"])
def test_a_person_approves_a_change_of_the_config(shell: Shell, memory: MemoryRepository, variable: str) -> None:
    memory.stage({**SOUND, ".memfs.config.json": '{"version": 1}'})
    shell.environment[variable] = "yes"
    told = shell("dir", "check", memory.folder, "--staged", "--json")
    assert [one["kind"] for one in told.json["findings"]] == ["config_protected"]
    shell.environment[variable] = "1"
    assert shell("dir", "check", memory.folder, "--staged").code == 0


def test_the_hook_is_installed_asked_for_and_taken_away(shell: Shell, memory: MemoryRepository) -> None:
    path = str(memory.folder / ".git" / "hooks" / "pre-commit")
    assert "No hook is installed" in shell.done("dir", "hook", "status", memory.folder).text
    found = shell.done("dir", "hook", "install", memory.folder, "--json").json
    assert (found["state"], found["path"], found["kept"]) == ("installed", path, None)
    memory.stage({**SOUND, "bad.md": "no header\n"})
    assert memory.commit().code == 1
    assert shell.done("dir", "hook", "uninstall", memory.folder, "--json").json["state"] == "absent"
    Path(path).write_text("#!/bin/sh\n", encoding="utf-8")
    told = shell("dir", "hook", "install", memory.folder)
    assert (told.code, "--force" in told.err) == (3, True)
    assert "kept aside" in shell.done("dir", "hook", "install", memory.folder, "--force").text


# --- which directory ---

VERBS: dict[str, tuple[list[str], int]] = {
    "compile": (["compile", "FOLDER"], 3),
    "check": (["check", "FOLDER"], 2),
    "check what is staged": (["check", "FOLDER", "--staged"], 2),
    "lint": (["lint", "FOLDER"], 2),
    "shrink": (["shrink", "FOLDER"], 2),
    "audit": (["audit", "FOLDER"], 2),
    "migrate": (["migrate", "FOLDER", "--apply"], 3),
    "history": (["history", "FOLDER"], 3),
    "diff": (["diff", "FOLDER", "HEAD"], 3),
    "hook status": (["hook", "status", "FOLDER"], 3),
    "hook install": (["hook", "install", "FOLDER"], 3),
    "hook uninstall": (["hook", "uninstall", "FOLDER"], 3),
}
"""Every verb that takes a repository, and its exit code where it cannot run."""


@pytest.mark.parametrize("verb", VERBS)
def test_a_folder_inside_of_a_repository_is_not_taken_for_it(shell: Shell, memory: MemoryRepository, verb: str) -> None:
    """Else who mistypes gets another directory's verdict, or a hook in it."""
    shell.done("dir", "hook", "install", memory.folder)
    hook = memory.folder / ".git/hooks/pre-commit"
    written = hook.read_bytes()
    if verb == "hook install":
        hook.unlink()
    before = (memory.head(), hook.exists())
    words, code = VERBS[verb]
    told = shell("dir", *(str(memory.folder / "ops") if one == "FOLDER" else one for one in words))
    assert (told.code, told.out) == (code, b"")
    assert f"is a folder inside of the repository {memory.folder}" in told.err
    assert (memory.head(), hook.exists()) == before
    assert not hook.exists() or hook.read_bytes() == written


# --- init ---


def test_a_new_directory_passes_its_own_check_and_compiles(shell: Shell) -> None:
    folder = shell.folder / "new" / "memory"
    assert "Begun in" in shell.done("dir", "init", folder).text
    made = MemoryRepository(folder)
    assert made.git("log", "--format=%an %s") == "Ana Begin a memory directory"
    assert made.git("status", "--porcelain") == ""
    assert shell("dir", "check", folder).code == 0
    assert shell.done("dir", "hook", "status", folder, "--json").json["state"] == "installed"
    assert "<persona>" in shell.done("dir", "compile", folder).text
    assert lint_directory(folder) == ()


def test_a_repository_may_become_a_directory_but_nothing_is_written_over(shell: Shell, tmp_path: Path) -> None:
    made = MemoryRepository.make(tmp_path / "has", {"notes.txt": "mine"})
    found = shell.done("dir", "init", made.folder, "--no-hook", "--json").json
    assert (found["commit"], found["hook"]) == (made.head(), None)
    assert made.git("show", "HEAD:notes.txt") == "mine"
    assert made.git("status", "--porcelain") == ""
    before = made.head()
    told = shell("dir", "init", made.folder)
    assert (told.code, made.head()) == (3, before)
    assert "MEMORY.md" in told.err


def test_a_missing_template_and_an_unusable_folder_are_told(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    assert "is missing" in shell("dir", "init", tmp_path / "a", "--prompts", tmp_path).err
    assert not (tmp_path / "a").exists()
    told = shell("dir", "init", tmp_path / "file" / "memory")
    assert (told.code, "cannot be written" in told.err) == (3, True)


def test_a_hook_in_the_way_stops_a_beginning_before_anything_is_written(shell: Shell, tmp_path: Path) -> None:
    made = MemoryRepository.make(tmp_path / "has", {"notes.txt": "mine"})
    hook = made.folder / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\n", encoding="utf-8")
    before = made.head()
    assert shell("dir", "init", made.folder).code == 3
    assert (made.head(), made.git("status", "--porcelain")) == (before, "")
    assert shell("dir", "init", made.folder, "--no-hook").code == 0


def test_a_directory_that_no_agent_can_be_linked_to_is_not_begun_for_one(shell: Shell) -> None:
    shell.done("agents", "create", "scout")
    folder = shell.folder / "\udcff"
    told = shell("dir", "init", folder, "--agent", "scout")
    assert (told.code, "is no text that can be stored" in told.err) == (3, True)
    assert not folder.exists()
    assert shell.done("dir", "init", folder, "--json").json["path"] == str(folder)


def test_nothing_is_staged_in_a_bare_repository(shell: Shell, memory: MemoryRepository) -> None:
    bare = shell.folder / "bare.git"
    memory.git("clone", "--quiet", "--bare", str(memory.folder), str(bare))
    assert shell("dir", "check", bare).err == "Clean.\n"
    told = shell("dir", "check", bare, "--staged")
    assert told.code == 2
    assert "nothing is ever staged in a bare repository" in told.err


@pytest.mark.parametrize("filtered", [False, True], ids=["plain", "through a filter"])
def test_beginning_in_a_repository_runs_none_of_its_programs(shell: Shell, tmp_path: Path, *, filtered: bool) -> None:
    """Nor does it commit past a filter what that would have changed: it may be there to encrypt."""
    made = MemoryRepository.make(tmp_path / "memory", {".gitattributes": f"* {'' if filtered else '-'}filter=own\n"})
    for name in ("clean", "smudge", "process"):
        made.git("config", f"filter.own.{name}", f"touch {tmp_path}/ran; cat")
    made.git("config", "filter.own.required", "true")
    made.git("config", "core.fsmonitor", f"touch {tmp_path}/ran; false")
    told = shell("dir", "init", made.folder)
    assert (told.code, "git converts it by its filter own" in told.err) == (3 if filtered else 0, filtered)
    assert not (tmp_path / "ran").exists()
    assert ("human.md" in made.git("ls-files"), (made.folder / "human.md").exists()) == (not filtered, not filtered)
    assert made.git("diff", "--cached", "--name-only") == ""


def test_nothing_is_begun_while_somebody_holds_the_index(
    shell: Shell, memory: MemoryRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studio.memfs.checkout.LOCK_PATIENCE_SECONDS", 0.0)
    for file in ("MEMORY.md", "alpha.md"):
        memory.git("rm", "--quiet", "--force", file)
    memory.git("commit", "--quiet", "--no-verify", "--message", "x")
    before = memory.head()
    (memory.folder / ".git" / "index.lock").touch()
    told = shell("dir", "init", memory.folder)
    assert told.code == 3
    assert "Another git process" in told.err
    assert memory.head() == before
    assert not (memory.folder / "human.md").exists()
