"""Whether a name or an address says that it is an agent's or a bot's (decision 40); what is known by name is in `known_agents`."""

import re
from fnmatch import translate

from studio.domain.identities import Identity
from studio.domain.known_agents import (
    ADDRESSES,
    AFTER_A_TOOL,
    GIVEN_NAMES,
    HOSTS,
    MAIL_HOSTS,
    MAKERS,
    NAMES,
    PRIVATE_ENDINGS,
    ROLES,
    SURNAMES,
    TOOLS,
)

_TOOLS = frozenset(known.what for known in TOOLS)
_GIVEN_NAMES = frozenset(known.what for known in GIVEN_NAMES)
_NAMES = frozenset(known.what for known in NAMES)
_HOSTS = frozenset(known.what for known in HOSTS)
_ADDRESS = re.compile("|".join(translate(known.what) for known in ADDRESSES))
_ROLE = re.compile("|".join(translate(known.what) for known in ROLES))
_MARKED = re.compile(r"\[bot\]|\((?:bot|robot|agent)\)")
_LAST_WORDS = frozenset({"agent", "bot", "robot", "subagent"})
_HOST_WORDS = frozenset({"agent", "agents", "bot", "bots"})
_LOCAL_PART = re.compile(r"(?:agents?|bots?|robot)(?:[-+_].*)?|.*[-+_](?:agents?|bot|robot)|.*\[bot\]")
_SPLIT = re.compile(r"[\s_:/-]+")
_BRACKETS = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]\s*")
_WITH_A_TOOL = re.compile(
    r"(?P<person>.*\S)\s*(?:\((?P<inside>[^()]+)\)|[+&]\s*(?P<after>\S.*)|\svia\s+(?P<through>\S.*))", re.IGNORECASE
)
_LONGEST_INITIALS = 2


def is_agent(who: Identity) -> str | None:
    """What says that an identity is an agent's: `author-name`, `author-address`, or None.

    Args:
        who: a name and an address in canonical form.
    """
    if names_an_agent(who.name) and not _is_given_name(who):
        return "author-name"
    return "author-address" if addresses_an_agent(who.address) else None


def names_an_agent(name: str) -> bool:
    """Whether a name is evidently a bot's or a well-known tool's: `x[bot]`, `goreleaserbot`, `Claude Opus 4.6`, not `Claude Monet`."""
    whole = name.strip()
    low = whole.casefold()
    words = [word for word in _SPLIT.split(low) if word]
    if not words:
        return False
    if _MARKED.search(low) or _ROLE.fullmatch(low) or " ".join(words) in _NAMES or words[-1] == "openclaw":
        return True
    if words[-1] in _LAST_WORDS and (len(words) > 1 or words[-1] != "agent"):
        return True
    return _ends_in_bot(whole) or _is_tool(words, low)


def addresses_an_agent(address: str) -> bool:
    """Whether the local part or the host of an address names an agent or a bot; `noreply@` of any host does not."""
    local, _, host = address.lower().replace("no-reply@", "noreply@").rpartition("@")
    if not local:
        return False
    if _ADDRESS.fullmatch(f"{local}@{host}") or host in _HOSTS or _LOCAL_PART.fullmatch(local):
        return True
    tag = local.rpartition("+")[2] if "+" in local else ""
    if tag in _TOOLS:
        return True
    labels = host.split(".")
    if len(labels) > 1 and labels[-1] not in PRIVATE_ENDINGS:
        return False
    return any(label in _HOST_WORDS or label in _TOOLS for label in labels) or local in _TOOLS


def tool_beside(name: str) -> str | None:
    """The tool that a person's name mentions beside the person: `aider` in `Ana (aider)`, `Claude` in `Ana + Claude`; else None."""
    found = _WITH_A_TOOL.fullmatch(name)
    if found is None:
        return None
    tool = next(group.strip() for group in found.group("inside", "after", "through") if group)
    return tool if names_an_agent(tool) else None


def _ends_in_bot(name: str) -> bool:
    """Whether the last word is a bot's by its ending: `goreleaserbot`, `GreptileBot`; not `Talbot`, nor the surname of a full name."""
    words = name.split()
    last = words[-1]
    if re.search(r"[a-z\d]Bot$", last):
        return True
    low = last.casefold()
    if len(words) > 1 or not low.endswith("bot"):
        return False
    return not any(low.endswith(name) and len(low) - len(name) <= _LONGEST_INITIALS for name in SURNAMES)


def _is_tool(words: list[str], low: str) -> bool:
    """Whether words are a tool's name, with what may stand before and after it."""
    if len(words) > 1 and words[0] in MAKERS:
        words = words[1:]
    if words[0] not in _TOOLS:
        return False
    inside = " ".join(_BRACKETS.findall(low))
    outside = [word for word in _SPLIT.split(_BRACKETS.sub(" ", low).strip()) if word not in MAKERS]
    if inside and words[0] in _GIVEN_NAMES and len(outside) == 1:  # `Devin (he/him)`
        return any(word in _TOOLS or word in AFTER_A_TOOL or re.search(r"\d", word) for word in _SPLIT.split(inside))
    return all(word in AFTER_A_TOOL or word in _TOOLS for word in outside) or bool(re.search(r"\d", low))


def _is_given_name(who: Identity) -> bool:
    """Whether a name alone may well be a person's, and the address is one of a person."""
    return who.name.casefold() in _GIVEN_NAMES and who.address.rpartition("@")[2] in MAIL_HOSTS
