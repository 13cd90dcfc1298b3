"""Letters that look like letters of another script: which words hold some, and which only hold two languages (case diff-17)."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.lookalikes import LATIN_TWINS, as_it_looks, find_lookalikes

A, IE, ES, ON = "\u0410", "\u0435", "\u0441", "\u043e"
"""Cyrillic capital A, and small ie, es and o."""
HOLD_SOME = {
    # a text, and where its letters of another script stand with what they look like
    "a-name": (f"Ask {A}nna", [(4, "A")]),
    "two-in-a-word": (f"pr{ON}c{IE}ss it", [(2, "o"), (4, "e")]),
    "two-words": (f"{ES}ode, then c{ON}de", [(0, "c"), (12, "o")]),
    "behind-a-dash": (f"Jean-{A}nna", [(5, "A")]),
    "greek-in-latin": ("\u0391dmin", [(0, "A")]),
    "latin-in-cyrillic": ("при вxoде", [(5, "х"), (6, "о")]),
    "latin-in-greek": ("\u03ba\u03b1\u03bbo", [(3, "\u03bf")]),
    "all-look-alike": (f"PAY{A}", [(3, "A")]),
    "two-letters": (f"{A}n apple", [(0, "A")]),
    "decomposed": (f"caf{IE}\u0301s", [(3, "e")]),
    "upper-case": (f"PLE{A}SE", [(3, "A")]),
}
HOLD_NONE = {
    "latin": "Ask Anna about the café.",
    "cyrillic": "Спроси Анну, а потом Соню.",
    "looks-like-latin": "сосо хор рост",
    "greek": "Ρώτα την Άννα για το ΝΑΤΟ.",
    "two-languages": "Ask Анна in Москва.",
    "joined-by-a-dash": "the git-ветка and an IT-отдел",
    "written-as-one": "gitветка, VPNом",
    "inflected": "новые PRы, два APIа",
    "formula": "hν, Δx, μs, kΩ, ρV",
    "formula-with-words": "the α-helix and the λ-calculus",
    "japanese": "回答Aを先に",
    "digits": "3а, А4",
    "nothing": "",
}


@pytest.mark.parametrize(("text", "letters"), HOLD_SOME.values(), ids=HOLD_SOME)
def test_a_letter_of_another_script_is_found(text: str, letters: list[tuple[int, str]]) -> None:
    assert [(one.at, one.twin) for one in find_lookalikes(text)] == letters


@pytest.mark.parametrize("text", HOLD_NONE.values(), ids=HOLD_NONE)
def test_a_word_of_one_script_or_of_two_languages_has_none(text: str) -> None:
    assert list(find_lookalikes(text)) == []


def test_a_letter_says_what_it_is() -> None:
    (found,) = find_lookalikes(f"Ask {A}nna")
    assert (found.word, found.says) == (f"{A}nna", "U+0410 CYRILLIC CAPITAL LETTER A in place of A")


def test_the_table_leads_from_greek_and_cyrillic_to_latin_of_the_same_case() -> None:
    assert {unicodedata.name(one).partition(" ")[0] for one in LATIN_TWINS} == {"GREEK", "CYRILLIC"}
    assert all(unicodedata.name(one).startswith("LATIN") for one in LATIN_TWINS.values())
    assert all(one.isupper() == latin.isupper() for one, latin in LATIN_TWINS.items())


@given(st.text("abnoAN\u0410\u0435\u043e\u0441\u044f\u0391\u03bf\u03c9 \u0301-1", max_size=60))
def test_what_looks_alike_is_one_text_when_written_as_it_looks(text: str) -> None:
    """Law: putting a twin in place of each letter changes no look, and mends the words that were found."""
    found = list(find_lookalikes(text))
    mended = "".join({one.at: one.twin for one in found}.get(at, letter) for at, letter in enumerate(text))
    assert as_it_looks(mended) == as_it_looks(text)
    assert len(as_it_looks(text)) == len(text)
    assert list(find_lookalikes(mended)) == []
