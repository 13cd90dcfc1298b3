"""Which commits an audit judges: ranges as git names them, and copies that do not hold everything (decision 34)."""

from pathlib import Path

import pytest
from audits import HUMAN, INDEX, audit, begun, said
from repository_builder import RepositoryBuilder

from studio import git
from studio.errors import NotFound, NothingToRead
from studio.memfs.audit import audit_commits


@pytest.fixture
def repo(tmp_path: Path) -> RepositoryBuilder:
    return begun(tmp_path / "memory")


def test_a_range_judges_its_commits_only_against_what_was_there_before(repo: RepositoryBuilder) -> None:
    repo.save("bad.md", "no header\n", "older")
    repo.save("human.md", HUMAN + "More.\n", "carries")
    repo.save("worse.md", "no header\n", "newer")
    found = audit(repo, "HEAD~2..HEAD")
    assert (found.commits, said(found)) == (2, [("carries", [], 1), ("newer", [("fm_missing", "worse.md")], 1)])
    assert audit(repo, "HEAD..HEAD").commits == 0


@pytest.mark.parametrize(
    "revisions",
    [
        *("nowhere..HEAD", "HEAD~9..HEAD", "0" * 40, "HEAD HEAD~1", ".."),
        *("^HEAD", "HEAD~1^@", "HEAD^{tree}", "HEAD:MEMORY.md", ":MEMORY.md", "HEAD..HEAD^{tree}", "a-tree"),
        *("--all", "-n1", "--stdin", "--not", "--branches", "--since=now", "--output=ran", "--", "-"),
    ],
)
def test_what_is_no_range_is_named_and_never_an_option(repo: RepositoryBuilder, revisions: str) -> None:
    """What leaves out only, a tree and a file name no commit to judge: that is no clean history."""
    repo.save("human.md", HUMAN + "More.\n", "more")
    repo.git("tag", "a-tree", "HEAD^{tree}")
    with pytest.raises(NotFound, match=r"has no commits .* name a range"):
        audit(repo, revisions)
    assert not (repo.folder / "ran").exists()


@pytest.mark.parametrize(
    ("revisions", "commits"),
    [
        *(("HEAD..HEAD", 0), ("HEAD..HEAD~1", 0), ("HEAD..", 0), ("...", 0), ("v1..main", 0)),
        *(("HEAD", 2), ("v1", 2), ("HEAD~1", 1), ("HEAD~1..", 1), ("HEAD^!", 1), ("HEAD~1...HEAD", 1)),
    ],
)
def test_a_range_is_what_git_takes_for_one_and_may_hold_no_commit(
    repo: RepositoryBuilder, revisions: str, commits: int
) -> None:
    repo.save("human.md", HUMAN + "More.\n", "more")
    repo.git("tag", "--annotate", "v1", "--message=tag")
    found = audit(repo, revisions)
    assert (found.clean, found.commits) == (True, commits)


def test_processes_do_not_grow_with_commits_or_files(repo: RepositoryBuilder, started: list[object]) -> None:
    for number in range(10):
        repo.save(f"b{number}.md", HUMAN, str(number))
    repository = git.open_repository(repo.folder)
    started.clear()
    audit_commits(repository)
    assert len(started) == 3  # the log, the texts, and whether there is a .mailmap


def test_no_replaced_object_and_no_graft_hides_a_commit(repo: RepositoryBuilder) -> None:
    """The hook judged the objects themselves."""
    first = repo.line("rev-parse", "HEAD")
    bad = repo.save("bad.md", "no header\n", "round it")
    repo.git("rm", "--quiet", "bad.md")
    last = repo.commit("mended")
    found = audit(repo)
    assert said(found) == [("round it", [("fm_missing", "bad.md")], 0)]
    repo.git("replace", bad, first)
    assert audit(repo) == found
    repo.git("replace", "--delete", bad)
    (repo.folder / ".git" / "info" / "grafts").write_text(f"{last} {first}\n", encoding="ascii")
    assert repo.lines("rev-list", "HEAD") == [last, first]
    assert audit(repo) == found


