"""A store that many use at once: who serves it, who writes, what each was told, and what must then be in it."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builders import blank_file, context_of, open_store

from studio import Studio, Version, open_studio
from studio.domain.authors import AuthorKind
from studio.domain.settings import KEEP_ALL_REVISIONS, AgentSettings
from studio.domain.tokens import Role

ROOT = Path(__file__).parents[2]
WRITER = Path(__file__).with_name("writer.py")


@dataclass(frozen=True, slots=True)
class Team:
    """A store in a folder, and the tokens of its agents by their names."""

    folder: Path
    file: Path
    tokens: dict[str, str]

    @property
    def environment(self) -> dict[str, str]:
        """What each program of the team is started with; its operator is Ana unless it says otherwise."""
        ours = {name: value for name, value in os.environ.items() if not name.startswith("STUDIO_")}
        return {**ours, "STUDIO_DB": str(self.file), "STUDIO_OPERATOR": "Ana", "PYTHONPATH": str(ROOT)}

    @contextmanager
    def served(self, verb: str, port: int = 0) -> Iterator[str]:
        """The URL of `studio serve` or `studio api` on the store, stopped in order after the block."""
        process, url = self.serve(verb, port)
        try:
            yield url
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0

    def serve(self, verb: str, port: int) -> tuple[subprocess.Popen[str], str]:
        """A process that serves the store, once it listens, and its URL."""
        words = [verb, "--port", str(port), *(["--no-browser"] if verb == "serve" else [])]
        with (self.folder / "owner.log").open("a", encoding="utf-8") as log:
            process = self.start(sys.executable, "-m", "studio", *words, stdout=subprocess.PIPE, stderr=log)
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert url, (self.folder / "owner.log").read_text(encoding="utf-8")[-3_000:]
        return process, url

    def write(self, log: Path, what: str, agent: str, name: str, writes: int, url: str = "") -> subprocess.Popen[str]:
        """A writer, which enters into a log what was acknowledged; a runtime goes by URL and token, a person by the file."""
        given = (
            [url, agent, name, str(writes), self.tokens[agent]] if url else [str(self.file), agent, name, str(writes)]
        )
        with log.open("a", encoding="utf-8") as out:
            return self.start(sys.executable, str(WRITER), what, *given, stdout=out)

    def start(self, *command: str, **pipes: Any) -> subprocess.Popen[str]:
        """A program of the team."""
        return subprocess.Popen(command, cwd=self.folder, env=self.environment, text=True, **pipes)

    def open(self) -> Studio:
        """The store, through whoever serves it or as its owner."""
        return open_studio(self.file, operator="Ana", environment=self.environment)


def make_team(folder: Path, agents: Sequence[str]) -> Team:
    """A store with these agents, none of which ever loses a version, and a token for each."""
    file = blank_file(folder)
    with open_store(file) as studio:
        for name in agents:
            studio.create_agent(name, focus="Watch.")
            studio.configure_agent(name, AgentSettings(retention=KEEP_ALL_REVISIONS))
        tokens = {name: studio.tokens.create(f"{name}'s runtime", Role.AGENT, agent=name)[1] for name in agents}
    return Team(folder, file, tokens)


def lines_of(log: Path) -> list[dict[str, Any]]:
    """What a writer was told; a line cut short by its death is none."""
    whole = log.read_text(encoding="utf-8").splitlines(keepends=True)
    return [json.loads(line) for line in whole if line.endswith("\n")]


ALL_TEXTS = """
SELECT version, text FROM memory_revisions WHERE agent_id = $agent UNION ALL SELECT version, text FROM memory WHERE agent_id = $agent
"""


def texts_in_file(studio: Studio, agent: str) -> dict[int, str]:
    """Every version's text by its number, read at once by the process that owns the store."""
    with context_of(studio).database.read() as cursor:
        return dict(cursor.execute(ALL_TEXTS, {"agent": studio.get_agent(agent).id}).fetchall())


def check_history(
    studio: Studio, agent: str, acknowledged: Sequence[dict[str, Any]], texts: dict[int, str] | None = None
) -> tuple[Version, ...]:
    """Every acknowledged write is a version of its own, by its author; the numbers have no gap. Gives the versions, oldest first.

    The texts are read one by one as anybody reads them, unless they are given.
    """
    versions = tuple(reversed(studio.list_memory_versions(agent)))
    assert [version.number for version in versions] == list(range(1, len(versions) + 1))
    by_text: dict[str, Version] = {}
    for version in versions:
        text = texts[version.number] if texts else studio.get_memory_version(agent, version.number).body.text
        assert text is not None
        assert text not in by_text, f"version {version.number} repeats version {by_text[text].number}: written twice"
        by_text[text] = version
    lost = [one for one in acknowledged if one["text"] not in by_text]
    assert lost == []
    wrong = [
        (one, by_text[one["text"]].author)
        for one in acknowledged
        if (by_text[one["text"]].author.kind, by_text[one["text"]].author.name)
        != (AuthorKind(one["kind"]), one["name"])
    ]
    assert wrong == []
    assert max(Counter(one["text"] for one in acknowledged).values(), default=1) == 1
    return versions


def check_counts(studio: Studio, agent: str, versions: Sequence[Version], folder: Path) -> None:
    """Added and removed lines of each version are those of `git diff --minimal --numstat` (decision 15)."""
    old = folder / "old"
    new = folder / "new"
    old.write_bytes(studio.get_memory_version(agent, versions[0].number).body.content)
    for version in versions[1:]:
        new.write_bytes(studio.get_memory_version(agent, version.number).body.content)
        command = ["git", "diff", "--no-index", "--minimal", "--numstat", str(old), str(new)]
        counted = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split("\t")
        assert (str(version.added), str(version.removed)) == (counted[0], counted[1]), version.number
        new.replace(old)
