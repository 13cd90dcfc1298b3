"""What the fragments of the Directory place show, and that nothing of a directory ever becomes markup."""

import re
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.authors import operator
from studio.domain.bodies import Body
from studio.domain.directory.audit import Audit, AuditedCommit
from studio.domain.directory.findings import Checked, Finding, Severity
from studio.domain.directory.limits import Gauge
from studio.domain.directory.state import Headroom
from studio.domain.directory.tree import FileMode, TreeFile
from studio.render.fragments_directory import meter, shown_name
from studio.render.fragments_directory_audit import audited
from studio.render.fragments_directory_editor import judged
from studio.render.fragments_directory_file import Found, file_lines, finding, findings_list
from studio.render.fragments_directory_headroom import MOST_POINTS, headroom

NOW = datetime(2026, 11, 28, 9, 0, tzinfo=UTC)


class Seen(HTMLParser):
    """What a browser would make of a fragment: its tags and its text."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert not any(name.startswith("on") for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


def href(**changes: object) -> str:
    return f"?{len(changes)}"


def found(message: str = "Wrong.", path: str = "human.md", **more: object) -> Finding:
    return Finding(**{"kind": "file_too_long", "path": path, "message": message, "rule": "default", **more})  # type: ignore[arg-type]


def file(text: str, path: str = "human.md") -> TreeFile:
    return TreeFile(path, FileMode.REGULAR, "1", Body(text))


METERS = [
    pytest.param(Gauge("file", "a.md", 10, 100, "default"), "10 of 100 characters", "fine", id="fine"),
    pytest.param(Gauge("file", "a.md", 81, 100, "*.md"), "81 of 100 characters · near the cap", "near", id="near"),
    pytest.param(Gauge("core", ".", 100, 100, "default"), "100 of 100 characters · near the cap", "near", id="full"),
    pytest.param(Gauge("core", ".", 101, 100, "default"), "101 of 100 characters · over the cap", "over", id="over"),
    pytest.param(Gauge("file", "a.md", 9_999, None, "*.md"), "9,999 characters, no cap", "fine", id="no cap"),
    pytest.param(Gauge("file", "a.md", 5, 0, "*.md"), "5 of 0 characters · over the cap", "over", id="a cap of none"),
    pytest.param(Gauge("depth", "a/b.md", 2, 2, "default"), "2 of 2 folders deep", "fine", id="a depth that is used"),
    pytest.param(Gauge("depth", "a/b/c.md", 3, 2, "default"), "3 of 2 folders deep · over the cap", "over", id="deep"),
]


@pytest.mark.parametrize(("gauge", "words", "level"), METERS)
def test_a_gauge_says_in_words_what_its_bar_shows(gauge: Gauge, words: str, level: str) -> None:
    made = meter(gauge)
    assert Seen(made).text == words
    assert f'class="meter {level}"' in made


def test_a_finding_tells_weight_suggestion_and_reason() -> None:
    lint = found(kind="all_caps", rule="It gets overapplied.", suggestion="Say why.", severity=Severity.WARNING)
    assert Seen(finding(lint)).text == "advice Wrong.Say why.Why: It gets overapplied."
    assert Seen(finding(found(limit=20, actual=30))).text == "refused Wrong.The limit is set by: default"
    assert Seen(finding(found(kind="tag_not_xml"))).text.startswith("error ")


def test_findings_stand_below_their_lines_and_those_of_the_whole_file_above() -> None:
    findings = [found("Whole."), found("Second.", line=2), found("Beyond.", line=9)]
    told = Seen(file_lines(file("one\ntwo\nthree\n"), findings, row=None, all_lines=False)).text
    assert told.index("Whole.") < told.index("one") < told.index("two") < told.index("Second.") < told.index("three")
    assert told.index("three") < told.index("Beyond.")


def test_a_long_text_is_shown_in_part_and_a_line_beyond_it_in_full() -> None:
    text = "".join(f"line {number}\n" for number in range(1_000))
    assert "the first 400 of 1,000 lines" in file_lines(file(text), (), row=None, all_lines=False)
    assert "line 999" in file_lines(file(text), (), row=900, all_lines=False)


FILES = [
    pytest.param(TreeFile("a.md", FileMode.LINK, "1"), "a symlink", id="a link"),
    pytest.param(TreeFile("a.md", FileMode.REGULAR, "1", Body(None, b"\0\1")), "Binary", id="bytes"),
    pytest.param(TreeFile("a.md", FileMode.REGULAR, "1", Body("")), "empty", id="nothing"),
]


@pytest.mark.parametrize(("shown", "words"), FILES)
def test_what_is_no_text_is_named(shown: TreeFile, words: str) -> None:
    assert words in Seen(file_lines(shown, (), row=None, all_lines=False)).text


def test_the_list_says_when_the_writing_rules_are_still_read() -> None:
    assert "advice appears here in a moment" in Seen(findings_list(Found((), reading=True), href)).text
    assert Seen(findings_list(Found(()), href)).text == "No findings: the limits hold and the writing rules too."


def test_what_is_older_than_the_edit_is_named() -> None:
    one = found(path="other.md")
    assert "older than your edit" in (judged(Checked((one,), frozenset({one})), "text\n") or "")
    assert judged(Checked(()), "text\n") is None


@pytest.mark.parametrize("commits", [1, 2, MOST_POINTS, 5 * MOST_POINTS + 1])
def test_headroom_is_drawn_from_the_first_commit_to_the_last(commits: int) -> None:
    over_time = [
        Headroom(f"{at:040}", NOW - timedelta(days=commits - at), (Gauge("core", ".", at + 1, commits, "default"),))
        for at in range(commits)
    ]
    made = headroom(over_time, now=NOW, href=href)
    points = made.split('points="')[2].split('"')[0].split()
    assert 2 <= len(points) <= MOST_POINTS
    assert points[-1].startswith("480.0,")
    assert "100% now" in made


def test_a_history_without_memory_has_no_headroom() -> None:
    assert "no limit was ever used" in headroom([], now=NOW, href=href)


OURS = re.compile(
    r"span|section|p|a|ul|ol|li|h3|div|time|code|button|t\w+|caption|col|colgroup|svg|path|circle|line|polyline|fig\w+"
)
HOSTILE = st.text(st.sampled_from("<>&\"'/abc =\n\r\t\u202e\u200b\x00\x1b\u00e9\U0001f600")) | st.sampled_from(
    ["<script>window.hit=1</script>", "</td></table><img src=x onerror=x>", '" onmouseover="x', "a\nb"]
)


@given(HOSTILE, HOSTILE, HOSTILE)
def test_nothing_of_a_directory_becomes_markup(path: str, text: str, message: str) -> None:
    one = found(message, path or "x", line=1, suggestion=text, rule=message)
    shown = TreeFile(path or "x", FileMode.REGULAR, "1", Body(text.replace("\0", "")))
    markup = "".join(
        [
            shown_name(path),
            findings_list(Found((one,)), href),
            file_lines(shown, (one,), row=1, all_lines=True),
            judged(Checked((one,), frozenset()), text, refused=[message]) or "",
            headroom([Headroom("1", NOW, (Gauge("file", path, 1, 2, message),))], now=NOW, href=href),
            audited(Audit(1, (AuditedCommit("1", NOW, operator(text), message, 2, (one,), 1),)), now=NOW, href=href),
        ]
    )
    seen = Seen(markup)
    assert all(OURS.fullmatch(tag) for tag in seen.tags)
    assert not set(seen.text) & set("\u202e\u200b\x00\x1b")
