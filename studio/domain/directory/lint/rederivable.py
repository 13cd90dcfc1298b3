"""What an agent can find out again for itself: contents of files, lists of commands, and how things stand right now."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from studio.domain.directory.findings import Finding
from studio.domain.directory.lint.blanking import BLANK
from studio.domain.directory.lint.clauses import tells_of_once
from studio.domain.directory.lint.pages import Page, quoted
from studio.domain.directory.lint.prose import Fence, Kind, Prose, Statement
from studio.domain.directory.lint.rules import REDERIVABLE

LONG_FENCE_LINES = 32
"""From here on a block of code is the contents of a file; a shorter one may be the sample that shows a way of writing."""
TREE_LINES = 5
"""Lines of a drawn folder tree that make it one."""
LIST_OF_COMMANDS = 5
"""Commands that make a list of them."""
TICKED_ITEMS = 3
"""Ticked items that make a record of what was done."""

_PROGRAMS = (
    "git npm npx pnpm yarn bun node python python3 pip uv poetry pytest cargo rustup go make cmake docker podman kubectl "
    "helm terraform cd ls cat cp mv rm mkdir curl wget ssh scp gh brew apt apt-get systemctl journalctl psql sqlite3 deno "
    "dotnet mvn gradle tmux"
)
_COMMAND = re.compile(rf"\s*(?:[$>%] )?(?:sudo )?(?:(?:{_PROGRAMS.replace(' ', '|')})(?=\s|$)|\./\w)")
_TREE = re.compile(r"\s*(?:[│|]\s*)*+[├└╰][─━-]{0,3} ?[\w.`(]")
_STATUS_HEADING = re.compile(
    r"\W*(?:(?:current|project|latest) (?:status|state|focus|work|task|sprint|progress)|status|in progress|progress|"
    r"recent (?:activity|changes|work|updates|commits|decisions)|to-?do(?: list)?|next steps?|work in progress|"
    r"session (?:log|notes|summary)|activity log|what (?:was|has been) done|done|completed|last (?:session|updated)|"
    r"open (?:tasks|issues|prs))\b[\W\d]*$",
    re.IGNORECASE,
)
_AT_WORK = r"(?:working|implementing|debugging|migrating|testing|building|fixing|waiting|in progress)"
_NOW = re.compile(
    "|".join(
        (
            rf"\b(?:i am|i['’]m|we are|we['’]re|(?:the|our|this) (?:\w+ ){{1,3}}(?:is|are)) currently {_AT_WORK}\b",
            r"\b(?:we|(?:the|our) (?:\w+ )?\w+) (?:is|are) (?:\w+ )?right now\b",
            r"\bas of (?:now|today|this (?:session|writing|commit))\b(?!['’])",
            r"\bin this session,? (?:i|we)\b",
            r"\blast (?:updated|modified|changed):?[*_]* (?=\w* ?\d)",
            rf"\b(?:the |our )?current (?:branch|version|status|task|sprint|release)(?:[*_]*:(?! ?[!$])|(?: is)? (?=[\d{BLANK}]))",
        )
    ),
    re.IGNORECASE,
)
"""A main clause about this very moment; `Check that the current branch is clean` and `who is on call right now` hold at any."""
_NO_CODE_WORDS = (
    "text txt plain plaintext md markdown template email mermaid bnf ebnf bash sh shell zsh console powershell json jsonc json5 "
    "yaml yml toml xml diff"
)
_NO_CODE = frozenset(["", *_NO_CODE_WORDS.split()])
"""What a fence says that holds a template, a letter, a drawing, a procedure or a form, which stand in no file."""
_IS_A_SAMPLE = re.compile(
    r"\W*(?:\w+ ){0,3}(?:incorrect|correct|wrong|right|good|bad|better|example|sample|usage)\b", re.IGNORECASE
)
"""How the line above a block begins that shows a way of writing."""
_ELLIPSIS = re.compile(r"\s*(?:(?:#|//|--|/\*|<!--).*)?(?:\.\.\.|…)")
"""A line of a sample that leaves something out."""
_LATER = re.compile(r"\W*(?:after|when|whenever|once|if|before)\b", re.IGNORECASE)
"""How a section begins that holds at any such time, whatever its heading says."""


class Rederivable(NamedTuple):
    """A place that can be found out again."""

    line: int
    """The line of the file it begins in."""
    end_line: int
    """Its last line."""
    what: str
    """What it is, as a sentence."""
    amount: int | None = None
    """How much of it there is, where that was counted."""


def check(page: Page) -> Iterator[Finding]:
    """The findings of this family."""
    for one in places(page):
        yield REDERIVABLE.found(
            page.path,
            one.what,
            line=one.line,
            actual=one.amount,
            suggestion="Delete it, or say in one line where it can be looked up.",
        )


def places(page: Page) -> Iterator[Rederivable]:
    """All that can be found out again, with where it begins and ends."""
    starts = [one.line for one in page.prose.statements]
    for fence in page.prose.fences:
        above = bisect_right(starts, fence.line) - 1
        yield from _fence(fence, page.prose.statements[above].prose if above >= 0 else "")
    if page.prose.english:
        yield from _status(page.prose)
    yield from _commands(page.prose)
    yield from _ticked(page.prose)


def _fence(fence: Fence, above: str) -> Iterator[Rederivable]:
    """What a fenced block holds that stands elsewhere too, unless what stands above it calls it a sample."""
    filled = [line for line in fence.lines if line.strip()]
    drawn = sum(_TREE.match(line) is not None for line in filled)
    commands = sum(_COMMAND.match(line) is not None for line in filled)
    place = (fence.line, fence.end_line)
    if drawn >= TREE_LINES:
        yield Rederivable(*place, f"A drawn tree of {drawn} files and folders; it is stale with the next file.", drawn)
    elif commands >= LIST_OF_COMMANDS and 2 * commands >= len(filled):
        yield Rederivable(*place, f"A list of {commands} commands, which a help page or the project tells.", commands)
    elif len(filled) >= LONG_FENCE_LINES and fence.language.casefold() not in _NO_CODE:
        if _IS_A_SAMPLE.match(above) or any(map(_ELLIPSIS.match, filled)):
            return
        yield Rederivable(*place, f"{len(filled)} lines of code, as a file holds them.", len(filled))


def _status(prose: Prose) -> Iterator[Rederivable]:
    """Sections and sentences about how things stand."""
    for number, one in enumerate(prose.statements):
        below = prose.statements[number + 1].prose if number + 1 < len(prose.statements) else ""
        if one.kind == Kind.HEADING and _STATUS_HEADING.match(one.prose) and not _LATER.match(below):
            what = f"A section about how things stand, {quoted(one.text)!r}; it is out of date soon."
            yield Rederivable(one.line, prose.section_end(number), what)
        elif one.kind in {Kind.ITEM, Kind.PARAGRAPH} and one.english and (found := _now(one.unquoted)):
            what = f"How things stand right now: {quoted(one.text[found.start() :])!r}."
            yield Rederivable(one.line_at(found.start()), one.end_line, what)


def _now(prose: str) -> re.Match[str] | None:
    return next((found for found in _NOW.finditer(prose) if tells_of_once(prose, found.start())), None)


def _commands(prose: Prose) -> Iterator[Rederivable]:
    """Lists whose items are commands: code that begins with the name of a program."""
    lists: dict[tuple[int | None, int | None, int | None], list[Statement]] = defaultdict(list)
    for one in prose.statements:
        if one.kind == Kind.ITEM and one.prose.startswith(BLANK) and _COMMAND.match(one.text.lstrip("`*_ ")):
            lists[(one.parent, one.heading, one.introduction)].append(one)
    for items in lists.values():
        if len(items) >= LIST_OF_COMMANDS:
            what = f"A list of {len(items)} commands, which a help page or the project tells."
            yield Rederivable(items[0].line, items[-1].end_line, what, len(items))


def _ticked(prose: Prose) -> Iterator[Rederivable]:
    ticked = [one for one in prose.statements if one.box is not None and one.box in "xX"]
    if len(ticked) >= TICKED_ITEMS:
        what = f"{len(ticked)} ticked items: a record of what was done."
        yield Rederivable(ticked[0].line, ticked[-1].end_line, what, len(ticked))
