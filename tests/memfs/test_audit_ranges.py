"""Which commits an audit judges: ranges as git names them, and copies that do not hold everything (decision 34)."""

from pathlib import Path

import pytest
from audits import HUMAN, audit, begun, said
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
    assert len(started) == 2


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


@pytest.mark.parametrize("filtered", ["tree:0", "blob:none"])
def test_a_copy_without_trees_or_texts_is_not_called_clean(repo: RepositoryBuilder, filtered: str) -> None:
    repo.save("human.md", HUMAN + "More.\n", "more")
    repo.git("config", "uploadpack.allowFilter", "true")
    copy = repo.folder / "copy"
    repo.git("clone", "--quiet", "--bare", f"--filter={filtered}", f"file://{repo.folder}", str(copy))
    with pytest.raises(NothingToRead):
        audit_commits(git.open_repository(copy))


@pytest.mark.parametrize("path", ["human.md", "notes.txt"])
def test_a_partial_copy_that_lacks_what_is_judged_is_not_called_clean(repo: RepositoryBuilder, path: str) -> None:
    repo.save(path, HUMAN + "x" * 2_000, "long")
    repo.save(path, HUMAN, "short")
    repo.git("config", "uploadpack.allowFilter", "true")
    copy = repo.folder / "copy"
    repo.git("clone", "--quiet", "--no-checkout", "--filter=blob:limit=1k", f"file://{repo.folder}", str(copy))
    with pytest.raises(NothingToRead):
        audit_commits(git.open_repository(copy))
