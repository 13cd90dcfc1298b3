"""What can be said of one text without reading its prose: its header, its tags, its bytes, its body."""

import re
from collections.abc import Iterator

from studio.domain.directory.findings import Finding
from studio.domain.directory.lint.pages import Page, quoted
from studio.domain.directory.lint.rule import Place
from studio.domain.directory.lint.rules import (
    BYTE_ORDER_MARK,
    DESCRIPTION,
    EMPTY_BLOCK,
    INVISIBLE_CHARACTERS,
    LOOKALIKE_LETTERS,
    NAME_DIFFERS,
    SELF_CLOSING,
    TAG_CLASH,
    TAG_NOT_XML,
    WINDOWS_LINE_ENDINGS,
)
from studio.domain.directory.tree import MARKDOWN
from studio.domain.invisible import FIND
from studio.domain.lookalikes import find_lookalikes
from studio.domain.sections import NAME_CHARACTERS, SectionName

BOM = "\ufeff"
MOST_LOOKALIKES = 50
"""How many letters of another script are told with their lines."""
LONGEST_DESCRIPTION_CHARACTERS = 200
"""A description is one line that the agent reads each time."""

_NAME = re.compile(rf"(?![-.0-9\u00b7\u0300-\u036f\u203f\u2040])[{NAME_CHARACTERS}]+")
_TAG = re.compile(rf"<\s*+(?P<closes>/\s*+)?(?P<name>[{NAME_CHARACTERS}]++)(?:\s*+/?>)?")
_SECTIONS = frozenset({*SectionName, "deferred-memory"})
_ATTRIBUTES = re.compile(r"\s+[\w-]+\s*=")
_ATTRIBUTE = re.compile(r"\s+(?:path|index)\s*=")
"""What follows `<directory` where it opens an entry of the deferred memory rather than names a place to fill in."""
_ABOUT_THE_FILE = re.compile(
    r"\W*(?:this (?:file|block|document|memory|section)|description (?:of|for|goes)|used (?:by|for|to)|"
    r"(?:contains|stores|holds) (?:the|an?|all|any|user|agent|info\w*|notes?|data|facts|details|everything|what|who|how)|"
    r"(?:a|the) (?:file|block|document|section) (?:that|which|where|for|to|with|containing|about)|"
    r"(?:auto-?)?generated(?: by)?|(?:do not|don't|never) (?:edit|change|delete)|(?:edit|update) (?:this|it|me))\b",
    re.IGNORECASE,
)
_PLACEHOLDER_WORDS = (
    "todo tbd fixme description none na n/a untitled placeholder test misc miscellaneous note notes stuff things info "
    "information memory data block file various general other example xxx some of the a an and for about my agent"
)
_PLACEHOLDERS = frozenset(_PLACEHOLDER_WORDS.split())
_WORD = re.compile(r"\w+")


def check(page: Page) -> Iterator[Finding]:
    """The findings of this family."""
    if page.place == Place.BLOCK:
        yield from _name(page)
        yield from _description(page)
    if page.place in {Place.BLOCK, Place.INDEX}:
        yield from _self_closing(page)
    if page.place in {Place.BLOCK, Place.INDEX, Place.DEFERRED} and not page.document.body.strip():
        message = f"{page.path} has no body."
        yield EMPTY_BLOCK.found(page.path, message, suggestion="Write what it is to hold, or delete the file.")
    yield from _bytes(page)


def _name(page: Page) -> Iterator[Finding]:
    stem = page.path.removesuffix(MARKDOWN)
    if not _NAME.fullmatch(stem):
        yield TAG_NOT_XML.found(
            page.path,
            f"{page.path} cannot be the name of a block: <{quoted(stem)}> opens no element.",
            actual=stem,
            suggestion="Begin with a letter, and use letters, digits, '-' and '_' only.",
        )
    elif stem.casefold() in _SECTIONS:
        yield TAG_CLASH.found(
            page.path,
            f"{page.path} becomes <{stem}>, which clashes with the prompt's own <{stem.casefold()}>.",
            actual=stem,
            suggestion="Give the file a name of its own.",
        )
    name = page.document.field("name")
    if name and name != stem:
        yield NAME_DIFFERS.found(
            page.path,
            f"The header of {page.path} says the name is {quoted(name)!r}; the block is called {quoted(stem)!r} all the same.",
            line=2,
            actual=name,
            suggestion=f"Write 'name: {stem}', or rename the file.",
        )


