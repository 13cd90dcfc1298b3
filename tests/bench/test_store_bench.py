"""Reading and writing in a store of 10,000 agents with 51 versions of 8 KB each, against git on one file (issue 2, Speed)."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from big_store import AGENTS, NOW, REVISIONS, big_store
from speed import Line, SpeedTable, in_turn

from studio import Studio, open_studio

TIMES = 25
"""How often each thing is measured, each time with another agent."""
LIST_AT_MOST = 0.5
SAVE_AT_MOST = 2.0
CLICK_AT_MOST = 6.0
"""On a machine where git takes 15 ms for one file's log, these are 90 ms: less than a person notices."""


def agent_of(turn: int, start: int) -> str:
    """Another agent for each turn, spread over the store; each test starts elsewhere."""
    return f"a_{(start + turn * 331) % AGENTS:06d}"


@pytest.fixture(scope="session")
def studio() -> Iterator[Studio]:
    with open_studio(big_store(), operator="Ana", environment={"STUDIO_NOW": NOW.isoformat()}) as opened:
        yield opened


class Repository:
    """A repository with one file, used as a person does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        folder.mkdir()
        self("init", "--quiet")
        self("config", "user.name", "Ana")
        self("config", "user.email", "ana@example.org")

    def __call__(self, *arguments: str) -> bytes:
        command = ["git", "-C", str(self.folder), *arguments]
        return subprocess.run(command, check=True, capture_output=True, env=self.environment).stdout

    def commit(self, text: str) -> None:
        """Write the file and commit it."""
        (self.folder / "memory.md").write_text(text, encoding="utf-8")
        self("add", "memory.md")
        self("commit", "--quiet", "--message", "memory")


@pytest.fixture(scope="module")
def repository(studio: Studio, tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """The versions of one agent of the store, each a commit."""
    made = Repository(tmp_path_factory.mktemp("bench") / "repository")
    for version in reversed(studio.list_memory_versions(agent_of(0, 11))):
        made.commit(studio.get_memory_version(agent_of(0, 11), version.number).body.text or "")
    return made


def test_listing_the_versions_of_one_agent(studio: Studio, repository: Repository, speed_table: SpeedTable) -> None:
    assert len(studio.list_memory_versions(agent_of(0, 23))) == REVISIONS + 1
    assert repository("log", "--numstat", "--format=%H", "--", "memory.md").count(b"\tmemory.md") == REVISIONS + 1
    ours, peer = in_turn(
        TIMES,
        lambda turn: studio.list_memory_versions(agent_of(turn, 23)),
        lambda _: repository("log", "--numstat", "--", "memory.md"),
    )
    line = Line("list 51 versions", ours, "git log --numstat", peer, f"at most {LIST_AT_MOST}")
    assert speed_table.add(line).ratio <= LIST_AT_MOST


def test_a_save_with_archive_and_prune(studio: Studio, tmp_path: Path, speed_table: SpeedTable) -> None:
    repository = Repository(tmp_path / "repository")
    agents = [agent_of(turn, 37) for turn in range(TIMES)]
    held = [studio.get_memory_version(agent) for agent in agents]
    texts = [f"{one.body.text}- one more line, after version {one.version.number}\n" for one in held]

    def save(turn: int) -> None:
        saved = studio.save_memory(agents[turn], texts[turn], expect=held[turn].version.sha256)
        assert saved.changed

    ours, peer = in_turn(TIMES, save, lambda turn: repository.commit(texts[turn]))
    assert len(studio.list_memory_versions(agents[0])) == REVISIONS + 1
    line = Line("save, archive and prune", ours, "git add + commit", peer, f"at most {SAVE_AT_MOST}, aim 1")
    assert speed_table.add(line).ratio <= SAVE_AT_MOST


CLICKS: dict[str, Callable[[Studio, str], object]] = {
    "first page of the agent list": lambda studio, _: studio.list_agents(limit=50),
    "search the agent list": lambda studio, agent: studio.list_agents(f"region 13 {agent[-2:]}", limit=50),
    "the authors of a timeline": lambda studio, agent: studio.list_memory_authors(agent),
    "open the live version": lambda studio, agent: studio.get_memory_version(agent),
    "open version 30": lambda studio, agent: studio.get_memory_version(agent, 30),
    "the change of version 30": lambda studio, agent: studio.compare_memory(agent, 30),
    "preview the prompt": lambda studio, agent: studio.preview(agent),
}


@pytest.mark.parametrize("click", CLICKS)
def test_what_a_click_costs_the_server(
    studio: Studio, repository: Repository, speed_table: SpeedTable, click: str
) -> None:
    ours, peer = in_turn(
        TIMES,
        lambda turn: CLICKS[click](studio, agent_of(turn, 53)),
        lambda _: repository("log", "--numstat", "--", "memory.md"),
    )
    line = Line(f"{click}", ours, "git log --numstat", peer, f"at most {CLICK_AT_MOST:.0f}, aim 100 ms")
    assert speed_table.add(line).ratio <= CLICK_AT_MOST
