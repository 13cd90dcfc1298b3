"""How a rule is worded: capitals, absolutes, and the third person."""

import re
from collections.abc import Iterable, Iterator, Sequence

from studio.domain.directory.findings import Finding
from studio.domain.directory.lint.blanking import BLANK
from studio.domain.directory.lint.clauses import is_a_case
from studio.domain.directory.lint.examples import is_example
from studio.domain.directory.lint.pages import Page, quoted
from studio.domain.directory.lint.prose import Statement
from studio.domain.directory.lint.rules import ABSOLUTE_EMPHASIS, ALL_CAPS, THIRD_PERSON

MOST_WORDS_SHOWN = 4
"""How many words in capitals a message names."""
MOST_LINES_SHOWN = 6
"""How many lines a message names; the finding has all of them."""
LONGEST_LABEL_CHARACTERS = 60
"""A longer statement is no label."""
MANY_MENTIONS = 5
"""In how many statements a text speaks of "the agent" that is about another one, which the reader watches or instructs."""
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
_AN_ORDINARY_WORD = rf"[ *_]{{1,5}}(?!(?:and|or|as|if|in|on|when|for|to|means|is|are|lists?|sections?)\b)[a-z{BLANK}]"
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
_SHOUTED = re.compile(r"(?<![\w.$-])(?<![A-Z], )[A-Z]{2,}+(?: [A-Z]{2,}+){2,}+(?![\w-]|, [A-Z]{2})")
"""Three words in capitals or more; several such behind commas are names of sections."""
_SMALL_IN_CAPITALS = re.compile(
    r"\b(?:THE|THIS|THAT|THESE|THOSE|YOU|YOUR|WE|OUR|BE|PLEASE|MUST|NEVER|ALWAYS|EVERY|EVERYTHING)\b"
)
"""What makes three words in capitals or more a sentence; acronyms and queries in a row have none of them."""
_QUERY_WORDS = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|JOIN|NULL|EXISTS|UNION|TABLE)\b")
"""What makes `ALL`, `NOT` or `ANY` words of a query language."""
_LABEL = re.compile(r"[^.!?:;]+:\W*|\W*\*\*[^.!?:;*]+\*\*\W*|={2,}[^=]+={2,}\W*")
"""What ends with a colon, is nothing but bold, or stands between double lines."""
_ORDINARY = re.compile(r"\b[a-z]{3,}")
"""A word that makes capitals beside it emphasis, where a label has none."""
_IN_CAPITALS = re.compile(r"\b[A-Z]{2,}+(?:['’]T\b)?(?: [A-Z]{2,}+)*+")
_ABSOLUTE = re.compile(
    r"\b(?:under (?:no|any) circumstances?|without exception\b(?!s)|without fail\b(?! to)|at (?:all costs|any cost)|never ever|"
    r"no matter what(?=\W*$|[.,;!)])|always,? always|(?<!\bif )(?<!\bunless )(?:it is|it's) (?:absolutely|imperative|crucial|vital)|"
    r"(?<!\bif )(?<!\bunless )(?<!\bwhen )(?<!\bwhere )(?<!\bnot )absolutely (?:never|always|must|no|critical|essential|forbidden)|"
    r"(?:is|are|be) (?:strictly|absolutely) (?:forbidden|prohibited|mandatory)|(?:is|are) (?:non-negotiable|nonnegotiable)|"
    r"(?:is|are|be) (?:extremely|very|super|critically|vitally) (?:important|critical)|"
    r"(?:always|must|be) [^.!?;]{0,40}(?:100|one hundred) ?% of the time|every single time|"
    r"(?:is|as) the most important (?:rule|thing)|the most important (?:rule|thing) (?:is|here)|"
    r"(?<!\bavailable )(?<!\brunning )(?<!\bopen )(?<!\bonline )(?<!\bup )at all times)\b|"
    r"(?:^|[.!?,;:—–(-] ?)[*_]{0,2}(?:no|zero) (?:exceptions|excuses|compromises)\b"
    r"(?! (?:are|is|were|was|may|can|could|should|will|must|have|thrown|raised|from|to|for|in|of|at|here|and|or|when|if)\b)|!{2,}",
    re.IGNORECASE,
)

