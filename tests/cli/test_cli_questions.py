"""What deserves a question at the shell: --yes-to, pipes that bring nothing, and drafts of somebody else (decision 39)."""

import os
import threading
from pathlib import Path

import pytest
from cli_shell import Result, Shell
from question_cases import CONFLICT, GOOD, KEY, LINES, MEMORY, TASK, Deserving
from repository_builder import RepositoryBuilder

from studio import open_studio
from studio.cli.exits import NOT_DONE, USAGE
from studio.domain.questions import Question

REFUSED = STALE = NOT_FOUND = NOT_DONE
HEADER = "---\nname: human\ndescription: Who the user is.\n---\n"


def text_of(shell: Shell, question: Question) -> str:
    with open_studio(str(shell.store)) as studio:
        return Deserving.in_store(studio).text(question)


def asked(result: Result, *words: str) -> None:
    """The command was refused with these questions."""
    assert (result.code, result.error["kind"]) == (REFUSED, "refused")
    assert [one["word"] for one in result.error["questions"]] == list(words)
    assert f"--yes-to {','.join(words)}" in result.error["message"]


# --- --yes-to ---


@pytest.mark.parametrize("question", MEMORY)
def test_a_save_is_asked_about_and_force_answers_nothing(shell: Shell, question: Question) -> None:
    shell.done("memory", "save", "scout", given=GOOD.encode())
    text, before = text_of(shell, question).encode(), shell.all_that_is_stored()
    for how in ((), ("--force",), ("--yes-to", ",".join(one for one in Question if one is not question))):
        result = shell("memory", "save", "scout", "--json", *how, given=text)
        asked(result, question)
        assert result.error["questions"][0]["lines"] == list(LINES[question])
    assert shell.all_that_is_stored() == before
    assert shell.done("memory", "save", "scout", "--yes-to", f"empty, {question}", given=text).text
    shell.done("memory", "save", "scout", given=GOOD.encode())
    old = shell.done("memory", "list", "scout", "--json").json[1]["version"]
    asked(shell("memory", "restore", "scout", old, "--json"), question)
    shell.done("memory", "restore", "scout", old, "--yes-to", question)


@pytest.mark.parametrize("question", TASK)
def test_a_publish_and_a_restore_are_asked_about(shell: Shell, question: Question) -> None:
    shell.done("task", "draft", "scout", given=text_of(shell, question).encode())
    told = shell("task", "review", "scout").err
    assert f"'studio task publish --yes-to {question}' says that it is meant" in told
    assert [one["word"] for one in shell.done("task", "review", "scout", "--json").json["questions"]] == [question]
    for how in ((), ("--force",)):
        asked(shell("task", "publish", "scout", "--json", *how), question)
    assert len(shell.done("task", "list", "scout", "--json").json) == 1
    shell.done("task", "publish", "scout", "--yes-to", question)
    shell.done("task", "restore", "scout", 1)
    asked(shell("task", "restore", "scout", 2, "--json"), question)
    shell.done("task", "restore", "scout", 2, "--yes-to", question)


def test_a_note_is_asked_about(shell: Shell) -> None:
    asked(shell("notes", "create", "a.md", "--json", given=CONFLICT.encode()), "markers")
    shell.done("notes", "create", "a.md", "--yes-to", "markers", given=CONFLICT.encode())
    asked(shell("notes", "edit", "a.md", "--json", "--force", given=KEY.encode()), "key")
    shell.done("notes", "edit", "a.md", "--yes-to", "key", given=KEY.encode())


def test_a_file_of_a_directory_is_asked_about(shell: Shell, tmp_path: Path) -> None:
    repo = RepositoryBuilder(tmp_path / "memory")
    repo.write("MEMORY.md", "# Index\n")
    repo.write("human.md", HEADER + GOOD)
    repo.commit("begin")
    shell.done("dir", "link", repo.folder, "--agent", "scout")
    edit = ("dir", "edit", "scout", "human.md", "--message", "why", "--force", "--json")
    asked(shell(*edit, given=(HEADER + CONFLICT).encode()), "markers")
    asked(shell(*edit, given=HEADER.encode()), "empty")
    nothing = shell(*edit)
    assert (nothing.code, "was empty, so nothing was written" in nothing.error["message"]) == (REFUSED, True)
    assert shell.done(*edit, "--yes-to", "markers", given=(HEADER + CONFLICT).encode()).json["changed"]


