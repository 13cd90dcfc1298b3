"""How a rule is worded: capitals, absolutes, prohibitions alone, and the third person."""

import re
from collections.abc import Iterator

from studio.domain.directory.findings import Finding
from studio.domain.directory.lint.examples import is_example
from studio.domain.directory.lint.language import traits
from studio.domain.directory.lint.pages import Page, quoted
from studio.domain.directory.lint.prose import Kind, Statement
from studio.domain.directory.lint.rules import ABSOLUTE_EMPHASIS, ALL_CAPS, PROHIBITION_ONLY, THIRD_PERSON

_EMPHATIC = (
    "ALWAYS|NEVER|MUST|SHALL|CRITICAL|CRITICALLY|IMPORTANT|IMPORTANTLY|MANDATORY|FORBIDDEN|ABSOLUTELY|STRICTLY|IMMEDIATELY|DON'T|DONT|"
    "CANNOT|EVERY|REQUIRED|WARNING|URGENT|ESSENTIAL|PROHIBITED|ONLY|ALL|ANY|NOTHING|EVERYTHING|STOP|DO NOT|BEFORE|AFTER|VERY|NO|NOT"
)
_CAPITALS = re.compile(rf"(?<![\w'.$-])(?:{_EMPHATIC})(?![\w'-]|\.\w)")
"""Words that are written in capitals only to be loud; acronyms are none."""
_SHOUTED = re.compile(r"(?<![\w.$-])[A-Z]{2,}+(?:[ ,]++[A-Z]{2,}+){2,}+(?![\w-])")
"""Three words in capitals or more; acronyms in a row have no small word among them."""
_QUERY_WORDS = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|JOIN|NULL|EXISTS|UNION|TABLE)\b")
"""What makes `ALL`, `NOT` or `ANY` words of a query language."""
_ABSOLUTE = re.compile(
    r"\b(?:under no circumstances|without exceptions?|no exceptions|at all costs|no matter what|never ever|always,? always|"
    r"(?:it is|it's) (?:absolutely|imperative|crucial|vital)|absolutely (?:never|always|must|no|critical|essential|necessary)|"
    r"(?:extremely|very|super|critically|vitally) (?:important|critical)|(?:100|one hundred) ?% of the time|"
    r"every single time|the most important (?:rule|thing))\b|!{2,}",
    re.IGNORECASE,
)

