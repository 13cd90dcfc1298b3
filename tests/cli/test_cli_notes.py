"""`studio notes`, `studio collections` and `agents set --from` at the shell."""

import json
from pathlib import Path

import pytest
from cli_shell import NOW, Shell


def created(shell: Shell, name: str = "pricing.md", body: bytes = b"# Price\n10 EUR", *options: str) -> str:
    """A new note's path."""
    return str(shell.done("notes", "create", name, *options, "--json", given=body).json["path"])


# --- notes ---------------------------------------------------------------------------------------------------------------


def test_a_note_is_written_and_read_byte_by_byte(shell: Shell) -> None:
    body = "\ufeff# Prices\r\n10 €".encode()
    path = created(shell, "pricing.md", body)
    assert shell.done("notes", "show", path).out == body
    assert shell.done("notes", "show", "pricing.md").out == body
    shown = shell.done("notes", "show", "pricing.md", "--json").json
    assert (shown["body"].encode(), shown["title"], shown["level"], shown["updated_at"]) == (body, "Prices", "org", NOW)
    assert shown["updated_by"]["name"] == "Ana"


def test_create_for_an_agent_a_guild_and_the_organisation(shell: Shell) -> None:
    agent = shell.done("agents", "create", "teller", "--guild", "Desk", "--json").json
    assert created(shell, "a.md", b"x", "--agent", "teller").endswith(f"/agents/{agent['id']}/notes/a.md")
    assert created(shell, "a.md", b"x", "--guild", "Desk").endswith(f"/guilds/{agent['guild']['id']}/notes/a.md")
    assert created(shell, "sub/a.md", b"x").count("/") == 4
    assert [one["level"] for one in shell.done("notes", "list", "--json").json] == ["agent", "guild", "org"]
    assert [one["level"] for one in shell.done("notes", "list", "--level", "org", "--json").json] == ["org"]
    assert [one["level"] for one in shell.done("notes", "list", "--agent", "scout", "--json").json] == ["org"]
    result = shell("notes", "create", "b.md", "--agent", "teller", "--guild", "Desk")
    assert result.code == 2


def test_the_list_is_a_table_and_an_empty_one_says_so(shell: Shell) -> None:
    assert "studio notes create" in shell("notes", "list").err
    path = created(shell)
    rows = shell.done("notes", "list").text.splitlines()
    assert rows[0].split() == ["PATH", "TITLE", "CHARACTERS", "WRITTEN", "BY"]
    assert rows[1].split()[:3] == [path, "Price", "14"]


def test_edit_without_expect_takes_what_was_there_when_it_started(shell: Shell) -> None:
    path = created(shell)
    assert shell.done("notes", "edit", path, given=b"12 EUR").text == f"Saved {path}.\n"
    assert shell.done("notes", "edit", path, given=b"12 EUR").text == f"Nothing changed; {path} is as it was.\n"
    sha256 = shell.done("notes", "show", path, "--json").json["sha256"]
    shell.done("notes", "edit", path, "--expect", sha256.upper(), given=b"13 EUR")
    result = shell("notes", "edit", path, "--expect", sha256, "--json", given=b"14 EUR")
    assert (result.code, result.error["kind"]) == (3, "stale")
    shell.done("notes", "edit", path, "--force", "--title", "T", given=b"14 EUR")
    assert shell.done("notes", "show", path, "--json").json["title"] == "T"
    assert shell("notes", "edit", path, "--force", "--expect", sha256, given=b"x").code == 2


def test_move_and_delete(shell: Shell) -> None:
    path = created(shell)
    moved = shell.done("notes", "move", "pricing.md", "sales/pricing.md", "--json").json["path"]
    assert moved == path.replace("pricing.md", "sales/pricing.md")
    assert shell.done("notes", "delete", "sales/pricing.md", "--json").json == {"path": moved, "deleted": True}
    result = shell("notes", "show", moved, "--json")
    assert (result.code, result.error["kind"]) == (3, "not_found")


