"""Who wrote an imported version: a person, an agent, or a person working with an agent (decision 3).

Read from what a commit says of itself, strongest first: the operator's own rule, the author's name and address,
trailers (`Co-Authored-By: Claude`), and lines in the message (`Generated with Claude Code`). What was read is kept as
the evidence, so that an operator can check it and set a rule for the import. Only names that are well known are
guessed; a co-author who is a person is no evidence.
"""

import re
from collections.abc import Iterable, Sequence
from fnmatch import translate
from functools import lru_cache

from studio.domain.authors import Author, AuthorKind

UNNAMED = "no name"
"""The author's name where a commit gives neither a name nor an address."""

_MAKERS = frozenset({"amazon", "anthropic", "factory", "github", "google", "microsoft", "openai", "sourcegraph", "xai"})
"""Words that may stand before a tool's name."""
_TOOL = re.compile(
    r"aider|amp|ampcode|antigravity|augment|cascade|chatgpt|claude|cline|codeium|codex|copilot|cursor|deepseek|devin"
    r"|droid|gemini|gpt|grok|jules|junie|kilo|kiro|letta|memgpt|opencode|opendevin|openhands|qwen|replit|roo|sweep"
    r"|tabnine|windsurf"
)
"""Agent tools that sign commits, by the first word of their name."""
_AFTER_A_TOOL = re.compile(
    r"agent|ai|app|assistant|bot|cli|cloud|code|coder|coding|developer|flash|haiku|ide|integration|max|mini|opus|pro"
    r"|reviewer|sonnet|subagent|swe|turbo"
)
"""Words that may follow a tool's name; any other makes it a person's (`Claude Monet`), unless a number is there."""
_AGENT_NAMES = frozenset({"dependabot", "github actions", "reflection subagent", "renovate"})
"""Whole names of bots that no rule above knows; words are split at blanks and at `-`, `_`, `:` and `/`."""

