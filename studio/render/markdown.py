"""Markdown as sanitised HTML that shows all of the text: what an agent wrote is data, never markup of ours.

Nothing may act and nothing may hide. Tags such as `<memory>` and entities such as `&lt;` are shown as they are written,
since a parser that reads them would hide part of a prompt. An image is shown as a link, since loading it would tell a
stranger who reads. A link shows where it leads, a fence its whole info line; link definitions stay text; invisible and
direction characters become marks. If a letter or digit would still be lost (a table row with more cells than columns),
or the text is nested without end, it is shown as written.
"""

import html
import re

import nh3
import regex
from markdown.util import ETX, STX

from studio.render.fragments_marks import marked, with_marks
from studio.render.markdown_extension import parser
from studio.render.markdown_layout import TooMuchError

MOST_RENDERED_CHARACTERS = 100_000
"""A longer text is shown as written: rendering it takes a second and more."""
TAGS = frozenset(
    {"a", "blockquote", "br", "code", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre"}
    | {"span", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul"}
)
"""The tags that rendered Markdown may have; `img` is not one of them."""
URL_SCHEMES = frozenset({"http", "https", "mailto"})
"""Where a link may lead."""

_ATTRIBUTES = {"a": {"href"}, "ol": {"start"}, "td": {"style"}, "th": {"style"}}
_CLASSES = {"span": {"class": {"info", "target"}}}
_TAG = re.compile(r'<[^<>"]*(?:"[^"]*"[^<>"]*)*>')
_LIST_MARKERS = re.compile(r"^(?:[ \t>]|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]|$))+", re.MULTILINE)
_LETTERS = regex.compile(r"[\p{L}\p{N}]")


def render(text: str) -> str:
    """Markdown (with tables and fences) as HTML that is safe to show and shows everything."""
    if len(text) > MOST_RENDERED_CHARACTERS:
        return _as_written(text, "it is long")
    if STX in text or ETX in text:
        return _as_written(text, "it holds control characters")
    try:
        rendered = parser().convert(text.replace("\r\n", "\n").replace("\r", "\n"))
    except TooMuchError as too_much:
        return _as_written(text, str(too_much))
    except RecursionError:
        return _as_written(text, "it is nested too deeply to render")
    clean = nh3.clean(
        rendered,
        tags=set(TAGS),
        attributes=_ATTRIBUTES,
        tag_attribute_values=_CLASSES,
        url_schemes=set(URL_SCHEMES),
        link_rel="noopener noreferrer nofollow",
        filter_style_properties={"text-align"},
    )
    if not _shows_all(text, clean):
        return _as_written(text, "rendering would hide a part of it")
    return f"{_mark_texts(clean)}\n" if clean else ""


def _as_written(text: str, why: str) -> str:
    """The text without any rendering, and the reason."""
    return f'<p><span class="info">Shown as written: {why}.</span></p>\n<pre>{marked(text)}</pre>\n'


def _shows_all(text: str, rendered: str) -> bool:
    """Whether every letter and digit of the text, list numbers aside, is shown, in order, and nothing of the parser's."""
    shown = html.unescape(_TAG.sub("", rendered))
    letters = iter(_LETTERS.findall(shown))
    expected = _LETTERS.findall(_LIST_MARKERS.sub("", text))
    return STX not in shown and all(letter in letters for letter in expected)


def _mark_texts(clean: str) -> str:
    """Mark what is invisible in the text between the tags."""
    parts: list[str] = []
    at = 0
    for tag in _TAG.finditer(clean):
        parts += [with_marks(clean[at : tag.start()]), tag[0]]
        at = tag.end()
    return "".join([*parts, with_marks(clean[at:])])
