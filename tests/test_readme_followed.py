"""A newcomer who types what the README prints, in order, gets what it promises: with a store named in STUDIO_DB, and without."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli_shell import NOW

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PLACEHOLDER = re.compile(r"\b(?:REPO|RUN|TOKEN|URL)\b|^pip |^curl |studio serve|studio api")
"""What is a reader's own, what installs, and what serves until it is stopped: other tests run those."""


class Newcomer:
    """Somebody with a terminal: a home with a repository in it, an empty folder, and the program on the path."""

    def __init__(self, home: Path, store: Path | None) -> None:
        self.home = home
        self.folder = home / "work"
        self.folder.mkdir(parents=True)
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        who = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in WHO.items()}
        self.environment = {"HOME": str(home), "PATH": path, "LANG": "C.UTF-8", "STUDIO_NOW": NOW, **who}
        if store is not None:
            self.environment["STUDIO_DB"] = str(store)

    def types(self, line: str) -> subprocess.CompletedProcess[str]:
        """Carry out what is typed."""
        return subprocess.run(
            ["bash", "-c", line], cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )

    def has_a_repository(self) -> None:
        """An agent's file with two versions."""
        code = self.home / "code" / "my-agent"
        for line in (
            f"git init --quiet {code}",
            f"cd {code} && echo 'Be brief.' > CLAUDE.md && git add . && git commit --quiet --message One",
            f"cd {code} && echo 'Be kind.' >> CLAUDE.md && git commit --quiet --all --message Two",
        ):
            assert self.types(line).returncode == 0


WHO = {"NAME": "Ana", "EMAIL": "ana@example.org"}


def lines_of(heading: str) -> list[str]:
    """The lines that a section asks its reader to type, at whatever level its heading is."""
    level, title = heading.split(" ", 1)
    after = README.partition(f"\n{level} {title}\n")[2]
    assert after, heading
    section = re.split(rf"^#{{1,{len(level)}}} ", after, maxsplit=1, flags=re.MULTILINE)[0]
    blocks = re.findall(r"```console\n(.*?)```", section, re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if not PLACEHOLDER.search(line)]


@pytest.fixture
def demo(tmp_path: Path) -> Newcomer:
    """Who has made the demo's store, as `studio serve` does, and named it as that says."""
    reader = Newcomer(tmp_path, tmp_path / ".local" / "share" / "prompt-studio" / "demo.duckdb")
    del reader.environment["STUDIO_DB"]
    made = reader.types(
        f"{sys.executable} -c 'from studio.actions.open import open_for_serving as o; print(o().studio.path)'"
    )
    assert made.returncode == 0, made.stderr
    reader.environment["STUDIO_DB"] = made.stdout.strip()
    return reader


@pytest.mark.parametrize("named", [False, True], ids=["without STUDIO_DB", "with STUDIO_DB"])
def test_the_quick_start_brings_a_history_into_the_store_that_is_served_next(tmp_path: Path, *, named: bool) -> None:
    store = tmp_path / "team.duckdb" if named else None
    reader = Newcomer(tmp_path / "home", store)
    reader.has_a_repository()
    (line,) = lines_of("## Quick start")
    told = reader.types(line)
    assert (told.returncode, told.stderr) == (0, "")
    assert "Imported 2 versions into my-agent" in told.stdout
    asked = f"{sys.executable} -c 'from studio.actions.open import open_for_serving as o; print(o().demo)'"
    assert reader.types(asked).stdout == "False\n"
    assert store is None or store.exists()


def test_a_history_that_goes_into_the_demo_is_told(demo: Newcomer) -> None:
    demo.has_a_repository()
    (line,) = lines_of("## Quick start")
    told = demo.types(line)
    assert told.returncode == 0
    assert "This goes into the demo's store" in told.stderr


COOKBOOK = [
    "### See who changed an agent's memory",
    "### Change a memory, or bring an old text back",
    "### Draft and publish a Task",
    "### What is asked before a text goes live",
    "### Read the prompt as the model does",
    "### Import histories",
    "### Keep a memory directory",
    "### Let a repository be an agent's memory",
    "### Find what went round the hook",
    "### Notes, tables and what State shows",
    "### Run an agent",
    "### Back up, and stop",
]


def test_each_recipe_of_the_cookbook_runs_as_it_is_printed(demo: Newcomer, tmp_path: Path) -> None:
    demo.has_a_repository()
    (given,) = [block for block in re.findall(r"```json\n(.*?)```", README, re.DOTALL) if '"bindings"' in block]
    (demo.folder / "watchkeeper.json").write_text(given)
    wrong = []
    for heading in COOKBOOK:
        for line in lines_of(heading):
            told = demo.types(line.replace("/backups/", f"{tmp_path}/"))
            if told.returncode != 0 and not (
                told.returncode == 1 and " dir " in line
            ):  # a check or an audit found something
                wrong.append((line, told.returncode, told.stderr))
    assert wrong == []
