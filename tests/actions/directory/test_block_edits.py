"""Editing a block: a commit by an operator that never gets in the way of who works in the repository (decisions 1, 33, 34 and 37)."""

import hashlib
import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import Clock
from repository_builder import RepositoryBuilder

from studio import git, git_write
from studio.actions.studio import Studio
from studio.errors import (
    BadArgument,
    BlockChanged,
    BlockRefused,
    CannotMake,
    HeadMoved,
    NoDirectory,
    NothingToRead,
    RepositoryHeld,
    Uncommitted,
    UnprovenSave,
    UnusableText,
)
from studio.memfs import checkout

INDEX = "# Index\n"
HUMAN = "---\nname: human\ndescription: Who the user is.\n---\n"
BRIEF = HUMAN + "Be brief.\n"
BRIEFER = HUMAN + "Be briefer.\n"
WHY = "Sharpen how to answer\n\nBecause long answers were skimmed."


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture
def repo(tmp_path: Path) -> RepositoryBuilder:
    made = RepositoryBuilder(tmp_path / "memory")
    made.write("MEMORY.md", INDEX)
    made.write("human.md", BRIEF)
    made.commit("begin")
    return made


@pytest.fixture
def linked(studio: Studio, repo: RepositoryBuilder) -> Studio:
    studio.create_agent("scout")
    studio.directories.link(str(repo.folder), "scout")
    return studio


def edit(studio: Studio, text: str | None = BRIEFER, path: str = "human.md", *, expect: str | None = sha(BRIEF)) -> str:
    return studio.directories.edit("scout", path, text, WHY, expect=expect).commit


def state(repo: RepositoryBuilder) -> tuple[str, bytes, bytes]:
    """HEAD, the index and the status: what no refused edit may change."""
    listed = repo.git("ls-files", "--stage", "-z")
    return repo.line("rev-parse", "HEAD"), listed, repo.git("status", "--porcelain", "-z", "--untracked-files=all")


# --- what it does ---


def test_it_commits_by_the_operator_with_the_message(linked: Studio, repo: RepositoryBuilder, clock: Clock) -> None:
    before = repo.line("rev-parse", "HEAD")
    clock.tick()
    done = linked.directories.edit("scout", "human.md", BRIEFER, WHY, expect=sha(BRIEF), operator="Maëlle")
    assert (done.changed, done.version, done.sha256) == (True, 2, sha(BRIEFER))
    assert done.commit == repo.line("rev-parse", "HEAD")
    assert repo.line("rev-parse", "HEAD^") == before
    assert repo.git("log", "-1", "--format=%an|%ae|%cn|%ct|%B").decode().rstrip("\n") == (
        f"Maëlle|maelle@operators.invalid|Maëlle|{int(clock.now.timestamp())}|{WHY}"
    )
    assert repo.git("show", "HEAD:human.md").decode() == BRIEFER
    assert (repo.folder / "human.md").read_text() == BRIEFER
    assert repo.lines("status", "--porcelain") == []
    assert linked.list_memory_versions("scout")[0].author.name == "Maëlle"
    assert "Maëlle" in linked.list_operators()


def test_the_address_is_gits_where_the_name_is(linked: Studio, repo: RepositoryBuilder) -> None:
    repo.git("config", "user.name", "Ana")
    repo.git("config", "user.email", "ana@example.org")
    edit(linked)
    assert repo.line("log", "-1", "--format=%ae") == "ana@example.org"


def test_what_head_has_already_is_no_commit(linked: Studio, repo: RepositoryBuilder) -> None:
    """Decision 37: repeating a write whose result is stored succeeds."""
    edit(linked)
    before = state(repo)
    done = linked.directories.edit("scout", "human.md", BRIEFER, WHY, expect=sha(BRIEF))
    assert (done.changed, done.commit) == (False, before[0])
    assert linked.directories.edit("scout", "gone.md", None, WHY).changed is False
    assert state(repo) == before


