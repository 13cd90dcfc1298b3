"""What fragments show: the words of each case, and that no text of others ever becomes markup."""

import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from studio.domain.bodies import Body
from studio.domain.diff import diff
from studio.render.fragments import (
    Theme,
    binary_change,
    diff_side_by_side,
    diff_unified,
    format_statement,
    marked,
    message,
    whole_binary,
    whole_raw,
    whole_rendered,
    with_style,
)
from studio.render.fragments_css import CSS, DARK, LIGHT

VIEWS = pytest.mark.parametrize("view", [diff_unified, diff_side_by_side], ids=["unified", "side-by-side"])
View = Callable[..., str]


class Seen(HTMLParser):
    """What a browser would make of a fragment: its tags, attributes and text, the text of each table row apart."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.rows: list[str] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in ("col", "br", "hr"):
            self.open.append(tag)
        if tag == "tr":
            self.rows.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if "tr" in self.open:
            self.rows[-1] += data


OUR_TAGS = {
    "section",
    "p",
    "span",
    "table",
    "caption",
    "colgroup",
    "col",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "ins",
    "del",
}
OUR_ATTRIBUTES = {"class", "aria-label", "aria-hidden", "role", "scope", "colspan", "title"}

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</memory></td></table><script>alert(1)</script>",
    "[a](javascript:alert(1)) <a href='javascript:alert(1)'>b</a>",
    '"\' onmouseover=alert(1) x="',
    "<!-- --> <style>*{display:none}</style> ]]>",
    "&lt;b&gt; &amp;#60;",
    "a\u202eb\u200bc\U000e0041",
    "\x00\x1b[31m\x7f",
]


@VIEWS
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(view: View, text: str) -> None:
    for old, new in ((text, f"{text} more"), ("", text), (text, ""), (f"{text}\n" * 3, f"{text}\r\n" * 3)):
        html = (diff_unified if view is diff_unified else diff_side_by_side)(
            diff(old, new), old_name=text, new_name=text
        )
        only_ours(html)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_shown_whole_stays_text(text: str) -> None:
    only_ours(whole_raw(text))
    only_ours(whole_binary(Body(None, text.encode() + b"\0")))
    only_ours(message(text))


def only_ours(html: str) -> Seen:
    """The fragment as seen, once nothing in it is but ours and every element is closed."""
    seen = Seen(html)
    assert set(seen.tags) <= OUR_TAGS
    assert {name for name, _ in seen.attributes} <= OUR_ATTRIBUTES
    assert seen.open == []
    return seen


PLAIN = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cf", "Co", "Cn", "M", "Zl", "Zp"]), max_size=30)


@given(st.lists(PLAIN, max_size=6), st.lists(PLAIN, max_size=6))
def test_every_changed_line_is_shown_in_both_views(old: list[str], new: list[str]) -> None:
    change = diff("\n".join(old), "\n".join(new))
    changed = [line.removesuffix("\n") for b in change.blocks if b.kind != "equal" for line in b.old + b.new]
    for html in (diff_unified(change), diff_side_by_side(change)):
        text = only_ours(html).text
        assert all(line in text for line in changed if "\u3164" not in line)


RULES = "## Rules\nfirst rule\nsecond rule\n"
REST = "## Log\nMay 1: all done\nMay 2: all done\nMay 3: Ana was away\n"
OLD = f"# Memory\n\n- Ana likes <b>short</b> answers\n- Ben reads reports\n\n{RULES}\n{REST}"
NEW = f"# Memory\n\n- Ana likes <b>long</b> answers\n\n{REST}\n{RULES}"


@VIEWS
def test_a_change_looks_like_this(view: View, snapshot: SnapshotAssertion) -> None:
    assert view(diff(OLD, NEW), old_name="version 11", new_name="version 12", context=1) == snapshot


def test_whole_texts_look_like_this(snapshot: SnapshotAssertion) -> None:
    assert whole_raw("\ufeffone\r\ntwo\n<three>", theme="dark") == snapshot(name="raw")
    assert whole_binary(Body(None, b"caf\xe9\n<b>")) == snapshot(name="binary")
    assert whole_rendered("# A\n\n<memory> [b](https://c)\n") == snapshot(name="rendered")


STATEMENTS = {
    "diff-02": ("a\r\nb\r\n", "a\nb\n", "Only line endings changed (CRLF to LF)."),
    "diff-04": ("a\nb\n", "a\r\nc\r\n", "Line endings changed (LF to CRLF)."),
    "some-lines": ("a\r\nb\n", "a\nb\r\n", "Only line endings changed (of some lines)."),
    "bom": ("a\n", "\ufeffa\n", "Only BOM changed (added)."),
    "final-newline": ("a\n", "a", "Only final newline changed (removed)."),
    "bom-and-newline": ("\ufeffa", "a\n", "Only BOM and final newline changed (BOM removed, final newline added)."),
    "all-with-words": (
        "a\nb\n",
        "\ufeffc\r\nd",
        "Line endings changed (LF to CRLF). BOM added. Final newline removed.",
    ),
    "nothing": ("a\n", "b\n", None),
}


@pytest.mark.parametrize(("old", "new", "said"), STATEMENTS.values(), ids=STATEMENTS.keys())
def test_format_changes_are_stated_before_the_lines(old: str, new: str, said: str | None) -> None:
    change = diff(old, new)
    assert format_statement(change.format_change) == said
    html = diff_unified(change)
    assert said is None or 0 < html.index(said) < html.index("<table")


@VIEWS
def test_diff_02_carriage_returns_are_marked_where_endings_changed(view: View) -> None:
    html = view(diff("a\r\nb\r\n", "a\nb\n"))
    assert html.count('title="U+000D CARRIAGE RETURN"') == 2
    assert "+2 added" in html
    assert "−2 removed" in html


def test_diff_16_carriage_returns_that_did_not_change_are_not_shown() -> None:
    html = diff_unified(diff("a\r\nb\r\n", "a\r\nc\r\n"))
    assert "CARRIAGE RETURN" not in html
    assert "\r" not in html


def test_diff_08_a_lone_carriage_return_is_always_shown() -> None:
    assert diff_unified(diff("a\rb\n", "a\nb\n")).count("CARRIAGE RETURN") == 1


def test_diff_06_numbers_of_the_change_are_those_of_the_whole_text() -> None:
    text = "x\u0085y\nz"
    assert Seen(whole_raw(text)).rows[1:] == ["1xNELy", "2z"]
    change = diff_unified(diff(text, "x\u0085y\nw"))
    assert Seen(change).rows[1:] == ["11xNELy", "2−removedz", "2+addedw"]
    assert "no newline" not in change


@VIEWS
def test_diff_10_a_last_line_without_newline_is_shown_as_added(view: View) -> None:
    html = view(diff("a\n", "a\nlast"))
    assert "<ins>last</ins>" in html
    assert "no newline at the end" in html


def test_diff_12_pairs_stand_side_by_side() -> None:
    old = "\n".join(f"line {n} has value {n}" for n in range(5))
    new = "\n".join(f"line {n} has value {n + 5}" for n in range(5))
    rows = Seen(diff_side_by_side(diff(old, new))).rows[1:]
    assert rows == [f"{n + 1}−removedline {n} has value {n}{n + 1}+addedline {n} has value {n + 5}" for n in range(5)]


@VIEWS
def test_diff_14_a_long_version_opens_with_a_size_note(view: View) -> None:
    many = diff("".join(f"row {n} old\n" for n in range(5_000)), "".join(f"row {n} new\n" for n in range(5_000)))
    html = view(many, most_lines=100)
    assert "Long: the first 100 of 10,000 lines are shown." in html
    assert "… 9,900 more lines" in html
    assert html.count("<tr>") <= 102
    whole = view(many, most_lines=None)
    assert "Long" not in whole
    assert whole.count("row 4999") == 2


@VIEWS
def test_diff_14_a_line_of_650_kb_is_cut_around_its_first_change(view: View) -> None:
    old = "word " * 60_000 + "before " + "word " * 70_000 + "\n"
    change = diff(old, old.replace("before", "after"))
    html = view(change)
    assert len(html) < 20_000
    assert '<del class="word">before</del>' in html
    assert '<ins class="word">after</ins>' in html
    assert re.search(r"Long lines are cut: [\d,]+ characters are not shown\.", html)
    assert len(view(change, most_lines=None)) > 1_300_000


def test_a_cut_never_splits_a_joined_emoji() -> None:
    html = diff_unified(diff("", "👩‍🔬" * 1_000))
    inside = html[html.index("<ins>") + 5 : html.index("</ins>")]
    assert inside == "👩‍🔬" * (len(inside) // 3)
    assert 1_990 < len(inside) <= 2_000


@VIEWS
def test_moved_blocks_say_where_they_went_and_came_from(view: View) -> None:
    html = view(diff(OLD, NEW))
    assert "3 lines moved to line 10" in html
    assert "3 lines moved from line 6" in html


@VIEWS
def test_far_equal_lines_are_folded(view: View) -> None:
    lines = [f"{n}\n" for n in range(30)]
    html = view(diff("".join(lines), "".join(["x\n", *lines[1:29], "y\n"])))
    assert "… 22 unchanged lines" in html


def test_one_equal_line_is_shown_rather_than_folded() -> None:
    lines = [f"{n}\n" for n in range(9)]
    html = diff_unified(diff("".join(lines), "".join(["x\n", *lines[1:8], "y\n"])))
    assert "unchanged" not in html


@VIEWS
def test_equal_texts_have_no_changes(view: View) -> None:
    assert Seen(view(diff("a\n", "a\n"))).text.strip() == "No changes."


NUL, LATIN = Body(None, b"a\0b"), Body(None, b"caf\xe9")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (Body("a"), NUL, "The new is binary: holds NUL, kept as bytes. Such a version is shown whole, without a diff."),
        (
            LATIN,
            Body("a"),
            "The old is binary: not UTF-8, read as latin-1. Such a version is shown whole, without a diff.",
        ),
        (NUL, NUL, "No changes."),
    ],
    ids=["nul", "latin-1 (encoding-01)", "same-bytes"],
)
def test_bytes_have_a_message_instead_of_a_change(old: Body, new: Body, said: str) -> None:
    assert Seen(binary_change(old, new) or "").text.strip() == said


def test_two_texts_have_a_change() -> None:
    assert binary_change(Body("a"), Body("b")) is None


def test_an_empty_text_says_so() -> None:
    assert "Empty: this text has no characters." in whole_raw("")


def test_a_whole_binary_is_escaped_byte_by_byte() -> None:
    assert "holds NUL, kept as bytes" in whole_binary(NUL)
    assert "a\\x00b" in whole_binary(NUL)
    assert "caf\\xe9" in whole_binary(LATIN)


MARKS = {
    "poisoning-03": (
        "a\u200bb\u202ec\U000e0041",
        ["U+200B ZERO WIDTH SPACE", "U+202E RIGHT-TO-LEFT OVERRIDE", "U+E0041 TAG LATIN CAPITAL LETTER A"],
    ),
    "bidi-isolates": ("\u2066a\u2069", ["U+2066 LEFT-TO-RIGHT ISOLATE", "U+2069 POP DIRECTIONAL ISOLATE"]),
    "bom-inside": ("a\ufeffb", ["U+FEFF BYTE ORDER MARK"]),
    "soft-hyphen": ("a\u00adb", ["U+00AD SOFT HYPHEN"]),
    "hangul-filler": ("\u3164", ["U+3164 HANGUL FILLER"]),
    "controls": ("\x1b[0m\x85\u2028", ["U+001B ESCAPE", "U+0085 NEXT LINE", "U+2028 LINE SEPARATOR"]),
    "joiner-between-letters": ("a\u200db", ["U+200D ZERO WIDTH JOINER"]),
    "variation-selector-on-a-letter": ("a\ufe0f", ["U+FE0F VARIATION SELECTOR-16"]),
    "second-variation-selector": ("❤\ufe0f\ufe0f", ["U+FE0F VARIATION SELECTOR-16"]),
    "hidden-bytes-in-selectors": ("😀\U000e0100", ["U+E0100 VARIATION SELECTOR-17"]),
    "tags-that-are-no-flag": ("🏴\U000e0068", ["U+E0068 TAG LATIN SMALL LETTER H"]),
    "joined-emoji": ("👩‍🔬👩🏽‍🚀❤️‍🔥", []),
    "emoji-as-picture-or-text": ("❤️ ☎︎ 1️⃣", []),
    "flags": ("🇯🇵 🏴󠁧󠁢󠁥󠁮󠁧󠁿", []),
    "persian-and-hindi-spelling": ("می‌خواهم क्‍ष", []),
    "variant-of-a-chinese-character": ("葛\U000e0100", []),
    "tab-newline-accents": ("\ta\ne\u0301", []),
}  # fmt: skip


@pytest.mark.parametrize(("text", "titles"), MARKS.values(), ids=MARKS.keys())
def test_what_is_invisible_is_marked(text: str, titles: list[str]) -> None:
    html = marked(text)
    assert re.findall(r'<span class="invisible" title="([^"]+)">', html) == titles
    assert titles or html == text


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_marks_aside_the_text_is_as_it_was(text: str) -> None:
    back = re.sub(
        r'<span class="invisible" title="U\+([0-9A-F]+)[^"]*">[^<]*</span>',
        lambda found: chr(int(found[1], 16)),
        marked(text),
    )
    assert Seen(back.replace("\0", "")).text == text.replace("\0", "").replace("\r\n", "\r\n")


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


READ_ON = [
    *(("text", ground) for ground in ("surface", "soft", "added", "added-mark", "removed", "removed-mark", "moved")),
    *(("muted", ground) for ground in ("surface", "soft")),
    *(("added-sign", ground) for ground in ("added", "soft")),
    *(("removed-sign", ground) for ground in ("removed", "soft")),
    *(("moved-sign", ground) for ground in ("moved", "soft")),
    ("warning-text", "warning"),
    ("accent", "surface"),
]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("letters", "ground"), READ_ON)
def test_letters_can_be_read_in_both_themes(theme: dict[str, str], letters: str, ground: str) -> None:
    lighter, darker = sorted((luminance(theme[letters]), luminance(theme[ground])), reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= 4.5


def test_the_style_names_every_colour_it_uses_and_loads_nothing() -> None:
    assert set(re.findall(r"var\(--studio-([a-z-]+)\)", CSS)) <= LIGHT.keys() == DARK.keys()
    assert "url(" not in CSS
    assert "@import" not in CSS
    assert "<" not in CSS


@pytest.mark.parametrize("theme", list(Theme))
def test_the_theme_is_a_class_of_the_root(theme: Theme) -> None:
    assert message("hello", theme=theme).startswith(f'<section class="studio-fragment {theme}" ')


def test_with_style_a_fragment_stands_alone() -> None:
    assert with_style("<p>x</p>") == f"<style>{CSS}</style>\n<p>x</p>"


@VIEWS
@pytest.mark.parametrize(
    ("old", "new", "says", "title"),
    [
        (
            "Caf\u00e9 opens\n",
            "Cafe\u0301 opens\n",
            "composed against decomposed letters",
            "U+0301 COMBINING ACUTE ACCENT",
        ),
        ("Pay 10\u00a0EUR\n", "Pay 10 EUR\n", "another kind of space", "U+00A0 NO-BREAK SPACE"),
        ("ok \u2764\n", "ok \u2764\ufe0f\n", "characters that cannot be seen", "U+FE0F VARIATION SELECTOR-16"),
        ("Ask Anna\n", "Ask \u0410nna\n", "letters of another script", "U+0410 CYRILLIC CAPITAL LETTER A"),
        ("x  \n", "x\n", "white space at the end of the line", "U+0020 SPACE"),
    ],
    ids=ascii,
)
def test_diff_17_lines_that_look_the_same_say_why_and_draw_what_differs(
    view: View, old: str, new: str, says: str, title: str
) -> None:
    shown = view(diff(old, new))
    assert f"They look the same: {says}" in shown
    assert f'title="{title}"' in shown
