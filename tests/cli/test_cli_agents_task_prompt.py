"""`studio agents`, `studio task` and `studio prompt`."""

import hashlib
from pathlib import Path

import pytest
from builders import blank_file
from cli_shell import NOW, Shell

# --- agents -------------------------------------------------------------------------------------------------------------


def test_create_with_every_option(shell: Shell) -> None:
    words = ("--focus", "Count.", "--guild", "Harbour", "--no-memory", "--no-memory-write", "--max-tool-calls", "7")
    made = shell.done("agents", "create", "teller", *words, "--json").json
    assert made["id"].startswith("a_")
    assert (made["name"], made["focus"], made["guild"]["name"]) == ("teller", "Count.", "Harbour")
    assert made["config"] == {"memory": False, "memory_write": False, "max_tool_calls": 7}
    assert (made["retention"], made["created_at"], made["source"]) == (50, NOW, None)
    assert (made["memory_version"], made["task_version"], made["has_draft"]) == (1, 1, False)
    assert shell.done("task", "show", "teller").text == "Count."


def test_create_without_a_focus_takes_the_task_of_the_templates(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "task.md").write_bytes(b"Do it.\r\n")
    shell.done("agents", "create", "plain", "--prompts", tmp_path)
    assert shell.done("task", "show", "plain").out == b"Do it.\r\n"


def test_set_changes_what_is_named_and_leaves_the_rest(shell: Shell) -> None:
    (before,) = shell.done("agents", "list", "--json").json
    shell.done("agents", "set", "scout", "--memory-write", "off", "--retention", "all", "--max-tool-calls", "3")
    changed = shell.done("agents", "set", "scout", "--name", "lookout", "--json").json
    assert changed == before | {
        "name": "lookout",
        "retention": None,
        "config": {"memory": True, "memory_write": False, "max_tool_calls": 3},
    }
    again = shell.done("agents", "set", "lookout", "--memory-write", "on", "--retention", "2", "--json").json
    assert (again["config"]["memory_write"], again["retention"]) == (True, 2)


def test_retention_prunes_and_numbers_stay_decision_11(shell: Shell) -> None:
    shell.done("agents", "set", "scout", "--retention", "2")
    for text in (b"a", b"b", b"c", b"d"):
        shell.done("memory", "save", "scout", given=text)
    assert [one["version"] for one in shell.done("memory", "list", "scout", "--json").json] == [5, 4, 3]


def test_an_agent_is_named_by_its_id_or_its_unique_name(shell: Shell) -> None:
    made = shell.done("agents", "create", "twin", "--json").json
    assert (
        shell.done("agents", "show", made["id"], "--json").json == shell.done("agents", "show", "twin", "--json").json
    )
    shell.done("agents", "create", "twin")
    result = shell("agents", "show", "twin", "--json")
    assert (result.code, result.error["kind"]) == (3, "refused")
    assert made["id"] in result.error["message"]


def test_list_as_a_table_and_searched(shell: Shell) -> None:
    shell.done("agents", "create", "teller", "--guild", "Harbour", "--no-memory")
    rows = [line.split() for line in shell.done("agents", "list", "--search", "harbour").text.splitlines()]
    assert rows[0] == ["NAME", "ID", "GUILD", "MEMORY", "CHARACTERS", "TASK"]
    assert [row[0] for row in rows[1:]] == ["teller"]
    assert rows[1][-2:] == ["memory", "off"]
    assert len(shell.done("agents", "list", "--json").json) == 2


