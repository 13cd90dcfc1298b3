"""What a version holds: texts as written, bytes that are no text, and what no write takes (decision 5)."""

import hashlib

import pytest
from builders import TEXTS
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.bodies import Body, check_text, storable
from studio.errors import UnusableText


@pytest.mark.parametrize(
    ("text", "characters"),
    [
        pytest.param("👩‍🔬🇯🇵e\u0301", 7, id="units-02"),
        pytest.param("é", 1, id="composed"),
        pytest.param("e\u0301", 2, id="decomposed"),
        pytest.param("😀", 1, id="astral"),
        pytest.param("a\r\nb", 4, id="crlf"),
        pytest.param("\ufeffa", 2, id="bom"),
        pytest.param("a\u200b\u202eb\U000e0061", 5, id="poisoning-03"),
        pytest.param("", 0, id="empty"),
    ],
)
def test_characters_are_code_points(text: str, characters: int) -> None:
    assert Body(text).characters == characters


@given(TEXTS)
def test_a_text_goes_through_bytes_unchanged(text: str) -> None:
    body = Body.of_bytes(text.encode())
    assert body == Body(text)
    assert body.content == text.encode()
    assert body.sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert (body.shown, body.binary_reason) == (text, None)


@given(st.binary())
def test_bytes_are_kept_and_shown_without_control_characters(content: bytes) -> None:
    body = Body.of_bytes(content)
    assert body.content == content
    if body.binary:
        assert all(character in "\n\t" or character.isprintable() for character in body.shown)
        assert body.shown.isascii()


@pytest.mark.parametrize(
    ("content", "reason", "shown", "countable"),
    [
        (b"caf\xe9\n", "not UTF-8, read as latin-1", "caf\\xe9\n", True),
        (b"a\0b", "holds NUL, kept as bytes", "a\\x00b", False),
        (b"x" * 8_000 + b"\0", "holds NUL, kept as bytes", "x" * 8_000 + "\\x00", True),
        (b"\xed\xa0\x80", "not UTF-8, read as latin-1", "\\xed\\xa0\\x80", True),
    ],
    ids=["encoding-01", "nul", "nul-beyond-where-git-looks", "surrogate-as-bytes"],
)
def test_bytes_that_are_no_text(content: bytes, reason: str, shown: str, countable: bool) -> None:  # noqa: FBT001 - a table's column
    body = Body.of_bytes(content)
    assert (body.binary, body.binary_reason, body.shown) == (True, reason, shown)
    assert body.countable is countable
    assert body.characters == len(content)


@pytest.mark.parametrize(
    ("text", "holds", "line"),
    [
        ("a\0", "a NUL character", 1),
        ("a\nb\n\0", "a NUL character", 3),
        ("a\n\ud83d", "the lone surrogate U\\+D83D", 2),
        ("\udc00", "the lone surrogate U\\+DC00", 1),
    ],
    ids=["nul", "nul-in-line-3", "high-surrogate", "low-surrogate"],
)
def test_no_write_takes_nul_or_a_lone_surrogate(text: str, holds: str, line: int) -> None:
    with pytest.raises(UnusableText, match=f"^The memory holds {holds} in line {line}\\b"):
        check_text(text, "The memory")
    assert not storable(text)


@given(TEXTS)
def test_every_other_text_is_taken_as_it_is(text: str) -> None:
    assert check_text(text, "The memory") is text
    assert storable(text)
