"""The first heading of a Markdown text: what a note without a title is called (decision 23)."""

import re
from bisect import bisect_right

from studio.domain.embeds_code import code_ranges

_HEADING = re.compile(r"(?<![^\r\n]) {0,3}#{1,6}[ \t]+([^\r\n]+)")
_COMMENT_BEGINS = re.compile(r"(?<![^\r\n]) {0,3}<!--")


def first_heading(text: str) -> str:
    """The text of the first heading that a reader would see; empty where there is none.

    What looks like one in a fence or in an HTML comment is none, and one without words is passed over.
    """
    text = text.removeprefix("\ufeff")
    headings = [(found.start(), words) for found in _HEADING.finditer(text) if (words := _words(found[1]))]
    if not headings:
        return ""
    hidden = sorted(_hidden(text))
    return next((words for start, words in headings if not _within(start, hidden)), "")


def _words(written: str) -> str:
    """What a heading says: without blanks around it and without the `#` that may close it."""
    written = written.strip()
    opened = written.rstrip("#")
    return opened.rstrip() if not opened or opened[-1] in " \t" else written


def _hidden(text: str) -> list[tuple[int, int]]:
    """Where code and comments stand: what begins in the other is part of it."""
    code = list(code_ranges(text))
    comments: list[tuple[int, int]] = []
    done = 0
    for found in _COMMENT_BEGINS.finditer(text):
        if found.start() < done or _within(found.start(), code):
            continue
        closed = text.find("-->", found.end())
        done = len(text) if closed < 0 else closed
        comments.append((found.start(), done))
    return comments + [one for one in code if not _within(one[0], comments)]


def _within(position: int, ranges: list[tuple[int, int]]) -> bool:
    """Whether a position stands in one of the ranges, which are in order and apart from each other."""
    before = bisect_right(ranges, position, key=lambda one: one[0])
    return before > 0 and position < ranges[before - 1][1]
