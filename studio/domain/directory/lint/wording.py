"""How a rule is worded: capitals, absolutes, prohibitions alone, and the third person."""

import re
from collections.abc import Iterator

from studio.domain.directory.findings import Finding
from studio.domain.directory.lint.blanking import BLANK
from studio.domain.directory.lint.examples import is_example
from studio.domain.directory.lint.pages import Page, quoted
from studio.domain.directory.lint.prose import Kind, Statement
from studio.domain.directory.lint.rules import ABSOLUTE_EMPHASIS, ALL_CAPS, PROHIBITION_ONLY, THIRD_PERSON

LONGEST_NAMING_CHARACTERS = 16
"""How far in front of capitals a word may stand that makes them a name."""

_NAME = r"(?!(?:ALWAYS|NEVER|ONLY|NOTHING|EVERYTHING)\b)[A-Z]{2,}+"
_LISTED = re.compile(rf"(?<![A-Z] )\b{_NAME}(?:(?:,? (?:and|or|AND|OR) |, |/){_NAME})++(?! [A-Z]{{2}})")
"""Words in capitals joined as a list are names: `GET OR POST`, `AND, OR and NOT`, `MUST and SHOULD`."""
_IS_NAMED = re.compile(
    r"\b(?:label|labell?ed|marked|tagged|titled|called|named|word|keyword|operator|flag|header|status|state|level)\W+$"
)
"""What in front of capitals makes them a name."""
_WORD = r"(?<![\w'’.$-])"
_AN_ORDINARY_WORD = rf"[ *_]{{1,5}}(?!(?:and|or|as|if|in|on|when|for|to|means|is|are)\b)[a-z{BLANK}]"
_VERB_OR_PAUSE = (
    r"(?:\b(?i:do|does|is|are|was|were|be|must|should|shall|can|could|will|would|may|might|have|has|but|what|and|it) |"
    r"[—–;,(-] ?|^)[*_]{0,3}"
)
_LOUD = re.compile(
    "|".join(
        (
            # an adverb with the plain word that it stresses; "set it to NEVER in tests" names a value
            rf"{_WORD}(?:ALWAYS|NEVER|EVER|MUST|SHALL|CANNOT|DON['’]?T|WON['’]T){_AN_ORDINARY_WORD}",
            rf"{_WORD}(?:ABSOLUTELY|STRICTLY|IMMEDIATELY|EVERY|EVERYTHING|NOTHING){_AN_ORDINARY_WORD}",
            rf"{_WORD}(?<![A-Z] )ONLY(?:{_AN_ORDINARY_WORD}|[ *_]{{1,5}}(?:if|in|on|when|for|to)\b)",
            r"[.!?,;—–-] \W{0,2}(?:ALWAYS|NEVER|EVERY TIME|NO EXCEPTIONS?)\b",
            # "not" behind a verb or a pause, or before a participle; "use NOT to exclude a term" names an operator
            rf"{_VERB_OR_PAUSE}NOT\b(?:[ *_]{{1,5}}(?:[a-z\d{BLANK}]|[A-Z][a-z])|\W*$)",
            rf"{_WORD}NOT [a-z]+(?:ed|ing)\b",
            rf"{_WORD}(?:DO|DOES|IS|ARE|WILL|MUST|SHOULD|CAN|MAY) NOT\b",
            # a label in front, or what something is said to be; "CRITICAL alerts" names a level
            r"(?:^|[.!?] )\W{0,3}(?:IMPORTANT|MANDATORY)\b",
            r"(?:^|[.!?—–] )\W{0,3}(?:CRITICAL|WARNING|CAUTION|ATTENTION|URGENT|REQUIRED|ESSENTIAL)\b(?: [A-Z]+)?\W{0,3}[:!—–]",
            r"\b(?:is|are|be) [*_]{0,3}(?:IMPORTANT|MANDATORY|REQUIRED|ESSENTIAL|FORBIDDEN|PROHIBITED)\b",
        )
    )
)
"""Words in capitals that can only be meant to be loud, with the words around them that tell so."""
_LOUD_IN_PAIRS = re.compile(r"(?<![\w'.$-])(?:ALL|ANY|BEFORE|AFTER|NO|VERY|STOP) (?=[a-z])")
"""Words of which one alone may be an answer or a label."""
_SHOUTED = re.compile(r"(?<![\w.$-])[A-Z]{2,}+(?:[ ,]++[A-Z]{2,}+){2,}+(?![\w-])")
_SMALL_IN_CAPITALS = re.compile(
    r"\b(?:THE|THIS|THAT|THESE|THOSE|YOU|YOUR|WE|OUR|BE|PLEASE|MUST|NEVER|ALWAYS|EVERY|EVERYTHING)\b"
)
"""What makes three words in capitals or more a sentence; acronyms and queries in a row have none of them."""
_QUERY_WORDS = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|JOIN|NULL|EXISTS|UNION|TABLE)\b")
"""What makes `ALL`, `NOT` or `ANY` words of a query language."""
_IN_CAPITALS = re.compile(r"\b[A-Z]{2,}+(?:['’]T\b)?(?: [A-Z]{2,}+)*+")
_ABSOLUTE = re.compile(
    r"\b(?:under no circumstances|without exception\b(?!s)|at all costs|no matter what(?=\W*$|[.,;!)])|never ever|always,? always|"
    r"(?<!\bif )(?<!\bunless )(?:it is|it's) (?:absolutely|imperative|crucial|vital)|"
    r"absolutely (?:never|always|must|no|critical|essential)|"
    r"(?:is|are|be) (?:extremely|very|super|critically|vitally) (?:important|critical)|(?:100|one hundred) ?% of the time|"
    r"every single time|(?:is|as) the most important (?:rule|thing)|the most important (?:rule|thing) (?:is|here)|"
    r"(?<=[.!?] )no exceptions(?! (?:are|may|can|from)))\b|!{2,}",
    re.IGNORECASE,
)

