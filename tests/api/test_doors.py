"""Who gets in, and what each role may: tokens, the local secret, other sites, hostile input."""

import json
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

import pytest
from builders import open_store, overwrite, wake
from rest_served import Served, serving

from studio import Studio
from studio.api.handler import Endpoint
from studio.api.operations import BODY_LIMIT_BYTES
from studio.api.problems import STATUS_OF_FAMILY
from studio.api.routes import TABLE
from studio.domain.collections import Access
from studio.domain.paths import archive_path
from studio.domain.tokens import Role
from studio.errors import StudioError

EVERY = [(route.path, method) for route in TABLE for method, one in route.operations.items() if not one.open]


def filled(path: str, agent: str = "scout", run: str = "r_no") -> str:
    return path.format(
        agent=agent, version=1, draft=1, run=run, tool="memory_write", token="no", method="check", commit="HEAD"
    )


# --- getting in ---


@pytest.mark.parametrize(("path", "method"), EVERY)
def test_nothing_is_open_without_a_token(standing: Served, path: str, method: str) -> None:
    answer = standing.client().request(method, filled(path))
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert answer.headers["Content-Type"] == "application/problem+json"


KEEPING = {
    "a stranger's": (None, 401, 0),
    "one with a wrong token": ("nope", 401, 0),
    "one with a token that may not import": ("wall", 403, 0),
    "ours": ("local", 422, 300_000),
}


@pytest.mark.parametrize(("who", "status", "kept"), KEEPING.values(), ids=KEEPING)
@pytest.mark.parametrize("chunked", [False, True], ids=["with its length", "in chunks"])
def test_a_large_body_is_kept_for_whom_we_know_only(
    standing: Served, monkeypatch: pytest.MonkeyPatch, who: str | None, status: int, kept: int, *, chunked: bool
) -> None:
    """Otherwise anybody could fill the memory of a server that others can reach."""
    lengths: list[int] = []
    carry_out = Endpoint._carry_out

    async def looked_at(one: Endpoint, **named: str) -> None:
        lengths.append(sum(map(len, one._chunks)))
        await carry_out(one, **named)

    monkeypatch.setattr(Endpoint, "_carry_out", looked_at)
    body = b"x" * 300_000
    client = standing.local if who == "local" else standing.client(who)
    if who == "wall":
        client = standing.holder(who, Role.VIEWER)
    answer = client.post("/api/imports?agent=scout", content=iter([body]) if chunked else body)
    assert (answer.status_code, lengths) == (status, [kept])


def test_a_body_that_was_dropped_is_never_taken_for_an_empty_one(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.save("scout", "what I know")
    monkeypatch.setattr(Endpoint, "_is_known", lambda _: False)  # as where the store failed for a moment
    answer = served.save("scout", "x" * 300_000, "*")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
    assert served.local.get(served.text_path("scout")).text == "what I know"


def test_health_is_open_and_real(served: Served) -> None:
    assert served.client().get("/health").json() == {"status": "ok"}
    served.studio.close()
    assert served.client().get("/health").status_code == 503


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Bearer nope", "Basic QW5hOnB3", "bearer x y", "Bearer " + "x" * 4_000, "Bearer \u00fc"],
)
def test_what_is_no_token_lets_nobody_in(standing: Served, header: str) -> None:
    answer = standing.client().get("/api/agents", headers={b"Authorization": header.encode("latin-1")})
    assert answer.status_code == 401


def test_the_secret_lies_beside_the_lock_while_it_is_served(tmp_path: Path) -> None:
    file = tmp_path / "s.duckdb"
    secret, lock = Path(f"{file}.secret"), Path(f"{file}.lock")
    secret.write_text("left by a killed process\n")
    secret.chmod(0o644)
    with serving(file) as served:
        assert stat.S_IMODE(secret.stat().st_mode) == 0o600
        assert served.local.get("/api/agents").status_code == 200
        assert served.client("left by a killed process").get("/api/agents").status_code == 401
        named = json.loads(lock.read_text())
        assert named["url"] == f"{served.url}/"
        first = secret.read_text()
    assert not secret.exists()
    assert "url" not in lock.read_text()
    with serving(file) as served:
        assert secret.read_text() != first
        assert served.client(first.strip()).get("/api/agents").status_code == 401


