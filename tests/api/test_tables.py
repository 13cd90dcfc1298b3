"""Lists that grow: every one is given a page at a time, and as Arrow to those who ask for it."""

import builtins
import importlib
import json
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from builders import Clock, open_store, overwrite, publish, wake
from repository_builder import RepositoryBuilder
from rest_served import Served, serving

from studio.api import arrow
from studio.api.operations import Operation
from studio.api.routes import TABLE
from studio.api.tables import Paging, Table
from studio.domain.collections import Column
from studio.domain.tokens import Role

HEADER = "---\nname: x\ndescription: X.\n---\n"
ROWS = 5
"""How many rows each list of the full store has, at least."""


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A store in which every list has some rows, some of them with what is often null."""
    folder = tmp_path_factory.mktemp("full")
    file, clock, repo = folder / "s.duckdb", Clock(), RepositoryBuilder(folder / "memory")
    for number in range(ROWS):
        repo.save(f"{'MEMORY' if number == 0 else f'größe-{number}'}.md", f"{HEADER}Line {number}.\n", f"c {number}")
    with open_store(file, clock) as studio:
        for number in range(ROWS):
            clock.tick()
            studio.create_agent(f"agent {number}", focus="Watch.", guild=f"Guild {number}")
        scout = studio.create_agent("scout").id
        runs = [wake(studio, scout) for _ in range(ROWS - 1)]
        runs.append(studio.create_run(scout, studio_trigger()).id)
        leads = studio.collections.create(studio.collections.path("leads"), [Column("company"), Column("size")]).path
        for number in range(ROWS):
            clock.tick()
            studio.memory_write(scout, f"by a run {number}", run=runs[number], call=f"c_{number}")
            overwrite(studio, scout, f"by an operator {number}\n", by=f"Operator {number}")
            studio.draft_task(scout, f"Draft {number}")
            studio.discard_task_draft(scout)
            publish(studio, scout, f"Task {number}")
            studio.call_tool(scout, "report_issue", {"report": f"broken {number}"}, run=runs[number])
            studio.notes.create(studio.notes.path(f"note-{number}.md"), "Ünïcode 記録")
            studio.collections.create(studio.collections.path(f"table-{number}"), [Column("a")])
            studio.collections.write(leads, {"company": f"ACME {number}", "size": {"people": number}})
            studio.tokens.create(f"token {number}", Role.VIEWER)
        studio.create_agent("keeper")
        studio.directories.link(str(repo.folder), "keeper")
    with serving(file, clock) as served:
        yield served


def studio_trigger() -> Any:
    from studio import RunKind, Trigger  # noqa: PLC0415 - one builder of one test

    return Trigger(RunKind.DIRECT, message="Grüße, 𝄞")


TABLES: list[tuple[str, Table]] = [
    (route.path, one.table) for route in TABLE for one in route.operations.values() if one.table is not None
]
QUERIES = {"/api/collection/records": {"path": "leads"}}


def ask(full: Served, path: str, accept: str = "*/*", **query: Any) -> httpx.Response:
    params = QUERIES.get(path, {}) | {name: str(value) for name, value in query.items()}
    agent = "keeper" if "/directory" in path else "scout"
    told = full.local.get(path.format(agent=agent), params=params, headers={"Accept": accept})
    assert told.status_code == 200, told.text
    return told


def rows(full: Served, path: str, table: Table, **query: Any) -> tuple[list[dict[str, Any]], int | None]:
    told = ask(full, path, **query).json()
    return told[table.name], told[table.paging.next_name]


# --- pages ---


@pytest.mark.parametrize(("path", "table"), TABLES, ids=[path for path, _ in TABLES])
def test_the_pages_together_are_the_list(full: Served, path: str, table: Table) -> None:
    whole, following = rows(full, path, table, limit=1000)
    assert (len(whole) >= ROWS, following) == (True, None)
    for limit in (1, 2, len(whole)):
        paged: list[dict[str, Any]] = []
        query: dict[str, Any] = {}
        while True:
            page, following = rows(full, path, table, limit=limit, **query)
            assert len(page) <= limit
            paged += page
            if following is None:
                break
            query = {str(table.paging): following}
        assert paged == whole


@pytest.mark.parametrize(("path", "table"), TABLES, ids=[path for path, _ in TABLES])
def test_a_page_past_the_end_is_empty(full: Served, path: str, table: Table) -> None:
    past = {"offset": 1_000_000} if table.paging is Paging.OFFSET else {"before": 1}
    assert rows(full, path, table, **past) == ([], None)


@pytest.mark.parametrize(("path", "table"), [one for one in TABLES if one[1].counted], ids=lambda one: str(one)[:24])
def test_a_total_counts_all_pages(full: Served, path: str, table: Table) -> None:
    told = ask(full, path, limit=2).json()
    assert told["total"] == len(rows(full, path, table, limit=1000)[0])


def test_versions_that_come_meanwhile_move_no_page(full: Served) -> None:
    first = ask(full, "/api/agents/{agent}/memory", limit=2).json()
    overwrite(full.studio, "scout", "meanwhile")
    second = ask(full, "/api/agents/{agent}/memory", limit=2, before=first["next_before"]).json()
    numbers = [one["version"] for one in first["versions"] + second["versions"]]
    assert numbers == list(range(numbers[0], numbers[0] - 4, -1))


def test_every_list_of_the_document_that_grows_is_a_table() -> None:
    """What is not: at most one row for each author of a text, each embed of a Task or each rule, and the best hits of a search."""
    whole = {"/api/notes/find", "/api/note/embedded-in"}

    def is_list(one: Operation) -> bool:
        properties = (one.answers or {}).get("properties", {})
        return len(properties) == 1 and next(iter(properties.values())).get("type") == "array"

    lists = {route.path for route in TABLE for one in route.operations.values() if is_list(one) and one.table is None}
    ends = ("/authors", "/broken-links", "/lint")
    assert {path for path in lists if not path.endswith(ends)} == whole


# --- Arrow ---


def columns(content: bytes) -> Any:
    pa = pytest.importorskip("pyarrow")
    return pa.ipc.open_stream(content).read_all()


def as_json(schema: dict[str, Any], value: Any) -> Any:
    """A value of a column as the JSON has it."""
    if value is None:
        return None
    one = schema.get("anyOf", [schema])[0]
    if one.get("format") == "date-time":
        return value.strftime("%Y-%m-%dT%H:%M:%SZ")
    if one["type"] == "array":
        return [as_json(one["items"], each) for each in value]
    if one["type"] == "object" and "properties" in one:
        return {name: as_json(one["properties"][name], each) for name, each in value.items()}
    return json.loads(value) if one["type"] == "object" else value


@pytest.mark.parametrize(("path", "table"), TABLES, ids=[path for path, _ in TABLES])
def test_arrow_holds_what_the_json_holds(full: Served, path: str, table: Table) -> None:
    told = ask(full, path, arrow.CONTENT_TYPE, limit=1000)
    assert (told.headers["Content-Type"], told.headers["Vary"]) == (arrow.CONTENT_TYPE, "Accept")
    found = columns(told.content)
    in_json = rows(full, path, table, limit=1000)[0]
    shapes = table.row["properties"]
    assert set(found.column_names) == set(shapes)
    assert set(table.row["required"]) <= set(in_json[0]) <= set(shapes)
    every = [{name: one.get(name) for name in shapes} for one in in_json]  # a field that is seldom there is null then
    assert [{name: as_json(shapes[name], value) for name, value in row.items()} for row in found.to_pylist()] == every


@pytest.mark.parametrize(("path", "table"), TABLES, ids=[path for path, _ in TABLES])
def test_an_empty_page_has_the_same_columns(full: Served, path: str, table: Table) -> None:
    past = {"offset": 1_000_000} if table.paging is Paging.OFFSET else {"before": 1}
    assert (
        columns(ask(full, path, arrow.CONTENT_TYPE, **past).content).schema
        == columns(ask(full, path, arrow.CONTENT_TYPE).content).schema
    )


def test_times_are_times_and_the_next_page_is_a_header(full: Served) -> None:
    told = ask(full, "/api/agents/{agent}/memory", arrow.CONTENT_TYPE, limit=2)
    found = columns(told.content)
    assert str(found.schema.field("at").type) == "timestamp[us, tz=UTC]"
    assert isinstance(found["at"][0].as_py(), datetime)
    assert int(told.headers["X-Next-Before"]) == found["version"][1].as_py()
    agents = ask(full, "/api/agents", arrow.CONTENT_TYPE, limit=2)
    assert (agents.headers["X-Next-Offset"], agents.headers["X-Total"]) == ("2", str(ROWS + 2))


@pytest.mark.parametrize(
    ("accept", "wanted"),
    [
        (arrow.CONTENT_TYPE, True),
        (f"application/json;q=0.5, {arrow.CONTENT_TYPE}", True),
        (f"{arrow.CONTENT_TYPE};q=0.9, application/json", False),
        (f"{arrow.CONTENT_TYPE};q=0, */*", False),
        (f"{arrow.CONTENT_TYPE};q=x", False),
        ("*/*", False),
        ("", False),
    ],
)
def test_arrow_is_given_to_those_who_prefer_it(full: Served, accept: str, wanted: bool) -> None:  # noqa: FBT001
    given = ask(full, "/api/agents", accept).headers["Content-Type"]
    assert (given == arrow.CONTENT_TYPE) == wanted


def test_arrow_without_pyarrow_is_406_with_the_way_out(full: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def without(load: Callable[..., Any]) -> Callable[..., Any]:
        def loaded(name: str, *given: Any, **more: Any) -> Any:
            if name.partition(".")[0] == "pyarrow":
                raise ImportError(name)
            return load(name, *given, **more)

        return loaded

    monkeypatch.setattr(arrow, "import_module", without(importlib.import_module))
    monkeypatch.setattr(builtins, "__import__", without(builtins.__import__))
    told = full.local.get("/api/agents", headers={"Accept": arrow.CONTENT_TYPE})
    assert (told.status_code, told.headers["Content-Type"]) == (406, "application/problem+json")
    assert 'pip install "prompt-studio[arrow]"' in told.json()["detail"]
    assert full.local.get("/api/agents").status_code == 200


def test_the_extra_that_the_sentence_names_is_there() -> None:
    written = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    assert '\narrow = ["pyarrow' in written
