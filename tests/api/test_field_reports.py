"""What people reported of comparable products, held over real HTTP: one test for each case of five areas, named by its id."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from builders import Clock, overwrite, wake
from rest_served import Served
from test_routes import line
from test_texts import of, problem, versions

from studio.domain.tokens import Role

CASES = Path(__file__).parents[3] / "shared" / "cases"
AREAS = {"concurrency", "snapshot", "no-op", "path", "encoding"}
MEMORY = "/api/agents/scout/files/memory.md"
Case = Callable[[Served, Clock], None]
HELD: dict[str, Case] = {}


def case(name: str) -> Callable[[Case], Case]:
    """Enter a test under the id of its case."""

    def enter(held: Case) -> Case:
        HELD[name] = held
        return held

    return enter


def runtime(served: Served) -> httpx.Client:
    """The program that runs scout."""
    return served.holder("scout-runtime", Role.AGENT, "scout")


def begin(served: Served, kind: str = "schedule", **given: object) -> dict[str, Any]:
    """A new run of scout, with its prompt."""
    given |= {"instruction": "look"} if kind == "schedule" else {}
    made: dict[str, Any] = runtime(served).post("/api/agents/scout/runs", json={"kind": kind, **given}).json()
    return made


def write(served: Served, run: str, content: str) -> dict[str, Any]:
    """A call of memory_write in a run."""
    path = f"/api/runs/{run}/tools/memory_write"
    told: dict[str, Any] = runtime(served).post(path, json={"arguments": {"content": content}}).json()
    return told


def text(served: Served, version: int) -> str:
    return str(served.local.get(f"/api/agents/scout/memory/{version}").json()["text"])


# --- concurrency ---


@case("concurrency-01")
def full_replacement_loses_nothing(served: Served, clock: Clock) -> None:
    """A write from a stale copy goes through by rule, and what it replaces is in the archive first."""
    overwrite(served.studio, "scout", "A\n")
    one, two = begin(served)["id"], begin(served)["id"]
    clock.tick()
    assert write(served, two, "A\nB\nC\n")["accepted"]
    clock.tick()
    assert write(served, one, "A2\n")["accepted"]
    found = versions(served)
    assert [version["run"] for version in found] == [one, two, None, None]
    assert text(served, 3) == "A\nB\nC\n"
    newest = served.local.get("/api/agents/scout/archive").json()["files"][0]
    held = served.local.get("/api/files", params={"path": newest["path"]}).content
    assert f"Replaced by: run {one}".encode() in held
    assert held.endswith(b"A\nB\nC\n")


@case("concurrency-03")
def save_over_a_newer_version_is_held_back(served: Served, clock: Clock) -> None:
    for number in (2, 3, 4):
        overwrite(served.studio, "scout", f"version {number}")
    opened, run = served.etag("scout"), begin(served)["id"]
    clock.tick()
    write(served, run, "version 5")
    told = problem(served.save("scout", "mine", opened), 409)
    assert (told["version"], told["live"], told["yours"]) == (5, of("version 5").strip('"'), opened.strip('"'))
    assert (told["kind"], told["code"], run in str(told["detail"])) == ("stale", "TextChanged", True)
    change = served.local.get("/api/agents/scout/memory/5?against=4").json()["change"]
    assert (change["added"], change["removed"]) == (1, 1)
    anyway = served.save("scout", "mine", "*")
    assert (anyway.json()["version"], text(served, 5)) == (6, "version 5")
    newest = served.local.get("/api/agents/scout/archive").json()["files"][0]
    assert newest["name"].endswith("-ana.md"), "the archive names who replaced it"


@case("concurrency-05")
def save_without_a_base_is_no_way_round(served: Served, clock: Clock) -> None:
    del clock
    overwrite(served.studio, "scout", "live")
    for headers in ({"If-Match": of("base")}, {}, {"If-Match": ""}, {"If-None-Match": "*"}, {"Idempotency-Key": "k"}):
        told = served.local.put(MEMORY, content=b"mine", headers=headers)
        problem(told, 409 if headers.get("If-Match") else 428)
    assert served.local.get(MEMORY).content == b"live"
    assert served.local.put(MEMORY, content=b"mine", headers={"If-Match": "*"}).status_code == 200


@case("concurrency-07")
def another_hash_is_refused_and_nothing_is_archived(served: Served, clock: Clock) -> None:
    del clock
    overwrite(served.studio, "scout", "live")
    before = (versions(served), served.local.get("/api/agents/scout/archive").json())
    changes = served.local.get("/api/agents/scout/changes").json()
    told = problem(served.save("scout", "mine", of("what the page loaded")), 409)
    assert told["live"] == of("live").strip('"')
    assert (versions(served), served.local.get("/api/agents/scout/archive").json()) == before
    assert served.local.get("/api/agents/scout/changes").json() == changes


@case("concurrency-09")
def a_write_tells_which_version_it_had_read(served: Served, clock: Clock) -> None:
    for number in (2, 3):
        overwrite(served.studio, "scout", f"version {number}")
    direct = begin(served, "direct", message="hello")
    clock.tick()
    write(served, begin(served)["id"], "version 4")
    assert write(served, direct["id"], "version 5")["accepted"]
    newest = versions(served)[0]
    assert (newest["version"], newest["run"], newest["based_on"]) == (5, direct["id"], 3)
    assert direct["composed_from"]["memory_version"] == 3


# --- snapshot ---


@case("snapshot-01")
def a_prompt_that_was_sent_stays(served: Served, clock: Clock) -> None:
    direct = begin(served, "direct", message="hello")
    clock.tick()
    write(served, begin(served)["id"], "new memory")
    turn = {"messages": [{"role": "assistant", "content": "Hello."}, {"role": "user", "content": "Again?"}]}
    runtime(served).post(f"/api/runs/{direct['id']}/messages", json=turn)
    again = runtime(served).get(f"/api/runs/{direct['id']}").json()["messages"]
    assert again[:2] == direct["messages"]
    assert [row["role"] for row in again] == ["system", "user", "assistant", "user"]
    assert "new memory" not in json.dumps(again)


# --- no-op ---


@case("no-op-02")
def line_ends_and_bom_survive_an_edit(served: Served, clock: Clock) -> None:
    del clock
    served.save("scout", "\ufeffa\r\nb\r\n")
    served.save("scout", "\ufeffa\r\nb\r\nc\r\n")
    assert served.local.get(MEMORY).content == b"\xef\xbb\xbfa\r\nb\r\nc\r\n"
    newest = versions(served)[0]
    assert (newest["added"], newest["removed"]) == (1, 0)


@case("no-op-04")
def a_save_that_changes_nothing_leaves_the_author(served: Served, clock: Clock) -> None:
    run = begin(served)["id"]
    write(served, run, "by the run")
    before = versions(served)[0]
    clock.tick()
    assert served.save("scout", "by the run").json()["changed"] is False
    assert versions(served)[0] == before
    assert before["run"] == run


# --- path ---


@case("path-02")
def paths_that_climb_are_refused(served: Served, clock: Clock) -> None:
    del clock
    agent = served.studio.get_agent("scout")
    base = f"org/{agent.org}/agents/{agent.id}"
    for climbing in (
        "..",
        "a/..",
        "a/../..",
        "./..",
        "a/..\\b",
        "a\\..\\b",
        f"{base}/x/../memory.md",
        f"{base}/notes/../memory.md",
    ):
        query = {"path": climbing}
        for where in ("/api/files", "/api/note"):
            assert problem(served.local.get(where, params=query), 404)["code"] == "UnknownPath"
        made = served.local.put("/api/note", params=query, json={"body": "x"}, headers={"If-None-Match": "*"})
        assert problem(made, 404)["code"] == "UnknownPath"
    assert served.local.get("/api/notes").json()["notes"] == []


@case("path-04")
def what_is_encoded_is_decoded_once_and_then_judged(served: Served, clock: Clock) -> None:
    del clock
    agent = served.studio.get_agent("scout")
    base = f"org/{agent.org}/agents/{agent.id}"
    for raw in (
        f"{base}/%2e%2e/secret.md",
        f"{base}/x/%2e%2e/memory.md",
        f"{base}/%252e%252e/memory.md",
        f"{base}/memory.md%00",
    ):
        told = served.local.get(f"{served.url}/api/files?path={raw}")
        assert problem(told, 404)["code"] == "UnknownPath"
    for raw in (
        "/api/agents/scout/files/..%2f..%2fsecret.md",
        "/api/agents/%2e%2e/memory",
        "/api/agents/scout%2fmemory",
    ):
        problem(served.local.get(f"{served.url}{raw}"), 404)
    assert served.local.get(f"{served.url}/api/files?path={quote(base, safe='')}%2Fmemory%2Emd").status_code == 200


@case("path-06")
def a_name_with_a_slash_is_opened_changed_and_deleted(served: Served, clock: Clock) -> None:
    """A block's label is a name here: of an agent, a record, or a token; each is reached by its first spelling."""
    del clock
    for name in ("/note_directory", "songs/fourth"):
        spelled = quote(name, safe="")
        served.local.post("/api/agents", json={"name": name})
        path = f"{served.url}/api/agents/{spelled}/files/memory.md"
        assert served.local.put(path, content=b"x", headers={"If-Match": of("")}).status_code == 200
        assert served.local.get(path).content == b"x"
        assert served.local.get(f"{served.url}/api/agents/{spelled}").json()["name"] == name
        leads = served.studio.collections.path("leads")
        served.local.post("/api/collection", params={"path": leads}, json={"columns": [{"name": "a"}]})
        where, row = {"path": leads, "id": name}, {"values": {"a": 1}}
        made = served.local.put("/api/collection/record", params=where, json=row, headers={"If-None-Match": "*"})
        assert made.json()["id"] == name
        served.local.post("/api/tokens", json={"name": name, "role": "viewer"})
        assert served.local.delete(f"{served.url}/api/tokens/{spelled}").status_code == 204