def test_a_file_is_made_and_deleted(linked: Studio, repo: RepositoryBuilder) -> None:
    edit(linked, "Runbooks.\n", "ops/MEMORY.md", expect=None)
    assert (repo.folder / "ops/MEMORY.md").read_text() == "Runbooks.\n"
    assert repo.lines("ls-tree", "--name-only", "HEAD") == ["MEMORY.md", "human.md", "ops"]
    edit(linked, None, "ops/MEMORY.md", expect=sha("Runbooks.\n"))
    assert not (repo.folder / "ops").exists()
    assert repo.lines("status", "--porcelain") == []


def test_bytes_and_modes_stay_as_they_are(linked: Studio, repo: RepositoryBuilder) -> None:
    (repo.folder / "human.md").chmod(0o755)
    repo.git("config", "core.autocrlf", "true")
    repo.commit("a mode")
    text = HUMAN + "One.\r\n\ttwo \u202e😀"
    edit(linked, text)
    assert repo.git("show", "HEAD:human.md").decode() == text
    assert repo.line("ls-tree", "HEAD", "human.md").startswith("100755")
    assert (repo.folder / "human.md").read_bytes() == text.encode()
    assert os.access(repo.folder / "human.md", os.X_OK)


def test_a_checkout_with_other_line_ends_is_clean_and_keeps_them(linked: Studio, repo: RepositoryBuilder) -> None:
    repo.git("config", "core.autocrlf", "true")
    (repo.folder / "human.md").unlink()
    repo.git("checkout", "--", "human.md")
    assert b"\r\n" in (repo.folder / "human.md").read_bytes()
    edit(linked)
    assert (repo.folder / "human.md").read_bytes() == BRIEFER.replace("\n", "\r\n").encode()
    assert repo.lines("status", "--porcelain") == []


def test_other_work_of_the_owner_is_left_alone(linked: Studio, repo: RepositoryBuilder) -> None:
    repo.write("MEMORY.md", INDEX + "Not staged.\n")
    repo.write("persona.md", "staged\n")
    repo.git("add", "persona.md")
    repo.write("new.md", "untracked\n")
    edit(linked)
    assert sorted(repo.lines("status", "--porcelain")) == sorted([" M MEMORY.md", "A  persona.md", "?? new.md"])


def test_no_hook_of_the_repository_runs(linked: Studio, repo: RepositoryBuilder, tmp_path: Path) -> None:
    """The checks are made once, and not by the hook."""
    for name in (
        "pre-commit",
        "commit-msg",
        "post-commit",
        "prepare-commit-msg",
        "reference-transaction",
        "post-index-change",
    ):
        hook = repo.folder / ".git/hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran-{name}\nexit 1\n")
        hook.chmod(0o755)
    repo.git("config", "core.fsmonitor", f"touch {tmp_path}/ran-fsmonitor")
    repo.git("config", "commit.gpgsign", "true")
    edit(linked)
    assert list(tmp_path.glob("ran-*")) == []


def test_a_bare_repository_can_be_edited(studio: Studio, repo: RepositoryBuilder, tmp_path: Path) -> None:
    repo.git("clone", "--quiet", "--bare", str(repo.folder), str(tmp_path / "bare.git"))
    studio.create_agent("scout")
    studio.directories.link(str(tmp_path / "bare.git"), "scout")
    edit(studio)
    assert studio.directories.version("scout", path="human.md").body.text == BRIEFER


def test_a_linked_worktree_moves_its_own_branch(studio: Studio, repo: RepositoryBuilder, tmp_path: Path) -> None:
    main = repo.line("rev-parse", "HEAD")
    repo.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    studio.create_agent("scout")
    studio.directories.link(str(tmp_path / "side"), "scout")
    commit = edit(studio)
    assert (repo.line("rev-parse", "side"), repo.line("rev-parse", "main")) == (commit, main)
    assert (tmp_path / "side/human.md").read_text() == BRIEFER
    assert repo.git("-C", str(tmp_path / "side"), "status", "--porcelain") == b""


# --- what is refused ---


@pytest.mark.parametrize(
    "path",
    [
        "",
        "..",
        "a/..",
        "a/../..",
        "./..",
        "a/..\\b.md",
        "/etc/x.md",
        "a//b.md",
        ".git/x.md",
        "a/.GIT/x.md",
        "git~1/x.md",
        ".git /x.md",
        ".Git...md/../.git./x.md",
        ".git::$INDEX_ALLOCATION/x.md",
        ".g\u200cit/x.md",
        "a\nb.md",
        "x.txt",
        "a\0.md",
    ],
)
def test_path_02_a_path_is_judged_by_its_parts(linked: Studio, path: str) -> None:
    with pytest.raises(BadArgument):
        edit(linked, "x\n", path, expect=None)


