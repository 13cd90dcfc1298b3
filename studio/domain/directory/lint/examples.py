"""Contrastive examples: how many one principle has, and on which half each ends."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from studio.domain.directory.findings import Finding
from studio.domain.directory.lint.blanking import BLANK
from studio.domain.directory.lint.pages import Page, quoted
from studio.domain.directory.lint.prose import Kind, Statement
from studio.domain.directory.lint.rules import BAD_EXAMPLE_LAST, TOO_MANY_EXAMPLES
from studio.domain.directory.lint.words import WORD

MOST_EXAMPLES = 2
"""Examples that one principle may have."""
LEAST_EXAMPLE_WORDS = 2
"""An example with fewer words beside its code shows a command, and teaches no principle."""

_CERTAINLY_BAD = r"not|bad example|bad|wrong|incorrect|worse"
_BAD = rf"(?P<certain>{_CERTAINLY_BAD})|anti-?pattern|❌|✗|✘|🚫|don['’]t|instead of|avoid"
_GOOD = r"instead|yes|good example|good|right|correct|better|do|prefer|✅|✓|✔"
_NEUTRAL = r"examples?|for example|for instance|e\.g\.|ex"
_LABEL = re.compile(
    r"(?:^|(?<=\n)|(?<=[.!?;,:\"”)*_] )|(?<=[—–-] ))[*_(\"“>]{0,4}"
    rf"(?:(?P<bad>{_BAD})|(?P<good>{_GOOD})|(?P<neutral>{_NEUTRAL}))"
    r"(?: ?#?\d{1,2})?[*_]{0,2}(?P<end>:|,| [—–-] | |$)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“]")
"""What follows a mark that shows an example."""
_EXPLAINED = re.compile(r"[\"“][^\"”\n]*[\"”] *=")
"""What follows a mark that only explains a word."""
_TITLE = re.compile(r"\W*\*\*[^*]+\*\*\W*")
"""What only names the example in the block of code below."""
_ENDS_OF = {"e.g.": ": ,", "for example": ":,", "for instance": ":,", **dict.fromkeys("❌✗✘🚫✅✓✔", ": ,-–—")}
"""What may follow the labels that need no colon."""
_RULES_AT_THE_TOP = frozenset(["do", "don't", "don’t", "avoid", "prefer", "instead of"])
"""Labels that begin a rule where they stand under no principle."""
_ONLY_ANNOUNCES = re.compile(r"\W*(?:for )?examples?\W*", re.IGNORECASE)
_TAGGED = re.compile(r"<example\b[^<>\n]*>", re.IGNORECASE)
_NEXT_TAGGED = re.compile(r"</example>\s*$", re.IGNORECASE)
_RULE_FOLLOWS = re.compile(r"\W*(?:if|when|whenever|do|don['’]t|never|always|you)\b", re.IGNORECASE)
"""What behind a label makes it a rule about a kind of mistake, as `Anti-pattern: If you …`."""


class Half(NamedTuple):
    """A label in a statement."""

    good: bool | None
    """Whether it labels the good half; None for an example without halves."""
    certain: bool
    """Whether it can be nothing but the bad half of an example."""
    start: int
    """Where it stands in the statement."""
    end: int = 0
    """Where it ends."""


def halves(one: Statement) -> tuple[Half, ...]:
    """The labels of a statement, in order; a tick, a cross or `Do` is one only under a principle or before a quote."""
    labels = []
    for found in _LABEL.finditer(one.in_lines):
        word = (found["bad"] or found["good"] or found["neutral"]).casefold()
        a_mark = not word[0].isalpha() and not _QUOTED.match(one.in_lines, found.end())
        at_the_top = one.parent is None and (word in _RULES_AT_THE_TOP or a_mark)
        explains = not word[0].isalpha() and _EXPLAINED.match(one.text, found.end())
        if at_the_top or explains or (found["end"].strip() or " ") not in _ENDS_OF.get(word, ":"):
            continue
        good = None if found["neutral"] else found["good"] is not None
        labels.append(Half(good, found["certain"] is not None, found.start(), found.end()))
    return tuple(labels)


def is_example(one: Statement) -> bool:
    """Whether a statement is nothing but an example: it begins with a label."""
    first = next(iter(halves(one)), None)
    return first is not None and first.start == 0


def check(page: Page) -> Iterator[Finding]:
    """The findings of this family."""
    if not page.prose.english:
        return
    yield from _tagged(page)
    for principle, every in groups(page).items():
        group = [one for one in every if not _TITLE.fullmatch(one.text)]
        yield from _too_many(page, principle, group)
        yield from _bad_last(page, group)


def groups(page: Page) -> dict[int | None, list[Statement]]:
    """Return the statements that hold examples, by the principle that they belong to: the item above, or what stands before them."""
    found: dict[int | None, list[Statement]] = defaultdict(list)
    statements = page.prose.statements
    before: int | None = None
    for number, one in enumerate(statements):
        if one.kind == Kind.TABLE or _ONLY_ANNOUNCES.fullmatch(one.text):
            continue
        announced = one.parent is not None and _ONLY_ANNOUNCES.fullmatch(statements[one.parent].text) is not None
        if announced and one.parent is not None:
            found[statements[one.parent].parent if statements[one.parent].parent is not None else one.parent].append(
                one
            )
        elif one.parent is None and one.introduction and _ONLY_ANNOUNCES.fullmatch(statements[one.introduction].text):
            found[one.introduction - 1].append(one)
        elif one.kind != Kind.HEADING and is_example(one):
            found[before if one.parent is None else one.parent].append(one)
        else:
            before = number
            if one.kind != Kind.HEADING and halves(one):
                found[number].append(one)
    return found


def _tagged(page: Page) -> Iterator[Finding]:
    """Rows of `<example>` elements with nothing between them."""
    body, row = page.document.body, 0
    found = list(_TAGGED.finditer(body))
    for number, one in enumerate(found):
        goes_on = number > 0 and _NEXT_TAGGED.search(body, found[number - 1].end(), one.start()) is not None
        row = row + 1 if goes_on else 1
        last = number + 1 == len(found) or not _NEXT_TAGGED.search(body, one.end(), found[number + 1].start())
        if last and row > MOST_EXAMPLES:
            first = page.document.body_line + body.count("\n", 0, found[number + 1 - row].start())
            yield _many(page, row, "one principle", first)


def _many(page: Page, count: int, principle: str, line: int) -> Finding:
    return TOO_MANY_EXAMPLES.found(
        page.path,
        f"{count} examples of {principle}; keep at most {MOST_EXAMPLES}.",
        line=line,
        actual=count,
        limit=MOST_EXAMPLES,
        suggestion="Keep the two that differ most, and delete the others.",
    )


def _too_many(page: Page, principle: int | None, group: Sequence[Statement]) -> Iterator[Finding]:
    group = [one for one in group if is_example(one) or not _is_code(one)]
    labels = [half for one in group for half in halves(one) or (Half(None, certain=False, start=0),)]
    good, bad = (sum(half.good is value for half in labels) for value in (True, False))
    count = max(good, bad) or len(labels)
    if count <= MOST_EXAMPLES:
        return
    first = page.prose.statements[principle] if principle is not None else group[0]
    yield _many(page, count, f"one principle, {quoted(first.text)!r}", first.line)


def _is_code(one: Statement) -> bool:
    """Whether a statement begins with code, or is little more."""
    return one.prose.lstrip(" *_").startswith(BLANK) or (
        BLANK in one.prose and len(WORD.findall(one.prose)) < LEAST_EXAMPLE_WORDS
    )


def _bad_last(page: Page, group: Sequence[Statement]) -> Iterator[Finding]:
    """The first example that ends on its bad half: a statement with both, or the last statement of the principle."""
    labels = [(one, half) for one in group for half in halves(one) if half.good is not None]
    last_of_each = [
        max((half for half in halves(one) if half.good is not None), key=lambda half: half.start, default=None)
        for one in group
    ]
    both = [
        (one, last) for one, last in zip(group, last_of_each, strict=True) if last and not last.good and _has_good(one)
    ]
    wrong = both[:1] or labels[-1:]
    for one, half in wrong:
        alone = half.certain and not _RULE_FOLLOWS.match(one.prose, half.end)
        if not half.good and (alone or any(other.good for _, other in labels)):
            yield BAD_EXAMPLE_LAST.found(
                page.path,
                f"This example ends on its bad half: {quoted(one.text[half.start :])!r}.",
                line=one.line_at(half.start),
                suggestion='Turn it round: "Not: …" first and short, then "Instead: …".',
            )


def _has_good(one: Statement) -> bool:
    return any(half.good for half in halves(one))