def _description(page: Page) -> Iterator[Finding]:
    """What is wrong with a description, the first thing only."""
    said = page.document.description.strip("\"' ")
    if not page.document.header or not said:
        return  # the limits refuse it
    stem = page.path.removesuffix(MARKDOWN)
    words = {word.casefold() for word in _WORD.findall(said)}
    wrong = None
    if "\n" in said or len(said) > LONGEST_DESCRIPTION_CHARACTERS:
        wrong = f"has {len(said)} characters and should be one short line"
    elif words <= {*_PLACEHOLDERS, stem.casefold(), *_WORD.findall(stem.casefold())}:
        wrong = "says no more than the name does"
    elif _ABOUT_THE_FILE.match(said):
        wrong = "tells about the file, which the agent does not see as one"
    if wrong:
        yield DESCRIPTION.found(
            page.path,
            f"The description of {page.path} {wrong}: {quoted(said)!r}.",
            line=3,
            actual=quoted(said),
            suggestion="Say in one line what the block holds, as in 'Who the user is and how they want to work together.'",
        )


def _self_closing(page: Page) -> Iterator[Finding]:
    """Tags, in the body or the description, that the compiled prompt has too: a block's, a section's, or those around them."""
    told: set[tuple[str, bool]] = set()
    for text, first_line in ((page.document.body, page.document.body_line), (page.document.description, 3)):
        for found in _TAG.finditer(text):
            name, closes = found["name"].casefold(), found["closes"] is not None
            if (name, closes) in told or not _steers(page, name, found):
                continue
            told.add((name, closes))
            yield SELF_CLOSING.found(
                page.path,
                f"{quoted(found[0])!r} in {page.path} {'closes' if closes else 'opens'} <{name}> where the model reads it.",
                line=first_line + text.count("\n", 0, found.start()),
                actual=found[0],
                suggestion=f"Write the name without brackets, or '&lt;{found[0][1:]}'.",
            )


def _steers(page: Page, name: str, found: re.Match[str]) -> bool:
    """Whether a tag is one of the compiled prompt's own (decision 20); a placeholder such as `<description>` alone is none."""
    own = "memory" if page.place == Place.INDEX else page.path.removesuffix(MARKDOWN).casefold()
    if found["closes"]:
        return name in _SECTIONS or name in page.blocks or name in {own, "description", "directory"}
    if name == "directory":
        return _ATTRIBUTE.match(found.string, found.end("name")) is not None
    whole = found[0].endswith(">") or _ATTRIBUTES.match(found.string, found.end("name")) is not None
    return whole and (name in _SECTIONS or name in page.blocks)


def _bytes(page: Page) -> Iterator[Finding]:
    text = page.text
    if text.startswith(BOM):
        yield BYTE_ORDER_MARK.found(
            page.path, f"{page.path} begins with a byte order mark.", line=1, suggestion="Save it as UTF-8 without one."
        )
    returns = text.count("\r\n")
    if returns:
        line = text.count("\n", 0, text.index("\r\n")) + 1
        yield WINDOWS_LINE_ENDINGS.found(
            page.path,
            f"{returns:,} lines of {page.path} end in CRLF.",
            line=line,
            actual=returns,
            suggestion="Save it with LF.",
        )
    yield from _lookalikes(page)
    shown = text.removeprefix(BOM).replace("\r\n", "\n")
    plain = shown.isascii() and shown.replace("\n", "").replace("\t", "").isprintable()
    hidden = [] if plain else [found for found in FIND.finditer(shown) if found["hidden"] is not None]
    if hidden:
        first = hidden[0]
        codes = ", ".join(dict.fromkeys(f"U+{ord(found[0]):04X}" for found in hidden[:40]))
        yield INVISIBLE_CHARACTERS.found(
            page.path,
            f"{page.path} holds {len(hidden):,} invisible characters ({quoted(codes)}).",
            line=first.string.count("\n", 0, first.start()) + 1,
            actual=len(hidden),
            suggestion="Delete them, or write visibly what they stand for.",
        )


def _lookalikes(page: Page) -> Iterator[Finding]:
    """Letters of another script in words of their own, once for the text."""
    found = tuple(find_lookalikes(page.text))
    if found:
        first, words = found[0], tuple(dict.fromkeys(one.word for one in found))
        more = f" and {len(words) - 1:,} more" if len(words) > 1 else ""
        yield LOOKALIKE_LETTERS.found(
            page.path,
            f"{quoted(first.word)!r}{more} holds letters of another script: {first.says}.",
            lines=(page.text.count("\n", 0, one.at) + 1 for one in found[:MOST_LOOKALIKES]),
            actual=len(found),
            suggestion="Write each such word again in letters of one script.",
        )
