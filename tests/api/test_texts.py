"""Memory and Task as files over HTTP: bytes, ETags, stale writes, authors; field reports and cases by their id."""

from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import Any

import httpx
import pytest
from builders import overwrite, wake
from rest_served import Served

from studio.domain.tokens import Role


def of(text: str | bytes) -> str:
    """The ETag that a text has."""
    return f'"{sha256(text.encode() if isinstance(text, str) else text).hexdigest()}"'


def problem(answer: httpx.Response, status: int) -> dict[str, object]:
    """The problem that was answered, which must have this status."""
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/problem+json")
    found: dict[str, object] = answer.json()
    assert found["status"] == status
    assert found["request_id"] == answer.headers["X-Request-Id"]
    return found


def versions(served: Served, agent: str = "scout", **query: object) -> list[dict[str, object]]:
    answer = served.local.get(f"/api/agents/{agent}/memory", params={k: str(v) for k, v in query.items()})
    assert answer.status_code == 200
    found: list[dict[str, object]] = answer.json()["versions"]
    return found


# --- reading ---


def test_the_timeline_is_paged_and_filtered(served: Served) -> None:
    run = wake(served.studio, "scout")
    for text in ("a", "b", "c"):
        overwrite(served.studio, "scout", text)
    served.studio.memory_write("scout", "d", run=run)
    first = served.local.get("/api/agents/scout/memory?limit=2").json()
    assert ([one["version"] for one in first["versions"]], first["next_before"]) == ([5, 4], 4)
    rest = served.local.get("/api/agents/scout/memory?limit=3&before=4").json()
    assert ([one["version"] for one in rest["versions"]], rest["next_before"]) == ([3, 2, 1], None)
    assert [one["version"] for one in versions(served, author="run")] == [5]
    assert [one["version"] for one in versions(served, author="operator:Ana")] == [4, 3, 2]
    problem(served.local.get("/api/agents/scout/memory?author=operator:Nobody"), 404)
    problem(served.local.get("/api/agents/scout/memory?author=robot"), 422)


def test_a_version_comes_with_its_text_or_its_change(served: Served) -> None:
    overwrite(served.studio, "scout", "a\n")
    overwrite(served.studio, "scout", "a\nb\n")
    old = served.local.get("/api/agents/scout/memory/2")
    assert (old.json()["text"], old.headers["ETag"]) == ("a\n", of("a\n"))
    change = served.local.get("/api/agents/scout/memory/3?against=1").json()["change"]
    assert (change["against"], change["added"], change["removed"]) == (1, 2, 0)
    problem(served.local.get("/api/agents/scout/memory/9"), 404)


def test_a_text_that_is_there_is_not_sent_again(served: Served) -> None:
    again = served.local.get(served.text_path("scout"), headers={"If-None-Match": served.etag("scout")})
    assert (again.status_code, again.content) == (304, b"")


# --- saving ---


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\ufeffa\r\nb\r\n".encode(), id="no-op-02 encoding-05 BOM and CRLF"),
        pytest.param("ohne Zeilenende ü 𝄞 記録".encode(), id="encoding astral, no final newline"),
        pytest.param(b"a\rb\x0bc\x0cd\xc2\x85e\xe2\x80\xa8f", id="line separators that are no LF"),
        pytest.param(b"", id="empty"),
        pytest.param(b"x" * 200_000, id="far over the cap that binds memory_write only (decision 5)"),
    ],
)
def test_bytes_survive(served: Served, text: bytes) -> None:
    overwrite(served.studio, "scout", "before")
    saved = served.save("scout", text, **{"Studio-Confirm": "empty"})
    assert (saved.status_code, saved.headers["ETag"]) == (200, of(text))
    back = served.local.get(served.text_path("scout"))
    assert (back.content, back.headers["ETag"]) == (text, of(text))
    assert back.headers["Content-Type"] == "text/markdown; charset=utf-8"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"\xe9t\xe9", "not UTF-8 text (byte 0)"),
        (b"a\nb\0", "a NUL character in line 2"),
        (b"\xed\xa0\x80", "not UTF-8"),
    ],
    ids=["encoding-01 latin-1", "NUL", "a lone surrogate"],
)
def test_what_is_no_text_is_refused(served: Served, text: bytes, says: str) -> None:
    told = problem(served.save("scout", text), 422)
    assert says in str(told["detail"])
    assert len(versions(served)) == 1


def test_a_weak_etag_is_one_too(served: Served) -> None:
    """A proxy that compresses makes ETags weak."""
    assert served.save("scout", "a", f"W/{served.etag('scout')}").status_code == 200
    assert problem(served.save("scout", "b", f"W/{of('other')}"), 409)["yours"] == of("other").strip('"')
    for wrong in ("abc", '"a", "b"', '"unclosed'):
        problem(served.save("scout", "b", wrong), 400)


def test_a_repeat_of_a_stored_write_is_done_decision_37(served: Served) -> None:
    based_on = served.etag("scout")
    first = served.save("scout", "mine", based_on)
    again = served.save("scout", "mine", based_on)
    assert (again.status_code, again.json()) == (200, first.json() | {"changed": False})
    assert len(versions(served)) == 2


def test_two_writers_race_and_one_wins(served: Served) -> None:
    based_on = served.etag("scout")
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda n: served.save("scout", f"writer {n}", based_on).status_code, range(8)))
    assert sorted(told) == [200, *[409] * 7]
    assert [one["version"] for one in versions(served)] == [2, 1]


