"""A git repository as an agent's memory, over HTTP: linking, files, versions, what the rules say, and edits (decision 1)."""

from pathlib import Path

import httpx
import pytest
from repository_builder import RepositoryBuilder
from rest_served import Served
from test_texts import of, problem

from studio.domain.tokens import Role

BASE = "/api/agents/scout/directory"
HUMAN = "---\nname: human\ndescription: Who the user is.\n---\nBe brief.\n"
FILE = f"{BASE}/file"


@pytest.fixture
def repo(tmp_path: Path) -> RepositoryBuilder:
    made = RepositoryBuilder(tmp_path / "memory")
    made.save("MEMORY.md", "# Index\n", "begin")
    made.save("human.md", HUMAN, "say who")
    return made


@pytest.fixture
def linked(served: Served, repo: RepositoryBuilder) -> Served:
    served.studio.save_memory("scout", "what the artifact held\n", force=True)
    told = served.local.put(BASE, json={"repository": str(repo.folder), "agent_authors": ["*[bot]"]})
    assert told.status_code == 200
    return served


def put(served: Served, path: str, text: str, message: str = "why", **headers: str) -> httpx.Response:
    return served.local.put(FILE, params={"path": path, "message": message}, content=text, headers=headers)


# --- linking ---


def test_it_is_linked_read_and_unlinked(linked: Served, repo: RepositoryBuilder) -> None:
    state = linked.local.get(BASE).json()
    assert (state["path"], state["head"], state["version"]) == (str(repo.folder), repo.line("rev-parse", "HEAD"), 2)
    assert (state["agent_authors"], state["findings"], state["legacy"]) == (["*[bot]"], 0, False)
    assert {one["limit_of"] for one in state["gauges"]} == {"core", "depth", "file"}
    assert linked.local.get("/api/agents/scout").json()["layout"] == "directory"
    assert b"# Index" in linked.local.get(linked.text_path("scout")).content
    assert problem(linked.save("scout", "x", "*"), 422)["code"] == "DirectoryMemory"
    assert linked.local.delete(BASE).status_code == 200
    assert linked.local.get(linked.text_path("scout")).content == b"what the artifact held\n"
    assert problem(linked.local.get(BASE), 404)["code"] == "NoDirectory"


def test_one_is_begun_from_the_template(served: Served, tmp_path: Path) -> None:
    folder = str(tmp_path / "new")
    begun = served.local.post("/api/directories", json={"repository": folder, "hook": False})
    assert begun.json() == served.local.post("/api/directories", json={"repository": folder}).json()
    assert served.local.put(BASE, json={"repository": folder}).json()["head"] == begun.json()["commit"]
    assert served.local.get(f"{BASE}/findings").json() == {"ok": True, "findings": []}


def test_folders_of_the_server_are_named_by_its_own_user_only(served: Served, repo: RepositoryBuilder) -> None:
    ben = served.holder("Ben", Role.OPERATOR)
    for folder in (str(repo.folder), str(repo.folder / "no"), "/etc"):
        problem(ben.put(BASE, json={"repository": folder}), 403)
        problem(ben.post("/api/directories", json={"repository": folder}), 403)
    assert served.local.get("/api/agents/scout").json()["layout"] == "artifact"


# --- reading ---


def test_files_are_listed_and_given_as_they_are(linked: Served, repo: RepositoryBuilder) -> None:
    files = linked.local.get(f"{BASE}/files").json()["files"]
    assert [(one["path"], one["memory"], one["characters"]) for one in files] == [
        ("MEMORY.md", True, 8),
        ("human.md", True, len(HUMAN)),
    ]
    got = linked.local.get(FILE, params={"path": "human.md"})
    assert (got.content, got.headers["ETag"]) == (HUMAN.encode(), f'"{files[1]["sha256"]}"')
    first = repo.line("rev-parse", "HEAD~1")
    problem(linked.local.get(FILE, params={"path": "human.md", "commit": first}), 404)
    assert [one["path"] for one in linked.local.get(f"{BASE}/files", params={"commit": first}).json()["files"]] == [
        "MEMORY.md"
    ]


