"""What examples of one principle show: whether they differ, and whether one of them records an incident."""

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import NamedTuple

from rapidfuzz import fuzz

from studio.domain.directory.findings import Finding
from studio.domain.directory.lint.examples import groups, halves
from studio.domain.directory.lint.pages import Page, quoted
from studio.domain.directory.lint.prose import Statement
from studio.domain.directory.lint.provenance import incident
from studio.domain.directory.lint.rules import EXAMPLE_OF_INCIDENT, EXAMPLES_ALIKE
from studio.domain.directory.lint.words import WORD

MOST_COMPARED = 8
"""How many examples of one principle are compared with each other."""
LEAST_WORDS = 4
"""A shorter example may differ by the one word that is its point."""
ALIKE_PERCENT = 85
"""How alike the words of two examples are, from which on they show the same."""


class Shown(NamedTuple):
    """One half of an example."""

    good: bool | None
    """Which half; None for an example without halves."""
    text: str
    """Its words."""
    line: int
    """The line that it begins in."""


def check(page: Page) -> Iterator[Finding]:
    """The findings of this family."""
    if not page.prose.english:
        return
    for group in groups(page).values():
        yield from _alike(page, group)
        yield from _incidents(page, group)


def _alike(page: Page, group: Sequence[Statement]) -> Iterator[Finding]:
    """The first example that shows what another one showed before."""
    shown = list(islice((half for one in group for half in _shown(one)), MOST_COMPARED))
    for first, second in combinations(shown, 2):
        if first.good == second.good and _show_the_same(first.text, second.text):
            yield EXAMPLES_ALIKE.found(
                page.path,
                f"This example shows the same as line {first.line}: {quoted(second.text)!r} and {quoted(first.text)!r}.",
                line=second.line,
                actual=quoted(first.text),
                suggestion="Keep the stronger one, or write another that differs in what it shows.",
            )
            return


def _shown(one: Statement) -> Iterator[Shown]:
    """What a statement shows, half by half."""
    labels = halves(one)
    if not labels:
        yield Shown(None, one.text, one.line)
        return
    ends = [label.start for label in labels[1:]] + [len(one.text)]
    for label, end in zip(labels, ends, strict=True):
        yield Shown(label.good, one.text[label.end : end], one.line_at(label.start))


def _show_the_same(one: str, other: str) -> bool:
    words, others = (WORD.findall(text.casefold()) for text in (one, other))
    if min(len(words), len(others)) < LEAST_WORDS:
        return False
    return fuzz.ratio(words, others) >= ALIKE_PERCENT


def _incidents(page: Page, group: Sequence[Statement]) -> Iterator[Finding]:
    for one in group:
        found = incident(one) if one.english else None
        if found:
            words = quoted(one.text[found.start() : found.end()])
            yield EXAMPLE_OF_INCIDENT.found(
                page.path,
                f"This example records what happened once: {words!r}.",
                line=one.line_at(found.start()),
                actual=words,
                suggestion="Write it as any instance of the behavior, without dates, names and quotes.",
            )
