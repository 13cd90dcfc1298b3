"""The server around the app: ports, signals, and `panel serve`."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from ended import ended
from ports import unused_port

from studio import open_studio
from studio.app.server import run
from studio.errors import CannotListen, PortTaken

ROOT = Path(__file__).parents[2]
SERVE = """
import sys
from studio import open_studio
from studio.app.server import run
with open_studio(sys.argv[1]) as studio:
    run(studio, address="127.0.0.1", port=0, open_browser=False, demo=False, on_ready=lambda url: print(url, flush=True))
print("closed", flush=True)
"""


def test_a_taken_port_is_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken, open_studio(tmp_path / "s.duckdb") as studio:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(PortTaken, match=f"Port {port} is taken"):
            run(studio, address="127.0.0.1", port=port, open_browser=False, demo=False, on_ready=print)


def test_an_address_of_another_machine_is_one_sentence(tmp_path: Path) -> None:
    with open_studio(tmp_path / "s.duckdb") as studio, pytest.raises(CannotListen, match=r"192\.0\.2\.1"):
        run(studio, address="192.0.2.1", port=0, open_browser=False, demo=False, on_ready=print)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_closes_the_store_in_order(tmp_path: Path, number: signal.Signals) -> None:
    file = tmp_path / "s.duckdb"
    with subprocess.Popen(
        [sys.executable, "-c", SERVE, file], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    ) as server:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        with urllib.request.urlopen(url, timeout=30) as answer:
            assert b"Prompt Studio" in answer.read()
        server.send_signal(number)
        out, err = server.communicate(timeout=30)
    assert out == "closed\n", err
    assert "Traceback" not in err
    assert server.returncode == 0
    assert not file.with_suffix(".duckdb.wal").exists()


def test_panel_serves_the_same_page(tmp_path: Path) -> None:
    port = unused_port()
    file = tmp_path / "s.duckdb"
    with open_studio(file) as studio:
        studio.create_agent("desk")
    command = [sys.executable, "-m", "panel", "serve", "studio/app", "--port", str(port)]
    environment = {**os.environ, "STUDIO_DB": str(file)}
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    with ended(server, signal.SIGINT):
        page = _answer(f"http://127.0.0.1:{port}/app?agent=desk")
        asked = urllib.request.Request(f"http://127.0.0.1:{port}/app", headers={"Host": "evil.example"})
        foreign = urllib.request.urlopen(asked, timeout=30).read().decode()
        told = urllib.request.urlopen(f"http://127.0.0.1:{port}/app", timeout=30).headers
    assert "Server" not in told
    assert "script-src 'self' 'nonce-" in told["Content-Security-Policy"]
    assert "Skip to the agent" in page
    assert "This page cannot be shown" not in page
    assert "Without sign-in this server answers 127.0.0.1 and localhost only" in foreign


def _answer(url: str) -> str:
    """What a server answers once it is there."""
    for _ in range(200):
        try:
            with urllib.request.urlopen(url, timeout=30) as answer:
                text: str = answer.read().decode("utf-8")
                return text
        except OSError:
            time.sleep(0.1)
    raise AssertionError(url)
