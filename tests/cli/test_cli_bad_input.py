"""Bad input: one sentence, the exit code, the family, and nothing half-written."""

import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from cli_shell import Shell

HUGE = str(10**30)


@dataclass(frozen=True, slots=True)
class Bad:
    """A command line that is refused."""

    id: str
    words: str
    """`{name}` stands for a file of the folder that the fixture makes."""
    kind: str
    says: str
    given: bytes = b""
    environment: tuple[tuple[str, str], ...] = ()

    @property
    def code(self) -> int:
        return 2 if self.kind == "usage" else 3


CASES = [
    # Names and numbers that are not there.
    Bad("agent-unknown", "memory list nobody", "not_found", "There is no agent 'nobody'"),
    Bad("agent-unknown-save", "memory save nobody", "not_found", "There is no agent 'nobody'", b"x"),
    Bad("agent-ambiguous", "memory list twin", "refused", "2 agents are named 'twin'"),
    Bad("agent-name-empty", "agents create {empty_name}", "refused", "needs a name that is not empty"),
    Bad("agent-name-long", f"agents create {'x' * 201}", "refused", "a name of 201 characters"),
    Bad("agent-rename-lines", "agents set scout --name a\x0bb", "refused", "control character"),
    Bad("guild-unknown", "agents set scout --guild nowhere", "not_found", "There is no guild 'nowhere'"),
    Bad(
        "version-unknown", "memory show scout --version 9", "not_found", "There is no version 9 of the memory of scout"
    ),
    Bad("version-zero", "memory show scout --version 0", "not_found", "versions 1 to 2 are kept"),
    Bad("version-negative", "memory show scout --version -1", "not_found", "There is no version -1"),
    Bad("version-huge", f"memory show scout --version {HUGE}", "not_found", f"There is no version {HUGE}"),
    Bad("version-huge-restore", f"memory restore scout {HUGE}", "not_found", f"There is no version {HUGE}"),
    Bad("version-huge-diff", f"memory diff scout 1 {HUGE}", "not_found", f"There is no version {HUGE}"),
    Bad("version-huge-task", f"task restore scout {HUGE}", "not_found", "of the Task of scout"),
    Bad("version-no-number", "memory restore scout two", "usage", "Invalid value for 'N'"),
    Bad("author-nobody", "memory list scout --author operator:Nobody", "not_found", "is by 'operator:Nobody'"),
    Bad("author-no-kind", "memory list scout --author Ana", "refused", "use run, operator, agent or unknown"),
    Bad("author-no-name", "memory list scout --author operator:", "refused", "Unknown author 'operator:'"),
    Bad("limit-zero", "memory list scout --limit 0", "usage", "greater than or equal to 1"),
    Bad("limit-word", "memory list scout --limit many", "usage", "Invalid value for '--limit'"),
    Bad("run-unknown", "memory write scout --run r_none", "not_found", "There is no run 'r_none'", b"x"),
    Bad("archive-unknown", "memory archive scout none.md", "not_found", "Unknown path"),
    Bad("archive-climbs", "memory archive scout ../memory.md", "not_found", "Unknown path"),
    Bad("archive-lines", "memory archive scout a\x0bb.md", "not_found", "Unknown path"),
    Bad("draft-none", "task publish scout", "not_found", "scout has no Task draft"),
    Bad(
        "kind-unknown",
        "prompt preview scout --kind hourly",
        "usage",
        "'hourly' is not one of 'direct', 'group', 'schedule'",
    ),
    Bad("switch-unknown", "agents set scout --memory maybe", "usage", "'maybe' is not one of 'on', 'off'"),
    # Settings out of range.
    Bad("calls-zero", "agents set scout --max-tool-calls 0", "refused", "max_tool_calls must be from 1"),
    Bad("calls-huge", f"agents create new --max-tool-calls {HUGE}", "refused", "max_tool_calls must be from 1"),
    Bad("retention-zero", "agents set scout --retention 0", "refused", "retention must be"),
    Bad("retention-huge", f"agents set scout --retention {HUGE}", "refused", "retention must be"),
    Bad("retention-word", "agents set scout --retention some", "usage", "neither a number nor 'all'"),
    # Texts that are none.
    Bad("save-nul", "memory save scout", "refused", "The memory holds a NUL character in line 2", b"one\nt\0wo\n"),
    Bad("save-not-utf-8", "memory save scout", "refused", "Standard input is not UTF-8 text (byte 3)", b"abc\xff"),
    Bad("save-surrogate", "memory save scout", "refused", "not UTF-8 text (byte 0)", b"\xed\xa0\x80"),
    Bad("save-binary-file", "memory save scout {binary}", "refused", "is not UTF-8 text (byte 0)"),
    Bad("save-no-file", "memory save scout {folder}/none.md", "not_found", "there is no such file"),
    Bad("save-folder", "memory save scout {folder}", "not_found", "it is a folder"),
    Bad("save-name-nul-free", "memory save scout {folder}/" + "x" * 300, "not_found", "Cannot read"),
    Bad("save-two-guards", f"memory save scout --force --expect {'0' * 64}", "usage", "not both", b"x"),
    Bad("save-expects-another", f"memory save scout --expect {'0' * 64}", "stale", "version 2 by operator Ana", b"x"),
    Bad("save-expects-nonsense", "memory save scout --expect abc", "usage", "no sha256, which has 64 hex digits", b"x"),
    Bad("save-expects-too-much", f"memory save scout --expect {'0' * 65}", "usage", "no sha256", b"x"),
    Bad("restore-expects-nonsense", "memory restore scout 1 --expect zz", "usage", "no sha256"),
    Bad("task-restore-expects-nonsense", "task restore scout 1 --expect ''", "usage", "no sha256"),
    Bad("note-edit-expects-nonsense", "notes edit a.md --expect zz", "usage", "no sha256", b"x"),
    Bad("note-delete-expects-nonsense", "notes delete a.md --expect zz", "usage", "no sha256"),
    Bad("edit-expects-nonsense", "dir edit scout a.md --message x --expect zz", "usage", "no sha256", b"x"),
    Bad("write-nul", "memory write scout", "refused", "ERROR: The memory holds a NUL", b"\0"),
    Bad("write-long-line", "memory write scout", "refused", "ERROR: memory exceeds 12000 characters", b"x" * 1_000_000),
    Bad("write-not-utf-8", "memory write scout", "refused", "is not UTF-8", b"\xc3("),
    Bad("write-off", "memory write quiet", "refused", "ERROR: memory_write is not offered to quiet", b"x"),
    Bad("draft-nul", "task draft scout", "refused", "The Task draft holds a NUL", b"\0"),
    Bad("draft-from-unknown", "task draft scout --based-on 9", "not_found", "There is no version 9 of the Task", b"x"),
    Bad("draft-no-agent", "task draft nobody", "not_found", "There is no agent", b"x"),
    Bad("note-nul-free", "task show scout --draft --version 1", "usage", "not both"),
    # Histories that are none.
    Bad("history-missing", "import history {folder}/none.jsonl --agent new", "not_found", "there is no such file"),
    Bad("history-folder", "import history {folder} --agent new", "not_found", "it is a folder"),
    Bad("history-empty", "import history {empty} --agent new", "not_found", "it is empty"),
    Bad("history-binary", "import history {binary} --agent new", "refused", "is not UTF-8 text"),
    Bad("history-no-json", "import history {words} --agent new", "refused", "line 1 is not JSON"),
    Bad("history-half", "import history {half} --agent new", "refused", "line 2"),
    Bad("history-long-line", "import history {long} --agent new", "refused", "line 1 is not JSON"),
    Bad("history-other-agent", "import history {history} --agent scout", "refused", "was not made by an import"),
    Bad("history-no-agent", "import history {history}", "usage", "Invalid value for '--agent': name the new agent"),
    Bad("history-agent-empty", "import history {history} --agent {empty_name}", "refused", "needs a name"),
    Bad(
        "git-no-repository", "import git {folder}/plain --path x --agent new", "not_found", "it is not a git repository"
    ),
    Bad("git-missing", "import git {folder}/none --path x --agent new", "not_found", "it does not exist"),
    Bad("git-file", "import git {words} --path x --agent new", "not_found", "it is a file"),
    Bad("git-no-commits", "import git {folder}/fresh --path x --agent new", "not_found", "Cannot read"),
    Bad("git-unknown-file", "import git {folder}/repository --path none.md --agent new", "not_found", "no commit"),
    Bad("git-folder-in-it", "import git {folder}/repository --path notes --agent new", "not_found", "it is a folder"),
    Bad("git-outside", "import git {folder}/repository --path ../words --agent new", "not_found", "it names no file"),
    # Stores that are none.
    Bad("store-no-folder", "agents list --db {folder}/none/x.duckdb", "not_found", "There is no store at"),
    Bad("store-folder", "agents list --db {folder}", "damaged", "it is a folder"),
    Bad("store-junk", "agents list --db {words}", "damaged", "it is no DuckDB file"),
    Bad("store-pipe", "agents list --db {pipe}", "damaged", "it is a device or a pipe"),
    Bad("store-other", "agents list --db {other_tables}", "damaged", "a DuckDB file with other tables"),
    Bad("store-wal-alone", "agents list --db {folder}/lost.duckdb", "damaged", "its write-ahead log is there"),
    Bad("now-nonsense", "agents list", "refused", "STUDIO_NOW must be a time", environment=(("STUDIO_NOW", "soon"),)),
    Bad("now-naive", "agents list", "refused", "must name its offset", environment=(("STUDIO_NOW", "2026-09-13"),)),
    Bad(
        "now-before-the-first-year",
        "agents list",
        "refused",
        "STUDIO_NOW must be a time",
        environment=(("STUDIO_NOW", "0001-01-01T00:00:00+14:00"),),
    ),
    Bad(
        "since-past-the-last-year",
        "collections records x --since 9999-12-31T23:59:59-14:00",
        "usage",
        "is no time like",
    ),
    Bad("operator-lines", "memory save scout --operator a\x0bb", "refused", "An operator", b"x"),
    Bad("template-missing", "prompt preview scout --prompts {folder}/plain", "not_found", "system.md is missing"),
    Bad("template-binary", "prompt preview scout --prompts {folder}/templates", "refused", "is not UTF-8"),
    # Addresses that other machines can reach.
    Bad("serve-everywhere", "serve --address 0.0.0.0", "refused", "Whoever reaches 0.0.0.0 must sign in"),
    Bad("serve-name", "serve --address example.org", "refused", "Whoever reaches example.org must sign in"),
    Bad("serve-port", "serve --port 70000", "usage", "Invalid value for '--port'"),
]


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """A store with some agents, and a folder of files that are not what they are taken for."""
    folder = tmp_path_factory.mktemp("bad")
    shell = Shell(folder)
    shell.done("agents", "create", "scout", "--focus", "Watch.")
    shell.done("memory", "save", "scout", given=b"kept\n")
    shell.done("agents", "create", "quiet", "--no-memory-write")
    for _ in range(2):
        shell.done("agents", "create", "twin")
    for name, content in {
        "empty": b"",
        "binary": b"\xff\xfe\0\x01",
        "words": b"some words, and nothing else in them\n",
        "long": b"x" * 1_000_000,
        "history": _line(1),
        "half": _line(1) + _line(2)[:40],
        "lost.duckdb.wal": b"x",
    }.items():
        (folder / name).write_bytes(content)
    (folder / "plain").mkdir()
    (folder / "templates").mkdir()
    (folder / "templates" / "system.md").write_bytes(b"\xff")
    make_other_store(folder / "other_tables")
    os.mkfifo(folder / "pipe")
    subprocess.run(["git", "init", "--quiet", folder / "fresh"], check=True)
    repository = folder / "repository"
    subprocess.run(["git", "init", "--quiet", repository], check=True)
    (repository / "notes").mkdir()
    (repository / "notes" / "a.md").write_text("x\n")
    person = ("-c", "user.name=Ana", "-c", "user.email=ana@example.org")
    subprocess.run(["git", "-C", repository, "add", "."], check=True)
    subprocess.run(["git", "-C", repository, *person, "commit", "--quiet", "-m", "first"], check=True)
    return shell


