"""Edits of a directory whose owner has it checked out in an unusual way, works in it, or has no room left for it."""

import hashlib
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_shell import Shell
from full_disk import room_for
from repository_builder import RepositoryBuilder

from studio import git_write
from studio.actions.studio import Studio
from studio.domain.directory.editing import Edited
from studio.errors import BlockChanged, CannotMake, EditedThere, NothingToRead, RepositoryHeld, StudioError, Uncommitted
from studio.memfs import checkout

INDEX = "# Index\n"
HUMAN = "---\nname: human\ndescription: Who the user is.\n---\n"
BRIEF, BRIEFER = HUMAN + "Be brief.\n", HUMAN + "Be briefer.\n"
LONG = HUMAN + "Be brief. " * 1_000
WHY = "Sharpen how to answer"
SPARSE = {
    "a sparse checkout": ("sparse-checkout", "set", "--no-sparse-index", "docs"),
    "a sparse index": ("sparse-checkout", "set", "--sparse-index", "docs"),
}


@pytest.fixture
def repo(tmp_path: Path) -> RepositoryBuilder:
    made = RepositoryBuilder(tmp_path / "memory")
    for path, text in {
        "MEMORY.md": INDEX,
        "human.md": BRIEF,
        "ops/MEMORY.md": "Runbooks.\n",
        "docs/MEMORY.md": "x\n",
    }.items():
        made.write(path, text)
    made.commit("begin")
    return made


def edit(studio: Studio, repo: RepositoryBuilder | Path, text: str | None = BRIEFER, path: str = "human.md") -> Edited:
    folder = repo if isinstance(repo, Path) else repo.folder
    if not studio.list_agents():
        studio.create_agent("scout")
    studio.directories.link(str(folder), "scout")
    return studio.directories.edit("scout", path, text, WHY, force=True)


def state(repo: RepositoryBuilder) -> tuple[str, bytes, bytes, list[str]]:
    """HEAD, the index, the status and all names: what no refused edit may change."""
    names = sorted(str(one.relative_to(repo.folder)) for one in repo.folder.rglob("*") if "objects" not in one.parts)
    return (
        repo.line("rev-parse", "HEAD"),
        repo.git("ls-files", "-v", "--stage", "-z"),
        repo.git("status", "--porcelain"),
        names,
    )


# --- left out of the working tree ---


@pytest.mark.parametrize("sparse", SPARSE)
def test_a_file_that_a_sparse_checkout_leaves_out_is_edited_in_the_commit_only(
    studio: Studio, repo: RepositoryBuilder, sparse: str
) -> None:
    repo.git(*SPARSE[sparse])
    assert edit(studio, repo, "Changed.\n", "ops/MEMORY.md").behind is None
    assert repo.line("show", "HEAD:ops/MEMORY.md") == "Changed."
    assert repo.lines("ls-files", "-v") == ["H MEMORY.md", "H docs/MEMORY.md", "H human.md", "S ops/MEMORY.md"]
    assert (repo.lines("status", "--porcelain"), (repo.folder / "ops").exists()) == ([], False)
    edit(studio, repo, None, "ops/MEMORY.md")
    assert repo.lines("ls-files", "-v") == ["H MEMORY.md", "H docs/MEMORY.md", "H human.md"]
    edit(studio, repo)
    assert (repo.folder / "human.md").read_text() == BRIEFER
    assert repo.lines("status", "--porcelain") == []


def test_a_file_that_is_marked_as_left_out_but_there_is_judged_by_what_it_holds(
    studio: Studio, repo: RepositoryBuilder
) -> None:
    """The mark is used to hide changes of one's own, too."""
    repo.git("update-index", "--skip-worktree", "human.md")
    edit(studio, repo)
    assert (repo.folder / "human.md").read_text() == BRIEFER
    assert "S human.md" in repo.lines("ls-files", "-v")
    repo.write("human.md", "mine")
    before = state(repo)
    with pytest.raises(Uncommitted, match="uncommitted changes"):
        edit(studio, repo, BRIEF)
    assert state(repo) == before


INDEXES: dict[str, tuple[str, ...]] = {
    "split": ("update-index", "--split-index"),
    "of version 4": ("update-index", "--index-version", "4"),
    "with a cache of untracked files": ("update-index", "--force-untracked-cache"),
}


