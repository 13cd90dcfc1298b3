"""Bring back what was deleted from a memory directory: one commit by the operator, through the hook's checks (decisions 37 and 42)."""

import hashlib
from pathlib import Path

import pytest
from repository_builder import RepositoryBuilder

from studio.actions.studio import Studio
from studio.errors import (
    BadArgument,
    BlockRefused,
    NotFound,
    StudioError,
    Uncommitted,
    UnknownFile,
    UnprovenSave,
)

NOTES = "# Notes\n"
PEOPLE = "---\nname: people\ndescription: Who is who.\n---\nSarah leads.\r\n"


@pytest.fixture
def repo(tmp_path: Path) -> RepositoryBuilder:
    """memfs-08: a consolidation took notes away."""
    made = RepositoryBuilder(tmp_path / "memory")
    made.write("MEMORY.md", "# Index\n\n- notes/ — people\n")
    made.write("notes/MEMORY.md", NOTES)
    made.write("notes/people.md", PEOPLE)
    made.write("skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Fill forms.\n---\nRun fill.sh.\n")
    made.write("skills/pdf/fill.sh", b"#!/bin/sh\n\xff\n")
    (made.folder / "skills/pdf/fill.sh").chmod(0o755)
    (made.folder / "notes/alias.txt").symlink_to("people.md")
    made.commit("begin")
    for gone in ("notes/people.md", "notes/alias.txt", "skills/pdf/fill.sh"):
        (made.folder / gone).unlink()
    made.commit("Consolidate", author="Dreamer[bot] <dreamer@example.org>")
    return made


@pytest.fixture
def linked(studio: Studio, repo: RepositoryBuilder) -> Studio:
    studio.create_agent("scout")
    studio.directories.link(str(repo.folder), "scout")
    return studio


def test_a_deleted_file_comes_back_byte_for_byte(linked: Studio, repo: RepositoryBuilder) -> None:
    before = repo.line("rev-parse", "HEAD~1")
    seen = linked.directories.file("scout", "notes/people.md")
    assert (seen.body.text, seen.gone and str(seen.gone.author)) == (PEOPLE, "agent Dreamer[bot]")
    done = linked.directories.restore("scout", "notes/people.md")
    assert (done.changed, done.path) == (True, "notes/people.md")
    assert repo.git("show", "HEAD:notes/people.md").decode() == PEOPLE
    assert repo.lines("log", "-1", "--format=%an: %s") == [f"Ana: Bring back notes/people.md as of {before[:10]}"]
    assert (repo.folder / "notes/people.md").read_bytes() == PEOPLE.encode()
    assert repo.lines("status", "--porcelain") == []
    newest = linked.directories.changes("scout", "notes/")[0]
    assert [(file.path, str(file.status)) for file in newest.files] == [("notes/people.md", "added")]
    again = linked.directories.restore("scout", "notes/people.md")
    assert (again.changed, again.commit) == (False, done.commit)


def test_a_skills_script_comes_back_as_it_was(linked: Studio, repo: RepositoryBuilder) -> None:
    linked.directories.restore("scout", "skills/pdf/fill.sh", message="The skill needs it", operator="Ben")
    assert repo.git("show", "HEAD:skills/pdf/fill.sh") == b"#!/bin/sh\n\xff\n"
    assert repo.line("ls-tree", "HEAD", "skills/pdf/fill.sh").startswith("100755 ")
    assert repo.lines("log", "-1", "--format=%an: %s") == ["Ben: The skill needs it"]


def test_a_file_that_is_there_is_written_over_as_an_edit_is(linked: Studio, repo: RepositoryBuilder) -> None:
    now = "# Notes, all new\n"
    repo.save("notes/MEMORY.md", now, "rewrite")
    with pytest.raises(UnprovenSave):
        linked.directories.restore("scout", "notes/MEMORY.md", "HEAD~1")
    sha = hashlib.sha256(now.encode()).hexdigest()
    assert linked.directories.restore("scout", "notes/MEMORY.md", "HEAD~1", expect=sha).changed
    assert repo.git("show", "HEAD:notes/MEMORY.md").decode() == NOTES


@pytest.mark.parametrize(
    ("path", "commit", "error"),
    [
        ("notes/nobody.md", None, UnknownFile),
        ("notes/people.md", "HEAD", UnknownFile),
        ("notes/people.md", "nowhere", NotFound),
        ("notes/alias.txt", None, BadArgument),
        ("../outside.md", None, UnknownFile),
        ("notes", None, UnknownFile),
    ],
)
def test_what_cannot_come_back_changes_nothing(
    linked: Studio, repo: RepositoryBuilder, path: str, commit: str | None, error: type[StudioError]
) -> None:
    before = repo.line("rev-parse", "HEAD")
    with pytest.raises(error):
        linked.directories.restore("scout", path, commit)
    assert repo.line("rev-parse", "HEAD") == before


def test_the_hook_and_whoever_works_there_are_heeded(linked: Studio, repo: RepositoryBuilder) -> None:
    repo.write("notes/people.md", "being typed\n")
    with pytest.raises(Uncommitted):
        linked.directories.restore("scout", "notes/people.md")
    (repo.folder / "notes/people.md").unlink()
    repo.git("rm", "--quiet", "notes/MEMORY.md")
    repo.commit("the index goes too")
    with pytest.raises(BlockRefused, match="notes/ is missing its required index"):
        linked.directories.restore("scout", "notes/people.md")
    linked.directories.restore("scout", "notes/MEMORY.md")
    assert linked.directories.restore("scout", "notes/people.md").changed
