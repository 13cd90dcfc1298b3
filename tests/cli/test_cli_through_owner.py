"""Every command on a store that another process serves: the same bytes, the same exit code as on one that is opened here."""

import json
import os
import re
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from builders import Clock, blank_file, open_store
from cli_shell import NOW, Result, Shell
from repository_builder import RepositoryBuilder
from served_stores import Door, counted_ids, open_door

import studio.actions.studio as facade
from studio.actions.studio import Studio
from studio.cli.main import program
from studio.domain.runs import RunStatus
from studio.domain.tokens import Role
from studio.sources.models_scripted import ScriptedModel

SCRIPT = """
agents create scout --focus Watch. --guild Desk
agents create scribe --no-memory-write --json
agents create scout
agents list
agents list --json
agents list --search desk
agents show scout
agents show nobody
agents show nobody --json
agents set scout --max-tool-calls 9 --focus New
agents set scribe --from agent.json
agents set scribe --from broken.json
memory save a_2 one.md --json
memory save a_2 one.md
memory save a_2 two.md
memory save a_2 long.md --force --operator Zoë
memory save a_2 two.md --expect 00
memory save a_2 two.md --expect 0000000000000000000000000000000000000000000000000000000000000000
memory save a_2 binary.md --force
memory write a_2 three.md
memory write a_2 long.md
memory write scribe one.md
memory list a_2
memory list a_2 --json
memory list a_2 --author operator:Zoë --limit 1
memory list a_2 --author what
memory show a_2
memory show a_2 --version 2
memory show a_2 --version 9
memory diff a_2 1 4
memory diff a_2 2 3 --json
memory archive a_2
memory archive a_2 nothing.md
memory restore a_2 2
memory restore a_2 99
memory lint a_2
memory lint a_2 --json
task show a_2
task draft a_2 task.md
task draft a_2 one.md --based-on 1 --json
task show a_2 --draft
task review a_2
task review a_2 --json
task publish a_2 --note why
task publish a_2
task draft a_2 task.md
task publish a_2
task publish a_2 --yes-to broken-links,empty
task list a_2
task list a_2 --json
task diff a_2 1 2
task restore a_2 1
task draft a_2 one.md
task discard a_2
task drafts a_2
task drafts a_2 1
task drafts a_2 7 --json
task draft a_2 --restore 1
task discard a_2
task lint a_2
prompt preview a_2
prompt preview a_2 --kind schedule --json
notes create prices.md one.md --title Prices
notes create own.md two.md --agent a_2 --json
notes list
notes list --agent a_2 --json
notes show org/o_1/notes/prices.md
notes show org/o_1/notes/none.md
notes edit org/o_1/notes/prices.md two.md
notes edit org/o_1/notes/prices.md two.md --force
notes find two
notes move org/o_1/notes/prices.md org/o_1/notes/moved.md
notes delete org/o_1/notes/moved.md --json
collections create leads --column company --column "place=Where" --purpose "Who buys."
collections list
collections show leads --json
collections write leads record.json --id acme
collections records leads
collections records leads --where company=ACME --json
run create a_2 --kind schedule --instruction look --model scripted:wake.json
run create a_2 --kind group --message "ship it?" --tag @scout --model scripted:wake.json --json
run create a_2 --message hello
run create a_2 --model scripted:none.json
run create a_2 --model scripted:failing.json
run list a_2
run list a_2 --json
run show RUN
run show RUN --json
run show r_none
run stop RUN
import git repository --path CLAUDE.md --agent claude
import git repository --path CLAUDE.md --agent claude --json
import git repository --path none.md --agent other
import history history.jsonl --agent old
memory list claude
token create Ben --role operator
token create runtime --role agent --agent a_2 --json
token create Ben
token list
token list --json
token revoke Ben
token revoke Ben
dir link directory --agent scribe
dir history scribe
dir history scribe --json
dir diff scribe HEAD~1 HEAD
dir headroom scribe
dir changes scribe
dir changes scribe --commit HEAD --json
dir show scribe human.md
dir restore scribe nothing.md
dir compile scribe
dir compile scribe --commit HEAD~1 --base one.md --json
dir compile nobody
dir check scribe
dir check scribe --sarif
dir check scribe --staged
dir lint scribe --off rederivable --json
dir lint scribe --staged
dir shrink scribe
dir shrink scribe --staged --json
dir link directory --agent a_2
agents list
agents show scribe --json
dir unlink a_2 --json
agents create keeper --directory directory
dir audit scribe HEAD~1..HEAD
dir edit scribe human.md broken.md --message Break
agents show scribe
memory save scribe one.md
dir unlink scribe
"""
"""Run in this order, in a folder with the files of `fill`; `a_2` is scout, RUN the run that stays open."""
ELSEWHERE = {
    *("serve", "api", "backup", "verify", "restore-backup", "agents create --directory"),
    *("dir init", "dir migrate"),
    *("dir hook install", "dir hook uninstall", "dir hook status"),
}
"""What opens no store, or has tests of its own."""


