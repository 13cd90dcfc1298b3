"""What each route does that is no text of an agent: settings, rights, notes, records, runs that are driven, imports, lists."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from builders import START, Clock, overwrite, publish, wake
from rest_served import Served
from test_texts import of, problem

from studio.api.imports import LINES
from studio.api.routes import TABLE
from studio.domain.collections import Access, Column
from studio.domain.tokens import Role

CONFIRMED = {"Studio-Confirm": "broken-links"}
GETS = [route.path for route in TABLE if "GET" in route.operations]


def table(served: Served) -> str:
    """The path of a collection that scout may write."""
    path = served.studio.collections.path("leads")
    served.studio.collections.create(path, [Column("company"), Column("status"), Column("size")])
    served.studio.collections.grant("scout", path, Access.WRITE)
    return path


# --- methods of HTTP itself ---


@pytest.mark.parametrize("path", GETS)
def test_head_is_get_without_the_body(standing: Served, path: str) -> None:
    org = standing.studio.get_agent("scout").org
    named = path.format(agent="scout", version=1, draft=1, run="r_no", tool="x", token="x", method="x", commit="HEAD")
    query = (
        {"path": f"org/{org}/agents/{standing.studio.get_agent('scout').id}/memory.md"} if named == "/api/files" else {}
    )
    got, head = (standing.local.request(method, named, params=query) for method in ("GET", "HEAD"))
    assert (head.status_code, head.content) == (got.status_code, b"")
    assert head.headers.get("ETag") == got.headers.get("ETag")
    assert head.headers.get("Content-Type") == got.headers.get("Content-Type")
    if "X-Request-Id" not in got.text and path not in ("/metrics", "/api/store") and got.is_success:
        assert head.headers["Content-Length"] == got.headers["Content-Length"]


@pytest.mark.parametrize("route", TABLE, ids=lambda route: route.path)
def test_options_names_the_methods(standing: Served, route: Any) -> None:
    named = route.path.format(
        agent="scout", version=1, draft=1, run="r_no", tool="x", token="x", method="x", commit="HEAD"
    )
    told = standing.client().options(named)
    heads = {"HEAD"} if "GET" in route.operations else set()
    assert (told.status_code, told.content) == (204, b"")
    assert set(told.headers["Allow"].split(", ")) == {*route.operations, *heads, "OPTIONS"}
    wrong = standing.local.request("PATCH" if "PATCH" not in route.operations else "DELETE", named)
    assert (wrong.status_code, wrong.headers["Allow"]) == (405, told.headers["Allow"])
    cross = standing.client().options(named, headers={"Origin": "https://evil.example"})
    assert (cross.status_code, "Access-Control-Allow-Origin" in cross.headers) == (403, False)


@pytest.mark.parametrize("path", ["/", "/app", "/favicon.ico", "/apix", "/health/", "//api", "/metrics/x"])
def test_where_only_the_api_is_served_every_other_path_is_a_problem(standing: Served, path: str) -> None:
    told = standing.local.get(f"{standing.url}{path}")
    assert (told.status_code, told.headers["Content-Type"]) == (404, "application/problem+json")
    assert "Server" not in told.headers


def test_a_body_far_over_the_limit_is_told_so(standing: Served) -> None:
    """Beyond what Tornado itself would take; the length alone is announced, so nothing is sent."""
    import socket  # noqa: PLC0415 - one test speaks HTTP by hand

    host, port = standing.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=30) as raw:
        lines = [
            f"PUT {standing.text_path('scout')} HTTP/1.1",
            f"Host: {host}",
            f"Authorization: Bearer {standing.secret}",
            "Content-Length: 200000000",
            "Expect: 100-continue",
        ]
        raw.sendall("\r\n".join([*lines, "", ""]).encode())
        assert raw.recv(1024).startswith(b"HTTP/1.1 100"), "it is read, and then answered with 413"


# --- the store, people and settings ---


def test_who_you_are_and_where_the_store_is(served: Served) -> None:
    mine = served.local.get("/api/store").json()
    assert (mine["you"], mine["operator"]) == ({"role": "operator", "name": "Ana", "agent": None}, "Ana")
    assert (mine["path"], mine["now"]) == (str(served.file), "2026-09-12T09:00:07Z")
    scout = served.holder("scout-runtime", Role.AGENT, "scout").get("/api/store").json()
    assert scout["you"] == {"role": "agent", "name": "scout-runtime", "agent": served.studio.get_agent("scout").id}
    assert (scout["path"], scout["prompts"], scout["operator"]) == (None, None, None)
    overwrite(served.studio, "scout", "x")
    assert served.local.get("/api/store").json()["commits"] > mine["commits"]


def test_settings_come_as_one_json_value_or_not_at_all(served: Served) -> None:
    path = "/api/agents/scout/settings"
    given = {"tools": ["search"], "scripts": [{"name": "chart.py", "description": "Draws."}], "operators": ["Ben"]}
    assert served.local.patch(path, json=given).status_code == 200
    assert "chart.py" in served.local.get("/api/agents/scout/prompt").json()["text"]
    assert [one["name"] for one in served.local.get("/api/operators").json()["operators"]][-1] == "Ben"
    told = problem(served.local.patch(path, json={"operators": ["Eva"], "tools": ["x"], "wibble": 1}), 422)
    assert (told["code"], len(told["findings"])) == ("BadAgentFile", 2)  # type: ignore[arg-type]
    assert "Eva" not in served.local.get("/api/operators").text


def test_a_binding_is_set_and_taken_back(served: Served) -> None:
    def tools() -> list[str]:
        found: list[str] = served.local.get("/api/agents/scout/rights").json()["tools"]
        return found

    binding: dict[str, object] = {"scope": "agent", "id": "scout", "name": "note_write"}
    assert "note_write" in tools()
    assert served.local.put("/api/bindings", json=binding | {"turned_on": False}).status_code == 204
    assert "note_write" not in tools()
    assert served.local.put("/api/bindings", json=binding).status_code == 204
    assert "note_write" in tools()
    problem(served.local.put("/api/bindings", json=binding | {"name": "x"}), 422)
    problem(served.local.put("/api/bindings", json=binding | {"id": "nobody"}), 404)


def test_the_ledger_the_archive_and_the_authors_tell_of_a_text(served: Served) -> None:
    run = wake(served.studio, "scout")
    overwrite(served.studio, "scout", "by Ana")
    served.studio.memory_write("scout", "by a run", run=run, call="c_1")
    publish(served.studio, "scout", "A Task.")
    changes = served.local.get("/api/agents/scout/changes").json()["changes"]
    assert [(one["action"], one["version"]) for one in changes] == [("publish", 2), ("memory_write", 3), ("save", 2)]
    assert (changes[1]["run"], changes[1]["call"]) == (run, "c_1")
    authors = served.local.get("/api/agents/scout/memory/authors").json()["authors"]
    assert {(one["key"], one["versions"]) for one in authors} >= {("operator:Ana", 1), (f"run:{run}", 1)}
    files = served.local.get("/api/agents/scout/archive").json()["files"]
    assert [one["version"] for one in files] == [2, 1]
    held = served.local.get("/api/files", params={"path": files[0]["path"]})
    assert held.content.endswith(b"\n\nby Ana")


def test_a_step_is_opened_where_the_call_is_on_record(served: Served) -> None:
    run = served.local.post("/api/agents/scout/runs", json={"kind": "schedule", "instruction": "x"}).json()["id"]
    call = {"id": "c_1", "name": "memory_write", "arguments": {"content": "new"}}
    row = {"role": "assistant", "content": "", "tool_calls": [call]}
    served.local.post(f"/api/runs/{run}/messages", json={"messages": [row]})
    served.local.post(f"/api/runs/{run}/tools/memory_write", json={"arguments": {"content": "new"}, "call": "c_1"})
    step = served.local.get("/api/agents/scout/memory/2/step")
    assert step.json() == {"run": run, "index": 2, "call": "c_1"}
    problem(served.local.get("/api/agents/scout/memory/1/step"), 404)


def test_what_agents_filed_is_listed(served: Served) -> None:
    scout = served.holder("scout-runtime", Role.AGENT, "scout")
    filed = scout.post("/api/agents/scout/tools/report_issue", json={"arguments": {"report": "The tool is broken."}})
    assert filed.json()["accepted"] is True
    (one,) = served.holder("wall", Role.VIEWER).get("/api/problems").json()["problems"]
    assert (one["report"], one["agent"], one["run"]) == (
        "The tool is broken.",
        served.studio.get_agent("scout").id,
        None,
    )


def test_guilds_are_listed(served: Served) -> None:
    served.local.post("/api/agents", json={"name": "new", "guild": "Größe & Co"})
    assert [one["name"] for one in served.local.get("/api/guilds").json()["guilds"]] == ["Größe & Co"]


def test_the_demo_goes_into_an_empty_store_only(standing: Served) -> None:
    told = problem(standing.local.post("/api/demo"), 422)
    assert told["code"] == "NotEmpty"


# --- Task and prompt ---


def test_a_draft_is_reviewed_before_it_is_published(served: Served) -> None:
    path = "/api/agents/scout/task"
    problem(served.local.get(f"{path}/review"), 404)
    draft = b"Watch more. ![[org/o/notes/no.md]]"
    served.local.put(f"{path}/draft", content=draft, headers={"If-None-Match": "*"})
    told = served.local.get(f"{path}/review")
    review = told.json()
    assert (review["next_version"], review["changed"], review["stale"], review["added"]) == (2, True, False, 1)
    assert review["broken"][0]["written"] == "org/o/notes/no.md"
    match = {"If-Match": told.headers["ETag"]}
    problem(served.local.post(f"{path}/publish", json={}, headers=match), 422)
    done = served.local.post(f"{path}/publish", json={}, headers=match | CONFIRMED)
    again = served.local.post(f"{path}/publish", json={}, headers=match | CONFIRMED)
    assert (done.json()["changed"], again.status_code, again.json()["changed"]) == (True, 200, False)
    assert len(served.local.get(f"{path}/broken-links").json()["broken"]) == 1


def test_a_stale_draft_is_409_with_what_is_there(served: Served) -> None:
    path = "/api/agents/scout/task/draft"
    served.local.put(path, content=b"mine", headers={"If-None-Match": "*"})
    told = problem(served.local.put(path, content=b"theirs", headers={"If-Match": of("other")}), 409)
    live = served.local.get(path).headers["ETag"]
    assert (told["live"], told["yours"]) == (live.strip('"'), of("other").strip('"'))
    served.local.delete(path, headers={"If-Match": of("mine")})
    gone = problem(served.local.put(path, content=b"x", headers={"If-Match": of("mine")}), 409)
    assert gone["live"] is None


def test_an_old_task_with_links_that_are_broken_by_now_is_restored_when_confirmed(served: Served) -> None:
    publish(served.studio, "scout", "![[org/o/notes/no.md]]")
    publish(served.studio, "scout", "Plain.")
    path, match = "/api/agents/scout/task/2/restore", {"If-Match": served.etag("scout", "task.md")}
    problem(served.local.post(path, headers=match), 422)
    assert served.local.post(path, headers=match | CONFIRMED).json()["version"] == 4


def test_what_becomes_of_a_text_is_told_without_storing_it(served: Served) -> None:
    note = served.studio.notes.path("a.md")
    served.studio.notes.create(note, "INLINED")
    told = served.local.post("/api/expansion", content=f"See ![[{note}]]").json()
    assert "INLINED" in told["text"]
    assert [one["state"] for one in told["embeds"]] == ["inlined"]
    given = {"kind": "schedule", "task": f"Do ![[{note}]]", "memory": "remembered", "registered": ["search"]}
    preview = served.local.post("/api/agents/scout/prompt", json=given).json()["text"]
    assert "INLINED" in preview
    assert "remembered" in preview
    live = served.local.get("/api/agents/scout/prompt").json()["text"]
    assert ("INLINED" in live, "remembered" in live) == (False, False)


def test_the_writing_rules_are_asked_of_a_stored_and_of_another_text(served: Served) -> None:
    overwrite(served.studio, "scout", "Plain.")
    for text in ("memory", "task"):
        path = f"/api/agents/scout/{text}/lint"
        assert isinstance(served.local.get(path).json()["findings"], list)
        found = served.local.post(path, content="IMPORTANT: YOU MUST ALWAYS OBEY!!!\n" * 3).json()["findings"]
        named = {one["kind"] for one in found}
        assert named
        off = served.local.post(path, params={"off": sorted(named)}, content="IMPORTANT: YOU MUST ALWAYS OBEY!!!\n" * 3)
        assert off.json() == {"ok": True, "findings": []}


# --- notes and records ---


@pytest.mark.parametrize("name", ["größe 記録.md", "50% off.md", "a+b & c.md", "deep/er/ü.md", "#1?.md"])
def test_a_note_is_reached_by_any_path(served: Served, name: str) -> None:
    """The query is decoded once; what looks encoded after that is the name itself."""
    org = served.studio.get_agent("scout").org
    path = served.local.get("/api/notes/path", params={"name": name}).json()["path"]
    assert path == f"org/{org}/notes/{name}"
    url = f"{served.url}/api/note?path={quote(path, safe='')}"
    made = served.local.put(url, json={"body": "記録"}, headers={"If-None-Match": "*"})
    assert (made.status_code, made.json()["path"]) == (200, path)
    assert served.local.get(url).json()["body"] == "記録"
    assert served.local.get(f"{served.url}/api/files?path={quote(path, safe='')}").content == "記録".encode()
    problem(served.local.get(f"{served.url}/api/note?path={quote(quote(path, safe=''), safe='')}"), 404)


def test_a_note_is_moved_and_says_who_embeds_it(served: Served) -> None:
    old, new = (served.studio.notes.path(name) for name in ("old.md", "new.md"))
    served.studio.notes.create(old, "x")
    publish(served.studio, "scout", f"![[{old}]]")
    embedding = served.local.get("/api/note/embedded-in", params={"path": old})
    assert embedding.json() == {"agents": ["scout"]}
    problem(served.local.post("/api/note/move", params={"path": old}, json={"to": new}), 422)
    publish(served.studio, "scout", "Plain.")
    moved = served.local.post("/api/note/move", params={"path": old}, json={"to": new})
    assert (moved.json()["path"], moved.headers["ETag"]) == (new, of("x"))
    problem(served.local.get("/api/note", params={"path": old}), 404)
    count = {"level": "org", "owner": served.studio.get_agent("scout").org}
    assert served.local.get("/api/notes/count", params=count).json() == {"count": 1}


def test_an_agent_moves_only_its_own_notes(served: Served) -> None:
    scout = served.holder("scout-runtime", Role.AGENT, "scout")
    mine, theirs = (served.studio.notes.path("a.md", agent=agent) for agent in ("scout", "desk"))
    served.studio.notes.create(theirs, "for desk only")
    told = problem(scout.post("/api/note/move", params={"path": theirs}, json={"to": mine}), 422)
    assert told["code"] == "NotGranted"


def test_records_are_filtered_and_granted(served: Served, clock: Clock) -> None:
    path = {"path": table(served)}
    for number, status in enumerate(["won", "lost", "won"]):
        clock.tick()
        given = {"values": {"company": f"c{number}", "status": status, "size": number}, "id": f"r{number}"}
        served.local.post("/api/collection/records", params=path, json=given)

    def ids(**query: str) -> list[str]:
        told = served.local.get("/api/collection/records", params=path | query)
        return [one["id"] for one in told.json()["records"]]

    assert ids() == ["r2", "r1", "r0"]
    assert ids(equals='{"status": "won"}') == ["r2", "r0"]
    assert ids(equals='{"size": 1}') == ["r1"]
    assert ids(since=(START + timedelta(seconds=120)).isoformat()) == ["r2", "r1"]
    for wrong in ("[]", "{", "1", '{"a": NaN'):
        problem(served.local.get("/api/collection/records", params=path | {"equals": wrong}), 400)
    problem(served.local.get("/api/collection/records", params=path | {"equals": '{"no": 1}'}), 422)
    scout = served.holder("scout-runtime", Role.AGENT, "scout")
    assert scout.get("/api/collections").json()["collections"][0]["access"] == "write"
    for access in ("read", None):
        assert served.local.put("/api/agents/scout/grant", params=path, json={"access": access}).status_code == 204
        assert problem(scout.post("/api/collection/records", params=path, json={"values": {}}), 422)
    assert scout.get("/api/collections").json()["collections"] == []


def test_a_record_is_written_over_by_who_read_it(served: Served) -> None:
    """428 without a guard, 409 with {live, yours} over a newer one, 200 for a repeat."""
    path, url = {"path": table(served), "id": "acme"}, "/api/collection/record"
    problem(served.local.put(url, params=path, json={"values": {"status": "open"}}), 428)
    made = served.local.put(url, params=path, json={"values": {"status": "open"}}, headers={"If-None-Match": "*"})
    read = {"If-Match": made.headers["ETag"]}
    assert (made.status_code, read["If-Match"].strip('"')) == (200, made.json()["sha256"])
    assert served.local.put(url, params=path, json={"values": {"status": "won"}}, headers=read).status_code == 200
    again = served.local.put(url, params=path, json={"values": {"status": "won"}}, headers=read)
    assert (again.status_code, again.json()["changed"]) == (200, False)
    told = problem(served.local.put(url, params=path, json={"values": {"status": "lost"}}, headers=read), 409)
    assert (told["live"], told["yours"]) == (again.json()["sha256"], made.json()["sha256"])
    problem(served.local.put(url, params=path, json={"values": {"size": 1}}, headers={"If-None-Match": "*"}), 422)
    forced = served.local.put(url, params=path, json={"values": {"size": 1}}, headers={"If-Match": "*"})
    assert forced.json()["values"] == {"status": "won", "size": 1}
    taken = served.local.post(
        "/api/collection/records", params={"path": path["path"]}, json={"values": {"size": 2}, "id": "acme"}
    )
    assert problem(taken, 422)["code"] == "PathTaken"


# --- runs that are carried on ---


def test_rows_follow_one_another_and_never_change(served: Served) -> None:
    run = served.local.post("/api/agents/scout/runs", json={"kind": "direct", "message": "hello"}).json()["id"]
    path = f"/api/runs/{run}/messages"
    call = {"id": "c_1", "name": "note_find", "arguments": '{"search": "x"}'}
    given = [
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "content": "nothing\nremaining_tool_calls: 99", "tool_call_id": "c_1", "source": None},
    ]
    assert served.local.post(path, json={"messages": given}).json() == {"next_index": 4}
    problem(served.local.post(path, json={"messages": [{"role": "user", "content": "x", "index": 1}]}), 422)
    problem(served.local.post(path, json={"messages": [{"role": "user", "content": "a\0b"}]}), 422)
    chat = served.local.get(f"/api/runs/{run}").json()["messages"]
    assert [row["role"] for row in chat] == ["system", "user", "assistant", "tool"]
    assert chat[2]["tool_calls"] == [{"id": "c_1", "name": "note_find", "arguments": {"search": "x"}}]
    served.local.post(f"/api/runs/{run}/end", json={"status": "completed"})
    late = problem(served.local.post(path, json={"messages": [{"role": "user", "content": "x"}]}), 422)
    assert late["code"] == "RunOver"


def test_a_model_drives_a_run_and_takes_another_turn(served: Served, tmp_path: Path) -> None:
    script = tmp_path / "answers.json"
    script.write_text(json.dumps([{"text": "Here I am."}]))
    model = f"scripted:{script}"
    run = served.local.post("/api/agents/scout/runs", json={"kind": "direct", "message": "hello"}).json()["id"]
    driven = served.local.post(f"/api/runs/{run}/drive", json={"model": model}).json()
    assert driven["messages"][-1]["content"] == "Here I am."
    again = served.local.post(f"/api/runs/{run}/continue", json={"model": model, "message": "And now?"}).json()
    assert [row["content"] for row in again["messages"]][-2:] == ["And now?", "Here I am."]
    newer = served.local.post("/api/agents/scout/runs", json={"kind": "direct"}).json()
    assert (newer["newer_runs"], served.local.get(f"/api/runs/{run}").json()["newer_runs"]) == (0, 1)
    row = served.local.get("/api/agents/scout/runs").json()["runs"][1]
    assert (row["id"], row["steps"], row["tool_calls"], row["opening"]) == (run, 2, 0, "hello")


def test_a_script_is_a_file_of_the_server_and_no_strangers(served: Served, tmp_path: Path) -> None:
    script = tmp_path / "answers.json"
    script.write_text("[]")
    run = served.local.post("/api/agents/scout/runs", json={"kind": "direct"}).json()["id"]
    ben = served.holder("Ben", Role.OPERATOR)
    for there in (script, tmp_path / "no.json"):
        for name in (f"scripted:{there}", f"SCRIPTED:{there}"):
            problem(ben.post(f"/api/runs/{run}/drive", json={"model": name}), 403)
    told = problem(ben.post(f"/api/runs/{run}/drive", json={"model": "nobody:x"}), 422)
    assert told["code"] == "BadModel"


def test_a_schedules_previous_run_can_be_told(served: Served) -> None:
    given = {"kind": "schedule", "instruction": "look", "previous_run_at": "2026-01-02T03:04:05Z"}
    run = served.local.post("/api/agents/scout/runs", json=given).json()
    assert "2026-01-02T03:04:05Z" in run["messages"][1]["content"]
    problem(served.local.post("/api/agents/scout/runs", json=given | {"previous_run_at": "yesterday"}), 422)


# --- imports ---


def line(number: int, text: str | None, **changed: object) -> str:
    """One version of a history file."""
    record: dict[str, object] = {
        "n": number,
        "path": "MEMORY.md",
        "commit": f"{number:040x}",
        "author": "scout[bot]",
        "kind": "human",
        "time": f"2026-01-{number:02}T09:00:00+09:00",
        "status": "A" if number == 1 else "M",
        "text": text,
    }
    return json.dumps(record | changed, ensure_ascii=False)


def test_a_history_is_posted_and_posted_again_with_what_is_new(served: Served) -> None:
    lines = [line(1, "a\n"), line(2, "a\nb\r\n"), line(3, "記録\n")]

    def post(count: int, **query: Any) -> dict[str, Any]:
        told = served.local.post(
            "/api/imports",
            params={"agent": "imported", "label": "my repository", **query},
            content="\n".join(lines[:count]).encode(),
            headers={"Content-Type": LINES},
        )
        assert told.status_code == 200
        found: dict[str, Any] = told.json()
        return found

    assert (post(2)["added"], post(2)["added"], post(3)["added"]) == (2, 0, 1)
    versions = served.local.get("/api/agents/imported/memory").json()["versions"]
    assert [(one["version"], one["author"]["kind"], one["added"]) for one in versions] == [
        (3, "operator", 1),
        (2, "operator", 1),
        (1, "operator", 1),
    ]
    post(3, agent_author=["x", "*[bot]"])
    named = served.local.get("/api/agents/imported/memory?author=agent").json()["versions"]
    assert [one["version"] for one in named] == [3, 2, 1]
    source = served.local.get("/api/agents/imported").json()["source"]
    assert (source["label"], source["agent_authors"]) == ("my repository", ["x", "*[bot]"])
    post(3)
    assert served.local.get("/api/agents/imported").json()["source"] == source
    assert (source["full_history"], source["restarted_at"]) == (False, None)


def test_more_of_a_posted_history_starts_the_numbers_anew_when_told_to(served: Served) -> None:
    """Decision 48: version 1 of what was cut off has no author, and the whole of it is taken only when that is said."""
    whole = [line(n, f"{n}\n") for n in (1, 2, 3)]
    cut = [line(1, "2\n", commit=f"{2:040x}", kind="unknown", author=None), line(2, "3\n", commit=f"{3:040x}")]
    query = {"agent": "imported", "label": "a file"}

    def post(lines: list[str], **more: str) -> Any:
        return served.local.post("/api/imports", params=query | more, content="\n".join(lines).encode())

    assert post(cut).status_code == 200
    oldest = served.local.get("/api/agents/imported/memory").json()["versions"][-1]
    assert (oldest["author"]["kind"], oldest["author"]["name"]) == ("unknown", None)
    assert "more than the 2" in str(problem(post(whole), 422)["detail"])
    told = post(whole, replace="true").json()
    assert (told["versions"], told["added"], told["skipped"]) == (3, 3, 0)
    assert served.local.get("/api/agents/imported").json()["source"]["restarted_at"] is not None
    assert [one["version"] for one in served.local.get("/api/agents/imported/memory").json()["versions"]] == [3, 2, 1]


def test_the_authors_of_a_history_are_told_and_nothing_is_written(served: Served) -> None:
    before = served.local.get("/api/agents").json()
    told = served.local.post(
        "/api/imports/authors",
        params={"agent_author": ["!Ana"], "label": "my file"},
        content=line(1, "a\n").encode(),
        headers={"Content-Type": LINES},
    )
    assert (told.status_code, told.json()["versions"], told.json()["label"]) == (200, 1, "my file")
    assert [one["kind"] for one in told.json()["authors"]] == ["operator"]
    assert served.local.get("/api/agents").json() == before


@pytest.mark.parametrize(
    ("content", "status", "says"),
    [
        (b"", 404, "my file: it is empty"),
        (b"\n" * 17 * 2**20, 404, "my file: it is empty"),
        (b"\xff", 422, "my file is not UTF-8 text (byte 0)"),
        (b"{}", 422, "my file is not a history: line 1"),
        (line(2, "x").encode(), 422, "is numbered 2"),
    ],
    ids=["empty", "larger than any text may be", "not UTF-8", "no version", "not from 1"],
)
def test_what_is_no_history_is_refused_whole(standing: Served, content: bytes, status: int, says: str) -> None:
    query = {"agent": "imported", "label": "my file"}
    told = problem(standing.local.post("/api/imports", params=query, content=content), status)
    assert says in str(told["detail"])
    problem(standing.local.get("/api/agents/imported"), 404)
