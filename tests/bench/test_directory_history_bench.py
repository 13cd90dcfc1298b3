"""500 commits over 1,061 files: the audit and the history, against git's own walk over them in the same run (issue 5, Speed)."""

import random

import pytest
from big_directory import big_directory
from directory_repository import MemoryRepository, note
from speed import Line, SpeedTable, in_turn

from studio import git
from studio.memfs import history
from studio.memfs.audit import audit_commits

FILES, COMMITS = 1_061, 500
AUDIT_AIM_SECONDS = 10
HISTORY_TIMES_GIT, HISTORY_SECONDS = 10, 1
TURNS = 3


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> MemoryRepository:
    """Each commit rewrites two deferred files, and every second one a block."""
    made = big_directory(tmp_path_factory.mktemp("big") / "memory", FILES)
    dice = random.Random(500)
    deferred = [path for path in made.git("ls-files").splitlines() if "/note" in path]
    stream = []
    for number in range(COMMITS - 1):
        stamp = f"Ana <ana@example.org> {1_700_000_000 + 60 * number} +0000"
        stream.append(f"commit refs/heads/main\nauthor {stamp}\ncommitter {stamp}\ndata 6\nchange\n")
        stream.append("from refs/heads/main^0\n" if not number else "")
        blocks = [f"block{dice.randrange(10)}.md"] if number % 2 else []
        for path in (*dice.sample(deferred, 2), *blocks):
            text = note(f"Sharper in turn {number}, because people skim.\n" * dice.randint(5, 30))
            stream.append(f"M 100644 inline {path}\ndata {len(text.encode())}\n{text}\n")
    made.git("fast-import", "--quiet", given="".join(stream).encode())
    made.git("reset", "--quiet", "--hard")
    return made


def test_auditing_every_commit(memory: MemoryRepository, speed_table: SpeedTable) -> None:
    repo = git.open_repository(memory.folder)
    ours, plain = in_turn(TURNS, lambda _: audit_commits(repo), lambda _: log_with_texts(memory))
    assert audit_commits(repo).commits == COMMITS
    speed_table.add(
        Line(
            f"audit of {COMMITS} commits, {FILES:,} files", ours, "git log -p", plain, f"at most {AUDIT_AIM_SECONDS} s"
        )
    )
    assert ours.best <= AUDIT_AIM_SECONDS


def test_reading_the_history(memory: MemoryRepository, speed_table: SpeedTable) -> None:
    repo = git.open_repository(memory.folder)

    def read(_: int) -> None:
        history._cached.clear()
        history.read_history(repo)

    ours, plain = in_turn(TURNS, read, lambda _: log_with_texts(memory))
    assert len(history.read_history(repo).versions) == COMMITS // 2
    limit = f"at most {HISTORY_TIMES_GIT} times and {HISTORY_SECONDS} s"
    speed_table.add(Line(f"history of {COMMITS} commits, {FILES:,} files", ours, "git log -p", plain, limit))
    assert ours.best <= HISTORY_TIMES_GIT * plain.best + HISTORY_SECONDS


def log_with_texts(memory: MemoryRepository) -> None:
    memory.git("log", "--first-parent", "-p", "--numstat")
