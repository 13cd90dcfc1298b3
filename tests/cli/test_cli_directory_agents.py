"""The verbs of a directory by the name of its agent, what is said beside their answers, and what an agent's own verbs say of it."""

from pathlib import Path

import pytest
from cli_shell import Shell
from directory_repository import INDEX, MemoryRepository, note

SOUND = {**INDEX, "human.md": note("Lead with the answer.\n", "human")}
OLD = {"system/persona.md": note(name="persona")}
"""The old layout, of which nothing compiles."""


@pytest.fixture
def memory(tmp_path: Path) -> MemoryRepository:
    return MemoryRepository.make(tmp_path / "memory", SOUND)


def link(shell: Shell, memory: MemoryRepository, agent: str = "scout") -> str:
    return shell("dir", "link", memory.folder, "--agent", agent).err


# --- an agent in place of its repository ---

JUDGING: dict[str, tuple[str, ...]] = {
    "compile": ("compile",),
    "compile in a base": ("compile", "--base", "base.txt"),
    "compile a commit": ("compile", "--commit", "main~1"),
    "check": ("check",),
    "check in SARIF": ("check", "--sarif"),
    "check a commit": ("check", "--commit", "main~1", "--json"),
    "lint": ("lint",),
    "lint without a rule": ("lint", "--off", "rederivable", "--json"),
    "shrink": ("shrink",),
    "shrink in SARIF": ("shrink", "--sarif"),
    "headroom": ("headroom",),
    "audit": ("audit",),
}


@pytest.mark.parametrize("verb", JUDGING)
def test_an_agent_is_told_what_its_repository_is(shell: Shell, memory: MemoryRepository, verb: str) -> None:
    """The same bytes, the same notes and the same exit code."""
    words = [str(shell.folder / one) if one == "base.txt" else one for one in JUDGING[verb]]
    (shell.folder / "base.txt").write_text("Base.\n{CORE_MEMORY}\n", encoding="utf-8")
    memory.write("main", {**SOUND, "bad.md": "NEVER do it.\n"}, onto="main")
    memory.git("reset", "--quiet", "--hard", "main")
    link(shell, memory)
    own = shell("dir", words[0], memory.folder, *words[1:])
    assert shell("dir", words[0], "scout", *words[1:]) == own
    assert "fault of ours" not in own.err


@pytest.mark.parametrize("verb", ["check", "lint", "shrink"])
def test_nothing_is_staged_in_an_agents_name(shell: Shell, memory: MemoryRepository, verb: str) -> None:
    link(shell, memory)
    told = shell("dir", verb, "scout", "--staged")
    assert (told.code, told.out) == (2, b"")
    assert "What is staged lies in a repository; name that instead of the agent" in told.err


@pytest.mark.parametrize("verb", ["compile", "check", "lint", "shrink", "headroom", "audit", "history"])
def test_who_is_no_agent_and_what_is_no_folder_are_told_apart(shell: Shell, verb: str) -> None:
    code = 2 if verb in {"check", "lint", "shrink", "audit"} else 3
    shell.done("agents", "create", "inner")
    for whose, says in (
        ("nobody", "There is no agent 'nobody'"),
        ("inner", "The memory of inner is no directory"),
        ("./nowhere", "Cannot read ./nowhere: it does not exist."),
    ):
        told = shell("dir", verb, whose)
        assert (told.code, told.out, says in told.err) == (code, b"", True)


# --- a directory of which nothing compiles ---


@pytest.mark.parametrize("verb", ["compile", "check", "lint", "shrink", "headroom", "audit", "history"])
@pytest.mark.parametrize("by_agent", [True, False], ids=["by its agent", "by its folder"])
def test_every_verb_says_that_it_is_of_the_old_layout(
    shell: Shell, tmp_path: Path, verb: str, *, by_agent: bool
) -> None:
    old = MemoryRepository.make(tmp_path / "old", OLD)
    if by_agent:
        link(shell, old)
    told = shell("dir", verb, "scout" if by_agent else old.folder)
    assert "'studio dir migrate'" in told.text + told.err


@pytest.mark.parametrize(
    ("files", "says"),
    [(OLD, "'studio dir migrate' moves it"), ({"notes.txt": "x"}, "add MEMORY.md at the root"), (SOUND, "")],
    ids=["the old layout", "no memory at all", "today's layout"],
)
def test_linking_says_that_nothing_compiles(shell: Shell, tmp_path: Path, files: dict[str, str], says: str) -> None:
    made = MemoryRepository.make(tmp_path / "memory", files)
    told = link(shell, made)
    assert (says in told, bool(told)) == (True, bool(says))
    assert shell.done("agents", "show", "scout", "--json").json["directory"] == str(made.folder)


