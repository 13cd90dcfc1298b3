"""Principles without a reason: preferences that nothing in or beside them explains.

Only what chooses between ways is judged (`Always …`, `Prefer …`, `Default to …`), and only where several such principles stand in one
text; a lone rule may be obvious. Whatever may be a reason counts as one, so that the rule keeps quiet where it is not sure.
"""

import re
from collections.abc import Iterator

from studio.domain.directory.findings import Finding
from studio.domain.directory.lint.examples import is_example
from studio.domain.directory.lint.pages import Page, quoted
from studio.domain.directory.lint.prose import Kind, Statement
from studio.domain.directory.lint.rules import PRINCIPLE_WITHOUT_REASON
from studio.domain.directory.lint.words import WORD

LEAST_PRINCIPLES = 3
"""How many principles without a reason one text may not have."""
LEAST_WORDS = 4
"""A shorter one is a label."""
MOST_WORDS = 30
"""A longer one explains itself in some way."""
MOST_LINES_SHOWN = 6
"""How many lines a message names; the finding has all of them."""

_CHOOSES = re.compile(r"\W*(?:always|prefer|default to|favou?r|lean towards?)\b(?![*_]*:)", re.IGNORECASE)
"""How a principle begins that chooses one way of several."""
_MAY_EXPLAIN = re.compile(
    r"\b(?:because|since|so|otherwise|which|why|as|to (?!a |an |the |be |main )[a-z]+|due|given|thus|hence|therefore|else|"
    r"means?|helps?|makes?|saves?|avoids?|prevents?|keeps?|lets?|ensures?|allows?|causes?|reduces?|improves?|enables?|provides?|preserves?|protects?|"
    r"unless|except|never|don['’]t|faster|safer|simpler|clearer|better|for \w+(?:ity|ness|ance|ence|ability))\b|"
    r"[—–;:→]|->| - |\(\w+ \w+",
    re.IGNORECASE,
)
"""What in a principle may be its reason, or makes it an exception or a contrast that tells as much."""
_EXPLAINS = re.compile(
    r"\b(?:because|since|so that|otherwise|the reason|in order to|which (?:means|lets|keeps|makes)|why|this (?:\w+ ){0,2}\w+s\b)",
    re.IGNORECASE,
)
"""What makes a neighbour the reason."""


def check(page: Page) -> Iterator[Finding]:
    """The findings of this family."""
    found = [one for number, one in page.says() if _is_bare(page, number, one)]
    if len(found) >= LEAST_PRINCIPLES:
        lines = [one.line for one in found]
        more = f" and {len(lines) - MOST_LINES_SHOWN:,} more" if len(lines) > MOST_LINES_SHOWN else ""
        yield PRINCIPLE_WITHOUT_REASON.found(
            page.path,
            f"{len(found)} principles stand without a reason (lines {', '.join(map(str, lines[:MOST_LINES_SHOWN]))}{more}), "
            f"such as {quoted(found[0].text)!r}.",
            lines=lines,
            actual=len(found),
            limit=LEAST_PRINCIPLES - 1,
            suggestion="Add to each the reason behind a 'because', or merge those that share one.",
        )


def _is_bare(page: Page, number: int, one: Statement) -> bool:
    """Whether a statement chooses a way, and neither it nor what stands above and below says why."""
    begun = _CHOOSES.match(one.prose)
    if begun is None or is_example(one) or page.prose.has_more(number) or len(one.sentences) > 1:
        return False
    if not LEAST_WORDS <= len(WORD.findall(one.text)) <= MOST_WORDS or _MAY_EXPLAIN.search(one.prose, begun.end()):
        return False
    statements = page.prose.statements
    above = [statements[at] for at in (one.parent, one.heading, one.introduction) if at is not None]
    beside = [*statements[max(0, number - 1) : number], *statements[number + 1 : number + 2]]
    explained = (other for other in beside if other.kind == Kind.PARAGRAPH or not _CHOOSES.match(other.prose))
    return not any(_EXPLAINS.search(other.prose) for other in (*above, *explained))
