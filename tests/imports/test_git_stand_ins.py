"""Versions in git whose text is elsewhere, files that were copied, and paths that were a folder (decision 41)."""

import hashlib
import os
from pathlib import Path

import pytest
from history_facts import FILE, contents, counts, numbered, statuses
from repository_builder import RepositoryBuilder

from studio.domain.stand_ins import StandIn, StandInKind
from studio.domain.timeline import Status
from studio.imports.git_history import read_git_history
from studio.imports.objects import OBJECT_CAP_BYTES

TEXT = b"# Memory\nPumps run at night.\nAnd by day.\n"


@pytest.fixture
def made(tmp_path: Path) -> RepositoryBuilder:
    return RepositoryBuilder(tmp_path / "repository")


def oid(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def lfs(content: bytes, size: int | None = None) -> str:
    size = len(content) if size is None else size
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{oid(content)}\nsize {size}\n"


def lfs_object(made: RepositoryBuilder, content: bytes, *, named: bytes | None = None, root: str = ".git/lfs") -> Path:
    name = oid(content if named is None else named)
    made.write(f"{root}/objects/{name[:2]}/{name[2:4]}/{name}", content)
    return made.folder / root / "objects" / name[:2] / name[2:4] / name


def test_git_history_08_pointers_are_not_the_text_and_the_import_says_what_brings_it(made: RepositoryBuilder) -> None:
    made.save(FILE, "# Memory\nPumps run at night.\n")
    made.save(FILE, lfs(TEXT))
    made.save(FILE, lfs(b"more"))
    history = read_git_history(made.folder, FILE)
    assert statuses(history) == [Status.ADDED, Status.STAND_IN, Status.STAND_IN]
    assert counts(history) == [(2, 0), (0, 0), (0, 0)]
    assert history.rows[1].stand_in == StandIn(StandInKind.LFS, f"sha256:{oid(TEXT)}", len(TEXT))
    assert history.warnings == (
        (
            "2 versions lack their texts; 'git lfs fetch --all' in the repository brings what is missing,"
            " then import again with --replace."
        ),
    )


@pytest.mark.parametrize("storage", [".git/lfs", ".git/elsewhere", "beside"], ids=["usual", "set", "set outside"])
def test_git_history_08_the_object_is_the_text_where_it_is_here(made: RepositoryBuilder, storage: str) -> None:
    made.save(FILE, "# Memory\nPumps run at night.\n")
    made.save(FILE, lfs(TEXT))
    lfs_object(made, TEXT, root=storage)
    if storage != ".git/lfs":
        made.git("config", "lfs.storage", "elsewhere" if storage == ".git/elsewhere" else str(made.folder / storage))
    history = read_git_history(made.folder, FILE)
    assert contents(history)[1] == TEXT
    assert (statuses(history)[1], history.rows[1].stand_in, counts(history)[1]) == (Status.MODIFIED, None, (1, 0))
    assert history.warnings == ()


def test_an_object_of_a_linked_working_tree_is_found(made: RepositoryBuilder, tmp_path: Path) -> None:
    made.save(FILE, lfs(TEXT))
    lfs_object(made, TEXT)
    made.git("worktree", "add", "--quiet", str(tmp_path / "side"))
    assert contents(read_git_history(tmp_path / "side", FILE)) == [TEXT]


@pytest.mark.parametrize(
    "what", ["another text", "another size", "a link", "a folder", "a pipe", "too large", "changed by an extension"]
)
def test_an_object_that_is_not_what_the_pointer_says_is_not_read(made: RepositoryBuilder, what: str) -> None:
    pointer = lfs(TEXT)
    if what == "changed by an extension":
        pointer = pointer.replace("oid", f"ext-0-case sha256:{oid(b'x')}\noid", 1)
    if what == "too large":
        pointer = lfs(TEXT, OBJECT_CAP_BYTES + 1)
    made.save(FILE, lfs(TEXT, 7) if what == "another size" else pointer)
    file = lfs_object(made, TEXT[::-1] if what == "another text" else TEXT, named=TEXT)
    if what == "too large":
        with file.open("r+b") as held:
            held.truncate(OBJECT_CAP_BYTES + 1)
    if what in ("a link", "a folder", "a pipe"):
        file.unlink()
    if what == "a link":
        file.symlink_to("/etc/hostname")
    elif what == "a folder":
        file.mkdir()
    elif what == "a pipe":
        os.mkfifo(file)
    (row,) = read_git_history(made.folder, FILE).rows
    assert row.stand_in is not None
    assert row.stand_in.kind is StandInKind.LFS


@pytest.mark.parametrize("held", ["a pointer", "a link"])
@pytest.mark.parametrize("here", [True, False], ids=["here", "not here"])
def test_an_annexed_text(made: RepositoryBuilder, held: str, *, here: bool) -> None:
    key = f"SHA256E-s{len(TEXT)}--{oid(TEXT)}.md"
    made.save(FILE, "before\n")
    if held == "a link":
        (made.folder / FILE).unlink()
        (made.folder / FILE).symlink_to(f".git/annex/objects/Zx/9q/{key}/{key}")
        made.commit("annexed")
    else:
        made.save(FILE, f"/annex/objects/{key}\n")
    if here:
        made.write(f".git/annex/objects/Zx/9q/{key}/{key}", TEXT)
    history = read_git_history(made.folder, FILE)
    assert history.rows[1].stand_in == (None if here else StandIn(StandInKind.ANNEX, key, len(TEXT)))
    assert (contents(history)[1] == TEXT) is here
    assert any("git annex get --all" in said for said in history.warnings) is not here


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\0GITCRYPT\0\x01\x02\xff", "a text encrypted with git-crypt"),
        (b"age-encryption.org/v1\n-> X25519 a\n\xff\0", "a text encrypted with age"),
        (b"@AGENTS.md\n", "a mention of AGENTS.md"),
    ],
)
def test_what_only_stands_for_a_text_counts_no_lines_and_the_next_counts_against_the_last_text(
    made: RepositoryBuilder, content: bytes, said: str
) -> None:
    made.save(FILE, numbered(1, 9))
    made.save(FILE, content)
    made.save(FILE, numbered(1, 10))
    history = read_git_history(made.folder, FILE)
    assert statuses(history) == [Status.ADDED, Status.STAND_IN, Status.MODIFIED]
    assert str(history.rows[1].stand_in) == said
    assert counts(history) == [(9, 0), (0, 0), (1, 0)]
    assert contents(history)[1] == content