def test_stale_edits(linked: Studio, repo: RepositoryBuilder) -> None:
    with pytest.raises(UnprovenSave):
        edit(linked, expect=None)
    repo.save("human.md", HUMAN + "Another.\n", "by the agent")
    before = state(repo)
    with pytest.raises(BlockChanged, match="operator Ana committed it") as refused:
        edit(linked)
    assert refused.value.live_sha256 == sha(HUMAN + "Another.\n")
    with pytest.raises(BlockChanged):
        edit(linked, "x\n", "never-there.md")
    assert state(repo) == before
    forced = linked.directories.edit("scout", "human.md", BRIEFER, WHY, force=True)
    assert forced.changed


def test_bad_texts(linked: Studio, repo: RepositoryBuilder) -> None:
    before = state(repo)
    with pytest.raises(UnusableText):
        edit(linked, HUMAN + "a\0b")
    with pytest.raises(BadArgument, match="says why"):
        linked.directories.edit("scout", "human.md", BRIEFER, " \n", expect=sha(BRIEF))
    assert state(repo) == before


def test_every_finding_of_the_hook_is_said_at_once(linked: Studio, repo: RepositoryBuilder) -> None:
    repo.save(".memfs.config.json", '{"version": 1, "maxFileCharacters": 100, "readOnlyFiles": ["human.md"]}')
    before = state(repo)
    key = "ghp_" + "A1b2" * 9
    with pytest.raises(BlockRefused) as refused:
        edit(linked, "no header " + "x" * 100 + " " + key)
    said = " ".join(refused.value.findings)
    assert len(refused.value.findings) == 4
    for words in ("no header", "100 are allowed", "read-only", "GitHub token"):
        assert words in said
    assert key not in str(refused.value)
    with pytest.raises(BlockRefused, match="person has to approve"):
        linked.directories.edit("scout", ".memfs.config.json", '{"version": 1}', WHY, force=True)
    assert state(repo) == before
    approved = linked.directories.edit(
        "scout", ".memfs.config.json", '{"version": 1}', WHY, force=True, config_approved=True
    )
    assert approved.changed


def test_memfs_07_an_older_problem_is_named_as_such(linked: Studio, repo: RepositoryBuilder) -> None:
    repo.save("bad.md", "no header\n")
    with pytest.raises(BlockRefused, match=r"bad\.md has no header|older than the edit"):
        edit(linked)


TOO_LONG = HUMAN + "x" * 120
WAYS_OUT: dict[str, tuple[dict[str, str], str, bool]] = {
    "two files over their cap": ({"human.md": TOO_LONG, "long.md": TOO_LONG}, BRIEF, True),
    "a core that is still over its cap": (dict.fromkeys("abcdef", HUMAN + "x" * 40), BRIEF, True),
    "a fault of the edit beside one of before": ({"long.md": TOO_LONG}, TOO_LONG, False),
    "a fault of the edit alone": ({}, TOO_LONG, False),
}


@pytest.mark.parametrize("what", WAYS_OUT)
def test_a_refusal_for_what_is_all_older_says_the_way_out(linked: Studio, repo: RepositoryBuilder, what: str) -> None:
    """Decision 34: no commit passes the hook, an edit of one file neither, until all of it is mended at once."""
    files, text, all_older = WAYS_OUT[what]
    repo.write(".memfs.config.json", '{"version": 1, "maxFileCharacters": 100, "maxCoreMemoryCharacters": 400}')
    for name, content in {"human.md": HUMAN + "Be as brief as can be.\n", **files}.items():
        repo.write(name if name.endswith(".md") else f"{name}.md", content)
    repo.commit("round the hook")
    before = state(repo)
    with pytest.raises(BlockRefused) as refused:
        linked.directories.edit("scout", "human.md", text, WHY, force=True)
    way = f"in one commit; where that takes more than one file, make it with git in {repo.folder}."
    assert (refused.value.way_out is not None, way in str(refused.value)) == (all_older, all_older)
    assert state(repo) == before


