"""What becomes of a client whose owner stops, is killed, comes back elsewhere, or was never one of ours."""

import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from builders import blank_file, open_store, overwrite
from cli_shell import Shell
from ended import ended
from served_stores import Door

from studio import open_studio
from studio.actions import reaching
from studio.actions.open import own_studio
from studio.actions.reaching import connect, through_owner
from studio.actions.studio import Studio
from studio.errors import (
    BadArgument,
    NotAdmitted,
    OwnerFailed,
    OwnerGone,
    OwnerSilent,
    StoreFull,
    StoreHeld,
    StudioError,
    UnknownAgent,
)
from studio.sources.owner import Address, Connection, Reply
from studio.store import lockfile

BRIEFLY_SECONDS = 0.2
OURS = {"Content-Type": "application/json"}
Answering = Callable[["Script"], None]
"""Answers one request."""


class Script(BaseHTTPRequestHandler):
    """Answers each request as the next line of a script says; the last line stays."""

    protocol_version = "HTTP/1.1"
    lines: list[Answering]
    seen: list[dict[str, str]]

    def do_POST(self) -> None:
        self.seen.append(dict(self.headers))
        self.rfile.read(int(self.headers["Content-Length"]))
        (self.lines.pop(0) if len(self.lines) > 1 else self.lines[0])(self)

    def say(self, status: int, body: bytes = b"{}", **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def says(status: int, body: bytes = b'{"value": null}', **headers: str) -> Answering:
    return lambda one: one.say(status, body, **(headers or {"Content_Type": "application/json"}))


def hangs_up(one: Script) -> None:
    one.close_connection = True
    one.connection.shutdown(socket.SHUT_RDWR)


def breaks_off(one: Script) -> None:
    one.say(200, b'{"val', Content_Type="application/json", Content_Length="100")
    hangs_up(one)


@contextmanager
def serving(*lines: Answering) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """A server that is none of ours; its URL and the headers it saw."""
    seen: list[dict[str, str]] = []
    kind = type("Scripted", (Script,), {"lines": list(lines), "seen": seen})
    with ThreadingHTTPServer(("127.0.0.1", 0), kind) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", seen
        server.shutdown()


def post(url: str, *, writes: bool = False, patience_seconds: float = 5) -> Reply:
    connection = Connection("the store", lambda: Address(url, "secret"), patience_seconds)
    return connection.post("/api/studio/x", b"{}", headers={"Idempotency-Key": "k"}, writes=writes)


# --- one request ---


@pytest.mark.parametrize(
    "failing", [hangs_up, breaks_off, says(503, Retry_After="1")], ids=["hangs up", "breaks off", "is stopping"]
)
@pytest.mark.parametrize("kind", ["read", "write"])
def test_a_request_is_sent_again_under_its_key(failing: Answering, kind: str) -> None:
    with serving(failing, failing, says(200)) as (url, seen):
        assert post(url, writes=kind == "write").body == b'{"value": null}'
    assert [one["Idempotency-Key"] for one in seen] == ["k"] * 3


@pytest.mark.parametrize("code", ["Stopping", "StoreClosed"])
def test_an_owner_that_says_that_it_stops_is_asked_again(code: str) -> None:
    stops = says(503, json.dumps({"code": code}).encode(), Retry_After="1", Content_Type="application/problem+json")
    with serving(stops, says(200)) as (url, seen):
        assert post(url, writes=True).status == 200
    assert len(seen) == 2


@pytest.mark.parametrize("body", [b'{"code": "StoreFull"}', b"{}", b"[]", b"no JSON"])
def test_any_other_503_of_ours_is_an_answer_such_as_that_the_disk_is_full(body: bytes) -> None:
    full = says(503, body, Retry_After="1", Content_Type="application/problem+json")
    with serving(full) as (url, seen):
        assert post(url, writes=True) == Reply(503, body)
    assert len(seen) == 1


def test_a_disk_that_is_full_when_a_write_is_committed_is_told_as_at_home() -> None:
    said = {"kind": "busy", "code": "StoreFull", "detail": "The disk that holds s.duckdb is full."}
    full = says(503, json.dumps(said).encode(), Retry_After="1", Content_Type="application/problem+json")
    with serving(says(200, b'{"value": "Ana"}'), full) as (url, _):
        studio = connect(url, None, patience_seconds=BRIEFLY_SECONDS)
        with pytest.raises(StoreFull, match=r"The disk that holds s\.duckdb is full"):
            studio.save_memory("scout", "text", force=True)


@pytest.mark.parametrize(
    ("kind", "failing", "error"),
    [
        pytest.param("read", hangs_up, OwnerGone, id="a read that was not answered"),
        pytest.param("write", hangs_up, OwnerSilent, id="a write that was not answered"),
        pytest.param("write", breaks_off, OwnerSilent, id="a write whose answer broke off"),
        pytest.param("write", says(503, Retry_After="1"), OwnerGone, id="a write that was not taken"),
    ],
)
def test_when_patience_ends_it_says_what_is_known(kind: str, failing: Answering, error: type[StudioError]) -> None:
    with serving(failing) as (url, _), pytest.raises(error):
        post(url, writes=kind == "write", patience_seconds=BRIEFLY_SECONDS)


def test_a_write_that_may_have_been_carried_out_says_so_also_where_nobody_listens_any_more() -> None:
    addresses = iter(("first", "gone"))
    with serving(hangs_up) as (url, _):
        known = {"first": url, "gone": "http://127.0.0.1:1"}
        found = lambda: Address(known[next(addresses, "gone")], None)  # noqa: E731
        connection = Connection("the store", found, BRIEFLY_SECONDS)
        with pytest.raises(OwnerSilent, match="look before you repeat it"):
            connection.post("/x", b"{}", headers={}, writes=True)


def test_another_secret_is_tried_and_a_wrong_one_is_not() -> None:
    bearers = iter(("old", "new"))
    refusal = says(401, Content_Type="application/problem+json")
    with serving(refusal, says(200)) as (url, seen):
        connection = Connection("the store", lambda: Address(url, next(bearers)), BRIEFLY_SECONDS)
        assert connection.post("/x", b"{}", headers={}, writes=True).status == 200
    assert [one["Authorization"] for one in seen] == ["Bearer old", "Bearer new"]
    with serving(refusal) as (url, seen), pytest.raises(NotAdmitted):
        post(url)
    assert len(seen) == 1


# --- what is none of ours ---


@pytest.mark.parametrize(
    "answer",
    [
        says(200, b"<html>", Content_Type="text/html"),
        says(404, b"<html>", Content_Type="text/html"),
        says(401, b"<html>", Content_Type="text/html"),
        says(302, b"", Location="http://127.0.0.1:1/"),
        says(200, b'{"hello": "world"}', Content_Type="application/json"),
        says(200, b"[1]", Content_Type="application/json"),
        says(200, b"7", Content_Type="application/json"),
        says(200, b"no json", Content_Type="application/json"),
        says(200, b'{"value": {"not": "a name"}}', Content_Type="application/json"),
        says(422, b'{"error": {"class": "NoneOfOurs", "message": "x", "fields": {}}}', Content_Type="application/json"),
        says(
            422, b'{"error": {"class": "annotations", "message": "x", "fields": {}}}', Content_Type="application/json"
        ),
        says(422, b'{"error": {"class": "StoreHeld"}}', Content_Type="application/json"),
        says(422, b'{"error": 7}', Content_Type="application/json"),
        says(418, b"", Content_Type="application/json"),
    ],
)
def test_another_server_is_said_to_be_one(answer: Answering) -> None:
    with serving(answer) as (url, _), pytest.raises(OwnerFailed, match="no answer of Prompt Studio"):
        connect(url, None)


def test_what_speaks_no_http_is_nobody() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            while True:
                try:
                    one, _ = listening.accept()
                except OSError:
                    return
                with one:
                    one.sendall(b"220 ready\r\n")

        threading.Thread(target=answer, daemon=True).start()
        with pytest.raises(OwnerGone):
            connect(f"http://127.0.0.1:{listening.getsockname()[1]}", None, patience_seconds=BRIEFLY_SECONDS)


def test_encryption_where_there_is_none_is_said() -> None:
    with serving(says(200)) as (url, _), pytest.raises(OwnerFailed, match="encryption"):
        connect(url.replace("http:", "https:"), None)


@pytest.mark.parametrize(
    "url", ["http://", "http:///x", "http://[::1", "http://a b/", "http://127.0.0.1:99999", "http://\ud800"]
)
def test_what_is_no_url_is_refused(url: str) -> None:
    with pytest.raises(BadArgument, match="it looks like http://127"):
        open_studio(url, environment={})


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "https://127.0.0.1:1", "http://nowhere.invalid"])
def test_nobody_there_is_one_sentence(shell: Shell, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reaching, "FIRST_PATIENCE_SECONDS", 0)
    told = shell("agents", "list", "--db", url)
    assert (told.code, told.out) == (3, b"")
    assert told.err == f"What serves {url} does not answer (nothing listens there); see that it runs, then try again.\n"