def test_a_token_is_stored_as_its_hash_and_ends_when_revoked(served: Served) -> None:
    token, secret = served.studio.tokens.create("Ben", Role.OPERATOR)
    assert served.client(secret).get("/api/agents").status_code == 200
    with served.studio._context.database.read() as cursor:
        rows = cursor.execute("SELECT * FROM tokens").fetchall()
    assert secret not in str(rows)
    assert rows[0][1] == sha256(secret.encode()).hexdigest()
    assert served.studio.tokens.list() == (token,)
    served.studio.tokens.revoke("Ben")
    assert served.client(secret).get("/api/agents").status_code == 401


def test_tokens_are_made_while_it_is_served(served: Served) -> None:
    made = served.local.post("/api/tokens", json={"name": "Ben", "role": "operator"})
    assert made.status_code == 201
    ben = served.client(made.json()["token"])
    assert ben.get("/api/tokens").json()["tokens"][0]["name"] == "Ben"
    assert "token" not in ben.get("/api/tokens").json()["tokens"][0]
    taken = served.local.post("/api/tokens", json={"name": "Ben", "role": "viewer"})
    assert (taken.status_code, taken.json()["code"]) == (422, "TokenTaken")
    assert served.local.post("/api/tokens", json={"name": "x", "role": "agent"}).status_code == 422
    assert served.local.delete("/api/tokens/Ben").status_code == 204
    assert ben.get("/api/tokens").status_code == 401
    assert served.local.delete("/api/tokens/Ben").status_code == 404


# --- other sites ---


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "10.0.0.1", "localhost.evil", "[::2]", ""])
def test_a_name_that_points_here_is_refused(standing: Served, host: str) -> None:
    """DNS rebinding: a page of theirs asks its own name, which now means this machine."""
    for path in ("/api/agents", "/health"):
        with standing.client(standing.secret) as client:  # of its own: the server hangs up on a malformed Host
            assert client.get(path, headers={"Host": host}).status_code in (400, 403)


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}],
    ids=["foreign", "null", "fetch metadata"],
)
def test_pages_of_other_sites_are_refused(standing: Served, headers: dict[str, str]) -> None:
    assert standing.local.get("/api/agents", headers=headers).status_code == 403
    assert standing.local.get("/api/agents", headers={"Origin": standing.url}).status_code == 200
    assert standing.local.get("/api/agents", headers={"Host": "localhost:1"}).status_code == 200


# --- roles ---


VIEWER_MAY = {
    ("/api/agents/{agent}/prompt", "POST"),
    ("/api/expansion", "POST"),
    ("/api/studio/{method}", "POST"),
    ("/api/agents/{agent}/memory/lint", "POST"),
    ("/api/agents/{agent}/task/lint", "POST"),
    ("/api/agents/{agent}/directory/judge", "POST"),
    ("/api/agents/{agent}/directory/compiled", "POST"),
}
"""What only asks although it is a POST; of the last, each method has roles of its own."""
VIEWER_MAY_NOT = {"/metrics", "/api/tokens", "/api/agents/{agent}/archive"}


@pytest.mark.parametrize(("path", "method"), EVERY)
def test_a_viewer_reads_and_writes_nothing(standing: Served, path: str, method: str) -> None:
    viewer = standing.holder("wall", Role.VIEWER)
    answer = viewer.request(method, filled(path))
    allowed = path not in VIEWER_MAY_NOT if method == "GET" else (path, method) in VIEWER_MAY
    assert (answer.status_code == 403) == (not allowed)


