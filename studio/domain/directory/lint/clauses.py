"""Whether words tell of one thing that happened, or of any such time: what the clause begins with that they stand in."""

import re

from studio.domain.directory.lint.pages import Page
from studio.domain.directory.lint.prose import Statement

REACH_CHARACTERS = 60
"""How far in front of the words their clause may have begun; a longer beginning is no opening."""

_ENDS = re.compile(r"[.!?:;,()\[\]—–\"“”]|\s-\s")
_OPENS = re.compile(
    r"(?:|(?:.*\W)?(?:because|since|and|but|so)|as|then|also|today|yesterday|earlier|once more|last \w+|this \w+)",
    re.IGNORECASE,
)
"""What may stand between the beginning of a clause and its subject: nothing, what joins it to the one before, or a time."""
_GENERAL = re.compile(
    r"\b(?:if|when|whenever|whether|unless|until|once|what|whatever|which|who|whom|whose|that|where|how|why|every|each|any|in case)\b",
    re.IGNORECASE,
)
"""What makes a clause hold at any such time: a condition, a question or a relative."""


def tells_of_once(prose: str, at: int) -> bool:
    """Whether a subject at this place begins a main clause, so that its past tense is a record of what happened.

    `the user asked` is one in "The user asked for tea" and in "Keep it short, because the user asked"; it is none in "When the user
    asked for tea", "Do what the user asked" and "Answer the question the user asked", which are rules for any such time.
    """
    clause = _ENDS.split(prose[max(0, at - REACH_CHARACTERS) : at])[-1]
    return _OPENS.fullmatch(clause.strip(" *_>•\t'’")) is not None and _GENERAL.search(clause) is None


_NAMES_CASES = re.compile(
    r"\b(?:when|if|whenever|once|triggers?|cases?|scenarios?|signals?|signs?|use (?:this|it|for)|not for|examples?|phrases|after)\b",
    re.IGNORECASE,
)
"""What a heading or an introduction says whose list names cases, each of which may happen at any time."""


def is_a_case(page: Page, one: Statement) -> bool:
    """Whether a statement is one of a list of cases, as below "Suggest this when:"."""
    above = (one.parent, one.introduction, one.heading)
    return any(at is not None and _NAMES_CASES.search(page.prose.statements[at].prose) is not None for at in above)