@case("path-08")
def two_sources_stay_two(served: Served, clock: Clock) -> None:
    """Two folders of one name are told apart by who names them, and neither takes the other's history."""
    del clock
    label = "-tmp-test-project"

    def post(agent: str, commit: str) -> httpx.Response:
        content = line(1, f"from {commit[:1]}", path=f"{label}/MEMORY.md", commit=commit)
        return served.local.post("/api/imports", params={"agent": agent, "label": label}, content=content)

    one, two = post("project one", "a" * 40), post("project two", "b" * 40)
    assert one.json()["agent"] != two.json()["agent"]
    assert problem(post("project one", "b" * 40), 422)["code"] == "ImportRefused"
    texts = [served.local.get(f"/api/agents/{name}/files/memory.md").text for name in ("project one", "project two")]
    assert texts == ["from a", "from b"]


# --- encoding ---


@case("encoding-01")
def bytes_that_are_no_text_are_refused_and_kept_where_imported(served: Served, clock: Clock) -> None:
    """Latin-1 cannot be saved; what an import kept as bytes is given back byte for byte, marked, and compared without an error."""
    del clock
    told = problem(served.save("scout", b"caf\xe9"), 422)
    assert "not UTF-8 text (byte 3)" in str(told["detail"])
    content = "\n".join([line(1, "caf\0e"), line(2, "café\n", subject="caf\u00c3\u00a9")])
    served.local.post("/api/imports", params={"agent": "imported"}, content=content.encode())
    old = served.local.get("/api/agents/imported/memory/1").json()
    assert (old["binary"], old["text"]) == ("holds NUL, kept as bytes", "caf\\x00e")
    files = served.local.get("/api/agents/imported/archive").json()["files"]
    held = served.local.get("/api/files", params={"path": files[0]["path"]})
    assert held.headers["Content-Type"] == "application/octet-stream"
    assert held.content.endswith(b"caf\0e")
    change = served.local.get("/api/agents/imported/memory/2?against=1").json()["change"]
    assert (change["against"], "binary" in change) == (1, True)
    assert served.local.get("/api/agents/imported/files/memory.md").content == "café\n".encode()


