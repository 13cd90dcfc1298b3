"""Markdown as sanitised HTML that shows all of the text: what an agent wrote is data, never markup of ours.

Nothing may act and nothing may hide. Tags such as `<memory>` are shown as text, since a parser that drops them would
hide part of a prompt. An image is shown as a link, since loading it would tell a stranger who reads. A link shows where
it leads, a fence its whole info line; link definitions stay text; invisible and direction characters become marks. If a
letter or digit would still be lost (a table row with more cells than columns, nesting without end), the text is shown
as written.
"""

import html
import re
from collections.abc import Sequence
from urllib.parse import unquote

import nh3
import regex
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from studio.render.fragments_marks import marked, with_marks

MOST_RENDERED_CHARACTERS = 200_000
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
_NESTING_WITHOUT_LIMIT = 1_000_000
"""The parser leaves out what is nested deeper than its limit; Python's own limit raises instead."""


def render(text: str) -> str:
    """Markdown (CommonMark with tables) as HTML that is safe to show and shows everything."""
    if len(text) > MOST_RENDERED_CHARACTERS:
        return _as_written(text, "it is long")
    try:
        rendered = _parser().render(text)
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
    return _mark_texts(clean)


def _as_written(text: str, why: str) -> str:
    """The text without any rendering, and the reason."""
    return f'<p><span class="info">Shown as written: {why}.</span></p>\n<pre>{marked(text)}</pre>\n'


def _parser() -> MarkdownIt:
    """A parser that knows no HTML, no images and no link definitions; made anew since it is not shared between threads."""
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": _NESTING_WITHOUT_LIMIT})
    parser.enable(["table"]).disable(["image", "reference"])
    parser.add_render_rule("fence", _fence)
    parser.add_render_rule("link_close", _link_close)
    return parser


def _fence(_: RendererHTML, tokens: Sequence[Token], index: int, *_rest: object) -> str:
    """A fenced block below its info line."""
    token = tokens[index]
    info = f'<span class="info">{html.escape(token.info.strip())}</span>\n' if token.info.strip() else ""
    return f"<pre>{info}<code>{html.escape(token.content)}</code></pre>\n"


def _link_close(_: RendererHTML, tokens: Sequence[Token], index: int, *_rest: object) -> str:
    """The end of a link, with where it leads and its title where the text does not say so."""
    opening = next(t for t in reversed(tokens[:index]) if t.type == "link_open" and t.level == tokens[index].level)
    if opening.markup == "autolink":
        return "</a>"
    href, title = str(opening.attrGet("href") or ""), opening.attrGet("title")
    said = unquote(href) + (f' "{title}"' if title else "")
    return f'</a><span class="target"> ({html.escape(said)})</span>'


def _shows_all(text: str, rendered: str) -> bool:
    """Whether every letter and digit of the text, list numbers aside, is shown, in order."""
    shown = iter(_LETTERS.findall(html.unescape(_TAG.sub("", rendered))))
    return all(letter in shown for letter in _LETTERS.findall(html.unescape(_LIST_MARKERS.sub("", text))))


def _mark_texts(clean: str) -> str:
    """Mark what is invisible in the text between the tags."""
    parts: list[str] = []
    at = 0
    for tag in _TAG.finditer(clean):
        parts += [with_marks(clean[at : tag.start()]), tag[0]]
        at = tag.end()
    return "".join([*parts, with_marks(clean[at:])])