_PROHIBITS = re.compile(
    r"\W*(?:please )?(?:(?:you )?(?:(?:must|should|may|can|do)(?: not|n['’]t)|(?:must|should) never)|cannot|never|avoid|"
    r"no(?! (?:longer|more|matter|one|need|problem|idea)\b)|don['’]t|refrain from|stop \w+ing)\b(?: ever)?(?: use\b)?",
    re.IGNORECASE,
)
"""How a clause begins that prohibits; `use` is what it prohibits, no way out."""
_NAMES_A_WAY = re.compile(
    r"\b(?:instead|rather|unless|until|except|without|only|but|before|first|otherwise|prefer|use|when|if|rather than|beyond|more than|"
    r"less than|outside|other than|just|even|anymore|yet|because|since|so that|so the|so it)\b|→|=>|\d",
    re.IGNORECASE,
)
"""What in a prohibition says, or leaves room for, what to do: an exception, a condition, a number, a reason."""
_CLAUSE_ENDS = re.compile(r"(?<=[.!?;])\s+|[:;]\s+|\s[-–—]+\s|\((?=\w)")
_USER_WANTS = re.compile(
    r"\W*(?:the |this |our |your )?(?:user|human|operator) (?:(?:really|always|never|usually|generally|often|strongly|clearly|also) )?"
    r"(?:likes|prefers|wants|needs|dislikes|hates|loves|expects|enjoys|appreciates|requires|insists|cares about|values|"
    r"would (?:like|prefer|rather)|is not a fan|is a fan|(?:does not|doesn['’]t) (?:like|want|need|care|appreciate|enjoy|expect))\b",
    re.IGNORECASE,
)
_AGENT_SHOULD = re.compile(
    r"\W*(?:(?:(?:the|this|your) )?(?:agent|assistant)|(?:the|this|your) (?:model|ai|bot|llm)) "
    r"(?:should|must|shall|needs? to|has to|ought|"
    r"is (?:expected|supposed|required|to))\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"[,;:—–]| - |\bso\b", re.IGNORECASE)
"""A statement about the user may say why a rule holds; then the rule follows."""


def check(page: Page) -> Iterator[Finding]:
    """The findings of this family."""
    for number, one in page.says():
        if not is_example(one):
            yield from _statement(page, number, one)
    for one in page.prose.statements:
        if one.kind == Kind.HEADING and one.english:
            yield from _loud(page, one)


def _statement(page: Page, number: int, one: Statement) -> Iterator[Finding]:
    yield from _loud(page, one)
    if not page.prose.has_more(number):  # what stands below may say what to do
        yield from _prohibition(page, one)
    yield from _person(page, one)


def _loud(page: Page, one: Statement) -> Iterator[Finding]:
    """Capitals and absolutes, once for each statement."""
    prose = one.unquoted
    capitals = [] if _QUERY_WORDS.search(prose) else _capitals(prose)
    if capitals:
        words = list(dict.fromkeys(found[0] for found in capitals))
        shown = ", ".join(words[:4])
        yield ALL_CAPS.found(
            page.path,
            f"Capitals for emphasis: {shown}. Say it plainly, with the reason.",
            line=one.line_at(capitals[0].start()),
            actual=shown,
            suggestion=f"Write {', '.join(word.lower() for word in words[:4])} and say why it matters.",
        )
    absolute = _ABSOLUTE.search(prose)
    if absolute:
        yield ABSOLUTE_EMPHASIS.found(
            page.path,
            f"Absolute emphasis: {absolute[0]!r}. An overstated rule is applied where it should not be.",
            line=one.line_at(absolute.start()),
            actual=absolute[0],
            suggestion="Leave the emphasis out and give the reason; a reason carries further.",
        )


def _capitals(prose: str) -> list[re.Match[str]]:
    """Where words are in capitals only to be loud: one short word alone may be an answer or a label, such as `NO`."""
    shouted = [found for found in _SHOUTED.finditer(prose) if traits(found[0]).english or "PLEASE" in found[0]]
    single = list(_CAPITALS.finditer(prose))
    if len(single) == 1 and single[0][0] in {"NO", "ALL", "ANY", "STOP", "BEFORE", "AFTER", "VERY"}:
        single = []
    return shouted or single


def _prohibition(page: Page, one: Statement) -> Iterator[Finding]:
    """A statement of which every clause prohibits; one with a reason can be generalised, so it is left alone."""
    found = _PROHIBITS.match(one.prose)
    if found is None or _NAMES_A_WAY.search(one.prose, found.end()):
        return
    clauses = [clause for clause in _CLAUSE_ENDS.split(one.prose) if clause.strip(" .,;:)")]
    if all(_PROHIBITS.match(clause) for clause in clauses):
        yield PROHIBITION_ONLY.found(
            page.path,
            f"This says what to avoid and not what to do: {quoted(one.text)!r}.",
            line=one.line,
            suggestion="Say what to do in that place, or begin with it and keep the prohibition as its second half.",
        )


def _person(page: Page, one: Statement) -> Iterator[Finding]:
    """Sentences that tell about the user or the agent where they could address the agent."""
    at = 0
    for sentence in one.sentences:
        start = one.prose.index(sentence, at)
        at = start + len(sentence)
        wants, should = _USER_WANTS.match(sentence), _AGENT_SHOULD.match(sentence)
        if should or (wants and not _GOES_ON.search(sentence, wants.end())):
            yield THIRD_PERSON.found(
                page.path,
                f"This tells about the {'agent' if should else 'user'} instead of addressing the agent: {quoted(sentence)!r}.",
                line=one.line_at(start),
                suggestion="Write what the agent is to do, in the imperative, with the reason behind a 'because'.",
            )
            return