def _staged(repo: RepositoryBuilder) -> None:
    repo.write("human.md", "mine\n")
    repo.git("add", "human.md")


def _staged_and_taken_back(repo: RepositoryBuilder) -> None:
    _staged(repo)
    repo.write("human.md", BRIEF)


def _became_a_link(repo: RepositoryBuilder) -> None:
    (repo.folder / "human.md").unlink()
    (repo.folder / "human.md").symlink_to("MEMORY.md")


WORK: dict[str, tuple[Callable[[RepositoryBuilder], object], str]] = {
    "changed on disk": (lambda repo: repo.write("human.md", "mine\n"), "uncommitted changes in the working tree"),
    "deleted on disk": (lambda repo: (repo.folder / "human.md").unlink(), "uncommitted changes in the working tree"),
    "staged": (_staged, "staged changes"),
    "staged and taken back on disk": (_staged_and_taken_back, "staged changes"),
    "staged deletion": (lambda repo: repo.git("rm", "--quiet", "--cached", "human.md"), "staged changes"),
    "became a link": (_became_a_link, "uncommitted changes in the working tree"),
    "in a rebase": (lambda repo: (repo.folder / ".git/rebase-merge").mkdir(), "a rebase is under way"),
    "in a merge": (lambda repo: repo.write(".git/MERGE_HEAD", "0" * 40), "a merge is under way"),
    "in a bisect": (lambda repo: repo.git("bisect", "start"), "a bisect is under way"),
    "between two picks": (lambda repo: (repo.folder / ".git/sequencer").mkdir(), "a cherry-pick or revert of several"),
}


@pytest.mark.parametrize("work", WORK)
def test_a_file_its_owner_works_on_is_not_committed(linked: Studio, repo: RepositoryBuilder, work: str) -> None:
    begin, why = WORK[work]
    begin(repo)
    before = state(repo)
    with pytest.raises(Uncommitted, match=why):
        edit(linked)
    assert state(repo) == before


def test_a_new_file_does_not_go_over_one_on_disk_or_through_a_link(
    linked: Studio, repo: RepositoryBuilder, tmp_path: Path
) -> None:
    repo.write(".git/info/exclude", "secret/\n")
    repo.write("secret/MEMORY.md", "ignored, but mine\n")
    (tmp_path / "outside").mkdir()
    (repo.folder / "out").symlink_to(tmp_path / "outside")
    repo.write("plain", "a file\n")
    (repo.folder / "empty.md").mkdir()
    before = state(repo)
    why = {
        "secret/MEMORY.md": "it has uncommitted changes",
        "out/MEMORY.md": "out is a link on disk and no folder",
        "plain/MEMORY.md": "plain is a file on disk and no folder",
        "empty.md": "a folder stands in its place on disk",
    }
    for path, words in why.items():
        with pytest.raises(Uncommitted, match=words):
            edit(linked, INDEX if path.endswith("MEMORY.md") else HUMAN.replace("human", "empty"), path, expect=None)
    assert state(repo) == before
    assert list((tmp_path / "outside").iterdir()) == []


@pytest.mark.parametrize(
    ("staged", "path"), [("notes", "notes/MEMORY.md"), ("notes.md/x", "notes.md")], ids=["a file", "a folder"]
)
def test_what_is_staged_in_its_place_is_not_lost(
    linked: Studio, repo: RepositoryBuilder, staged: str, path: str
) -> None:
    """git would take it out of the index to make room."""
    repo.write(staged, "mine\n")
    repo.git("add", staged)
    shutil.rmtree(repo.folder / "notes.md", ignore_errors=True)
    (repo.folder / "notes").unlink(missing_ok=True)
    before = state(repo)
    with pytest.raises(Uncommitted, match="something else is staged in its place"):
        edit(linked, INDEX if path.endswith("MEMORY.md") else HUMAN.replace("human", "notes"), path, expect=None)
    assert state(repo) == before


def test_an_agent_without_a_directory_has_no_blocks(studio: Studio) -> None:
    studio.create_agent("plain")
    with pytest.raises(NoDirectory):
        studio.directories.edit("plain", "human.md", BRIEF, WHY)


