"""`studio import`: real histories as their files say, a real repository as git says, and a second import that adds nothing."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from builders import open_store, stands_for
from cli_shell import Shell

sys.path.append(str(Path(__file__).parents[1] / "imports"))
from repository_builder import RepositoryBuilder

HISTORIES = sorted((Path(__file__).parents[2] / "../shared/histories").glob("*.jsonl"))
STATUS_OF_LETTER = {"A": "added", "M": "modified", "T": "modified", "R": "renamed", "C": "added", "D": "deleted"}
FEW = 3
"""How many versions of a history are shown by a command of their own; all of them are read from the store."""


def rows_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_bytes().decode().split("\n") if line]


def expected_author(row: dict[str, Any]) -> tuple[str, str, str | None]:
    """Kind, name and evidence (decision 3); `via` is told by the next test."""
    kind = "agent" if row["kind"] == "agent" else "operator"
    evidence = None if row["kind_evidence"] == "none" else row["kind_evidence"]
    return kind, row["author"], evidence


def content_of(row: dict[str, Any]) -> bytes:
    """What is handed out as the text: of a stand-in, nothing (decision 41)."""
    return b"" if stands_for(row) is not None else (row["text"] or "").encode()


@pytest.mark.skipif(not HISTORIES, reason="../shared/histories is not here")
def test_there_are_histories() -> None:
    assert len(HISTORIES) == 11


@pytest.mark.parametrize("file", HISTORIES, ids=lambda file: file.stem)
def test_a_real_history_is_listed_and_shown_as_its_file_says(file: Path, tmp_path: Path) -> None:
    shell, rows = Shell(tmp_path), rows_of(file)
    imported = shell.done("import", "history", file, "--agent", "them", "--json").json
    assert list(imported) == ["agent", "versions", "added", "skipped", "warnings"]
    assert {**imported, "agent": ...} == {
        "agent": ...,
        "versions": len(rows),
        "added": len(rows),
        "skipped": 0,
        "warnings": [],
    }
    listed = list(reversed(shell.done("memory", "list", imported["agent"], "--json").json))
    assert [record["version"] for record in listed] == [row["n"] for row in rows] == list(range(1, len(rows) + 1))
    for row, record in zip(rows, listed, strict=True):
        status = "stand-in" if stands_for(row) is not None else STATUS_OF_LETTER[row["status"][0]]
        assert (record["status"], record["live"]) == (status, row is rows[-1]), row["n"]
        author = record["author"]
        assert (author["kind"], author["name"], author["evidence"]) == expected_author(row), row["n"]
        assert (author["via"] is not None) == (row["kind"] == "human+agent"), row["n"]
        at = datetime.fromisoformat(row["time"]).astimezone(UTC)
        assert record["at"] == f"{at:%Y-%m-%dT%H:%M:%SZ}"
        if status == "stand-in":
            assert (record["added"], record["removed"], record["characters"]) == (0, 0, 0)
            kind = "link" if row["mode"] == "120000" else "mention"
            assert record["stand_in"] == {"kind": kind, "stands_for": stands_for(row), "bytes": None}
            continue
        if row["n"] == 1 or stands_for(rows[row["n"] - 2]) is None:  # else it counts against an earlier text
            counted = row.get("vs_previous_version_minimal") or row["git_log_numstat"]
            assert (record["added"], record["removed"]) == (counted["added"], counted["removed"]), row["n"]
        assert record["characters"] == len(row["text"] or "")

    again = shell.done("import", "history", file, "--agent", "them", "--json").json
    assert (again["agent"], again["added"], again["skipped"]) == (imported["agent"], 0, len(rows))
    assert list(reversed(shell.done("memory", "list", "them", "--json").json)) == listed


@pytest.mark.parametrize("file", HISTORIES, ids=lambda file: file.stem)
def test_every_version_of_a_real_history_is_kept_byte_for_byte(file: Path, tmp_path: Path) -> None:
    shell, rows = Shell(tmp_path), rows_of(file)
    shell.done("import", "history", file, "--agent", "them")
    with open_store(shell.store) as studio:
        for row in rows:
            assert studio.get_memory_version("them", row["n"]).body.content == content_of(row), row["n"]
    for row in [*rows[:: max(1, len(rows) // FEW)], rows[-1]]:
        shown = shell("memory", "show", "them", "--version", row["n"])
        assert (shown.code, shown.out) == (0, content_of(row)), row["n"]
        assert ("its text is not here" in shown.err) == (stands_for(row) is not None)


# --- what a person reads ------------------------------------------------------------------------------------------------


def a_line(number: int, **fields: Any) -> dict[str, Any]:
    made = {
        "n": number,
        "path": "memory.md",
        "commit": f"{number:040x}",
        "author": "bot-7",
        "kind": "human",
        "time": f"2026-03-0{number}T10:00:00+02:00",
        "status": "A" if number == 1 else "M",
        "text": f"text {number}\n",
    }
    return {**made, **fields}


def write_lines(file: Path, *lines: dict[str, Any]) -> Path:
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def test_an_import_says_what_it_did_and_goes_on_where_it_ended(shell: Shell, tmp_path: Path) -> None:
    file = write_lines(tmp_path / "h.jsonl", a_line(1))
    said = shell.done("import", "history", file, "--agent", "them").text
    agent = shell.done("agents", "show", "them", "--json").json
    assert said == f"Imported 1 version into them ({agent['id']}); 1 new.\n"
    assert (agent["retention"], agent["source"]["label"]) == (None, str(file))
    write_lines(file, a_line(1), a_line(2), a_line(3))
    assert shell.done("import", "history", file, "--agent", "them").text.endswith("; 2 new.\n")
    assert shell.done("import", "history", file, "--agent", "them").text.endswith("; nothing new.\n")


def test_the_author_rule_is_the_operators_and_can_change_decision_3(shell: Shell, tmp_path: Path) -> None:
    file = write_lines(tmp_path / "h.jsonl", a_line(1), a_line(2, author="Ana"))
    shell.done("import", "history", file, "--agent", "them")
    result = shell("import", "history", file, "--agent", "them", "--agent-author", "bot-*", "--agent-author", "x")
    assert result.text.endswith("; nothing new.\n")
    assert result.err == "The author rule changed: 1 version has another author now.\n"
    newest, oldest = shell.done("memory", "list", "them", "--json").json
    assert oldest["author"] == {
        "kind": "agent",
        "name": "bot-7",
        "via": None,
        "evidence": "recorded as operator bot-7; rule: bot-*",
    }
    assert newest["author"]["kind"] == "operator"
    assert shell.done("memory", "list", "them", "--author", "agent:bot-7", "--json").json == [oldest]


def test_a_text_written_here_is_never_imported_over(shell: Shell, tmp_path: Path) -> None:
    file = write_lines(tmp_path / "h.jsonl", a_line(1))
    shell.done("import", "history", file, "--agent", "them")
    shell.done("memory", "save", "them", given=b"mine\n")
    write_lines(file, a_line(1), a_line(2))
    result = shell("import", "history", file, "--agent", "them", "--json")
    assert (result.code, result.error["kind"]) == (3, "refused")
    assert shell.done("memory", "show", "them").out == b"mine\n"


# --- a real repository --------------------------------------------------------------------------------------------------


@pytest.fixture
def repository(tmp_path: Path) -> RepositoryBuilder:
    """Edits by people and an agent, a rename, CRLF, a binary version, a deletion and a re-creation."""
    made = RepositoryBuilder(tmp_path / "repository")
    lines = [f"line {number}\n" for number in range(1, 30)]
    made.save("CLAUDE.md", "".join(lines), "first")
    lines[3:5] = ["changed\n", "and more\n", "🪸\n"]
    made.save("CLAUDE.md", "".join(lines), "edit\n\nCo-Authored-By: Claude <noreply@anthropic.com>\n")
    made.write("CLAUDE.md", "".join(line.replace("\n", "\r\n") for line in lines))
    made.commit("windows", author="renovate[bot] <bot@example.org>")
    made.write("CLAUDE.md", b"\xff\xfe no text\n")
    made.commit("binary")
    made.save("CLAUDE.md", "".join(lines[:20]), "back")
    made.git("rm", "--quiet", "CLAUDE.md")
    made.commit("gone")
    made.save("CLAUDE.md", "anew\nwithout end", "again")
    return made


def git_counts(made: RepositoryBuilder, path: str) -> list[tuple[str, int, int]]:
    """What git says of every commit of a file, newest first: commit, added and removed lines."""
    log = made.lines("log", "--topo-order", "--minimal", "--numstat", "--text", "--format=%H", "--", path)
    shas = [line for line in log if line and "\t" not in line]
    counts = [line.split("\t")[:2] for line in log if "\t" in line]
    return [(sha, int(added), int(removed)) for sha, (added, removed) in zip(shas, counts, strict=True)]


def test_a_repository_is_listed_as_git_counts_it_decision_15(shell: Shell, repository: RepositoryBuilder) -> None:
    words = ("import", "git", repository.folder, "--path", "CLAUDE.md", "--agent", "claude", "--json")
    imported = shell.done(*words).json
    assert (imported["versions"], imported["added"], imported["skipped"]) == (7, 7, 0)
    listed = shell.done("memory", "list", "claude", "--json").json
    counted = git_counts(repository, "CLAUDE.md")
    assert len(listed) == len(counted)
    for record, (sha, added, removed) in zip(listed[1:], counted[1:], strict=True):
        assert (record["added"], record["removed"]) == (added, removed), sha
    # git counts a re-created file against nothing; our list counts it against the last text (decision 16).
    assert (listed[0]["added"], listed[0]["removed"]) == (2, 20)
    assert [record["status"] for record in reversed(listed)] == [
        "added", "modified", "modified", "modified", "modified", "deleted", "added",
    ]  # fmt: skip
    authors = [record["author"] for record in reversed(listed)]
    assert authors[1] == {
        "kind": "operator",
        "name": "Ana",
        "via": "Claude",
        "evidence": "trailer: Co-Authored-By: Claude",
    }
    assert (authors[2]["kind"], authors[2]["name"]) == ("agent", "renovate[bot]")
    for record, (sha, *_) in zip(listed, counted, strict=True):
        if record["status"] != "deleted":
            shown = shell.done("memory", "show", "claude", "--version", record["version"]).out
            assert shown == repository.git("show", f"{sha}:CLAUDE.md")
    assert shell.done(*words).json["added"] == 0


def test_a_version_that_is_no_text_is_shown_as_bytes_and_has_no_patch_decision_5(
    shell: Shell, repository: RepositoryBuilder
) -> None:
    shell.done("import", "git", repository.folder, "--path", "CLAUDE.md", "--agent", "claude")
    assert shell.done("memory", "show", "claude", "--version", "4").out == b"\xff\xfe no text\n"
    record = shell.done("memory", "show", "claude", "--version", "4", "--json").json
    assert (record["text"], record["binary"]) == ("\\xff\\xfe no text\n", "not UTF-8, read as latin-1")
    differ = b"Binary files a/memory.md and b/memory.md differ\n"
    assert shell.done("memory", "diff", "claude", "3", "4").out == differ
    assert shell.done("memory", "diff", "claude", "4", "4").out == b""
    assert "binary" in shell.done("memory", "diff", "claude", "3", "4", "--json").json["change"]
    refused = shell("memory", "restore", "claude", "4", "--json")
    assert (refused.code, refused.error["kind"]) == (3, "refused")


def test_a_deleted_version_reads_as_empty_at_both_ends_of_a_patch(shell: Shell, repository: RepositoryBuilder) -> None:
    shell.done("import", "git", repository.folder, "--path", "CLAUDE.md", "--agent", "claude")
    assert shell.done("memory", "show", "claude", "--version", "6").out == b""
    patch = shell.done("memory", "diff", "claude", "6", "7").out
    assert patch == (
        b"diff --git a/memory.md b/memory.md\n--- a/memory.md\n+++ b/memory.md\n"
        b"@@ -0,0 +1,2 @@\n+anew\n+without end\n\\ No newline at end of file\n"
    )


def test_new_commits_are_added_and_a_rename_is_followed(shell: Shell, repository: RepositoryBuilder) -> None:
    shell.done("import", "git", repository.folder, "--path", "CLAUDE.md", "--agent", "claude")
    repository.save("CLAUDE.md", "anew\nwith end\n", "more")
    again = shell.program("import", "git", "repository", "--path", "CLAUDE.md", "--agent", "claude", "--json")
    assert (again.code, again.err) == (0, "")
    assert (again.json["versions"], again.json["added"], again.json["skipped"]) == (8, 1, 7)
    repository.git("mv", "CLAUDE.md", "AGENTS.md")
    repository.commit("move")
    moved = ("import", "git", repository.folder, "--path", "AGENTS.md", "--agent", "moved")
    shell.done(*moved)
    assert shell.done("memory", "list", "moved", "--json").json[0]["status"] == "renamed"


def test_a_clone_without_texts_is_warned_about_beside_the_answer(shell: Shell, repository: RepositoryBuilder) -> None:
    shallow = shell.folder / "shallow"
    subprocess.run(
        ["git", "clone", "--quiet", "--depth=1", f"file://{repository.folder}", shallow],
        check=True,
        capture_output=True,
    )
    result = shell("import", "git", shallow, "--path", "CLAUDE.md", "--agent", "claude")
    assert result.code == 0
    assert "shallow copy" in result.err
    again = shell.done("import", "git", shallow, "--path", "CLAUDE.md", "--agent", "claude", "--json").json
    assert len(again["warnings"]) == 1


def test_importing_again_without_a_rule_keeps_the_rule(shell: Shell, tmp_path: Path) -> None:
    rows = [
        {"n": n, "path": "m.md", "commit": f"{n:040x}", "author": "red", "kind": "human", "kind_evidence": "none",
         "time": f"2026-01-0{n}T00:00:00+00:00", "status": "A" if n == 1 else "M", "mode": "100644", "text": f"{n}\n"}
        for n in (1, 2)
    ]  # fmt: skip
    file = tmp_path / "history.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    shell.done("import", "history", str(file), "--agent", "ruled", "--agent-author", "red")
    again = shell.done("import", "history", str(file), "--agent", "ruled", "--json").json
    assert (again["added"], again["warnings"]) == (0, [])
    assert {one["author"]["kind"] for one in shell.done("memory", "list", "ruled", "--json").json} == {"agent"}


def test_a_deepened_copy_starts_the_numbers_anew_when_told_to_decision_48(
    shell: Shell, repository: RepositoryBuilder
) -> None:
    copy = shell.folder / "copy"
    clone = ["git", "clone", "--quiet", "--depth=3", f"file://{repository.folder}", str(copy)]
    subprocess.run(clone, check=True, env=repository_environment())
    imports = ("import", "git", copy, "--path", "CLAUDE.md", "--agent", "claude")
    first = shell(*imports, "--json")
    oldest = shell.done("memory", "list", "claude", "--json").json[-1]
    assert oldest["author"] == {"kind": "unknown", "name": None, "via": None, "evidence": None}
    subprocess.run(
        ["git", "-C", str(copy), "fetch", "--quiet", "--unshallow"], check=True, env=repository_environment()
    )
    refused = shell(*imports, "--json")
    assert refused.error["kind"] == "refused"
    assert "--replace" in refused.error["message"]
    replaced = shell(*imports, "--replace")
    assert replaced.code == 0
    assert f"start anew: it held {first.json['versions']} versions of this history, and has 7 now." in replaced.err
    assert "the numbers start anew" in shell("memory", "list", "claude").err
    assert "Numbers anew since" in shell.done("agents", "show", "claude").text
    assert shell.done("agents", "show", "claude", "--json").json["source"]["restarted_at"]


def repository_environment() -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