@pytest.mark.parametrize("options", [("--agent", "scout"), ("--guild", "Desk"), ()], ids=["agent", "guild", "org"])
def test_a_move_to_a_mere_name_leaves_the_note_its_owners(shell: Shell, options: tuple[str, ...]) -> None:
    shell.done("agents", "create", "teller", "--guild", "Desk")
    path = created(shell, "plans/a.md", b"x", *options)
    moved = shell.done("notes", "move", path, "sales/b.md", "--json").json["path"]
    assert moved == path.replace("plans/a.md", "sales/b.md")
    assert shell("notes", "move", moved, "../c.md").code == 3
    assert shell.done("notes", "show", moved).out == b"x"


def test_a_note_that_is_not_there_is_answered_with_what_a_notes_path_looks_like(shell: Shell) -> None:
    assert "org/<org_id>/notes/<name>.md for a note" in shell("notes", "show", "none.md").err


def test_a_note_that_a_live_task_embeds_stays_links_01(shell: Shell) -> None:
    path = created(shell)
    shell.done("task", "draft", "scout", given=f"![[{path}]]".encode())
    shell.done("task", "publish", "scout")
    for words in (("delete", path), ("move", path, "b.md")):
        result = shell("notes", *words)
        assert (result.code, "scout" in result.err) == (3, True)
    assert shell.done("notes", "show", path).text == "# Price\n10 EUR"


def test_find_ranks_and_shows_a_line(shell: Shell) -> None:
    created(shell, "body.md", b"the PRICE is right")
    created(shell, "title.md", b"# Price")
    assert [hit["title"] for hit in shell.done("notes", "find", "price", "--json").json] == ["Price", "body"]
    (hit,) = shell.done("notes", "find", "right", "price", "--json").json
    assert (hit["hits"], hit["line"]) == (2, "the PRICE is right")
    assert shell.done("notes", "find", "price", "--limit", "1").text.count("\n") == 2
    assert "No note" in shell("notes", "find", "absent").err


@pytest.mark.parametrize("name", ["task.md", "memory.md"])
def test_the_prompt_files_are_no_notes_task_06(shell: Shell, name: str) -> None:
    agent = shell.done("agents", "show", "scout", "--json").json["id"]
    org = created(shell).split("/")[1]
    for verb in ("show", "edit", "delete"):
        result = shell("notes", verb, f"org/{org}/agents/{agent}/{name}", "--json", given=b"x")
        assert (result.code, result.error["kind"]) == (3, "refused")


# --- broken links ---------------------------------------------------------------------------------------------------------


def test_broken_links_show_in_list_and_show_and_go_when_mended_links_06(shell: Shell) -> None:
    path = created(shell)
    shell.done("notes", "delete", path)
    shell.done("task", "draft", "scout", given=f"![[{path}]] ![[recipe:x]]".encode())
    shell.done("task", "publish", "scout", "--yes-to", "broken-links")
    assert "2 broken links" in shell.done("agents", "list").text
    shown = shell.done("agents", "show", "scout", "--json").json
    assert (shown["broken_links"], [one["written"] for one in shown["broken"]]) == (2, [path, "recipe:x"])
    assert path in shell.done("agents", "show", "scout").text
    created(shell)
    assert "1 broken link" in shell.done("agents", "list").text


# --- collections ----------------------------------------------------------------------------------------------------------


def leads(shell: Shell) -> str:
    columns = ("--column", "company", "--column", "status=open or won", "--column", "size")
    return str(shell.done("collections", "create", "leads", *columns, "--purpose", "Who buys.", "--json").json["path"])


def test_a_collection_is_created_listed_and_shown(shell: Shell) -> None:
    path = leads(shell)
    shown = shell.done("collections", "show", "leads", "--json").json
    assert (shown["path"], shown["purpose"], shown["level"]) == (path, "Who buys.", "org")
    assert shown["columns"][:2] == [
        {"name": "company", "description": None},
        {"name": "status", "description": "open or won"},
    ]
    assert shell.done("collections", "list", "--json").json == [shown]
    assert shell.done("collections", "list", "--agent", "scout", "--json").json == []
    assert "open or won" in shell.done("collections", "show", path).text
    assert shell("collections", "create", "x").code == 2


