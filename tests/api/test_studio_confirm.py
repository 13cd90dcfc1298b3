"""What deserves a question over REST: 422 with the list, and the header Studio-Confirm with the words (decision 39)."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from builders import EVERYTHING, overwrite, publish
from question_cases import CONFLICT, GOOD, LINES, MEMORY, TASK, Deserving
from repository_builder import RepositoryBuilder
from rest_served import Served
from test_texts import problem

from studio.api.routes import TABLE
from studio.domain.questions import Question

AGENT = "/api/agents/scout"
HEADER = "---\nname: human\ndescription: Who the user is.\n---\n"
Send = Callable[..., httpx.Response]


@dataclass(frozen=True)
class Door:
    """A route that makes a text live."""

    asks: tuple[Question, ...]
    begin: Callable[[Served, str], Any]
    send: Callable[[Served, str, Any, dict[str, str]], httpx.Response]


def nothing(_: Served, __: str) -> None:
    pass


def old_memory(served: Served, text: str) -> int:
    old = overwrite(served.studio, "scout", text)
    overwrite(served.studio, "scout", GOOD)
    return old


def old_task(served: Served, text: str) -> int:
    old = publish(served.studio, "scout", text)
    publish(served.studio, "scout", GOOD)
    return old


def noted(served: Served, _: str) -> str:
    path = served.studio.notes.path("berths.md")
    served.studio.notes.create(path, GOOD)
    return path


DOORS = {
    "PUT memory.md": Door(
        MEMORY,
        lambda served, _: overwrite(served.studio, "scout", GOOD),
        lambda served, text, _, headers: served.local.put(
            f"{AGENT}/files/memory.md", content=text.encode(), headers={"If-Match": "*", **headers}
        ),
    ),
    "restore memory": Door(
        MEMORY,
        old_memory,
        lambda served, _, old, headers: served.local.post(
            f"{AGENT}/memory/{old}/restore", headers={"If-Match": "*", **headers}
        ),
    ),
    "PUT task.md": Door(
        TASK,
        nothing,
        lambda served, text, _, headers: served.local.put(
            f"{AGENT}/files/task.md", content=text.encode(), headers={"If-Match": "*", **headers}
        ),
    ),
    "publish": Door(
        TASK,
        lambda served, text: served.studio.draft_task("scout", text),
        lambda served, _, __, headers: served.local.post(
            f"{AGENT}/task/publish", json={"force": True}, headers={"If-Match": "*", **headers}
        ),
    ),
    "restore task": Door(
        TASK,
        old_task,
        lambda served, _, old, headers: served.local.post(
            f"{AGENT}/task/{old}/restore", headers={"If-Match": "*", **headers}
        ),
    ),
    "PUT note": Door(
        MEMORY,
        noted,
        lambda served, text, path, headers: served.local.put(
            "/api/note", params={"path": path}, json={"body": text}, headers={"If-Match": "*", **headers}
        ),
    ),
}


@pytest.mark.parametrize(("name", "question"), [(name, one) for name, door in DOORS.items() for one in door.asks])
def test_unasked_is_422_with_the_list_and_the_word_lets_it_pass(served: Served, name: str, question: Question) -> None:
    door = DOORS[name]
    text = Deserving.in_store(served.studio).text(question)
    given = door.begin(served, text)
    commits = served.studio.commits
    others = ",".join(one for one in Question if one is not question)
    for headers in ({}, {"Studio-Confirm": others}):
        told: Any = problem(door.send(served, text, given, headers), 422)
        (asked,) = told["questions"]
        assert (told["code"], asked["word"], asked["lines"]) == ("Unconfirmed", question, list(LINES[question]))
        assert asked["sentence"] in told["detail"]
    for wrong in ("force", "*", f"{question} {question}"):
        refused = problem(door.send(served, text, given, {"Studio-Confirm": wrong}), 400)
        assert "markers, empty" in str(refused["detail"])
    assert served.studio.commits == commits
    done = door.send(served, text, given, {"Studio-Confirm": f"{question}, {question}"})
    assert (done.status_code, done.json()["changed"]) == (200, True)


def test_a_file_of_a_directory_is_asked_about(served: Served, tmp_path: Path) -> None:
    repo = RepositoryBuilder(tmp_path / "memory")
    repo.write("MEMORY.md", "# Index\n")
    repo.write("human.md", HEADER + GOOD)
    repo.commit("begin")
    served.studio.directories.link(str(repo.folder), "scout")

    def put(text: str, **headers: str) -> httpx.Response:
        query = {"path": "human.md", "message": "why"}
        return served.local.put(
            f"{AGENT}/directory/file", params=query, content=text.encode(), headers={"If-Match": "*", **headers}
        )

    for text, word in ((HEADER + CONFLICT, "markers"), (HEADER, "empty")):
        told: Any = problem(put(text), 422)
        assert [one["word"] for one in told["questions"]] == [word]
        assert put(text, **{"Studio-Confirm": word}).status_code == 200


def test_a_confirmation_is_part_of_what_a_key_stands_for(served: Served) -> None:
    headers = {"If-Match": "*", "Idempotency-Key": "k"}
    path = f"{AGENT}/files/memory.md"
    problem(served.local.put(path, content=CONFLICT.encode(), headers=headers), 422)
    done = served.local.put(path, content=CONFLICT.encode(), headers=headers | {"Studio-Confirm": "markers"})
    assert done.status_code == 200
    other = served.local.put(path, content=CONFLICT.encode(), headers=headers | {"Studio-Confirm": "markers,key"})
    assert problem(other, 422)["code"] == "KeyReused"


def test_the_review_and_the_lists_say_it_beforehand(served: Served) -> None:
    text = Deserving.in_store(served.studio).text(Question.OVER_BUDGET)
    served.studio.draft_task("scout", text)
    (asked,) = served.local.get(f"{AGENT}/task/review").json()["questions"]
    assert (asked["word"], asked["lines"]) == ("over-budget", [2])
    served.studio.publish_task("scout", yes_to=("over-budget",))
    (left,) = served.local.get(f"{AGENT}/task/broken-links").json()["broken"]
    assert (left["state"], left["reason"]) == (
        "over_budget",
        "The note takes 25,537 bytes and 25,536 of 65,536 are left.",
    )
    rows = {one["name"]: one for one in served.local.get("/api/agents").json()["agents"]}
    assert [(rows[name]["over_budget"], rows[name]["broken_links"]) for name in ("scout", "desk")] == [(1, 0), (0, 0)]
    assert "has an embed over the budget" in served.local.get(f"{AGENT}/prompt").json()["warnings"][0]
    served.studio.memory_write("scout", CONFLICT)
    assert served.local.get(f"{AGENT}/memory").json()["versions"][0]["marks"] == ["markers"]


def test_the_document_names_the_header_where_it_is_read_and_nowhere_else(served: Served) -> None:
    paths = served.local.get("/api/openapi.json").json()["paths"]
    for route in TABLE:
        for method, operation in route.operations.items():
            said = paths[route.path][method.lower()]
            named = [one for one in said["parameters"] if one["name"] == "Studio-Confirm"]
            assert len(named) == operation.asks
            assert "questions" in str(said["responses"]["422"]) if named else True
    assert sum(operation.asks for route in TABLE for operation in route.operations.values()) == 8
    assert list(Question) == list(EVERYTHING)


# --- drafts that went ---


def test_a_draft_that_went_is_read_and_brought_back_shell_02(served: Served) -> None:
    path = f"{AGENT}/task"
    made = served.local.put(f"{path}/draft", content=b"mine", headers={"If-None-Match": "*"})
    served.local.put(
        f"{path}/draft", content=b"Ben's", headers={"If-Match": made.headers["ETag"], "X-Studio-Operator": "Ben"}
    )
    (listed,) = served.local.get(f"{path}/drafts").json()["drafts"]
    assert (listed["author"]["name"], listed["gone_by"]["name"], "text" in listed) == ("Ana", "Ben", False)
    number = listed["number"]
    assert served.local.get(f"{path}/drafts/{number}").json()["text"] == "mine"
    problem(served.local.post(f"{path}/drafts/{number}/restore"), 428)
    problem(served.local.post(f"{path}/drafts/{number}/restore", headers={"If-Match": made.headers["ETag"]}), 409)
    live = served.local.get(f"{path}/draft").headers["ETag"]
    back = served.local.post(f"{path}/drafts/{number}/restore", headers={"If-Match": live})
    assert (back.json()["text"], back.json()["author"]["name"]) == ("mine", "Ana")
    assert [one["author"]["name"] for one in served.local.get(f"{path}/drafts").json()["drafts"]] == ["Ben", "Ana"]
    problem(served.local.get(f"{path}/drafts/99"), 404)
    problem(served.local.post(f"{path}/drafts/99/restore", headers={"If-Match": "*"}), 404)
