"""Keys of known formats are found wherever they stand, and prose is not (decision 35, case memfs-lint-06)."""

import re
import subprocess
import sys
from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from studio.domain.directory.findings import Severity
from studio.domain.directory.secrets import secret_findings
from studio.memfs import secrets
from studio.memfs.secrets import (
    _DETECTORS,
    _OWN,
    OVERLAP_CHARACTERS,
    WINDOW_CHARACTERS,
    KeySearch,
    _candidates,
    _Known,
    _loaded,
    find_keys,
    may_hold_key,
)

LETTERS = "Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7jKl0nOp3rSt6v"
"""Letters and digits in no order, to make keys of; put together here, so that no file of ours holds one."""

KEYS = {
    "memfs-lint-06-github": "gh" + "p_" + LETTERS[:36],
    "memfs-lint-06-openai-old": "sk" + "-" + LETTERS,
    "memfs-lint-06-aws": "AK" + "IA" + LETTERS[:16].upper(),
    "memfs-lint-06-private-key": "-----BEGIN RSA PRIVATE " + "KEY-----",
    "github-fine-grained": "github" + "_pat_" + LETTERS[:22] + "_" + LETTERS,
    "openai-project": "sk" + "-proj-" + LETTERS[:20] + "T3Blbk" + "FJ" + LETTERS[:20],
    "openrouter": "sk" + "-or-v1-" + LETTERS[:32].lower() + LETTERS[:32].lower(),
    "deepseek": "sk" + "-" + "0f3a9c" * 5 + "b7",
    "hugging-face-letters": "hf" + "_" + "AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGh",
    "slack-app": "xa" + "pp-1-A0123456789-" + LETTERS[:24],
    "slack-refresh": "xo" + "xe.xo" + "xp-1-" + LETTERS,
    "anthropic": "sk" + "-ant-api03-" + LETTERS[:24] + "-_" + LETTERS,
    "google": "AI" + "za" + LETTERS[:35],
    "hugging-face": "hf" + "_" + LETTERS[:34],
    "gitlab": "glp" + "at-" + LETTERS[:20],
    "npm": "np" + "m_" + LETTERS[:36],
    "pypi": "pypi" + "-AgEIcHlwaS5vcmc" + LETTERS + LETTERS,
    "slack-bot": "xo" + "xb-123456789012-123456789012-" + LETTERS[:24],
    "stripe": "sk" + "_live_" + LETTERS[:24],
    "sendgrid": "S" + "G." + LETTERS[:22] + "." + LETTERS[:43],
    "telegram": "123456789" + ":" + LETTERS[:35],
    "twilio": "A" + "C" + LETTERS[:32].lower(),
    "json-web-token": "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxIn0." + LETTERS[:43],
    "openssh-private-key": "-----BEGIN OPENSSH PRIVATE " + "KEY-----",
    "encrypted-private-key": "-----BEGIN ENCRYPTED PRIVATE " + "KEY-----",
}
PROSE = {
    "memfs-lint-06-name": "Take the token from $SECRET_NAME or ${GITHUB_TOKEN}.",
    "prefix-alone": "A token of GitHub begins with ghp_, one of AWS with AKIA, one of OpenAI with sk-.",
    "ellipsis": "ghp_…, sk-…, AKIA…",
    "kebab-case": "Use sk-learn-contrib-estimators-with-a-very-long-name for that.",
    "camel-case-after-sk": "Take sk-learn-contrib-StandardScalerFactory, or sk-learn-StandardScalerFactory2024.",
    "snake-case-after-sk": "See sk-estimator_checks_for_Pipeline2.",
    "placeholders": "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxx, sk-ant-api03-your-key-goes-right-here, xoxb-your-bot-token-goes-right-here.",
    "model-after-hf": "Load hf_ModelNameThatIsVeryLongAndMoreX1 and hf_ModelNameThatIsVeryLongIndeedAndHasMoreThan34.",
    "snake-case-with-ghs": "Plot highs_and_lows_of_all_the_years_that_were_measured.",
    "gene": "The sequence is CATCCGTATGAAAATTGGTGTGATGTTCGGCAACCCGGAAACCACTTACCGGTGGTAACGCGCTGAA.",
    "commit": "Deployed 0fc8a65b1f2c3d4e5f60718293a4b5c6d7e8f901.",
    "uuid": "Agent 123e4567-e89b-12d3-a456-426614174000.",
    "url": "See https://example.org/A/Long/Path-With-Capitals/2026/index.html?query=value",
    "password-word": "The password is kept in the vault; password = see there.",
    "placeholder-url": "postgresql://user:password@localhost:5432/db",
    "no-latin": "秘密のトークンは保存しない。" * 20,
}


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize("around", ["{}", "- The key is `{}`, he said.", "export KEY='{}'", '{{"key": "{}"}}'])
def test_a_key_is_found_by_its_format(key: str, around: str) -> None:
    found = find_keys(f"One.\r\nTwo.\n{around.format(key)}\nFour.")
    assert [one.line for one in found] == [3]


