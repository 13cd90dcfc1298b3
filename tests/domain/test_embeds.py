"""What a Task's embeds become (decisions 19, 23 and 24), by the cases' ids; `field-` marks those of the field reports."""

import html
import re
from xml.etree import ElementTree as ET

import pytest
from embed_builders import LEADS, NOTES, element, full, known, link, note

from studio.domain.bodies import Body
from studio.domain.embeds import (
    EMBED_BUDGET_BYTES,
    CollectionTarget,
    EmbedState,
    expand,
)
from studio.domain.places import Level

INLINED, REPEATED, TABLE = EmbedState.INLINED, EmbedState.REPEATED, EmbedState.TABLE
TEXT, OVER_BUDGET, BROKEN = EmbedState.TEXT, EmbedState.OVER_BUDGET, EmbedState.BROKEN


def test_embed_01_a_note_stands_in_an_element_named_after_its_file() -> None:
    expansion = expand(f"A {link('pricing.md')} B", known(note("pricing.md", "10 EUR")))
    assert expansion.text == f'A <pricing path="{NOTES}pricing.md" level="org">\n10 EUR\n</pricing> B'


A, B, C = link("a.md"), link("b.md"), link("c.md")


def in_a(body: str) -> str:
    return element("a.md", body)


def in_b(body: str) -> str:
    return element("b.md", body)


def in_c(body: str) -> str:
    return element("c.md", body)


