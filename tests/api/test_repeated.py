"""Writes that are sent again under a key: carried out once, answered alike, also across a kill of the owner."""

import json
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from cli_shell import Shell
from rest_served import Served
from test_processes import local_client, running

from studio.domain.collections import Column
from studio.domain.tokens import Role

KEY = {"Idempotency-Key": "k-1"}


def table(served: Served) -> str:
    """The path of a collection."""
    path = served.studio.collections.path("leads")
    served.studio.collections.create(path, [Column("company")])
    return path


def runs(served: Served) -> int:
    return served.studio.count_runs("scout")


def rows(served: Served) -> int:
    run = served.studio.list_runs("scout")[0].id
    return len(served.studio.get_run(run)[1])


def versions(served: Served) -> int:
    return len(served.studio.list_memory_versions("scout"))


def new_run(served: Served) -> str:
    made = served.local.post("/api/agents/scout/runs", json={"kind": "schedule", "instruction": "look"})
    return str(made.json()["id"])


def wrote(content: str) -> dict[str, Any]:
    return {"arguments": {"content": content}}


# --- what is carried out once ---


def test_a_run_is_begun_once(served: Served) -> None:
    given = {"kind": "direct", "message": "hello"}
    first, again = (served.local.post("/api/agents/scout/runs", json=given, headers=KEY) for _ in range(2))
    assert (again.status_code, again.content) == (first.status_code, first.content) == (201, first.content)
    assert again.headers["Location"] == first.headers["Location"]
    assert ("Idempotency-Replayed" in first.headers, again.headers["Idempotency-Replayed"]) == (False, "true")
    assert runs(served) == 1


def test_chat_rows_are_added_once(served: Served) -> None:
    path, before = f"/api/runs/{new_run(served)}/messages", rows(served)
    given = {"messages": [{"role": "assistant", "content": "I look."}]}
    told = [served.local.post(path, json=given, headers=KEY).json() for _ in range(3)]
    assert told == [{"next_index": before + 1}] * 3
    assert rows(served) == before + 1
    assert served.local.post(path, json=given).json() == {"next_index": before + 2}, "without a key it is another row"


@pytest.mark.parametrize("where", ["/api/runs/{run}/tools/memory_write", "/api/agents/scout/tools/memory_write"])
def test_a_tool_is_called_once(served: Served, where: str) -> None:
    path = where.format(run=new_run(served))
    first = served.local.post(path, json=wrote("a"), headers=KEY)
    served.save("scout", "someone else's")
    again = served.local.post(path, json=wrote("a"), headers=KEY)
    assert (again.status_code, again.json()) == (200, first.json())
    assert served.studio.get_memory_version("scout").body.text == "someone else's"
    assert versions(served) == 3


def test_a_tools_refusal_is_an_answer_too(served: Served) -> None:
    path = f"/api/runs/{new_run(served)}/tools/memory_write"
    told = [served.local.post(path, json=wrote("x" * 12_001), headers=KEY).json() for _ in range(2)]
    assert told == [{"text": "ERROR: memory exceeds 12000 characters", "accepted": False}] * 2


def test_a_record_is_made_once(served: Served) -> None:
    path = {"path": table(served)}
    given = {"values": {"company": "ACME"}}
    first, again = (
        served.local.post("/api/collection/records", params=path, json=given, headers=KEY) for _ in range(2)
    )
    assert (first.json()["id"], first.headers["ETag"]) == (again.json()["id"], again.headers["ETag"])
    assert len(served.studio.collections.records("leads")) == 1


def test_an_agent_is_made_once(served: Served) -> None:
    told = {served.local.post("/api/agents", json={"name": "new"}, headers=KEY).json()["id"] for _ in range(2)}
    assert len(told) == 1
    assert served.studio.count_agents("new") == 1