@pytest.mark.parametrize("form", INDEXES)
def test_every_form_of_index_follows(studio: Studio, repo: RepositoryBuilder, form: str) -> None:
    repo.git(*INDEXES[form])
    repo.write("mine.txt", "mine")
    repo.git("status")
    for text in (BRIEFER, BRIEF):
        edit(studio, repo, text)
        assert (repo.folder / "human.md").read_text() == text
        assert repo.lines("status", "--porcelain") == ["?? mine.txt"]


def test_a_new_file_has_the_permissions_of_the_user(studio: Studio, repo: RepositoryBuilder) -> None:
    before = os.umask(0o027)
    try:
        edit(studio, repo, HUMAN.replace("human", "new"), "new.md")
    finally:
        os.umask(before)
    assert (repo.folder / "new.md").stat().st_mode & 0o777 == 0o640


# --- what git would convert ---


@pytest.mark.parametrize("path", ["human.md", "new.md"])
@pytest.mark.parametrize("attribute", ["filter=crypt", "working-tree-encoding=UTF-16"])
def test_nothing_is_committed_past_what_git_converts(
    studio: Studio, repo: RepositoryBuilder, tmp_path: Path, attribute: str, path: str
) -> None:
    """A filter may be there to encrypt; it is a program of the owner's and never run."""
    for kind in ("clean", "smudge"):
        repo.git("config", f"filter.crypt.{kind}", f"touch {tmp_path}/ran; cat")
    repo.write(".git/info/attributes", f"*.md {attribute}\n")
    before = repo.line("rev-parse", "HEAD"), repo.git("ls-files", "--stage")
    with pytest.raises(EditedThere, match=attribute.replace("=", " ")):
        edit(studio, repo, HUMAN.replace("human", path.removesuffix(".md")) + "Be briefer.\n", path)
    assert (repo.line("rev-parse", "HEAD"), repo.git("ls-files", "--stage")) == before
    assert not (repo.folder / "new.md").exists()
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "attributes",
    [
        "*.md filter=nobody",
        "*.png filter=crypt",
        "*.md -filter",
        "*.md text eol=crlf",
        "*.md working-tree-encoding=UTF-8",
        "*.md text=auto",
    ],
)
def test_what_git_keeps_as_it_is_can_be_edited(studio: Studio, repo: RepositoryBuilder, attributes: str) -> None:
    """A filter that is not set up changes nothing; line ends stay as the checkout has them."""
    repo.git("config", "filter.crypt.clean", "false")
    repo.save(".gitattributes", attributes + "\n")
    (repo.folder / "human.md").unlink()
    repo.git("checkout", "--", "human.md")
    ends = b"\r\n" if b"\r\n" in (repo.folder / "human.md").read_bytes() else b"\n"
    edit(studio, repo)
    assert repo.git("show", "HEAD:human.md").decode() == BRIEFER
    assert (repo.folder / "human.md").read_bytes() == BRIEFER.encode().replace(b"\n", ends)
    assert repo.lines("status", "--porcelain") == []


# --- branches ---


def test_a_detached_head_moves_alone(studio: Studio, repo: RepositoryBuilder) -> None:
    main = repo.line("rev-parse", "main")
    repo.git("checkout", "--quiet", "--detach")
    commit = edit(studio, repo).commit
    assert (repo.line("rev-parse", "HEAD"), repo.line("rev-parse", "main")) == (commit, main)


def test_a_branch_without_commits_is_said(studio: Studio, repo: RepositoryBuilder) -> None:
    edit(studio, repo)
    repo.git("checkout", "--quiet", "--orphan", "new")
    with pytest.raises(NothingToRead, match="no commits yet"):
        studio.directories.edit("scout", "human.md", BRIEF, WHY, force=True)


@pytest.mark.parametrize("bare", [True, False], ids=["bare", "with a working tree"])
def test_a_branch_is_not_moved_under_another_working_tree(
    studio: Studio, repo: RepositoryBuilder, tmp_path: Path, *, bare: bool
) -> None:
    """It would be left behind, and the next commit there would undo the edit."""
    if bare:
        repo.git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare.git"))
    there = tmp_path / "bare.git" if bare else repo.folder
    repo.git("-C", str(there), "worktree", "add", "--quiet", "--force", str(tmp_path / "side"), "main")
    head = repo.git("-C", str(there), "rev-parse", "HEAD")
    with pytest.raises(EditedThere, match=r"side has its branch main checked out too.*edit and commit it in .*side"):
        edit(studio, there)
    assert repo.git("-C", str(there), "rev-parse", "HEAD") == head
    if bare:
        edit(studio, tmp_path / "side")
        assert repo.git("-C", str(tmp_path / "side"), "status", "--porcelain") == b""
    shutil.rmtree(tmp_path / "side")
    assert edit(studio, there, BRIEF + "More.\n").changed


