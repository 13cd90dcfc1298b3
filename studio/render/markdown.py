"""Markdown as sanitised HTML that shows all of the text: what an agent wrote is data, never markup of ours.

Nothing may act and nothing may hide. Tags such as `<memory>` are shown as text, since a parser that drops them would hide part of a
prompt; images become links, since loading one would tell a stranger who reads; link definitions stay text; invisible and direction
characters become marks. What remains is cut down to an allow-list.
"""

import re

import nh3
from markdown import Markdown
from markdown.extensions import Extension

from studio.render.fragments_marks import marked, unescaped_marked

MOST_RENDERED_CHARACTERS = 100_000
"""A longer text is shown as written: rendering it takes seconds and helps nobody."""
TAGS = frozenset(
    "a blockquote br code em h1 h2 h3 h4 h5 h6 hr li ol p pre strong table tbody td th thead tr ul".split()
)
"""The tags that rendered Markdown may have; `img` is not one of them."""
_ATTRIBUTES = {"a": {"href"}, "code": {"class"}, "ol": {"start"}, "td": {"style"}, "th": {"style"}}
