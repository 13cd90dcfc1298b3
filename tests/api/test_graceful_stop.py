"""How a server ends, each as a real process: what was begun is answered, nothing new is taken, a second signal does not wait."""

import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from cli_shell import REPOSITORY, Shell
from ports import unused_port

SLOW = """
import sys, time
from studio.actions import memory
from studio.cli.main import main
real, delay_seconds = memory.save_memory, float(sys.argv[1])
def save_memory(*given, **named):
    print("begun", flush=True)
    time.sleep(delay_seconds)
    return real(*given, **named)
memory.save_memory = save_memory
sys.exit(main(sys.argv[2:]))
"""
"""The program, where every Save takes its time: what a busy disk does."""
SLOW_PANEL = SLOW.replace("from studio.cli.main import main", "from panel.command import main").replace(
    "sys.exit(main(sys.argv[2:]))", "sys.argv[1:] = sys.argv[2:]\nmain()"
)


@contextmanager
def started(shell: Shell, program: str, *words: str) -> Iterator["subprocess.Popen[str]"]:
    """A process that is killed with the block, if it lasts that long."""
    environment = {**shell._environment({}), "PYTHONPATH": os.pathsep.join([str(REPOSITORY), *sys.path])}
    with subprocess.Popen(
        [sys.executable, "-c", program, *words],
        env=environment,
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def line_of(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


class Save(threading.Thread):
    """A Save that is on its way."""

    def __init__(self, shell: Shell, url: str) -> None:
        super().__init__()
        secret = Path(f"{shell.store}.secret").read_text(encoding="utf-8").strip()
        self.client = httpx.Client(base_url=url, headers={"Authorization": f"Bearer {secret}"}, timeout=30)
        self.answer: httpx.Response | None = None
        self.start()

    def run(self) -> None:
        path = "/api/agents/scout/files/memory.md"
        with suppress(httpx.HTTPError):
            self.answer = self.client.put(path, content="in flight", headers={"If-Match": "*"})


def check_it_is_over(shell: Shell, process: "subprocess.Popen[str]", text: str) -> None:
    """The process is gone in order: no secret, nobody named in the lock, no write-ahead log, and the write is there."""
    assert process.wait(30) == 0
    assert not Path(f"{shell.store}.secret").exists()
    assert not Path(f"{shell.store}.wal").exists()
    assert Path(f"{shell.store}.lock").read_text(encoding="utf-8") == ""
    assert shell.done("memory", "show", "scout").text == text


@pytest.mark.parametrize(
    ("words", "number"),
    [(("api",), signal.SIGTERM), (("serve", "--no-browser"), signal.SIGINT)],
    ids=["studio api, SIGTERM", "studio serve, SIGINT"],
)
def test_a_write_in_flight_is_answered_and_no_other_is_taken(
    shell: Shell, words: tuple[str, ...], number: signal.Signals
) -> None:
    with started(shell, SLOW, "1.5", *words, "--port", "0") as process:
        url = line_of(process)
        save = Save(shell, url)
        assert line_of(process) == "begun"
        kept = httpx.Client(timeout=30)
        assert kept.get(f"{url}health").status_code == 200
        process.send_signal(number)
        refused = until_refused(kept, url)
        save.join()
        assert save.answer is not None
        assert save.answer.json()["changed"] is True
        if refused is not None:
            assert (refused.status_code, refused.headers["Retry-After"]) == (503, "1")
            assert refused.json()["code"] == "Stopping"
        check_it_is_over(shell, process, "in flight")


def until_refused(client: httpx.Client, url: str) -> httpx.Response | None:
    """The first answer that is no 200, over a connection that was there before; None where it is refused altogether."""
    while True:
        try:
            answer = client.get(f"{url}health")
        except httpx.HTTPError:
            return None
        if answer.status_code != 200:
            return answer
        time.sleep(0.01)


def test_panel_waits_for_our_answers_too(shell: Shell) -> None:
    port = str(unused_port())
    url = f"http://127.0.0.1:{port}/"
    words = ("serve", "studio/app", "--plugins", "studio.api", "--address", "127.0.0.1", "--port", port)
    with started(shell, SLOW_PANEL, "1", *words) as process:
        while True:
            try:
                httpx.get(f"{url}health", timeout=30)
                break
            except httpx.HTTPError:
                time.sleep(0.1)
        save = Save(shell, url)
        while line_of(process) != "begun":
            pass
        process.send_signal(signal.SIGTERM)
        save.join()
        assert save.answer is not None
        assert save.answer.json()["changed"] is True
        check_it_is_over(shell, process, "in flight")


def test_a_second_signal_waits_for_nothing(shell: Shell) -> None:
    with started(shell, SLOW, "60", "api", "--port", "0") as process:
        save = Save(shell, line_of(process))
        assert line_of(process) == "begun"
        process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 128 + signal.SIGTERM
        save.join()
        assert save.answer is None
    assert shell.done("memory", "show", "scout").text == ""


WRITING = SLOW.replace("save_memory", "write_memory")
"""The program, where every write of a memory takes its time in the transaction, and so keeps the store from being closed."""
CONTAINER_PATIENCE_SECONDS = 10
"""After which a container is killed."""


@pytest.mark.parametrize("words", [("api",), ("serve", "--no-browser")], ids=["studio api", "studio serve"])
def test_a_writer_that_takes_longer_than_a_container_lives_is_not_waited_for(
    shell: Shell, words: tuple[str, ...]
) -> None:
    with started(shell, WRITING, "60", *words, "--port", "0") as process:
        save = Save(shell, line_of(process))
        assert line_of(process) == "begun"
        begun = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
        assert time.monotonic() - begun < CONTAINER_PATIENCE_SECONDS
        save.join()
        assert save.answer is None
        assert process.stderr is not None
        assert "Stopped before everything that was begun came to an end" in process.stderr.read()
    assert not Path(f"{shell.store}.secret").exists()
    assert shell.done("memory", "show", "scout").text == ""


FULL = """
import resource, signal, sys
from studio.cli.main import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (18_000_000, 18_000_000))
sys.exit(main(sys.argv[1:]))
"""
"""The program, where no file grows over 18 MB: the write-ahead log does not, the file does when the log is taken in."""


def test_an_owner_whose_disk_is_full_says_so_and_ends(shell: Shell) -> None:
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    acknowledged = 0
    with started(shell, FULL, "api", "--port", "0") as process:
        url = line_of(process)
        secret = Path(f"{shell.store}.secret").read_text(encoding="utf-8").strip()
        client = httpx.Client(base_url=url, headers={"Authorization": f"Bearer {secret}"}, timeout=30)
        while True:
            text = random.Random(acknowledged).randbytes(100_000).hex()
            made = client.put("/api/agents/scout/files/memory.md", content=text, headers={"If-Match": "*"})
            if made.status_code != 200:
                break
            acknowledged += 1
            assert acknowledged < 1_000
        assert made.status_code == 503
        assert made.json()["code"] == "StoreDied"
        with suppress(httpx.TransportError):  # it may have ended already
            assert httpx.get(f"{url}health", timeout=30).status_code == 503
        assert process.wait(30) == 3
        assert process.stderr is not None
        assert "must be started again" in process.stderr.read()
    kept = shell.done("memory", "list", "scout", "--json").json
    assert kept[0]["version"] in (acknowledged + 1, acknowledged + 2)
