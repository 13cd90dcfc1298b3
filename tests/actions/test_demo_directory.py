"""The demo's memory directory shows what data/README.md says, and the demo does without it where git is missing."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.actions.directory import checking, tending
from studio.actions.open import DEMO_DIRECTORIES, open_for_serving
from studio.actions.studio import Studio
from studio.domain.directory.hooks import HookState
from studio.git import run

NAME = "quartermaster"
README = (Path(__file__).parents[2] / "data" / "README.md").read_text("utf-8")


@pytest.fixture(scope="module")
def data_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the demo lies for this module."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def demo(data_home: Path) -> Iterator[Studio]:
    """The demo as `studio serve` opens it, made once."""
    with open_for_serving(environment={"XDG_DATA_HOME": str(data_home)}).studio as studio:
        yield studio


@pytest.fixture
def repository(demo: Studio) -> str:
    """The quartermaster's repository."""
    return demo.directories.get(NAME).link.path


def test_its_versions_are_those_that_the_page_counts(demo: Studio) -> None:
    """Decision 1: version k is the compiled text at the k-th first-parent commit that changed it; decision 3: authors have evidence."""
    versions = demo.list_memory_versions(NAME)
    assert f"| {NAME} | {len(versions)} |" in README
    assert Counter(version.author.name for version in versions) == {
        "quartermaster[bot]": 11,
        "Maëlle": 3,
        "Torvald": 1,
    }
    assert {version.author.kind.value for version in versions if version.author.name == "quartermaster[bot]"} == {
        "agent"
    }
    numbers = {version.number: version.author.name for version in versions}
    assert (numbers[7], numbers[8], numbers[14]) == ("quartermaster[bot]", "Maëlle", "quartermaster[bot]")


def test_head_passes_the_hook_and_the_writing_rules_find_the_diary_and_the_lost_folder(
    demo: Studio, repository: str
) -> None:
    assert checking.check_directory(repository).findings == ()
    assert checking.hook_status(repository).state is HookState.INSTALLED
    assert run(repository, "status", "--porcelain") == b""
    found = {(one.kind, one.path) for one in demo.directories.advise(NAME).findings}
    assert {("append_only", "log.md"), ("directory_not_named", "MEMORY.md"), ("near_limit", ".")} <= found
    assert {path for _, path in found} == {".", "MEMORY.md", "log.md"}


def test_the_audit_finds_the_two_commits_that_went_round_the_hook(repository: str) -> None:
    audit = tending.audit_directory(repository)
    assert audit.commits == 18
    assert f"in {audit.commits} commits" in README
    told = [(one.author.name, [finding.kind for finding in one.findings]) for one in audit.round_the_hook]
    assert told == [("quartermaster[bot]", ["read_only_changed"]), ("Maëlle", ["read_only_changed"])]


def test_without_git_the_demo_has_seven_agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with open_for_serving(environment={"XDG_DATA_HOME": str(tmp_path / "data")}).studio as studio:
        assert studio.count_agents() == 7
        assert studio.list_agents(NAME) == ()


@pytest.mark.parametrize("left", ["an empty folder", "a file", "a repository without commits"])
def test_what_an_earlier_demo_left_and_is_of_no_use_is_done_without(tmp_path: Path, left: str) -> None:
    there = tmp_path / "prompt-studio" / DEMO_DIRECTORIES / NAME
    there.parent.mkdir(parents=True)
    if left == "a file":
        there.write_text("mine")
    else:
        there.mkdir()
    if left == "a repository without commits":
        run(str(there), "init", "--quiet")
    with open_for_serving(environment={"XDG_DATA_HOME": str(tmp_path)}).studio as studio:
        assert studio.list_agents(NAME) == ()


def test_a_template_of_the_users_with_a_filter_and_hooks_converts_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    template = tmp_path / "template"
    (template / "info").mkdir(parents=True)
    (template / "info" / "attributes").write_text("*.md filter=shout\n")
    settings = tmp_path / "gitconfig"
    shout = f"touch {tmp_path / 'ran'}; tr a-z A-Z"
    settings.write_text(f'[init]\ntemplateDir = {template}\n[filter "shout"]\nsmudge = "{shout}"\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    with open_for_serving(environment={"XDG_DATA_HOME": str(tmp_path / "data")}).studio as studio:
        folder = Path(studio.directories.get(NAME).link.path)
    assert "You keep the depot" in (folder / "persona.md").read_text("utf-8")
    assert not (tmp_path / "ran").exists()


def test_it_is_the_readers_to_change_and_stays_when_the_demo_is_made_again(tmp_path: Path) -> None:
    environment = {"XDG_DATA_HOME": str(tmp_path)}
    index = "- moorings/ — the size of a shackle, the chain or the weight of a mooring\n"
    with open_for_serving(environment=environment).studio as studio:
        done = studio.directories.edit(NAME, "MEMORY.md", index, "Name the moorings", force=True)
        assert (done.changed, done.version) == (True, 16)
    for file in (tmp_path / "prompt-studio").glob("demo.duckdb*"):
        file.unlink()
    with open_for_serving(environment=environment).studio as studio:
        assert studio.list_memory_versions(NAME)[0].number == 16
