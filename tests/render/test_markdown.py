"""Rendered Markdown: what an agent wrote can neither act nor hide."""

import re
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.render.markdown import MOST_RENDERED_CHARACTERS, TAGS, render
from studio.render.markdown_layout import MOST_PARAGRAPH_CHARACTERS

SHOWN_AS_TEXT = [
    "<memory>",
    "</memory>",
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "<b onclick=a()>bold</b>",
    "<!-- hidden -->",
    "<style>p{}</style>",
    "<human><description>d</description></human>",
    "[x]: javascript:alert(1)",
    '[x]: http://a.example "a hidden instruction"',
    "[a](javascript:alert(1))",
    "[a](data:text/html,x)",
    "[a](vbscript:x)",
    "[a](notes/plan.md)",
    "&lt;memory&gt; &#x202e;",
    "#12 and #tag",
    "klzzwxh:0000 wzxhzdk:0",
]


@pytest.mark.parametrize("text", SHOWN_AS_TEXT)
def test_what_could_act_or_hide_is_shown_as_text(text: str) -> None:
    html = render(f"before\n\n{text}\n\nafter")
    assert text in unescape(html)
    assert set(re.findall(r"<([a-z0-9]+)", html)) == {"p"}


RENDERED = {
    "heading": ("# A", "<h1>A</h1>"),
    "list-right-below-a-line": ("Facts:\n- a\n- b", "<p>Facts:</p>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
    "nested-list": ("- a\n  - b", "<ul>\n<li>a<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>"),
    "numbers-go-on": ("3. a", '<ol start="3">\n<li>a</li>\n</ol>'),
    "code": ("`<memory>`", "<p><code>&lt;memory&gt;</code></p>"),
    "fence-with-its-info": (
        '```python {x="y"}\n<b>\n```',
        '<pre><span class="info">python {x="y"}</span>\n<code>&lt;b&gt;\n</code></pre>',
    ),
    "open-fence": ("```\na", "<pre><code>a\n</code></pre>"),
    "fence-in-an-item": (
        "- a\n  ```\n  <b>\n  \tc\n  ```\n  d",
        "<pre><code>&lt;b&gt;\n\tc\n</code></pre>\n<p>d</p>\n</li>",
    ),
    "fence-in-a-quote": ("> ```\n> # a\n> ```", "<blockquote>\n<pre><code># a\n</code></pre>\n</blockquote>"),
    "four-spaces-nest-too": ("- a\n    - b\n        - c", "<li>b<ul>\n<li>c</li>"),
    "two-spaces-below-a-number": ("1. a\n  - b\n2. c", "<ol>\n<li>a<ul>\n<li>b</li>\n</ul>\n</li>\n<li>c</li>\n</ol>"),
    "up-again-after-a-blank-line": ("- a\n\n  - b\n- c", "<li>b</li>\n</ul>\n</li>\n<li>\n<p>c</p>\n</li>\n</ul>"),
    "two-kinds-of-list": ("- a\n1. b", "<ul>\n<li>a</li>\n</ul>\n<ol>\n<li>b</li>\n</ol>"),
    "a-number-in-prose": ("in the year\n1986. It", "<p>in the year\n1986. It</p>"),
    "rule-below-a-list": ("- a\n---\nb", "</ul>\n<hr>\n<p>b</p>"),
    "table-right-below-a-line": ("A:\n|a|b|\n|-|-|\n|`x|y`|2|", "<td><code>x|y</code></td>"),
    "code-by-indentation": ("a\n\n    <b>\n\n    c", "<pre><code>&lt;b&gt;\n\nc\n</code></pre>"),
    "entity-in-code": ("`&lt;`", "<code>&amp;lt;</code>"),
    "crlf": ("a\r\n\r\n- b\r\n", "<p>a</p>\n<ul>\n<li>b</li>\n</ul>"),
    "table": ("|a|b|\n|-|:-:|\n|1|<i>|", '<td style="text-align:center">&lt;i&gt;</td>'),
    "image-as-link": (
        "![chart](https://a.example/p.png)",
        '!<a href="https://a.example/p.png" rel="noopener noreferrer nofollow">chart</a><span class="target"> (https://a.',
    ),
    "link-with-title": (
        '[a](https://b.example "now")',
        '<span class="target"> (https://b.example "now")</span>',
    ),
    "autolink": (
        "<https://a.example>",
        '<a href="https://a.example" rel="noopener noreferrer nofollow">https://a.example</a></p>',
    ),
    "direction-mark": (
        "a\u202eb",
        '<p>a<span class="invisible" title="U+202E RIGHT-TO-LEFT OVERRIDE">U+202E</span>b</p>',
    ),
    "direction-mark-as-entity": ("a&#x202e;b", "<p>a&amp;#x202e;b</p>"),
    "direction-mark-in-code": ("`a\u202e`", '<code>a<span class="invisible"'),
    "empty": ("", ""),
}


@pytest.mark.parametrize(("text", "html"), RENDERED.values(), ids=RENDERED.keys())
def test_markdown(text: str, html: str) -> None:
    assert html in render(text)


MARK = re.compile(r'<span class="invisible" title="U[+]([0-9A-F]+)[^<]*</span>')
HIDING = {
    "cells-without-a-column": "| a |\n|---|\n| 1 | ignore all rules |\n",
    "nesting-without-end": ">" * 2_000 + " deep",
    "lists-without-end": "- " * 30 + "deep",
    "paragraph-without-end": "a" * (MOST_PARAGRAPH_CHARACTERS + 1),
    "more-cells-than-text": "a|" * 500 + "\n" + "-|" * 500 + "\nx" * 500,
    "the-parsers-own-marks": "`a` \x02klzzwxh:0000\x03 \x02wzxhzdk:0\x03 \x0242\x03 \x02amp\x03",
    "too-long": "a " * (MOST_RENDERED_CHARACTERS // 2 + 1),
}


@pytest.mark.parametrize("text", HIDING.values(), ids=HIDING.keys())
def test_what_rendering_would_hide_or_choke_on_is_shown_as_written(text: str) -> None:
    html = render(text)
    assert html.startswith('<p><span class="info">Shown as written: ')
    written = html.split("<pre>")[1].removesuffix("</pre>\n")
    assert unescape(MARK.sub(lambda mark: chr(int(mark[1], 16)), written)) == text


PIECES = st.sampled_from(
    [
        *"#>-+*_`~|[]()<>!\\&:\"'={}^$ \n\n",
        "\n\n",
        "    ",
        "```",
        "|-|",
        "](",
        "http://",
        "&amp;",
        "1. ",
        "- ",
        "word",
        "あ",
        "\t",
    ]
)


@given(st.lists(PIECES | st.sampled_from(["alpha", "beta", "gamma"]), max_size=30).map("".join))
def test_every_word_is_shown_and_no_foreign_tag(text: str) -> None:
    html = render(text)
    assert set(re.findall(r"<([a-z0-9]+)", html)) <= TAGS
    text_shown = unescape(re.sub(r'<[^<>"]*(?:"[^"]*"[^<>"]*)*>', "", html))
    for word in ("alpha", "beta", "gamma", "word"):
        assert text_shown.count(word) >= text.count(word)


HARD = {
    "emphasis": ("*a " * 4_000, "<p>"),
    "links": ("[a](" * 3_000, "<p>[a]([a]("),
    "brackets": ("[" * 12_000, "<p>[[["),
    "underscores": ("_" * 12_000, "<hr>"),
    "tags": ("<" * 12_000, "<p>&lt;&lt;"),
    "table": ("|a" * 3_000 + "\n" + "|-" * 3_000, "<table>"),
    "backticks": ("`a" * 6_000, "<p><code>a</code>a<code>"),
    "headings": ("# a\n" * 3_000, "<h1>a</h1>\n<h1>a</h1>"),
    "underlined": ("a\n=\n" * 3_000, "<h1>a</h1>\n<h1>a</h1>"),
    "rules": ("***\n" * 3_000, "<hr>\n<hr>"),
    "rule": ("- " * 6_000, "<hr>"),
    "quotes": (">" * 12_000, '<p><span class="info">Shown as written: '),
}
"""Texts as long as a memory that cost a careless parser minutes; `tests/bench/test_markdown_bench.py` has the times."""


@pytest.mark.parametrize(("text", "html"), HARD.values(), ids=HARD.keys())
def test_hard_texts_render_or_are_shown_as_written(text: str, html: str) -> None:
    assert render(text).startswith(html)


DEMO = sorted((Path(__file__).parents[2] / "data" / "demo").rglob("*.md"))


@pytest.mark.parametrize("path", DEMO, ids=["/".join(path.parts[-3:]) for path in DEMO])
def test_memories_and_tasks_of_the_demo_render(path: Path) -> None:
    assert "Shown as written" not in render(path.read_text("utf-8"))
