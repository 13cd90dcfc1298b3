"""The Memory section, and the cap of memory_write (decisions 5, 6 and 9)."""

import pytest

from studio.domain import memory
from studio.domain.bodies import EMPTY, Body
from studio.errors import MemoryTooLong


def test_the_write_rules_are_three_points_above_the_body() -> None:
    rules, body = memory.content("alpha", memory_write=True).split("\n\n")
    assert [line[:2] for line in rules.split("\n")] == ["- ", "- ", "- "]
    assert body == "alpha"


@pytest.mark.parametrize(
    "body", ["", "alpha", "alpha\n", "\n\n# a\r\n\ufeff"], ids=["empty", "text", "final newline", "odd"]
)
def test_without_memory_write_the_section_is_the_body(body: str) -> None:
    assert memory.content(body, memory_write=False) == body


@pytest.mark.parametrize(
    ("body", "read"),
    [
        pytest.param(None, "", id="system-message-13: missing row"),
        pytest.param(EMPTY, "", id="empty"),
        pytest.param(Body("alpha\r\n"), "alpha\r\n", id="text"),
        pytest.param(Body.of_bytes(b"\xe9"), "", id="not UTF-8"),
    ],
)
def test_what_a_run_reads(body: Body | None, read: str) -> None:
    assert memory.readable(body) == read


@pytest.mark.parametrize(
    "content", ["", "x" * 12_000, "👩" * 12_000, "e\u0301" * 6_000], ids=["empty", "ascii", "astral", "combining"]
)
def test_memory_write_takes_12000_code_points(content: str) -> None:
    assert memory.check_memory_write(content) is content


@pytest.mark.parametrize(
    "content", ["x" * 12_001, "x" * 12_000 + "\n", "é" * 12_001], ids=["ascii", "final newline", "non-ascii"]
)
def test_memory_write_refuses_one_more_with_the_fixed_sentence(content: str) -> None:
    with pytest.raises(MemoryTooLong, match=r"^memory exceeds 12000 characters$"):
        memory.check_memory_write(content)
