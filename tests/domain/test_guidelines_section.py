"""The template's conditional parts and the line that says who the agent is (decision 21)."""

import pytest

from studio.domain.guidelines import Flag, render
from studio.errors import Refused

WHO = "You are researcher. Your id is a_01."


def rendered(template: str, *flags: Flag) -> str:
    return render(template, flags=frozenset(flags), name="researcher", agent_id="a_01")


@pytest.mark.parametrize(
    ("template", "flags", "kept"),
    [
        pytest.param("one\n", (), "one", id="no mark"),
        pytest.param("a\n<!-- if memory -->\nb\n<!-- end -->\nc\n", (Flag.MEMORY,), "a\nb\nc", id="on"),
        pytest.param("a\n<!-- if memory -->\nb\n<!-- end -->\nc\n", (), "a\nc", id="off leaves no gap"),
        pytest.param("a\n<!-- if not coding -->\nb\n<!-- end -->\nc\n", (), "a\nb\nc", id="not, off"),
        pytest.param("a\n<!-- if not coding -->\nb\n<!-- end -->\nc\n", (Flag.CODING,), "a\nc", id="not, on"),
        pytest.param("notes<!-- if memory --> and Memory<!-- end -->.", (), "notes.", id="within a line, off"),
        pytest.param(
            "notes<!-- if memory --> and Memory<!-- end -->.",
            (Flag.MEMORY,),
            "notes and Memory.",
            id="within a line, on",
        ),
        pytest.param("  <!--if group-->  \r\nb\r\n\t<!-- end -->\r\nc", (Flag.GROUP,), "b\r\nc", id="blanks and CRLF"),
        pytest.param("<!-- if memory -->\nb\n<!-- end -->", (Flag.MEMORY,), "b", id="mark at the very end"),
        pytest.param(
            "a <!-- a note --> b\n<!-- iffy -->", (), "a <!-- a note --> b\n<!-- iffy -->", id="other comments are text"
        ),
        pytest.param("Read [[collections]].", (), "Read [[collections]].", id="system-message-03: short name is text"),
        pytest.param(
            "![[org/o_1/notes/a.md]]", (), "![[org/o_1/notes/a.md]]", id="system-message-04: no embed in the template"
        ),
        pytest.param("{name} {{x}} $& %s \\1", (), "{name} {{x}} $& %s \\1", id="no template engine"),
    ],
)
def test_parts(template: str, flags: tuple[Flag, ...], kept: str) -> None:
    assert rendered(template, *flags) == f"{kept}\n\n{WHO}"


NESTED = "<!-- if sandbox -->\nS\n<!-- if not coding -->\nN\n<!-- end -->\n<!-- end -->\nrest"


@pytest.mark.parametrize(
    ("flags", "kept"),
    [((), "rest"), ((Flag.SANDBOX,), "S\nN\nrest"), ((Flag.SANDBOX, Flag.CODING), "S\nrest"), ((Flag.CODING,), "rest")],
    ids=["neither", "sandbox", "both", "coding"],
)
def test_parts_nest(flags: tuple[Flag, ...], kept: str) -> None:
    assert rendered(NESTED, *flags) == f"{kept}\n\n{WHO}"


@pytest.mark.parametrize(
    ("template", "sentence"),
    [
        pytest.param("a\n<!-- if memory -->\nb", "Line 2 .* an 'if' without an 'end'", id="never closed"),
        pytest.param("<!-- if memory -->\n<!-- if group -->\n<!-- end -->", "Line 1 ", id="the outer one never closed"),
        pytest.param("a\n\n<!-- end -->", "Line 3 .* an 'end' without an 'if'", id="never opened"),
        pytest.param("<!-- if mermory -->\n<!-- end -->", "Line 1 .* unknown mark 'if mermory'", id="unknown flag"),
        pytest.param("<!-- if memory group -->\n<!-- end -->", "Line 1 .* unknown mark", id="two flags"),
        pytest.param("<!-- if memory -->\n<!-- else -->\n<!-- end -->", "Line 2 .* unknown mark 'else'", id="else"),
        pytest.param("<!-- if memory -->\na\n<!-- endif -->", "Line 3 .* unknown mark 'endif'", id="endif"),
        pytest.param("a\nb <!-- if memory\n-->\n<!-- end -->", "Line 2 .* does not end", id="mark over two lines"),
    ],
)
def test_marks_that_cannot_be_read_are_refused_with_their_line(template: str, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        rendered(template)


def test_an_empty_template_leaves_the_line_that_names_the_agent() -> None:
    assert rendered("\n") == WHO


def test_the_name_is_inserted_literally() -> None:
    assert render("x", flags=frozenset(), name=r"{agent_id} \1 $&", agent_id="a_01").endswith(
        r"You are {agent_id} \1 $&. Your id is a_01."
    )


@pytest.mark.parametrize(
    ("template", "kept"),
    [
        ("<!-- if memory_write -->Use memory_write.<!-- end -->\n", "Use memory_write."),
        ("<!-- if memory --><!-- if memory_write -->both<!-- end --><!-- end -->\n", "both"),
        ("<!-- if memory -->\na\n<!-- end --><!-- if memory_write -->\nb\n<!-- end -->\n", "a\n\nb"),
    ],
)
def test_marks_may_fill_a_line(template: str, kept: str) -> None:
    text = render(template, flags=frozenset({Flag.MEMORY, Flag.MEMORY_WRITE}), name="scout", agent_id="a_1")
    assert text.startswith(kept)
    assert "<!--" not in text
    assert render(template, flags=frozenset(), name="scout", agent_id="a_1").startswith("You are scout")
