"""The three ways to serve REST, each as a real process: `studio api`, `studio serve`, and Panel with our plugin."""

import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest
from cli_shell import REPOSITORY, Shell
from ended import ended
from ports import unused_port

from studio.api.routes import TABLE


@contextmanager
def running(shell: Shell, *words: str, stop: signal.Signals = signal.SIGTERM) -> Iterator[subprocess.Popen[bytes]]:
    """A process of its own until the block ends; then it must have ended in order."""
    environment = {**shell._environment({}), "PYTHONPATH": os.pathsep.join([str(REPOSITORY), *sys.path])}
    process = subprocess.Popen(
        [sys.executable, "-m", *words],
        env=environment,
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    with ended(process, stop):
        yield process


def local_client(shell: Shell, url: str) -> httpx.Client:
    """A client with the secret that lies beside the store."""
    secret = Path(f"{shell.store}.secret").read_text(encoding="utf-8").strip()
    return httpx.Client(base_url=url, headers={"Authorization": f"Bearer {secret}"}, timeout=30)


def check_it_serves(shell: Shell, url: str) -> None:
    """What must hold of every way to serve."""
    assert httpx.get(f"{url}health", timeout=30).json() == {"status": "ok"}
    assert stat.S_IMODE(Path(f"{shell.store}.secret").stat().st_mode) == 0o600
    named = json.loads(Path(f"{shell.store}.lock").read_text(encoding="utf-8"))
    assert named["url"] == url
    client = local_client(shell, url)
    assert client.get("/api/openapi.json").json()["paths"].keys() == {route.path for route in TABLE}
    live = client.get("/api/agents/scout/files/memory.md")
    saved = client.put(
        "/api/agents/scout/files/memory.md", content="über REST", headers={"If-Match": live.headers["ETag"]}
    )
    assert saved.json()["changed"] is True
    assert httpx.get(f"{url}api/agents", timeout=30).status_code == 401
    assert client.get("/api/agents", headers={"Host": "evil.example"}).status_code == 403


def check_it_is_over(shell: Shell) -> None:
    """The secret is gone, and what was written is there."""
    assert not Path(f"{shell.store}.secret").exists()
    assert "url" not in Path(f"{shell.store}.lock").read_text(encoding="utf-8")
    assert shell.done("memory", "show", "scout").text == "über REST"


@pytest.mark.parametrize("words", [("api",), ("serve", "--no-browser")], ids=["studio api", "studio serve"])
def test_it_serves_and_stops_in_order(shell: Shell, words: tuple[str, ...]) -> None:
    with running(shell, "studio", *words, "--port", "0") as process:
        assert process.stdout is not None
        url = process.stdout.readline().decode().strip()
        check_it_serves(shell, url)
        assert shell.done("memory", "show", "scout").text == "über REST", (
            "a command goes through the process that serves"
        )
        if words[0] == "serve":
            assert "Prompt Studio" in httpx.get(url, timeout=30).text
    assert process.returncode == 0
    check_it_is_over(shell)


def test_panel_serves_the_same_with_our_plugin(shell: Shell) -> None:
    port = unused_port()
    url = f"http://127.0.0.1:{port}/"
    words = ("panel", "serve", "studio/app", "--plugins", "studio.api", "--address", "127.0.0.1", "--port", str(port))
    with running(shell, *words, stop=signal.SIGINT):
        for _ in range(300):
            try:
                httpx.get(f"{url}health", timeout=30)
                break
            except httpx.HTTPError:
                time.sleep(0.1)
        check_it_serves(shell, url)
        assert "Prompt Studio" in httpx.get(f"{url}app?agent=scout", timeout=30).text
    check_it_is_over(shell)


def test_a_killed_process_leaves_a_store_that_opens_and_a_secret_that_opens_nothing(shell: Shell) -> None:
    with running(shell, "studio", "api", "--port", "0", stop=signal.SIGKILL) as process:
        assert process.stdout is not None
        url = process.stdout.readline().decode().strip()
        client = local_client(shell, url)
        acknowledged = client.put("/api/agents/scout/files/memory.md", content="kept", headers={"If-Match": "*"})
        assert acknowledged.status_code == 200
    left = Path(f"{shell.store}.secret").read_text(encoding="utf-8")
    assert shell.done("memory", "show", "scout").text == "kept"
    with running(shell, "studio", "api", "--port", "0") as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert Path(f"{shell.store}.secret").read_text(encoding="utf-8") != left


@pytest.mark.parametrize("verb", ["api", "serve"])
@pytest.mark.parametrize(
    "where", [("--address", "0.0.0.0"), ("--address", "::"), ("--address", ""), ("--host", "me.example")]
)
def test_nothing_is_reached_by_others_without_an_operator_who_can_sign_in(
    shell: Shell, verb: str, where: tuple[str, str]
) -> None:
    shell.done("token", "create", "wall", "--role", "viewer")
    refused = shell(verb, *where, "--port", "0")
    assert refused.code == 3
    assert "studio token create NAME --role operator" in refused.err


# --- other accounts of this machine ---


def page(url: str, host: str) -> int:
    """The status of the app's page for somebody who comes with nothing."""
    return httpx.get(url, headers={"Host": host}, timeout=30).status_code


@pytest.mark.parametrize(("words", "status"), [((), 200), (("--host", "localhost"), 302)], ids=["as it is", "locked"])
def test_the_page_is_for_everybody_on_this_machine_unless_a_host_is_named(
    shell: Shell, words: tuple[str, ...], status: int
) -> None:
    """REST is not; its secret is for the system user who serves."""
    shell.done("token", "create", "Ana", "--role", "operator")
    with running(shell, "studio", "serve", "--no-browser", "--port", "0", *words) as process:
        assert process.stdout is not None
        url = process.stdout.readline().decode().strip()
        assert [page(url, host) for host in ("127.0.0.1", "localhost", "[::1]")] == [status] * 3
        assert httpx.get(f"{url}api/agents", timeout=30).status_code == 401
        assert stat.S_IMODE(Path(f"{shell.store}.secret").stat().st_mode) == 0o600
        assert local_client(shell, url).get("/api/agents").status_code == 200
        assert shell.done("agents", "list", "--json").json


def test_where_there_are_no_pages_nothing_is_open(shell: Shell) -> None:
    with running(shell, "studio", "api", "--port", "0") as process:
        assert process.stdout is not None
        assert page(process.stdout.readline().decode().strip(), "127.0.0.1") == 404


def test_the_folder_of_a_store_that_nobody_named_is_its_users_alone(shell: Shell) -> None:
    del shell.environment["STUDIO_DB"]
    shell.done("agents", "create", "scout")
    made = shell.folder / "data" / "prompt-studio"
    assert (made / "studio.duckdb").exists()
    assert stat.S_IMODE(made.stat().st_mode) == 0o700


@pytest.mark.parametrize("verb", ["api", "serve"])
@pytest.mark.parametrize("host", ["https://me.example:8000/", "me.example:8000"])
def test_a_host_that_is_no_name_is_refused_before_a_store_is_made(shell: Shell, verb: str, host: str) -> None:
    refused = shell(verb, "--host", host, "--port", "0", "--db", shell.folder / "new.duckdb")
    assert (refused.code, refused.out) == (3, b"")
    assert refused.err.endswith("write --host me.example.\n")
    assert not (shell.folder / "new.duckdb").exists()


@pytest.mark.parametrize("words", [("api",), ("serve", "--no-browser")], ids=["studio api", "studio serve"])
def test_of_many_that_want_one_port_one_has_it(shell: Shell, words: tuple[str, ...]) -> None:
    """They come at once, so that whoever only looks first is overtaken."""
    command = [sys.executable, "-m", "studio", *words, "--port", str(unused_port()), "--db"]
    environment = {**shell._environment({}), "PYTHONPATH": os.pathsep.join([str(REPOSITORY), *sys.path])}
    with ExitStack() as stack:
        started = [
            stack.enter_context(
                subprocess.Popen(
                    [*command, str(shell.folder / f"{number}.duckdb")],
                    env=environment,
                    cwd=REPOSITORY,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                )
            )
            for number in range(3)
        ]
        told = [one.stdout.readline() if one.stdout else "" for one in started]
        for one in started:
            one.send_signal(signal.SIGTERM)
        said = [one.communicate(timeout=30)[1] for one in started]
    assert sorted(one.returncode for one in started) == [0, 3, 3], said
    assert sum(bool(url) for url in told) == 1
    refused = [text for one, text in zip(started, said, strict=True) if one.returncode]
    assert all("is taken by another program" in text and "Traceback" not in text for text in refused)


def test_beyond_this_machine_rest_takes_tokens_and_our_names_only(shell: Shell) -> None:
    token = shell.done("token", "create", "Ben", "--role", "operator").text.strip()
    words = ("api", "--address", "0.0.0.0", "--host", "Studio.example", "--port", "0")
    with running(shell, "studio", *words) as process:
        assert process.stdout is not None
        url = process.stdout.readline().decode().strip()
        assert url.startswith("http://127.0.0.1:")
        bearer = {"Authorization": f"Bearer {token}"}
        for host, status in (("studio.example", 200), ("127.0.0.1", 200), ("evil.example", 403)):
            given = {**bearer, "Host": host}
            assert httpx.get(f"{url}api/agents", headers=given, timeout=30).status_code == status
        assert httpx.get(f"{url}api/agents", timeout=30).status_code == 401
