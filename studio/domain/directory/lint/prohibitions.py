"""Prohibitions alone: what says what to avoid, where neither it nor a line beside it says what to do.

Hard limits are left alone: nothing is to be done in place of a forced push. So is a prohibition that a positive line answers: the one
directly above or below, the one that the list stands under, or one nearby that tells how to do the same thing.
"""

import re
from collections.abc import Iterator

from studio.domain.directory.findings import Finding
from studio.domain.directory.lint.blanking import BLANK
from studio.domain.directory.lint.examples import halves, is_example
from studio.domain.directory.lint.pages import Page, quoted
from studio.domain.directory.lint.piling import RULE_BEGINS
from studio.domain.directory.lint.prose import Kind, Statement
from studio.domain.directory.lint.rules import PROHIBITION_ONLY
from studio.domain.directory.lint.words import meaning

NEAR_STATEMENTS = 6
"""How far from a prohibition a statement may stand that answers it."""
SAME_BEGINNING_CHARACTERS = 5
"""What two forms of one word share."""

_PROHIBITS = re.compile(
    r"\W*(?:please )?(?:(?:you )?(?:(?:must|should|may)(?: not|n['’]t)|(?:must|should) never)|do(?: not|n['’]t)|"
    r"never(?! \w+ed\b)|avoid|"
    r"no(?= (?!pending|blocking|remaining|existing|missing|outstanding)\w+ing\b(?!.{0,80}\b(?:is|are)\b))|refrain from|stop \w+ing)\b"
    r"(?: ever)?(?: use\b)?(?![*_]* (?:forget|hesitate|worry|fail|miss|skip|omit|neglect|ignore)\b|[*_]*:)",
    re.IGNORECASE,
)
"""How a clause begins that prohibits; `use` is what it prohibits, no way out. `You cannot` and `No tests are` tell facts."""
_NAMES_A_WAY = re.compile(
    r"\b(?:instead|rather|unless|until|except|without|only|but|before|first|otherwise|means|prefer|use|when|where|while|if|beyond|"
    r"(?:rather|more|less|other) than|outside|just|even|anymore|yet|because|since|so (?:that|the|it)|through|via|by \w+ing|you can|"
    r"as (?:it|they|this|that|the|we|you)|to (?:keep|make|let|help|protect|save|ensure|prevent)|it is|they are)\b|→|=>|\d|:\W*$",
    re.IGNORECASE,
)
"""What in a prohibition says, or leaves room for, what to do: an exception, a condition, a number, a reason, a list below."""
_HARD_VERBS = (
    "force[- ]?push|push|commit|amend|rebase|merge|delete|remove|drop|destroy|wipe|erase|overwrite|truncate|reset|revert|deploy|"
    "leak|expose|exfiltrate|reveal|disclose|impersonate|bypass|circumvent|disable|hard-?code|execute|run|kill|modify|edit|touch|"
    "tamper|claim|trust|pretend|spend|pay|buy|transfer|pollute|write to|fabricate|lie"
)
_HARD_THINGS = (
    "secrets?|credentials?|passwords?|tokens?|(?:api|private|ssh) keys?|private|personal|sensitive|confidential|production|"
    "destructive|irreversible|force[- ]push\\w*|customer data|money|payments?|git config|rm -rf|co-?authors?|untrusted|unknown sources?"
)
_HARD_LIMIT = re.compile(
    rf"(?:[*_]* (?:ever )?(?:(?:{_HARD_VERBS})\b|do {BLANK})|.{{0,120}}\b(?:{_HARD_THINGS})\b)", re.IGNORECASE
)
"""What a prohibition is about where there is nothing to do in its place: destruction, exposure, the safety of others."""
_CLAUSE_ENDS = re.compile(r"(?<=[.!?;])[*_\"”)]*\s+|[:;]\s+|\s[-–—]+\s|—|\s\((?=\w)")
_SAYS_HOW = re.compile(
    r"^\W*(?:✅|✓|✔|👍|(?:do:|(?:instead|prefer|use|always|stick to|keep to|write|put|default to)\b))|"
    r"\b(?:only|instead|rather|via)\b|✅|→",
    re.IGNORECASE,
)
"""How a statement begins, or what it holds, that says the way to do something."""
_CONDITION = re.compile(r"\W*(?:if|when|whenever|unless|in case|where)\b", re.IGNORECASE)