@pytest.mark.parametrize(
    ("verb", "code"), [("compile", 3), ("check", 2), ("lint", 2), ("shrink", 2), ("headroom", 3), ("history", 3)]
)
def test_a_repository_without_commits_is_said_to_be_one(shell: Shell, tmp_path: Path, verb: str, code: int) -> None:
    empty = MemoryRepository.make(tmp_path / "empty")
    told = shell("dir", verb, empty.folder)
    assert (told.code, "it has no commits yet" in told.err) == (code, True)
    assert ("--staged" in told.err) is (verb in {"check", "lint", "shrink"})


# --- linking and unlinking ---


def test_a_repository_of_two_agents_is_named(shell: Shell, memory: MemoryRepository, tmp_path: Path) -> None:
    shell.done("agents", "create", "keeper")
    assert link(shell, memory) == ""
    assert link(shell, memory) == ""
    (tmp_path / "way").symlink_to(memory.folder)
    told = shell("dir", "link", tmp_path / "way", "--agent", "keeper")
    assert told.err == "It is the memory of scout too: all of them read and edit the same files.\n"


def test_unlinking_says_what_is_live_now(shell: Shell, memory: MemoryRepository) -> None:
    shell.done("memory", "save", "scout", "-", "--force", given=b"before\n")
    version = shell.done("memory", "list", "scout", "--json").json[0]["version"]
    link(shell, memory)
    assert f"version {version} of its own memory is live, 7 characters." in shell.done("dir", "unlink", "scout").text
    link(shell, memory)
    told = shell.done("dir", "unlink", "scout", "--json").json
    assert told["live"] == {"version": version, "characters": 7}


def test_agents_say_where_they_remember(shell: Shell, memory: MemoryRepository) -> None:
    shell.done("agents", "create", "keeper")
    link(shell, memory)
    shown = {line.split("  ")[0]: line for line in shell.done("agents", "show", "scout").text.splitlines()}
    assert shown["Directory"].endswith(str(memory.folder))
    assert not shown.keys() & {"memory_write", "Revisions kept"}
    other = shell.done("agents", "show", "keeper").text
    assert ("memory_write" in other, "Revisions kept" in other, "Directory" in other) == (True, True, False)
    assert shell.done("agents", "show", "keeper", "--json").json["directory"] is None
    marked = [line for line in shell.done("agents", "list").text.splitlines() if "memory directory" in line]
    assert [line.split()[0] for line in marked] == ["scout"]


def test_a_directory_that_is_gone_is_still_named(shell: Shell, memory: MemoryRepository) -> None:
    link(shell, memory)
    memory.folder.rename(memory.folder.with_name("elsewhere"))
    assert str(memory.folder) in shell.done("agents", "show", "scout").text


def test_an_agent_is_created_with_what_was_begun_said(shell: Shell, memory: MemoryRepository, tmp_path: Path) -> None:
    told = shell.done("agents", "create", "keeper", "--directory", tmp_path / "new").text
    assert "Created keeper" in told
    assert f"Begun in {tmp_path}/new, commit " in told
    assert "MEMORY.md" in told
    assert f"The hook is installed: {tmp_path}/new/.git/hooks/pre-commit" in told
    other = shell.done("agents", "create", "other", "--directory", memory.folder).text
    assert f"{memory.folder} is a memory directory already and stays as it is." in other


@pytest.mark.parametrize(
    ("files", "says"),
    [({"README.md": "# Code\n"}, "README.md: the file has no header"), (None, "is not empty and no repository")],
    ids=["a repository of code", "a folder of files"],
)
def test_an_agent_takes_no_folder_of_others_over(
    shell: Shell, tmp_path: Path, files: dict[str, str] | None, says: str
) -> None:
    folder = tmp_path / "code"
    folder.mkdir()
    if files is None:
        (folder / "notes.txt").touch()
    else:
        MemoryRepository.make(folder, files)
    before = sorted(one.name for one in folder.rglob("*"))
    for words in (("agents", "create", "keeper", "--directory", folder), ("dir", "init", folder)):
        told = shell(*words)
        assert (told.code, told.out, says in told.err) == (3, b"", True)
    assert sorted(one.name for one in folder.rglob("*")) == before
    assert "keeper" not in shell.done("agents", "list").text


# --- what a deletion is based on ---


def test_a_deletion_says_what_it_needs(shell: Shell, memory: MemoryRepository) -> None:
    """Decision 37."""
    link(shell, memory)
    words = ("dir", "edit", "scout", "human.md", "--delete", "--message", "Not needed")
    told = shell(*words)
    assert (told.code, "--expect" in told.err, "--force" in told.err) == (3, True, True)
    both = shell(*words, "--force", "--expect", "0" * 64)
    assert (both.code, "not both" in both.err) == (2, True)
    assert shell(*words, "--force").code == 0
