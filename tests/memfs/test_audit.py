"""What went round the hook, found again commit by commit (decisions 33 to 35)."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from repository_builder import RepositoryBuilder

from studio import git
from studio.domain.directory.audit import Audit, Key, key_of, keys_of
from studio.domain.directory.limits import check
from studio.errors import NotFound
from studio.memfs.audit import audit_commits
from studio.memfs.checks import check_commit
from studio.memfs.hook_install import install
from studio.memfs.repo import open_directory, tree_at

INDEX = "# Index\n"
HUMAN = "---\nname: human\ndescription: Who the user is.\n---\nBe brief.\n"
KEY = "ghp_" + "A1b2" * 9


@pytest.fixture
def repo(tmp_path: Path) -> RepositoryBuilder:
    made = RepositoryBuilder(tmp_path / "memory")
    made.write("human.md", HUMAN)
    made.save("MEMORY.md", INDEX, "begin")
    return made


def audit(repo: RepositoryBuilder, revisions: str = "") -> Audit:
    return audit_commits(git.open_repository(repo.folder), revisions)


def said(found: Audit) -> list[tuple[str, list[tuple[str, str]], int]]:
    """Subject, what was broken, and how much was carried, oldest first."""
    return [(one.subject, [key_of(finding) for finding in one.findings], one.carried) for one in found.round_the_hook]


def test_a_clean_history_is_clean(repo: RepositoryBuilder) -> None:
    repo.save("human.md", HUMAN + "Be briefer.\n", "sharpen")
    found = audit(repo)
    assert (found.clean, found.commits, found.round_the_hook, found.first) == (True, 2, (), ())


def test_no_verify_is_found_and_what_follows_carries_it(repo: RepositoryBuilder) -> None:
    install(git.open_repository(repo.folder))
    repo.write("bad.md", "no header\n")
    with pytest.raises(subprocess.CalledProcessError):
        repo.commit("refused")
    repo.git("commit", "--quiet", "--no-verify", "-m", "went round")
    repo.write("human.md", HUMAN + "More.\n")
    repo.git("commit", "--quiet", "--no-verify", "--all", "-m", "after it")
    repo.git("rm", "--quiet", "bad.md")
    repo.commit("mended")
    found = audit(repo)
    assert said(found) == [("went round", [("fm_missing", "bad.md")], 0), ("after it", [], 1)]
    ((finding, commit),) = found.first
    assert (finding.kind, commit.subject, commit.author.name) == ("fm_missing", "went round", "Ana")


def test_each_rule_names_the_first_commit_that_broke_it(repo: RepositoryBuilder) -> None:
    repo.save("bad.md", "no header\n", "first")
    repo.save("ops/pager.md", HUMAN, "second")
    repo.git("rm", "--quiet", "bad.md")
    repo.commit("mended")
    repo.save("bad.md", "no header again\n", "third")
    assert [(finding.kind, finding.path, commit.subject) for finding, commit in audit(repo).first] == [
        ("fm_missing", "bad.md", "first"),
        ("dir_index_missing", "ops", "second"),
    ]


def test_a_merge_and_a_cherry_pick_go_round_the_hook(repo: RepositoryBuilder) -> None:
    """git runs no pre-commit hook for either."""
    repo.git("checkout", "--quiet", "-b", "side")
    repo.save("side.md", "---\nname: side\ndescription: d\n---\n" + "x" * 60, "long, but within")
    repo.save("bad.md", "no header\n", "bad")
    repo.git("checkout", "--quiet", "main")
    repo.save(".memfs.config.json", '{"version": 1, "maxFileCharacters": 70}', "tighten")
    repo.git("cherry-pick", "side")
    repo.git("commit", "--quiet", "--amend", "-m", "picked")
    repo.merge("side")
    found = audit(repo)
    assert sorted(said(found)[:2]) == [
        ("bad", [("fm_missing", "bad.md")], 0),
        ("picked", [("fm_missing", "bad.md")], 0),
    ]
    assert said(found)[2:] == [("merge", [("file_too_long", "side.md")], 1)]
    assert [one.parents for one in found.round_the_hook] == [1, 1, 2]


def test_read_only_is_judged_against_every_parent(repo: RepositoryBuilder) -> None:
    """memfs-03: change, delete, rename, mode change, new file; and a merge changes only what no parent has."""
    repo.write("locked.txt", "1\n2\n")
    repo.save(".memfs.config.json", '{"version": 1, "readOnlyFiles": ["locked*"]}', "lock")
    repo.git("checkout", "--quiet", "-b", "side")
    repo.save("locked.txt", "1\n2 changed on the side\n", "side changes it")
    repo.git("checkout", "--quiet", "main")
    repo.save("human.md", HUMAN + "More.\n", "harmless")
    repo.merge("side")
    repo.git("checkout", "--quiet", "-b", "other", "HEAD^")
    repo.save("human.md", HUMAN + "Other.\n", "also harmless")
    repo.git("checkout", "--quiet", "main")
    repo.merge("other", resolved={"human.md": HUMAN, "locked.txt": "changed by the merge itself\n"})
    repo.git("mv", "locked.txt", "locked2.txt")
    repo.commit("renamed")
    (repo.folder / "locked2.txt").chmod(0o755)
    repo.commit("mode")
    assert said(audit(repo)) == [
        ("lock", [("read_only_changed", "locked.txt")], 0),
        ("side changes it", [("read_only_changed", "locked.txt")], 0),
        ("merge", [("read_only_changed", "locked.txt")], 0),
        ("renamed", [("read_only_changed", "locked.txt"), ("read_only_changed", "locked2.txt")], 0),
        ("mode", [("read_only_changed", "locked2.txt")], 0),
    ]


def test_a_changed_config_is_a_notice_since_its_approval_is_recorded_nowhere(repo: RepositoryBuilder) -> None:
    repo.save(".memfs.config.json", '{"version": 1, "maxDepth": 0}', "limits")
    found = audit(repo)
    assert found.clean
    assert [(one.subject, one.findings[0].severity) for one in found.notices] == [("limits", "warning")]


def test_limits_are_those_of_each_commit(repo: RepositoryBuilder) -> None:
    repo.save(".memfs.config.json", '{"version": 1, "maxCoreMemoryCharacters": 20}', "tighten")
    repo.save("human.md", HUMAN + "More.\n", "grow")
    repo.save(".memfs.config.json", '{"version": 2}', "break the config")
    assert said(audit(repo)) == [
        ("tighten", [("core_too_long", ".")], 0),
        ("grow", [], 1),
        ("break the config", [("config_bad_version", ".memfs.config.json")], 0),
    ]


def test_secrets_are_found_where_they_came_in(repo: RepositoryBuilder) -> None:
    repo.save("human.md", HUMAN + KEY + "\n", "leak")
    repo.save("MEMORY.md", INDEX + "more\n", "leaves it there")
    repo.save("notes.txt", KEY, "leak elsewhere")
    repo.save("human.md", HUMAN, "taken out")
    found = audit(repo)
    assert said(found) == [("leak", [("secret", "human.md")], 0), ("leak elsewhere", [("secret", "notes.txt")], 0)]
    assert KEY not in repr(found)


def test_a_range_judges_its_commits_only_against_what_was_there_before(repo: RepositoryBuilder) -> None:
    repo.save("bad.md", "no header\n", "older")
    repo.save("human.md", HUMAN + "More.\n", "carries")
    repo.save("worse.md", "no header\n", "newer")
    found = audit(repo, "HEAD~2..HEAD")
    assert (found.commits, said(found)) == (2, [("carries", [], 1), ("newer", [("fm_missing", "worse.md")], 1)])
    assert audit(repo, "HEAD..HEAD").commits == 0


@pytest.mark.parametrize("revisions", ["nowhere..HEAD", "--all", "--output=ran"])
def test_what_is_no_range_is_named_and_never_an_option(repo: RepositoryBuilder, revisions: str) -> None:
    with pytest.raises(NotFound, match="has no commits"):
        audit(repo, revisions)
    assert not (repo.folder / "ran").exists()


def test_processes_do_not_grow_with_commits_or_files(repo: RepositoryBuilder, started: list[object]) -> None:
    for number in range(10):
        repo.save(f"b{number}.md", HUMAN, str(number))
    repository = git.open_repository(repo.folder)
    started.clear()
    audit_commits(repository)
    assert len(started) == 2


PATHS = ["MEMORY.md", "a.md", "x/b.md", "x/MEMORY.md", "skills/s.md", ".memfs.config.json", "c.txt"]
TEXTS = st.sampled_from(
    [
        "# Index\n",
        "---\nname: n\ndescription: d\n---\nx\n",
        "---\nname: n\n---\n",
        '{"version": 1, "maxDepth": 0, "maxCoreMemoryCharacters": 30, "readOnlyFiles": ["a.md"]}',
        '{"version": 1, "maxFileCharacters": 10}',
    ]
)
STEPS = st.lists(
    st.dictionaries(st.sampled_from(PATHS), st.none() | TEXTS, min_size=1, max_size=3), min_size=1, max_size=6
)


@settings(max_examples=15)
@given(steps=STEPS)
@example(steps=[{"x/MEMORY.md": "---\nx\n"}, {"x/MEMORY.md": None, ".memfs.config.json": '{"version": 1}'}])
def test_judging_what_changed_gives_what_judging_everything_gives(
    tmp_path_factory: pytest.TempPathFactory, steps: list[dict[str, str | None]]
) -> None:
    """The law: each commit carries and brings just what the check of its whole tree against its parent finds."""
    repo = RepositoryBuilder(tmp_path_factory.mktemp("law"))
    for step in steps:
        for path, content in step.items():
            if content is None:
                (repo.folder / path).unlink(missing_ok=True)
            else:
                repo.write(path, content)
        repo.commit()
    repository = git.open_repository(repo.folder)
    found = {one.commit: one for one in audit_commits(repository).round_the_hook}
    before = None
    for commit in repo.lines("rev-list", "--reverse", "HEAD"):
        tree = tree_at(repository, commit)
        expected = check(tree, None if before is None else [before], config_approved=True)
        assert len(expected) == (len(found[commit].findings) + found[commit].carried if commit in found else 0)
        known: frozenset[Key] = frozenset() if before is None else keys_of(check(before))
        new = {key_of(one) for one in expected if key_of(one) not in known or one.kind == "read_only_changed"}
        assert {key_of(one) for one in (found[commit].findings if commit in found else ())} == new
        before = tree


@pytest.mark.parametrize("hides", [".gitmodules", "config"])
def test_a_submodule_is_found_where_the_repository_tells_git_to_ignore_it(repo: RepositoryBuilder, hides: str) -> None:
    """The hook refuses it, so the audit must see it (decision 34)."""
    if hides == ".gitmodules":
        repo.write(hides, '[submodule "evil"]\n\tpath = evil.md\n\turl = ./x\n\tignore = all\n')
    repo.git("add", "--all")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{repo.line('rev-parse', 'HEAD')},evil.md")
    repo.git("commit", "--quiet", "--message=adds it")
    if hides == "config":
        repo.git("config", "diff.ignoreSubmodules", "all")
    assert said(audit(repo)) == [("adds it", [("not_regular_file", "evil.md")], 0)]


def test_a_check_of_a_commit_searches_what_the_audit_searches(repo: RepositoryBuilder) -> None:
    repo.save("skills/x/run.sh", KEY, "leak")
    found = check_commit(open_directory(repo.folder)).findings
    assert [(one.kind, one.path) for one in found] == [("secret", "skills/x/run.sh")]
    assert said(audit(repo)) == [("leak", [("secret", "skills/x/run.sh")], 0)]