_USER_WANTS = re.compile(
    r"\W*(?:(?:the |this |our |your |my )?(?:user|human|operator) "
    r"(?:(?:really|always|never|usually|generally|often|strongly|clearly|also) )?"
    r"(?:likes|prefers|wants|dislikes|hates|loves|expects|appreciates|insists|"
    r"would (?:like|prefer|rather)|is not a fan|is a fan|(?:does not|doesn['’]t) (?:like|want|care|appreciate|enjoy|expect))\b|"
    r"(?:strongly |generally |usually |always |also )?(?:prefers|dislikes|hates)\b(?=[* _]))(?!\W+you(?:r agent)?\b)",
    re.IGNORECASE,
)
"""What somebody wants of the agent; what they need, enjoy or value may be a fact about them, and "wants you to" speaks to the agent."""
_AGENT_SHOULD = re.compile(
    r"\W*(?:(?:(?:the|this|your) )?(?:agent|assistant)|(?:ai |coding )*(?:agents|assistants|llms)|claude(?: code)?|"
    r"(?:the|this|your) (?:ai|llm)) "
    r"(?:should|must|shall|needs? to|has to|have to|ought|(?:is|are) (?:expected|supposed|required|to))\b"
    r"(?! (?:not )?be \w+(?:ed|n)\b)",
    re.IGNORECASE,
)
"""A rule about the agent; what must be restarted or retrained is a program."""
_AN_AGENT = re.compile(r"\b(?:the|an) agents?\b", re.IGNORECASE)
_GOES_ON = re.compile(r"[,;:?→—–]| - |\bso\b", re.IGNORECASE)
"""A statement about the user may say why a rule holds, or ask for which case; then the rule follows."""


def check(page: Page) -> Iterator[Finding]:
    """The findings of this family."""
    said = [one for _, one in page.says() if not is_example(one)]
    yield from _loud(page, said)
    other_agent = sum(_AN_AGENT.search(one.prose) is not None for one in said) >= MANY_MENTIONS
    for one in said:
        yield from _absolute(page, one)
        yield from _person(page, one, other_agent=other_agent)


def _loud(page: Page, said: Iterable[Statement]) -> Iterator[Finding]:
    """Capitals for emphasis, once for the text; headings and labels may be in capitals."""
    lines: list[int] = []
    words: dict[str, None] = {}
    for one in said:
        prose = one.unquoted
        capitals = [] if _QUERY_WORDS.search(prose) or _is_label(prose) else _capitals(prose)
        if capitals:
            lines.append(one.line_at(capitals[0].start()))
            words.update(dict.fromkeys(found[0] for found in capitals))
    if lines:
        shown = ", ".join(list(words)[:MOST_WORDS_SHOWN])
        many = f" in {len(lines):,} places (lines {_listed(lines)})" if len(lines) > 1 else ""
        yield ALL_CAPS.found(
            page.path,
            f"Capitals for emphasis{many}: {shown}. Say it plainly, with the reason.",
            lines=lines,
            actual=shown,
            suggestion=f"Write {shown.lower()} and say why it matters.",
        )


def _listed(lines: Sequence[int]) -> str:
    more = f" and {len(lines) - MOST_LINES_SHOWN:,} more" if len(lines) > MOST_LINES_SHOWN else ""
    return ", ".join(map(str, lines[:MOST_LINES_SHOWN])) + more


def _is_label(prose: str) -> bool:
    """Whether a statement only names what comes below it, as `MANDATORY STEPS:`."""
    return (
        len(prose) <= LONGEST_LABEL_CHARACTERS and _LABEL.fullmatch(prose) is not None and not _ORDINARY.search(prose)
    )


def _absolute(page: Page, one: Statement) -> Iterator[Finding]:
    found = _ABSOLUTE.search(one.unquoted)
    if found:
        words = quoted(found[0].strip(" .!?,;:—–-(*_"))
        yield ABSOLUTE_EMPHASIS.found(
            page.path,
            f"Absolute emphasis: {words!r}. An overstated rule is applied where it should not be.",
            line=one.line_at(found.end() - 1),
            actual=words,
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


def _person(page: Page, one: Statement, *, other_agent: bool) -> Iterator[Finding]:
    """Sentences that tell about the user or the agent where they could address the agent.

    Args:
        page: the text.
        one: its statement.
        other_agent: whether the text is about another agent than the one that reads it.
    """
    at = 0
    for sentence in one.sentences:
        start = one.prose.index(sentence, at)
        at = start + len(sentence)
        wants, should = _USER_WANTS.match(sentence), not other_agent and _AGENT_SHOULD.match(sentence)
        if should or (wants and not _GOES_ON.search(sentence, wants.end()) and not is_a_case(page, one)):
            yield THIRD_PERSON.found(
                page.path,
                f"This tells about the {'agent' if should else 'user'} instead of addressing the agent: "
                f"{quoted(one.text[start : start + len(sentence)])!r}.",
                line=one.line_at(start),
                suggestion="Write what the agent is to do, in the imperative, with the reason behind a 'because'.",
            )
            return