AGENT_MAY_NOT = {
    ("/metrics", "GET"),
    ("/api/demo", "POST"),
    ("/api/guilds", "GET"),
    ("/api/operators", "GET"),
    ("/api/problems", "GET"),
    ("/api/bindings", "PUT"),
    ("/api/imports", "POST"),
    ("/api/imports/authors", "POST"),
    ("/api/expansion", "POST"),
    ("/api/notes/count", "GET"),
    ("/api/notes/path", "GET"),
    ("/api/note/embedded-in", "GET"),
    ("/api/collections/path", "GET"),
    ("/api/agents/{agent}/settings", "PATCH"),
    ("/api/agents/{agent}/grant", "PUT"),
    ("/api/agents/{agent}/archive", "GET"),
    ("/api/agents/{agent}/changes", "GET"),
    ("/api/agents/{agent}/prompt", "POST"),
    ("/api/agents/{agent}/memory/lint", "GET"),
    ("/api/agents/{agent}/memory/lint", "POST"),
    ("/api/directories", "POST"),
    *((path, method) for path, method in EVERY if path.startswith("/api/agents/{agent}/directory")),
    ("/api/agents/{agent}/task/lint", "GET"),
    ("/api/agents/{agent}/task/lint", "POST"),
    ("/api/agents/{agent}/memory/authors", "GET"),
    ("/api/agents/{agent}/memory/{version}/step", "GET"),
    ("/api/agents/{agent}/task/broken-links", "GET"),
    ("/api/agents/{agent}/task/review", "GET"),
    ("/api/agents/{agent}/task/drafts", "GET"),
    ("/api/agents/{agent}/task/drafts/{draft}", "GET"),
    ("/api/agents/{agent}/task/drafts/{draft}/restore", "POST"),
    ("/api/runs/{run}/drive", "POST"),
    ("/api/runs/{run}/continue", "POST"),
    ("/api/tokens", "GET"),
    ("/api/tokens", "POST"),
    ("/api/tokens/{token}", "DELETE"),
    ("/api/agents", "GET"),
    ("/api/agents", "POST"),
    ("/api/agents/{agent}", "PATCH"),
    ("/api/agents/{agent}/memory", "GET"),
    ("/api/agents/{agent}/memory/{version}", "GET"),
    ("/api/agents/{agent}/memory/{version}/restore", "POST"),
    ("/api/agents/{agent}/files/memory.md", "PUT"),
    ("/api/agents/{agent}/task", "GET"),
    ("/api/agents/{agent}/task/{version}", "GET"),
    ("/api/agents/{agent}/task/{version}/restore", "POST"),
    ("/api/agents/{agent}/task/draft", "GET"),
    ("/api/agents/{agent}/task/draft", "PUT"),
    ("/api/agents/{agent}/task/draft", "DELETE"),
    ("/api/agents/{agent}/task/publish", "POST"),
    ("/api/agents/{agent}/files/task.md", "PUT"),
    ("/api/collection", "POST"),
    ("/api/studio/import_history", "POST"),
}


@pytest.mark.parametrize(("path", "method"), EVERY)
def test_an_agent_runs_and_writes_for_itself_and_sees_nobody_else(standing: Served, path: str, method: str) -> None:
    scout = standing.holder("scout-runtime", Role.AGENT, "scout")
    own = scout.request(method, filled(path))
    assert (own.status_code == 403) == ((path, method) in AGENT_MAY_NOT)
    if "{agent}" in path:
        for other in ("desk", standing.studio.get_agent("desk").id, "nobody"):
            assert scout.request(method, filled(path, other)).status_code == 403
    if "{run}" in path:
        theirs = wake(standing.studio, "desk")
        answer = scout.request(method, filled(path, run=theirs))
        unknown = (404, "UnknownRun") if (path, method) not in AGENT_MAY_NOT else (403, None)
        assert (answer.status_code, answer.json().get("code")) == unknown