def _line(number: int) -> bytes:
    fields = {"n": number, "path": "m.md", "commit": str(number), "author": "a", "kind": "human", "status": "M"}
    return json.dumps({**fields, "time": "2026-03-01T10:00:00Z", "text": "t"}).encode() + b"\n"


def make_other_store(file: Path) -> None:
    """A DuckDB file of somebody else's."""
    import duckdb  # noqa: PLC0415 - only this fixture makes a file by hand

    with duckdb.connect(str(file)) as connection:
        connection.execute("CREATE TABLE sales (amount INTEGER)")


@pytest.fixture(scope="module")
def unchanged(stocked: Shell) -> Iterator[None]:
    """What is stored before any bad input is what is stored after all of it."""
    kept = stocked.all_that_is_stored()
    yield
    assert stocked.all_that_is_stored() == kept


def words_of(case: Bad, shell: Shell) -> list[str]:
    names = {file.name: str(file) for file in shell.folder.iterdir() if "." not in file.name}
    return [word.format(**names, folder=shell.folder, empty_name=" ") for word in case.words.split(" ")]


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_bad_input_is_one_sentence_and_changes_nothing(case: Bad, stocked: Shell) -> None:
    words = words_of(case, stocked)
    files = sorted(file.name for file in stocked.folder.iterdir())
    result = stocked(*words, given=case.given, **dict(case.environment))
    assert (result.code, result.out) == (case.code, b"")
    assert case.says in result.err
    assert result.err.count("\n") == 1
    assert "Traceback" not in result.err
    assert result.err.rstrip("\n")[-1] in ".?" or result.err.startswith("ERROR: ")
    if words[0] != "serve":
        as_json = stocked(*words, "--json", given=case.given, **dict(case.environment))
        assert (as_json.code, as_json.out) == (case.code, b"")
        assert as_json.error["kind"] == case.kind
        assert as_json.error["message"] == result.err.rstrip("\n")
    new = {file.name for file in stocked.folder.iterdir()} - set(files)
    assert all(name.endswith(".lock") for name in new), (
        "a refused command makes no file but the lock of a store it looked at"
    )
    assert (stocked.folder / "pipe").is_fifo()


def test_ids_are_unique() -> None:
    assert len({case.id for case in CASES}) == len(CASES)
