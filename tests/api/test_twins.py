"""One write under one key that arrives many times at once: carried out once, and every sender hears the one answer."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from repository_builder import RepositoryBuilder
from rest_served import Served

from studio.domain.collections import Column
from studio.domain.run_kinds import RunKind
from studio.domain.runs import Trigger

SENDERS = 6
Sent = tuple[str, str, dict[str, Any]]
"""Method, path, and what else httpx is given."""


def direct_run(served: Served) -> str:
    return served.studio.create_run("scout", Trigger(RunKind.DIRECT, message="hello")).id


def take_run(served: Served, _: Path) -> Sent:
    return "POST", "/api/studio/take_run", {"json": {"arguments": {"run": direct_run(served), "message": "go on"}}}


def create_run(_: Served, __: Path) -> Sent:
    return "POST", "/api/agents/scout/runs", {"json": {"kind": "direct", "message": "go on"}}


def add_rows(served: Served, _: Path) -> Sent:
    rows = [{"role": "assistant", "content": "I look."}]
    return "POST", f"/api/runs/{direct_run(served)}/messages", {"json": {"messages": rows}}


def end_run(served: Served, _: Path) -> Sent:
    return "POST", f"/api/runs/{direct_run(served)}/end", {"json": {"status": "completed"}}


def save(served: Served, _: Path) -> Sent:
    headers = {"If-Match": served.etag("scout")}
    return "PUT", served.text_path("scout"), {"content": "mine", "headers": headers}


def publish(served: Served, _: Path) -> Sent:
    served.studio.draft_task("scout", "Watch more.")
    return "POST", "/api/agents/scout/task/publish", {"json": {"note": "why"}, "headers": {"If-Match": "*"}}


def discard(served: Served, _: Path) -> Sent:
    served.studio.draft_task("scout", "Watch more.")
    return "DELETE", "/api/agents/scout/task/draft", {"headers": {"If-Match": "*"}}


def make_note(served: Served, _: Path) -> Sent:
    path = {"path": served.studio.notes.path("a.md")}
    return "PUT", "/api/note", {"params": path, "json": {"body": "x"}, "headers": {"If-None-Match": "*"}}


def move_note(served: Served, _: Path) -> Sent:
    path, to = served.studio.notes.path("a.md"), served.studio.notes.path("b.md")
    served.studio.notes.create(path, "x")
    return "POST", "/api/note/move", {"params": {"path": path}, "json": {"to": to}}


def make_record(served: Served, _: Path) -> Sent:
    path = served.studio.collections.path("leads")
    served.studio.collections.create(path, [Column("company")])
    return "POST", "/api/collection/records", {"params": {"path": path}, "json": {"values": {"company": "ACME"}}}


def edit_file(served: Served, folder: Path) -> Sent:
    made = RepositoryBuilder(folder / "memory")
    made.save("MEMORY.md", "# Index\n", "begin")
    served.studio.directories.link(str(made.folder), "scout")
    named = {"path": "MEMORY.md", "message": "why"}
    return (
        "PUT",
        "/api/agents/scout/directory/file",
        {"params": named, "content": "# All\n", "headers": {"If-Match": "*"}},
    )


SENT: list[Callable[[Served, Path], Sent]] = [
    take_run,
    create_run,
    add_rows,
    end_run,
    save,
    publish,
    discard,
    make_note,
    move_note,
    make_record,
    edit_file,
]


@pytest.mark.parametrize("sent", SENT)
def test_every_sender_hears_the_one_answer(
    served: Served, tmp_path: Path, sent: Callable[[Served, Path], Sent]
) -> None:
    method, path, given = sent(served, tmp_path)
    given["headers"] = {"Idempotency-Key": "k", **given.get("headers", {})}
    together, before = threading.Barrier(SENDERS), served.studio.commits

    def send(_: int) -> httpx.Response:
        with served.client(served.secret) as client:
            client.get("/health")  # connected
            together.wait(30)
            return client.request(method, path, **given)

    with ThreadPoolExecutor(SENDERS) as pool:
        told = list(pool.map(send, range(SENDERS)))
    assert {(one.status_code, one.content) for one in told} == {(told[0].status_code, told[0].content)}
    assert told[0].is_success, told[0].text
    assert sum("Idempotency-Replayed" not in one.headers for one in told) == 1
    assert served.studio.commits == before + 1
