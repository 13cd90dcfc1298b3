"""Where a line came from, which memory leaves out: dates, who said it, and their words.

A record of what happened is told from what holds at any time: by the clause that it begins (`clauses`), by verbs that only people are
the subject of (`spoken`), and by what stands near a date, which may also be a deadline or the sample of a format.
"""

import re
from collections.abc import Iterator
from itertools import islice

from studio.domain.directory.findings import Finding
from studio.domain.directory.lint.clauses import is_a_case, tells_of_once
from studio.domain.directory.lint.examples import is_example
from studio.domain.directory.lint.pages import Page, quoted
from studio.domain.directory.lint.piling import RULE_BEGINS
from studio.domain.directory.lint.prose import Kind, Statement
from studio.domain.directory.lint.rule import Rule
from studio.domain.directory.lint.rules import PROVENANCE_DATE, PROVENANCE_NAME, PROVENANCE_QUOTE
from studio.domain.directory.lint.spoken import BY_SOMEBODY, CAPITALISED, IN_A_DISCUSSION, QUOTES, SOMEBODY_SAID

NEAR_CHARACTERS = 60
"""How far from a date the words stand that say what it is."""
BESIDE_CHARACTERS = 24
"""How far in front of a reference the words stand that make it a sample."""
MOST_DATES = 50
"""How many dates of one statement are looked at; with more of them it is a table of dates."""

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|"
    r"dec(?:ember)?)"
)
_YEAR, _DAY = r"(?:19|20)\d\d", r"[0-3]?\d(?:st|nd|rd|th)?"
_FULL_DATES = (
    rf"{_YEAR}-[01]\d-[0-3]\d(?:t[0-2]\d:\d\d(?::\d\d)?z?)?",
    rf"[0-3]?\d[./][0-3]?\d[./]{_YEAR}",
    rf"{_YEAR}/[01]?\d/[0-3]?\d",
    rf"{_MONTH}\.? {_DAY},? {_YEAR}",
    rf"{_DAY} (?:of )?{_MONTH}\.?,? {_YEAR}",
)
_NO_YEAR = rf"{_MONTH}\.? (?:the )?[0-3]?\d(?:st|nd|rd|th)|[0-3]?\d(?:st|nd|rd|th) (?:of )?{_MONTH}"
"""Only with the ending of a number; `May 2` may be the second time that something may."""
_DATE = re.compile(
    rf"(?<![\w./:-])(?:(?P<full>{'|'.join(_FULL_DATES)}|{_NO_YEAR})|{_MONTH} {_YEAR})(?![\w/-]|\.\d)",
    re.IGNORECASE,
)
_NAMED = re.compile(r"(?:@|(?!(?:the|our|my|user|human|he|she)\b)\w)", re.IGNORECASE)
"""How a subject begins that is a name, not a role."""
_SENTENCE_ENDS = re.compile(r"(?<!e\.g)(?<!i\.e)[.!?;]\s")
_SAYS_HOW_FRESH = re.compile(r"\blast (?:updated|modified|changed|reviewed)\W*$", re.IGNORECASE)
"""What `rederivable` tells of by itself."""
_BRACKET = re.compile(r"[(\[]")
_IS_A_SAMPLE = re.compile(
    r"\b(?:write|writes|written|format|formats|formatted|form|style|like|such as|as in|e\.g|for example|named?|number|numbers|"
    r"prefix|prefixed|shown?|spell|spelled)\b",
    re.IGNORECASE,
)
"""What in front of a date or a reference makes it the sample of a form."""
_IS_A_FACT = re.compile(
    r"\b(?:version|api|deadline|due|until|by|before|after|from|through|to|between|expire[sd]?|expiry|ends?|starts?|begins?|born|"
    r"birthday|anniversary|cut-?off|next|upcoming|scheduled|valid|effective|if|when|whether)\b",
    re.IGNORECASE,
)
"""What in front of a date makes it part of what is said: a deadline, a range, a version, a condition."""
_HAPPENED = re.compile(
    r"(?<!\bis )(?<!\bare )(?<!\bbe )\b(?:learn(?:ed|t)|noted|noticed|added|updated|modified|changed|agreed|decided|discussed|asked|"
    r"said|told|complained|confirmed|reported|requested|seen|saw|found|fixed|broke|failed|crashed|happened|shipped|reverted|measured|"
    r"tried|tested|verified|checked|introduced|switched|moved|renamed|removed|corrected|observed|incident|outage|retro|retrospective|"
    r"post-?mortem|complaint|feedback)\b",
    re.IGNORECASE,
)
"""What near a date makes it the time of something that happened."""
_SIGNS = re.compile(rf"(?:[(\[](?:[^()\[\]]{{0,40}}, )?(?:on )?|\b{CAPITALISED},? )$")
"""What stands before a date that signs a rule or a section: a bracket or a name. Else both may tell of an appointment."""
_FOLLOWS_THE_HEAD = re.compile(r"\W*(?:[:,)\]*_—–-]|$)|\W+[A-Z]")
"""What follows the date that a line of a log begins with."""

