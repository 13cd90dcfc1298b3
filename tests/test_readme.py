"""The README is the manual: what it says of the program is what the program says of itself."""

import re
import shlex
from pathlib import Path

import pytest

from studio.api.routes import reference as routes
from studio.cli.main import PROGRAM, program
from studio.cli.reference import reference

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = sorted(
    {line for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL) for line in block.splitlines()}
)


def test_the_reference_is_the_programs_own() -> None:
    assert f"```text\n{reference()}```" in README


def test_the_routes_are_the_servers_own() -> None:
    assert f"```text\n{routes()}```" in README


@pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith(f"{PROGRAM} ")])
def test_a_command_of_the_cookbook_is_one_that_the_program_takes(line: str) -> None:
    """Each line is parsed as the program would, without being carried out; what a shell puts in place of a `$(sha256sum …)` is one, and
    what it writes to a file is no word of ours."""
    command, words = program(), shlex.split(re.sub(r"\$\(sha256sum .*?\)", "0" * 64, line).partition(" > ")[0])[1:]
    while words and hasattr(command, "commands") and words[0] in command.commands:
        command, words = command.commands[words[0]], words[1:]
    assert not hasattr(command, "commands"), f"{line} names no verb"
    command.make_context(line, list(words), resilient_parsing=False)


def test_the_two_commands_of_a_newcomer_are_there() -> None:
    assert "pip install -e . && studio serve" in COMMANDS
    assert 'pip install -e ".[test]" && pytest' in COMMANDS


def test_every_file_it_points_at_is_there() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
