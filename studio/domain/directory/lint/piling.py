"""Growth without revision: narrow rules that pile up in one text, and versions that only add."""

import re
from collections.abc import Iterator
from itertools import pairwise

from studio.domain.diff import count_lines
from studio.domain.directory.findings import Finding
from studio.domain.directory.lint.examples import is_example
from studio.domain.directory.lint.pages import Page
from studio.domain.directory.lint.prose import Kind, Statement
from studio.domain.directory.lint.rules import APPEND_ONLY, NARROW_RULES

MANY_RULES = 10
"""Narrow rules of one list from which on they should have become principles."""
NARROW_SHARE = 0.8
"""The part of a list's rules that are narrow, below which it is one of principles."""
NARROW_WORDS = 25
"""A narrow rule is one sentence of at most so many words."""
GROWTH_VERSIONS = 20
"""How many of the newest versions are looked at."""
GROWTH_LEAST_VERSIONS = 6
"""With fewer a text is still being written for the first time."""
GROWTH_REMOVED_SHARE = 0.1
"""Lines taken away for each one added, up to which a text only grows."""
GROWTH_GROWING_SHARE = 0.8
"""Changes that made it longer, from which on it only grows."""

_REASON = re.compile(
    r"\b(?:because|since|so (?:that|the|it|they|we|you)|otherwise|in order to|which (?:means|lets|keeps)|why|"
    r"to (?:avoid|keep|ensure|prevent))\b|[—–;] ",
    re.IGNORECASE,
)
RULE_BEGINS = re.compile(
    r"\W*(?:always|never|do|don['’]t|use|avoid|prefer|run|check|make sure|ensure|keep|write|add|remove|put|set|call|follow|test|verify|"
    r"include|read|update|commit|push|ask|when|if|for|before|after|must|should|only|be|say|give|name|start|end|wrap|import|return|format|"
    r"create|delete|store|send|reply|answer|respond|log|handle|validate|review|open|close|build|deploy|document|limit|skip|stop|confirm)\b",
    re.IGNORECASE,
)
"""How a statement begins that is a rule: a verb that orders, or a condition."""


def check(page: Page) -> Iterator[Finding]:
    """The findings of this family."""
    yield from _narrow(page)
    yield from _append_only(page)


def _narrow(page: Page) -> Iterator[Finding]:
    for rules in _lists(page):
        narrow = [one for one in rules if _is_narrow(one)]
        if len(narrow) >= MANY_RULES and len(narrow) >= NARROW_SHARE * len(rules):
            yield NARROW_RULES.found(
                page.path,
                f"{len(narrow)} narrow rules without a reason in one list: they pile up instead of explaining.",
                line=narrow[0].line,
                actual=len(narrow),
                limit=MANY_RULES,
                suggestion="Find what several share, write that one principle with its reason, and delete the rules it covers.",
            )


def _lists(page: Page) -> Iterator[list[Statement]]:
    """The rules of each list that goes on without a break, those with something below them left out."""
    rules: list[Statement] = []
    for number, one in enumerate(page.prose.statements):
        if one.kind != Kind.ITEM or one.parent is not None:
            if one.parent is None:
                yield rules
                rules = []
        elif one.english and not is_example(one) and not page.prose.has_more(number) and RULE_BEGINS.match(one.prose):
            rules.append(one)
    yield rules


def _is_narrow(one: Statement) -> bool:
    return len(one.sentences) == 1 and len(one.text.split()) <= NARROW_WORDS and _REASON.search(one.prose) is None


def _append_only(page: Page) -> Iterator[Finding]:
    versions = [text for text, before in zip(page.history, (None, *page.history), strict=False) if text != before]
    versions = versions[-GROWTH_VERSIONS:]
    if len(versions) < GROWTH_LEAST_VERSIONS:
        return
    counts = [count_lines(old, new) for old, new in pairwise(versions)]
    added, removed = sum(one.added for one in counts), sum(one.removed for one in counts)
    growing = sum(len(new) > len(old) for old, new in pairwise(versions))
    if removed <= GROWTH_REMOVED_SHARE * added and growing >= GROWTH_GROWING_SHARE * len(counts):
        yield APPEND_ONLY.found(
            page.path,
            f"The last {len(versions)} versions added {added} lines and took away {removed or 'none'}: a log, not a revision.",
            actual=added,
            suggestion="Merge what the last additions have in common into the lines above them, and delete what they replace.",
        )
