"""In code spans and fenced blocks an embed is text and no broken link (decision 23, field-embed-01)."""

import re

import pytest
from embed_builders import element, full, known, link, note
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from studio.domain.embeds import expand
from studio.domain.embeds_code import DEEPEST_NESTING, code_ranges

EMBEDS = {"E": link("code.md"), "X": link("x.md")}
TEXTS = [
    # text with E for an embed that is code and X for one that is not
    pytest.param("```\nE\n```\nX", id="field-embed-01: fenced"),
    pytest.param("a `E` X", id="field-embed-01: in a code span"),
    pytest.param("~~~\nE\n~~~\nX", id="tildes"),
    pytest.param("```\nE\n~~~\nE\n````\nX", id="closed by the same mark, as long or longer"),
    pytest.param("````\n```\nE\n````\nX", id="a shorter fence inside"),
    pytest.param("```\nE\n``` no\nE", id="a closing fence has nothing behind it"),
    pytest.param("X\n```\nE\n\n# E", id="an unclosed fence runs to the end"),
    pytest.param("```E\nE\n```\nX", id="the line of the fence itself"),
    pytest.param("~~~ `E`\nE\n~~~\nX", id="backticks behind tildes"),
    pytest.param("``` `X", id="backticks behind backticks are no fence"),
    pytest.param("``a ` E ` b`` X", id="two backticks hold one"),
    pytest.param("``` E ``` X", id="three backticks within a line"),
    pytest.param("a ` X", id="a stray backtick"),
    pytest.param("a ` X\n\nb ` X", id="a stray backtick reaches no further than its paragraph"),
    pytest.param("# a ` X\nb ` X", id="nor beyond its heading"),
    pytest.param("a ` X\n===\nb ` X", id="nor beyond an underlined one"),
    pytest.param("a ` X\n***\nb ` X", id="nor beyond a rule"),
    pytest.param("- a ` X\n- b ` X", id="nor into the next list item"),
    pytest.param("a ` E\nb E ` X", id="but over a line break"),
    pytest.param("\\`X\\` `E`", id="escaped backticks"),
    pytest.param("\\\\`E` X", id="an escaped backslash escapes nothing more"),
    pytest.param("`\\` X `E`", id="in a code span a backslash is text"),
    pytest.param("> ```\n> E\n> ```\nX", id="a fence in a quote"),
    pytest.param("> ```\n> E\nX", id="ends with the quote"),
    pytest.param("- a\n\n  ```\n  E\n  ```\n  X", id="a fence in a list item"),
    pytest.param("1. ```\n   E\n2. X", id="ends with the item"),
    pytest.param("- > 1. ```\n  >    E\n\nX", id="a fence in a list in a quote in a list"),
    pytest.param("   ```\nE\n   ```\nX", id="indented by three"),
    pytest.param("```\nE\n    ```\nE\n```\nX", id="a closing fence indented by four closes nothing"),
    pytest.param("```\r\nE\r\n```\r\nX", id="CRLF"),
    pytest.param("```\rE\r```\rX", id="CR"),
    pytest.param("\t- X\n", id="a tab before a list"),
    pytest.param("    X", id="indented text"),
]


@pytest.mark.parametrize("text", TEXTS)
def test_code_is_not_expanded(text: str) -> None:
    stored = "".join(EMBEDS.get(character, character) for character in text)
    expected = stored.replace(link("x.md"), element("x.md", "body"), 1).replace(link("x.md"), "title")
    expansion = expand(stored, known(note("x.md", "body", title="title"), note("code.md", "never")))
    assert expansion.text == expected
    assert {entry.written for entry in expansion.ledger} <= {full("x.md")}


def test_code_holds_no_broken_link() -> None:
    assert expand("`![[gone]]`\n\n```\n![[recipe:x]]\n```", {}).ledger == ()


def test_a_note_has_code_of_its_own() -> None:
    targets = known(note("a.md", "```\nnever closed"), note("b.md", "b"))
    text = expand(f"{link('a.md')}\n{link('b.md')}", targets).text
    assert text == element("a.md", "```\nnever closed") + "\n" + element("b.md", "b")


PIECES = [
    "`",
    "``",
    "```",
    "~~~",
    "````",
    "\n",
    "\n\n",
    "> ",
    "- ",
    "1. ",
    "2) ",
    "  ",
    "   ",
    "# ",
    "---",
    "===",
    "a",
    "\\",
    "*",
]
MARKDOWN = MarkdownIt("commonmark").disable(["html_block", "html_inline", "autolink", "link", "image", "reference"])


@given(st.lists(st.sampled_from([*PIECES, "X"]), max_size=16))
def test_code_stands_where_commonmark_says(pieces: list[str]) -> None:
    text = "".join(f"X{number}Y" if piece == "X" else piece for number, piece in enumerate(pieces))
    tokens = MARKDOWN.parse(text)
    fenced = [token.info + token.content for token in tokens if token.type == "fence"]
    spans = [child.content for token in tokens for child in token.children or [] if child.type == "code_inline"]
    indented = {name for token in tokens if token.type == "code_block" for name in re.findall(r"X\d+Y", token.content)}

    found = {name for start, end in code_ranges(text) for name in re.findall(r"X\d+Y", text[start:end])}
    assert found - indented == set(re.findall(r"X\d+Y", " ".join(fenced + spans)))


@given(st.lists(st.sampled_from([*PIECES, "\t", "X"]), max_size=16).map("".join), st.integers(0, 40))
def test_what_stands_behind_a_place_does_not_change_the_code_before_it(text: str, until: int) -> None:
    whole, part = code_ranges(text), code_ranges(text, until)
    assert [(a, min(b, until)) for a, b in part if a < until] == [(a, min(b, until)) for a, b in whole if a < until]


@given(st.text("`~\n >-a", max_size=60))
def test_ranges_are_in_order_and_apart(text: str) -> None:
    places = [place for pair in code_ranges(text) for place in pair]
    assert places == sorted(places)
    assert all(start < end for start, end in code_ranges(text))
    assert not places or 0 <= places[0] <= places[-1] <= len(text)


@pytest.mark.parametrize(("depth", "code"), [(DEEPEST_NESTING, True), (DEEPEST_NESTING + 1, False)])
def test_a_marker_nested_deeper_than_anyone_nests_is_text(*, depth: int, code: bool) -> None:
    assert bool(code_ranges("> " * depth + "```")) == code


def test_a_hostile_text_is_read_to_its_end() -> None:
    """Each of these costs the square of its length where a reader starts over for every mark."""
    text = "- " * 20_000 + "`\n" + "\n" * 20_000 + "".join("`" * length + " " for length in range(1, 300)) + "\n```\nx"
    assert code_ranges(text) == ((len(text) - len("```\nx"), len(text)),)