def fill(folder: Path) -> None:
    """The files that the commands name."""
    header = "---\nname: human\ndescription: Who.\n---\n"
    texts: dict[str, str | bytes] = {
        "one.md": "one\r\n",
        "two.md": "\ufeff# Zwei 😀\n<memory>{{x}}</memory>",
        "three.md": "three\n",
        "binary.md": b"\xff\0",
        "broken.md": "no header",
        "long.md": "x" * 12_001,
        "task.md": "Watch ![[org/o_1/notes/none.md]] closely.\n",
        "agent.json": json.dumps({"tools": ["search"], "operators": ["Ben"]}),
        "broken.json": json.dumps({"tools": 7, "nothing": []}),
        "record.json": json.dumps({"company": "ACME"}),
        "wake.json": json.dumps(
            [{"tool_calls": [{"name": "memory_write", "arguments": {"content": "woken"}}]}, {"text": "Done."}]
        ),
        "failing.json": json.dumps([{"error": "out of order"}]),
        "history.jsonl": "",
    }
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    repository = RepositoryBuilder(folder / "repository")
    repository.save("CLAUDE.md", "one\n")
    repository.save("CLAUDE.md", "two\n")
    directory = RepositoryBuilder(folder / "directory")
    directory.save("human.md", f"{header}Works late.\n")
    directory.save("MEMORY.md", "Open notes for prices.\n")


@contextmanager
def owned(store: Path, ids: Callable[[str], str]) -> Iterator[Studio]:
    """The owner of a store, whose clock stands where the commands' does."""
    clock = Clock(datetime.fromisoformat(NOW))
    with open_store(store, clock) as owner:
        owner._context = replace(owner._context, ids=ids)
        yield owner


@contextmanager
def in_folder(folder: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        yield


def ran(shell: Shell) -> dict[str, Result]:
    """What each command of the script left behind."""
    results: dict[str, Result] = {}
    open_run = ""
    with in_folder(shell.folder):
        for number, line in enumerate(SCRIPT.strip().splitlines(), 1):
            result = shell(*shlex.split(line.replace("RUN", open_run)))
            if line == "run create a_2 --message hello":
                open_run = result.text.partition(":")[0]
            results[f"{number:03} {line}"] = result
    return results


def plain(result: Result, folder: Path) -> tuple[int, str, str]:
    """A result without what must differ: where the files lie, and secrets."""
    out = re.sub(r"studio_[\w-]{43}", "TOKEN", result.out.decode("utf-8", "surrogateescape"))
    return result.code, out.replace(str(folder), "FOLDER"), result.err.replace(str(folder), "FOLDER")


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], dict[str, Any]]:
    """The whole script, on a store that each command opens and on one that is served."""
    home, far = (Shell(tmp_path_factory.mktemp(name)) for name in ("home", "far"))
    for shell in (home, far):
        fill(shell.folder)
        blank_file(shell.folder).rename(shell.store)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(facade, "random_ids", counted_ids())
        here = {line: plain(result, home.folder) for line, result in ran(home).items()}
    with open_door() as door, owned(far.store, counted_ids()) as owner, door.serving(owner):
        there = {line: plain(result, far.folder) for line, result in ran(far).items()}
    return here, there


LINES = [f"{number:03} {line}" for number, line in enumerate(SCRIPT.strip().splitlines(), 1)]


@pytest.mark.parametrize("line", LINES)
def test_a_command_says_the_same_through_the_owner(both: tuple[dict[str, Any], dict[str, Any]], line: str) -> None:
    here, there = both
    assert there[line] == here[line]
    assert "fault of ours" not in there[line][2]


def test_every_command_is_run() -> None:
    def names(command: Any, before: str = "") -> Iterator[str]:
        for name, one in command.commands.items():
            yield from names(one, f"{before}{name} ") if hasattr(one, "commands") else (before + name,)

    run = {" ".join(line.split()[:2]) for line in SCRIPT.strip().splitlines()}
    assert set(names(program())) <= run | ELSEWHERE