@pytest.mark.parametrize("commit", ["no-such", "--help", "-x", "HEAD^{tree}:x", "HEAD~99"])
def test_a_commit_that_git_does_not_know_is_not_found(linked: Served, commit: str) -> None:
    for what in ("files", "findings", "lint", "shrink", "compiled"):
        problem(linked.local.get(f"{BASE}/{what}", params={"commit": commit}), 404)
    problem(linked.local.get(f"{BASE}/diff", params={"old": commit}), 404)


def test_versions_are_those_of_the_compiled_memory_or_of_one_file(linked: Served, repo: RepositoryBuilder) -> None:
    path = f"{BASE}/versions"
    both = linked.local.get(path).json()["versions"]
    assert [(one["version"], one["commit"], one["subject"]) for one in both] == [
        (2, repo.line("rev-parse", "HEAD"), "say who"),
        (1, repo.line("rev-parse", "HEAD~1"), "begin"),
    ]
    one = linked.local.get(path, params={"path": "human.md"}).json()
    assert ([version["added"] for version in one["versions"]], one["next_before"]) == ([5], None)
    first = linked.local.get(path, params={"limit": "1"}).json()
    assert (len(first["versions"]), first["next_before"]) == (1, 2)
    assert linked.local.get(f"{path}/1").json()["text"] == "<memory>\n# Index\n</memory>"
    assert linked.local.get(f"{path}/1", params={"path": "human.md"}).json()["text"] == HUMAN
    change = linked.local.get(f"{path}/2", params={"against": "1"}).json()["change"]
    assert (change["added"], change["removed"]) == (5, 0)
    authors = linked.local.get(f"{BASE}/authors").json()["authors"]
    assert [(one["key"], one["versions"]) for one in authors] == [("operator:Ana", 2)]
    diff = linked.local.get(f"{BASE}/diff", params={"old": "HEAD~1"}).json()
    assert (diff["added"], diff["new"]) == (5, repo.line("rev-parse", "HEAD"))
    headroom = linked.local.get(f"{BASE}/headroom").json()["commits"]
    assert [one["commit"] for one in headroom] == [one["commit"] for one in reversed(both)]


def test_the_audit_names_what_went_round_the_hook_of_a_range_or_of_all(linked: Served, repo: RepositoryBuilder) -> None:
    """Decision 34: the first commit that broke each rule, read-only rules against all parents."""
    clean = linked.local.get(f"{BASE}/audit").json()
    assert (clean["ok"], clean["commits"], clean["round_the_hook"]) == (True, 2, [])
    repo.save("human.md", "no header", message="round it")
    found = linked.local.get(f"{BASE}/audit", params={"range": "HEAD~1..HEAD"}).json()
    assert (found["ok"], found["commits"]) == (False, 1)
    (commit,) = found["round_the_hook"]
    assert (commit["subject"], [one["kind"] for one in commit["findings"]]) == ("round it", ["fm_missing"])
    assert [(one["commit"], one["kind"]) for one in found["first"]] == [(repo.line("rev-parse", "HEAD"), "fm_missing")]
    problem(linked.local.get(f"{BASE}/audit", params={"range": "no-such..HEAD"}), 404)


def test_it_compiles_alone_and_in_a_base_prompt(linked: Served) -> None:
    alone = linked.local.get(f"{BASE}/compiled").json()
    assert [one["name"] for one in alone["blocks"]] == ["human", "memory"]
    based = linked.local.post(f"{BASE}/compiled", content="Before.\n{CORE_MEMORY}\nAfter. 𝄞").json()["text"]
    assert based == f"Before.\n{alone['text']}\nAfter. 𝄞"


# --- editing ---


