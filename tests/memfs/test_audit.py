"""What went round the hook, found again commit by commit (decisions 33 to 35)."""

import json
import subprocess
from pathlib import Path

import pytest
from audits import HUMAN, INDEX, audit, begun, said
from repository_builder import RepositoryBuilder

from studio import git
from studio.memfs.checks import check_commit
from studio.memfs.hook_install import install
from studio.memfs.repo import compiled_at, open_directory

KEY = "ghp_" + "A1b2" * 9
OTHER_KEY = "ghp_" + "C3d4" * 9
AWS_KEY = "AKIA" + "Z7Y6" * 4


@pytest.fixture
def repo(tmp_path: Path) -> RepositoryBuilder:
    return begun(tmp_path / "memory")


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
    assert [(finding.path, commit.subject) for finding, commit in audit(repo).first] == [
        ("locked.txt", "lock"),
        ("locked2.txt", "renamed"),
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


@pytest.mark.parametrize("path", ["human.md", "notes.txt"])
@pytest.mark.parametrize(
    ("then", "new", "carried"),
    [
        (f"moved\n{KEY}\n", 0, 1),
        (f"token: {KEY}, to be used with care\n", 0, 1),
        (f"{KEY}\n{AWS_KEY}\n", 1, 1),
        (f"{KEY}\n{OTHER_KEY}\n", 1, 1),
        (f"{KEY} {OTHER_KEY}\n", 1, 0),
        (f"{OTHER_KEY}\n", 1, 0),
        (f"{KEY}\n{KEY}\n", 1, 1),
    ],
    ids=["moved", "line edited", "another format", "another", "another in its line", "another in its place", "again"],
)
def test_a_second_secret_is_not_hidden_by_the_first(
    repo: RepositoryBuilder, path: str, then: str, new: int, carried: int
) -> None:
    head = HUMAN if path.endswith(".md") else ""
    repo.save(path, f"{head}{KEY}\n", "first")
    repo.save(path, f"{head}{then}", "second")
    second = audit(repo, "HEAD^..HEAD").round_the_hook[0]
    assert (len(second.findings), second.carried) == (new, carried)
    assert audit(repo).round_the_hook[1] == second
    assert "ghp_" not in repr(second)


def test_what_is_too_large_to_be_searched_is_not_though_memory_holds_the_same(repo: RepositoryBuilder) -> None:
    long = f"{HUMAN}{'x' * (1 << 20)}\n{KEY}\n"
    limits = {"pattern": "human.md", "maxCharacters": None}
    repo.write(
        ".memfs.config.json",
        json.dumps({"version": 1, "maxCoreMemoryCharacters": 1 << 30} | {"fileCharacterLimits": [limits]}),
    )
    repo.save("human.md", long, "memory")
    repo.save("copy.txt", long, "its copy")
    assert said(audit(repo)) == [("memory", [("secret", "human.md")], 0)]
    assert audit(repo, "HEAD^..HEAD").clean


def test_a_merge_answers_for_no_secret_that_it_took(repo: RepositoryBuilder) -> None:
    """The hook looks for keys in what differs from every parent, and so does the audit."""
    repo.save("log.txt", "1\n2\n3\n4\n5\n", "a log")
    repo.git("checkout", "--quiet", "-b", "side")
    repo.save("taken.txt", KEY, "side")
    repo.git("checkout", "--quiet", "main")
    repo.save("MEMORY.md", INDEX + "more\n", "ours")
    repo.merge("side")
    repo.git("checkout", "--quiet", "side")
    repo.save("log.txt", f"{KEY}\n2\n3\n4\n5\n", "side again")
    repo.git("checkout", "--quiet", "main")
    repo.save("log.txt", f"1\n2\n3\n4\n{OTHER_KEY}\n", "ours again")
    repo.merge("side")
    repo.git("checkout", "--quiet", "side")
    repo.save("more.txt", "x", "side at last")
    repo.git("checkout", "--quiet", "main")
    repo.merge("side", resolved={"taken.txt": f"{KEY}\n{AWS_KEY}\n"})
    assert sorted(said(audit(repo))[:3]) == [
        ("ours again", [("secret", "log.txt")], 0),
        ("side", [("secret", "taken.txt")], 0),
        ("side again", [("secret", "log.txt")], 0),
    ]
    assert said(audit(repo))[3:] == [("merge", [], 2), ("merge", [("secret", "taken.txt")], 1)]


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


def test_a_first_commit_may_bring_read_only_files_and_the_hook_agrees(tmp_path: Path) -> None:
    """Nothing protected them before; changing the config takes a person from the start (decision 33)."""
    repo = RepositoryBuilder(tmp_path / "memory")
    install(git.open_repository(repo.folder, unborn=True))
    repo.write("MEMORY.md", INDEX)
    repo.write(".memfs.config.json", '{"version": 1, "readOnlyFiles": ["MEMORY.md"]}')
    repo.git("add", "--all")
    with pytest.raises(subprocess.CalledProcessError) as refused:
        repo.git("commit", "--quiet", "--message=begin")
    assert b"config_protected" in refused.value.stderr
    assert b"read_only_changed" not in refused.value.stderr
    repo.git("commit", "--quiet", "--message=begin", also={"STUDIO_MEMORY_CONFIG_APPROVED": "1"})
    found = audit(repo)
    assert (found.clean, found.notices) == (True, ())


def test_a_change_that_went_round_is_undone_with_the_glob_taken_out(repo: RepositoryBuilder) -> None:
    """The hook does not know what a file was before, so bringing that back is a change; a person lets it through."""
    install(git.open_repository(repo.folder))
    approved = {"STUDIO_MEMORY_CONFIG_APPROVED": "1"}
    locked, open_ = '{"version": 1, "readOnlyFiles": ["human.md"]}', '{"version": 1}'

    def commit(*words: str) -> bytes:
        repo.git("add", "--all")
        try:
            repo.git("commit", "--quiet", *words, also=approved)
        except subprocess.CalledProcessError as refused:
            return bytes(refused.stderr)
        return b""

    repo.write(".memfs.config.json", locked)
    assert commit("--message=lock") == b""
    repo.write("human.md", HUMAN + "More.\n")
    commit("--message=round it", "--no-verify")
    repo.write("human.md", HUMAN)
    assert b"a person takes that glob out of .memfs.config.json" in commit("--message=undo")
    repo.write(".memfs.config.json", open_)
    assert commit("--message=undo") == b""
    repo.write(".memfs.config.json", locked)
    assert commit("--message=lock again") == b""
    assert said(audit(repo)) == [("round it", [("read_only_changed", "human.md")], 0)]


def test_permissions_that_git_no_longer_writes_are_judged_as_git_reads_them(repo: RepositoryBuilder) -> None:
    """Modes of old repositories, as 100664, in a tree that is written byte for byte."""
    blob = bytes.fromhex(repo.save("bad.md", "no header\n") and repo.line("rev-parse", "HEAD:bad.md"))
    entries = [b"100664 MEMORY.md", b"100775 a.md", b"100600 b.txt", b"120777 c.md"]
    tree = b"".join(entry + b"\0" + blob for entry in entries)
    sha = repo.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", given=tree).decode().strip()
    repo.git("update-ref", "HEAD", repo.line("commit-tree", sha, "-p", "HEAD", "-m", "old modes"))
    checked = {(one.kind, one.path) for one in check_commit(open_directory(repo.folder)).findings}
    assert checked == {("fm_missing", "a.md"), ("not_regular_file", "c.md"), ("fm_missing", "c.md")}
    assert audit(repo).round_the_hook[-1].parents == 1
    assert {(one.kind, one.path) for one in audit(repo).round_the_hook[-1].findings} == checked
    assert compiled_at(open_directory(repo.folder)).text
