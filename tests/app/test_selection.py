"""The page's address is its state: what is selected can be written as an address and read back."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.app.selection import Mode, Place, Selection, View, parse_query

ADDRESSES = [
    pytest.param({}, "?", id="a default is left out"),
    pytest.param({"agent": "a_1"}, "?agent=a_1", id="an agent"),
    pytest.param(
        {"agent": "a_1", "version": 12, "against": 11, "author": "run"},
        "?agent=a_1&version=12&against=11&author=run",
        id="the example of the product page",
    ),
    pytest.param(
        {"agent": "ö & co", "author": "operator:Ana: B"},
        "?agent=%C3%B6+%26+co&author=operator%3AAna%3A+B",
        id="names of any kind",
    ),
]


@pytest.mark.parametrize(("values", "address"), ADDRESSES)
def test_address_of_a_selection(values: dict[str, Any], address: str) -> None:
    assert selection(**values).query() == address


def selection(**values: object) -> Selection:
    return Selection(**values)  # type: ignore[no-untyped-call]


ANY_SELECTION = st.fixed_dictionaries(
    {},
    optional={
        "agent": st.text(min_size=1).filter(lambda name: not any("\ud800" <= c <= "\udfff" for c in name)),
        "place": st.sampled_from(Place),
        "version": st.integers(1, 10**8),
        "against": st.integers(1, 10**8),
        "author": st.sampled_from(["run", "operator:Ana", "agent:a:b"]),
        "view": st.sampled_from(View),
        "mode": st.sampled_from(Mode),
        "page": st.integers(1, 1_000),
    },
)


@given(ANY_SELECTION)
def test_an_address_read_back_is_the_selection(values: dict[str, Any]) -> None:
    written = selection(**values)
    read, problems = parse_query(written.query())
    assert not problems
    assert read == {name: getattr(written, name) for name in Selection.ADDRESS}


BAD = [
    pytest.param("version=0", "version '0'", id="below the first version"),
    pytest.param("version=-1", "version '-1'", id="negative"),
    pytest.param("version=²", "version '²'", id="a digit that is no number"),
    pytest.param("version=9999999999999", "version '9999999999999'", id="absurdly large"),
    pytest.param("place=moon", "memory, prompt, preview", id="unknown place names those there are"),
    pytest.param("layout=<b>", "layout '<b>'", id="markup"),
]


@pytest.mark.parametrize(("query", "words"), BAD)
def test_what_cannot_be_read_is_left_out_and_said(query: str, words: str) -> None:
    read, problems = parse_query(f"?agent=a_1&{query}")
    assert read == {**parse_query("?agent=a_1")[0]}
    assert len(problems) == 1
    assert words in problems[0]


def test_another_agent_starts_at_its_live_text() -> None:
    chosen = selection(agent="a_1", version=3, against=2, author="run", view=View.WHOLE)
    chosen.go(agent="a_2")
    assert chosen.query() == "?agent=a_2&view=whole"


def test_another_version_is_compared_with_the_one_before_it() -> None:
    chosen = selection(agent="a_1", version=3, against=1, author="run")
    chosen.go(version=2)
    assert chosen.query() == "?agent=a_1&version=2&author=run"


def test_another_search_starts_at_its_first_page() -> None:
    chosen = selection(page=7)
    chosen.go(find="desk")
    assert chosen.query() == "?find=desk"


@pytest.mark.parametrize("change", [{"agent": "a_2"}, {"place": Place.PREVIEW}, {"version": 2}, {"mode": Mode.READ}])
def test_leaving_unsaved_text_waits_for_an_answer(change: dict[str, Any]) -> None:
    chosen = selection(agent="a_1", mode=Mode.EDIT, unsaved=True)
    chosen.go(**change)
    assert chosen.query() == "?agent=a_1&mode=edit"
    chosen.stay()
    assert (chosen.waiting, chosen.unsaved) == (None, True)
    chosen.go(**change)
    chosen.leave()
    assert (chosen.waiting, chosen.unsaved) == (None, False)
    assert {name: getattr(chosen, name) for name in change} == change


@pytest.mark.parametrize("change", [{"find": "x"}, {"author": "run"}, {"layout": "unified"}])
def test_looking_around_does_not_leave_the_editor(change: dict[str, Any]) -> None:
    chosen = selection(agent="a_1", mode=Mode.EDIT, unsaved=True)
    chosen.go(**change)
    assert chosen.waiting is None
    assert {name: getattr(chosen, name) for name in change} == change
