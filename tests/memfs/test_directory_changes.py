"""Every commit that touched memory, read from real repositories (decision 42)."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repository_builder import RepositoryBuilder

from studio import git
from studio.domain.directory.changes import DirectoryChange, DirectoryChanges, FileChange, Part, between
from studio.domain.directory.history import DirectoryHistory
from studio.domain.directory.tree import FileMode
from studio.domain.timeline import Status
from studio.errors import NotFound, NothingToRead, UnknownFile
from studio.memfs.changes import last_seen, read_change, read_changes
from studio.memfs.commit_log import commits_of
from studio.memfs.history import read_history, text_of

INDEX = "# Index\n\n- notes/ — people, rules\n"
DREAMER = "Dreamer[bot] <dreamer@example.org>"


def block(name: str, body: str = "Be direct.\n") -> str:
    return f"---\nname: {name}\ndescription: What {name} holds.\n---\n{body}"


def changes(repo: RepositoryBuilder, place: str | None = None) -> DirectoryChanges:
    return read_changes(git.open_repository(repo.folder), place)


def history(repo: RepositoryBuilder, path: str | None = None) -> DirectoryHistory:
    return read_history(git.open_repository(repo.folder), path)


def files(change: DirectoryChange) -> list[tuple[str, str, int | None, int | None]]:
    return [(str(one.status), one.path, one.added, one.removed) for one in change.files]


@pytest.fixture
def repo(tmp_path: Path) -> RepositoryBuilder:
    return RepositoryBuilder(tmp_path / "memory")


@pytest.fixture
def dreamt(repo: RepositoryBuilder) -> RepositoryBuilder:
    """memfs-08: a consolidation deletes three notes and rewrites a fourth; the prompt does not change."""
    repo.write("MEMORY.md", INDEX)
    repo.save("human.md", block("human"), "begin")
    repo.write("notes/MEMORY.md", "# Notes\n")
    for name in ("people", "rules", "tests", "shells"):
        repo.write(f"notes/{name}.md", block(name, f"What {name} are.\nAnd more.\n"))
    repo.commit("take notes", author=DREAMER)
    for name in ("people", "rules", "tests"):
        (repo.folder / f"notes/{name}.md").unlink()
    repo.write("notes/shells.md", block("shells", "Gone.\n"))
    repo.commit("Consolidate", author=DREAMER)
    return repo


def test_a_dream_that_deletes_deferred_files_is_a_change(dreamt: RepositoryBuilder) -> None:
    found = changes(dreamt).changes
    assert [(one.number, str(one.author), one.subject, one.version, one.new_version) for one in found] == [
        (3, "agent Dreamer[bot]", "Consolidate", 2, False),
        (2, "agent Dreamer[bot]", "take notes", 2, True),
        (1, "operator Ana", "begin", 1, True),
    ]
    assert files(found[0]) == [
        ("deleted", "notes/people.md", 0, 6),
        ("deleted", "notes/rules.md", 0, 6),
        ("modified", "notes/shells.md", 1, 2),
        ("deleted", "notes/tests.md", 0, 6),
    ]
    assert (found[0].added, found[0].removed) == (1, 20)
    assert found[0].commit == dreamt.line("rev-parse", "HEAD")
    assert between(found, history(dreamt).versions)[2].after == 1


@pytest.mark.parametrize("place", ["notes/", "notes", "./notes/"])
def test_a_folder_has_changes_and_versions(dreamt: RepositoryBuilder, place: str) -> None:
    assert [(one.number, one.subject) for one in changes(dreamt, place).changes] == [
        (2, "Consolidate"),
        (1, "take notes"),
    ]
    found = history(dreamt, place)
    assert [(one.number, str(one.status), one.added, one.removed, one.live) for one in found.versions] == [
        (2, "modified", 1, 20, True),
        (1, "added", 25, 0, False),
    ]
    assert found.path == "notes/"
    texts = [text_of(git.open_repository(dreamt.folder), found, one) for one in found.versions]
    assert [len(text.text or "") for text in texts] == [one.characters for one in found.versions]
    assert texts[0].text == f"==> notes/MEMORY.md <==\n# Notes\n\n==> notes/shells.md <==\n{block('shells', 'Gone.')}\n"
    assert "==> notes/people.md <==" in (texts[1].text or "")


def test_a_file_that_is_gone_is_read_as_it_last_was(dreamt: RepositoryBuilder) -> None:
    opened = git.open_repository(dreamt.folder)
    found = last_seen(opened, "notes/people.md")
    assert found.body.text == block("people", "What people are.\nAnd more.\n")
    assert found.commit == dreamt.line("rev-parse", "HEAD~1")
    assert found.gone == changes(dreamt, "notes/people.md").changes[0]
    there = last_seen(opened, "notes/shells.md")
    assert (there.gone, there.commit) == (None, opened.head)
    assert last_seen(opened, "notes/shells.md", "HEAD~1").body.text == block("shells", "What shells are.\nAnd more.\n")
    with pytest.raises(UnknownFile, match=r"notes/nobody\.md"):
        last_seen(opened, "notes/nobody.md")
    with pytest.raises(UnknownFile):
        last_seen(opened, "notes/people.md", "HEAD")
    with pytest.raises(UnknownFile):
        last_seen(opened, "notes")


def test_a_file_that_was_moved_away_is_read_as_it_last_was_there(repo: RepositoryBuilder) -> None:
    repo.write("MEMORY.md", INDEX)
    repo.save("notes/people.md", block("people", "Sarah leads.\n" * 9), "begin")
    repo.git("mv", "notes/people.md", "who.md")
    repo.commit("promote")
    found = last_seen(git.open_repository(repo.folder), "notes/people.md")
    assert found.body.text == block("people", "Sarah leads.\n" * 9)
    assert found.gone is not None
    [moved] = found.gone.files
    assert (moved.status, moved.old_path, moved.path, moved.part) == (
        Status.RENAMED,
        "notes/people.md",
        "who.md",
        Part.BLOCK,
    )
    assert [one.subject for one in changes(repo, "notes/").changes] == ["promote", "begin"]
    assert [str(one.status) for one in history(repo, "notes/").versions] == ["deleted", "added"]


def test_what_is_no_memory_makes_no_change(repo: RepositoryBuilder) -> None:
    repo.save("script.py", "print()\n", "code")
    repo.save("skills/pdf/fill.py", "print()\n", "a skill's script")
    repo.save("MEMORY.md", INDEX, "index")
    repo.save("notes/people.csv", "a,b\n", "no index yet")
    repo.save("notes/MEMORY.md", "# Notes\n", "an index")
    repo.save("notes/people.csv", "a,b,c\n", "beside an index")
    repo.save(".memfs.config.json", '{"version": 1}', "limits")
    repo.git("rm", "-rq", "notes")
    repo.commit("all of it goes")
    repo.save("notes/people.csv", "a,b\n", "no index any more")
    found = changes(repo).changes
    assert [(one.subject, [str(file.part) for file in one.files]) for one in found[::-1]] == [
        ("a skill's script", ["skill"]),
        ("index", ["block"]),
        ("an index", ["deferred"]),
        ("beside an index", ["deferred"]),
        ("limits", ["config"]),
        ("all of it goes", ["deferred", "deferred"]),
    ]
    assert [one.version for one in found[::-1]] == [None, 1, 2, 2, 2, 3]
    assert [one.subject for one in changes(repo, "script.py").changes] == ["code"]


def test_a_merge_is_what_it_changed_against_its_first_parent(repo: RepositoryBuilder) -> None:
    repo.save("MEMORY.md", INDEX, "begin")
    repo.git("switch", "--quiet", "--create", "side")
    repo.save("notes/MEMORY.md", "# Notes\n", "one aside")
    repo.save("notes/rules.md", block("rules"), "two aside")
    repo.git("switch", "--quiet", "main")
    repo.save("ops/MEMORY.md", "# Ops\n", "on main")
    repo.merge("side")
    newest = changes(repo).changes[0]
    assert (newest.subject, newest.merge, files(newest)) == (
        "merge",
        True,
        [("added", "notes/MEMORY.md", 1, 0), ("added", "notes/rules.md", 5, 0)],
    )
    assert [one.subject for one in changes(repo).changes] == ["merge", "on main", "begin"]


def test_links_submodules_modes_and_bytes_are_changes(repo: RepositoryBuilder) -> None:
    repo.write("MEMORY.md", INDEX)
    repo.write("notes/MEMORY.md", "# Notes\n")
    repo.save("notes/bytes.md", b"\xff\x00\n", "begin")
    (repo.folder / "notes/alias.md").symlink_to("../secret.md")
    repo.commit("a link")
    (repo.folder / "notes/MEMORY.md").chmod(0o755)
    repo.commit("a mode")
    sha = repo.line("rev-parse", "HEAD")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{sha},notes/sub")
    repo.git("commit", "--quiet", "--message", "a submodule")
    repo.git("rm", "-rq", "--cached", "notes")
    repo.git("update-index", "--add", "--cacheinfo", f"120000,{repo.line('hash-object', '-w', 'MEMORY.md')},notes")
    repo.git("commit", "--quiet", "--message", "the folder becomes a link")
    told = {one.subject: files(one) for one in changes(repo).changes}
    assert told["begin"][1:] == [("added", "notes/MEMORY.md", 1, 0), ("added", "notes/bytes.md", None, None)]
    assert told["a link"] == [("added", "notes/alias.md", 1, 0)]
    modes = {file.path: file.mode for one in changes(repo).changes for file in one.files if file.status is Status.ADDED}
    assert (modes["notes/alias.md"], modes["notes/sub"], modes["notes"]) == (
        FileMode.LINK,
        FileMode.SUBMODULE,
        FileMode.LINK,
    )
    assert told["a mode"] == [("modified", "notes/MEMORY.md", 0, 0)]
    assert told["a submodule"] == [("added", "notes/sub", 1, 0)]
    assert [(one[0], one[1]) for one in told["the folder becomes a link"]] == [
        ("added", "notes"),
        ("deleted", "notes/MEMORY.md"),
        ("deleted", "notes/alias.md"),
        ("deleted", "notes/bytes.md"),
        ("deleted", "notes/sub"),
    ]
    assert history(repo, "notes/").versions[1].characters == len(
        text_of(git.open_repository(repo.folder), history(repo, "notes/"), history(repo, "notes/").versions[1]).text
        or ""
    )


def test_one_change_has_the_texts_of_its_files(dreamt: RepositoryBuilder) -> None:
    opened = git.open_repository(dreamt.folder)
    found = read_change(opened, "HEAD")
    assert found.change == changes(dreamt).changes[0]
    people, _, shells, _ = found.files
    assert (people.after, people.before and people.before.text) == (
        None,
        block("people", "What people are.\nAnd more.\n"),
    )
    assert shells.diff is not None
    assert (shells.diff.counts.added, shells.diff.counts.removed) == (1, 2)
    first = read_change(opened, "HEAD~2")
    assert [(one.before, one.change.path) for one in first.files] == [(None, "MEMORY.md"), (None, "human.md")]
    with pytest.raises(NotFound):
        read_change(opened, "nowhere")
    dreamt.save("script.py", "print()\n", "code")
    with pytest.raises(NotFound, match="touched no memory"):
        read_change(git.open_repository(dreamt.folder), "HEAD")


def test_a_path_that_no_commit_knows_is_refused(dreamt: RepositoryBuilder) -> None:
    for place in ("nothing/", "note", "notes/people.md/"):
        with pytest.raises(NothingToRead, match="no commit of HEAD knows it"):
            changes(dreamt, place)
        with pytest.raises(NothingToRead, match="no commit of HEAD knows it"):
            history(dreamt, place)


def test_a_file_that_became_a_folder_is_the_folder(repo: RepositoryBuilder) -> None:
    repo.save("notes", "a file\n", "file")
    repo.git("rm", "--quiet", "notes")
    repo.save("notes/a.md", "deeper\n", "folder")
    assert history(repo, "notes").path == "notes/"
    repo.git("rm", "-rq", "notes")
    repo.save("notes", "a file again\n", "file again")
    assert history(repo, "notes").path == "notes"
    assert len(history(repo, "notes/").versions) == 2


def test_a_list_costs_one_log_and_a_look_at_the_mailmap(dreamt: RepositoryBuilder, started: list[list[bytes]]) -> None:
    opened = git.open_repository(dreamt.folder)
    read_history(opened)
    started.clear()
    read_changes(opened)
    assert ([b"log" in command for command in started].count(True), len(started) <= 2) == (1, True)
    started.clear()
    read_changes(opened, "notes/")
    assert ([b"log" in command for command in started].count(True), len(started) <= 1) == (0, True)


def test_a_partial_copy_lists_changes_without_lines(dreamt: RepositoryBuilder, tmp_path: Path) -> None:
    dreamt.git("config", "uploadpack.allowFilter", "true")
    copy = tmp_path / "copy"
    dreamt.git("clone", "--quiet", "--bare", "--filter=blob:none", f"file://{dreamt.folder}", str(copy))
    commits, warnings = commits_of(git.open_repository(copy))
    assert [one.subject for one in commits] == ["Consolidate", "take notes", "begin"]
    assert all(change.added is None for one in commits for change in one.changes)
    assert "Lines are not counted" in warnings[0]


PATHS = st.sampled_from(["MEMORY.md", "human.md", "notes/MEMORY.md", "notes/a.md", "skills/x/SKILL.md", "code.py"])


@settings(max_examples=12)
@given(
    steps=st.lists(st.dictionaries(PATHS, st.text("ab\n", max_size=6) | st.none(), max_size=3), min_size=1, max_size=8)
)
def test_exactly_the_commits_that_git_lists_for_memory_are_changes(
    tmp_path_factory: pytest.TempPathFactory, steps: list[dict[str, str | None]]
) -> None:
    repo = RepositoryBuilder(tmp_path_factory.mktemp("law") / "memory")
    repo.save("MEMORY.md", "begin\n", "begin")
    for step in steps:
        for path, text in step.items():
            if text is None:
                (repo.folder / path).unlink(missing_ok=True)
            else:
                repo.write(path, text)
        repo.commit("step")
    found = changes(repo).changes
    listed = repo.lines("log", "--first-parent", "--format=%H", "--", "*.md")
    assert [one.commit for one in found] == listed
    assert [one.number for one in found] == list(range(len(listed), 0, -1))
    for one in found:
        stat = repo.lines("show", "--numstat", "--format=", "--diff-algorithm=minimal", "-M", one.commit, "--", "*.md")
        assert sum(_lines(file) for file in one.files) == sum(int(n) for line in stat for n in line.split("\t")[:2])


def _lines(file: FileChange) -> int:
    return (file.added or 0) + (file.removed or 0)
