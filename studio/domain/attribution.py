"""Who wrote an imported version: a person, an agent, or a person working with an agent (decisions 3 and 40).

Read from what a commit says of itself, strongest first: the operator's own rule, the author's name and address,
trailers (`Co-Authored-By: Claude`), and lines in the message (`Generated with Claude Code`). What was read is kept as
the evidence, so that an operator can check it and set a rule for the import. Only names that are well known are
guessed; a co-author who is a person is no evidence. Evidence in a message is a line of its own at the margin: what is
indented, quoted or fenced as code is prose.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import translate
from functools import lru_cache
from typing import Protocol

from studio.domain.agent_signs import addresses_an_agent, is_agent, names_an_agent, tool_beside
from studio.domain.authors import Author, AuthorKind
from studio.domain.identities import Identity, clean_name, plain
from studio.domain.known_agents import PRIVATE_ENDINGS

Mailmap = Mapping[Identity, Identity]
"""The canonical identity of each that a repository's `.mailmap` renames, by the one that is written."""

PERSON = "!"
"""What stands before a glob of the operator's rule that names persons: `!Ana Bot`."""

_KEYS = r"co-?authored-by|co-developed-by|assisted-by|generated-by|made-with|agent-signature|agent"
_TRAILER = re.compile(rf"^(?P<key>{_KEYS})[ \t]*:[ \t]*(?P<value>\S.*(?:\n[ \t]+<.*)?)$", re.IGNORECASE | re.MULTILINE)
_EXECUTED_BY = re.compile(r"^(?P<key>executed-by)[ \t]*:[ \t]*(?P<value>.*)$", re.IGNORECASE | re.MULTILINE)
_GENERATED_WITH = re.compile(
    r"^(?:(?:[^\w\s>`]|_)[ \t]*)*(?P<verb>generated (?:with|by|using)) \[?(?P<tool>[^\[\]()\n\r.,]+)",
    re.IGNORECASE | re.MULTILINE,
)
_FENCE = re.compile(r" {0,3}(?P<fence>`{3,}|~{3,})(?P<after>[^`]*)$")
_NAME_AND_ADDRESS = re.compile(r"(?P<name>[^<]*)<(?P<address>[^<>]*)>?.*", re.DOTALL)
_ON_BEHALF = re.compile(r"\s+on behalf of\s.*", re.IGNORECASE | re.DOTALL)
_NOREPLY = re.compile(r"(?:no-?reply|do-?not-?reply)@(?P<host>.+)")


class Said(Protocol):
    """What a commit says of itself."""

    @property
    def author_name(self) -> str:
        """The author's name as written."""

    @property
    def author_address(self) -> str:
        """The author's e-mail address as written."""

    @property
    def message(self) -> str:
        """The whole message."""


def attributor(
    commits: Iterable[Said], agent_authors: Sequence[str], ask: Callable[[Iterable[Identity]], Mailmap]
) -> Callable[[Said], Author]:
    """What names the author of each of these commits.

    Args:
        commits: all whose authors are to be named.
        agent_authors: the operator's rule, globs as in `matching_rule`.
        ask: gives the canonical identities by the repository's `.mailmap`; asked once.
    """
    said = dict.fromkeys(one for commit in commits for one in _identities(commit))
    mailmap = ask(said)
    return lambda commit: attribute(commit.author_name, commit.author_address, commit.message, agent_authors, mailmap)


def attribute(
    name: str, address: str, message: str, agent_authors: Sequence[str] = (), mailmap: Mailmap | None = None
) -> Author:
    """The author of a commit, with the evidence (decisions 3 and 40; attribution-07, attribution-09).

    Args:
        name: the author's name as written in the commit.
        address: the author's e-mail address; used as evidence, and kept only where `.mailmap` gives another identity.
        message: the whole commit message.
        agent_authors: the operator's rule, globs as in `matching_rule`; it goes before everything else.
        mailmap: the identities that the repository names otherwise.
    """
    written = Identity(name, address)
    mapped = (mailmap or {}).get(written, written)
    who = mapped.canonical
    rule = matching_rule(agent_authors, *written) or matching_rule(agent_authors, *who)
    sign = is_agent(who) if rule is None else f"rule: {rule}"
    if sign is not None and not is_person_rule(rule):
        return _author(AuthorKind.AGENT, who, written, mapped, evidence=sign)
    beside = None if rule else _beside(written.canonical, who)
    via, evidence = beside or _evidence_in(message, mailmap or {})
    evidence = evidence or (sign if rule else None)
    return _author(AuthorKind.OPERATOR, who, written, mapped, via=via, evidence=evidence)


def matching_rule(agent_authors: Iterable[str], name: str, address: str = "") -> str | None:
    """The glob of the operator's rule that matches first, or None; one with `!` before it names persons and goes before the others.

    A glob is compared with the whole name, with `name <address>` and with the address, whatever the case. `*` stands
    for any characters and `?` for one; brackets stand for themselves, since `[bot]` is part of many names.
    """
    candidates = (name, f"{name} <{address}>", address) if address else (name,)
    for glob in sorted(agent_authors, key=is_person_rule, reverse=True):
        pattern = _glob(glob.removeprefix(PERSON))
        if any(pattern.match(plain(candidate)) for candidate in candidates):
            return glob
    return None