def test_an_edit_is_a_commit_guarded_like_any_text(linked: Served, repo: RepositoryBuilder) -> None:
    """428 without a guard, 409 over a newer text with what is there, 200 for a repeat."""
    path = "human.md"
    problem(put(linked, path, HUMAN + "And kind.\n"), 428)
    read = {"If-Match": linked.local.get(FILE, params={"path": path}).headers["ETag"]}
    done = put(linked, path, HUMAN + "And kind.\n", "be kind: größe", **read)
    assert (done.json()["changed"], done.json()["version"]) == (True, 3)
    assert done.headers["ETag"] == of(HUMAN + "And kind.\n")
    assert repo.line("log", "-1", "--format=%an|%s") == "Ana|be kind: größe"
    again = put(linked, path, HUMAN + "And kind.\n", **read)
    assert (again.status_code, again.json()["changed"]) == (200, False)
    told = problem(put(linked, path, HUMAN + "Else.\n", **read), 409)
    assert (told["live"], told["yours"]) == (of(HUMAN + "And kind.\n").strip('"'), read["If-Match"].strip('"'))
    assert put(linked, path, HUMAN + "Else.\n", **{"If-Match": "*"}).json()["changed"] is True


def test_a_file_is_made_and_deleted(linked: Served) -> None:
    text = "---\nname: pets\ndescription: Which pets there are.\n---\nA cat.\n"
    made = put(linked, "pets.md", text, **{"If-None-Match": "*"})
    assert made.json()["changed"] is True
    problem(put(linked, "pets.md", text + "A dog.\n", **{"If-None-Match": "*"}), 409)
    gone = {"params": {"path": "pets.md", "message": "no pets"}, "headers": {"If-Match": made.headers["ETag"]}}
    done = linked.local.delete(FILE, **gone)  # type: ignore[arg-type]
    assert (done.json()["sha256"], done.json()["behind"], "ETag" in done.headers) == (None, None, False)
    problem(linked.local.get(FILE, params={"path": "pets.md"}), 404)


@pytest.mark.parametrize(
    ("path", "commit", "says"),
    [
        ("nope.md", None, "There is no file 'nope.md' in the directory at HEAD; "),
        ("human.md", "HEAD~1", "There is no file 'human.md' in the directory at HEAD~1; "),
        ("../human.md", None, "There is no file '../human.md' in the directory at HEAD; "),
        ("ops", None, "There is no file 'ops' in the directory at HEAD; "),
        ("ops/run.sh", None, "'ops/run.sh' at HEAD is neither Markdown nor the config, so its text is not given; "),
    ],
    ids=["none", "not yet", "outside", "a folder", "no memory"],
)
def test_a_file_that_cannot_be_read_is_said_to_be_one_of_a_directory(
    linked: Served, repo: RepositoryBuilder, path: str, commit: str | None, says: str
) -> None:
    repo.write("human.md", HUMAN)
    repo.write("ops/run.sh", "true\n")
    repo.git("add", "--all")
    repo.git("commit", "--quiet", "--amend", "--no-edit")
    query = {"path": path} | ({"commit": commit} if commit else {})
    told = problem(linked.local.get(FILE, params=query), 404)
    lists = "the list of its files names those there are, and the list of its changes those there were."
    assert (told["code"], told["detail"]) == ("UnknownFile", f"{says}{lists}")


@pytest.mark.parametrize("path", ["../x.md", "a/../../x.md", ".git/x.md", "a\\..\\x.md", "x.txt", "/x.md", "a//x.md"])
def test_an_edit_stays_inside_the_directory(linked: Served, path: str) -> None:
    problem(put(linked, path, "x", **{"If-None-Match": "*"}), 422)


def test_what_the_hook_would_refuse_is_refused_with_every_finding(linked: Served, repo: RepositoryBuilder) -> None:
    head = repo.line("rev-parse", "HEAD")
    told = problem(put(linked, "human.md", "no header\n", **{"If-Match": "*"}), 422)
    assert (told["code"], bool(told["findings"])) == ("BlockRefused", True)
    judged = linked.local.post(f"{BASE}/judge", params={"path": "human.md"}, content="no header\n").json()
    assert judged["ok"] is False
    assert linked.local.post(f"{BASE}/judge", params={"path": "human.md"}, content=HUMAN).json()["ok"] is True
    deleted = linked.local.post(f"{BASE}/judge", params={"path": "human.md", "deleted": "true"})
    assert deleted.json()["ok"] is True
    assert repo.line("rev-parse", "HEAD") == head
    for advice in ("lint", "shrink"):
        assert linked.local.get(f"{BASE}/{advice}").status_code == 200


