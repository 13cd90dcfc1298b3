"""The first heading that a reader of a Markdown text would see (decision 23)."""

import time

import pytest

from studio.domain.headings import first_heading


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        pytest.param("text\n## Our prices ##\n# Later", "Our prices", id="closed by marks"),
        pytest.param("\ufeff# Prices\r\n10 EUR", "Prices", id="byte order mark and CRLF"),
        pytest.param("text\r# Prices\rmore", "Prices", id="lines that end at CR"),
        pytest.param("   #\tPrices \t", "Prices", id="three blanks and a tab"),
        pytest.param("# C#", "C#", id="a mark that is part of it"),
        pytest.param("    # code\n#tag\n####### seven\ntext # x", "", id="what is no heading"),
        pytest.param("#\n# \n# ##\n# Prices", "Prices", id="one without words is passed over"),
        pytest.param("```\n# install\n```\n# Prices", "Prices", id="in a fence"),
        pytest.param("  ~~~\n# install\n  ~~~\n# Prices", "Prices", id="in an indented fence"),
        pytest.param("- step\n  ```\n  # install\n  ```\n\n# Prices", "Prices", id="in a fence of a list item"),
        pytest.param("```\n# install", "", id="in a fence that is never closed"),
        pytest.param("# `run` it", "`run` it", id="with code in it"),
        pytest.param("<!--\n# Old\n-->\n# Prices", "Prices", id="in a comment"),
        pytest.param("<!-- one line -->\n# Prices", "Prices", id="after a comment of one line"),
        pytest.param("<!--\n# Old", "", id="in a comment that is never closed"),
        pytest.param("```\n<!--\n```\n# Prices", "Prices", id="after a comment that a fence shows"),
        pytest.param("<!--\n```\n-->\n# Prices", "Prices", id="after a fence in a comment"),
    ],
)
def test_the_first_heading(text: str, heading: str) -> None:
    assert first_heading(text) == heading


@pytest.mark.parametrize(
    "text",
    [f"# a{' ' * 200_000}b", f"# a{' #' * 100_000}b", "<!-- # x\n" * 50_000, "```\n# x\n```\n" * 20_000],
    ids=["blanks", "marks", "comments", "fences"],
)
def test_a_hostile_text_costs_no_more_than_its_length(text: str) -> None:
    begun = time.process_time()
    first_heading(text)
    assert time.process_time() - begun < 5
