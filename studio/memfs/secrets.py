"""Looks for keys of known formats, with the detectors of detect-secrets and a few formats that they lack (decision 35).

Only formats that a provider defines: nothing is guessed from entropy or from words such as "password", so prose stays prose.
Nothing is verified over a network, and no key leaves this module. Loading the detectors takes longer than a commit should, so
they are loaded only for a line that holds a long word with capitals or digits, and none of our own formats.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Protocol

from studio.domain.bodies import Body
from studio.domain.directory.secrets import KeyFound

WINDOW_CHARACTERS = 2_048
"""Longer lines are read in pieces, so that no line costs more than its length."""
OVERLAP_CHARACTERS = 512
"""How much of a piece the next one holds again: no known key but a very long token is longer."""

_DETECTORS = (
    ("aws", "AWSKeyDetector"),
    ("azure_storage_key", "AzureStorageKeyDetector"),
    ("discord", "DiscordBotTokenDetector"),
    ("gitlab_token", "GitLabTokenDetector"),
    ("jwt", "JwtTokenDetector"),
    ("mailchimp", "MailchimpDetector"),
    ("npm", "NpmDetector"),
    ("openai", "OpenAIDetector"),
    ("private_key", "PrivateKeyDetector"),
    ("pypi_token", "PypiTokenDetector"),
    ("sendgrid", "SendGridDetector"),
    ("slack", "SlackDetector"),
    ("square_oauth", "SquareOAuthDetector"),
    ("stripe", "StripeDetector"),
    ("telegram_token", "TelegramBotTokenDetector"),
    ("twilio", "TwilioKeyDetector"),
)
"""Modules and classes of detect-secrets; those that go by a keyword, by entropy or by a very short prefix are left out, and the one
for GitHub, which takes `highs_and_lows_of_all_the_years_that_were_measured` for a token."""

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


class _Detector(Protocol):
    """What we use of a detector of detect-secrets."""

    secret_type: str

    def analyze_string(self, string: str) -> Iterator[str]: ...


def find_keys(text: str) -> tuple[KeyFound, ...]:
    """The keys in a text, at most one for each line, in order."""
    found = ((number, _format_in(line)) for number, line in enumerate(text.split("\n"), 1))
    return tuple(KeyFound(name, number) for number, name in found if name)


def keys_in(body: Body) -> tuple[KeyFound, ...]:
    """The keys in a file's content, also where bytes of it are not UTF-8; what holds NUL is no text and is not looked at."""
    return () if body.raw is not None and b"\0" in body.raw else find_keys(body.shown)


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
    for detector in _detectors():
        for window in windows:
            if any(_stands_alone(key, window) for key in detector.analyze_string(window)):
                return detector.secret_type
    return None


def _stands_alone(key: str, window: str) -> bool:
    """Whether no letter or digit stands right before a key; the detectors also find one in the middle of a gene or of base64."""
    return re.search(rf"(?<![0-9A-Za-z]){re.escape(key)}", window, re.ASCII) is not None


@cache
def _detectors() -> tuple[_Detector, ...]:
    return tuple(getattr(import_module(f"detect_secrets.plugins.{module}"), name)() for module, name in _DETECTORS)
