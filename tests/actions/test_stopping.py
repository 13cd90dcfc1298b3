"""How a server lets go: a gate that waits for who is inside, and runs that end as stopped."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from builders import context_of, wake

from studio import Studio
from studio.actions import serving
from studio.actions.listening import Gate, free_port, host_name, is_loopback, is_own_host, reach_of, told_why
from studio.actions.serving import wind_down
from studio.domain.generation import Generation
from studio.domain.runs import RunStatus
from studio.errors import BadHost, CannotListen, PortTaken, Stopping
from studio.sources.models import Model


def test_a_closed_gate_waits_for_who_is_inside_and_lets_nobody_else_in() -> None:
    async def story() -> None:
        gate, answered = Gate(), []

        async def answer() -> None:
            with gate.inside():
                await asyncio.sleep(0.05)
                answered.append("answered")

        task = asyncio.create_task(answer())
        await asyncio.sleep(0)
        gate.close()
        with pytest.raises(Stopping), gate.inside():
            pass
        assert await gate.emptied(5)
        assert answered == ["answered"]
        await task

    asyncio.run(story())


def test_nobody_is_waited_for_longer_than_patience_lasts() -> None:
    async def story() -> None:
        gate = Gate()
        with gate.inside():
            assert not await gate.emptied(0.05)
        assert await gate.emptied(0.05)

    asyncio.run(story())


def test_a_run_that_a_model_carries_on_here_ends_as_stopped(studio: Studio) -> None:
    """A stopped run gets neither the reminder nor `memory_skipped` (decision 28), and nothing that its model still says."""
    studio.create_agent("scout")
    run = wake(studio, "scout")

    class Thinking(Model):
        def generate(self, *_: object) -> Generation:
            assert asyncio.run(wind_down(studio, Gate()))
            return Generation("too late")

    ended = studio.drive_run(run, Thinking())
    assert ended.status is RunStatus.STOPPED
    assert "memory_skipped" not in ended.metadata
    assert [row.content for row in studio.get_run(run)[1]][2:] == []


def test_a_run_that_is_driven_elsewhere_is_left_to_its_driver(studio: Studio) -> None:
    studio.create_agent("scout")
    run = wake(studio, "scout")
    studio.take_run(run)
    studio.stop_runs()
    assert studio.get_run(run)[0].status is RunStatus.OPEN


def test_neither_a_writer_nor_a_run_behind_it_is_waited_for_longer_than_patience_lasts(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopping a run is a write, so it stands behind whoever writes."""
    monkeypatch.setattr(serving, "PATIENCE_SECONDS", 0.3)
    studio.create_agent("scout")
    run, writing, over = wake(studio, "scout"), threading.Event(), threading.Event()

    def write() -> None:
        with context_of(studio).database.tx():
            writing.set()
            over.wait(30)

    class Thinking(Model):
        def generate(self, *_: object) -> Generation:
            writer = threading.Thread(target=write)
            writer.start()
            writing.wait(30)
            begun = time.monotonic()
            assert not asyncio.run(wind_down(studio, Gate()))
            assert time.monotonic() - begun < 5
            over.set()
            writer.join(30)
            return Generation("too late")

    assert studio.drive_run(run, Thinking()).status is RunStatus.STOPPED


STUCK = """
import os, sys, time
from studio.actions import listening
listening.LAST_SECONDS = float(sys.argv[1])
with listening.stopped_by_signals(lambda: os.write(1, b"told\\n")):
    os.write(1, b"ready\\n")  # print could be in the middle of it when the signal comes
    time.sleep(float(sys.argv[2]))
os.write(1, b"ended\\n")
time.sleep(1)
"""


@pytest.mark.parametrize(
    ("last_seconds", "block_seconds", "code", "said"),
    [(0.5, 60, 128 + signal.SIGTERM, "told\n"), (0.9, 0.5, 0, "told\nended\n")],
    ids=["a loop that is stuck", "one that is not"],
)
def test_a_server_whose_loop_is_stuck_ends_like_any_other(
    last_seconds: float, block_seconds: float, code: int, said: str
) -> None:
    words = [sys.executable, "-c", STUCK, str(last_seconds), str(block_seconds)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGTERM)
        assert (process.stdout.read(), process.wait(30)) == (said, code)


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("127.0.0.1:5006", True),
        ("localhost", True),
        ("LOCALHOST:80", True),
        ("[::1]:5006", True),
        ("192.0.2.7:5006", True),
        ("Studio.Example", True),
        ("studio.example:443", True),
        ("192.0.2.8", False),
        ("evil.example", False),
        ("studio.example.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("", False),
        (":80", False),
        ("a b", False),
        ("localhost:", False),
    ],
)
def test_a_server_knows_its_own_names(host: str, own: bool) -> None:  # noqa: FBT001
    assert is_own_host(host, "192.0.2.7", ("studio.example",)) is own


@pytest.mark.parametrize("address", ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
def test_this_machine_alone_needs_no_sign_in(address: str) -> None:
    assert is_loopback(address)
    assert reach_of(address) == reach_of(address, ())
    assert not reach_of(address).sign_in
    assert reach_of(address, ["Proxy.example"]).sign_in
    assert reach_of(address, ["Proxy.example"]).names == ("proxy.example",)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("Studio.Example", "studio.example"),
        ("localhost", "localhost"),
        ("under_score-1.example", "under_score-1.example"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("192.0.2.7", "192.0.2.7"),
        ("2001:DB8:0::7", "2001:db8::7"),
        ("[2001:db8::7]", "2001:db8::7"),
        (" studio.example ", "studio.example"),
    ],
)
def test_a_host_is_known_by_the_name_that_was_given(given: str, name: str) -> None:
    assert reach_of("127.0.0.1", [given]).names == (name,)
    host = f"[{name}]" if ":" in name else name
    for header in (host, f"{host}:8000", host.upper()):
        assert is_own_host(header, "192.0.2.1", reach_of("127.0.0.1", [given]).names)


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("studio.example:8000", "studio.example"),
        ("https://studio.example", "studio.example"),
        ("HTTP://Studio.Example:8000/team?x#y", "studio.example"),
        ("//studio.example/", "studio.example"),
        ("https://ana@studio.example/", "studio.example"),
        ("studio.example/team", "studio.example"),
        ("studio.example.", "studio.example"),
        ("192.0.2.7:80", "192.0.2.7"),
        ("*.studio.example", None),
        ("*", None),
        ("", None),
        ("bücher.example", None),
        ("two words", None),
        ("a..b", None),
        ("-a", None),
        ("[::1", None),
        ("http://", None),
    ],
)
def test_what_is_no_name_is_refused_with_what_to_write(given: str, meant: str | None) -> None:
    """Taken as it is, it would turn everybody away with 403."""
    with pytest.raises(BadHost) as told:
        host_name(given)
    assert str(told.value).endswith(f"write --host {meant}." if meant else "as in --host studio.example.com.")
    assert not is_own_host(given, "192.0.2.1") or given == "192.0.2.7:80"


def test_why_nobody_can_listen_there_is_told() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(PortTaken, match=f"Port {port} is taken"):
            free_port("127.0.0.1", port)
    for address in ("192.0.2.1", "no.such.invalid", "127.0.0.1:80"):
        with pytest.raises(CannotListen):
            free_port(address, 0)
    with pytest.raises(FileNotFoundError), told_why("127.0.0.1", 80), Path("/no/such/file").open():
        pass


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "", "192.0.2.1", "example.org"])
def test_everything_else_does(address: str) -> None:
    assert reach_of(address).sign_in
