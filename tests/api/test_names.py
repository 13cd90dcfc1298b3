"""Every write that is made over REST bears the name of who made it, and none the server's own (decision 4)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from builders import overwrite, publish
from repository_builder import RepositoryBuilder
from rest_served import Served

from studio.api.openapi import document
from studio.api.routes import TABLE
from studio.domain.authors import operator
from studio.domain.collections import Column
from studio.domain.tokens import Role

AGENT = "/api/agents/{agent}"
ANYTHING = {"If-Match": "*"}


@dataclass(frozen=True)
class Write:
    """A write of which somebody's name is kept."""

    named: Callable[[Served, Path], set[str | None]]
    """The names that are kept."""
    given: Callable[[Served, Path], Mapping[str, Any]] = lambda _, __: {}
    """Makes what it needs, and gives what httpx sends."""
    local_only: bool = False
    """Whether only programs of the system user who serves may."""


def memory_by(served: Served, _: Path) -> set[str | None]:
    return {one.author.name for one in served.studio.list_memory_versions("scout")}


def task_by(served: Served, _: Path) -> set[str | None]:
    return {one.author.name for one in served.studio.list_task_versions("scout")}


def draft_by(served: Served, _: Path) -> set[str | None]:
    draft = served.studio.get_task_draft("scout")
    return set() if draft is None else {draft.author.name}


def gone_by(served: Served, _: Path) -> set[str | None]:
    return {one.gone_by.name for one in served.studio.list_replaced_drafts("scout")}


def note_by(served: Served, _: Path) -> set[str | None]:
    return {one.updated_by.name for one in served.studio.notes.list()}


def record_by(served: Served, _: Path) -> set[str | None]:
    tables = served.studio.collections.list()
    return {one.updated_by.name for table in tables for one in served.studio.collections.records(table.collection.path)}


def seen_here(served: Served, _: Path) -> set[str | None]:
    """Of a collection only that is kept that its maker wrote something here."""
    return set(served.studio.list_operators())


def commit_by(_: Served, folder: Path) -> set[str | None]:
    made = folder / "memory"
    return set(RepositoryBuilder(made).lines("log", "-1", "--all", "--format=%an")) if made.exists() else set()


def another_memory(served: Served, _: Path) -> dict[str, Any]:
    return {"content": f"written {len(served.studio.list_memory_versions('scout'))}", "headers": ANYTHING}


def an_old_memory(served: Served, _: Path) -> dict[str, Any]:
    overwrite(served.studio, "scout", "newer", by="Cem")
    return {"headers": ANYTHING | {"Studio-Confirm": "empty"}}


def another_task(served: Served, _: Path) -> dict[str, Any]:
    return {"content": f"written {len(served.studio.list_task_versions('scout'))}", "headers": ANYTHING}


def an_old_task(served: Served, _: Path) -> dict[str, Any]:
    publish(served.studio, "scout", "newer", by="Cem")
    return {"headers": ANYTHING}


def another_draft(served: Served, _: Path) -> dict[str, Any]:
    before = served.studio.get_task_draft("scout")
    return {"content": f"{before.text if before else ''}more ", "headers": ANYTHING}


def a_draft(served: Served, _: Path) -> dict[str, Any]:
    served.studio.draft_task("scout", f"drafted {len(served.studio.list_task_versions('scout'))}")
    return {"json": {}, "headers": ANYTHING}


def a_draft_to_go(served: Served, _: Path) -> dict[str, Any]:
    if served.studio.get_task_draft("scout") is None:
        served.studio.draft_task("scout", "goes", author=operator("Cem"))
    return {"headers": ANYTHING}


def a_draft_that_went(served: Served, _: Path) -> dict[str, Any]:
    served.studio.draft_task("scout", "went", force=True)
    served.studio.discard_task_draft("scout")
    return {"headers": ANYTHING}


