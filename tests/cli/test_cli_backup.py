"""`studio backup`, `verify` and `restore-backup`, on a store nobody has open and through the process that serves it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from cli_shell import REPOSITORY, Shell
from ended import ended


def test_a_copy_is_made_verified_and_put_back(shell: Shell) -> None:
    copy = shell.folder / "copy.duckdb"
    made = shell.done("backup", copy, "--json").json
    assert made["path"] == str(copy)
    assert made["size_bytes"] == copy.stat().st_size
    assert (made["agents"], made["versions"], made["runs"], made["notes"]) == (1, 2, 0, 0)
    assert made["made_at"].endswith("Z")
    told = f"{copy}: 1 agent, 2 versions, 0 runs, 0 notes; {copy.stat().st_size:,} bytes."
    assert shell.done("verify", copy).text.startswith(f"Sound: {told}\n")
    again = shell.folder / "again.duckdb"
    assert shell.done("restore-backup", copy, "--db", again).text.startswith(f"Restored to {again}: 1 agent,")
    assert shell.done("agents", "list", "--db", again, "--json").json == shell.done("agents", "list", "--json").json


def test_what_is_there_stays_and_what_is_not_is_said(shell: Shell) -> None:
    copy = shell.folder / "copy.duckdb"
    shell.done("backup", copy)
    before = copy.read_bytes()
    for words in (("backup", copy), ("restore-backup", copy), ("restore-backup", copy, "--db", copy)):
        refused = shell(*words, "--json")
        assert (refused.code, refused.error["kind"]) == (3, "refused")
    assert copy.read_bytes() == before
    assert shell("verify", shell.folder / "none.duckdb", "--json").error["kind"] == "not_found"
    assert shell("verify", __file__, "--json").error["kind"] == "damaged"


@contextmanager
def served(shell: Shell) -> Iterator[str]:
    """The store, owned by a server of its own."""
    environment = {**shell._environment({}), "PYTHONPATH": os.pathsep.join([str(REPOSITORY), *sys.path])}
    words = [sys.executable, "-m", "studio", "api", "--port", "0"]
    server = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    with ended(server):
        assert server.stdout is not None
        yield server.stdout.readline().strip()


def test_a_store_that_is_served_is_copied_by_its_owner_for_this_user_only(shell: Shell) -> None:
    token = shell.done("token", "create", "Ben", "--role", "operator").text.strip()
    copy, other = shell.folder / "copy.duckdb", shell.folder / "other.duckdb"
    with served(shell) as url:
        shell.done("memory", "save", "scout", "--force", given=b"acknowledged")
        assert shell.done("backup", copy, "--json").json["versions"] == 3
        assert shell("backup", copy, "--json").error["kind"] == "refused"
        refused = httpx.post(
            f"{url}api/studio/backup",
            json={"arguments": {"file": str(other)}},
            headers={"Authorization": f"Bearer {token}"},
            timeout=30,
        )
        assert "only programs of the system user who serves it" in refused.json()["detail"]
    assert not other.exists()
    assert shell.done("memory", "show", "scout", "--db", copy).text == "acknowledged"


def test_every_command_and_verify_say_that_changes_are_missing(shell: Shell) -> None:
    older = shell.folder / "older.duckdb"
    shell.done("backup", older)
    for text in (b"one", b"two"):
        shell.done("memory", "save", "scout", "--force", given=text)
    older.replace(shell.store)
    verified = shell("verify", shell.store)
    assert (verified.code, verified.text.startswith("Whole, but not up to date: ")) == (1, True)
    assert "2 acknowledged changes are missing" in verified.err
    listed = shell("memory", "list", "scout", "--json")
    assert (listed.code, len(listed.json)) == (0, 1)
    assert listed.err.startswith("Warning: 2 acknowledged changes are missing: the store opened at change ")
    assert shell("verify", shell.store, "--json").json["lost"]["noted"]
    copy = shell.folder / "copy.duckdb"
    assert shell("backup", copy).code == 0
    assert shell.done("verify", copy, "--json").json["lost"] is None