_TIME = (
    r"(?:yesterday|last (?:week|night|month|time|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|earlier today|this morning|the other day|"
    r"(?:a few|two|three|several|\d+) (?:days|weeks|months) ago|an? (?:day|week|month) ago)"
)
_PAST = (
    r"(?:\w+(?<!e)ed|agreed|was|were|had|did|broke|went|came|said|told|found|got|made|saw|lost|wrote|gave|took|fell|began|ran|left|"
    r"kept|sent|built|met)"
)
_SUBJECT = r"(?:we|i|you|he|she|they|it|(?:the|our|my|a) (?:\w+ )?\w+)"
_LATELY = re.compile(
    rf"\b(?:{_TIME},?(?! ?['’]s) (?:(?!is\b|are\b|be\b)\w+ ){{1,4}}?{_PAST}\b|"
    rf"{_SUBJECT} (?:\w+ly )?{_PAST}\b[^.;,]{{0,60}}\b{_TIME}(?=\W*$|[.,;:!)]| because| so\b| and\b| but\b))",
    re.IGNORECASE,
)
"""A main clause in the past tense, with a time that counts from a day nobody knows any more."""


def check(page: Page) -> Iterator[Finding]:
    """The findings of this family."""
    for one in page.prose.statements:
        if one.english and one.kind in {Kind.ITEM, Kind.PARAGRAPH, Kind.HEADING, Kind.QUOTE} and not is_example(one):
            yield from _dates(page, one)
            quote = _quote(one.prose)
            if quote and quote["speaker"] and not quote["name"] and is_a_case(page, one):
                continue
            if quote:
                yield _finding(PROVENANCE_QUOTE, page, one, quote, "in whose words it was said")
            else:
                yield from _names(page, one)


def incident(one: Statement) -> re.Match[str] | None:
    """Return what tells that an example is a record of one incident: when it happened, or who said what; or None."""
    prose = one.prose
    for date in islice(_DATE.finditer(prose), MOST_DATES):
        if date["full"] and (_HAPPENED.search(_before(prose, date)) or _HAPPENED.search(_after(prose, date))):
            return date
    later = (told for told in _LATELY.finditer(prose) if tells_of_once(prose, told.start()))
    named = (
        said
        for said in SOMEBODY_SAID.finditer(one.unquoted)
        if _NAMED.match(said[0]) and tells_of_once(prose, said.start())
    )
    return next(later, None) or next(named, None)


def _before(prose: str, date: re.Match[str]) -> str:
    """What stands near a date in front of it, in its sentence."""
    return _SENTENCE_ENDS.split(prose[max(0, date.start() - NEAR_CHARACTERS) : date.start()])[-1]


def _after(prose: str, date: re.Match[str]) -> str:
    """What stands near a date behind it, in its sentence."""
    return _SENTENCE_ENDS.split(prose[date.end() : date.end() + NEAR_CHARACTERS])[0]


def _dates(page: Page, one: Statement) -> Iterator[Finding]:
    prose = one.unquoted
    found = next((date for date in islice(_DATE.finditer(prose), MOST_DATES) if _is_a_record(one, prose, date)), None)
    found = found or next((told for told in _LATELY.finditer(prose) if tells_of_once(prose, told.start())), None)
    if found:
        yield _finding(PROVENANCE_DATE, page, one, found, "when this was learned")


def _is_a_record(one: Statement, prose: str, date: re.Match[str]) -> bool:
    """Whether a date says when something happened."""
    before, after = _before(prose, date), _after(prose, date)
    if _SAYS_HOW_FRESH.search(before) or _IS_A_SAMPLE.search(before) or _IS_A_FACT.search(_BRACKET.split(before)[-1]):
        return False
    first_sentence = date.start() <= len(before)
    at_the_head = first_sentence and not before.strip(" *_[(>•")
    behind_a_rule = not first_sentence or one.kind == Kind.HEADING or RULE_BEGINS.match(prose) is not None
    return (
        (at_the_head and _FOLLOWS_THE_HEAD.match(after) is not None)
        or (date["full"] is not None and behind_a_rule and _SIGNS.search(before) is not None)
        or _HAPPENED.search(before) is not None
        or _HAPPENED.search(after) is not None
    )


def _quote(prose: str) -> re.Match[str] | None:
    """What somebody said in their words; whoever has a name said it once, all others only where their clause tells of once."""
    for found in QUOTES.finditer(prose):
        if not found["speaker"] or found["name"] or tells_of_once(prose, found.start()):
            return found
    return None


def _names(page: Page, one: Statement) -> Iterator[Finding]:
    prose = one.unquoted
    said = (one_said for one_said in SOMEBODY_SAID.finditer(prose) if tells_of_once(prose, one_said.start()))
    found = next(said, None)
    if found and not _NAMED.match(found[0]) and is_a_case(page, one):
        return  # "User corrected you twice" below "Save a lesson when:"
    found = found or BY_SOMEBODY.search(prose)
    found = found or next((place for place in IN_A_DISCUSSION.finditer(prose) if not _is_a_sample(prose, place)), None)
    if found:
        yield _finding(PROVENANCE_NAME, page, one, found, "who said it, or where")


def _is_a_sample(prose: str, place: re.Match[str]) -> bool:
    return _IS_A_SAMPLE.search(prose, max(0, place.start() - BESIDE_CHARACTERS), place.start()) is not None


def _finding(rule: Rule, page: Page, one: Statement, found: re.Match[str], what: str) -> Finding:
    return rule.found(
        page.path,
        f"This tells {what}: {quoted(one.text[found.start() : found.end()])!r}.",
        line=one.line_at(found.start()),
        actual=quoted(one.text[found.start() : found.end()]),
        suggestion="Keep the principle and its reason; say in the commit message where it came from.",
    )
