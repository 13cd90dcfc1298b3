"""`studio run`: a whole wake at the shell, offline."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from builders import PROMPTS, START
from cli_shell import Shell

from studio.store.database import open_database

REMINDER = "Memory: this wake has not called memory_write. Call it now."
WRITE = {"tool_calls": [{"name": "memory_write", "arguments": {"content": "The tide turns at six.\n"}}]}


@pytest.fixture
def script(tmp_path: Path) -> Any:
    def write(*generations: Any) -> str:
        file = tmp_path / "script.json"
        file.write_text(json.dumps(generations), encoding="utf-8")
        return f"scripted:{file}"

    return write


def wake(shell: Shell, model: str, *more: object) -> Any:
    words = ("run", "create", "scout", "--kind", "schedule", "--instruction", "check inbox", "--model", model, "--json")
    return shell.done(*words, *more).json


def test_a_whole_wake_with_reminder_and_archive(shell: Shell, script: Any) -> None:
    run = wake(shell, script({"text": "Nothing new."}, WRITE))
    assert (run["kind"], run["status"], run["metadata"]) == ("schedule", "completed", {})
    assert [(row["role"], row["source"]) for row in run["messages"]] == [
        ("system", None),
        ("user", None),
        ("assistant", None),
        ("system", "memory"),
        ("assistant", None),
        ("tool", None),
    ]
    assert [row["index"] for row in run["messages"]] == [0, 1, 2, 3, 4, 5]
    assert run["messages"][3]["content"] == REMINDER
    assert run["messages"][4]["tool_calls"][0]["arguments"] == {"content": "The tide turns at six.\n"}
    assert run["messages"][5]["content"].endswith("\nremaining_tool_calls: 39")
    assert (run["composed_from"]["task_version"], run["composed_from"]["memory_version"]) == (1, 1)
    assert shell.done("memory", "show", "scout").text == "The tide turns at six.\n"
    newest = shell.done("memory", "list", "scout", "--json").json[0]
    assert (newest["version"], newest["author"]["name"], newest["call"]) == (2, run["id"], "c_1")


def test_a_skipped_memory_is_marked_and_no_failure(shell: Shell, script: Any) -> None:
    """one-shot-15: exit code 0, and a mark in list, show and JSON."""
    run = wake(shell, script({"text": "Nothing new."}))
    assert (run["status"], run["metadata"]) == ("completed", {"memory_skipped": True})
    assert "memory skipped" in shell.done("run", "list", "scout").text
    shown = shell.done("run", "show", run["id"]).text
    assert "memory skipped" in shown
    assert f"--- 3 system (memory) ---\n{REMINDER}\n" in shown


def test_without_a_model_a_run_is_open_with_its_opening_rows(shell: Shell) -> None:
    run = shell.done("run", "create", "scout", "--message", "hello", "--json").json
    assert (run["kind"], run["status"], run["finished_at"]) == ("direct", "open", None)
    assert [row["role"] for row in run["messages"]] == ["system", "user"]
    assert shell.done("run", "show", run["id"], "--json").json == run
    listed = shell.done("run", "list", "scout", "--json").json
    assert listed == [{key: value for key, value in run.items() if key != "messages"}]


def test_a_group_run_says_whether_the_agent_was_tagged(shell: Shell) -> None:
    words = ("run", "create", "scout", "--kind", "group", "--message", "ship it?", "--tag", "scout", "--tag", "ben")
    run = shell.done(*words, "--json").json
    info = json.loads(run["messages"][1]["content"].partition("\n")[2])
    assert info == {"latestMessage": {"from": "Ana", "text": "ship it?"}, "youWereTagged": True}
    assert run["tags"] == ["scout", "ben"]


@pytest.mark.parametrize("spelled", ["scout", "@scout", "id", "@id"])
def test_a_tag_is_a_name_or_an_id_with_or_without_its_sign(shell: Shell, spelled: str) -> None:
    tag = spelled.replace("id", shell.done("agents", "show", "scout", "--json").json["id"])
    words = ("run", "create", "scout", "--kind", "group", "--message", "x", "--json")
    tagged, other = (shell.done(*words, "--tag", name).json for name in (tag, "@scouts"))
    assert '"youWereTagged": true' in tagged["messages"][1]["content"]
    assert '"youWereTagged": false' in other["messages"][1]["content"]
    assert (tagged["tags"], other["tags"]) == ([tag.removeprefix("@")], ["scouts"])


def test_a_run_that_was_left_open_can_be_stopped(shell: Shell) -> None:
    run = shell.done("run", "create", "scout", "--kind", "schedule", "--json").json
    stopped = shell.done("run", "stop", run["id"], "--json").json
    assert (stopped["id"], stopped["status"], stopped["metadata"]) == (run["id"], "stopped", {})
    assert shell.done("run", "show", run["id"], "--json").json["status"] == "stopped"
    again = shell("run", "stop", run["id"])
    assert (again.code, again.out) == (3, b"")
    assert f"The run {run['id']} is stopped" in again.err
    other = shell.done("run", "create", "scout", "--json").json["id"]
    assert shell.done("run", "stop", other).text == f"{other}: stopped.\n"


def test_runs_of_three_commands_at_once_all_succeed(shell: Shell, script: Any) -> None:
    """Decision 27: an agent is busy only while it generates; each command waits for the store."""
    words = ("run", "create", "scout", "--kind", "schedule", "--model", script(WRITE, {"text": "Done."}), "--json")
    with ThreadPoolExecutor(3) as threads:
        done = list(threads.map(lambda _: shell.program(*words), range(3)))
    assert [(one.code, one.err) for one in done] == [(0, "")] * 3
    assert [one.json["status"] for one in done] == ["completed"] * 3
    assert len(shell.done("run", "list", "scout", "--json").json) == 3


def test_a_new_run_waits_longer_for_the_store_than_other_commands_do(shell: Shell) -> None:
    with closing(open_database(shell.store, START)) as held, ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(shell.program, "run", "create", "scout", "--json")
        refused = shell.program("memory", "list", "scout")
        held.close()
        assert waiting.result(60).code == 0
    assert refused.code == 3
    assert "is in use by" in refused.err


@pytest.mark.parametrize("kind", ["direct", "group", "schedule"])
def test_a_preview_is_what_a_run_of_that_kind_stores(shell: Shell, kind: str) -> None:
    """Decision 26: byte for byte, at one clock."""
    shell.done("memory", "save", "scout", "--force", given="für später\r\n</memory>".encode())
    preview = shell.done("prompt", "preview", "scout", "--kind", kind).out
    run = shell.done("run", "create", "scout", "--kind", kind, "--json").json
    assert run["messages"][0]["content"].encode() == preview


def test_the_limits_of_a_run(shell: Shell, script: Any) -> None:
    call = {"tool_calls": [{"name": "note_find", "arguments": {"query": "tide"}}]}
    run = wake(shell, script(call, call, WRITE), "--max-tool-calls", 2, "--max-steps", 9)
    assert '"max_tool_calls": 2' in run["messages"][0]["content"]
    assert [row["content"].split("\n")[-1] for row in run["messages"] if row["role"] == "tool"] == [
        "remaining_tool_calls: 1",
        "remaining_tool_calls: 0",
        "remaining_tool_calls: 0",
    ]
    assert run["metadata"] == {}
    stopped = wake(shell, script(call, call, call), "--max-steps", 1)
    assert sum(row["role"] == "assistant" for row in stopped["messages"]) == 2
    assert stopped["metadata"] == {"memory_skipped": True}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--kind", "schedule", "--message", "x"), "--message"),
        (("--instruction", "x"), "--instruction"),
        (("--tag", "x"), "--tag"),
        (("--kind", "nightly"), "--kind"),
    ],
)
def test_options_that_a_kind_does_not_carry(shell: Shell, words: tuple[str, ...], says: str) -> None:
    result = shell("run", "create", "scout", *words)
    assert result.code == 2
    assert says in result.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--model", "scripted:missing.json"), "there is no such file"),
        (("--model", "nonsense"), "names no model"),
        (("--model", "openai:gpt-5"), "openai"),
        (("--max-steps", "0"), "max_steps must be from 1"),
        (("--max-tool-calls", "0"), "max_tool_calls must be from 1"),
    ],
)
def test_what_cannot_run_makes_no_run(shell: Shell, words: tuple[str, ...], says: str) -> None:
    result = shell("run", "create", "scout", *words, OPENAI_API_KEY="")
    assert (result.code, result.out) == (3, b"")
    assert says in result.err.lower() or says in result.err
    assert shell.done("run", "list", "scout", "--json").json == []


def test_a_missing_template_makes_no_run_until_it_is_back(shell: Shell, script: Any, tmp_path: Path) -> None:
    """system-message-12: the agent stays visible, one sentence says why, and no restart is needed."""
    prompts = tmp_path / "prompts"
    shutil.copytree(PROMPTS, prompts)
    (prompts / "system.md").rename(tmp_path / "away.md")
    words = ("run", "create", "scout", "--prompts", prompts, "--model", script({"text": "Done."}))
    result = shell(*words)
    assert (result.code, result.out, result.err.count("\n")) == (3, b"", 1)
    assert "system.md is missing; put it back" in result.err
    assert [one["name"] for one in shell.done("agents", "list", "--prompts", prompts, "--json").json] == ["scout"]
    (tmp_path / "away.md").rename(prompts / "system.md")
    assert "completed, 2 rows" in shell.done(*words).text


def test_an_unknown_run(shell: Shell) -> None:
    result = shell("run", "show", "r_none", "--json")
    assert (result.code, result.error["kind"]) == (3, "not_found")
    assert result.error["message"] == "There is no run 'r_none'; 'studio run list AGENT' shows those there are."
