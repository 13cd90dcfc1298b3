"""Saving from an editor that knows only LF keeps what it does not show (cases diff-16 and no-op-02)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.diff import count_lines
from studio.domain.editing import kept, shown

BOM = "\ufeff"

CASES = [
    pytest.param("a\r\nb\r\nc\r\n", "a\nB\nc\n", "a\r\nB\r\nc\r\n", (1, 1), id="diff-16"),
    pytest.param(f"{BOM}a\r\nb\r\n", "a\nb\nc\n", f"{BOM}a\r\nb\r\nc\r\n", (1, 0), id="no-op-02"),
    pytest.param(
        "a\nb\r\nc\n", "a\nb\nc\nd\n", "a\nb\r\nc\nd\n", (1, 0), id="mixed endings stay, a new line has the usual one"
    ),
    pytest.param("a\nb\r\nc\n", "a\nB\nc\n", "a\nB\r\nc\n", (1, 1), id="a changed line keeps the ending it had"),
    pytest.param("a\r\nb\nc\nd\n", "b\nc\nd\n", "b\nc\nd\n", (0, 1), id="a removed line takes its ending along"),
    pytest.param("a\rb\nc\n", "a\nb\nC\n", "a\rb\nC\n", (1, 1), id="a lone CR is a character and stays"),
    pytest.param(
        "a\r\nlast", "a\nlast\nnew", "a\r\nlast\r\nnew", (2, 1), id="a last line that gains a newline has the usual one"
    ),
    pytest.param("a\r\nb\r\n", "a\nb", "a\r\nb", (1, 1), id="a removed final newline stays removed"),
    pytest.param("a\nb\n", "a\nb\n", "a\nb\n", (0, 0), id="no change"),
    pytest.param("", "a\n", "a\n", (1, 0), id="an empty text takes LF"),
    pytest.param("\r\r", "\n\n\n", "\n\n\n", (3, 1), id="CRs do not run into a new line, one after the other"),
    pytest.param(f"{BOM}a\n", "", "", (0, 1), id="emptied, a text loses its mark too"),
]


@pytest.mark.parametrize(("stored", "edited", "saved", "counts"), CASES)
def test_save_keeps_endings_and_mark(stored: str, edited: str, saved: str, counts: tuple[int, int]) -> None:
    assert kept(stored, edited) == saved
    assert count_lines(stored, saved) == counts


TEXTS = st.lists(st.sampled_from(["a", "b", "c", "", "\r", "\n", "\r\n", "\r\n"]), max_size=30).map("".join)


@given(st.sampled_from(["", BOM]), TEXTS)
def test_an_unedited_text_is_saved_as_stored(mark: str, text: str) -> None:
    assert kept(mark + text, shown(mark + text)) == mark + text


@given(st.sampled_from(["", BOM]), TEXTS, TEXTS.map(shown))
def test_what_is_saved_reads_as_edited(mark: str, stored: str, edited: str) -> None:
    assert shown(kept(mark + stored, edited)) == edited
