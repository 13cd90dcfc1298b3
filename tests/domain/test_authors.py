"""Kinds of author, the author filter, and who wrote how much (decision 3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.authors import UNKNOWN, Author, AuthorFilter, AuthorKind, count_authors, operator
from studio.errors import BadAuthorFilter

RUN = Author(AuthorKind.RUN, "r_1")
ANA = operator("Ana")
WITH_AGENT = Author(AuthorKind.OPERATOR, "Ana", via="Claude", evidence="trailer: Co-Authored-By: Claude")
AGENT = Author(AuthorKind.AGENT, "yoyo[bot]", evidence="author-name")
AUTHORS = st.builds(Author, st.sampled_from(AuthorKind), st.none() | st.text(min_size=1))


@pytest.mark.parametrize(
    ("author", "said", "key"),
    [
        (RUN, "run r_1", "run:r_1"),
        (ANA, "operator Ana", "operator:Ana"),
        (WITH_AGENT, "operator Ana (via Claude)", "operator:Ana"),
        (AGENT, "agent yoyo[bot]", "agent:yoyo[bot]"),
        (Author(AuthorKind.AGENT), "the agent", "agent"),
        (UNKNOWN, "no recorded author", "unknown"),
    ],
    ids=["run", "operator", "operator-via", "agent", "agent-itself", "unknown"],
)
def test_an_author_is_named(author: Author, said: str, key: str) -> None:
    assert (str(author), author.key) == (said, key)


@pytest.mark.parametrize(
    ("filter_text", "kept"),
    [
        ("run", [RUN]),
        ("operator", [ANA, WITH_AGENT]),
        ("operator:Ana", [ANA, WITH_AGENT]),
        ("operator:ana", []),
        ("agent", [AGENT]),
        ("unknown", [UNKNOWN]),
        ("run:r_1", [RUN]),
        ("run:r_2", []),
    ],
)
def test_a_filter_takes_a_kind_or_one_author(filter_text: str, kept: list[Author]) -> None:
    chosen = AuthorFilter.parse(filter_text)
    assert [author for author in (RUN, ANA, WITH_AGENT, AGENT, UNKNOWN) if chosen.matches(author)] == kept
    assert str(chosen) == filter_text


def test_a_name_may_hold_colons() -> None:
    assert AuthorFilter.parse("operator:ops: night").matches(operator("ops: night"))


@pytest.mark.parametrize("text", ["", "human", "Run", "operator:", ":", ":Ana", " run"])
def test_what_is_no_filter(text: str) -> None:
    with pytest.raises(BadAuthorFilter, match="use run, operator, agent or unknown"):
        AuthorFilter.parse(text)


@given(AUTHORS)
def test_the_key_of_an_author_is_the_filter_that_keeps_it(author: Author) -> None:
    assert AuthorFilter.parse(author.key).matches(author)


@given(st.lists(AUTHORS))
def test_counts_add_up_and_the_most_come_first(authors: list[Author]) -> None:
    counted = count_authors(authors)
    assert sum(count.versions for count in counted) == len(authors)
    assert len({count.author for count in counted}) == len(counted)
    assert [count.versions for count in counted] == sorted((count.versions for count in counted), reverse=True)


def test_counts_pass_over_the_evidence_of_single_versions() -> None:
    assert [(str(count.author), count.versions) for count in count_authors([ANA, RUN, WITH_AGENT])] == [
        ("operator Ana", 2),
        ("run r_1", 1),
    ]
