"""What we change in Python-Markdown: no HTML, images or link definitions, fences with their info, links with their target.

`markdown.render` puts it to use and sanitises the result.
"""

import html
import re
from urllib.parse import unquote
from xml.etree.ElementTree import Element, tostring

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor, UnescapeTreeprocessor
from markdown.util import AtomicString

from studio.render.markdown_layout import Layout

_HEADING = re.compile(r"(?:^|\n)(?P<level>#{1,6})(?P<header>(?: [^\n]*)?)(?:\n|$)")
"""A heading needs a space: `#12` is an issue, `#todo` a tag."""
_ADDRESS = r"(?:https?://|mailto:)"
_LINK = (
    r"\[(?P<text>(?:[^\[\]]|\[[^\[\]]*+\])*+)\]"
    rf"\(\s*+(?P<open><)?(?P<address>{_ADDRESS}(?:[^\s()<>]|\([^\s()<>]*+\))*+)(?(open)>)"
    r"""(?:\s++(?P<title>"[^"]*+"|'[^']*+'))?+\s*+\)"""
)
"""A link, with one pair of brackets in its text and of parentheses in its address; it never reads a character twice."""
_BARE_LINK = rf"<(?P<address>{_ADDRESS}[^<>\s]*+)>"
_TAKEN_OUT = (
    "reference",
    "image_link",
    "image_reference",
    "short_reference",
    "short_image_ref",
    "automail",
    "html",
    "entity",
)
"""What would hide a definition, load an image, write an address in riddles, or take tags and entities for markup."""


def parser() -> Markdown:
    """A parser; made anew for each text, since it is not shared between threads."""
    made = Markdown(extensions=["tables", "sane_lists", ShowAll()])
    made.serializer = _serialized
    return made


class ShowAll(Extension):
    """Python-Markdown for texts that are data: what it does not render stays as it is written, entities too."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  Python-Markdown's name
        """Put our parts in place of theirs."""
        md.preprocessors.deregister("html_block")
        md.preprocessors.register(_LayOut(md), "normalize_whitespace", 30)
        md.parser.blockprocessors.deregister("reference")
        md.parser.blockprocessors["hashheader"].RE = _HEADING  # type: ignore[attr-defined]
        for name in _TAKEN_OUT:
            md.inlinePatterns.deregister(name)
        md.inlinePatterns.register(_Link(_LINK, md), "link", 160)
        md.inlinePatterns.register(_BareLink(_BARE_LINK, md), "autolink", 120)
        md.treeprocessors.register(_Finish(md), "finish", -10)


class _LayOut(Preprocessor):
    """Lays out the lines, and puts fences aside."""

    def run(self, lines: list[str]) -> list[str]:
        return [*Layout(lines, self._fence).laid_out(), "", ""]

    def _fence(self, info: str, content: str) -> str:
        """Put a fence aside below its info line; what stands for it holds characters that no text has here."""
        head = f'<span class="info">{html.escape(info)}</span>\n' if info else ""
        return self.md.htmlStash.store(f"<pre>{head}<code>{html.escape(content)}</code></pre>")


class _Link(InlineProcessor):
    """A link to the web or to a mailbox; all others stay as they are written."""

    def handleMatch(  # type: ignore[override]  # noqa: N802  Python-Markdown's name
        self,
        m: re.Match[str],
        data: str,  # noqa: ARG002
    ) -> tuple[Element, int, int]:
        link = Element("a", {"href": _plain(self, m["address"])})
        link.text = m["text"]
        if m["title"]:
            link.set("title", _plain(self, m["title"][1:-1]))
        return link, m.start(), m.end()


class _BareLink(InlineProcessor):
    """An address in angle brackets."""

    def handleMatch(  # type: ignore[override]  # noqa: N802  Python-Markdown's name
        self,
        m: re.Match[str],
        data: str,  # noqa: ARG002
    ) -> tuple[Element, int, int]:
        address = _plain(self, m["address"])
        link = Element("a", {"href": address})
        link.text = AtomicString(address)
        return link, m.start(), m.end()


def _plain(pattern: InlineProcessor, text: str) -> str:
    """Text with backslash escapes resolved and without the placeholders of what was found in it."""
    return UnescapeTreeprocessor().unescape(pattern.unescape(text))


class _Finish(Treeprocessor):
    """Shows where links lead, and leaves all escaping to the serializer."""

    def run(self, root: Element) -> None:
        for code in root.iter("code"):
            code.text = (code.text or "").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
        for parent in list(root.iter()):
            for link in [child for child in parent if child.tag == "a"]:
                _show_target(parent, link)


def _show_target(parent: Element, link: Element) -> None:
    """Say after a link where it leads and its title, unless its text is the address."""
    href, title = link.get("href", ""), link.attrib.pop("title", None)
    if link.text == href and not len(link) and title is None:
        return
    target = Element("span", {"class": "target"})
    target.text = f" ({unquote(href)}" + (f' "{title}")' if title else ")")
    target.tail, link.tail = link.tail, None
    parent.insert(list(parent).index(link) + 1, target)


def _serialized(root: Element) -> str:
    """The tree as HTML in which every `&` is escaped; Python-Markdown's own serializer passes entities on."""
    return tostring(root, encoding="unicode", method="html")