# --- copies ---


@pytest.mark.parametrize("left", ["as it was", "a link", "a mention"])
def test_git_history_10_a_copy_is_not_a_rename_whatever_becomes_of_the_other_file(
    made: RepositoryBuilder, left: str
) -> None:
    made.save("CLAUDE.md", numbered(1, 60))
    made.save("CLAUDE.md", numbered(1, 60, l7="seven"))
    made.write("AGENTS.md", numbered(1, 60, l7="seven"))
    if left == "a link":
        (made.folder / "CLAUDE.md").unlink()
        (made.folder / "CLAUDE.md").symlink_to("AGENTS.md")
    elif left == "a mention":
        made.write("CLAUDE.md", "@AGENTS.md\n")
    made.commit("copied")
    made.save("AGENTS.md", numbered(1, 61, l7="seven"))
    history = read_git_history(made.folder, "AGENTS.md")
    assert statuses(history) == [Status.ADDED, Status.MODIFIED, Status.ADDED, Status.MODIFIED]
    assert [row.origin.copied for row in history.rows] == [False, False, True, False]
    assert history.rows[2].origin.old_path == "CLAUDE.md"
    assert counts(history) == [(60, 0), (1, 1), (0, 0), (1, 0)]


def test_a_renamed_file_is_still_renamed(made: RepositoryBuilder) -> None:
    made.save("CLAUDE.md", numbered(1, 60))
    made.git("mv", "CLAUDE.md", "AGENTS.md")
    made.commit("moved")
    history = read_git_history(made.folder, "AGENTS.md")
    assert statuses(history) == [Status.ADDED, Status.RENAMED]
    assert not history.rows[1].origin.copied


# --- files and folders ---


def test_a_path_that_was_a_file_and_is_a_folder_now(made: RepositoryBuilder) -> None:
    made.save("notes", "one\n")
    made.save("notes", "one\ntwo\n")
    (made.folder / "notes").unlink()
    made.save("notes/today.md", "today\n")
    made.save("notes/today.md", "today and more\n")
    history = read_git_history(made.folder, "notes")
    assert statuses(history) == [Status.ADDED, Status.MODIFIED, Status.DELETED]
    assert history.rows[-1].body is None


def test_a_path_that_was_a_folder_and_is_a_file_now(made: RepositoryBuilder) -> None:
    made.save("notes/today.md", "today\n")
    made.git("rm", "-rq", "notes")
    made.save("notes", numbered(1, 20))
    made.save("notes", numbered(1, 21))
    history = read_git_history(made.folder, "notes")
    assert contents(history) == [numbered(1, 20).encode(), numbered(1, 21).encode()]
    assert [row.origin.path for row in history.rows] == ["notes", "notes"]