@pytest.mark.parametrize(
    "verb", [("memory", "save"), ("memory", "write"), ("task", "publish"), ("notes", "create"), ("task", "draft")]
)
@pytest.mark.parametrize("words", ["markers,nothing", "force", ",", "Markers", "markers empty"])
def test_a_word_that_answers_no_question_is_a_usage_error(shell: Shell, verb: tuple[str, str], words: str) -> None:
    result = shell(*verb, "scout", "--yes-to", words, given=b"x")
    assert result.code == USAGE
    assert "there are markers, empty, broken-links, over-budget, key" in result.err


def test_the_lists_name_what_nobody_was_asked_about(shell: Shell) -> None:
    shell.done("memory", "write", "scout", given=(CONFLICT + KEY).encode())
    assert "unasked: markers, key" in shell.done("memory", "list", "scout").text
    assert [one.get("marks") for one in shell.done("memory", "list", "scout", "--json").json] == [
        ["markers", "key"],
        None,
    ]
    assert shell.done("memory", "show", "scout", "--json").json["marks"] == ["markers", "key"]


def test_an_embed_over_the_budget_is_told_like_a_broken_link_publish_03(shell: Shell) -> None:
    shell.done("task", "draft", "scout", given=text_of(shell, Question.OVER_BUDGET).encode())
    shell.done("task", "publish", "scout", "--yes-to", "over-budget")
    assert "1 embed over the budget" in shell.done("agents", "list").text
    shown = shell.done("agents", "show", "scout", "--json").json
    assert (shown["over_budget"], shown["broken_links"], [one["state"] for one in shown["broken"]]) == (
        1,
        0,
        ["over_budget"],
    )
    assert "Over the budget" in shell.done("agents", "show", "scout").text
    assert "The Task has an embed over the budget" in shell("prompt", "preview", "scout").err


# --- a pipe that brings nothing (shell-01) ---

WRITES = (
    ("memory", "save", "scout"),
    ("memory", "save", "scout", "--force"),
    ("memory", "write", "scout"),
    ("task", "draft", "scout"),
    ("notes", "create", "b.md"),
    ("notes", "edit", "a.md"),
)


@pytest.fixture
def written(shell: Shell) -> Shell:
    """With a memory and a note that a pipe could blank."""
    shell.done("memory", "save", "scout", given=GOOD.encode())
    shell.done("notes", "create", "a.md", given=GOOD.encode())
    return shell


@pytest.mark.parametrize("words", WRITES, ids=" ".join)
def test_an_empty_pipe_writes_nothing_shell_01(written: Shell, words: tuple[str, ...]) -> None:
    before = written.all_that_is_stored(), written.done("notes", "show", "a.md").out
    for how in ((), ("--yes-to", "markers"), ("-",)):
        result = written(*words, *how)
        assert (result.code, result.err) == (
            REFUSED,
            "Standard input was empty, so nothing was written; if it is meant to be empty, say --yes-to empty or name an empty file.\n",
        )
    assert (written.all_that_is_stored(), written.done("notes", "show", "a.md").out) == before


@pytest.mark.parametrize("words", WRITES, ids=" ".join)
@pytest.mark.parametrize("how", ["word", "file"])
def test_an_empty_text_that_is_meant_is_written_shell_01(
    written: Shell, tmp_path: Path, words: tuple[str, ...], how: str
) -> None:
    empty = tmp_path / "empty.md"
    empty.touch()
    written.done(*words, *(("--yes-to", "empty") if how == "word" else (str(empty),)))


