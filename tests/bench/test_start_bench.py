"""What a command takes before it answers, against the libraries that it cannot do without."""

import os
import subprocess
import sys
from pathlib import Path

from speed import Line, SpeedTable, in_turn

LIBRARIES = "import duckdb, typer"
TIMES_THE_LIBRARIES = 4


def test_a_list_starts_quickly(tmp_path: Path, speed_table: SpeedTable) -> None:
    environment = {**os.environ, "STUDIO_DB": str(tmp_path / "start.duckdb")}

    def program(*words: str) -> None:
        subprocess.run([sys.executable, *words], env=environment, capture_output=True, check=True)

    program("-m", "studio", "agents", "create", "scout", "--focus", "watch")
    ours, peer = in_turn(
        5,
        lambda _: program("-m", "studio", "memory", "list", "scout"),
        lambda _: program("-c", LIBRARIES),
    )
    line = speed_table.add(
        Line(
            "studio memory list, start-up included",
            ours,
            "importing its libraries",
            peer,
            f"at most {TIMES_THE_LIBRARIES}",
        )
    )
    assert line.ratio <= TIMES_THE_LIBRARIES