_AGENT_ADDRESS = re.compile(
    r"""
      .*\[bot\]@.*                                 # GitHub apps
    | (?:\d+\+)?copilot@users\.noreply\.github\.com
    | cursoragent@cursor\.com
    | .*@ampcode\.com
    | openhands@all-hands\.dev
    | (?:noreply|no-reply|aider|agent|codex|cursor)@
      (?:aider\.chat|anthropic\.com|cursor\.com|letta\.com|openai\.com|opencode\.ai|windsurf\.com|codeium\.com|devin\.ai)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_MACHINE_ADDRESS = re.compile(
    r"(?:no-?reply|do-?not-?reply|agents?|bot)@(?!(?:users\.noreply\.)?github\.com$).+", re.IGNORECASE
)
"""An address nobody reads. As a co-author's it marks a tool; as an author's it may be a person who hides theirs."""

_TRAILER = re.compile(
    r"^[ \t]*(?P<key>co-authored-by|assisted-by|generated-by|made-with)[ \t]*:[ \t]*(?P<value>\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_EXECUTED_BY = re.compile(r"^[ \t]*(?P<key>executed-by)[ \t]*:[ \t]*(?P<value>.*)$", re.IGNORECASE | re.MULTILINE)
_GENERATED_WITH = re.compile(r"\b(?P<verb>generated (?:with|by|using)) \[?(?P<tool>[^\[\]()\n\r.,]+)", re.IGNORECASE)
_NAME_AND_ADDRESS = re.compile(r"(?P<name>[^<]*)<(?P<address>[^<>]*)>?.*", re.DOTALL)
_ANY_ADDRESS = re.compile(r"(?P<local>[^\s<>@]{1,128}+)@[^\s<>@]+")
NAME_CHARACTERS = 200
"""How much of a name is kept."""
_READ_CHARACTERS = 2_000
"""How much of a name is looked at: who commits writes what they like."""
_NOT_ONE_LINE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


def attribute(name: str, address: str, message: str, agent_authors: Sequence[str] = ()) -> Author:
    """The author of a commit, with the evidence (decision 3; attribution-07, attribution-09).

    Args:
        name: the author's name as written in the commit.
        address: the author's e-mail address; used as evidence and never kept.
        message: the whole commit message.
        agent_authors: the operator's rule, globs as in `matching_rule`; it goes before everything else.
    """
    shown = clean_name(name, address)
    rule = matching_rule(agent_authors, name, address)
    if rule is not None:
        return Author(AuthorKind.AGENT, shown, evidence=f"rule: {rule}")
    if names_an_agent(name):
        return Author(AuthorKind.AGENT, shown, evidence="author-name")
    if _AGENT_ADDRESS.fullmatch(address):
        return Author(AuthorKind.AGENT, shown, evidence="author-address")
    via, evidence = _evidence_in(message)
    return Author(AuthorKind.OPERATOR, shown, via, evidence)


def matching_rule(agent_authors: Iterable[str], name: str, address: str = "") -> str | None:
    """The first glob of the operator's rule that matches, or None.

    A glob is compared with the whole name, with `name <address>` and with the address, whatever the case. `*` stands
    for any characters and `?` for one; brackets stand for themselves, since `[bot]` is part of many names.
    """
    candidates = (name, f"{name} <{address}>", address) if address else (name,)
    for glob in agent_authors:
        pattern = _glob(glob)
        if any(pattern.match(candidate) for candidate in candidates):
            return glob
    return None


def names_an_agent(name: str) -> bool:
    """Whether a name is evidently a bot's or a well-known tool's: `x[bot]`, `Claude Opus 4.6`, not `Claude Monet`."""
    plain = name.strip().casefold()
    words = re.split(r"[\s_:/-]+", plain)
    if plain.endswith("[bot]") or " ".join(words) in _AGENT_NAMES or (len(words) > 1 and words[-1] == "bot"):
        return True
    if len(words) > 1 and words[0] in _MAKERS:
        words = words[1:]
    if not _TOOL.fullmatch(words[0]):
        return False
    return all(_AFTER_A_TOOL.fullmatch(word) for word in words[1:]) or re.search(r"[\d(\[]", plain) is not None


def clean_name(name: str, address: str = "") -> str:
    """A name as one line without an e-mail address; the part before `@` where there is nothing else."""
    without = _ANY_ADDRESS.sub(lambda found: found["local"], name[:_READ_CHARACTERS])
    plain = _NOT_ONE_LINE.sub(" ", without.replace("<", " ").replace(">", " ")).strip()
    if not plain:
        plain = _NOT_ONE_LINE.sub(" ", address[:_READ_CHARACTERS].partition("@")[0]).strip()
    return plain[:NAME_CHARACTERS].rstrip() or UNNAMED


def via_from_evidence(evidence: str) -> str | None:
    """The tool that a piece of evidence names: `Claude` in `trailer: Co-Authored-By: Claude`; else None."""
    _, _, statement = evidence.partition(": ")
    _, colon, value = statement.partition(":")
    named = _split(value)[0] if colon and value.strip() else None
    if named is None and (generated := _GENERATED_WITH.search(statement)):
        named = generated["tool"].strip()
    return named


def _evidence_in(message: str) -> tuple[str | None, str | None]:
    """The agent a message speaks of, and where it does: trailers first, then lines of the body."""
    for trailer in _TRAILER.finditer(message):
        name, address = _split(trailer["value"])
        if names_an_agent(name) or _AGENT_ADDRESS.fullmatch(address) or _MACHINE_ADDRESS.fullmatch(address):
            return name, f"trailer: {trailer['key']}: {name}"
    if executed := _EXECUTED_BY.search(message):
        value = _split(executed["value"])[0] if executed["value"].strip() else ""
        return value or "agent", f"body: {executed['key']}: {value}".rstrip()
    for generated in _GENERATED_WITH.finditer(message):
        tool = generated["tool"].strip()
        if names_an_agent(tool):
            return tool, f"body: {generated['verb']} {tool}"
    return None, None


def _split(value: str) -> tuple[str, str]:
    """Name and address of `Name <address>`; an address without a name is named by its domain."""
    found = _NAME_AND_ADDRESS.fullmatch(value)
    name, address = (found["name"], found["address"].strip()) if found else (value, "")
    if not name.strip():
        name = address.rpartition("@")[2]
    return clean_name(name), address


@lru_cache(maxsize=256)
def _glob(glob: str) -> re.Pattern[str]:
    return re.compile(translate(glob.strip().replace("[", "[[]")), re.IGNORECASE)
