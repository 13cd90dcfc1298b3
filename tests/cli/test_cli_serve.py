"""`studio serve` as a real process."""

import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

from cli_shell import Shell

from studio.cli.serve import BRING_YOUR_OWN


def test_it_prints_its_url_serves_says_what_and_stops_in_order(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    del shell.environment["STUDIO_DB"]
    demo = tmp_path / "data" / "prompt-studio" / "demo.duckdb"
    process = subprocess.Popen(
        [sys.executable, "-m", "studio", "serve", "--port", "0", "--no-browser"],
        env=shell._environment({}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        url = process.stdout.readline().decode().rstrip("\n")
        assert url.startswith("http://127.0.0.1:")
        with urlopen(url) as page:
            assert page.status == 200
            assert b"Prompt Studio" in page.read()
        taken = url.rstrip("/").rpartition(":")[2]
        other = Shell(tmp_path).program("serve", "--port", taken, "--no-browser")
        assert (other.code, other.out) == (3, b"")
        assert f"Port {taken} is taken by another program" in other.err
        assert len(shell.done("agents", "list", "--db", demo, "--json").json) > 1  # through the server
    finally:
        process.send_signal(signal.SIGTERM)
        rest, said = process.communicate()
    assert (process.returncode, rest) == (0, b"")
    assert said.decode().splitlines() == [
        "Making the demo store; this takes a few seconds, once.",
        f"Store: {demo}",
        f"This is the demo. Bring a history of your own, then serve again: {BRING_YOUR_OWN}",
        f"To use the demo at the shell: export STUDIO_DB={demo}",
    ]
    assert len(shell.done("agents", "list", "--db", demo, "--json").json) > 1