def test_working_trees_of_other_branches_are_no_hindrance(
    studio: Studio, repo: RepositoryBuilder, tmp_path: Path
) -> None:
    outer = RepositoryBuilder(tmp_path / "outer")
    outer.git("submodule", "add", "--quiet", str(repo.folder), "inner")
    inner, side = outer.folder / "inner", tmp_path / "side"
    outer.git("-C", str(inner), "worktree", "add", "--quiet", "-b", "side", str(side))
    for there in (inner, side):
        commit = edit(studio, there).commit
        assert outer.line("-C", str(there), "rev-parse", "HEAD") == commit
        assert (there / "human.md").read_text() == BRIEFER


@pytest.mark.parametrize("lock", ["refs/heads/main.lock", "HEAD.lock"])
def test_a_branch_that_is_locked_is_not_said_to_have_moved(studio: Studio, repo: RepositoryBuilder, lock: str) -> None:
    repo.write(f".git/{lock}", "")
    before = state(repo)
    with pytest.raises(RepositoryHeld, match=lock):
        edit(studio, repo)
    assert state(repo) == before


# --- no room ---


@pytest.mark.parametrize("size", [0, 200, 4_096], ids=["at the blob", "at the tree", "at the file"])
@pytest.mark.parametrize("path", ["human.md", "deep/down/human.md"])
def test_a_full_disk_is_met_before_anything_is_committed(
    studio: Studio, repo: RepositoryBuilder, size: int, path: str
) -> None:
    repo.save(".memfs.config.json", '{"version": 1, "maxDepth": 5}')
    for folder in ("deep", "deep/down"):
        repo.save(f"{folder}/MEMORY.md", "x\n")
    shutil.rmtree(repo.folder / "deep")
    repo.git("sparse-checkout", "set", "--no-cone", "/*", "!/deep/")
    studio.create_agent("scout")
    studio.directories.link(str(repo.folder), "scout")
    before = state(repo)
    with room_for(size), pytest.raises(CannotMake):
        studio.directories.edit("scout", path, LONG, WHY, force=True)
    assert state(repo) == before


def _index_is_a_folder(repo: RepositoryBuilder) -> None:
    (repo.folder / ".git/index").rename(repo.folder / ".git/index.before")
    (repo.folder / ".git/index").mkdir()


def _cleaned(repo: RepositoryBuilder) -> None:
    repo.git("clean", "--quiet", "--force", "-d")


AFTERWARDS: dict[str, tuple[Callable[[RepositoryBuilder], object], str]] = {
    "the index cannot be replaced": (_index_is_a_folder, "Is a directory"),
    "what was written is gone": (_cleaned, "No such file"),
}