# --- what lies beside a store ---


@contextmanager
def held(file: Path, **said: object) -> Iterator[None]:
    """The lock of a store, as another process has it."""
    with lockfile.lock_path(file).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.write(json.dumps({"pid": os.getpid(), **said}))
        lock.flush()
        yield


def test_what_a_killed_owner_left_is_not_believed(tmp_path: Path) -> None:
    file = blank_file(tmp_path)
    lockfile.lock_path(file).write_text(json.dumps({"pid": 1, "url": "http://127.0.0.1:1/"}))
    lockfile.secret_path(file).write_text("left\n")
    with open_studio(file, environment={}) as studio:
        assert type(studio) is Studio


@pytest.mark.parametrize(
    "left", ["", "{", "7", "[]", '{"pid": 1, "url": 7}', '{"url": "http://127.0.0.1:1/"} more', "\udcff"]
)
def test_a_lock_file_that_says_nothing_is_an_owner_that_serves_nobody(tmp_path: Path, left: str) -> None:
    file = blank_file(tmp_path)
    with held(file):
        lockfile.lock_path(file).write_bytes(left.encode("utf-8", "surrogateescape"))
        with pytest.raises(StoreHeld, match="is in use by"):
            open_studio(file, environment={})


def test_a_secret_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    """Somebody else could have laid it there."""
    file = blank_file(tmp_path)
    (tmp_path / "other").write_text("secret\n")
    lockfile.secret_path(file).symlink_to(tmp_path / "other")
    with (
        held(file, url="http://127.0.0.1:1/"),
        pytest.raises(StoreHeld, match="another system user's process; with a token"),
    ):
        open_studio(file, environment={}).now()