def test_a_named_pipe_that_brings_nothing_is_no_empty_file(written: Shell, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    thread = threading.Thread(target=lambda: pipe.open("wb").close())
    thread.start()
    result = written("memory", "save", "scout", pipe)
    thread.join()
    assert (result.code, f"{pipe} was empty" in result.err) == (REFUSED, True)


@pytest.mark.parametrize(
    "words", [("collections", "write", "leads"), ("agents", "set", "scout", "--from", "-")], ids=" ".join
)
def test_nothing_is_no_json(shell: Shell, words: tuple[str, ...]) -> None:
    shell.done("collections", "create", "leads", "--column", "x")
    result = shell(*words)
    assert (result.code, "Standard input was empty, so nothing was written; name a file." in result.err) == (
        REFUSED,
        True,
    )


def test_blanks_through_a_pipe_are_asked_about(written: Shell) -> None:
    asked(written("memory", "save", "scout", "--json", given=b"\n"), "empty")


# --- a draft of somebody else (shell-02) ---


def test_a_draft_of_somebody_else_is_not_written_over_shell_02(shell: Shell) -> None:
    shell.done("task", "draft", "scout", given=b"Ana's.\n")
    shell.done("task", "draft", "scout", given=b"Ana's, again.\n")  # one's own goes without a word
    ben = ("--operator", "Ben", "task", "draft", "scout")
    refused = shell(*ben, "--json", given=b"Ben's.\n")
    assert (refused.code, refused.error["kind"]) == (STALE, "stale")
    assert "is by operator Ana, kept 2026-09-13T09:00:12Z" in refused.error["message"]
    assert shell.done("task", "show", "scout", "--draft").out == b"Ana's, again.\n"
    wrong = shell(*ben, "--expect", "0" * 64, given=b"Ben's.\n")
    assert wrong.code == STALE
    assert shell(*ben, "--expect", "0" * 64, "--force", given=b"x").code == USAGE
    read = shell.done("task", "show", "scout", "--draft", "--json").json["sha256"]
    shell.done(*ben, "--expect", read, given=b"Ben's.\n")
    assert shell.done("task", "show", "scout", "--draft").out == b"Ben's.\n"
    assert shell("task", "draft", "scout", given=b"Ana's third.\n").code == STALE
    shell.done("task", "draft", "scout", "--force", given=b"Ana's third.\n")


def test_what_was_replaced_or_discarded_is_brought_back_shell_02(shell: Shell) -> None:
    assert shell("task", "drafts", "scout").err == "No draft was replaced or discarded.\n"
    shell.done("task", "draft", "scout", given=b"Ana's.\n")
    shell.done("--operator", "Ben", "task", "draft", "scout", "--force", given=b"Ben's.\n")
    shell.done("task", "discard", "scout")
    listed = shell.done("task", "drafts", "scout", "--json").json
    assert [(one["number"], one["author"]["name"], one["gone_by"]["name"]) for one in listed] == [
        (2, "Ben", "Ana"),
        (1, "Ana", "Ben"),
    ]
    assert "operator Ben" in shell.done("task", "drafts", "scout").text
    assert shell.done("task", "drafts", "scout", 1).out == b"Ana's.\n"
    assert shell.done("task", "drafts", "scout", 1, "--json").json["text"] == "Ana's.\n"
    shell.done("task", "draft", "scout", "--restore", 2)
    assert shell.done("task", "show", "scout", "--draft").out == b"Ben's.\n"
    assert shell("--operator", "Ben", "task", "draft", "scout", "--restore", 1).code == STALE
    shell.done("--operator", "Ben", "task", "draft", "scout", "--restore", 1, "--force")
    assert shell.done("task", "show", "scout", "--draft").out == b"Ana's.\n"
    for words in (("drafts", "scout", 99), ("draft", "scout", "--restore", 99)):
        assert shell("task", *words).code == NOT_FOUND
    assert shell("task", "draft", "scout", "file.md", "--restore", 1).code == USAGE