@pytest.mark.parametrize("text", PROSE.values(), ids=PROSE)
def test_prose_is_no_key(text: str) -> None:
    assert find_keys(text) == ()


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_a_finding_never_holds_the_key(key: str) -> None:
    told = repr(secret_findings("human.md", find_keys(key), Severity.WARNING))
    assert key not in told
    assert key[-12:] not in told
    assert "$SECRET_NAME" in told


@given(st.sampled_from(list(KEYS.values())), st.integers(0, 3 * WINDOW_CHARACTERS))
def test_a_key_is_found_anywhere_in_a_long_line(key: str, before: int) -> None:
    assert len(key) <= OVERLAP_CHARACTERS
    assert [one.line for one in find_keys("word " * (before // 5) + key + " word" * 1_000)] == [1]


@cache
def patterns() -> dict[str, list[re.Pattern[str]]]:
    """The patterns of every detector, by the name of its secret."""
    return {one.secret_type: list(one.denylist) for one in map(_loaded, _DETECTORS)}  # type: ignore[attr-defined]


@given(st.data())
def test_the_quick_look_passes_over_no_key(data: st.DataObject) -> None:
    """Law: whatever a detector finds, `may_hold_key` has let through, if it has the length and the variety of a real key."""
    known = {name: several for name, several in patterns().items() if name != "NPM tokens"}
    pattern = data.draw(st.sampled_from([one for several in known.values() for one in several]))
    key = data.draw(st.from_regex(pattern, fullmatch=True, alphabet=st.characters(codec="ascii")))
    assume("PRIVATE KEY" in key or (len(key) >= 20 and re.search("[0-9A-Z]", key)))
    assert may_hold_key(key)


@pytest.mark.parametrize("known", _DETECTORS, ids=[one.name for one in _DETECTORS])
@settings(max_examples=15)
@given(data=st.data())
def test_no_key_is_without_the_anchor_of_its_detector(known: _Known, data: st.DataObject) -> None:
    """Law: also where digits and letters are not ASCII, as a detector's patterns take them."""
    key = data.draw(st.one_of([st.from_regex(one) for one in patterns()[_loaded(known).secret_type]]))
    lines = [line for line in key.split("\n") if list(_loaded(known).analyze_string(line))]
    assert all(any(re.search(one, line) for one in known.anchors) or folded(known, line) for line in lines)
    assert set(lines) <= set(_candidates(f"before\n{key}\nafter"))


def folded(known: _Known, line: str) -> bool:
    return any(re.search(one, line.casefold()) for one in known.folded)


def plainly(text: str) -> list[tuple[str, int]]:
    """What a search finds that asks every format about every line."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if may_hold_key(line):
            own = [name for name, pattern in _OWN if pattern.search(line)]
            others = (
                known for known in map(_loaded, _DETECTORS) for key in known.analyze_string(line) if alone(key, line)
            )
            name = own[0] if own else next((one.secret_type for one in others), None)
            found += [(name, number)] if name else []
    return found


def alone(key: str, line: str) -> bool:
    return re.search(rf"(?<![0-9A-Za-z]){re.escape(key)}", line, re.ASCII) is not None


@cache
def lines() -> st.SearchStrategy[str]:
    """Keys as the formats have them, pieces of keys, keys inside of words, and prose."""
    formats = [one for several in patterns().values() for one in several] + [pattern for _, pattern in _OWN]
    key = st.one_of([st.from_regex(one, fullmatch=True, alphabet=st.characters(codec="latin-1")) for one in formats])
    known = st.one_of(st.sampled_from(list(KEYS.values())), key)
    cut = st.builds(lambda one, at: one[at:] + one[:at], known, st.integers(-12, 12))
    around = st.sampled_from(["{}", "x{}", "- `{}`.", "{}{}", "laws of aws: key='{}'", "a\r{}"])
    return st.one_of(st.builds(str.replace, around, st.just("{}"), known | cut), st.sampled_from(list(PROSE.values())))


@settings(max_examples=40)
@given(st.lists(st.lists(lines(), max_size=6).map("\n".join), max_size=4))
def test_many_texts_at_once_are_found_what_each_is_found_alone_and_line_by_line(texts: list[str]) -> None:
    search = KeySearch()
    for text in [*texts, *texts]:
        found = [(one.format, one.line) for one in search.find(text)]
        assert found == [(one.format, one.line) for one in find_keys(text)] == plainly(text)


def test_a_search_forgets_lines_before_it_holds_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "REMEMBERED_CHARACTERS", 100)
    search = KeySearch()
    key = KEYS["github-fine-grained"]
    for number in range(20):
        assert [one.line for one in search.find(f"{number} is new\n{'word ' * number}\n{key}\nthe end")] == [3]
    assert sum(map(len, search._searched)) <= 300


def test_detectors_are_loaded_only_when_a_line_may_hold_a_key() -> None:
    look = (
        "import sys; from studio.memfs.secrets import find_keys; "
        "find_keys('Lead with the answer, because the user skims.\\n' * 50); print('detect_secrets' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"
