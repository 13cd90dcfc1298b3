"""Which commits are changes of a memory, which folder or file a name means, and where they lie between versions (decision 42)."""

from datetime import UTC, datetime

import pytest

from studio.domain.authors import UNKNOWN, Author, AuthorKind, operator
from studio.domain.directory.changes import (
    Around,
    DirectoryChange,
    Part,
    between,
    lies_in,
    part_of,
    plain_place,
    selected_changes,
)
from studio.domain.timeline import Status, Version
from studio.errors import BadAuthorFilter, UnknownAuthor

WHEN = datetime(2026, 5, 4, 12, tzinfo=UTC)
DREAMER = Author(AuthorKind.AGENT, "Dreamer[bot]")


def change(number: int, version: int | None, *, new: bool = False, author: Author = DREAMER) -> DirectoryChange:
    return DirectoryChange(
        number, f"{number:040x}", WHEN, author, "why", merge=False, files=(), version=version, new_version=new
    )


def version(number: int) -> Version:
    return Version(number, UNKNOWN, WHEN, 1, 0, 10, Status.MODIFIED, live=False, sha256="")


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("human.md", Part.BLOCK),
        ("MEMORY.md", Part.BLOCK),
        ("ops/pager.md", Part.DEFERRED),
        ("a/b/c/deep.md", Part.DEFERRED),
        ("skills/pdf/SKILL.md", Part.SKILL),
        ("skills/pdf/fill.py", Part.SKILL),
        ("skills", Part.SKILL),
        (".memfs.config.json", Part.CONFIG),
        ("notes/people.csv", Part.DEFERRED),
        ("notes", Part.DEFERRED),
        ("scripts/run.py", Part.OTHER),
        ("notes.txt", Part.OTHER),
        ("human.MD", Part.OTHER),
        ("ops/.memfs.config.json", Part.OTHER),
    ],
)
def test_what_of_a_memory_a_path_is(path: str, part: Part) -> None:
    """Whatever lies in a folder with an index, as `notes`, is found by the agent, Markdown or not."""
    assert part_of(path, {"notes"}) is part


@pytest.mark.parametrize(
    ("path", "place", "lies"),
    [
        ("notes/a.md", "notes/", True),
        ("notes/a.md", "notes", True),
        ("notes/sub/a.md", "notes/", True),
        ("notes.md", "notes", False),
        ("notes2/a.md", "notes", False),
        ("notes", "notes/", False),
        ("notes", "notes", True),
        (None, "notes", False),
    ],
)
def test_what_lies_in_a_folder(path: str | None, place: str, lies: bool) -> None:  # noqa: FBT001 - a column of the table
    assert lies_in(path, place) is lies


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        ("notes", "notes"),
        ("notes/", "notes/"),
        ("./notes//sub/", "notes/sub/"),
        ("notes/.", "notes/"),
        (".", ""),
        ("./", ""),
        ("", ""),
    ],
)
def test_a_place_by_its_plain_name(given: str, plain: str) -> None:
    assert plain_place(given) == plain


def test_changes_between_versions_are_counted_on_both_sides() -> None:
    changes = [change(5, 2), change(4, 2, new=True), change(3, 1), change(2, 1), change(1, 1, new=True)]
    assert between(changes, [version(2), version(1)]) == {2: Around(2, 1), 1: Around(0, 2)}
    before_all = [change(2, 1, new=True), change(1, None)]
    assert between(before_all, [version(1)]) == {1: Around(1, 0)}


def test_changes_are_selected_as_versions_are() -> None:
    changes = [change(3, 1), change(2, 1, author=operator("Ana")), change(1, 1)]
    assert [one.number for one in selected_changes(changes, author="agent")] == [3, 1]
    assert [one.number for one in selected_changes(changes, author="agent:Dreamer[bot]", limit=1)] == [3]
    assert [one.number for one in selected_changes(changes, before=3)] == [2, 1]
    assert selected_changes(changes, author="run") == ()
    with pytest.raises(UnknownAuthor, match="Ben"):
        selected_changes(changes, author="operator:Ben")
    with pytest.raises(BadAuthorFilter):
        selected_changes(changes, author="robot")