# --- what only a store that is served has ---


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    with open_door() as one:
        yield one


@pytest.fixture
def served(shell: Shell, door: Door) -> Iterator[Studio]:
    """The owner of the shell's store, while it serves it."""
    with owned(shell.store, counted_ids()) as owner, door.serving(owner):
        yield owner


def test_whoever_acts_reaches_the_owner(shell: Shell, served: Studio) -> None:
    shell.done("memory", "save", "scout", "--operator", "Zoë", given=b"x")
    shell.done("memory", "save", "scout", "--force", given=b"y", STUDIO_OPERATOR="Ben B")
    assert [str(one.author) for one in served.list_memory_versions("scout")][:2] == ["operator Ben B", "operator Zoë"]


def test_other_templates_are_refused_and_the_same_ones_are_not(shell: Shell, served: Studio) -> None:
    refused = shell("agents", "list", "--prompts", shell.folder, "--json")
    assert (refused.code, refused.error["kind"]) == (3, "refused")
    assert f"is being served with the prompt templates in {served.prompts_folder}" in refused.error["message"]
    shell.done("agents", "list", STUDIO_PROMPTS=str(shell.folder))  # a preference for stores of one's own, no demand
    shell.done("agents", "list", "--prompts", served.prompts_folder)


def test_a_url_and_a_token_do_too(shell: Shell, served: Studio, door: Door) -> None:
    operator, viewer = (
        served.tokens.create(name, role)[1] for name, role in (("Ben", Role.OPERATOR), ("wall", Role.VIEWER))
    )
    local = shell.done("memory", "list", "scout").out
    for url in (door.url, door.url.rstrip("/"), f"{door.url}?agent=scout#memory", door.url.upper()):
        assert shell.done("memory", "list", "scout", "--db", url, STUDIO_TOKEN=operator).out == local
    assert shell.done("memory", "list", "scout", STUDIO_DB=door.url, STUDIO_TOKEN=viewer).out == local
    shell.done("memory", "save", "scout", "--db", door.url, given=b"x", STUDIO_TOKEN=operator)
    assert str(served.list_memory_versions("scout")[0].author) == "operator Ben"
    refused = shell("memory", "save", "scout", "--db", door.url, "--force", given=b"y", STUDIO_TOKEN=viewer)
    assert refused.err == "The role viewer may not call save_memory; an operator's token may.\n"
    other = shell("memory", "save", "scout", "--db", door.url, "--operator", "Ana", given=b"y", STUDIO_TOKEN=operator)
    assert other.err == f"Writes to {door.url} bear the token's name, 'Ben', so 'Ana' cannot act there.\n"


@pytest.mark.parametrize("token", ["", "nope"], ids=["no token", "a wrong one"])
def test_without_a_token_nobody_gets_in(shell: Shell, served: Studio, door: Door, token: str) -> None:
    assert served.count_agents() == 1
    refused = shell("agents", "list", "--db", door.url, STUDIO_TOKEN=token)
    assert (refused.code, refused.out) == (3, b"")
    assert refused.err.startswith(f"{door.url} does not let you in; make a token there with 'studio token create'")


@pytest.mark.parametrize("verb", ["serve", "api"])
def test_a_store_is_served_once(shell: Shell, served: Studio, door: Door, verb: str) -> None:
    refused = shell(verb, "--port", "0")
    assert refused.code == 3
    assert refused.err == (
        f"The store {served.path} is served at {door.url} by the process {os.getpid()} already;"
        " open that URL, or stop that process first.\n"
    )
    assert "is served by another process already" in shell(verb, "--port", "0", "--db", door.url).err


def test_an_interrupted_run_is_stopped_at_the_owners(
    shell: Shell, served: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ScriptedModel, "generate", interrupted)
    (shell.folder / "wake.json").write_text("[]")
    model = f"scripted:{shell.folder / 'wake.json'}"
    assert shell("run", "create", "scout", "--kind", "schedule", "--model", model).code == 130
    (run,) = served.list_runs("scout")
    assert (run.status, run.memory_skipped) == (RunStatus.STOPPED, False)


def test_a_backup_is_made_by_the_owner(shell: Shell, served: Studio) -> None:
    with in_folder(shell.folder):
        shell.done("backup", "copy.duckdb")
    with open_store(shell.folder / "copy.duckdb") as copy:
        assert copy.list_agents() == served.list_agents()