def test_a_runtime_runs_its_agent(served: Served) -> None:
    scout = served.holder("scout-runtime", Role.AGENT, "scout")
    run = scout.post("/api/agents/scout/runs", json={"kind": "schedule", "instruction": "look"})
    assert run.status_code == 201
    row = run.json()["messages"][0]
    assert row["content"].startswith("<guidelines>")
    tools = f"/api/runs/{run.json()['id']}/tools"
    told = scout.post(f"{tools}/memory_write", json={"arguments": {"content": "learnt"}, "call": "c_1"}).json()
    assert told["accepted"] is True
    over = scout.post(f"{tools}/memory_write", json={"arguments": {"content": "x" * 12_001}}).json()
    assert over == {"text": "ERROR: memory exceeds 12000 characters", "accepted": False}
    note = scout.post(f"{tools}/note_write", json={"arguments": {"path": "a.md", "body": "b"}}).json()
    assert note["text"].startswith("Note saved: org/")
    assert scout.post(f"{tools}/no_such", json={"arguments": {}}).json()["accepted"] is False
    newest = served.studio.list_memory_versions("scout")[0]
    assert (newest.author.name, newest.run, newest.call) == (run.json()["id"], run.json()["id"], "c_1")
    assert scout.get("/api/agents/scout/files/memory.md").content == b"learnt"
    ended = scout.post(f"/api/runs/{run.json()['id']}/end", json={"status": "completed"})
    assert ended.json()["status"] == "completed"
    late = scout.post(f"{tools}/memory_write", json={"arguments": {"content": "late"}})
    assert (late.status_code, late.json()["code"]) == (422, "RunOver")


def test_an_agents_notes_are_its_own(served: Served) -> None:
    scout, org = served.holder("scout-runtime", Role.AGENT, "scout"), served.studio.get_agent("desk").org
    theirs = f"org/{org}/agents/{served.studio.get_agent('desk').id}/notes/secret.md"
    served.studio.notes.create(theirs, "for desk only")
    assert scout.get("/api/note", params={"path": theirs}).status_code == 422
    assert scout.get("/api/files", params={"path": theirs}).status_code == 404
    assert scout.get("/api/notes").json() == {"notes": [], "next_offset": None}
    assert scout.get("/api/notes/find", params={"search": "desk"}).json() == {"notes": []}
    refused = scout.put("/api/note", params={"path": theirs}, json={"body": "x"}, headers={"If-Match": "*"})
    assert refused.status_code == 422
    mine = theirs.replace(served.studio.get_agent("desk").id, served.studio.get_agent("scout").id)
    made = scout.put("/api/note", params={"path": mine}, json={"body": "x"}, headers={"If-None-Match": "*"})
    assert (made.status_code, made.json()["updated_by"]["kind"]) == (200, "agent")
    match = {"If-Match": made.headers["ETag"]}
    assert scout.put("/api/note", params={"path": mine}, json={"body": "y"}, headers=match).status_code == 200
    stale = scout.put("/api/note", params={"path": mine}, json={"body": "z"}, headers=match)
    assert (stale.status_code, stale.json()["live"]) == (409, sha256(b"y").hexdigest())
    assert scout.delete("/api/note", params={"path": mine}).status_code == 428
    assert scout.delete("/api/note", params={"path": mine}, headers={"If-Match": "*"}).status_code == 204


def test_collections_are_defined_by_operators_and_written_where_granted(served: Served) -> None:
    scout, agent = served.holder("scout-runtime", Role.AGENT, "scout"), served.studio.get_agent("scout")
    path = {"path": f"org/{agent.org}/collections/leads"}
    made = served.local.post("/api/collection", params=path, json={"columns": [{"name": "company"}]})
    assert (made.status_code, made.json()["access"]) == (201, "write")
    assert scout.get("/api/collection", params=path).json()["code"] == "NotGranted"
    served.studio.collections.grant("scout", path["path"], Access.WRITE)
    row = scout.post("/api/collection/records", params=path, json={"values": {"company": "ACME"}, "id": "acme"})
    assert (row.status_code, row.json()["changed"]) == (200, True)
    rows = served.local.get("/api/collection/records", params={"path": "leads", "since": "2026-01-01T00:00:00Z"})
    assert [one["values"] for one in rows.json()["records"]] == [{"company": "ACME"}]
    assert served.local.get("/api/collections").json()["collections"][0]["name"] == "leads"


# --- display paths ---


