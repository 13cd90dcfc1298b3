"""Where a line came from, which memory leaves out: dates, who said it, and their words."""

import re
from collections.abc import Iterator

from studio.domain.directory.findings import Finding
from studio.domain.directory.lint.blanking import BLANK
from studio.domain.directory.lint.examples import is_example
from studio.domain.directory.lint.pages import Page, quoted
from studio.domain.directory.lint.prose import Kind, Statement
from studio.domain.directory.lint.rules import PROVENANCE_DATE, PROVENANCE_NAME, PROVENANCE_QUOTE, Rule

_MONTHS = (
    *("jan(?:uary)?", "feb(?:ruary)?", "mar(?:ch)?", "apr(?:il)?", "may", "june?", "july?"),
    *("aug(?:ust)?", "sept?(?:ember)?", "oct(?:ober)?", "nov(?:ember)?", "dec(?:ember)?"),
)
_MONTH = "|".join(_MONTHS)
_YEAR, _DAY = r"(?:19|20)\d\d", r"[0-3]?\d(?:st|nd|rd|th)?"
_DATES = (
    rf"{_YEAR}-[01]\d-[0-3]\d(?:t[0-2]\d:\d\d(?::\d\d)?z?)?",
    rf"[0-3]?\d[./][0-3]?\d[./]{_YEAR}",
    rf"{_YEAR}/[01]?\d/[0-3]?\d",
    rf"(?:{_MONTH})\.? {_DAY},? {_YEAR}",
    rf"{_DAY} (?:of )?(?:{_MONTH})\.?,? {_YEAR}",
    rf"(?:{_MONTH}) {_YEAR}",
)
_DATE = re.compile(rf"(?<![\w./:-])(?:{'|'.join(_DATES)})(?![\w/-]|\.\d)", re.IGNORECASE)
_RECENTLY = re.compile(
    r"\b(?:yesterday|last (?:week|night|month|time|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|earlier today|this morning|"
    r"the other day|(?:a few|two|three|\d+) (?:days|weeks|months) ago)\b",
    re.IGNORECASE,
)
_A_FACT = re.compile(
    r"\b(?:version|api|release[ds]?|spec(?:ification)?|format|model|deadline|due|until|by|expire[sd]?|expiry|ends?|starts?|begins?|"
    r"from|born|birthday|anniversary|before|after|through|cut-?off|valid|effective|schema|rfc|iso|deprecated|sunset|like|as in|if|when|"
    r"whether)\b",
    re.IGNORECASE,
)
"""What makes a date part of what is said rather than of where it came from."""
_A_FACT_REACHES_CHARACTERS = 40

