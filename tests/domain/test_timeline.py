"""Revisions become versions: revision k holds version k and names who wrote version k + 1 (decision 2)."""

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from builders import START, facts, revision, run_author
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.authors import UNKNOWN, Author, AuthorFilter, AuthorKind, operator
from studio.domain.timeline import Actor, Revision, by_author, timeline

ANA, BEN = operator("Ana"), operator("Ben")
FOUR = (
    revision(1, "one\n", run_author("r_1"), START + timedelta(hours=1)),
    revision(2, "two\n", ANA, START + timedelta(hours=2)),
    revision(3, "three\n", run_author("r_2"), START + timedelta(hours=3)),
)
LIVE = facts(4, "four\n", START + timedelta(hours=3), added=1, removed=1)
ANYONE = st.builds(Author, st.sampled_from(AuthorKind), st.none() | st.text(min_size=1, max_size=3))


def test_authors_shift_by_one() -> None:
    """timeline-01."""
    assert [(version.number, str(version.author), version.run, version.live) for version in timeline(FOUR, LIVE)] == [
        (4, "run r_2", "r_2", True),
        (3, "operator Ana", None, False),
        (2, "run r_1", "r_1", False),
        (1, "no recorded author", None, False),
    ]


def test_a_new_agent_has_one_empty_version_by_nobody() -> None:
    """timeline-03."""
    (only,) = timeline((), facts(1))
    assert (only.number, only.author, only.live, only.characters, only.first_kept) == (1, UNKNOWN, True, 0, True)


def test_the_oldest_kept_version_loses_the_author_that_was_pruned() -> None:
    """timeline-04, attribution-03."""
    kept = timeline(FOUR[1:], LIVE)
    assert [(version.number, str(version.author)) for version in kept] == [
        (4, "run r_2"),
        (3, "operator Ana"),
        (2, "no recorded author"),
    ]
    assert [version.first_kept for version in kept] == [False, False, True]


def test_a_filter_changes_neither_numbers_nor_counts() -> None:
    """timeline-07."""
    counted = (*FOUR[:2], replace(FOUR[2], facts=replace(FOUR[2].facts, added=4, removed=2)))
    (only,) = by_author(timeline(counted, LIVE), AuthorFilter(AuthorKind.OPERATOR))
    assert (only.number, only.author, only.added, only.removed) == (3, ANA, 4, 2)


def test_a_creates_b_edits_a_edits() -> None:
    """attribution-01: the recorded creator of the first version is its author."""
    rows = [revision(1, "one", BEN), revision(2, "two", ANA)]
    assert [str(version.author) for version in timeline(rows, facts(3, "three"))] == [
        "operator Ana",
        "operator Ben",
        "no recorded author",
    ]
    created = replace(rows[0], facts=replace(rows[0].facts, own=Actor(ANA, START)))
    assert timeline([created, rows[1]], facts(3, "three"))[-1].author == ANA


def test_a_row_that_names_its_own_author_is_believed_over_the_revision_before() -> None:
    """Decision 8: a re-created row, with the run and call that made it."""
    own = Actor(run_author("r_9"), START, call="c_2", based_on=2, occasion="direct")
    newest = timeline(FOUR, replace(LIVE, own=own))[0]
    assert (newest.author, newest.call, newest.based_on, newest.occasion) == (own.author, "c_2", 2, "direct")
    assert timeline(FOUR, replace(LIVE, own=Actor(UNKNOWN, START)))[0].author is UNKNOWN


def test_while_the_live_row_is_missing_no_version_is_live() -> None:
    versions = timeline(FOUR, None)
    assert [version.number for version in versions] == [3, 2, 1]
    assert not any(version.live for version in versions)
    assert versions[0].until == START + timedelta(hours=3)


def test_order_is_by_sequence_also_where_the_clock_steps_back() -> None:
    """Decision 14."""
    back = [revision(1, "one", ANA, START), revision(2, "two", BEN, START - timedelta(days=1))]
    assert [version.number for version in timeline(back, facts(3, "three", START - timedelta(days=1)))] == [3, 2, 1]


@given(
    actors=st.lists(ANYONE, max_size=12),
    first=st.integers(1, 5),
    days=st.lists(st.integers(-9, 9), min_size=12, max_size=12),
)
def test_laws_of_every_timeline(actors: list[Author], first: int, days: list[int]) -> None:
    rows: list[Revision] = []
    for index, (actor, day) in enumerate(zip(actors, days, strict=False)):
        since = rows[-1].replaced_by.at if rows else START
        at = START + timedelta(days=day)
        rows.append(Revision(facts(first + index, f"text {index}", since), Actor(actor, at)))
    live = facts(first + len(rows), "live", rows[-1].replaced_by.at if rows else START)
    versions = timeline(rows, live)
    assert len(versions) == len(rows) + 1
    assert [version.number for version in versions] == list(range(first + len(rows), first - 1, -1))
    assert [version.author for version in reversed(versions)] == [UNKNOWN, *actors]
    assert [version.live for version in versions] == [True] + [False] * len(rows)
    for newer, older in pairwise(versions):
        assert older.until == newer.at
    assert versions[0].until is None


@pytest.mark.parametrize("kind", list(AuthorKind))
def test_filters_part_the_timeline_by_kind(kind: AuthorKind) -> None:
    """timeline-09: no version is under two kinds, none is left out."""
    versions = timeline(FOUR, LIVE)
    kept = by_author(versions, AuthorFilter(kind))
    assert set(kept) == {version for version in versions if version.author.kind is kind}
    assert by_author(versions, None) == versions
