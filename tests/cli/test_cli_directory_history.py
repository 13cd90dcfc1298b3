"""`studio dir link|unlink|history|headroom|diff|edit|audit|migrate`, and agents that begin with a directory."""

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest
from cli_shell import Shell
from repository_builder import RepositoryBuilder

INDEX = "# Index\n"
HUMAN = "---\nname: human\ndescription: Who the user is.\n---\nBe brief.\n"
BRIEFER = HUMAN.replace("brief", "briefer")


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RepositoryBuilder:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "no-settings"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    made = RepositoryBuilder(tmp_path / "memory")
    made.save("MEMORY.md", INDEX, "begin")
    made.save("human.md", HUMAN, "say who")
    return made


def test_history_of_a_repository_needs_no_store(shell: Shell, repo: RepositoryBuilder) -> None:
    listed = shell.done("dir", "history", repo.folder, "--json", STUDIO_DB="/nowhere/at/all.duckdb").json
    assert [(one["version"], one["subject"], one["added"], one["live"]) for one in listed] == [
        (2, "say who", 5, True),
        (1, "begin", 3, False),
    ]
    assert listed[0]["commit"] == repo.line("rev-parse", "HEAD")
    table = shell.done("dir", "history", repo.folder, "--path", "human.md").text.splitlines()
    assert table[1].split()[:6] == ["1", "2023-11-14", "22:14:20", "UTC", "operator", "Ana"]
    assert shell.done("dir", "history", repo.folder, "--author", "operator", "--before", 2, "--json").json == listed[1:]


def test_an_agents_memory_is_the_directory_while_it_is_linked(shell: Shell, repo: RepositoryBuilder) -> None:
    shell.done("memory", "save", "scout", "-", "--force", given=b"before\n")
    linked = shell.done("dir", "link", repo.folder, "--agent", "scout", "--agent-author", "*[bot]", "--json").json
    assert (linked["path"], linked["version"], linked["agent_authors"]) == (str(repo.folder), 2, ["*[bot]"])
    assert shell.done("memory", "show", "scout").text == shell.done("dir", "compile", repo.folder).text
    assert [one["version"] for one in shell.done("dir", "history", "scout", "--json").json] == [2, 1]
    assert shell.done("memory", "diff", "scout", 1, 2).text == shell.done("dir", "diff", "scout", "HEAD~1").text
    listed = shell.done("agents", "list", "--json").json[0]
    compiled = shell.done("dir", "compile", repo.folder).text
    assert (listed["memory_version"], listed["memory_characters"]) == (2, len(compiled))
    refused = shell("memory", "save", "scout", "-", "--force", given=b"x")
    assert (refused.code, "edit a file with 'studio dir edit scout PATH'" in refused.err) == (3, True)
    shell.done("dir", "unlink", "scout")
    assert shell.done("memory", "show", "scout").text == "before\n"
    again = shell("dir", "unlink", "scout", "--json")
    assert (again.code, again.error["kind"]) == (3, "not_found")


def test_headroom_over_time_of_a_repository_and_of_an_agent(shell: Shell, repo: RepositoryBuilder) -> None:
    repo.save(".memfs.config.json", '{"version": 1, "maxFileCharacters": 100, "maxCoreMemoryCharacters": 200}', "limit")
    repo.save("human.md", HUMAN + "x" * 20, "grow")
    repo.save("notes.txt", "no memory", "aside")
    listed = shell.done("dir", "headroom", repo.folder, "--json", STUDIO_DB="/nowhere/at/all.duckdb").json
    used = [[(one["limit_of"], one["path"], one["used"], one["limit"]) for one in row["gauges"]] for row in listed]
    first, grown = len(HUMAN), len(HUMAN) + 20
    assert used == [
        [("core", ".", grown + 8, 200), ("file", "human.md", grown, 100), ("depth", "MEMORY.md", 0, 2)],
        [("core", ".", first + 8, 200), ("file", "human.md", first, 100), ("depth", "MEMORY.md", 0, 2)],
        [("core", ".", first + 8, 65_536), ("file", "human.md", first, 20_000), ("depth", "MEMORY.md", 0, 2)],
        [("core", ".", 8, 65_536), ("file", "MEMORY.md", 8, 20_000), ("depth", "MEMORY.md", 0, 2)],
    ]
    shell.done("dir", "link", repo.folder, "--agent", "scout")
    assert shell.done("dir", "headroom", "scout", "--json").json == listed
    table = shell("dir", "headroom", "scout", "--limit", 1)
    assert table.code == 0
    assert f"{grown} of 100 ({grown}%)  human.md" in table.text
    assert table.err == "1 of 4 commits.\n"