_SAYING = (
    r"(?:said|says so|told (?:me|us|you|them|the)|asked|complained|mentioned|insisted|corrected|pointed out|requested|clarified|"
    r"confirmed|explained|reported|decided|rejected|objected|warned|noticed|caught|replied|agreed|wrote that|reminded|"
    r"(?:got|was) (?:angry|annoyed|frustrated|upset|unhappy|confused))"
)
_NAME = r"[A-Z][a-zà-öø-ÿ'’-]+"
_SOMEBODY_SAID = re.compile(
    # "what the user asked" and "when the user told you" are rules for any such time, and tell of none
    rf"(?<![\w{BLANK}])(?<![Ww]hat )(?<![Ww]hen )(?<![Ww]hether )(?<![Ww]hich )(?<!\b[Ii]f )"
    rf"(?P<who>{_NAME}(?: {_NAME})?|[Tt]he (?:user|operator|client|human)|[Ss]?[Hh]e) "
    rf"(?:(?:also|then|explicitly|once|has|have|had) )?{_SAYING}\b"
)
_BY_SOMEBODY = re.compile(
    r"\b(?:(?:[Aa]s )?(?:[Rr]equested|[Aa]sked|[Ii]nstructed|[Pp]ointed out|[Mm]entioned|[Rr]eported|[Ss]uggested) by|[Pp]er|"
    rf"[Aa]ccording to|[Ff]eedback (?:from|by)|[Cc]orrection (?:from|by)|[Ll]earned from) (?P<who>{_NAME}|the user)\b(?!['’]s? \w)|"
    rf"\b(?P<whose>{_NAME})['’]s? (?:feedback|request|complaint|comment|suggestion|correction|remark|reaction)\b"
)
_IN_A_DISCUSSION = re.compile(
    r"\((?:@[A-Za-z][\w-]{1,38}\b|(?:see |from |in |cf\. )?(?:(?:issue|pr|pull request|discussion|ticket|mr|commit)s? )?#\d+)|"
    r"\b(?:issue|pr|pull request|discussion|ticket|mr) #\d+",
    re.IGNORECASE,
)
_NAMES_NOBODY = (
    "It This That These Those What Who Which They We You I When If Once Unless As Because Since While Although Though Where "
    "How Why And But Or So Then There Here Not No Nobody Someone Somebody Anyone Everyone One Users People Tests Test Each "
    "Every All Some Any Whatever Whoever Never Always Only After Before Until Day Hour Minute Second Week Month Year "
    "Default Request Unit Line Item File Node Python Docker Git Nothing Something Otherwise Exactly Explicitly Previously "
    "Recently Properly"
)
_NOBODY = frozenset(_NAMES_NOBODY.split())
"""Capitalised words in front of such a verb, or behind `per`, that name nobody."""

_QUOTE = r"[\"“][^\"“”]{12,}[\"”]"
_SPEECH = re.compile(
    rf"\b(?:{_SAYING}|saying|says|wrote|writes|verbatim)\b[^\"“”.]{{0,30}}{_QUOTE}|"
    rf"{_QUOTE},? (?:[—–-]+ ?{_NAME}|(?:{_NAME}|the user|user|he|she|they) {_SAYING}|\((?:{_NAME}|user)\b)"
)


def check(page: Page) -> Iterator[Finding]:
    """The findings of this family."""
    for one in page.prose.statements:
        if one.english and one.kind in {Kind.ITEM, Kind.PARAGRAPH, Kind.HEADING, Kind.QUOTE} and not is_example(one):
            yield from _dates(page, one)
            speech = _SPEECH.search(one.prose)
            if speech:
                yield _finding(PROVENANCE_QUOTE, page, one, speech, "in whose words it was said")
            else:
                yield from _names(page, one)


def _dates(page: Page, one: Statement) -> Iterator[Finding]:
    prose = one.unquoted
    date = _DATE.search(prose)
    if date and _A_FACT.search(prose, max(0, date.start() - _A_FACT_REACHES_CHARACTERS), date.start()):
        date = None
    found = date or _RECENTLY.search(prose)
    if found:
        yield _finding(PROVENANCE_DATE, page, one, found, "when this was learned")


def _names(page: Page, one: Statement) -> Iterator[Finding]:
    prose = one.unquoted
    found = next((found for found in _SOMEBODY_SAID.finditer(prose) if found["who"].split()[0] not in _NOBODY), None)
    found = found or next(
        (found for found in _BY_SOMEBODY.finditer(prose) if (found["who"] or found["whose"]) not in _NOBODY), None
    )
    found = found or _IN_A_DISCUSSION.search(one.text)
    if found:
        yield _finding(PROVENANCE_NAME, page, one, found, "who said it, or where")


def _finding(rule: Rule, page: Page, one: Statement, found: re.Match[str], what: str) -> Finding:
    return rule.found(
        page.path,
        f"This tells {what}: {quoted(one.text[found.start() : found.end()])!r}.",
        line=one.line_at(found.start()),
        actual=quoted(one.text[found.start() : found.end()]),
        suggestion="Keep the principle and its reason; say in the commit message where it came from.",
    )