def check(page: Page) -> Iterator[Finding]:
    """The findings of this family."""
    for number, one in page.says():
        if is_example(one) or page.prose.has_more(number):
            continue  # what stands below may say what to do
        if _only_prohibits(one) and not _is_answered(page, number, one):
            yield PROHIBITION_ONLY.found(
                page.path,
                f"This says what to avoid and not what to do: {quoted(one.text)!r}.",
                line=one.line,
                suggestion="Say what to do in that place, or begin with it and keep the prohibition as its second half.",
            )


def _only_prohibits(one: Statement) -> bool:
    """Whether every clause prohibits, and none a thing that has no other way; one with a reason can be generalised."""
    found = _PROHIBITS.match(one.prose)
    if found is None or _NAMES_A_WAY.search(one.prose, found.end()) or _HARD_LIMIT.match(one.text, found.end()):
        return False
    clauses = [clause for clause in _CLAUSE_ENDS.split(one.prose) if clause.strip(' .,;:)*_"”')]
    begun = [_PROHIBITS.match(clause) for clause in clauses]
    return all(begun) and not any(
        start is not None and _HARD_LIMIT.match(clause, start.end())
        for clause, start in zip(clauses, begun, strict=True)
    )


def _is_answered(page: Page, number: int, one: Statement) -> bool:
    """Whether a statement beside a prohibition, above its list, or near it about the same thing, says what to do."""
    statements = page.prose.statements
    words = _words(one)
    beside = [statements[at] for at in _beside(page, number, one)]
    for other in beside:
        orders = other.line < one.line and RULE_BEGINS.match(other.prose) is not None and _same_list(other, one)
        how = (orders or _SAYS_HOW.search(other.prose) is not None) and _CONDITION.match(other.prose) is None
        if _PROHIBITS.match(other.prose) is None and (how or (_same_list(other, one) and words & _words(other))):
            return True
    if one.heading is not None and _SAYS_HOW.search(statements[one.heading].prose):
        return True
    parent = statements[one.parent] if one.parent is not None else None
    if parent is not None and not _PROHIBITS.match(parent.prose) and words & _words(parent):
        return True
    behind = statements[number + 1 : number + 1 + NEAR_STATEMENTS // 2]
    if one.kind == Kind.PARAGRAPH and any(
        "instead" in other.prose.casefold() for other in behind if other.heading == one.heading
    ):
        return True
    near = [
        *statements[max(0, number - NEAR_STATEMENTS) : number],
        *behind,
    ]
    return any(
        any(half.good for half in halves(other)) or (_SAYS_HOW.search(other.prose) and words & _words(other))
        for other in near
        if not _PROHIBITS.match(other.prose)
    )


def _beside(page: Page, number: int, one: Statement) -> Iterator[int]:
    """The statements of the same list directly above the row of prohibitions and directly below, else what introduces the list."""
    if one.kind != Kind.ITEM:
        return
    statements = page.prose.statements
    at = number - 1
    while (
        at >= max(0, number - NEAR_STATEMENTS)
        and _same_list(statements[at], one)
        and _PROHIBITS.match(statements[at].prose)
    ):
        at -= 1
    if at >= 0 and _same_list(statements[at], one):
        yield at
    elif one.introduction is not None:
        yield from (before for before in (one.introduction, one.introduction - 1) if before >= 0)
    if number + 1 < len(statements) and _same_list(statements[number + 1], one):
        yield number + 1


def _same_list(other: Statement, one: Statement) -> bool:
    return other.kind == Kind.ITEM and (other.parent, other.heading, other.introduction) == (
        one.parent,
        one.heading,
        one.introduction,
    )


def _words(one: Statement) -> frozenset[str]:
    """The beginnings of the words that carry meaning."""
    words = meaning(one.text.casefold().replace("’", "'"))
    return frozenset(word[:SAME_BEGINNING_CHARACTERS] for word in words if len(word) > 3)  # noqa: PLR2004 - a shorter one says little