_PROHIBITS = re.compile(
    r"\W*(?:please )?(?:(?:you )?(?:(?:must|should|may)(?: not|n['’]t)|(?:must|should) never)|do(?: not|n['’]t)|never|avoid|"
    r"no(?= \w+ing\b(?!.{0,80}\b(?:is|are)\b))|refrain from|stop \w+ing)\b(?: ever)?(?: use\b)?"
    r"(?! (?:forget|hesitate|worry|fail|miss)\b|[*_]*:)",
    re.IGNORECASE,
)
"""How a clause begins that prohibits; `use` is what it prohibits, no way out. `You cannot` and `No tests are` tell facts."""
_NAMES_A_WAY = re.compile(
    r"\b(?:instead|rather|unless|until|except|without|only|but|before|first|otherwise|means|prefer|use|when|where|while|if|beyond|"
    r"(?:rather|more|less|other) than|outside|just|even|anymore|yet|because|since|so (?:that|the|it)|"
    r"as (?:it|they|this|that|the|we|you)|to (?:keep|make|let|help|protect|save|ensure|prevent)|it is|they are)\b|→|=>|\d|:\W*$",
    re.IGNORECASE,
)
"""What in a prohibition says, or leaves room for, what to do: an exception, a condition, a number, a reason, a list below."""
_CLAUSE_ENDS = re.compile(r"(?<=[.!?;])\s+|[:;]\s+|\s[-–—]+\s|\((?=\w)")
_USER_WANTS = re.compile(
    r"\W*(?:the |this |our |your )?(?:user|human|operator) (?:(?:really|always|never|usually|generally|often|strongly|clearly|also) )?"
    r"(?:likes|prefers|wants|dislikes|hates|loves|expects|appreciates|insists|"
    r"would (?:like|prefer|rather)|is not a fan|is a fan|(?:does not|doesn['’]t) (?:like|want|care|appreciate|enjoy|expect))\b",
    re.IGNORECASE,
)
"""What somebody wants of the agent; what they need, enjoy or value may be a fact about them."""
_AGENT_SHOULD = re.compile(
    r"\W*(?:(?:(?:the|this|your) )?(?:agent|assistant)|(?:the|this|your) (?:ai|llm)) "
    r"(?:should|must|shall|needs? to|has to|ought|is (?:expected|supposed|required|to))\b(?! be \w+ed\b)",
    re.IGNORECASE,
)
"""A rule about the agent; what must be restarted or retrained is a program."""
_GOES_ON = re.compile(r"[,;:?→—–]| - |\bso\b", re.IGNORECASE)
"""A statement about the user may say why a rule holds, or ask for which case; then the rule follows."""


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
    """The words that are in capitals only to be loud."""
    plain = _LISTED.sub(lambda found: BLANK * len(found[0]), prose)
    shouted = [found for found in _SHOUTED.finditer(plain) if _SMALL_IN_CAPITALS.search(found[0])]
    loud = [
        found
        for found in _LOUD.finditer(plain)
        if not _IS_NAMED.search(plain, max(0, found.start() - LONGEST_NAMING_CHARACTERS), found.start())
    ]
    in_pairs = list(_LOUD_IN_PAIRS.finditer(plain))
    places = shouted or loud or (in_pairs if len(in_pairs) > 1 else [])
    return [word for found in places for word in _IN_CAPITALS.finditer(plain, found.start(), found.end())]


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
