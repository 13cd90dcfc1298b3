"""Which embeds a text holds, why one is broken, and which notes a Task keeps where they are (decisions 23 and 25)."""

import pytest
from embed_builders import LEADS, NOTES, full, known, link, note

from studio.domain.embeds import CollectionTarget, EmbedState, embedded_notes, expand, references
from studio.domain.places import Level

A = link("a.md")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(A, ["a.md"], id="links-09: exactly what Insert note writes"),
        pytest.param(f"![[{LEADS}]]", [LEADS], id="links-09: exactly what Insert table writes"),
        pytest.param(f"{A} {link('b.md')} {A}", ["a.md", "b.md"], id="each once, in order"),
        pytest.param(f"![[\t{NOTES}a.md  ]]", ["a.md"], id="blanks around"),
        pytest.param(f"{A}{link('b.md')}", ["a.md", "b.md"], id="side by side"),
        pytest.param(f"[see {A}]", ["a.md"], id="in brackets"),
        pytest.param(f"Write ![[ to embed, as in {A}", ["a.md"], id="one that never ends before it"),
        pytest.param(link("a]b.md"), ["a]b.md"], id="a bracket in the name"),
        pytest.param(f"![[{NOTES}a\n.md]]", [], id="a line break inside"),
        pytest.param(f"![[{NOTES}a\r.md]]", [], id="a carriage return inside"),
        pytest.param("![[]] ![[  ]]", [], id="nothing inside"),
        pytest.param("![[a.md]] ![[recipe:x]]", [], id="what no store can know is not looked up"),
        pytest.param(f"[[{NOTES}a.md]] !{A[1:-1]}", [], id="other brackets"),
    ],
)
def test_references(text: str, found: list[str]) -> None:
    assert references(text) == tuple(full(path) for path in found)


BROKEN = [
    pytest.param(f"{NOTES}a.md#rule", "sections are not supported", id="field-embed-11: a heading"),
    pytest.param(f"{NOTES}a.md^b1", "sections are not supported", id="field-embed-11: a block"),
    pytest.param(f"{NOTES}a.md|Prices", "aliases are not supported", id="an alias"),
    pytest.param(f"{LEADS}#won", "sections are not supported", id="a part of a collection"),
    pytest.param("a.md#rule", "sections are not supported", id="a part of a short name"),
    pytest.param(f"{NOTES}gone.md", "There is no note at this path.", id="links-06: missing file"),
    pytest.param(f"{NOTES}c#.md", "There is no note at this path.", id="a missing note with # in its name"),
    pytest.param("org/o_1/collections/gone", "There is no collection at this path.", id="missing collection"),
    pytest.param(f"{NOTES}test.yo", "ends in .md", id="field-embed-07: only test.yo.md exists"),
    pytest.param("recipe:pricing", "left over", id="links-06: recipe"),
    pytest.param("guild/notes/a.md", "local to a recipe", id="recipe-local guild"),
    pytest.param("agent/scribe/notes/a.md", "local to a recipe", id="recipe-local agent"),
    pytest.param("a.md", "Only a full display path embeds", id="embed-34: short name"),
    pytest.param("org/o_1/agents/a_1/task.md", "prompt file", id="a Task"),
    pytest.param("org/o_1/agents/a_1/memory.md", "prompt file", id="a memory"),
    pytest.param("org/o_1/agents/a_1/history-archive/x.md", "prompt file", id="an archived version"),
    pytest.param("memory.md", "prompt file", id="a memory by its short name"),
    pytest.param("org/o_1/notes/../notes/a.md", "no display path", id="dots"),
    pytest.param("org\\o_1\\notes\\a.md", "Only a full display path embeds", id="backslashes"),
    pytest.param(f"{NOTES}a\x07.md", "no display path", id="a control character"),
]


@pytest.mark.parametrize(("path", "reason"), BROKEN)
def test_a_broken_link_stays_text_and_says_why(path: str, reason: str) -> None:
    targets = known(note("a.md", "x"), note("test.yo.md", "y"), CollectionTarget(LEADS, "leads"))
    expansion = expand(f"1 ![[{path}]] 2", targets)
    assert expansion.text == f"1 ![[{path}]] 2"
    assert [(entry.written, entry.path, entry.bytes) for entry in expansion.broken] == [(path, None, 0)]
    assert reason in expansion.broken[0].reason


@pytest.mark.parametrize("file", ["a|b.md", "a#b.md", "a^b.md", "a b.md", "it's.md", "100%.md", "$&.md"])
def test_field_embed_09_the_whole_path_is_tried_first(file: str) -> None:
    expansion = expand(link(file), known(note(file, "body"), note("a", "wrong")))
    assert [entry.state for entry in expansion.ledger] == [EmbedState.INLINED]
    assert "\nbody\n" in expansion.text


def test_links_07_one_missing_and_one_good() -> None:
    expansion = expand(f"{A} {link('gone.md')}", known(note("a.md", "x")))
    assert [entry.written for entry in expansion.broken] == [f"{NOTES}gone.md"]


def test_a_broken_link_inside_a_note_is_listed_with_the_note() -> None:
    expansion = expand(A, known(note("a.md", f"see {link('gone.md')}")))
    assert [(entry.written, entry.within, entry.hop) for entry in expansion.broken] == [
        (f"{NOTES}gone.md", f"{NOTES}a.md", 2)
    ]


def test_nothing_is_broken_at_the_third_hop() -> None:
    expansion = expand(A, known(note("a.md", link("b.md")), note("b.md", "![[recipe:x]]")))
    assert [entry.state for entry in expansion.ledger] == [EmbedState.INLINED, EmbedState.INLINED, EmbedState.TEXT]


# --- decision 25 ---------------------------------------------------------------------------------------------------------------

NOTE = note("n.md", f"n {link('deep.md')}")
DEEP = note("deep.md", link("deeper.md"))
DEEPER = note("deeper.md", "end")
TABLE = CollectionTarget(LEADS, "leads")


@pytest.mark.parametrize(
    ("task", "kept"),
    [
        pytest.param(link("n.md"), ["n.md", "deep.md"], id="links-01, field-embed-13: at hop 1 and hop 2, not at hop 3"),
        pytest.param("No embed any more.", [], id="links-03, links-04: only the text at hand counts"),
        pytest.param(f"`{link('n.md')}`", [], id="code keeps nothing"),
        pytest.param(f"{link('gone.md')} ![[{LEADS}]]", [], id="neither missing notes nor tables"),
        pytest.param(f"{link('n.md')} {link('deep.md')}", ["n.md", "deep.md", "deeper.md"], id="both hops of both"),
    ],
)  # fmt: skip
def test_notes_that_a_task_keeps(task: str, kept: list[str]) -> None:
    assert embedded_notes(task, known(NOTE, DEEP, DEEPER, TABLE)) == tuple(full(path) for path in kept)


def test_a_note_over_the_budget_is_still_embedded() -> None:
    assert embedded_notes(A, known(note("a.md", "x" * 70_000))) == (f"{NOTES}a.md",)


@pytest.mark.parametrize("path", ["org/o_1/guilds/g_1/notes/a.md", "org/o_1/agents/a_1/notes/x/a.md"])
def test_notes_of_every_level_are_kept(path: str) -> None:
    assert embedded_notes(link(path), known(note(path, "x", level=Level.GUILD))) == (path,)