# --- what was done to it ---


def test_every_commit_that_touched_memory_is_listed(linked: Served, repo: RepositoryBuilder) -> None:
    """memfs-08: a consolidation deletes deferred files, and the compiled prompt stays as it is."""
    repo.write("notes/MEMORY.md", "# Notes\n")
    repo.write("notes/people.md", HUMAN)
    repo.commit("take notes")
    (repo.folder / "notes/people.md").unlink()
    sha = repo.commit("Consolidate", author="Dreamer[bot] <d@example.org>")
    page = linked.local.get(f"{BASE}/changes", params={"limit": 1}).json()
    assert (page["changes"][0]["subject"], page["changes"][0]["version"], page["next_before"]) == ("Consolidate", 3, 4)
    rest = linked.local.get(f"{BASE}/changes", params={"before": page["next_before"]}).json()
    assert [one["subject"] for one in rest["changes"]] == ["take notes", "say who", "begin"]
    of_folder = linked.local.get(f"{BASE}/changes", params={"path": "notes/", "author": "agent"}).json()["changes"]
    assert [one["change"] for one in of_folder] == [2]
    problem(linked.local.get(f"{BASE}/changes", params={"path": "none/"}), 404)
    texts = linked.local.get(f"{BASE}/changes/{sha}").json()
    assert [(one["path"], one["status"], one["change"]["removed"]) for one in texts["files"]] == [
        ("notes/people.md", "deleted", 5)
    ]
    problem(linked.local.get(f"{BASE}/changes/none"), 404)
    versions = linked.local.get(f"{BASE}/versions").json()["versions"]
    assert [(one["version"], one["changes_before"], one["changes_after"]) for one in versions] == [
        (3, 0, 1),
        (2, 0, 0),
        (1, 0, 0),
    ]
    folder = linked.local.get(f"{BASE}/versions", params={"path": "notes/"}).json()["versions"]
    assert [(one["version"], one["removed"], one["changes_after"]) for one in folder] == [(2, 5, None), (1, 0, None)]
    whole = linked.local.get(f"{BASE}/versions/1", params={"path": "notes/"}).json()
    assert f"==> notes/people.md <==\n{HUMAN}" in whole["text"]


def test_a_deleted_file_is_read_as_it_last_was_and_brought_back(linked: Served, repo: RepositoryBuilder) -> None:
    repo.git("rm", "--quiet", "human.md")
    gone = repo.commit("forget who")
    problem(linked.local.get(FILE, params={"path": "human.md"}), 404)
    last = linked.local.get(FILE, params={"path": "human.md", "last": "true"})
    assert (last.content, last.headers["X-Deleted-In"]) == (HUMAN.encode(), gone)
    assert last.headers["X-Commit"] == repo.line("rev-parse", "HEAD~1")
    assert "X-Deleted-In" not in linked.local.get(FILE, params={"path": "MEMORY.md", "last": "true"}).headers
    restore = f"{BASE}/restore"
    problem(linked.local.post(restore, json={"path": "human.md"}), 428)
    viewer = linked.holder("wall", Role.VIEWER)
    problem(viewer.post(restore, json={"path": "human.md"}, headers={"If-None-Match": "*"}), 403)
    back = linked.local.post(restore, json={"path": "human.md"}, headers={"If-None-Match": "*"})
    assert (back.status_code, back.json()["changed"]) == (200, True)
    assert repo.git("show", "HEAD:human.md").decode() == HUMAN
    again = {"path": "human.md", "commit": "HEAD~2", "message": "as it was"}
    problem(linked.local.post(restore, json={"path": "none.md"}, headers={"If-None-Match": "*"}), 404)
    assert linked.local.post(restore, json=again, headers={"If-Match": "*"}).json()["changed"] is False