def test_archive_files_are_the_operators(served: Served) -> None:
    overwrite(served.studio, "scout", "old\r\n")
    overwrite(served.studio, "scout", "new")
    agent = served.studio.get_agent("scout")
    path = archive_path(agent.org, agent.id, served.studio.list_archive("scout")[2])
    found = served.local.get("/api/files", params={"path": path})
    assert found.status_code == 200
    assert found.content.endswith(b"\n\nold\r\n")
    scout, viewer = served.holder("scout-runtime", Role.AGENT, "scout"), served.holder("wall", Role.VIEWER)
    assert served.holder("Ben", Role.OPERATOR).get("/api/files", params={"path": path}).content == found.content
    for client in (scout, viewer):
        told = client.get("/api/files", params={"path": path})
        assert (told.status_code, told.json()["code"]) == (404, "UnknownPath")
    live = f"org/{agent.org}/agents/{agent.id}/memory.md"
    for client in (scout, viewer, served.local):
        assert client.get("/api/files", params={"path": live}).content == b"new"
    desk = served.studio.get_agent("desk").id
    assert scout.get("/api/files", params={"path": live.replace(agent.id, desk)}).status_code == 404


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param("..", id="path-02 .."),
        pytest.param("a/..", id="path-02 a/.."),
        pytest.param("a/../..", id="path-02 a/../.."),
        pytest.param("./..", id="path-02 ./.."),
        pytest.param("a/..%5C%5Cb", id="path-02 backslashes"),
        pytest.param("org/{org}/agents/{agent}/%2e%2e/secret.md", id="path-04 decoded once"),
        pytest.param("org/{org}/agents/{agent}/x/%2e%2e/memory.md", id="path-04 back to a real file"),
        pytest.param("org/{org}/agents/{agent}/%252e%252e/memory.md", id="path-04 never decoded twice"),
        pytest.param("org%2F{org}%2Fagents%2F{agent}%2Fmemory.md%00", id="NUL"),
        pytest.param("org/{org}/agents/{agent}/history-archive/..%2Fmemory.md", id="out of the archive"),
        pytest.param("/etc/passwd", id="a file of the machine"),
    ],
)
def test_paths_that_climb_are_unknown(standing: Served, raw: str) -> None:
    agent = standing.studio.get_agent("scout")
    path = raw.format(org=agent.org, agent=agent.id)
    for where in ("files", "note"):
        told = standing.local.get(f"{standing.url}/api/{where}?path={path}")
        assert (told.status_code, told.json()["code"]) == (404, "UnknownPath")


@pytest.mark.parametrize("name", ["a/b", "ガイド ü", "50% off", "a\\b", "..", "memory.md?x=1#y"])
def test_an_agent_is_reached_by_any_name(served: Served, name: str) -> None:
    """The parts of a path are decoded once, after the path is cut."""
    made = served.local.post("/api/agents", json={"name": name})
    assert made.status_code == 201
    found = served.local.get(f"{served.url}/api/agents/{quote(name, safe='').replace('.', '%2E')}")
    assert (found.status_code, found.json()) == (200, made.json())
    assert served.local.get(made.headers["Location"]).json()["name"] == name


# --- hostile input ---


def test_every_family_has_a_status() -> None:
    assert set(STATUS_OF_FAMILY) == set(StudioError.__subclasses__())


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"\xff\xfe", 400),
        (b'{"kind": NaN}', 400),
        (b"[" * 100_000, 400),
        (b"[]", 422),
        (b'{"kind": "cron"}', 422),
        (b'{"kind": "direct", "message": "\\ud800"}', 422),
        (b'{"kind": "direct", "message": "a\\u0000b"}', 422),
        (b'{"kind": "direct", "extra": 1}', 422),
        (b'{"kind": "direct", "max_steps": 99999999999999999999}', 422),
    ],
    ids=lambda value: str(value[:40]) if isinstance(value, bytes) else "",
)
def test_a_bad_body_is_one_sentence(standing: Served, body: bytes, status: int) -> None:
    told = standing.local.post("/api/agents/scout/runs", content=body, headers={"Content-Type": "application/json"})
    assert told.status_code == status
    assert set(told.json()) >= {"type", "title", "status", "kind", "detail", "request_id"}
    assert standing.studio.count_runs("scout") == 0, "only refused requests reach the standing store for this agent"