def test_an_empty_store_says_how_it_gets_its_first_agent(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    result = shell("agents", "list", "--db", blank_file(tmp_path))
    assert (result.code, result.out) == (0, b"")
    assert "studio agents create" in result.err


# --- task ---------------------------------------------------------------------------------------------------------------


def test_a_draft_is_kept_reviewed_published_and_listed_with_its_note(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "task.md"
    file.write_bytes(b"Watch the harbour.\r\n")
    assert "starts from version 1" in shell.done("task", "draft", "scout", file).text
    assert shell.done("task", "show", "scout").text == "Watch."
    assert shell.done("task", "show", "scout", "--draft").out == b"Watch the harbour.\r\n"
    assert shell.done("agents", "show", "scout", "--json").json["has_draft"]

    review = shell("task", "review", "scout")
    assert review.out == (
        b"diff --git a/task.md b/task.md\n--- a/task.md\n+++ b/task.md\n@@ -1 +1 @@\n"
        b"-Watch.\n\\ No newline at end of file\n+Watch the harbour.\r\n"
    )
    assert review.err == "Publishing makes version 2: +1 −1 lines.\n"

    published = shell.done("task", "publish", "scout", "--note", "Name the place.", "--json").json
    assert published == {
        "version": 2,
        "changed": True,
        "sha256": hashlib.sha256(b"Watch the harbour.\r\n").hexdigest(),
    }
    newest, first = shell.done("task", "list", "scout", "--json").json
    assert (newest["version"], newest["note"], newest["author"]["name"], newest["live"]) == (
        2,
        "Name the place.",
        "Ana",
        True,
    )
    assert (first["version"], first["note"]) == (1, None)
    assert "Name the place." in shell.done("task", "list", "scout").text
    assert shell.done("task", "show", "scout", "--version", "1").text == "Watch."


def test_review_as_json(shell: Shell) -> None:
    shell.done("task", "draft", "scout", given=b"Watch.\nReport.")
    review = shell.done("task", "review", "scout", "--json").json
    wanted = {"next_version": 2, "changed": True, "stale": False, "added": 2, "removed": 1, "live_version": 1}
    assert {key: review[key] for key in wanted} == wanted
    assert review["draft"]["based_on"] == 1
    assert review["blocks"][0]["added"] == ["Watch.\n", "Report."]


def test_publishing_an_unchanged_task_does_nothing_and_says_so_decision_30(shell: Shell) -> None:
    shell.done("task", "draft", "scout", given=b"Watch.")
    review = shell("task", "review", "scout")
    assert (review.out, review.err) == (b"", "Publishing changes nothing: version 1 holds this text.\n")
    assert shell.done("task", "publish", "scout").text == "Nothing changed; version 1 stays live.\n"
    assert len(shell.done("task", "list", "scout", "--json").json) == 1


def test_publishing_over_a_newer_task_is_refused_and_the_draft_kept_decision_30(shell: Shell) -> None:
    shell.done("task", "draft", "scout", given=b"First.")
    shell.done("task", "publish", "scout")
    shell.done("task", "draft", "scout", given=b"Mine.")
    shell.done("task", "restore", "scout", "1")
    review = shell("task", "review", "scout")
    assert (
        "Publishing is refused: the draft starts from version 2, and version 3 by operator Ana is live now"
        in review.err
    )
    result = shell("task", "publish", "scout", "--json")
    assert (result.code, result.error["kind"]) == (3, "stale")
    assert shell.done("task", "show", "scout", "--draft").out == b"Mine."
    assert shell.done("task", "publish", "scout", "--force").text == "Published as version 4.\n"
    assert shell.done("task", "show", "scout").out == b"Mine."


def test_a_draft_can_say_what_it_starts_from(shell: Shell) -> None:
    shell.done("task", "draft", "scout", given=b"First.")
    shell.done("task", "publish", "scout")
    assert shell.done("task", "draft", "scout", "--based-on", "1", "--json", given=b"x").json["based_on"] == 1


def test_a_draft_is_dropped(shell: Shell) -> None:
    shell.done("task", "draft", "scout", given=b"x")
    assert shell.done("task", "discard", "scout").text == "Draft dropped.\n"
    for verb in ("review", "publish", "discard"):
        result = shell("task", verb, "scout", "--json")
        assert (result.code, result.error["kind"]) == (3, "not_found")


def test_diff_of_two_versions(shell: Shell) -> None:
    shell.done("task", "draft", "scout", given=b"Watch.\n")
    shell.done("task", "publish", "scout")
    assert shell.done("task", "diff", "scout", "1", "2").text.startswith("diff --git a/task.md b/task.md\n")
    assert shell.done("task", "diff", "scout", "1", "2", "--json").json["change"]["format"] == "final newline"


# --- prompt -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["direct", "group", "schedule"])
def test_preview_writes_the_text_and_nothing_else(shell: Shell, kind: str) -> None:
    shell.done("memory", "save", "scout", given="Remember ü.\n".encode())
    shown = shell.done("prompt", "preview", "scout", "--kind", kind)
    record = shell.done("prompt", "preview", "scout", "--kind", kind, "--json").json
    assert shown.out == record["text"].encode()
    assert shown.text.endswith("Remember ü.\n\n</memory>")
    assert '"utc_now": "2026-09-13T09:00:12Z"' in shown.text


def test_preview_as_json_says_where_sections_stand_and_what_they_are_made_of(shell: Shell) -> None:
    shell.done("memory", "save", "scout", given=b"x </memory> y")
    record = shell.done("prompt", "preview", "scout", "--json").json
    assert list(record) == ["text", "sections", "embeds", "neutralised", "tools", "warnings", "composed_from"]
    assert [section["name"] for section in record["sections"]] == ["guidelines", "task", "state", "memory"]
    for section in record["sections"]:
        part = record["text"][section["start"] : section["end"]]
        assert part.startswith(f"<{section['name']}>")
        assert part.endswith(f"</{section['name']}>")
        assert section["characters"] == len(part)
    assert record["neutralised"] == [{"source": "Memory", "start": 2, "tag": "</memory>"}]
    assert (record["embeds"], record["tools"][:2], record["warnings"]) == ([], ["memory_write", "note_find"], [])
    made_of = record["composed_from"]
    assert (made_of["task_version"], made_of["memory_version"]) == (1, 2)
    assert made_of["memory_sha256"] == hashlib.sha256(b"x </memory> y").hexdigest()


def test_preview_with_memory_off_has_no_section_and_no_tool_decision_9(shell: Shell) -> None:
    shell.done("agents", "set", "scout", "--memory", "off")
    record = shell.done("prompt", "preview", "scout", "--json").json
    assert [section["name"] for section in record["sections"]] == ["guidelines", "task", "state"]
    assert "memory_write" not in record["tools"]
    assert record["composed_from"]["memory_version"] is None


def test_a_missing_template_is_said_and_needs_no_restart(shell: Shell, tmp_path: Path) -> None:
    result = shell("prompt", "preview", "scout", "--prompts", tmp_path / "none", "--json")
    assert (result.code, result.error["kind"]) == (3, "not_found")
    assert "system.md is missing" in result.error["message"]