@pytest.mark.parametrize("what", AFTERWARDS)
def test_a_commit_that_the_working_tree_could_not_follow_is_told_as_made(
    studio: Studio, repo: RepositoryBuilder, shell: Shell, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    breaks, why = AFTERWARDS[what]
    move_head = git_write.move_head

    def moved(*arguments: object) -> bool:
        done = move_head(*arguments)  # type: ignore[arg-type]
        breaks(repo)
        return done

    monkeypatch.setattr(git_write, "move_head", moved)
    done = edit(studio, repo)
    assert (done.changed, done.commit) == (True, repo.line("rev-parse", "main"))
    assert done.behind is not None
    assert f"could not follow ({why}" in done.behind
    if breaks is _index_is_a_folder:
        (repo.folder / ".git/index").rmdir()
        (repo.folder / ".git/index.before").rename(repo.folder / ".git/index")
    assert [line[3:] for line in repo.lines("status", "--porcelain")] == ["human.md"]
    repo.git("restore", "--staged", "--worktree", "human.md")
    assert (repo.folder / "human.md").read_text() == BRIEFER
    shell.done("dir", "link", repo.folder, "--agent", "scout")
    told = shell("dir", "edit", "scout", "human.md", "--message", "Why", "--force", "--json", given=BRIEF.encode())
    assert (told.code, told.json["commit"]) == (0, repo.line("rev-parse", "main"))
    assert told.json["behind"] == told.err.strip()


# --- several at once ---

EDITORS = 4


@pytest.mark.parametrize("bare", [True, False], ids=["bare", "with a working tree"])
def test_every_one_of_several_editors_of_several_files_is_committed(
    studio: Studio, repo: RepositoryBuilder, tmp_path: Path, *, bare: bool
) -> None:
    there = repo.folder
    if bare:
        there = tmp_path / "bare.git"
        repo.git("clone", "--quiet", "--bare", ".", str(there))
    studio.create_agent("scout")
    studio.directories.link(str(there), "scout")
    failed: list[Exception] = []

    def work(who: int) -> None:
        try:
            studio.directories.edit("scout", f"b{who}.md", HUMAN.replace("human", f"b{who}"), f"by {who}", force=True)
        except StudioError as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(who,)) for who in range(EDITORS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    said = repo.git("-C", str(there), "log", "--format=%s").decode().split("\n")[:-1]
    assert sorted(said) == sorted(["begin", *(f"by {who}" for who in range(EDITORS))])
    assert bare or repo.lines("status", "--porcelain") == []


EDITOR = """
import sys
from builders import blank_store
from studio.errors import StudioError
with blank_store() as studio:
    studio.create_agent("scout")
    studio.directories.link(sys.argv[1], "scout")
    print(flush=True)
    sys.stdin.readline()
    text = sys.argv[2]
    try:
        print(studio.directories.edit("scout", "human.md", text, "Why", expect=sys.argv[3]).commit)
    except StudioError as error:
        print(type(error).__name__)
"""


def test_of_several_programs_that_edit_one_file_one_is_committed(repo: RepositoryBuilder) -> None:
    """The others are told that it changed (decision 37), and not that its owner had staged something."""
    read = hashlib.sha256(BRIEF.encode()).hexdigest()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    pipe = subprocess.PIPE
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", EDITOR, str(repo.folder), BRIEF + f"{who}\n", read],
            stdin=pipe,
            stdout=pipe,
            text=True,
            env=environment,
        )
        for who in range(EDITORS)
    ]
    for program in programs:
        assert program.stdout is not None
        program.stdout.readline()
    said = [program.communicate("go\n")[0].strip() for program in programs]
    head = repo.line("rev-parse", "HEAD")
    assert sorted(said) == sorted([head, *[BlockChanged.__name__] * (EDITORS - 1)])
    assert repo.lines("log", "--format=%s") == ["Why", "begin"]
    assert repo.lines("status", "--porcelain") == []


def test_a_commit_that_the_owner_is_writing_the_message_of_is_not_lost(
    studio: Studio, repo: RepositoryBuilder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With `commit -a` git holds the index; without it git finds that HEAD moved, and what was staged stays staged."""
    monkeypatch.setattr(checkout, "LOCK_PATIENCE_SECONDS", 0.1)
    repo.write("docs/MEMORY.md", "mine\n")
    for options in (["-a"], []):
        if not options:
            repo.write("docs/MEMORY.md", "mine again\n")
            repo.git("add", "docs/MEMORY.md")
        head = repo.line("rev-parse", "HEAD")
        committing, close = _commit_in_editor(repo, tmp_path / f"editor{len(options)}", *options)
        if options:
            with pytest.raises(RepositoryHeld):
                edit(studio, repo)
        else:
            assert edit(studio, repo).behind is None
        close()
        assert (committing.wait() == 0) == bool(options)
        assert (repo.line("rev-parse", "HEAD^"), repo.lines("status", "--porcelain")) == (
            head,
            [] if options else ["M  docs/MEMORY.md"],
        )


def _commit_in_editor(
    repo: RepositoryBuilder, folder: Path, *options: str
) -> tuple["subprocess.Popen[bytes]", Callable[[], None]]:
    """A commit whose message is being written, and what closes the editor."""
    folder.mkdir()
    editor = folder / "editor.sh"
    editor.write_text(
        f'#!/bin/sh\ntouch {folder}/open\nwhile [ ! -e {folder}/close ]; do sleep 0.02; done\necho x > "$1"\n'
    )
    editor.chmod(0o755)
    people = {f"GIT_{who}_{what}": "Ana" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    started = subprocess.Popen(
        ["git", "-C", str(repo.folder), "commit", "--quiet", *options],
        env={**os.environ, **people, "GIT_EDITOR": str(editor), "GIT_CONFIG_GLOBAL": os.devnull},
        stderr=subprocess.DEVNULL,
    )
    while not (folder / "open").exists():
        time.sleep(0.02)
    return started, (folder / "close").touch
