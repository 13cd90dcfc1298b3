"""Kill -9 of the owner or of a client, again and again under load (issue 4).

`STUDIO_KILL_ROUNDS=100 pytest tests/together/test_kills.py -s` takes some minutes and says what came of each round.
"""

import os
import random
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ports import unused_port
from team import Team, check_history, lines_of, make_team, texts_in_file

ROUNDS = int(os.environ.get("STUDIO_KILL_ROUNDS", "4"))
PERSONS, RUNTIMES = ("scout", "desk", "scout", "ledger"), ("ledger", "log", "desk", "log")
"""Eight writers, by the agent that each writes; every agent has two."""
LOAD_SECONDS = 0.6
"""How long a round writes before something is killed, at most."""
GO_ON_SECONDS = 60.0
"""How long a client may take to write again after its owner was killed."""


@dataclass
class Writer:
    """One client: its process, and where it enters what was acknowledged. One that is killed is followed by another."""

    team: Team
    url: str
    agent: str
    name: str
    runtime: bool
    logs: list[Path] = field(default_factory=list)
    process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Begin to write, for ever."""
        self.logs.append(self.team.folder / f"{self.name}-{len(self.logs)}.log")
        what, url = ("runtime", self.url) if self.runtime else ("person", "")
        self.process = self.team.write(self.logs[-1], what, self.agent, self.name, 0, url)

    def kill(self) -> None:
        """End it at once, whatever it is doing."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def told(self) -> list[dict[str, Any]]:
        """What it was told, in all its lives."""
        return [line for log in self.logs for line in lines_of(log)]

    def wait_for_more(self) -> None:
        """Wait until it has written again."""
        assert self.process is not None
        before, until = len(self.acknowledged()), time.monotonic() + GO_ON_SECONDS
        while len(self.acknowledged()) == before:
            assert self.process.poll() is None, f"{self.name} has ended"
            assert time.monotonic() < until, f"{self.name} does not go on: {self.told()[-3:]}"
            time.sleep(0.02)

    def acknowledged(self) -> list[dict[str, Any]]:
        """Its writes."""
        return [line for line in self.told() if "error" not in line]


def test_no_kill_loses_what_was_acknowledged(tmp_path: Path) -> None:
    chance = random.Random(4)
    team, port = make_team(tmp_path, ["scout", "desk", "ledger", "log"]), unused_port()
    owner, url = team.serve("api", port)
    writers = [Writer(team, url, agent, f"person {place}", runtime=False) for place, agent in enumerate(PERSONS)]
    writers += [Writer(team, url, agent, f"runtime {place}", runtime=True) for place, agent in enumerate(RUNTIMES)]
    kills = {"owner": 0, "client": 0}
    try:
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.wait_for_more()
        for number in range(ROUNDS):
            time.sleep(chance.uniform(0, LOAD_SECONDS))
            if number % 4 == 3:
                victim = chance.choice(writers)
                victim.kill()
                victim.start()
                kills["client"] += 1
            else:
                owner.kill()
                owner.wait()
                owner, _ = team.serve("api", port)
                kills["owner"] += 1
            for writer in writers:
                writer.wait_for_more()
            print(f"round {number + 1}: {sum(len(one.acknowledged()) for one in writers)} writes acknowledged, {kills}")
    finally:
        for writer in writers:
            writer.kill()
        owner.kill()
        owner.wait()
    errors = [line["error"] for writer in writers for line in writer.told() if "error" in line]
    with team.open() as studio:  # this process owns it now
        assert studio.lost is None
        for agent in team.tokens:
            told = [line for one in writers if one.agent == agent for line in one.acknowledged()]
            versions = check_history(studio, agent, told, texts_in_file(studio, agent))
            print(f"{agent}: {len(told)} acknowledged, {len(versions)} versions")
    print(f"{kills}, errors told: {errors}")
    assert errors == []