@case("encoding-03")
def names_are_what_they_are(served: Served, clock: Clock) -> None:
    """A path outside ASCII is never quoted: in an import's source, a note's path, an agent's name, or an operator's."""
    del clock
    name = "2026-04-14 记录"
    content = line(1, "x", path=f"memory/{name}.md")
    served.local.post("/api/imports", params={"agent": name, "label": f"memory/{name}.md"}, content=content.encode())
    found = served.local.get(f"{served.url}/api/agents/{quote(name)}")
    assert (found.json()["name"], found.json()["source"]["label"]) == (name, f"memory/{name}.md")
    assert name in found.text, "the JSON is UTF-8, not escapes"
    note = served.studio.notes.path(f"memory/{name}.md")
    served.local.put("/api/note", params={"path": note}, json={"body": "x"}, headers={"If-None-Match": "*"})
    assert served.local.get("/api/notes").json()["notes"][0]["path"] == note
    served.save("scout", "x", **{"X-Studio-Operator": quote("记录")})
    assert versions(served)[0]["author"]["name"] == "记录"  # type: ignore[index]


@case("encoding-05")
def frontmatter_with_crlf_stays_one_block(served: Served, clock: Clock) -> None:
    del clock
    content = "---\r\ndescription: Who Ana is\r\n---\r\nAna likes tea.\r\n"
    served.save("scout", content)
    served.save("scout", content + "And coffee.\r\n")
    stored = served.local.get(MEMORY).content
    assert stored == (content + "And coffee.\r\n").encode()
    assert stored.count(b"---\r\n") == 2
    newest = versions(served)[0]
    assert (newest["added"], newest["removed"]) == (1, 0)


# --- the timeline ---


@case("timeline-15")
def versions_come_newest_first(served: Served, clock: Clock) -> None:
    """Also where the clock was set back: order is by sequence (decision 14)."""
    for number, step in enumerate((60, -3600, 60, 0)):
        clock.tick(step)
        if number == 2:
            write(served, wake(served.studio, "scout"), "by a run")
        else:
            overwrite(served.studio, "scout", f"by Ana {number}")
    told = served.local.get("/api/agents/scout/memory")
    assert (told.status_code, [one["version"] for one in told.json()["versions"]]) == (200, [5, 4, 3, 2, 1])
    assert [one["live"] for one in told.json()["versions"]] == [True, False, False, False, False]
    agent = served.studio.get_agent("scout").id
    assert served.local.get(f"/api/agents/{agent}/memory").json() == told.json()


@pytest.mark.parametrize("name", HELD)
def test_it_is_right_over_rest(served: Served, clock: Clock, name: str) -> None:
    HELD[name](served, clock)


def test_every_case_of_these_areas_is_held() -> None:
    file = CASES / "field-reports.json"
    if not file.exists():
        pytest.skip("the cases are not beside this checkout")
    cases = json.loads(file.read_text(encoding="utf-8"))
    assert {one["id"] for one in cases if one["area"] in AREAS} == HELD.keys() - {"timeline-15"}