def a_note(served: Served, _: Path) -> dict[str, Any]:
    path = served.studio.notes.path("a.md")
    served.studio.notes.write(path, "by the agent", as_agent="scout")
    return {"params": {"path": path}, "json": {"body": "x"}, "headers": ANYTHING}


def a_move(served: Served, folder: Path) -> dict[str, Any]:
    for one in served.studio.notes.list():
        served.studio.notes.delete(one.path)
    return {**a_note(served, folder), "json": {"to": served.studio.notes.path("b.md")}}


def a_table(served: Served, _: Path) -> dict[str, Any]:
    path = served.studio.collections.path("leads")
    served.studio.collections.create(path, [Column("company")])
    count = len(served.studio.collections.records(path))
    values = {"values": {"company": f"ACME {count}"}}
    return {"params": {"path": path}, "json": values, "headers": ANYTHING}


def a_row(served: Served, folder: Path) -> dict[str, Any]:
    given = a_table(served, folder)
    served.studio.collections.write("leads", {"company": "old"}, record_id="acme", operator="Cem")
    return {**given, "params": {**given["params"], "id": "acme"}}


def a_definition(served: Served, _: Path) -> dict[str, Any]:
    path = served.studio.collections.path(f"table {len(served.studio.collections.list())}")
    return {"params": {"path": path}, "json": {"columns": [{"name": "company"}]}}


def a_folder(_: Served, folder: Path) -> dict[str, Any]:
    made = folder / "memory"
    if made.exists():
        made.rename(folder / f"memory {made.stat().st_ino}")
    return {"json": {"repository": str(made), "hook": False}}


def a_block(served: Served, folder: Path) -> dict[str, Any]:
    made = RepositoryBuilder(folder / "memory")
    commits = int(made.line("rev-list", "--all", "--count"))
    if not commits:
        made.save("MEMORY.md", "# Index\n", "begin")
        served.studio.directories.link(str(made.folder), "scout")
    named = {"path": "MEMORY.md", "message": "why"}
    return {"params": named, "content": f"# Index {commits}\n", "headers": ANYTHING}


def a_block_that_is_there(served: Served, folder: Path) -> dict[str, Any]:
    a_block(served, folder)
    made = RepositoryBuilder(folder / "memory")
    made.save("human.md", "---\nname: human\ndescription: Who the user is.\n---\nBe brief.\n", "say who")
    return {"params": {"path": "human.md", "message": "why"}, "headers": ANYTHING}


def a_file_that_went(served: Served, folder: Path) -> dict[str, Any]:
    a_block(served, folder)
    made = RepositoryBuilder(folder / "memory")
    made.save("human.md", "---\nname: human\ndescription: Who the user is.\n---\nBe brief.\n", "say who")
    made.git("rm", "--quiet", "human.md")
    made.commit("forget")
    return {"json": {"path": "human.md", "message": "why"}, "headers": {"If-None-Match": "*"}}


def a_call(served: Served, folder: Path) -> dict[str, Any]:
    text = another_memory(served, folder)["content"]
    return {"json": {"arguments": {"agent": "scout", "text": text, "force": True}}}


