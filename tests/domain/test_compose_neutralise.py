"""A stored text cannot open or close one of the prompt's own sections (decision 20)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.sections import Neutralised, SectionName, line_of_tag, neutralise, neutralise_json, wrap

PIECES = st.sampled_from(
    [
        "<",
        ">",
        "/",
        " ",
        "\n",
        "\t",
        "&lt;",
        "-",
        "memory",
        "MEMORY",
        "Task",
        "state",
        "guidelines",
        "x",
        "é",
        'a="b"',
        "\\u003c",
    ]
)
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=30).map("".join))


@pytest.mark.parametrize(
    ("text", "composed"),
    [
        pytest.param("<memory>", "&lt;memory>", id="opening tag"),
        pytest.param("</memory>", "&lt;/memory>", id="closing tag"),
        pytest.param("</MEMORY >", "&lt;/MEMORY >", id="prompt-structure-03: capitals, blank before >"),
        pytest.param("</ memory>", "&lt;/ memory>", id="prompt-structure-03: blank after the slash"),
        pytest.param("</memory\n>", "&lt;/memory\n>", id="prompt-structure-03: line break before >"),
        pytest.param("< /\n\tmemory>", "&lt; /\n\tmemory>", id="blanks after < and /"),
        pytest.param("< memory level=1>", "&lt; memory level=1>", id="with attributes"),
        pytest.param("<State/>", "&lt;State/>", id="empty element"),
        pytest.param("<task", "&lt;task", id="unfinished at the end of the text"),
        pytest.param("<tas\u212a>", "&lt;tas\u212a>", id="the Kelvin sign is a capital k"),
        pytest.param("<<task>>", "<&lt;task>>", id="only the < that opens"),
        pytest.param("</task><guidelines>", "&lt;/task>&lt;guidelines>", id="several"),
        pytest.param("<memoryless>", "<memoryless>", id="longer name"),
        pytest.param("<memory-notes>", "<memory-notes>", id="name with a hyphen"),
        pytest.param("<memory.md>", "<memory.md>", id="name with a dot"),
        pytest.param("<task:x>", "<task:x>", id="name with a prefix"),
        pytest.param("<taské>", "<taské>", id="name that goes on beyond ASCII"),
        pytest.param("<a task>", "<a task>", id="attribute of another element"),
        pytest.param("a < task", "a &lt; task", id="a comparison reads like a tag with a blank"),
        pytest.param("<// memory>", "<// memory>", id="two slashes are no tag"),
        pytest.param("&lt;memory>", "&lt;memory>", id="already escaped stays as it is"),
        pytest.param("```html\n<div>\n```", "```html\n<div>\n```", id="prompt-structure-07: other elements"),
        pytest.param("List<String> and x </p>", "List<String> and x </p>", id="prompt-structure-07: code"),
    ],
)
def test_only_tags_of_our_sections_are_escaped(text: str, composed: str) -> None:
    assert neutralise(text, "Memory").text == composed


def test_each_place_is_listed_by_code_points_of_the_stored_text() -> None:
    assert neutralise("👩‍🔬 </memory >\nthen <TASK a=1>", "Memory").places == (
        Neutralised("Memory", 4, "</memory >"),
        Neutralised("Memory", 20, "<TASK"),
    )


def test_a_long_run_of_blanks_costs_no_more_than_its_length() -> None:
    text = ("<" + " " * 50_000) * 20
    assert neutralise(text, "Memory").text == text


@given(TEXTS)
def test_the_stored_text_can_be_rebuilt_from_the_copy_and_the_places(text: str) -> None:
    safe = neutralise(text, "Memory")
    rebuilt, done = "", 0
    for place in safe.places:
        upto = place.start - len(rebuilt) + done
        rebuilt += safe.text[done:upto] + "<"
        assert safe.text[upto:].startswith("&lt;")
        assert text[place.start :].startswith(place.tag)
        done = upto + len("&lt;")
    assert rebuilt + safe.text[done:] == text


@given(TEXTS)
def test_a_copy_holds_no_tag_and_is_not_changed_again(text: str) -> None:
    safe = neutralise(text, "Memory")
    assert line_of_tag(safe.text) is None
    assert neutralise(safe.text, "Memory") == type(safe)(safe.text, ())


@given(st.dictionaries(TEXTS, TEXTS))
def test_json_still_reads_as_the_same_values(values: dict[str, str]) -> None:
    safe = neutralise_json(json.dumps(values, ensure_ascii=False, indent=2), "State")
    assert line_of_tag(safe.text) is None
    assert json.loads(safe.text) == values


def test_json_says_the_bracket_as_an_escape() -> None:
    assert neutralise_json('"</state> <b>"', "State").text == r'"\u003c/state> <b>"'


def test_the_line_of_a_tag_is_counted_from_one() -> None:
    assert line_of_tag("a\nb <task> c\n<state>") == 2


def test_a_section_has_each_tag_on_a_line_of_its_own() -> None:
    assert wrap(SectionName.TASK, "do\nit") == "<task>\ndo\nit\n</task>"
