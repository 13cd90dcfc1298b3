"""One order of names on every host: root collation, ties by code point (decision 32)."""

import itertools
import string

from hypothesis import given
from hypothesis import strategies as st

from studio.domain.directory.collation import ROOT_ORDER_OF_ASCII, ascii_key, in_order, root_key

ascii_names = st.text(st.sampled_from("aAbBzZ019_-. ~"), max_size=6)
names = st.text(st.characters(codec="utf-8"), max_size=8)


def test_the_short_way_orders_every_character_as_the_library_does() -> None:
    printable = [chr(code) for code in range(32, 127)]
    assert sorted(printable, key=root_key()) == sorted(printable, key=ascii_key) == list(ROOT_ORDER_OF_ASCII)


@given(st.lists(ascii_names, max_size=6))
def test_the_short_way_orders_names_as_the_library_does(several: list[str]) -> None:
    assert sorted(several, key=ascii_key) == sorted(several, key=root_key())


def test_punctuation_then_digits_then_letters_and_case_last() -> None:
    wanted = ("_u", "10", "9", "a", "A", "a-b", "Ab", "ac", "human", "human-notes")
    assert all(in_order(some) == wanted for some in (wanted, wanted[::-1]))


def test_accents_stay_with_their_letter_and_other_scripts_follow() -> None:
    assert in_order(["zebra", "éclair", "eclair", "Ωmega", "Ärger", "arg", "記録", "ete"]) == (
        "arg",
        "Ärger",
        "eclair",
        "éclair",
        "ete",
        "zebra",
        "Ωmega",
        "記録",
    )


def test_names_that_weigh_the_same_go_by_code_point() -> None:
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    assert in_order([composed, decomposed]) == (decomposed, composed)


@given(st.lists(names, max_size=6, unique=True))
def test_the_order_is_total_and_its_input_s_order_is_no_matter(several: list[str]) -> None:
    wanted = in_order(several)
    assert sorted(wanted) == sorted(several)
    assert all(in_order(some) == wanted for some in itertools.islice(itertools.permutations(several), 24))


def test_all_ascii_letters_are_known() -> None:
    assert set(string.ascii_letters + string.digits) < set(ROOT_ORDER_OF_ASCII)
