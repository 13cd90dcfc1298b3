"""The Guidelines section: the template every agent shares, then who the agent is (decision 21).

A template is plain text; nothing in it is a variable, `[[name]]` and `![[path]]` are text. Only its conditional parts
are ours:

    <!-- if memory_write -->
    Change your Memory with `memory_write`.
    <!-- end -->

`if FLAG` keeps the part where the flag is on, `if not FLAG` where it is off, `end` closes the nearest open `if`.
Parts nest, and a mark may also stand inside a line. A mark on a line of its own takes that whole line with it, so a
part leaves no gap behind. Any other HTML comment is text; one that begins like a mark and is none is refused, so that
no mark ever reaches a prompt.
"""

import re
from enum import StrEnum

from studio.errors import Refused


class Flag(StrEnum):
    """What a part of the template can depend on."""

    MEMORY = "memory"
    """The agent has a Memory section."""
    MEMORY_WRITE = "memory_write"
    """The run is offered `memory_write`."""
    GROUP = "group"
    """The agent shares a group chat with others."""
    SEARCH = "search"
    """The runtime registered web search."""
    BROWSER = "browser"
    """The runtime registered the browser tools."""
    CODING = "coding"
    """The agent works on repositories with the code tools."""
    SANDBOX = "sandbox"
    """The runtime registered the sandbox and its scripts."""
    SCHEDULE = "schedule"
    """The runtime registered the schedule tools."""


_COMMENT = r"<!--[ \t]*(?P<{}>(?:if|else|elif|end|endif)\b(?:(?!-->)[^\n])*?)[ \t]*-->"
_MARK = re.compile(rf"^[ \t]*{_COMMENT.format('alone')}[ \t]*(?:\r?\n|\Z)|{_COMMENT.format('within')}", re.MULTILINE)
"""A mark: alone on its line, which it takes with it, or within a line."""
_BROKEN_MARK = re.compile(r"<!--\s*(?:if|else|elif|end|endif)\b")
"""What begins like a mark; looked for where all marks are gone."""


def render(template: str, *, flags: frozenset[Flag], name: str, agent_id: str) -> str:
    """What stands between the tags of the Guidelines section.

    Args:
        template: the text of `system.md`.
        flags: what is on; the template's parts about anything else are left out.
        name: the agent's name, one line, already safe to stand in a section.
        agent_id: the agent's id.

    Raises:
        Refused: the template's marks are unknown or do not pair up; the sentence names the line.
    """
    kept = _keep_parts(template, flags).rstrip()
    identity = f"You are {name}. Your id is {agent_id}."
    return f"{kept}\n\n{identity}" if kept else identity


def _keep_parts(template: str, flags: frozenset[Flag]) -> str:
    """The template without its marks and without the parts whose flag is off."""
    kept: list[str] = []
    parts: list[tuple[int, bool]] = []  # the open parts, outermost first: where each began and whether it stays
    position = 0

    def keep(piece: str, start: int) -> None:
        if broken := _BROKEN_MARK.search(piece):
            raise _refusal(template, start + broken.start(), "a mark that does not end with --> on its own line")
        if all(stays for _, stays in parts):
            kept.append(piece)

    for mark in _MARK.finditer(template):
        keep(template[position : mark.start()], position)
        position = mark.end()
        words = mark["alone"] or mark["within"]
        match words.split():
            case ["if", flag] if flag in set(Flag):
                parts.append((mark.start(), Flag(flag) in flags))
            case ["if", "not", flag] if flag in set(Flag):
                parts.append((mark.start(), Flag(flag) not in flags))
            case ["end"] if parts:
                parts.pop()
            case ["end"]:
                raise _refusal(template, mark.start(), "an 'end' without an 'if' before it")
            case _:
                known = ", ".join(Flag)
                what = f"the unknown mark {words!r}; marks are 'if FLAG', 'if not FLAG' and 'end', flags are {known}"
                raise _refusal(template, mark.start(), what)
    keep(template[position:], position)
    if parts:
        raise _refusal(template, parts[-1][0], "an 'if' without an 'end' after it")
    return "".join(kept)


def _refusal(template: str, position: int, what: str) -> Refused:
    """The sentence for a template that cannot be read, naming the line of that position."""
    line = template.count("\n", 0, position) + 1
    return Refused(f"Line {line} of the Guidelines template holds {what}. Mend system.md, then try again.")