# --- others at work at the same time ---


def test_a_held_index_is_waited_for_and_then_said(
    linked: Studio, repo: RepositoryBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = repo.folder / ".git/index.lock"
    lock.touch()
    threading.Timer(0.3, lock.unlink).start()
    edit(linked)
    lock.touch()
    monkeypatch.setattr(checkout, "LOCK_PATIENCE_SECONDS", 0.1)
    with pytest.raises(RepositoryHeld, match=r"index\.lock"):
        edit(linked, BRIEF, expect=sha(BRIEFER))
    assert lock.exists()


@pytest.mark.parametrize("what", ["the repository", "the folder of the file"])
def test_what_cannot_be_written_is_said_before_anything_is_committed(
    linked: Studio, repo: RepositoryBuilder, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    head, plain = repo.line("rev-parse", "HEAD"), os.open

    def read_only(path: str | Path, *how: int) -> int:
        if str(path).endswith("index.lock"):
            raise OSError(30, "Read-only file system", str(path))
        return plain(path, *how)

    if what == "the repository":
        monkeypatch.setattr(os, "open", read_only)
    else:
        monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(CannotMake, match=r"[Rr]ead-only"):
        linked.directories.edit("scout", "human.md", BRIEFER, "why", force=True)
    assert repo.line("rev-parse", "HEAD") == head
    assert repo.git("status", "--porcelain") == b""


def test_a_commit_that_comes_between_is_not_lost(
    linked: Studio, repo: RepositoryBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another file: the edit goes on top of it. HEAD moving each time: said, and nothing changed."""
    write_commit = git_write.write_commit
    moves = iter(range(99))

    def beside(
        repository: git.Repository, tree: str, parents: tuple[str, ...], message: str, by: git_write.Signature
    ) -> str:
        """Somebody commits by another index, as `git commit-tree` does."""
        if next(moves) < most:
            other = git_write.write_tree(repository, parents[0], {"x.txt": git_write.Entry("100644", blob)})
            repo.git("update-ref", "HEAD", repo.line("commit-tree", other, "-p", parents[0], "-m", "between"))
        return write_commit(repository, tree, parents, message, by)

    blob = repo.git("hash-object", "-w", "--stdin", given=b"x").decode().strip()
    monkeypatch.setattr(git_write, "write_commit", beside)
    most = 1
    edit(linked)
    assert repo.lines("log", "--format=%s") == ["Sharpen how to answer", "between", "begin"]
    most = 99
    with pytest.raises(HeadMoved):
        edit(linked, BRIEF, expect=sha(BRIEFER))
    assert repo.git("show", "HEAD:human.md").decode() == BRIEFER
    assert not (repo.folder / ".git/index.lock").exists()


def test_a_file_where_a_folder_would_be_is_no_folder_also_without_a_working_tree(
    studio: Studio, repo: RepositoryBuilder, tmp_path: Path
) -> None:
    """git would take the file away to make room."""
    repo.write("docs", "mine")
    repo.commit("a file")
    bare = tmp_path / "bare"
    repo.git("clone", "--quiet", "--bare", ".", str(bare))
    studio.create_agent("bare")
    studio.directories.link(str(bare), "bare")
    with pytest.raises(Uncommitted, match="docs is no folder there"):
        studio.directories.edit("bare", "docs/MEMORY.md", "# Docs\n", WHY, force=True)


def test_the_inside_of_a_repository_is_no_bare_one(studio: Studio, repo: RepositoryBuilder) -> None:
    """An edit there would move HEAD and leave the working tree behind, whose next commit would undo it."""
    studio.create_agent("inside")
    with pytest.raises(NothingToRead, match="name its working tree"):
        studio.directories.link(str(repo.folder / ".git"), "inside")


def test_a_message_is_utf_8_whatever_the_repository_says(linked: Studio, repo: RepositoryBuilder) -> None:
    repo.git("config", "i18n.commitEncoding", "ISO-8859-1")
    linked.directories.edit("scout", "human.md", BRIEFER, "Sch\u00e4rfe", force=True)
    assert "Sch\u00e4rfe" in repo.line("log", "-1", "--encoding=UTF-8", "--format=%s")