def test_many_writers_that_read_again_lose_nothing(served: Served) -> None:
    def write(number: int) -> None:
        for _ in range(200):
            live = served.local.get(served.text_path("scout"))
            text = live.content + f"{number}\n".encode()
            if served.save("scout", text, live.headers["ETag"]).status_code == 200:
                return
        raise AssertionError(number)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(12)))
    assert sorted(served.studio.get_memory_version("scout").body.text.split(), key=int) == [str(n) for n in range(12)]  # type: ignore[union-attr]
    assert [one["version"] for one in versions(served)] == list(range(13, 0, -1))


def test_a_restore_is_a_new_version_by_the_operator(served: Served) -> None:
    overwrite(served.studio, "scout", "old")
    overwrite(served.studio, "scout", "new")
    path = "/api/agents/scout/memory/2/restore"
    problem(served.local.post(path), 428)
    problem(served.local.post(path, headers={"If-Match": of("other")}), 409)
    done = served.local.post(path, headers={"If-Match": of("new")})
    assert (done.status_code, done.json()["version"]) == (200, 4)
    assert served.local.get(served.text_path("scout")).content == b"old"


# --- who is named ---


def test_a_save_bears_the_operators_name(served: Served) -> None:
    served.save("scout", "1")
    served.save("scout", "2", **{"X-Studio-Operator": "Ana%20Mar%C3%ADa"})
    ben = served.holder("Ben", Role.OPERATOR)
    ben.put(served.text_path("scout"), content=b"3", headers={"If-Match": of("2")})
    assert [one["author"]["name"] for one in versions(served)[:3]] == ["Ben", "Ana María", "Ana"]  # type: ignore[index]
    told = ben.put(served.text_path("scout"), content=b"4", headers={"If-Match": of("3"), "X-Studio-Operator": "Ana"})
    problem(told, 403)
    problem(served.save("scout", "4", **{"X-Studio-Operator": "two%0Alines"}), 422)


# --- the Task ---


def test_a_task_is_published_as_a_file(served: Served) -> None:
    path = served.text_path("scout", "task.md")
    live = served.local.get(path)
    assert live.content == b"Watch."
    problem(served.local.put(path, content=b"Watch more."), 428)
    done = served.local.put(path, content=b"Watch more.", headers={"If-Match": live.headers["ETag"]})
    assert done.json()["version"] == 2
    again = served.local.put(path, content=b"Watch more.", headers={"If-Match": live.headers["ETag"]})
    assert (again.status_code, again.json()["changed"]) == (200, False)
    stale = problem(served.local.put(path, content=b"Else.", headers={"If-Match": live.headers["ETag"]}), 409)
    assert (stale["version"], stale["live"]) == (2, sha256(b"Watch more.").hexdigest())
    timeline = served.local.get("/api/agents/scout/task").json()["versions"]
    assert [(one["version"], one["author"]["name"]) for one in timeline] == [(2, "Ana"), (1, None)]


def test_a_published_file_leaves_the_draft_decision_30(served: Served) -> None:
    served.studio.draft_task("scout", "A draft.")
    path = served.text_path("scout", "task.md")
    served.local.put(path, content=b"Published.", headers={"If-Match": served.etag("scout", "task.md")})
    assert served.local.get("/api/agents/scout/task/draft").json()["text"] == "A draft."


def test_a_broken_link_is_published_only_when_confirmed_decision_30(served: Served) -> None:
    path, match = served.text_path("scout", "task.md"), {"If-Match": served.etag("scout", "task.md")}
    told: Any = problem(served.local.put(path, content=b"![[org/o/notes/no.md]]", headers=match), 422)
    assert (told["code"], [one["word"] for one in told["questions"]]) == ("Unconfirmed", ["broken-links"])
    done = served.local.put(path, content=b"![[org/o/notes/no.md]]", headers=match | {"Studio-Confirm": "broken-links"})
    assert done.status_code == 200


def test_a_draft_is_kept_reviewed_and_published(served: Served) -> None:
    path = "/api/agents/scout/task/draft"
    problem(served.local.get(path), 404)
    problem(served.local.put(path, content=b"x"), 428)
    made = served.local.put(path, content="Wätch\r\n".encode(), headers={"If-None-Match": "*"})
    assert (made.status_code, made.json()["text"], made.json()["based_on"]) == (200, "Wätch\r\n", 1)
    assert served.local.get(path).headers["ETag"] == made.headers["ETag"]
    assert made.json()["sha256"] == of("Wätch\r\n").strip('"')
    problem(served.local.put(path, content=b"y", headers={"If-None-Match": "*"}), 409)
    problem(served.local.delete(path, headers={"If-Match": of("y")}), 409)
    publish = "/api/agents/scout/task/publish"
    problem(served.local.post(publish, json={}, headers={"If-Match": of("y")}), 409)
    done = served.local.post(publish, json={"note": "why"}, headers={"If-Match": of("Wätch\r\n")})
    assert done.json()["version"] == 2
    problem(served.local.get(path), 404)
    assert served.local.get("/api/agents/scout/task").json()["versions"][0]["note"] == "why"
    served.local.put(path, content=b"z", headers={"If-None-Match": "*"})
    assert served.local.delete(path, headers={"If-Match": of("z")}).status_code == 204