def test_a_path_that_was_a_file_a_folder_and_a_file_again(made: RepositoryBuilder) -> None:
    made.save("notes", "one\n")
    (made.folder / "notes").unlink()
    made.save("notes/today.md", "today\n")
    made.git("rm", "-rq", "notes")
    made.save("notes", "again\n")
    assert contents(read_git_history(made.folder, "notes")) == [b"one\n", None, b"again\n"]


# --- what a merge left out ---


def branched(made: RepositoryBuilder) -> None:
    """Two commits on a branch whose changes the merge threw away."""
    made.save(FILE, numbered(1, 9))
    made.git("checkout", "--quiet", "-b", "side")
    made.save(FILE, numbered(1, 10))
    made.save(FILE, numbered(1, 11))
    made.git("checkout", "--quiet", "main")
    made.save(FILE, numbered(2, 9))
    made.merge("side", resolved={FILE: numbered(2, 9)})


def test_the_import_says_how_many_versions_a_full_history_has_and_takes_them(made: RepositoryBuilder) -> None:
    branched(made)
    plain = read_git_history(made.folder, FILE)
    assert len(plain.rows) == 2
    assert plain.warnings == (
        "2 more versions are on branches that a merge did not take, or under another path; --full-history takes them.",
    )
    whole = read_git_history(made.folder, FILE, full_history=True)
    listed = made.lines("log", "--full-history", "--format=%H", "--no-merges", "--", FILE)
    assert {row.origin.commit for row in whole.rows} >= set(listed)
    assert contents(whole)[-1] == numbered(2, 9).encode()
    assert whole.warnings == ()
    assert whole.source.key != plain.source.key


def test_a_full_history_that_has_nothing_more_is_the_plain_one(made: RepositoryBuilder) -> None:
    made.save(FILE, numbered(1, 9))
    made.git("checkout", "--quiet", "-b", "side")
    made.save(FILE, numbered(1, 10))
    made.git("checkout", "--quiet", "main")
    made.save(FILE, numbered(0, 9))
    made.merge("side")
    plain = read_git_history(made.folder, FILE)
    assert contents(plain)[-1] == numbered(0, 10).encode()
    assert read_git_history(made.folder, FILE, full_history=True).rows == plain.rows


def test_a_full_history_goes_on_below_a_rename(made: RepositoryBuilder) -> None:
    made.save("old.md", numbered(1, 9))
    made.git("checkout", "--quiet", "-b", "side")
    made.save("old.md", numbered(1, 10))
    made.git("checkout", "--quiet", "main")
    made.save("old.md", numbered(2, 9))
    made.merge("side", resolved={"old.md": numbered(2, 9)})
    made.git("mv", "old.md", FILE)
    made.commit("moved")
    plain = read_git_history(made.folder, FILE)
    assert (len(plain.rows), len(plain.warnings)) == (4, 0)
    whole = read_git_history(made.folder, FILE, full_history=True)
    assert statuses(whole)[-1] is Status.RENAMED
    assert {row.origin.path for row in whole.rows} == {"old.md", FILE}


def test_a_full_history_takes_nothing_of_the_file_that_was_copied_since(made: RepositoryBuilder) -> None:
    made.save("CLAUDE.md", numbered(1, 60))
    made.save("AGENTS.md", numbered(1, 60))
    made.save("CLAUDE.md", numbered(1, 70))
    history = read_git_history(made.folder, "AGENTS.md", full_history=True)
    assert contents(history) == [numbered(1, 60).encode()] * 2


def test_what_follow_would_find_below_a_file_that_was_made_again_is_counted(made: RepositoryBuilder) -> None:
    """git-history-04: deletion and creation are shown as such; the history of the other file is not taken unasked."""
    made.save(FILE, "gone\n")
    made.git("rm", "-q", FILE)
    made.commit("deleted")
    made.save("other.md", numbered(1, 40))
    made.save("other.md", numbered(1, 41))
    made.git("mv", "other.md", FILE)
    made.commit("moved here")
    plain = read_git_history(made.folder, FILE)
    assert statuses(plain) == [Status.ADDED, Status.DELETED, Status.ADDED]
    assert plain.warnings[0].startswith("2 more versions are")
    assert len(read_git_history(made.folder, FILE, full_history=True).rows) == 5
