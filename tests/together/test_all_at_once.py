"""The normal day: the app, a terminal, a notebook and two runtimes on one store at once (issue 4)."""

import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from chromium import chromium
from jupyter_client.manager import start_new_kernel
from playwright.sync_api import Page, expect
from team import Team, check_counts, check_history, lines_of, make_team

SAVES, WRITES = 4, 6
SAVE = "# By the terminal\n\n- rule {number}\n- rule 3\n"
CELLS = """
import json
from studio import open_studio
from studio.notebook import versions_df
studio = open_studio()
told = []
for number in range({saves}):
    text = f"# By the notebook\\n\\n- rule 3\\n- cell {{number}}\\n"
    saved = studio.save_memory("scout", text, force=True)
    told.append({{"text": text, "version": saved.version, "kind": "operator", "name": "Nora"}})
frame = versions_df(studio, "scout")
print(json.dumps({{"told": told, "of Nora": int((frame["author_name"] == "Nora").sum())}}))
"""


@pytest.fixture
def team(tmp_path: Path) -> Team:
    return make_team(tmp_path, ["scout", "desk", "ledger"])


@pytest.fixture
def page() -> Iterator[Page]:
    with chromium() as browser:
        context = browser.new_context(viewport={"width": 1360, "height": 860}, reduced_motion="reduce")
        yield context.new_page()


def terminal(team: Team) -> list[dict[str, Any]]:
    """A second terminal: saves by the command line, one after the other."""
    told = []
    for number in range(SAVES):
        text = SAVE.format(number=number)
        words = ["memory", "save", "scout", "--force", "--operator", "Cleo", "--json"]
        command = [sys.executable, "-m", "studio", *words]
        done = subprocess.run(
            command, input=text, env=team.environment, cwd=team.folder, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        told.append({"text": text, "version": json.loads(done.stdout)["version"], "kind": "operator", "name": "Cleo"})
    return told


def notebook(team: Team) -> list[dict[str, Any]]:
    """A notebook's kernel, whose operator is Nora."""
    manager, client = start_new_kernel(env={**team.environment, "STUDIO_OPERATOR": "Nora"}, cwd=str(team.folder))
    printed: list[str] = []

    def hear(message: dict[str, Any]) -> None:
        content = message["content"]
        if message["msg_type"] in ("stream", "error"):
            printed.append(content.get("text") or "\n".join(content["traceback"]))

    try:
        reply = client.execute_interactive(CELLS.format(saves=SAVES), timeout=60, output_hook=hear)
        assert reply["content"]["status"] == "ok", printed
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    answer = json.loads(printed[-1])
    assert answer["of Nora"] == SAVES
    told: list[dict[str, Any]] = answer["told"]
    return told


def runtime(team: Team, agent: str, url: str) -> list[dict[str, Any]]:
    """A runtime with its agent's token, in a process of its own."""
    log = team.folder / f"{agent}.log"
    assert team.write(log, "runtime", agent, f"{agent}'s runtime", WRITES, url).wait(60) == 0
    return lines_of(log)


def test_everybody_works_on_one_store_at_once(team: Team, page: Page) -> None:
    with team.served("serve") as url, ThreadPoolExecutor() as others:
        page.goto(f"{url}?agent=scout")
        page.wait_for_selector("body.ready")
        working = [others.submit(terminal, team), others.submit(notebook, team)]
        working += [others.submit(runtime, team, agent, url) for agent in ("scout", "desk")]
        second = page.context.new_page()
        second.goto(f"{url}?agent=ledger&mode=edit")
        second.wait_for_selector("body.ready")
        second.get_by_label("The live memory, as Markdown").fill("by the browser\n")
        second.get_by_role("button", name="Save as version 2").click()
        expect(second.get_by_text("Saved as version 2.")).to_be_visible()
        by_terminal, by_notebook, by_scout, by_desk = (work.result(timeout=90) for work in working)

        told = {
            "scout": [*by_terminal, *by_notebook, *by_scout],
            "desk": by_desk,
            "ledger": [{"text": "by the browser\n", "kind": "operator", "name": "Ana"}],
        }
        shown = page.locator(".memory .version")
        expect(shown).to_have_count(1 + len(told["scout"]))  # nobody reloaded it
        with team.open() as studio:
            for agent, acknowledged in told.items():
                versions = check_history(studio, agent, acknowledged)
                assert len(versions) == 1 + len(acknowledged)
                check_counts(studio, agent, versions, team.folder)
            newest = list(reversed(check_history(studio, "scout", told["scout"])))
        for place, version in enumerate(newest[:-1]):
            expect(shown.nth(place)).to_contain_text(str(version.author.name))
            expect(shown.nth(place)).to_contain_text(f"+{version.added} −{version.removed}")
    assert len(by_scout) == len(by_desk) == WRITES
    with team.open() as studio:  # the server is gone, and all of it is in the file
        for agent, acknowledged in told.items():
            check_history(studio, agent, acknowledged)
