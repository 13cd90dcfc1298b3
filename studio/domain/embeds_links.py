"""The links `![[display-path]]` of a text: where they stand, what they name, and why one names nothing (decision 23)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from studio.domain.embeds_code import code_ranges
from studio.domain.paths import parse
from studio.domain.places import Place, parse_place
from studio.errors import UnknownPath

_LINK = re.compile(r"!\[\[((?:(?!\]\]|!\[\[)[^\r\n])++)\]\]")
"""A link on one line; one that begins inside another is the one that counts."""
_FORMS = re.compile("[|#^]")
"""What begins an alias, a heading or a block in the links of other programs."""


@dataclass(frozen=True, slots=True)
class Link:
    """One `![[…]]` outside code."""

    path: str
    """What it names, without the spaces around it."""
    start: int
    """Where its `!` stands in the text, in code points."""
    end: int
    """Just behind its last bracket."""


def links(text: str) -> Iterator[Link]:
    """The links of a text in order; in code spans and fenced blocks there are none."""
    all_found = tuple(_LINK.finditer(text))
    if not all_found:
        return
    code = code_ranges(text, until=all_found[-1].end())
    passed = 0
    for found in all_found:
        path = found[1].strip()
        while passed < len(code) and code[passed][1] <= found.start():
            passed += 1
        in_code = passed < len(code) and code[passed][0] < found.end()
        if path and not in_code:
            yield Link(path, found.start(), found.end())


def references(text: str) -> tuple[str, ...]:
    """The paths of notes and collections that a text's links name, each once, in order: what a caller looks up in the store."""
    named = dict.fromkeys(link.path for link in links(text))
    return tuple(path for path in named if _place(path))


def why_broken(path: str) -> str:
    """Why a link to a path that names nothing is broken, in one sentence."""
    place, form = _place(path), _FORMS.search(path)
    if path.startswith("recipe:"):
        why = "A recipe: link is resolved when its recipe is applied; this one is left over, so name a display path."
    elif form and (place is None or _place(path[: form.start()])):
        what = "aliases" if form[0] == "|" else "sections"
        why = f"Only a whole display path embeds; {what} are not supported."
    elif place:
        why = f"There is no {place.kind} at this path."
    elif path.startswith(("guild/", "agent/")):
        why = "This path is local to a recipe; name the full display path, which begins with org/."
    elif _is_prompt_file(path):
        why = "This is a prompt file; only notes and collections are embedded."
    elif not path.startswith("org/"):
        why = "Only a full display path embeds, as in org/<org_id>/notes/<name>.md."
    else:
        why = "This is no display path of a note (which ends in .md) or of a collection."
    return why


def _place(path: str) -> Place | None:
    """The path taken apart, or None where it reads as neither note nor collection."""
    try:
        return parse_place(path)
    except UnknownPath:
        return None


def _is_prompt_file(path: str) -> bool:
    """Whether a path names a Task, a memory or an archived version, by its full or its short name."""
    if path in {"task.md", "memory.md"} or path.startswith("history-archive/"):
        return True
    try:
        parse(path)
    except UnknownPath:
        return False
    return True