def test_a_note_is_deleted_once(served: Served) -> None:
    path = served.studio.notes.path("a.md")
    served.studio.notes.create(path, "x")
    headers = {**KEY, "If-Match": "*"}
    told = [served.local.delete("/api/note", params={"path": path}, headers=headers).status_code for _ in range(2)]
    assert told == [204, 204]
    assert served.local.delete("/api/note", params={"path": path}, headers={"If-Match": "*"}).status_code == 404


def test_a_save_is_repeated_after_someone_wrote_over_it(served: Served) -> None:
    """Without a key the repeat would be stale, with one it is known for what it is."""
    based_on = served.etag("scout")
    first = served.save("scout", "mine", based_on, **KEY)
    served.save("scout", "theirs")
    again = served.save("scout", "mine", based_on, **KEY)
    assert (again.status_code, again.json(), again.headers["ETag"]) == (200, first.json(), first.headers["ETag"])
    assert served.save("scout", "mine", based_on).status_code == 409
    assert served.studio.get_memory_version("scout").body.text == "theirs"


@pytest.mark.parametrize("path", ["/api/tokens", "/api/studio/tokens.create"])
def test_a_tokens_secret_is_stored_nowhere_and_told_once(served: Served, path: str) -> None:
    given: dict[str, object] = {"name": "Ben", "role": "operator"}
    given = given if path == "/api/tokens" else {"arguments": given}
    first = served.local.post(path, json=given, headers=KEY)
    again = served.local.post(path, json=given, headers=KEY)
    assert (first.is_success, again.status_code, again.json()["code"]) == (True, 422, "SecretShown")
    secret = first.json()["token"] if path == "/api/tokens" else first.json()["value"][1]
    assert served.client(secret).get("/api/agents").status_code == 200
    with served.studio._context.database.read() as cursor:
        kept = cursor.execute("SELECT * FROM idempotency").fetchall()
    assert kept
    assert secret not in str(kept)


def test_twins_sent_at_once_are_one(served: Served) -> None:
    with ThreadPoolExecutor(6) as pool:
        told = list(
            pool.map(
                lambda _: served.local.post("/api/agents/scout/runs", json={"kind": "direct"}, headers=KEY).json(),
                range(6),
            )
        )
    assert len({one["id"] for one in told}) == 1
    assert runs(served) == 1


# --- what a key stands for ---


def test_a_key_is_used_for_one_request(served: Served) -> None:
    """Another body, path, query or If-Match is another request."""
    path = "/api/agents/scout/runs"
    served.local.post(path, json={"kind": "direct"}, headers=KEY)
    others = [
        served.local.post(path, json={"kind": "direct", "message": "x"}, headers=KEY),
        served.local.post("/api/agents/desk/runs", json={"kind": "direct"}, headers=KEY),
        served.save("scout", "x", "*", **KEY),
    ]
    assert {(one.status_code, one.json()["code"]) for one in others} == {(422, "KeyReused")}
    assert "another request" in others[0].json()["detail"]
    assert runs(served) == 1


def test_a_key_is_its_senders_own(served: Served) -> None:
    given = {"kind": "direct"}
    scout = served.holder("scout-runtime", Role.AGENT, "scout")
    ben = served.holder("Ben", Role.OPERATOR)
    ids = {
        one.post("/api/agents/scout/runs", json=given, headers=KEY).json()["id"] for one in (scout, ben, served.local)
    }
    assert len(ids) == 3


def test_a_refused_request_keeps_no_key(served: Served) -> None:
    path = "/api/agents/scout/task/publish"
    headers = {**KEY, "If-Match": "*"}
    assert served.local.post(path, json={}, headers=headers).status_code == 404
    served.studio.draft_task("scout", "A draft.")
    assert served.local.post(path, json={}, headers=headers).json()["version"] == 2


def test_a_request_that_only_asks_needs_none(served: Served) -> None:
    """A key on a GET changes nothing, nor does one on a POST that only asks."""
    before = served.local.get("/api/agents", headers=KEY).json()
    served.studio.create_agent("new")
    assert served.local.get("/api/agents", headers=KEY).json() != before
    for text, size in (("a", 1), ("bb", 2)):
        assert len(served.local.post("/api/expansion", content=text, headers=KEY).json()["text"]) == size