def test_an_edit_commits_and_says_so(shell: Shell, repo: RepositoryBuilder) -> None:
    shell.done("dir", "link", repo.folder, "--agent", "scout")
    sha = hashlib.sha256(HUMAN.encode()).hexdigest()
    words = ("dir", "edit", "scout", "human.md", "-", "--message", "Sharpen how to answer", "--expect", sha)
    done = shell.done(*words, "--json", given=BRIEFER.encode()).json
    assert (done["changed"], done["version"], done["commit"]) == (True, 3, repo.line("rev-parse", "HEAD"))
    assert repo.line("log", "-1", "--format=%an %s") == "Ana Sharpen how to answer"
    stale = shell(*words, "--json", given=HUMAN.encode() + b"x")
    assert (stale.code, stale.error["kind"]) == (3, "stale")
    refused = shell(*words[:5], "--message", "Break it", "--force", "--json", given=b"no header")
    assert (refused.code, refused.error["kind"]) == (3, "refused")
    assert "has no header" in refused.error["message"]
    shell.done("dir", "edit", "scout", "human.md", "--delete", "--message", "Not needed", "--force")
    assert not (repo.folder / "human.md").exists()


@pytest.mark.parametrize("variable", ["STUDIO_MEMORY_CONFIG_APPROVED", "LETTA_MEMORY_CONSTRAINTS_UPDATE"])
def test_a_person_approves_an_edit_of_the_config_by_either_name(
    shell: Shell, repo: RepositoryBuilder, variable: str
) -> None:
    """Decision 33."""
    shell.done("dir", "link", repo.folder, "--agent", "scout")
    words = ("dir", "edit", "scout", ".memfs.config.json", "-", "--message", "Go deeper", "--force")
    shell.environment[variable] = "yes"
    assert "a person has to approve" in shell(*words, given=b'{"version": 1}').err
    shell.environment[variable] = "1"
    shell.done(*words, given=b'{"version": 1}')


def test_rewritten_history_is_said_beside_the_list(shell: Shell, repo: RepositoryBuilder) -> None:
    shell.done("dir", "link", repo.folder, "--agent", "scout")
    before = repo.line("rev-parse", "--short=10", "HEAD")
    repo.git("reset", "--quiet", "--hard", "HEAD~1")
    told = shell("dir", "history", "scout")
    assert told.code == 0
    assert f"History was rewritten (2026-09-13 09:00 UTC): {before} was HEAD before. Numbers start anew." in told.err


def test_audit_names_what_went_round_the_hook(shell: Shell, repo: RepositoryBuilder) -> None:
    clean = shell("dir", "audit", repo.folder)
    assert (clean.code, clean.text, clean.err) == (0, "", "2 commits judged: all clean.\n")
    bad = repo.save("bad.md", "no header\n", "round it")
    found = shell("dir", "audit", repo.folder)
    assert found.code == 1
    assert found.text.splitlines()[0].startswith(f"{bad[:10]} 2023-11-14 22:15 UTC operator Ana: round it")
    assert "  fm_missing: bad.md: the file has no header" in found.text
    told = shell("dir", "audit", repo.folder, "HEAD~1..HEAD", "--json").json
    assert (told["ok"], told["commits"], told["first"][0]["commit"], told["first"][0]["kind"]) == (
        False,
        1,
        bad,
        "fm_missing",
    )
    sarif = shell("dir", "audit", repo.folder, "--sarif").json
    assert sarif["runs"][0]["results"][0]["message"]["text"].endswith(f"(commit {bad[:10]})")


def test_an_agents_directory_is_audited_by_its_name(shell: Shell, repo: RepositoryBuilder) -> None:
    repo.save("bad.md", "no header\n", "round it")
    shell.done("dir", "link", repo.folder, "--agent", "scout", "--agent-author", "Ana")
    told = shell("dir", "audit", "scout", "--json")
    assert (told.code, told.json["commits"]) == (1, 3)
    assert told.json["round_the_hook"][0]["author"]["kind"] == "agent"
    assert shell("dir", "audit", "scout", "HEAD..HEAD").code == 0
    refused = shell("dir", "audit", "scout", "--agent-author", "Ben")
    assert (refused.code, "that of its link" in refused.err) == (2, True)
    assert shell("dir", "audit", "nobody").code == 2