WRITES: dict[tuple[str, str], Write] = {
    ("PUT", f"{AGENT}/files/memory.md"): Write(memory_by, another_memory),
    ("POST", f"{AGENT}/memory/{{version}}/restore"): Write(memory_by, an_old_memory),
    ("PUT", f"{AGENT}/files/task.md"): Write(task_by, another_task),
    ("POST", f"{AGENT}/task/{{version}}/restore"): Write(task_by, an_old_task),
    ("PUT", f"{AGENT}/task/draft"): Write(draft_by, another_draft),
    ("DELETE", f"{AGENT}/task/draft"): Write(gone_by, a_draft_to_go),
    ("POST", f"{AGENT}/task/drafts/{{draft}}/restore"): Write(draft_by, a_draft_that_went),
    ("POST", f"{AGENT}/task/publish"): Write(task_by, a_draft),
    ("PUT", "/api/note"): Write(note_by, a_note),
    ("POST", "/api/note/move"): Write(note_by, a_move),
    ("POST", "/api/collection"): Write(seen_here, a_definition),
    ("POST", "/api/collection/records"): Write(record_by, a_table),
    ("PUT", "/api/collection/record"): Write(record_by, a_row),
    ("POST", "/api/directories"): Write(commit_by, a_folder, local_only=True),
    ("PUT", f"{AGENT}/directory/file"): Write(commit_by, a_block),
    ("DELETE", f"{AGENT}/directory/file"): Write(commit_by, a_block_that_is_there),
    ("POST", f"{AGENT}/directory/restore"): Write(commit_by, a_file_that_went),
    ("POST", "/api/studio/{method}"): Write(memory_by, a_call),
}
SETTING = "what operators set has no author"
GONE = "what is gone bears no name"
RUNTIME = "the run or the agent is its author"
HISTORY = "its versions have the authors of the history"
NAMELESS: dict[tuple[str, str], str] = {
    ("POST", "/api/agents"): SETTING,
    ("PATCH", AGENT): SETTING,
    ("PATCH", f"{AGENT}/settings"): SETTING,
    ("PUT", "/api/bindings"): SETTING,
    ("PUT", f"{AGENT}/grant"): SETTING,
    ("PUT", f"{AGENT}/directory"): SETTING,
    ("DELETE", f"{AGENT}/directory"): SETTING,
    ("POST", "/api/tokens"): SETTING,
    ("DELETE", "/api/tokens/{token}"): GONE,
    ("DELETE", "/api/note"): GONE,
    ("POST", "/api/demo"): "the demo's texts have the authors of its story",
    ("POST", "/api/imports"): HISTORY,
    ("POST", "/api/studio/import_history"): HISTORY,
    ("POST", f"{AGENT}/runs"): RUNTIME,
    ("POST", f"{AGENT}/tools/{{tool}}"): RUNTIME,
    **{
        ("POST", f"/api/runs/{{run}}/{what}"): RUNTIME
        for what in ("end", "messages", "drive", "continue", "tools/{tool}")
    },
}
"""Writes of which no operator's name is kept, and why."""


def test_the_table_holds_every_route_that_writes() -> None:
    """A write may bear an Idempotency-Key; what only asks may not."""
    writing = {
        (method.upper(), path)
        for path, methods in document(TABLE)["paths"].items()
        for method, one in methods.items()
        if any(parameter["name"] == "Idempotency-Key" for parameter in one["parameters"])
    }
    assert writing == WRITES.keys() | NAMELESS.keys()
    assert not WRITES.keys() & NAMELESS.keys()


@pytest.mark.parametrize(("method", "path"), WRITES)
def test_a_write_bears_the_name_of_who_made_it(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str, path: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))  # where git knows a name for new repositories, it is that
    write = WRITES[method, path]
    clients = {name: served.client(served.secret, **{"X-Studio-Operator": quote(name)}) for name in ("Zoë", "Dana B")}
    if not write.local_only:
        clients["Ben"] = served.holder("Ben", Role.OPERATOR)
    where = path.format(agent="scout", version=1, draft=1, method="save_memory", commit="HEAD")
    for name, client in clients.items():
        given = write.given(served, tmp_path)
        assert name not in write.named(served, tmp_path)
        told: httpx.Response = client.request(method, where, **given)
        assert told.is_success, told.text
        assert name in write.named(served, tmp_path)
    given = write.given(served, tmp_path)
    if not write.local_only:  # git cleans a name
        bad = served.client(served.secret, **{"X-Studio-Operator": "two%0Alines"}).request(method, where, **given)
        assert (bad.status_code, bad.json()["code"]) == (422, "BadName")
    assert served.client(served.secret, **{"X-Studio-Operator": ""}).request(method, where, **given).is_success
    assert "Ana" in write.named(served, tmp_path), "the server's own, where none is said"