def is_person_rule(glob: str | None) -> bool:
    """Whether a glob of the operator's rule says who is a person, whatever speaks for an agent."""
    return glob is not None and glob.startswith(PERSON)


def trailers_of(message: str) -> Iterator[tuple[Identity, bool]]:
    """Everyone whom a trailer of a message names, as written, and whether it is an agent."""
    for trailer in _TRAILER.finditer(_prose_left_out(message)):
        who = _split(trailer["value"])
        yield who, _is_tool(who)


def via_from_evidence(evidence: str) -> str | None:
    """The tool that a piece of evidence names: `Claude` in `trailer: Co-Authored-By: Claude`; else None."""
    _, _, statement = evidence.partition(": ")
    _, colon, value = statement.partition(":")
    named = _named(_split(value)) if colon and value.strip() else None
    if named is None and (generated := _GENERATED_WITH.search(statement)):
        named = generated["tool"].strip()
    return named


def _author(
    kind: AuthorKind,
    who: Identity,
    written: Identity,
    mapped: Identity,
    *,
    via: str | None = None,
    evidence: str | None,
) -> Author:
    """The author under the canonical name; where another was written, that stays in the evidence."""
    as_written = None
    if mapped != written:
        as_written = f"mailmap: {written}"
    elif who.name != written.name and who.name == plain(written.name):
        as_written = f"written: {written.name}"
    said = "; ".join(part for part in (evidence, as_written) if part)
    return Author(kind, who.name, via, said or None)


def _beside(written: Identity, who: Identity) -> tuple[str, str] | None:
    """The agent that a person's name mentions, or that wrote under a name that `.mailmap` gives to a person."""
    if (sign := is_agent(written)) is not None:
        return written.name, sign
    for name in (written.name, who.name):
        if (tool := tool_beside(name)) is not None:
            return tool, "author-name"
    return None


def _identities(commit: Said) -> Iterator[Identity]:
    """The author and everyone whom a trailer names, as written."""
    yield Identity(commit.author_name, commit.author_address)
    yield from (who for who, _ in trailers_of(commit.message))


def _evidence_in(message: str, mailmap: Mailmap) -> tuple[str | None, str | None]:
    """The agent a message speaks of, and where it does: trailers first, then lines of the body."""
    said = _prose_left_out(message)
    for trailer in _TRAILER.finditer(said):
        written = _split(trailer["value"])
        who = mailmap.get(written, written)
        if _is_tool(who):
            return _named(who), f"trailer: {trailer['key']}: {_named(written)}"
    if executed := _EXECUTED_BY.search(said):
        value = _named(_split(executed["value"])) if executed["value"].strip() else ""
        return value or "agent", f"body: {executed['key']}: {value}".rstrip()
    for generated in _GENERATED_WITH.finditer(said):
        tool = clean_name(generated["tool"])
        if names_an_agent(tool):
            return tool, f"body: {generated['verb']} {tool}"
    return None, None


def _is_tool(who: Identity) -> bool:
    """Whether a co-author is an agent: by name or address, or as it signs by its own host (`Zanzibar <noreply@zanzibar.dev>`)."""
    canonical = who.canonical
    named = _named(who)
    if is_agent(Identity(named, canonical.address)) is not None or addresses_an_agent(canonical.address):
        return True
    signed = _NOREPLY.fullmatch(canonical.address)
    if signed is None:
        return False
    labels = signed["host"].split(".")
    if "example" in labels or labels[-1] in PRIVATE_ENDINGS or len(labels) == 1:
        return False
    return not who.name.strip() or named.casefold().replace(" ", "") in labels[:-1]


def _prose_left_out(message: str) -> str:
    """A message without what is fenced as code; what is indented or quoted begins no line of evidence anyway.

    A fence that is never closed fences nothing.
    """
    lines = message.replace("\r\n", "\n").split("\n")
    kept: list[str] = []
    fenced: list[str] = []
    fence = ""
    for line in lines:
        found = _FENCE.match(line)
        if not fence:
            fence = found["fence"] if found else ""
            (fenced if fence else kept).append(line)
        elif found and found["fence"].startswith(fence) and not found["after"].strip():
            fence, fenced = "", []
        else:
            fenced.append(line)
    return "\n".join([*kept, *fenced])


def _split(value: str) -> Identity:
    """Name and address of `Name <address>`, as written."""
    found = _NAME_AND_ADDRESS.fullmatch(value)
    name, address = (found["name"], found["address"]) if found else (value, "")
    return Identity(_ON_BEHALF.sub("", name.strip()), address.strip())


def _named(who: Identity) -> str:
    """The name to show; an address without a name is named by its domain."""
    return clean_name(who.name or who.address.rpartition("@")[2])


@lru_cache(maxsize=256)
def _glob(glob: str) -> re.Pattern[str]:
    return re.compile(translate(plain(glob.strip()).replace("[", "[[]")), re.IGNORECASE)