def test_what_makes_the_exit_code_is_in_the_sarif_log(shell: Shell, repo: RepositoryBuilder) -> None:
    """A commit that only leaves older findings is refused by the hook too, and is a note (decision 34)."""
    repo.save("bad.md", "no header\n", "older")
    carries = repo.save("human.md", BRIEFER + "More.\n", "leaves it")
    told = shell("dir", "audit", repo.folder, "HEAD^..HEAD", "--sarif")
    (result,) = told.json["runs"][0]["results"]
    assert (told.code, result["level"], result["ruleId"]) == (1, "note", "carried")
    assert result["message"]["text"].startswith(f"Commit {carries[:10]} leaves 1 finding of before")
    both = shell("dir", "audit", repo.folder, "--sarif").json["runs"][0]
    assert [(one["ruleId"], one["level"]) for one in both["results"]] == [("fm_missing", "error"), ("carried", "note")]
    assert all(rule["shortDescription"]["text"] for rule in both["tool"]["driver"]["rules"])


@pytest.mark.parametrize("revisions", ["^HEAD", "HEAD^{tree}", "HEAD:human.md"])
def test_a_range_without_a_commit_to_judge_is_not_clean(shell: Shell, repo: RepositoryBuilder, revisions: str) -> None:
    told = shell("dir", "audit", repo.folder, revisions)
    assert (told.code, told.out, "name a range as in HEAD~20..HEAD" in told.err) == (2, b"", True)
    none = shell("dir", "audit", repo.folder, "HEAD..HEAD")
    assert (none.code, none.err) == (0, "0 commits judged: all clean.\n")


def test_an_audit_of_a_shallow_copy_says_what_it_cannot_know(shell: Shell, repo: RepositoryBuilder) -> None:
    copy = shell.folder / "shallow"
    repo.git("clone", "--quiet", "--depth=1", f"file://{repo.folder}", str(copy))
    told = shell("dir", "audit", copy)
    assert "shallow copy" in told.err
    assert shell("dir", "audit", copy, "--json").json["cut_off"]
    assert "shallow copy" not in shell("dir", "audit", repo.folder).err


@pytest.mark.parametrize("words", [("nowhere",), (".", "nowhere..HEAD"), (".", "--json")])
def test_an_audit_that_could_not_run_ends_with_2(shell: Shell, tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "plain").mkdir()
    at = [tmp_path / "plain" if word == "." else word for word in words]
    result = shell("dir", "audit", *at)
    assert (result.code, result.out) == (2, b"")
    assert len(result.err.splitlines()) == 1


def test_the_old_layout_says_what_it_is_and_migrates(
    shell: Shell, shared: Path, tmp_path: Path, repo: RepositoryBuilder
) -> None:
    old = RepositoryBuilder(tmp_path / "old")
    shutil.copytree(shared / "formats/memfs-legacy", old.folder, dirs_exist_ok=True)
    old.commit("old")
    for verb in ("check", "audit", "lint", "compile"):
        told = shell("dir", verb, old.folder)
        assert "studio dir migrate" in told.text + told.err, verb
    plan = shell("dir", "migrate", old.folder)
    assert plan.code == 0
    assert "move   system/persona.md → persona.md" in plan.text
    assert "make   MEMORY.md" in plan.text
    assert "--apply does it" in plan.err
    assert len(old.lines("rev-list", "HEAD")) == 1
    done = shell("dir", "migrate", old.folder, "--apply", "--json").json
    assert done["commit"] == old.line("rev-parse", "HEAD")
    assert old.line("log", "-1", "--format=%an") == "Ana"
    assert shell("dir", "check", old.folder).code == 0
    again = shell("dir", "migrate", old.folder, "--apply")
    assert (again.code, "today's layout" in again.err) == (3, True)
    assert shell("dir", "migrate", repo.folder).code == 1


def test_an_agent_begins_with_a_directory_that_passes_its_own_checks(
    shell: Shell, tmp_path: Path, repo: RepositoryBuilder
) -> None:
    folder = tmp_path / "begun"
    made = shell.done("agents", "create", "keeper", "--directory", folder, "--json").json
    assert made["layout"] == "directory"
    assert shell("dir", "check", folder).code == 0
    assert shell("dir", "lint", folder).code == 0
    assert shell.done("memory", "show", "keeper").text == shell.done("dir", "compile", folder).text
    shell.done("agents", "create", "other", "--directory", repo.folder)
    assert len(repo.lines("rev-list", "HEAD")) == 2
    third = tmp_path / "third"
    assert shell("dir", "init", third, "--agent", "nobody").code == 3
    assert not third.exists()
    assert shell("dir", "init", third, "--agent", "scout").code == 0
    assert shell.done("memory", "list", "scout", "--json").json[0]["live"] is True
    subprocess.run(["git", "-C", str(third), "fsck", "--strict"], check=True, capture_output=True)