@pytest.mark.parametrize("key", ["", "a b", "x" * 201, "ü"], ids=["empty", "a blank", "too long", "not ASCII"])
def test_what_is_no_key_is_refused(standing: Served, key: str) -> None:
    headers = {b"Idempotency-Key": key.encode("latin-1")}
    told = standing.local.post("/api/agents/scout/runs", json={"kind": "direct"}, headers=headers)
    assert (told.status_code, told.headers["Content-Type"]) == (400, "application/problem+json")
    twice = standing.local.post(
        "/api/agents/scout/runs", json={"kind": "direct"}, headers=[("Idempotency-Key", "a"), ("Idempotency-Key", "b")]
    )
    assert twice.status_code == 400
    assert runs(standing) == 0, "only refused requests reach the standing store for this agent"


def test_a_sender_whose_name_is_no_text_is_refused(standing: Served) -> None:
    for name in ("%00", "%ED%A0%80", "two%0Alines"):
        headers = {**KEY, "If-Match": "*", "X-Studio-Operator": name}
        told = standing.local.put("/api/agents/desk/files/memory.md", content="x", headers=headers)
        assert (told.status_code, told.json()["code"]) == (422, "BadName")


def test_a_driven_run_is_driven_once(served: Served, tmp_path: Path) -> None:
    """A model takes long, so the key is entered before it is asked."""
    script = tmp_path / "wake.json"
    script.write_text(json.dumps([{"tool_calls": [{"name": "memory_write", "arguments": {"content": "new"}}]}]))
    given = {"model": f"scripted:{script}", "message": "go on"}
    run = served.local.post("/api/agents/scout/runs", json={"kind": "direct", "message": "hello"}).json()["id"]
    first, again = (served.local.post(f"/api/runs/{run}/continue", json=given, headers=KEY) for _ in range(2))
    assert first.json() == again.json()
    assert [row["content"] for row in again.json()["messages"]].count("go on") == 1
    assert versions(served) == 2


# --- across a kill ---


def test_a_write_is_known_after_its_owner_was_killed_and_started_again(shell: Shell) -> None:
    """kill -9, twice: a repeat is answered the same, and nothing is there twice."""
    asked = {
        "/api/agents/scout/runs": {"kind": "schedule", "instruction": "look"},
        "/api/agents/scout/tools/memory_write": wrote("learnt"),
        "/api/agents/scout/tools/note_write": {"arguments": {"path": "a.md", "body": "x"}},
    }
    with running(shell, "studio", "api", "--port", "0", stop=signal.SIGKILL) as process:
        assert process.stdout is not None
        client = local_client(shell, process.stdout.readline().decode().strip())
        told = {path: client.post(path, json=given, headers={"Idempotency-Key": path}) for path, given in asked.items()}
    with running(shell, "studio", "api", "--port", "0", stop=signal.SIGKILL) as process:
        assert process.stdout is not None
        client = local_client(shell, process.stdout.readline().decode().strip())
        for path, given in asked.items():
            again = client.post(path, json=given, headers={"Idempotency-Key": path})
            assert (again.content, again.headers["Idempotency-Replayed"]) == (told[path].content, "true")
        run = told["/api/agents/scout/runs"].json()["id"]
        rows_path, row = f"/api/runs/{run}/messages", {"messages": [{"role": "assistant", "content": "x"}]}
        added = client.post(rows_path, json=row, headers={"Idempotency-Key": "rows"}).json()
        assert client.get("/api/agents/scout/runs").json()["total"] == 1
        assert [one["version"] for one in client.get("/api/agents/scout/memory").json()["versions"]] == [2, 1]
    with running(shell, "studio", "api", "--port", "0") as process:
        assert process.stdout is not None
        client = local_client(shell, process.stdout.readline().decode().strip())
        assert client.post(rows_path, json=row, headers={"Idempotency-Key": "rows"}).json() == added
        assert len(client.get(f"/api/runs/{run}").json()["messages"]) == added["next_index"]