@pytest.mark.parametrize(
    "query",
    ["limit=0", "limit=x", "limit=1&limit=2", "wibble=1", "before=-1", "limit=%FF", "limit=9999999999999999999"],
)
def test_a_bad_query_is_400(standing: Served, query: str) -> None:
    assert standing.local.get(f"/api/agents/scout/memory?{query}").status_code == 400


def test_an_answer_before_the_request_was_read_says_that_the_connection_ends(standing: Served) -> None:
    told = standing.local.get("/api/agents/%ED%A0%80")
    assert (told.status_code, told.headers.get("Connection")) == (400, "close")
    assert standing.local.get("/api/agents/scout").headers.get("Connection") != "close"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/agents/%00", 404),
        ("GET", "/api/agents/%ED%A0%80", 400),
        ("GET", "/api/agents/scout/memory/99999999999", 404),
        ("GET", "/api/agents/scout/memory/x", 404),
        ("GET", "/api/nothing", 404),
        ("GET", "/api", 404),
        ("POST", "/api/agents/scout/memory", 405),
        ("OPTIONS", "/api/nothing", 404),
        ("CONNECT", "/api/agents", 405),
        ("TRACE", "/api/agents", 405),
    ],
)
def test_what_is_not_there_is_a_problem_too(standing: Served, method: str, path: str, status: int) -> None:
    told = standing.local.request(method, path)
    assert (told.status_code, told.headers["Content-Type"]) == (status, "application/problem+json")


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_over_the_limit_is_413_and_writes_nothing(standing: Served, chunked: bool) -> None:  # noqa: FBT001
    part = b"x" * 2**20
    parts = BODY_LIMIT_BYTES // 2**20 + 1
    content: object = (part for _ in range(parts)) if chunked else part * parts
    told = standing.local.put(standing.text_path("scout"), content=content, headers={"If-Match": "*"})  # type: ignore[arg-type]
    assert (told.status_code, told.headers["Content-Type"]) == (413, "application/problem+json")
    assert len(standing.studio.list_memory_versions("scout")) == 1


def test_a_request_id_is_taken_over_where_it_is_plain(standing: Served) -> None:
    assert standing.local.get("/health", headers={"X-Request-Id": "trace-1"}).headers["X-Request-Id"] == "trace-1"
    made = standing.local.get("/health", headers={"X-Request-Id": "x y"}).headers["X-Request-Id"]
    assert made != "x y"


def test_a_fault_of_ours_says_no_more_than_its_id(
    served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def boom(*_: object, **__: object) -> None:
        raise ZeroDivisionError("inner secret")

    monkeypatch.setattr(Studio, "list_agents", boom)
    told = served.local.get("/api/agents")
    assert (told.status_code, told.json()["kind"]) == (500, "fault")
    assert "inner secret" not in told.text
    assert told.json()["request_id"] in caplog.text


def test_metrics_count_by_route(standing: Served) -> None:
    standing.local.get("/api/agents/scout/memory")
    told = standing.local.get("/metrics")
    assert told.headers["Content-Type"].startswith("text/plain")
    assert 'studio_http_requests_total{route="/api/agents/{agent}/memory",method="GET",status="200"}' in told.text


def test_a_slow_request_holds_nobody_else_up(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()
    monkeypatch.setattr(Studio, "count_agents", lambda *_: go.wait(20) and 0)
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(served.local.get, "/api/agents")
        assert served.client().get("/health").status_code == 200
        assert not slow.done()
        go.set()
        assert slow.result().status_code == 200


def test_a_store_in_memory_is_served_without_a_file() -> None:
    with open_store(":memory:") as studio:
        studio.announce("http://127.0.0.1:1/")
        assert studio.admit("") is None
        studio.withdraw()
