"""Reading makes no file: not where there is no store, and not where one cannot be written."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from builders import START, open_store, overwrite
from cli_shell import REPOSITORY, Shell

from studio import open_studio, studio_list_memory_revisions
from studio.cli.main import program
from studio.errors import NoStore, StoreHeld, StoreReadOnly
from studio.store import migrations, places
from studio.store.database import open_database

READING = (
    "agents list",
    "agents show scout",
    "memory list scout",
    "memory show scout",
    "memory diff scout 1 2",
    "memory archive scout",
    "memory lint scout",
    "task show scout",
    "task list scout",
    "task diff scout 1 1",
    "task review scout",
    "task lint scout",
    "task drafts scout",
    "prompt preview scout",
    "notes list",
    "notes show a.md",
    "notes find words",
    "collections list",
    "collections show leads",
    "collections records leads",
    "run list scout",
    "run show r_1",
    "token list",
    "dir history scout",
    "dir diff scout HEAD",
    "dir changes scout",
    "dir show scout a.md",
    "dir headroom scout",
    "backup copy.duckdb",
)
WRITING = (
    "agents set scout --memory off",
    "memory save scout new.md --force",
    "memory restore scout 1",
    "memory write scout new.md",
    "task draft scout new.md",
    "task publish scout",
    "task restore scout 1",
    "task discard scout",
    "notes edit a.md new.md",
    "notes move a.md b.md",
    "notes delete a.md",
    "collections write leads new.json",
    "run create scout --kind schedule --instruction x",
    "run stop r_1",
    "token revoke ben",
    "dir link . --agent scout",
    "dir unlink scout",
    "dir restore scout a.md",
    "dir edit scout a.md new.md --message why",
)
OF_AN_AGENT_OR_A_FOLDER = ("dir compile scout", "dir check scout", "dir lint scout", "dir shrink scout")
BEGINNING = ("agents create", "import history", "import git", "notes create", "collections create", "token create")
NAMES_A_FILE_OR_A_FOLDER = {
    "serve", "api", "verify", "restore-backup", "dir init", "dir audit", "dir migrate", "dir hook install",
    "dir hook uninstall", "dir hook status",
}  # fmt: skip
"""Verbs that say by themselves which file they make, or need no store."""


def verbs(command: Any, words: tuple[str, ...] = ()) -> Iterator[str]:
    for name, one in getattr(command, "commands", {}).items():
        found = (*words, name)
        yield from verbs(one, found) if hasattr(one, "commands") else (" ".join(found),)


def verb_of(line: str, known: set[str]) -> str:
    words = line.split()
    return next(name for name in (" ".join(words[:count]) for count in (3, 2, 1)) if name in known)


def test_every_verb_is_of_one_kind() -> None:
    known = set(verbs(program()))
    named = {verb_of(line, known) for line in (*READING, *WRITING, *OF_AN_AGENT_OR_A_FOLDER, *BEGINNING)}
    assert known == named | NAMES_A_FILE_OR_A_FOLDER


@pytest.fixture
def empty(tmp_path: Path) -> Shell:
    """A shell whose store nobody made."""
    folder = tmp_path / "empty"
    folder.mkdir()
    return Shell(folder)


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(one.relative_to(folder)): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


@pytest.mark.parametrize("line", [*READING, *WRITING])
def test_a_store_that_nobody_made_is_not_made_by_looking_for_it(
    empty: Shell, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("new.md", "new.json"):
        (tmp_path / name).write_text("{}")
    said = empty(*line.split(), "--json")
    assert said.code != 0
    assert said.error["kind"] == "not_found"
    assert said.error["message"].startswith(f"There is no store at {empty.store}. 'studio agents create'")
    assert files_in(empty.folder) == {}


def test_a_slip_in_its_name_is_told_with_what_may_be_meant(shell: Shell) -> None:
    other = shell.folder / "notes.duckdb"
    shutil.copy(shell.store, other)
    said = shell("agents", "list", "--db", shell.folder / "studoi.duckdb")
    assert f"There is no store at {shell.folder / 'studoi.duckdb'}; did you mean {shell.store}?" in said.err
    (shell.folder / "begun.duckdb").touch()
    said = shell("agents", "list", "--db", shell.folder / "begun.duckdb")
    assert "There is no store at" in said.err
    assert (shell.folder / "begun.duckdb").read_bytes() == b""
    assert not (shell.folder / "studoi.duckdb.lock").exists()


def test_the_default_store_is_not_made_by_looking_for_it_either(empty: Shell) -> None:
    del empty.environment["STUDIO_DB"]
    assert "There is no store at" in empty("agents", "list").err
    assert files_in(empty.folder) == {}
    assert not (empty.folder / "data").exists()
    empty.done("agents", "create", "scout")
    assert empty.done("agents", "list", "--json").json[0]["name"] == "scout"


@pytest.mark.parametrize(
    "line", ["agents create scout", "notes create a.md new.md --guild Desk", "token create ben --role viewer"]
)
def test_a_command_that_begins_a_store_makes_it(empty: Shell, line: str) -> None:
    (empty.folder / "new.md").write_text("text")
    if line.startswith("notes"):
        empty("notes", "create", "a.md", empty.folder / "new.md", "--guild", "Desk")
    else:
        empty.done(*line.split())
    assert empty.store.exists()


def test_from_python_a_store_is_made_unless_none_is_to_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "s.duckdb"
    with pytest.raises(NoStore):
        open_studio(file, make=False)
    monkeypatch.setenv("STUDIO_DB", str(file))
    with pytest.raises(NoStore):
        studio_list_memory_revisions("scout")
    assert files_in(tmp_path) == {}
    open_studio(file).close()
    open_studio(file, make=False).close()
    open_studio(":memory:", make=False).close()


# --- a store that cannot be written ---

WHY = "nothing may be written in its folder"


@pytest.fixture
def unwritable(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A store of which the system says that it may not be written."""
    shell.done("memory", "save", "scout", "--force", given=b"in the store\n")
    monkeypatch.setattr(places, "why_not_written", lambda _: WHY)
    return shell