def test_records_are_written_and_filtered(shell: Shell) -> None:
    leads(shell)
    acme, beta = {"company": "ACME", "status": "won", "size": 3}, {"company": "Beta", "status": "won"}
    made = shell.done("collections", "write", "leads", "--id", "acme", "--json", given=json.dumps(acme).encode()).json
    assert (made["id"], made["values"], made["updated_at"], made["changed"]) == ("acme", acme, NOW, True)
    shell.done("collections", "write", "leads", given=json.dumps(beta).encode(), STUDIO_NOW="2026-10-01T00:00:00Z")

    def ids(*words: str) -> list[str]:
        return [
            one["values"]["company"] for one in shell.done("collections", "records", "leads", *words, "--json").json
        ]

    assert ids() == ["Beta", "ACME"]
    assert ids("--where", "size=3", "--where", "status=won") == ["ACME"]
    assert ids("--since", "2026-09-30T00:00:00+02:00") == ["Beta"]
    assert ids("--limit", "1") == ["Beta"]
    assert shell.done("collections", "records", "leads").text.splitlines()[0].split()[:4] == [
        "ID", "company", "status", "size",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "given", "code"),
    [
        (("write", "leads"), b"[]", 3),
        (("write", "leads"), b"{", 3),
        (("write", "leads"), b'{"zz": 1}', 3),
        (("write", "none"), b"{}", 3),
        (("records", "leads", "--where", "size"), b"", 2),
        (("records", "leads", "--where", "zz=1"), b"", 3),
        (("records", "leads", "--since", "noon"), b"", 2),
        (("records", "leads", "--since", "2026-09-30T00:00:00"), b"", 2),
    ],
    ids=["list", "broken", "unknown column", "unknown collection", "no =", "unknown filter", "no time", "no offset"],
)
def test_what_collections_refuse(shell: Shell, words: tuple[str, ...], given: bytes, code: int) -> None:
    leads(shell)
    assert shell("collections", *words, given=given).code == code
    assert shell.done("collections", "records", "leads", "--json").json == []


def test_a_grant_at_creation(shell: Shell) -> None:
    words = ("--column", "a", "--agent", "scout", "--grant", "write")
    shell.done("collections", "create", "mine", *words)
    (found,) = shell.done("collections", "list", "--agent", "scout", "--json").json
    assert (found["name"], found["level"], found["access"]) == ("mine", "agent", "write")
    assert shell("collections", "create", "other", "--column", "a", "--grant", "read").code == 2


# --- agents set --from ----------------------------------------------------------------------------------------------------


def test_a_file_sets_what_has_no_option(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "scout.json"
    file.write_text(json.dumps({"tools": ["search"], "bindings": {"agent": {"org_notes_write": False}}}))
    assert shell.done("agents", "set", "scout", "--from", file, "--json").json["name"] == "scout"
    shown = shell.done("agents", "show", "scout", "--json").json
    assert shown["writable_levels"] == ["agent"]
    assert "note_find" in shown["tools"]
    assert "tavily_search" in shell.done("prompt", "preview", "scout").text
    shell.done("agents", "set", "scout", "--from", "-", given=b'{"bindings": {"agent": {"note_find": false}}}')
    assert "note_find" not in shell.done("agents", "show", "scout").text


def test_everything_wrong_with_a_file_is_said_in_one_line(shell: Shell, tmp_path: Path) -> None:
    result = shell("agents", "set", "scout", "--from", "-", "--json", given=b'{"tool": [], "scripts": [{}]}')
    assert (result.code, result.error["kind"]) == (3, "refused")
    assert "tool is unknown" in result.error["message"]
    assert "scripts[0].name is missing" in result.error["message"]
    assert shell("agents", "set", "scout", "--from", tmp_path / "none.json").code == 3
    assert shell("agents", "set", "scout", "--from", "-", "--name", "x", given=b"{}").code == 2
