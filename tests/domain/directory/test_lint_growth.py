"""A hostile text costs the lint no more than its length, and steers no terminal.

Nothing is compared with everything, and no pattern repeats a repetition.
"""

import re
from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from pkgutil import iter_modules
from time import process_time
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lint_builders import a_block, a_tree, lint_prompt

from studio.domain.directory import lint, shrink
from studio.domain.directory.lint import likeness, prose, reach
from studio.domain.directory.lint.pages import read_page
from studio.domain.directory.lint.rule import Place
from studio.domain.directory.lint.run import lint_tree

MODULES = (shrink, *(import_module(f"{lint.__name__}.{one.name}") for one in iter_modules(lint.__path__)))
WORDS = st.sampled_from(
    [
        "answer",
        "test",
        "never",
        "user",
        "commit",
        "before",
        "alpha",
        "beta",
        "the",
        "and",
        "because",
        "deploy",
        "logs",
        "3",
        "`code`",
        "Sarah",
        "said",
    ]
)
TEXTS = st.text("aA0 \n\t-*_#`~<>[]()!.,:;\"'“”/\\|@$é回\u200b\r", max_size=300)

CONTROLS = st.text('a:- \n\x1b\x07\x00\x9b\u202e\u2028\u200b\x1c#[](<>/*"', max_size=60)

PARSER: Any = import_module("re._parser")
"""What Python reads its own patterns with; it has no public name."""
CONSTANTS: Any = import_module("re._constants")


def patterns(module: ModuleType) -> Iterator[tuple[str, re.Pattern[str]]]:
    """The patterns of a module by name."""
    for name, value in vars(module).items():
        if isinstance(value, re.Pattern):
            yield f"{module.__name__.rpartition('.')[2]}.{name}", value


def repeats_a_repetition(parsed: Any, inside: bool = False) -> bool:  # noqa: FBT001, FBT002
    """Whether something without an end is repeated without an end and can be given back: what backtracks without bound."""
    for operation, given_to in parsed:
        kind = str(operation)
        endless = kind in {"MAX_REPEAT", "MIN_REPEAT"} and given_to[1] == CONSTANTS.MAXREPEAT
        if endless and inside:
            return True
        for part in given_to if isinstance(given_to, tuple) else ():
            several = part if isinstance(part, list) else [part]
            for one in several:
                if isinstance(one, PARSER.SubPattern) and repeats_a_repetition(one, inside or endless):
                    return True
    return False


ALL = dict(one for module in MODULES for one in patterns(module))


@pytest.mark.parametrize("name", ALL)
def test_no_pattern_repeats_a_repetition(name: str) -> None:
    parsed = PARSER.parse(ALL[name].pattern, ALL[name].flags)
    assert not repeats_a_repetition(parsed)


@given(st.lists(st.lists(WORDS, min_size=4, max_size=9), min_size=1, max_size=120))
def test_no_statement_is_compared_with_all(lines: list[list[str]]) -> None:
    """Law: the pairs that are compared grow with the number of statements, however much they share."""
    page = read_page("persona.md", Place.BLOCK, "\n".join(f"- {' '.join(line)}" for line in lines))
    rows = page.document.body.split("\n")
    said = [likeness._said(page, number, one, rows) for number, one in page.prose.said()]
    most = len(said) * likeness.RAREST_WORDS * likeness.MOST_SHARED_BY
    assert len(list(islice(likeness._pairs(said), most + 1))) <= most


@given(TEXTS, st.sampled_from([Place.BLOCK, Place.INDEX, Place.MEMORY, Place.TASK]))
def test_any_text_can_be_linted(text: str, place: Place) -> None:
    """Law: no text stops the lint, and every finding names a line that is there."""
    for finding in lint_prompt(text, place):
        assert finding.line is None or 1 <= finding.line <= text.count("\n") + text.count("\r") + 3
    shrink.propose(a_tree({"MEMORY.md": text, "persona.md": text}))


@given(TEXTS)
def test_any_index_can_be_linted(text: str) -> None:
    lint_tree(a_tree({"MEMORY.md": text, "a/MEMORY.md": text, "a/b.md": text, f"a/{text.strip('/') or 'x'}.md": ""}))


@given(TEXTS)
def test_places_stay_what_they_are(text: str) -> None:
    """Law: a statement's prose is as long as its text, so that a place in one is a place in the other."""
    read = prose.read_prose(text.replace("\r", ""))
    assert all(len(one.text) == len(one.prose) == len(one.unquoted) for one in read.statements)
    assert all(one.line <= one.line_at(len(one.text)) <= one.end_line for one in read.statements)


MOTIFS = [
    *(
        "a ",
        "# ",
        "- x\n",
        '"',
        "2024-",
        "2026-03-11 ",
        "<a>",
        "[](",
        "[[a]]",
        "`",
        "A",
        "AB, ",
        "AB and ",
        "NEVER ",
        "do NOT ",
    ),
    *(
        "Sarah said ",
        "(#1 ",
        "the user ",
        "we broke last week ",
        "never ",
        "is ",
        "\x1b",
        "<!--",
        "- Not: x\n",
        "- `git x`\n",
    ),
]
"""What a hostile text repeats: marks, openings without an end, and words that patterns begin with."""
CHARACTERS = 5_000


def seconds(text: str) -> float:
    """The faster of two rounds over a text in each of its places, in seconds of this process."""
    tree = a_tree({"MEMORY.md": text, "persona.md": a_block(text), "a/MEMORY.md": text, "a/b.md": text})
    times = []
    for _ in range(2):
        start = process_time()
        lint_tree(tree)
        times.append(process_time() - start)
    return min(times)


@pytest.mark.parametrize("motif", MOTIFS)
def test_four_times_the_text_takes_about_four_times_as_long(motif: str) -> None:
    """What grows with the square would take sixteen times as long; the bench measures how long it is."""
    short, long = (seconds((motif * length)[:length]) for length in (CHARACTERS, 4 * CHARACTERS))
    assert long <= 9 * short + 0.05


@given(st.lists(st.sampled_from(["[[a]]", "[a](b.md)", "word"]), max_size=400))
def test_what_an_entry_says_is_short(pieces: list[str]) -> None:
    """Law: many links in one paragraph are not each judged by all of it."""
    page = read_page("MEMORY.md", Place.INDEX, " ".join(pieces))
    assert all(len(one.rest) <= reach.REST_CHARACTERS for one in reach.entries(page))


@given(
    CONTROLS,
    CONTROLS,
    st.sampled_from(["", "NEVER ", "- a/ — ", "The user likes ", "</persona", "Sarah said ", "# Status "]),
)
def test_a_finding_steers_no_terminal(text: str, name: str, opening: str) -> None:
    """Law: a finding carries no control character, whatever a text, a header and a path hold."""
    path = name.replace("/", "").strip() + ".md"
    body = f"{opening}{text}\n\n- {opening}{text}\n"
    files = {
        "MEMORY.md": body,
        "persona.md": f"---\nname: {text}\ndescription: {text}\n---\n{body}",
        path: body,
        "a/b.md": "",
    }
    for one in lint_tree(a_tree({"a/MEMORY.md": body, **files})):
        assert one.message.isprintable()
        assert str(one.actual).isprintable()
        assert (one.suggestion or "").isprintable()
