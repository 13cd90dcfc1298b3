"""`studio import … --dry-run`: the authors with kind, evidence and counts, before anything is written."""

import json
import sys
from pathlib import Path

import pytest
from cli_shell import Shell

sys.path.append(str(Path(__file__).parents[1] / "imports"))
from repository_builder import RepositoryBuilder


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    made = RepositoryBuilder(tmp_path / "repo")
    made.save("a.md", "1\n")
    made.save("a.md", "2\n", "x\n\nCo-authored-by: Claude <noreply@anthropic.com>\n")
    for number in (3, 4):
        made.write("a.md", f"{number}\n")
        made.commit(author="Bob <agent-4140c4b5-0000-4000-8000-000000000000@letta.com>")
    return made.folder


def test_the_authors_are_listed_and_nothing_is_written(tmp_path: Path, repository: Path) -> None:
    """agents-01."""
    shell = Shell(tmp_path)
    told = shell("import", "git", repository, "--path", "a.md", "--dry-run")
    assert (told.code, told.err) == (0, "4 versions; nothing was written.\n")
    assert told.text == (
        "AUTHOR        VERSIONS  EVIDENCE\n"
        "agent Bob     2         author-address\n"
        "operator Ana  1         nothing speaks for an agent\n"
        "operator Ana  1         trailer: Co-authored-by: Claude\n"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["repo"]


def test_in_json_each_author_stands_once_with_the_reasons(tmp_path: Path, repository: Path) -> None:
    found = Shell(tmp_path).done("import", "git", repository, "--path", "a.md", "--dry-run", "--json").json
    assert (found["versions"], found["warnings"]) == (4, [])
    assert found["authors"][1] == {
        "kind": "operator",
        "name": "Ana",
        "key": "operator:Ana",
        "versions": 2,
        "reasons": [
            {"evidence": None, "via": None, "versions": 1},
            {"evidence": "trailer: Co-authored-by: Claude", "via": "Claude", "versions": 1},
        ],
    }


def test_a_rule_is_tried_before_it_is_stored(tmp_path: Path, repository: Path) -> None:
    shell = Shell(tmp_path)
    words = (
        "import",
        "git",
        repository,
        "--path",
        "a.md",
        "--agent",
        "me",
        "--agent-author",
        "*",
        "--person-author",
        "Ana",
    )
    tried = shell.done(*words, "--dry-run", "--json").json["authors"]
    assert [(one["key"], one["reasons"][0]["evidence"]) for one in tried] == [
        ("agent:Bob", "rule: *"),
        ("operator:Ana", "rule: !Ana"),
    ]
    shell.done(*words)
    again = shell.done(*words[:7], "--dry-run", "--json").json["authors"]
    assert again == tried  # by the rule that the agent keeps
    listed = shell.done("memory", "list", "me", "--author", "operator:Ana", "--json").json
    assert [one["version"] for one in listed] == [2, 1]


def test_a_history_of_json_lines_is_previewed_too(tmp_path: Path) -> None:
    line = {"n": 1, "path": "a.md", "commit": "c1", "author": "Ana", "kind": "human", "time": "2026-09-13T09:00:00Z"}
    file = tmp_path / "history.jsonl"
    file.write_text(json.dumps(line | {"status": "A", "text": "x"}))
    shell = Shell(tmp_path)
    found = shell.done("import", "history", file, "--dry-run", "--json").json
    assert [(one["key"], one["versions"]) for one in found["authors"]] == [("operator:Ana", 1)]


def test_an_import_needs_an_agent(tmp_path: Path, repository: Path) -> None:
    told = Shell(tmp_path)("import", "git", repository, "--path", "a.md")
    assert told.code == 2
    assert "--agent" in told.err


def test_a_later_mailmap_names_the_versions_anew(tmp_path: Path, repository: Path) -> None:
    shell = Shell(tmp_path)
    words = ("import", "git", repository, "--path", "a.md", "--agent", "me")
    shell.done(*words)
    (repository / ".mailmap").write_text("Ana Lind <ana@example.org>\n")
    again = shell(*words)
    assert (again.code, "Authors are named anew: 2 versions have another author now." in again.err) == (0, True)
    listed = shell.done("memory", "list", "me", "--author", "operator:Ana Lind", "--json").json
    assert [one["version"] for one in listed] == [2, 1]
    assert shell(*words).err == ""
