"""A Markdown text with everything that is no prose blanked out, character by character, so that places stay what they are."""

import re
from bisect import bisect_right
from collections.abc import Iterator

BLANK = "\ufffc"
"""What stands in place of each character that is no prose; no letter, no digit, no punctuation."""

_TOKEN = re.compile(r"\S+")
_INLINE = re.compile(r"!?\[\[[^\[\]\n]*\]\]|(?<=\])\([^()\n]*\)|<[^<>\n]*>")
"""Embeds, targets of links, and tags."""
_NO_WORD = re.compile(r"[/\\_@=]|^\W?\$|\w\.\w")
"""What the name of a file, an address or a variable holds."""
_PAUSE = re.compile(r"[.,;:!?)]*$")
"""The punctuation behind a path, which goes on dividing the sentence."""
_STILL_PROSE = re.compile(r"\W*(?:@[A-Za-z][\w-]*|e\.g|i\.e|a\.m|p\.m|[\d/.]+|\w+/\w+)[.,:;)]*\W*$", re.IGNORECASE)


def blanked(text: str, code: tuple[tuple[int, int], ...]) -> str:
    """The text with `BLANK` for code, comments, embeds, targets of links, tags, paths, addresses and variables.

    Args:
        text: Markdown with LF.
        code: where its code stands.
    """
    pieces: list[str] = []
    done = 0
    for start, end in sorted((*code, *_comments(text, code))):
        if start >= done:
            pieces += (text[done:start], _blank(text[start:end]))
            done = end
    shown = "".join((*pieces, text[done:]))
    shown = _INLINE.sub(lambda found: _blank(found[0]), shown)
    return _TOKEN.sub(_token, shown)


def _comments(text: str, code: tuple[tuple[int, int], ...]) -> Iterator[tuple[int, int]]:
    """Where HTML comments stand that begin outside code."""
    starts = [start for start, _ in code]
    at = text.find("<!--")
    while at >= 0:
        before = bisect_right(starts, at) - 1
        inside = before >= 0 and at < code[before][1]
        end = at + 1 if inside else text.find("-->", at)
        if end < 0:
            return
        if not inside:
            yield at, end + 3
        at = text.find("<!--", end)


def _blank(text: str) -> str:
    return "".join(character if character == "\n" else BLANK for character in text)


def _token(found: re.Match[str]) -> str:
    """A word, or blanks in place of a path, an address or a variable."""
    word = found[0]
    if _NO_WORD.search(word) and not _STILL_PROSE.match(word):
        pause = _PAUSE.search(word)
        kept = pause[0] if pause else ""
        return BLANK * (len(word) - len(kept)) + kept
    return word
