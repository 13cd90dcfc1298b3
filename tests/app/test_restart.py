"""A server that is started again under an open page: what was typed is still there, also over a text that changed meanwhile."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Page, expect
from ports import unused_port

from studio import open_studio

ROOT = Path(__file__).parents[2]
SERVE = """
import sys
from studio import open_studio
from studio.app.server import run
with open_studio(sys.argv[1]) as studio:
    run(studio, address="127.0.0.1", port=int(sys.argv[2]), open_browser=False, demo=False, on_ready=lambda url: print(url, flush=True))
"""


def started(file: Path, port: int) -> subprocess.Popen[str]:
    """A server that listens."""
    command = [sys.executable, "-c", SERVE, str(file), str(port)]
    server = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT, env=os.environ
    )
    assert server.stdout is not None
    assert server.stdout.readline().startswith("http://")
    return server


def test_typed_text_outlives_a_restart(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "s.duckdb"
    port = unused_port()
    with open_studio(file) as studio:
        agent = studio.create_agent("desk").id
    server = started(file, port)
    try:
        page.goto(f"http://127.0.0.1:{port}/?agent={agent}&mode=edit")
        page.wait_for_selector("body.ready")
        box = page.get_by_label("The live memory, as Markdown")
        box.fill("mine\n")
        server.send_signal(signal.SIGTERM)
        server.wait(30)
        expect(page.get_by_text("The connection to the server was lost.")).to_be_visible()
        server = started(file, port)
        expect(page.get_by_role("button", name="Save as version 2")).to_be_enabled(timeout=30_000)
        expect(box).to_have_value("mine\n")
        server.send_signal(signal.SIGTERM)
        server.wait(30)
        with open_studio(file) as studio:
            studio.save_memory(agent, "theirs\n", force=True, operator="Ben")
        server = started(file, port)
        banner = page.get_by_role("alert").filter(has_text="The memory changed while you were editing.")
        expect(banner).to_contain_text("Ben", timeout=30_000)
        expect(box).to_have_value("mine\n")
        banner.get_by_role("button", name="Save mine as version 3").click()
        expect(page.get_by_text("Saved as version 3.")).to_be_visible()
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(30)