def test_another_program_on_the_owners_port_is_told_from_it(tmp_path: Path) -> None:
    file = blank_file(tmp_path)
    lockfile.secret_path(file).write_text("secret\n")
    page = says(200, b"<html>", Content_Type="text/html")
    with serving(page) as (url, _), held(file, url=url), pytest.raises(OwnerFailed):
        open_studio(file, environment={}).now()


def test_whoever_comes_while_the_owner_starts_waits_for_it(tmp_path: Path, door: Door) -> None:
    file = blank_file(tmp_path)
    with own_studio(file, environment={}, serves=True) as owner, ThreadPoolExecutor() as pool:
        opening = pool.submit(open_studio, file, environment={})
        with door.serving(owner), opening.result(30) as studio:
            assert studio.path == owner.path


def test_an_owner_that_never_serves_is_not_waited_for_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studio.actions.open.OWNER_STARTS_SECONDS", BRIEFLY_SECONDS)
    file = blank_file(tmp_path)
    with own_studio(file, environment={}, serves=True), pytest.raises(StoreHeld, match="does not serve it yet"):
        open_studio(file, environment={})


def test_of_many_that_come_at_once_one_owns_the_store(tmp_path: Path) -> None:
    file, all_there = blank_file(tmp_path), threading.Barrier(8)

    def own(_: int) -> Studio | StoreHeld:
        all_there.wait(30)
        try:
            return own_studio(file, environment={})
        except StoreHeld as refused:
            return refused

    with ThreadPoolExecutor(8) as pool:
        came = list(pool.map(own, range(8)))
    owners = [one for one in came if isinstance(one, Studio)]
    assert len(owners) == 1
    owners[0].close()


def test_a_store_that_is_a_link_is_found_at_its_owners(tmp_path: Path, door: Door) -> None:
    file = blank_file(tmp_path)
    (tmp_path / "link.duckdb").symlink_to(file)
    with open_store(file) as owner, door.serving(owner):
        owner.create_agent("scout")
        with open_studio(tmp_path / "link.duckdb", environment={}) as studio:
            assert studio.get_agent("scout").name == "scout"


# --- an owner that stops and comes back ---


@contextmanager
def owning(shell: Shell, stop: signal.Signals) -> Iterator[str]:
    """`studio api` as a process of its own, ended by a signal; its URL."""
    words = [sys.executable, "-m", "studio", "api", "--port", "0"]
    process = subprocess.Popen(words, env=shell._environment({}), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    with ended(process, stop):
        assert process.stdout is not None
        yield process.stdout.readline().decode().strip()


def test_a_client_outlives_its_owner_and_its_owners_heirs(shell: Shell) -> None:
    with owning(shell, signal.SIGKILL) as first:
        studio = through_owner(shell.store, "Ana", None, patience_seconds=60)
        impatient = through_owner(shell.store, "Ana", None, patience_seconds=BRIEFLY_SECONDS)
        overwrite(studio, "scout", "one")
        assert impatient.count_agents() == 1
    with pytest.raises(OwnerGone, match="its process has stopped"):
        impatient.count_agents()
    with ThreadPoolExecutor() as pool:
        asked = pool.submit(overwrite, studio, "scout", "two")
        with owning(shell, signal.SIGTERM) as second:
            assert asked.result(90) == 3
            assert second != first
            assert impatient.get_memory_version("scout").body.text == "two"
            with pytest.raises(UnknownAgent):
                impatient.get_agent("nobody")
        with owning(shell, signal.SIGTERM):
            assert studio.list_memory_versions("scout")[0].number == 3
    told = shell.done("memory", "show", "scout")
    assert told.text == "two"