def test_what_reads_reads_it_and_leaves_nothing_there(unwritable: Shell) -> None:
    before = files_in(unwritable.folder)
    for line in READING:
        said = unwritable(*line.split(), "--json")
        assert said.code == 0 or said.error["kind"] == "not_found" or "memory" in said.error["message"], (line, said)
        assert "There is no store" not in said.err
        Path("copy.duckdb").unlink(missing_ok=True)
    assert unwritable.done("memory", "show", "scout").text == "in the store\n"
    assert files_in(unwritable.folder) == before


def test_what_writes_is_refused_and_told_why(unwritable: Shell) -> None:
    before = files_in(unwritable.folder)
    for words in (
        ("memory", "save", "scout", "--force"),
        ("agents", "create", "other"),
        ("agents", "set", "scout", "--memory", "off"),
    ):
        said = unwritable(*words, "--json", given=b"new")
        assert (said.code != 0, said.error["kind"]) == (True, "refused"), words
        assert f"{unwritable.store} can only be read, since {WHY}" in said.error["message"]
    assert files_in(unwritable.folder) == before


def test_its_write_ahead_log_is_read_and_stays(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    code = """
import os, signal, sys
from builders import open_store, overwrite
studio = open_store(sys.argv[1])
overwrite(studio, "scout", "in the log only")
os.kill(os.getpid(), signal.SIGKILL)
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(REPOSITORY), str(REPOSITORY / "tests")])}
    subprocess.run([sys.executable, "-c", code, str(shell.store)], env=environment, check=False)
    log = Path(f"{shell.store}.wal")
    assert log.stat().st_size
    monkeypatch.setattr(places, "why_not_written", lambda _: WHY)
    before = files_in(shell.folder)
    assert shell.done("memory", "show", "scout").text == "in the log only"
    assert files_in(shell.folder) == before


def test_one_of_an_older_schema_is_read_from_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "old.duckdb"
    open_database(file, START, migrations.shipped()[:-1]).close()
    Path(f"{file}.lock").unlink()
    monkeypatch.setattr(places, "why_not_written", lambda _: WHY)
    before = files_in(tmp_path)
    with open_store(file) as studio:
        assert studio.list_agents() == ()
        assert not studio.may_write
        with pytest.raises(StoreReadOnly):
            studio.create_agent("scout")
    assert files_in(tmp_path) == before


def test_many_read_it_and_nobody_beside_its_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "s.duckdb"
    with open_store(file) as owner:
        overwrite(owner, owner.create_agent("scout").id, "owned")
        with monkeypatch.context() as patched:
            patched.setattr(places, "why_not_written", lambda _: WHY)
            with pytest.raises(StoreHeld, match=f"the process {os.getpid()}"):
                open_store(file)
    monkeypatch.setattr(places, "why_not_written", lambda _: WHY)
    with open_store(file) as one, open_store(file) as other:
        assert one.get_memory_version("scout").body == other.get_memory_version("scout").body


def bound_by_permissions(*words: object, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run a command as somebody whom permissions bind, also where root runs the tests."""
    bare = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    command = [*bare, sys.executable, "-m", "studio", *map(str, words)]
    return subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **environment}, cwd=REPOSITORY, check=False
    )


@pytest.mark.skipif(
    os.geteuid() == 0 and shutil.which("setpriv") is None,
    reason="permissions do not bind root, and setpriv is not here",
)
@pytest.mark.parametrize("what", ["file", "folder"])
def test_permissions_of_the_system(shell: Shell, what: str) -> None:
    locked, mode = (shell.store, 0o444) if what == "file" else (shell.folder, 0o555)
    environment = shell._environment({})
    before, kept = files_in(shell.folder), locked.stat().st_mode
    locked.chmod(mode)
    try:
        told = bound_by_permissions("agents", "list", "--json", **environment)
        refused = bound_by_permissions("agents", "create", "other", **environment)
    finally:
        locked.chmod(kept)
    assert told.returncode == 0, told.stderr
    assert '"scout"' in told.stdout
    assert refused.returncode != 0
    assert f"{shell.store} can only be read" in refused.stderr
    assert files_in(shell.folder) == before
