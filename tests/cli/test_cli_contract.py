"""What holds for every command: where options stand, which store is opened, how errors are said, what help holds."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from builders import blank_file
from cli_shell import Result, Shell

import studio.cli.session as session_module
from studio.cli import exits
from studio.cli.main import program
from studio.cli.reference import reference
from studio.errors import StudioError


def commands(command: Any = None, path: str = "studio") -> list[tuple[str, Any]]:
    """Every command with its words."""
    command = command or program()
    below = getattr(command, "commands", {})
    return (
        [one for verb, sub in below.items() for one in commands(sub, f"{path} {verb}")] if below else [(path, command)]
    )


COMMANDS = commands()
VERBS = [
    "serve", "api", "token create", "token list", "token revoke",
    "agents list", "agents create", "agents show", "agents set", "memory list", "memory show", "memory diff",
    "memory save", "memory restore", "memory write", "memory archive", "task show", "task list", "task diff", "task draft",
    "task review", "task publish", "task restore", "task discard", "prompt preview", "notes list", "notes show",
    "notes create", "notes edit", "notes move", "notes delete", "notes find", "collections list", "collections show",
    "collections create", "collections records", "collections write", "import history", "import git",
]  # fmt: skip


def test_the_verbs_of_the_contract_are_there() -> None:
    assert {f"studio {verb}" for verb in VERBS} <= {path for path, _ in COMMANDS}


@pytest.mark.parametrize(("path", "command"), COMMANDS, ids=[path for path, _ in COMMANDS])
def test_help_has_a_sentence_an_example_of_itself_and_the_shared_options(
    path: str, command: Any, tmp_path: Path
) -> None:
    shown = Shell(tmp_path)(*path.split()[1:], "--help")
    assert shown.code == 0
    example = " ".join(shown.text.split()).partition("Example: ")[2]
    assert f"{path} " in f"{example} "
    assert all(option in shown.text for option in ("--db", "--prompts", "--operator"))
    assert ("--json" in shown.text) == (path not in ("studio serve", "studio api"))
    assert command.help.split("\n")[0].endswith(".")


def test_the_reference_names_every_command_with_its_own_options() -> None:
    lines = reference().splitlines()
    assert next(line for line in lines if line.startswith("studio ")) == (
        "studio serve [--port N] [--address ADDRESS] [--host NAME]… [--no-browser]"
    )
    assert len([line for line in lines if line.startswith("studio ")]) == len(COMMANDS)
    assert "studio memory save AGENT [FILE] [--expect SHA256] [--force] [--yes-to WORDS]" in lines
    assert any(
        line.startswith("studio import git REPO --path FILE [--agent NAME] [--agent-author GLOB]…") for line in lines
    )
    assert "studio prompt preview AGENT [--kind direct|group|schedule]" in lines


def test_version(shell: Shell) -> None:
    assert shell.done("--version").text == "prompt-studio 0.1.0\n"


# --- where the store is -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [("--db", "{}", "agents", "list", "--json"), ("agents", "list", "--json", "--db", "{}")],
    ids=["before the noun", "after the verb"],
)
def test_db_goes_before_the_environment_wherever_it_stands(
    shell: Shell, words: tuple[str, ...], tmp_path: Path
) -> None:
    other = blank_file(tmp_path)
    assert shell.done(*(word.format(other) for word in words)).json == []
    assert len(shell.done("agents", "list", "--json").json) == 1


def test_what_stands_after_the_verb_goes_before_what_stands_before_the_noun(shell: Shell, tmp_path: Path) -> None:
    words = ("--db", tmp_path / "no" / "such.duckdb", "agents", "list", "--json", "--db", shell.store)
    assert len(shell.done(*words).json) == 1


def test_without_db_and_variable_the_store_is_in_the_data_folder(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    del shell.environment["STUDIO_DB"]
    shell.done("agents", "create", "scout")
    assert (tmp_path / "data" / "prompt-studio" / "studio.duckdb").exists()


@pytest.mark.parametrize(
    "words",
    [("--operator", "Ben", "memory", "save", "scout"), ("memory", "save", "scout", "--operator", "Ben")],
    ids=["before the noun", "after the verb"],
)
def test_operator_goes_before_the_environment_decision_4(shell: Shell, words: tuple[str, ...]) -> None:
    shell.done(*words, given=b"x")
    assert shell.done("memory", "list", "scout", "--json").json[0]["author"]["name"] == "Ben"


def test_prompts_are_read_from_the_folder_named(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "system.md").write_text("Be brief.\n")
    shown = shell.done("prompt", "preview", "scout", "--prompts", tmp_path).text
    assert shown.startswith("<guidelines>\nBe brief.\n")


def test_studio_now_is_the_clock(shell: Shell) -> None:
    shell.done("memory", "save", "scout", given=b"x", STUDIO_NOW="2027-01-02T03:04:05+01:00")
    assert shell.done("memory", "list", "scout", "--json").json[0]["at"] == "2027-01-02T02:04:05Z"


# --- how errors are said ------------------------------------------------------------------------------------------------


def test_every_exit_code_is_named_where_help_is_asked_for(shell: Shell) -> None:
    codes = {
        exits.DONE: "done",
        exits.FINDINGS: "findings",
        exits.USAGE: "usage",
        exits.NOT_DONE: "refused",
        exits.FAULT: "fault",
    }
    said = " ".join(shell.done("--help").text.split())
    assert " ".join(exits.EXIT_CODES.split()) in said
    assert list(codes) == [0, 1, 2, 3, 4]
    assert all(f"{code} " in said.partition("Exit codes:")[2] and word in said for code, word in codes.items())


@pytest.mark.parametrize("family", StudioError.__subclasses__(), ids=lambda family: family.__name__)
def test_what_is_refused_not_found_stale_busy_or_damaged_ends_with_3(
    family: type[StudioError], capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(_: object) -> None:
        raise family("Told in a sentence.")

    assert exits.run(refuse, []) == 3
    assert capsys.readouterr().err == "Told in a sentence.\n"


def test_an_error_is_json_on_standard_error_where_json_was_asked_for(shell: Shell) -> None:
    result = shell("memory", "show", "nobody", "--json")
    assert (result.code, result.out) == (3, b"")
    assert result.error == {
        "kind": "not_found",
        "message": "There is no agent 'nobody'; 'studio agents list' shows those there are.",
    }


@pytest.mark.parametrize("path", ["studio", "studio memory", "studio memory list", "studio serve", "studio dir hook"])
def test_h_is_help_at_every_level(shell: Shell, path: str) -> None:
    words = path.split()[1:]
    assert shell.done(*words, "-h").text == shell.done(*words, "--help").text
    assert "-h, --help" in shell.done(*words, "-h").text


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("studio mem", "memory"),
        ("studio memory sa", "save"),
        ("studio memory save --fo", "--force"),
        ("studio dir hook i", "install"),
    ],
)
def test_a_shell_completes_nouns_verbs_and_options(shell: Shell, typed: str, offered: str) -> None:
    at = str(len(typed.split()) - 1)
    told = shell.program(_STUDIO_COMPLETE="complete_bash", COMP_WORDS=typed, COMP_CWORD=at)
    assert offered in told.text.splitlines()


def test_an_agent_that_was_mistyped_is_offered(shell: Shell) -> None:
    shell.done("agents", "create", "watchkeeper")
    for typed in ("watchkeper", "Watchkeeper", "watch"):
        told = shell("memory", "list", typed)
        assert (told.code, f"There is no agent {typed!r}; did you mean watchkeeper?" in told.err) == (3, True)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("xyzzy",), "No such command 'xyzzy'; see 'studio --help'."),
        (("memory", "lst"), "No such command 'lst'; did you mean 'list'?"),
        (("memory", "list"), "Missing argument 'AGENT'; see 'studio memory list --help'."),
        (("memory", "list", "scout", "--wibble"), "No such option: --wibble; see 'studio memory list --help'."),
        (("memory", "diff", "scout", "1", "x"), "Invalid value for 'B'"),
        (
            ("memory", "save", "scout", "--db", ""),
            "Invalid value for '--db': it is empty; see 'studio memory save --help'.",
        ),
        (("import", "git", "."), "Missing option '--path'; see 'studio import git --help'."),
        (("agents", "set", "scout"), "name at least one setting to change"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_wrong_command_line_is_exit_2_and_one_sentence(shell: Shell, words: tuple[str, ...], says: str) -> None:
    result = shell(*words)
    assert (result.code, result.out) == (2, b"")
    assert says in result.err
    assert result.err.count("\n") == 1
    as_json = shell(*words, "--json")
    assert as_json.code == 2
    assert as_json.error["kind"] == "usage"


@pytest.mark.parametrize("words", [(), ("memory",)], ids=["nothing", "a noun"])
def test_a_line_without_a_verb_shows_the_help_as_a_usage_error(shell: Shell, words: tuple[str, ...]) -> None:
    result = shell(*words)
    assert (result.code, result.out) == (2, b"")
    assert result.err.startswith("Usage: studio")


def test_hostile_names_cannot_steer_the_terminal(shell: Shell) -> None:
    result = shell("memory", "show", "a\x1b[31mb\u202ec\nd")
    assert result.err.count("\n") == 1
    assert all(character not in result.err for character in "\x1b\u202e")


def boom(*_: object, **__: object) -> None:
    raise ZeroDivisionError


def test_a_fault_of_ours_is_one_sentence_without_a_traceback(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "open_studio", boom)
    result = shell("agents", "list")
    assert result.code == 4
    assert result.err == (
        "A fault of ours stopped this command (ZeroDivisionError);"
        " run it again with STUDIO_DEBUG=1 to see where, and report that.\n"
    )
    assert shell("agents", "list", "--json").error["kind"] == "fault"
    with pytest.raises(ZeroDivisionError):
        shell("agents", "list", STUDIO_DEBUG="1")


def test_the_program_and_the_module_are_the_same(shell: Shell) -> None:
    result = shell.program("memory", "show", "nobody")
    assert (result.code, result.out, result.err.count("\n")) == (3, b"", 1)
    script = Path(sys.executable).parent / "studio"
    if not script.exists():
        pytest.skip("the package is not installed here, so there is no program of its name")
    done = subprocess.run([script, "--version"], capture_output=True, check=True)
    assert done.stdout == b"prompt-studio 0.1.0\n"


def test_json_is_utf_8_whatever_the_locale(shell: Shell) -> None:
    shell.done("agents", "create", "ガイド")
    result: Result = shell.program("agents", "list", "--json", LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (result.code, result.err) == (0, "")
    assert "ガイド" in [agent["name"] for agent in json.loads(result.out)]
    table = shell.program("agents", "list", LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert "ガイド" in table.text
