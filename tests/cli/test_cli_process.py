"""What only a process shows: start-up, pipes, terminals, interrupts and two commands on one store."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from cli_shell import Given, Shell

HEAVY = {
    "panel",
    "bokeh",
    "tornado",
    "pandas",
    "numpy",
    "markdown",
    "nh3",
    "ipywidgets",
    "matplotlib",
    "IPython",
    "rich",
}
LOADED = """
import sys
from studio.cli.main import main
code = main(sys.argv[1:])
print(*sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
sys.exit(code)
"""


def start(shell: Shell, *command: object, **pipes: int) -> subprocess.Popen[bytes]:
    """A program that runs while the test does something else."""
    words = [sys.executable, "-m", "studio", *[str(word) for word in command]]
    return subprocess.Popen(words, env=shell._environment({}), cwd=shell.folder, **pipes)  # type: ignore[call-overload,no-any-return]


def test_listing_loads_nothing_heavy(shell: Shell) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, "memory", "list", "scout", "--json"],
        capture_output=True,
        env=shell._environment({}),
        check=True,
    )
    assert not HEAVY & set(done.stderr.decode().split())


def test_a_reader_that_stops_reading_is_no_error(shell: Shell) -> None:
    shell.done("memory", "save", "scout", given=b"line\n" * 100_000)
    process = start(shell, "memory", "show", "scout", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    assert process.wait() == 0
    process.stderr.close()


@pytest.mark.parametrize(
    ("line", "code", "out", "err"),
    [
        ("memory list scout > /dev/full", 3, "", "Standard output did not take the result: No space left on device.\n"),
        ("memory list scout >&-", 3, "", "Standard output did not take the result: it is closed.\n"),
        ("memory list scout --json >&-", 3, "", "{"),
        ("memory save scout <&-", 3, "", "Cannot read standard input: it is closed.\n"),
        ("memory show nobody 2>&-", 3, "", ""),
        ("memory show nobody 2> /dev/full", 3, "", ""),
        ("memory save scout --force </etc/passwd 2>&-", 0, "Saved as version 2.\n", ""),
    ],
    ids=["full-disk", "no-output", "no-output-json", "no-input", "no-error", "full-error", "save-without-error"],
)
def test_streams_that_are_closed_or_full(shell: Shell, line: str, code: int, out: str, err: str) -> None:
    command = f"{sys.executable} -m studio {line}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, env=shell._environment({}), check=False)
    assert (done.returncode, done.stdout.decode()) == (code, out)
    assert done.stderr.decode().startswith(err)
    assert b"Traceback" not in done.stderr


def test_an_interrupt_ends_quietly_and_writes_nothing(shell: Shell) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    result = shell("memory", "save", "scout", given=Given(b"x", interrupt))
    assert (result.code, result.out, result.err) == (130, b"", "")
    assert len(shell.done("memory", "list", "scout", "--json").json) == 1


def test_two_commands_of_a_pipe_share_the_store(shell: Shell) -> None:
    shell.done("memory", "save", "scout", given=b"one\n")
    studio = f"{sys.executable} -m studio"
    line = f"set -o pipefail; {studio} memory show scout | sed s/one/two/ | {studio} memory save scout --json"
    done = subprocess.run(["bash", "-c", line], capture_output=True, env=shell._environment({}), check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert shell.done("memory", "show", "scout").out == b"two\n"


def test_a_store_held_by_another_process_is_busy_and_names_it(shell: Shell) -> None:
    hold = (
        "import sys; from studio import open_studio; held = open_studio(); print('open', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", hold], env=shell._environment({}), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"open\n"
    result = shell("memory", "save", "scout", "--force", "--json", given=b"x")
    assert result.code == 3
    assert result.error["kind"] == "busy"
    assert f"the process {holder.pid}" in result.error["message"]
    holder.communicate()
    assert shell.done("memory", "show", "scout").out == b""


# --- terminals ----------------------------------------------------------------------------------------------------------


def on_a_terminal(shell: Shell, *words: str, which: str = "stdout", **environment: str) -> str:
    """What a command writes to a terminal."""
    ours, theirs = pty.openpty()
    other = {"stdout": "stderr", "stderr": "stdout"}[which]
    process = subprocess.Popen(
        [sys.executable, "-m", "studio", *words],
        env=shell._environment({"TERM": "xterm", **environment}),
        stdin=subprocess.DEVNULL,
        **{which: theirs, other: subprocess.DEVNULL},  # type: ignore[call-overload]
    )
    os.close(theirs)
    shown = b""
    try:
        while chunk := os.read(ours, 65536):
            shown += chunk
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    assert process.wait() == 0
    return shown.decode()


def test_a_table_is_coloured_on_a_terminal_only(shell: Shell) -> None:
    assert "\x1b[1mVERSION" in on_a_terminal(shell, "memory", "list", "scout")
    assert "\x1b" not in on_a_terminal(shell, "memory", "list", "scout", NO_COLOR="1")
    assert "\x1b" not in shell.done("memory", "list", "scout").text


def test_a_patch_is_never_coloured(shell: Shell) -> None:
    shell.done("memory", "save", "scout", given=b"x\n")
    assert "\x1b" not in on_a_terminal(shell, "memory", "diff", "scout", "1", "2")


def test_a_default_store_is_named_where_a_person_reads_along(shell: Shell, tmp_path: Path) -> None:
    default = tmp_path / "data" / "prompt-studio" / "studio.duckdb"
    shell.done("agents", "create", "scout", STUDIO_DB="")
    named = on_a_terminal(shell, "agents", "list", "--json", which="stderr", STUDIO_DB="")
    assert named.replace("\r\n", "\n") == f"Store: {default}\n"
    assert on_a_terminal(shell, "agents", "list", "--json", which="stderr") == ""


def test_an_import_shows_its_progress_on_a_terminal(shell: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "repository"
    subprocess.run(["git", "init", "--quiet", folder], check=True)
    (folder / "CLAUDE.md").write_text("# Notes\n")
    subprocess.run(["git", "-C", folder, "add", "."], check=True)
    person = ("-c", "user.name=Ana", "-c", "user.email=ana@example.org")
    subprocess.run(["git", "-C", folder, *person, "commit", "--quiet", "-m", "first"], check=True)
    words = ("import", "git", str(folder), "--path", "CLAUDE.md", "--agent", "claude")
    assert "Reading versions" in on_a_terminal(shell, *words, which="stderr")


def test_escapes_in_a_text_do_not_steer_a_terminal(shell: Shell) -> None:
    hostile = b"\x1b[31mred\x1b]0;title\x07\n\ttab\n"
    shell.done("memory", "save", "scout", given=hostile)
    for words in (("memory", "show", "scout"), ("memory", "diff", "scout", "1", "2")):
        shown = on_a_terminal(shell, *words)
        assert "\x1b" not in shown
        assert "\\x1b[31mred" in shown
        assert "\ttab" in shown
    assert shell.done("memory", "show", "scout").out == hostile


def test_names_are_read_as_utf_8_whatever_the_locale(shell: Shell) -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "studio", "agents", "create", "Zoë", "--json"]
    made = subprocess.run(command, env=shell._environment(plain), capture_output=True, check=True)
    assert json.loads(made.stdout)["name"] == "Zoë"
    asked = [sys.executable, "-m", "studio", "memory", "list", "Zoë", "--author", "operator:💥", "--json"]
    refused = subprocess.run(asked, env=shell._environment(plain), capture_output=True, check=False)
    assert json.loads(refused.stderr)["error"]["kind"] == "not_found"


@pytest.mark.parametrize("words", ["notes list --json", "agents show scout --json"])
def test_json_cannot_steer_a_terminal_and_means_the_same(shell: Shell, words: str) -> None:
    hostile = "a\u009b31mb\u202ec\x7f\U000e0041\u2028d"
    shell.done("notes", "create", "x.md", "--title", hostile, given=b"x")
    shell.done("agents", "set", "scout", "--focus", hostile)
    told = on_a_terminal(shell, *words.split()).replace("\r\n", "\n")
    assert [character for character in told if character != "\n" and not character.isprintable()] == []
    assert json.loads(told) == shell.done(*words.split()).json
