"""What somebody may have meant who named something that is not there."""

import pytest

from studio.domain.suggestions import MOST_OFFERED, nearest

KNOWN = ["scout", "ledger", "watchkeeper", "Maëlle", "quartermaster", "desk", "desk-night", "desk-day", "desk-noon"]


@pytest.mark.parametrize(
    ("word", "first"),
    [
        ("scuot", "scout"), ("SCOUT", "scout"), ("scouts", "scout"), (" ledgre ", "ledger"), ("watchkeper", "watchkeeper"),
        ("maelle", "Maëlle"), ("MAE\u0308LLE", "Maëlle"), ("quarter", "quartermaster"), ("desk-nigth", "desk-night"),
    ],
)  # fmt: skip
def test_a_slip_is_recognised(word: str, first: str) -> None:
    assert nearest(word, KNOWN)[0] == first


@pytest.mark.parametrize("word", ["", "  ", "zebra", "a_12345678", "\u202e"])
def test_what_is_near_nothing_offers_nothing(word: str) -> None:
    assert nearest(word, KNOWN) == ()


def test_few_are_offered_and_each_once() -> None:
    assert len(nearest("des", [*KNOWN, *KNOWN])) == MOST_OFFERED
    assert nearest("scuot", ["scout", "scout"]) == ("scout",)
    assert nearest("scout", []) == ()
