"""Looks for keys of known formats, with the detectors of detect-secrets and a few formats that they lack (decision 35).

Only formats that a provider defines: nothing is guessed from entropy or from words such as "password", so prose stays prose.
Nothing is verified over a network, and no key leaves this module. Loading the detectors takes longer than a commit should, so
each is loaded only for a line that holds a long word with capitals or digits, what every key of its formats holds, and no key of our
own formats.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import NamedTuple, Protocol

from studio.domain.bodies import Body
from studio.domain.directory.secrets import KeyFound

WINDOW_CHARACTERS = 2_048
"""Longer lines are read in pieces, so that no line costs more than its length."""
OVERLAP_CHARACTERS = 512
"""How much of a piece the next one holds again: no known key but a very long token is longer."""


class _Known(NamedTuple):
    """A detector of detect-secrets, and what no key that it finds is without."""

    module: str
    name: str
    anchors: tuple[str, ...] = ()
    """Patterns that begin with letters as they stand, which are looked for fast."""
    folded: tuple[str, ...] = ()
    """Likewise, of a text in small letters, where the letters of a key may be large or small."""


_DETECTORS = (
    _Known(
        *("aws", "AWSKeyDetector", ("AKIA", "ASIA", "ABIA", "ACCA", "A3T[A-Z0-9]{17}")),
        (r"aws.{0,200}?['\"][0-9a-z/+]{40}['\"]",),
    ),
    _Known("azure_storage_key", "AzureStorageKeyDetector", ("AccountKey=",)),
    _Known("discord", "DiscordBotTokenDetector", (r"\.[-\w]{6}\.[-\w]{27}",)),
    _Known(
        "gitlab_token", "GitLabTokenDetector", (r"gl(?:[dfr]t|pat|soat|cbt|imt|ptt|agent|oas)-[-\w]{20}", "GR1348941")
    ),
    _Known("jwt", "JwtTokenDetector", (r"eyJ[-\w=]+\.",)),
    _Known("mailchimp", "MailchimpDetector", ("-us[0-9]",)),
    _Known("npm", "NpmDetector", ("_authToken=",)),
    _Known("openai", "OpenAIDetector", ("T3BlbkFJ",)),
    _Known("private_key", "PrivateKeyDetector", ("PRIVATE KEY", "PuTTY-User-Key-File-2")),
    _Known("pypi_token", "PypiTokenDetector", ("pypi-AgE",)),
    _Known("sendgrid", "SendGridDetector", (r"SG\.[-\w]{22}\.",)),
    _Known("slack", "SlackDetector", folded=(r"xox[aboprs]-", r"hooks\.slack\.com/")),
    _Known("square_oauth", "SquareOAuthDetector", ("sq0csp-",)),
    _Known("stripe", "StripeDetector", ("k_live_[0-9a-zA-Z]{24}",)),
    _Known("telegram_token", "TelegramBotTokenDetector", (r":(?<=\d:)[-\w]{35}",)),
    _Known("twilio", "TwilioKeyDetector", ("AC[a-z0-9]{32}", "SK[a-z0-9]{32}")),
)
"""Detectors of detect-secrets; those that go by a keyword, by entropy or by a very short prefix are left out, and the one for
GitHub, which takes `highs_and_lows_of_all_the_years_that_were_measured` for a token."""

_VARIED = r"(?=[-\w]*\d[-A-Z_a-z]+\d)"
"""Digits in two places, as chance puts them into a long key: what tells `sk-` and a key from `sk-` and a name or a placeholder."""
_OWN_FORMATS = (
    ("Private key", r"BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY"),
    ("GitHub token", r"(?<![0-9A-Za-z])(?:gh[oprsu]_[0-9A-Za-z]{36}|github_pat_\w{36})"),
    ("AWS access key", r"(?<![0-9A-Za-z])(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Za-z])"),
    ("Anthropic API key", rf"(?<![0-9A-Za-z])sk-ant-[0-9a-z]{{1,12}}-{_VARIED}[-\w]{{20}}"),
    ("API key", rf"(?<![-0-9A-Za-z])sk-(?:[0-9a-z]{{1,12}}-){{0,3}}{_VARIED}[0-9A-Za-z]{{20}}"),
    ("Google API key", r"(?<![0-9A-Za-z])AIza[-\w]{35}"),
    ("Hugging Face token", r"(?<![0-9A-Za-z])hf_[0-9A-Za-z]{34}(?!\w)"),
    ("Groq API key", r"(?<![0-9A-Za-z])gsk_[0-9A-Za-z]{40}"),
    ("npm token", r"(?<![0-9A-Za-z])npm_[0-9A-Za-z]{36}"),
    (
        "Slack token",
        rf"(?<![0-9A-Za-z])(?:xox[abeoprs](?:\.xox[bp])?-{_VARIED}[-0-9A-Za-z]{{20}}|xapp-\d-[-0-9A-Z]{{10}})",
    ),
)
_OWN = tuple((name, re.compile(pattern, re.ASCII)) for name, pattern in _OWN_FORMATS)
"""The commonest formats, found without loading anything, and those that detect-secrets does not know yet."""
_LONG_WORD = re.compile(r"[-+./:=\w]{20,}", re.ASCII)
_CAPITAL_OR_DIGIT = re.compile(r"[0-9A-Z]")
_OWN_ANCHORS = (
    *("PRIVATE KEY", "gh[oprsu]_[0-9A-Za-z]{36}", "github_pat_", "AKIA", "ASIA", r"sk-[-\w]{20}", "AIza"),
    *("hf_[0-9A-Za-z]{34}", "gsk_[0-9A-Za-z]{40}", "npm_[0-9A-Za-z]{36}", "xox[abeoprs]", r"xapp-\d-"),
)
"""What no key of our own formats is without."""
_ANCHORS = tuple(
    map(re.compile, dict.fromkeys((*_OWN_ANCHORS, *(one for known in _DETECTORS for one in known.anchors))))
)
_FOLDED_ANCHORS = tuple(re.compile(one) for known in _DETECTORS for one in known.folded)
REMEMBERED_CHARACTERS = 1 << 26
"""How much of the lines that were searched is remembered, so that a text costs no more than what is new in it."""


class _Detector(Protocol):
    """What we use of a detector of detect-secrets."""

    secret_type: str

    def analyze_string(self, string: str) -> Iterator[str]: ...


class KeySearch:
    """A search through many texts, such as the versions of a file: a line that several of them hold is searched once.

    Of a text that goes on where the one before it ended, only what it adds is looked at.
    """

    def __init__(self) -> None:
        self._last = ""
        self._searched: set[str] = set()
        self._formats: dict[str, str] = {}
        self._room = REMEMBERED_CHARACTERS

    def find(self, text: str) -> tuple[KeyFound, ...]:
        """The keys in a text, at most one for each line, in order."""
        begin = self._last.rfind("\n") + 1 if text.startswith(self._last) else 0
        self._last = text
        new = set(text[begin:].split("\n")).difference(self._searched)
        if new:
            self._search(new)
        if not self._formats:
            return ()
        lines = text.split("\n")
        if self._formats.keys().isdisjoint(lines):
            return ()
        found = ((number, self._formats.get(line)) for number, line in enumerate(lines, 1))
        return tuple(KeyFound(name, number) for number, name in found if name)

    def _search(self, lines: set[str]) -> None:
        joined = "\n".join(lines)
        for line in _candidates(joined):
            name = None if line in self._formats else _format_in(line)
            if name is not None:
                self._formats[line] = name
        self._room -= len(joined)
        if self._room < 0:
            self._searched, self._room = set(), REMEMBERED_CHARACTERS
        self._searched |= lines


def find_keys(text: str) -> tuple[KeyFound, ...]:
    """The keys in a text, at most one for each line, in order."""
    return KeySearch().find(text)


def keys_in(body: Body, search: KeySearch | None = None) -> tuple[KeyFound, ...]:
    """The keys in a file's content, also where bytes of it are not UTF-8; what holds NUL is no text and is not looked at.

    Args:
        body: the content.
        search: a search through other texts too, which remembers their lines.
    """
    return () if body.raw is not None and b"\0" in body.raw else (search or KeySearch()).find(body.shown)


def _candidates(text: str) -> Iterator[str]:
    """The lines that hold an anchor, for each anchor."""
    for anchor in _ANCHORS:
        at = 0
        while (found := anchor.search(text, at)) is not None:
            begin, end = text.rfind("\n", 0, found.start()) + 1, text.find("\n", found.start())
            at = len(text) if end < 0 else end
            yield text[begin:at]
    folded = text.casefold()
    for anchor in _FOLDED_ANCHORS:
        if anchor.search(folded):
            yield from (line for line in text.split("\n") if anchor.search(line.casefold()))


def may_hold_key(line: str) -> bool:
    """Whether a line holds what every known key has: a long word with a capital or a digit, or a header's words."""
    return "PRIVATE KEY" in line or any(_CAPITAL_OR_DIGIT.search(word[0]) for word in _LONG_WORD.finditer(line))


def _format_in(line: str) -> str | None:
    """Whose key a line holds, if any."""
    if not may_hold_key(line):
        return None
    step = WINDOW_CHARACTERS - OVERLAP_CHARACTERS
    windows = [line[at : at + WINDOW_CHARACTERS] for at in range(0, max(len(line) - OVERLAP_CHARACTERS, 1), step)]
    own = next((name for window in windows for name, pattern in _OWN if pattern.search(window)), None)
    if own is not None:
        return own
    folded = line.casefold()
    for known in _DETECTORS:
        if any(re.search(one, line) for one in known.anchors) or any(re.search(one, folded) for one in known.folded):
            detector = _loaded(known)
            for window in windows:
                if any(_stands_alone(key, window) for key in detector.analyze_string(window)):
                    return detector.secret_type
    return None


def _stands_alone(key: str, window: str) -> bool:
    """Whether no letter or digit stands right before a key; the detectors also find one in the middle of a gene or of base64."""
    return re.search(rf"(?<![0-9A-Za-z]){re.escape(key)}", window, re.ASCII) is not None


@cache
def _loaded(known: _Known) -> _Detector:
    module = import_module(f"detect_secrets.plugins.{known.module}")
    detector: _Detector = getattr(module, known.name)()
    return detector
