"""`studio verify`: what is found, through every door, and how it ends (decisions 38 and 49)."""

import json
from pathlib import Path
from typing import Any

import duckdb
import httpx
import pytest
from cli_shell import Shell
from test_cli_backup import served


def change(store: Path, *statements: str) -> None:
    """Change a store that nobody has open by SQL."""
    with duckdb.connect(str(store)) as connection:
        for statement in statements:
            connection.execute(statement)


@pytest.fixture
def filled(shell: Shell) -> Shell:
    """The store with three memory versions by Ana and a Task of two."""
    for text in (b"one\n", b"two\n", b"three\n"):
        shell.done("memory", "save", "scout", "--force", given=text)
    shell.done("task", "draft", "scout", given=b"Watch closely.")
    shell.done("task", "publish", "scout")
    return shell


def test_a_break_is_named_with_agent_version_and_what_to_do(filled: Shell) -> None:
    sound = filled.done("verify", "--json").json
    assert (sound["findings"], sound["agents"], sound["versions"]) == ([], 1, 6)
    assert sound["chained_since"]
    change(
        filled.store, "UPDATE memory_revisions SET text = 'mine' WHERE version = 3", "UPDATE agents SET task = 'Obey.'"
    )
    found = filled("verify")
    assert found.code == 1
    assert found.text.startswith("2 findings: ")
    assert "memory, version 3: its text does not match its sha256. Read it in a backup" in found.text
    told = filled("verify", filled.store, "--quick", "--json")
    assert told.code == 1
    assert [(one["kind"], one["name"], one["text"], one["version"]) for one in told.json["findings"]] == [
        ("text", "scout", "memory", 3),
        ("text", "scout", "task", 2),
    ]
    assert all(one["advice"] for one in told.json["findings"])


def test_noted_links_are_found_again(filled: Shell) -> None:
    noted = filled.folder / "noted.jsonl"
    filled.done("verify", "--write-heads", noted)
    heads = [json.loads(line) for line in noted.read_text().splitlines()]
    assert [(one["text"], one["number"]) for one in heads] == [("memory", 4), ("task", 2)]
    filled.done("memory", "save", "scout", "--force", given=b"four\n")
    assert "2 noted links are in their chains" in filled.done("verify", "--heads", noted).text
    noted.write_text(noted.read_text().replace(heads[0]["link"], "0" * 64))
    missing = filled("verify", "--heads", noted, "--json")
    assert missing.code == 1
    assert [(one["kind"], one["version"]) for one in missing.json["findings"]] == [("head", 4)]
    for content in ("x\n", '{"agent": "a_1"}\n', '["a"]\n'):
        noted.write_text(content)
        refused = filled("verify", "--heads", noted)
        assert refused.code == 2
        assert refused.err.startswith(f"Line 1 of {noted} is not a link")


def test_how_it_ends_where_it_cannot_run(shell: Shell) -> None:
    assert shell("verify", shell.folder / "none.duckdb").code == 2
    damaged = shell.folder / "damaged.duckdb"
    damaged.write_bytes(b"junk" * 9_000)
    assert shell("verify", damaged).code == 3
    unwritten = shell("verify", "--write-heads", shell.folder / "none" / "noted")
    assert (unwritten.code, unwritten.err[:12]) == (2, "Cannot write")


def test_a_store_that_is_served_is_verified_through_its_owner(filled: Shell) -> None:
    token = filled.done("token", "create", "Ben", "--role", "operator").text.strip()
    viewer = filled.done("token", "create", "Cleo", "--role", "viewer").text.strip()
    change(filled.store, "UPDATE memory SET text = 'mine'")
    with served(filled) as url:
        found = filled("verify", filled.store, "--json")
        assert (found.code, [one["version"] for one in found.json["findings"]]) == (1, [4])
        assert filled("verify", "--json").json["findings"] == found.json["findings"]

        def ask(path: str, bearer: str | None) -> Any:
            headers = {} if bearer is None else {"Authorization": f"Bearer {bearer}"}
            return httpx.get(f"{url}{path}", headers=headers, timeout=60)

        assert ask("health", None).json() == {"status": "ok"}
        assert [ask("health?deep", bearer).status_code for bearer in (None, viewer, token)] == [401, 403, 503]
        assert ask("health?deep", token).json()["status"] == "findings"
        assert ask("health?deep=false", token).json() == {"status": "ok"}
        assert ask("api/store?verify=full", viewer).status_code == 403
        assert ask("api/store?verify=quick", token).json()["verified"]["findings"] == found.json["findings"]
        assert "verified" not in ask("api/store", token).json()


def test_what_was_changed_outside_is_said_beside_it(filled: Shell) -> None:
    change(filled.store, "UPDATE memory_revisions SET text = 'mine' WHERE version = 3")
    listed = filled.done("memory", "list", "scout").text.splitlines()
    assert "nobody: changed outside" in listed[2]
    assert [line.count("changed outside") for line in listed] == [0, 0, 2, 0, 0]
    records = filled.done("memory", "list", "scout", "--json").json
    assert [one.get("changed_outside") for one in records] == [None, "its text does not match its sha256", None, None]
    assert records[1]["author"] == {
        "kind": "unknown",
        "name": None,
        "via": None,
        "evidence": "changed outside: its text does not match its sha256",
    }
    for words in (("show", "scout", "--version", 3), ("diff", "scout", 2, 3)):
        said = filled("memory", *words)
        assert (said.code, "mine" in said.text) == (0, True)
        assert said.err == (
            "Version 3 was changed outside of Prompt Studio: its text does not match its sha256; 'studio verify' says more.\n"
        )
    assert filled.done("memory", "diff", "scout", 2, 3, "--json").json["changed_outside"]
