"""How a text tells that somebody said something: who spoke, on whose behalf, in which discussion, in what words.

A name is a capitalised word, and so is the first word of every sentence and every product. So it takes verbs that only people are the
subject of, in forms that are no participle: `Fields mentioned in the schema` and `Postgres warned` tell of nobody.
"""

import re

_NAMES_NOBODY = (
    "It This That These Those What Who Which They We You I When If Once Unless As Because Since While Although Though Where "
    "How Why And But Or So Then There Here Not No Nobody Someone Somebody Anyone Everyone One Users People Customers Most Each "
    "Every All Some Any Whatever Whoever Never Always Only After Before Until Anything Everything Nothing Something Today Yesterday "
    "User Users Human Operator Customer Agent Assistant"
)
CAPITALISED = r"[A-Z][a-zà-öø-ÿ'’-]+"
"""A word that may be a name."""
_NAME = rf"(?:(?!(?:{_NAMES_NOBODY.replace(' ', '|')})\b){CAPITALISED}|@[A-Za-z][\w-]+)"
_ROLE = r"(?:[Tt]he|[Oo]ur|[Mm]y) (?:user|customer|human|operator|manager|boss)"
_SHE = r"[Ss]?[Hh]e"
_WHO = rf"(?:{_NAME}|{_ROLE})"
_ADVERB = r"(?:(?:also|both|then|explicitly|once|just|later|already|repeatedly|has|have|had) )*?"
_DEEDS_OF_PEOPLE = (
    r"said|complained|insisted|objected|pushed back|wrote that|thanked|apologi[sz]ed",
    r"told (?:me|us|you|them|him|her|everyone|the)",
    r"asked (?:me|us|you|for|to|if|whether|that|why|about|not)",
    r"requested (?:that|an?|the|more|less|fewer|\w+er)",
    r"mentioned (?:that|how|it|the)",
    r"pointed out(?! (?:by|in|at))",
    r"clarified (?:that|how|what)",
    r"explained (?:that|how|why)",
    r"suggested (?:that|we|to|\w+ing)",
    r"decided (?:that|to|on|against)",
    r"agreed (?:that|to)(?! by)",
    r"noticed (?:that|the|an?|my|our)",
    r"corrected (?:me|us|my|the)",
    r"reminded (?:me|us)",
    r"(?:got|was) (?:angry|annoyed|frustrated|upset|unhappy|confused)",
)
"""What only people did, whoever they are."""
_DONE_BY_PEOPLE = "|".join(_DEEDS_OF_PEOPLE)
_DONE_BY_PROGRAMS_TOO = (
    "asked|wrote|confirmed|corrected|requested|reported|rejected|warned|noticed|caught|replied|answered|explained|mentioned|agreed|"
    "decided"
)
"""What takes a person as its subject to tell of one."""
SOMEBODY_SAID = re.compile(
    rf"(?<![\w@])(?:{_NAME}(?: {_NAME}| (?:from|in) \w+)? {_ADVERB}(?:{_DONE_BY_PEOPLE})|"
    rf"(?:{_ROLE}|{_SHE}) {_ADVERB}(?:{_DONE_BY_PEOPLE}|{_DONE_BY_PROGRAMS_TOO}))\b"
)
"""A subject with its verb; only where it begins a main clause it tells of one time."""

_REACTION = r"(?:feedback|requests?|complaints?|comments?|suggestions?|corrections?|remarks?|reactions?)"
_ONLY_A_REACTION = r"\b(?! (?!(?:on|about|in|from|that|and)\b)\w)"
"""So that `Django's request object` is none."""
_BECAUSE_OF = r"(?:[Aa]fter|[Ff]ollowing|[Aa]t|[Pp]er|[Bb]ased on|[Bb]ecause of|[Dd]ue to|[Gg]iven)"
_REQUESTED = r"(?:[Rr]equested|[Aa]sked|[Ii]nstructed|[Pp]ointed out|[Mm]entioned|[Ss]uggested)"
BY_SOMEBODY = re.compile(
    "|".join(
        (
            rf"(?:\b[Aa]s |^|[(,;—–] ?){_REQUESTED} by {_WHO}\b",
            rf"\b{_BECAUSE_OF} {_NAME}['’]s? {_REACTION}{_ONLY_A_REACTION}",
            rf"(?:^|[(:;—–.] ?|\b{_BECAUSE_OF} )(?:[Ff]eedback|[Cc]orrection|[Cc]omplaint)s? (?:from|by) {_WHO}\b",
            rf"(?:^|[(,;—–] ?)(?:[Ll]earn(?:ed|t)|[Hh]eard) from {_WHO}(?=\W*$|[),.;:])",
            rf"(?:^|[(] ?)(?:[Pp]er|[Aa]ccording to) {_WHO}(?=[,:)])",
            r"\bDay \d+[*_,(\[ ]+@[A-Za-z][\w-]*",  # a line of a diary
        )
    )
)
"""On whose behalf something is so."""

_THREAD = r"(?:issue|pr|pull request|discussion|ticket|mr|commit)s? "
_NUMBER = r"#\d{1,5}(?![\w-])"
_ANY_NUMBER = rf"(?:the )?(?:github )?(?:{_THREAD})?{_NUMBER}"
IN_A_DISCUSSION = re.compile(
    "|".join(
        (
            rf"\((?:(?:see|from|in|per|via|cf\.) )?{_ANY_NUMBER}",
            rf"(?:\[|, ){_THREAD}{_NUMBER}(?=[^()\[\]]{{0,60}}[)\]])",
            rf"[,;—–] (?:also )?(?:see|cf\.) {_ANY_NUMBER}",
            rf"\b(?:from:[*_]*|per|after|since|because of) (?:the )?(?:github )?{_THREAD}{_NUMBER}",
            rf"\b(?:learned|decided|discussed|agreed|asked) in {_ANY_NUMBER}",
            rf"(?:^|(?<=[.!?] )){_THREAD}{_NUMBER}(?=:| (?:was|had|\w+ed)\b)",
        )
    ),
    re.IGNORECASE,
)
"""Where something was said; `See issue #12 for the flags` and `Close issue #12` point to what is there."""

_QUOTE = r"[\"“][^\"“”]{12,}[\"”]"
_SAID = r"(?:said|asked|wrote|complained|replied|answered|insisted|explained|warned|told \w+)"
QUOTES = re.compile(
    "|".join(
        (
            rf"(?<![\w@])(?P<speaker>(?P<name>{_NAME})|{_ROLE}|{_SHE}) {_ADVERB}{_SAID}\b[^\"“”.]{{0,30}}{_QUOTE}",
            rf"{_QUOTE},? (?:[—–]|--) ?{_NAME}(?=\W*$|[,.])",
            rf"{_QUOTE},? (?:{_NAME}|[Tt]he user|{_SHE}|they) {_SAID}\b",
            rf"{_QUOTE},? {_SAID} {_NAME}",
            rf"{_QUOTE} \({_NAME}\)",
        )
    )
)
"""Words in quotes with who said them; the first row has groups for the speaker, and for one with a name."""
