"""An ETag covers all that a write of its resource can change, so that of two people who write one is told (decision 37)."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from builders import publish
from repository_builder import RepositoryBuilder
from rest_served import Served
from test_texts import of

from studio.api.operations import Guarding
from studio.api.routes import TABLE
from studio.domain.collections import Column
from studio.domain.tokens import Role

Query = dict[str, str]
AGENT = "/api/agents/{agent}"
NAMES = {"path", "id", "message", "config_approved"}
"""Parameters of a write that say what is meant, why, or what was confirmed; all others change something."""


@dataclass(frozen=True)
class Change:
    """A write that changes one thing."""

    content: object
    """The body: a text, or JSON."""
    query: tuple[tuple[str, str], ...] = ()
    """Parameters that say what is changed."""


@dataclass(frozen=True)
class Guarded:
    """A resource with an ETag."""

    begin: Callable[[Served, Path], Query]
    """Makes it, and gives the parameters that name it."""
    changes: Mapping[str, Change]
    """Writes by the one thing that each changes; `again` is for resources that are one text."""
    listed: str | None = None
    """Where it is read in a list, where it has no GET of its own."""
    why: Query = field(default_factory=dict)
    """What else every write says."""


def nothing_more(_: Served, __: Path) -> Query:
    return {}


def a_draft(served: Served, _: Path) -> Query:
    publish(served.studio, "scout", "Watch more.")
    served.studio.draft_task("scout", "A draft.", based_on=1)
    return {}


def a_note(served: Served, _: Path) -> Query:
    path = served.studio.notes.path("prices.md")
    served.studio.notes.create(path, "# Prices", title="Prices of 2026")
    return {"path": path}


def a_record(served: Served, _: Path) -> Query:
    path = served.studio.collections.path("leads")
    served.studio.collections.create(path, [Column("company"), Column("won")])
    served.studio.collections.write(path, {"company": "ACME", "won": 1}, record_id="acme")
    return {"path": path, "id": "acme"}


def a_block(served: Served, folder: Path) -> Query:
    made = RepositoryBuilder(folder / "memory")
    made.save("MEMORY.md", "# Index\n", "begin")
    made.save("human.md", block("Be brief."), "say who")
    served.studio.directories.link(str(made.folder), "scout")
    return {"path": "human.md"}


def block(text: str) -> str:
    return f"---\nname: human\ndescription: Who the user is.\n---\n{text}\n"


TEXTS = {"text": Change("one"), "again": Change("two")}
GUARDED: dict[str, Guarded] = {
    f"{AGENT}/files/memory.md": Guarded(nothing_more, TEXTS),
    f"{AGENT}/files/task.md": Guarded(nothing_more, TEXTS),
    f"{AGENT}/task/draft": Guarded(
        a_draft, {"text": Change("Another."), "based_on": Change("A draft.", (("based_on", "2"),))}
    ),
    f"{AGENT}/directory/file": Guarded(
        a_block,
        {"text": Change(block("Be short.")), "again": Change(block("Lead with the answer."))},
        why={"message": "why"},
    ),
    "/api/note": Guarded(
        a_note,
        {
            "body": Change({"body": "# Dearer"}),
            "title": Change({"body": "# Prices", "title": "Prices of 2027"}),
            "no title": Change({"body": "# Prices", "title": ""}),
        },
    ),
    "/api/collection/record": Guarded(
        a_record,
        {
            "values": Change({"values": {"company": "ACME Ltd"}}),
            "another column": Change({"values": {"won": 2}}),
            "a value that Python takes for the same": Change({"values": {"won": True}}),
        },
        listed="/api/collection/records",
    ),
}
EACH = [(path, what) for path, one in GUARDED.items() for what in one.changes]


def etag(served: Served, path: str, guarded: Guarded, query: Query) -> str:
    """The ETag as whoever is about to write reads it."""
    if guarded.listed is None:
        return served.local.get(path, params=query).headers["ETag"]
    return f'"{served.local.get(guarded.listed, params={"path": query["path"]}).json()["records"][0]["sha256"]}"'


def test_the_table_holds_everything_that_a_guarded_write_can_change() -> None:
    said: dict[str, set[str]] = {}
    for route in TABLE:
        for method in ("PUT", "PATCH"):
            one = route.operations.get(method)
            if one is not None and one.guarding is not Guarding.NONE:
                fields = {"text"} if one.takes is None else set(one.takes["properties"])
                said[route.path] = (fields | {parameter.name for parameter in one.parameters}) - NAMES
    assert said.keys() == GUARDED.keys()
    assert [path for path, fields in said.items() if not fields <= GUARDED[path].changes.keys()] == []


@pytest.mark.parametrize(("path", "what"), EACH)
def test_of_two_who_write_the_second_is_told_whatever_the_first_changed(
    served: Served, tmp_path: Path, path: str, what: str
) -> None:
    where, guarded = path.format(agent="scout"), GUARDED[path]
    query = guarded.begin(served, tmp_path)
    read = etag(served, where, guarded, query)

    def put(client: httpx.Client, change: Change, match: str) -> httpx.Response:
        given = {**query, **guarded.why, **dict(change.query)}
        content = change.content if isinstance(change.content, str) else json.dumps(change.content)
        return client.put(where, params=given, content=content, headers={"If-Match": match})

    first, *others = (guarded.changes[what], *(one for name, one in guarded.changes.items() if name != what))
    done = put(served.local, first, read)
    live = done.headers["ETag"]
    assert (done.status_code, live) == (200, etag(served, where, guarded, query))
    assert put(served.local, first, read).headers["ETag"] == live != read, "a repeat is done"
    ben = served.holder("Ben", Role.OPERATOR)
    for other in others:
        told = put(ben, other, read)
        assert (told.status_code, told.json()["live"], told.json()["yours"]) == (409, live.strip('"'), read.strip('"'))
        assert etag(served, where, guarded, query) == live
    assert put(ben, others[0], live).status_code == 200


@pytest.mark.parametrize("path", GUARDED)
def test_only_the_bare_star_writes_over_whatever_is_there(served: Served, tmp_path: Path, path: str) -> None:
    where, guarded = path.format(agent="scout"), GUARDED[path]
    query = guarded.begin(served, tmp_path)
    live = etag(served, where, guarded, query)
    change = next(iter(guarded.changes.values()))
    content = change.content if isinstance(change.content, str) else json.dumps(change.content)
    for match, status in {'"*"': 409, '"**"': 409, "W/*": 400, "**": 400, "*, *": 400, "*": 200}.items():
        given = {**query, **guarded.why, **dict(change.query)}
        told = served.local.put(where, params=given, content=content, headers={"If-Match": match})
        assert told.status_code == status, (match, told.text)
        assert (etag(served, where, guarded, query) == live) == (status != 200), match


# --- what else an ETag is good for ---


def test_a_note_without_a_title_has_the_sha256_of_its_text(served: Served) -> None:
    path = {"path": served.studio.notes.path("a.md")}
    made = served.local.put("/api/note", params=path, json={"body": "ü"}, headers={"If-None-Match": "*"})
    assert made.headers["ETag"] == of("ü") == served.local.get("/api/files", params=path).headers["ETag"]
    assert made.json()["sha256"] == of("ü").strip('"')


@pytest.mark.parametrize("verb", ["publish", "discard", "keep"])
def test_the_sha256_of_a_drafts_text_is_proof_enough_where_its_start_stays(served: Served, verb: str) -> None:
    a_draft(served, Path())
    text, path = {"If-Match": of("A draft.")}, "/api/agents/scout/task/draft"
    if verb == "publish":
        stale = served.local.post("/api/agents/scout/task/publish", json={}, headers=text)
        assert (stale.status_code, stale.json()["code"]) == (409, "TextChanged"), (
            "it starts from version 1, and 2 is live"
        )
        told = served.local.post("/api/agents/scout/task/publish", json={"force": True}, headers=text)
    elif verb == "discard":
        told = served.local.delete(path, headers=text)
    else:
        moved = served.local.put(path, params={"based_on": "2"}, content="A draft, merged.", headers=text)
        assert (moved.status_code, moved.json()["code"]) == (409, "DraftChanged")
        told = served.local.put(path, content="A longer draft.", headers=text)
    assert told.is_success


def test_a_draft_that_was_moved_since_it_was_reviewed_is_not_published(served: Served) -> None:
    a_draft(served, Path())
    reviewed = served.local.get("/api/agents/scout/task/review").headers["ETag"]
    served.studio.draft_task("scout", "A draft.", based_on=2)
    told = served.local.post("/api/agents/scout/task/publish", json={}, headers={"If-Match": reviewed})
    assert (told.status_code, told.json()["code"]) == (409, "DraftChanged")


def test_publishing_again_what_was_published_is_done(served: Served) -> None:
    a_draft(served, Path())
    reviewed = {"If-Match": served.local.get("/api/agents/scout/task/review").headers["ETag"]}
    told = [
        served.local.post("/api/agents/scout/task/publish", json={"force": True}, headers=reviewed).json()
        for _ in range(2)
    ]
    assert told[1] == told[0] | {"changed": False}


@pytest.mark.parametrize("path", ["/api/agents/scout/task/draft", "/api/agents/scout/task/review", "/api/note"])
def test_json_is_always_sent_for_it_says_more_than_its_etag(served: Served, path: str) -> None:
    """A review says whether the live Task changed, and that changes no draft."""
    a_draft(served, Path())
    query = a_note(served, Path()) if path == "/api/note" else {}
    read = served.local.get(path, params=query)
    again = served.local.get(path, params=query, headers={"If-None-Match": read.headers["ETag"]})
    assert (again.status_code, again.json()) == (200, read.json())
