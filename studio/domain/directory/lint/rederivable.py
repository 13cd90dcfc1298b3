"""What an agent can find out again for itself: contents of files, lists of commands, and how things stand right now."""

import re
from collections import Counter
from collections.abc import Iterator

from studio.domain.directory.findings import Finding
from studio.domain.directory.lint.pages import Page, quoted
from studio.domain.directory.lint.prose import BLANK, Fence, Kind, Statement
from studio.domain.directory.lint.rules import REDERIVABLE

LONG_FENCE_LINES = 15
"""From here on a block of code is the contents of a file rather than a sample of it."""
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
_COMMAND = re.compile(rf"\s*(?:[$>%] )?(?:sudo )?(?:(?:{_PROGRAMS.replace(' ', '|')})(?![\w-])|\./\w)")
_TREE = re.compile(r"\s*(?:[│|]\s*)*+[├└╰]")
_STATUS_HEADING = re.compile(
    r"\W*(?:(?:current|project|latest) (?:status|state|focus|work|task|sprint|progress)|status|in progress|progress|"
    r"recent (?:activity|changes|work|updates|commits|decisions)|change ?log|to-?do(?: list)?|next steps?|work in progress|"
    r"session (?:log|notes|summary)|activity log|what (?:was|has been) done|done|completed|last (?:session|updated)|"
    r"open (?:tasks|issues|prs)|backlog)\b[\W\d]*$",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"\b(?:(?:i am|i'm|we are|we're|is|are) currently (?:working|implementing|debugging|migrating|testing|building|fixing|waiting)|"
    r"as of (?:now|today|this (?:session|writing|commit))|currently (?:working on|in progress|at version|on branch)|last updated:?|"
    r"work in progress|in this session)\b",
    re.IGNORECASE,
)


def check(page: Page) -> Iterator[Finding]:
    """The findings of this family."""
    for fence in page.prose.fences:
        yield from _fence(page, fence)
    if page.prose.english:
        yield from _status(page)
    yield from _commands(page)
    yield from _ticked(page)


def _found(page: Page, line: int, what: str, *, actual: str | int | None = None) -> Finding:
    return REDERIVABLE.found(
        page.path,
        what,
        line=line,
        actual=actual,
        suggestion="Delete it, or say in one line where it can be looked up.",
    )


def _fence(page: Page, fence: Fence) -> Iterator[Finding]:
    filled = [line for line in fence.lines if line.strip()]
    drawn = sum(_TREE.match(line) is not None for line in filled)
    commands = sum(_COMMAND.match(line) is not None for line in filled)
    if drawn >= TREE_LINES:
        yield _found(
            page,
            fence.line,
            f"A drawn tree of {drawn} files and folders; it is stale with the next file.",
            actual=drawn,
        )
    elif commands >= LIST_OF_COMMANDS and 2 * commands >= len(filled):
        yield _found(
            page, fence.line, f"A list of {commands} commands, which a help page or the project tells.", actual=commands
        )
    elif len(filled) >= LONG_FENCE_LINES:
        yield _found(page, fence.line, f"{len(filled)} lines of code, as a file holds them.", actual=len(filled))


def _status(page: Page) -> Iterator[Finding]:
    """Headings and sentences about how things stand."""
    for one in page.prose.statements:
        if one.kind == Kind.HEADING and _STATUS_HEADING.match(one.prose):
            yield _found(
                page, one.line, f"A section about how things stand, {quoted(one.text)!r}; it is out of date soon."
            )
        elif one.kind in {Kind.ITEM, Kind.PARAGRAPH} and one.english and (found := _NOW.search(one.unquoted)):
            yield _found(
                page, one.line_at(found.start()), f"How things stand right now: {quoted(one.text[found.start() :])!r}."
            )


def _commands(page: Page) -> Iterator[Finding]:
    """Lists whose items are commands: code that begins with the name of a program."""
    lists: Counter[tuple[int | None, int | None, int | None]] = Counter()
    first: dict[tuple[int | None, int | None, int | None], Statement] = {}
    for one in page.prose.statements:
        if one.kind == Kind.ITEM and one.prose.startswith(BLANK) and _COMMAND.match(one.text.lstrip("`*_ ")):
            where = (one.parent, one.heading, one.introduction)
            lists[where] += 1
            first.setdefault(where, one)
    for where, count in lists.items():
        if count >= LIST_OF_COMMANDS:
            yield _found(
                page,
                first[where].line,
                f"A list of {count} commands, which a help page or the project tells.",
                actual=count,
            )


def _ticked(page: Page) -> Iterator[Finding]:
    ticked = [one for one in page.prose.statements if one.box is not None and one.box in "xX"]
    if len(ticked) >= TICKED_ITEMS:
        yield _found(
            page, ticked[0].line, f"{len(ticked)} ticked items: a record of what was done.", actual=len(ticked)
        )