GRAPHS = [
    # Task, bodies of a, b and c, text, states in reading order
    pytest.param(
        A, (f"a {B}", "b", ""), in_a("a " + in_b("b")), [INLINED, INLINED],
        id="embed-03: a in the Task, b inside a",
    ),
    pytest.param(
        A, (f"a {B}", f"b {C}", "c"), in_a("a " + in_b(f"b {C}")), [INLINED, INLINED, TEXT],
        id="embed-04, field-embed-15: the third hop stays exactly as written",
    ),
    pytest.param(
        f"{A} {B}", ("a", f"b {A}", ""), in_a("a") + " " + in_b("b A"), [INLINED, INLINED, REPEATED],
        id="embed-06: a later embed is the title",
    ),
    pytest.param(
        f"{B} {A}", ("a", f"b {A}", ""), in_b("b " + in_a("a")) + " A", [INLINED, INLINED, REPEATED],
        id="embed-07: reading order, depth first",
    ),
    pytest.param(
        A, (f"a {B}", f"b {A}", ""), in_a("a " + in_b("b A")), [INLINED, INLINED, REPEATED],
        id="embed-09: in a circle the title wins over the third hop",
    ),
    pytest.param(
        f"{A} {B} {C}", (f"a {A}", "b", "c"), " ".join((in_a("a A"), in_b("b"), in_c("c"))),
        [INLINED, REPEATED, INLINED, INLINED],
        id="field-embed-03: a note that embeds itself spoils nothing",
    ),
    pytest.param(
        f"{A} {B}", (f"a {B}", f"b {A}", ""), in_a("a " + in_b("b A")) + " B", [INLINED, INLINED, REPEATED, REPEATED],
        id="field-embed-05: each body once, later ones as titles",
    ),
    pytest.param(
        f"{B} {A} {A}", (f"a {C}", f"b {C}", "c"), in_b("b " + in_c("c")) + " " + in_a("a C") + " A",
        [INLINED, INLINED, INLINED, REPEATED, REPEATED],
        id="a note named by two others stands in the first",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("task", "bodies", "text", "states"), GRAPHS)
def test_hops_and_repetitions(task: str, bodies: tuple[str, str, str], text: str, states: list[EmbedState]) -> None:
    a, b, c = bodies
    expansion = expand(task, known(note("a.md", a), note("b.md", b), note("c.md", c)))
    assert expansion.text == text
    assert [entry.state for entry in expansion.ledger] == states


@pytest.mark.parametrize(
    ("file", "name"),
    [
        pytest.param("guidelines.md", "note-guidelines", id="embed-10"),
        pytest.param("task.md", "note-task", id="a note called task.md"),
        pytest.param("state.md", "note-state", id="embed-12"),
        pytest.param("memory.md", "note-memory", id="embed-13"),
        pytest.param("Memory.md", "note-Memory", id="a section name in another letter case"),
        pytest.param("2026 plan.md", "note-2026-plan", id="embed-15"),
        pytest.param("v1.2.md", "v1.2", id="embed-16"),
        pytest.param("xml-feed.md", "note-xml-feed", id="embed-18"),
        pytest.param("XMLfeed.md", "note-XMLfeed", id="XML in another letter case"),
        pytest.param("価格.md", "価格", id="embed-19"),
        pytest.param("human.md", "note-human", id="a memory block"),
        pytest.param("System.md", "note-System", id="a role"),
        pytest.param("assistant.md", "note-assistant", id="another role"),
        pytest.param("-draft.md", "note--draft", id="begins with a hyphen"),
        pytest.param(".md", "note-", id="no stem at all"),
        pytest.param("a & b (1).md", "a---b--1-", id="each character for itself"),
        pytest.param("memory-notes.md", "memory-notes", id="only begins like a section"),
        pytest.param("\u0301a.md", "note-\u0301a", id="begins with a combining mark"),
        pytest.param("deep/er/plan.md", "plan", id="folders do not count"),
    ],
)
def test_names_of_elements(file: str, name: str) -> None:
    text = expand(link(file), known(note(file, "body"))).text
    assert text == f'<{name} path="{html.escape(full(file))}" level="org">\nbody\n</{name}>'
    assert ET.fromstring(text).attrib["path"] == NOTES + file


@pytest.mark.parametrize("level", Level, ids=[f"embed-21: {level}" for level in Level])
def test_embed_21_the_level_is_named(level: Level) -> None:
    assert f'level="{level}"' in expand(link("a.md"), known(note("a.md", "x", level=level))).text


def test_prompt_structure_05_a_path_is_escaped_and_reads_back() -> None:
    path = f'{NOTES}say "hi" & <b>.md'
    text = expand(link(path), known(note(path, "x"))).text
    found = re.search('path="([^"]*)" level="org">', text)
    assert found is not None
    assert "&quot;" in found[1]
    assert "&amp;" in found[1]
    assert "&lt;" in found[1]
    assert html.unescape(found[1]) == path
    assert ET.fromstring(text).attrib["path"] == path


@pytest.mark.parametrize(
    ("sizes", "states"),
    [
        pytest.param((40_000, 25_536), [INLINED, INLINED], id="embed-22: exactly 64 KB"),
        pytest.param((40_000, 25_537), [INLINED, OVER_BUDGET], id="one byte more"),
        pytest.param((40_000, 30_000, 1_000), [INLINED, OVER_BUDGET, INLINED], id="embed-24: a later one still fits"),
    ],
)
def test_the_budget(sizes: tuple[int, ...], states: list[EmbedState]) -> None:
    notes = [note(f"n{number}.md", "x" * size) for number, size in enumerate(sizes)]
    task = "\n".join(link(one.path) for one in notes)
    expansion = expand(task, known(*notes))
    fitting = [one for one, state in zip(notes, states, strict=True) if state is INLINED]
    assert [entry.state for entry in expansion.ledger] == states
    assert expansion.bytes == sum(len(one.body) for one in fitting)
    assert expansion.notes == tuple((one.path, Body(one.body).sha256) for one in fitting)
    assert all((link(one.path) in expansion.text) == (one not in fitting) for one in notes)


def test_embed_25_bytes_count_and_not_characters() -> None:
    expansion = expand(link("a.md"), known(note("a.md", "価" * 22_000)))
    assert expansion.text == link("a.md")
    assert expansion.ledger[0].state is OVER_BUDGET
    assert expansion.ledger[0].reason == f"The note takes 66,000 bytes and {EMBED_BUDGET_BYTES:,} of 65,536 are left."


def test_a_note_inside_another_takes_from_the_same_budget() -> None:
    outer = note("a.md", link("b.md") + "x" * 60_000)
    expansion = expand(link("a.md"), known(outer, note("b.md", "y" * 6_000)))
    assert [entry.state for entry in expansion.ledger] == [INLINED, OVER_BUDGET]


def test_embed_28_a_path_that_does_not_exist_stays_text() -> None:
    expansion = expand(f"See {link('gone.md')}.", {})
    assert expansion.text == f"See {link('gone.md')}."
    assert [(entry.state, entry.reason) for entry in expansion.ledger] == [(BROKEN, "There is no note at this path.")]


def test_embed_30_mentions_are_no_embeds() -> None:
    task = "[[pricing]], pricing.md, inlined from: pricing.md"
    expansion = expand(task, known(note("pricing.md", "10 EUR")))
    assert (expansion.text, expansion.ledger) == (task, ())


def test_embed_33_spaces_inside_are_trimmed() -> None:
    targets = known(note("a.md", "x"))
    assert expand(f"![[ {NOTES}a.md ]]", targets).text == expand(link("a.md"), targets).text


def test_embed_34_a_short_name_is_broken() -> None:
    expansion = expand("![[a.md]]", known(note("a.md", "x")))
    assert expansion.text == "![[a.md]]"
    assert [entry.written for entry in expansion.broken] == ["a.md"]
    assert expansion.broken[0].reason.startswith("Only a full display path embeds")


def test_embed_36_an_empty_note_is_an_empty_element() -> None:
    expansion = expand(link("a.md"), known(note("a.md", "")))
    assert expansion.text == element("a.md", "")
    assert expansion.ledger[0].state is INLINED


def test_embed_37_a_body_stands_as_stored() -> None:
    body = "\ufeffone\r\ntwo\r\n"
    assert expand(link("a.md"), known(note("a.md", body))).text == element("a.md", body)


def test_template_02_a_json_file_is_expanded_exactly() -> None:
    body = '{\n  "name": "{{x}}",\n  "cost": "$& %s \\\\1 {0}",\n  "tags": ["<div>", null]\n}\n'
    assert expand(link("readme.md"), known(note("readme.md", body))).text == element("readme.md", body)


def test_field_embed_17_headings_are_not_shifted() -> None:
    expansion = expand(f"# Rules\n{link('conv.md')}\n# End", known(note("conv.md", "# Main\n## Sub")))
    assert expansion.text == "# Rules\n" + element("conv.md", "# Main\n## Sub") + "\n# End"


def test_field_embed_19_the_exact_path_decides() -> None:
    first, second = note("x/a.md", "first"), note("y/a.md", "second")
    assert "first" not in expand(link("y/a.md"), known(first, second)).text
    both = expand(link("x/a.md") + link("y/a.md"), known(first, second)).text
    assert both == element("x/a.md", "first") + element("y/a.md", "second")


def test_a_collection_becomes_its_name_at_both_hops() -> None:
    expansion = expand(
        f"Fill ![[{LEADS}]]. {link('a.md')}",
        known(CollectionTarget(LEADS, "leads"), note("a.md", f"from ![[{LEADS}]]")),
    )
    assert expansion.text == f"Fill leads. {element('a.md', 'from leads')}"
    assert [(entry.state, entry.shown) for entry in expansion.ledger if entry.path == LEADS] == [(TABLE, "leads")] * 2
    assert expansion.bytes == len(f"from ![[{LEADS}]]")


def test_titles_and_names_are_one_line() -> None:
    targets = known(note("a.md", "x", title="one\ntwo\u2028three\x07"), CollectionTarget(LEADS, "le\nads"))
    expansion = expand(f"{link('a.md')}{link('a.md')} ![[{LEADS}]]", targets)
    assert expansion.text == f"{element('a.md', 'x')}one two three  le ads"


def test_a_title_that_looks_like_an_embed_is_text() -> None:
    targets = known(note("a.md", "x", title=link("b.md")), note("b.md", "y"))
    expansion = expand(link("a.md") * 2, targets)
    assert expansion.text == element("a.md", "x") + link("b.md")


def test_the_ledger_says_where_each_stands() -> None:
    task = f"é👩‍🔬 {link('a.md')} and ![[ {NOTES}gone.md ]]"
    expansion = expand(task, known(note("a.md", f"see {link('b.md')}", title="Prices"), note("b.md", "y")))
    first, second, third = expansion.ledger
    assert task[first.start : first.end] == link("a.md")
    assert (first.written, first.path, first.hop, first.within, first.bytes) == (NOTES + "a.md",) * 2 + (1, None, 27)
    assert (first.shown, first.reason) == ("Prices", "")
    assert (second.hop, second.within, second.start, second.end) == (2, NOTES + "a.md", 4, 27)
    assert task[third.start : third.end] == f"![[ {NOTES}gone.md ]]"
    assert (third.written, third.path, third.bytes) == (NOTES + "gone.md", None, 0)
