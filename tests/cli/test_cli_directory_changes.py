"""`studio dir changes|show|restore`, and what `studio dir history` says of changes between its versions."""

import subprocess
from pathlib import Path

import pytest
from cli_shell import Shell
from repository_builder import RepositoryBuilder

DREAMER = "Dreamer[bot] <dreamer@example.org>"


def block(name: str) -> str:
    return f"---\nname: {name}\ndescription: What {name} holds.\n---\nAll about {name}.\n"


@pytest.fixture
def repo(tmp_path: Path) -> RepositoryBuilder:
    """memfs-08: a bot deletes three notes and rewrites a fourth; the root files stay as they are."""
    made = RepositoryBuilder(tmp_path / "memory")
    made.write("MEMORY.md", "# Index\n\n- notes/ — people, rules, tests, shells\n")
    made.write("notes/MEMORY.md", "# Notes\n")
    made.commit("begin")
    for name in ("people", "rules", "tests", "shells"):
        made.write(f"notes/{name}.md", block(name))
    made.commit("take notes", author=DREAMER)
    for name in ("people", "rules", "tests"):
        (made.folder / f"notes/{name}.md").unlink()
    made.write("notes/shells.md", block("shells") + "And \x1b[31mmore.\n")
    made.commit("Consolidate \x1b[31m notes", author=DREAMER)
    return made


def test_the_commits_of_a_dream_are_listed(shell: Shell, repo: RepositoryBuilder) -> None:
    listed = shell.done("dir", "changes", repo.folder, "--json", STUDIO_DB="/nowhere/at/all.duckdb").json
    assert [(one["change"], one["version"], one["new_version"], len(one["files"])) for one in listed] == [
        (3, 1, False, 4),
        (2, 1, False, 4),
        (1, 1, True, 2),
    ]
    newest = listed[0]
    assert newest["author"]["kind"] == "agent"
    assert (newest["author"]["name"], newest["author"]["evidence"]) == ("Dreamer[bot]", "author-name")
    assert newest["files"][0] == {
        "path": "notes/people.md",
        "old_path": None,
        "status": "deleted",
        "part": "deferred",
        "mode": None,
        "added": 0,
        "removed": 5,
    }
    told = shell.done("dir", "changes", repo.folder).text.splitlines()
    assert told[0].endswith("agent Dreamer[bot]: Consolidate \\x1b[31m notes · after version 1")
    assert told[1].split() == ["deleted", "+0", "−5", "notes/people.md"]
    assert told[-3].endswith("operator Ana: begin · version 1")


def test_a_part_of_them_is_selected(shell: Shell, repo: RepositoryBuilder) -> None:
    def numbers(*options: object) -> list[int]:
        return [one["change"] for one in shell.done("dir", "changes", repo.folder, *options, "--json").json]

    assert numbers("--author", "agent") == [3, 2]
    assert numbers("--author", "agent:Dreamer[bot]", "--before", 3) == [2]
    assert numbers("--limit", 1) == [3]
    assert numbers("--path", "notes/people.md") == [2, 1]
    assert numbers("--path", "notes") == [3, 2, 1]
    assert "1 of 3 changes." in shell("dir", "changes", repo.folder, "--limit", 1).err
    assert shell("dir", "changes", repo.folder, "--author", "agent:Nobody").code == 3
    assert shell("dir", "changes", repo.folder, "--path", "nothing/").code == 3
    assert shell("dir", "changes", repo.folder, "--commit", "HEAD", "--limit", 1).code == 3


def test_versions_say_where_changes_lie_between_them(shell: Shell, repo: RepositoryBuilder) -> None:
    repo.save("human.md", block("human"), "say who")
    shell.done("dir", "link", repo.folder, "--agent", "scout")
    for whose in (repo.folder, "scout"):
        listed = shell.done("dir", "history", whose, "--json").json
        assert [(one["version"], one["changes_before"], one["changes_after"]) for one in listed] == [
            (2, 2, 0),
            (1, 0, 2),
        ]
        told = shell("dir", "history", whose)
        assert told.text.splitlines()[2].endswith("then 2 outside the prompt")
        assert f"2 commits changed memory outside of the prompt; 'studio dir changes {whose}'" in told.err
    listed = shell.done("dir", "history", "scout", "--path", "notes/", "--json").json
    assert [(one["version"], one["changes_before"], one["path"]) for one in listed] == [
        (3, None, "notes/"),
        (2, None, "notes/"),
        (1, None, "notes/"),
    ]


def test_a_change_is_a_patch_that_git_takes_back(shell: Shell, repo: RepositoryBuilder) -> None:
    patch = shell.done("dir", "changes", repo.folder, "--commit", "HEAD").out
    subprocess.run(["git", "apply", "-R"], cwd=repo.folder, input=patch, check=True)
    repo.git("add", "--all")
    assert repo.lines("diff", "--cached", "--stat", "HEAD~1") == []
    record = shell.done("dir", "changes", repo.folder, "--commit", "HEAD", "--json").json
    assert [one["change"]["removed"] for one in record["files"]] == [5, 5, 0, 5]


def test_a_deleted_file_is_shown_and_brought_back(shell: Shell, repo: RepositoryBuilder) -> None:
    shell.done("dir", "link", repo.folder, "--agent", "scout")
    for whose in (repo.folder, "scout"):
        shown = shell("dir", "show", whose, "notes/people.md")
        assert shown.code == 0
        assert shown.text == block("people")
        assert "notes/people.md was deleted in" in shown.err
        assert "Dreamer[bot]: Consolidate \\x1b[31m notes." in shown.err
    assert "'studio dir restore scout notes/people.md' brings it back" in shown.err
    record = shell("dir", "show", "scout", "notes/people.md", "--json").json
    assert (record["text"], record["deleted"]["change"]) == (block("people"), 2)
    back = shell.done("dir", "restore", "scout", "notes/people.md", "--json").json
    assert (back["changed"], back["path"]) == (True, "notes/people.md")
    assert repo.line("log", "-1", "--format=%an").startswith("Ana")
    assert shell.done("dir", "show", "scout", "notes/people.md").err == ""
    assert "Nothing changed" in shell.done("dir", "restore", "scout", "notes/people.md").text
    stale = shell("dir", "restore", "scout", "notes/shells.md", "--commit", "HEAD~2", "--json")
    assert (stale.code, stale.error["kind"]) == (3, "stale")
    done = shell.done("dir", "restore", "scout", "notes/shells.md", "--commit", "HEAD~2", "--force", "--message", "why")
    assert done.text.startswith("Committed notes/shells.md")
    assert shell("dir", "show", "scout", "notes/nobody.md", "--json").error["kind"] == "not_found"