def test_a_shallow_copy_is_cut_off_only_where_its_oldest_commit_is_judged(repo: RepositoryBuilder) -> None:
    repo.save("bad.md", "no header\n", "older")
    repo.save("human.md", HUMAN + "More.\n", "carries")
    repo.git("clone", "--quiet", "--depth=2", f"file://{repo.folder}", str(repo.folder / "copy"))
    copy = git.open_repository(repo.folder / "copy")
    whole, part = audit_commits(copy), audit_commits(copy, "HEAD^..HEAD")
    assert (whole.cut_off, said(whole)[0]) == (True, ("older", [("fm_missing", "bad.md")], 0))
    assert (part.cut_off, said(part)) == (False, [("carries", [], 1)])


def test_shas_of_any_length_are_judged(tmp_path: Path) -> None:
    repo = RepositoryBuilder(tmp_path / "memory", "--object-format=sha256")
    repo.save("MEMORY.md", "", "begin")
    repo.save("bad.md", "", "empty")
    assert said(audit(repo)) == [("empty", [("fm_missing", "bad.md")], 0)]


def partial(repo: RepositoryBuilder, filtered: str) -> git.Repository:
    """A copy of a repository that lacks what a filter leaves out."""
    repo.git("config", "uploadpack.allowFilter", "true")
    copy = repo.folder / "copy"
    repo.git("clone", "--quiet", "--bare", f"--filter={filtered}", f"file://{repo.folder}", str(copy))
    return git.open_repository(copy)


def test_a_copy_without_trees_cannot_be_judged(repo: RepositoryBuilder) -> None:
    with pytest.raises(NothingToRead):
        audit_commits(partial(repo, "tree:0"))


def test_a_copy_without_texts_is_judged_by_names_and_not_called_clean(repo: RepositoryBuilder) -> None:
    repo.save(".memfs.config.json", '{"version": 1, "readOnlyFiles": ["human.md"]}', "limits")
    repo.save("ops/pager.md", HUMAN, "no index")
    found = audit_commits(partial(repo, "blob:none"))
    assert said(found) == [("no index", [("dir_index_missing", "ops")], 0)]
    assert [one.subject for one in found.notices] == ["limits"]
    assert [one.partition(", so ")[0] for one in found.warnings] == [
        "This copy lacks 3 texts that are to be read (.memfs.config.json, MEMORY.md, human.md)"
    ]
    assert not found.clean


@pytest.mark.parametrize("path", ["human.md", "notes.txt"])
def test_a_partial_copy_that_lacks_what_is_judged_is_not_called_clean(repo: RepositoryBuilder, path: str) -> None:
    repo.save(path, HUMAN + "x" * 2_000, "long")
    repo.save("bad.md", "no header\n", "bad")
    repo.save(path, HUMAN, "short")
    found = audit_commits(partial(repo, "blob:limit=1k"))
    assert (said(found), found.clean) == ([("bad", [("fm_missing", "bad.md")], 0), ("short", [], 1)], False)
    assert [f"a text that is to be read ({path})" in one for one in found.warnings] == [True]


@pytest.mark.parametrize(
    ("files", "filtered", "lacks"),
    [
        ({"large.json": "x" * (1 << 20) + "yz"}, "blob:limit=1m", ["large.json"]),
        ({"large.json": "x" * (1 << 20) + "yz"}, "blob:limit=1048577", []),
        ({"large.json": "x" * (5 << 20), "skills/x/data.md": "x" * (4 << 20)}, "blob:limit=4m", []),
        ({"large.json": "x" * (5 << 20), "human.md": HUMAN + "x" * (4 << 20)}, "blob:limit=4m", ["human.md"]),
        ({"MEMORY.md": INDEX, "small.txt": "x" * 2_000}, "blob:limit=1k", ["small.txt"]),
    ],
    ids=["may be small", "too large to be searched", "as in the case", "memory is read whatever its size", "small"],
)
def test_what_is_skipped_for_its_size_is_not_asked_for(
    repo: RepositoryBuilder, files: dict[str, str], filtered: str, lacks: list[str]
) -> None:
    """A partial copy says by its filter how large at least is what it lacks."""
    for path, text in files.items():
        repo.write(path, text)
    repo.commit("large files")
    found = audit_commits(partial(repo, filtered))
    assert found.round_the_hook == ()
    assert [path for one in found.warnings for path in files if f"{path}" in one] == lacks
    assert found.clean == (not lacks)


def test_a_link_that_is_no_memory_is_not_asked_for(repo: RepositoryBuilder) -> None:
    (repo.folder / "link").symlink_to("x" * 1_500)
    repo.commit("a link")
    assert audit_commits(partial(repo, "blob:limit=1k")).clean
