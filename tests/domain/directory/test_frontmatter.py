"""The header's own line grammar: lenient when compiling, strict when committing (decision 33)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.directory.frontmatter import Document, opens_header, problems, read

Fields = dict[str, str]
READ: dict[str, tuple[str, str, Fields, int]] = {
    "both fields": ("---\nname: n\ndescription: d\n---\nb", "b", {"name": "n", "description": "d"}, 5),
    "crlf (encoding-05)": ("---\r\nname: n\r\n---\r\nb\r\n", "b", {"name": "n"}, 4),
    "bom": ("\ufeff---\nname: n\n---\nb", "b", {"name": "n"}, 4),
    "only carriage returns": ("---\rname: n\r---\rb", "b", {"name": "n"}, 4),
    "no body and no last newline": ("---\nname: n\n---", "", {"name": "n"}, 4),
    "the body starts further down": ("---\nname: n\n---\n\n\n  b\n c \n", "b\n c", {"name": "n"}, 6),
    "a rule in the body": ("---\nname: n\n---\na\n---\nb", "a\n---\nb", {"name": "n"}, 4),
    "colons in a value": ("---\nname: a: b: c\n---\nb", "b", {"name": "a: b: c"}, 4),
    "the last of two": ("---\nname: a\nname: b\n---\nb", "b", {"name": "b"}, 5),
    "a list is no text": ("---\nname:\n  - a\n---\nb", "b", {"name": ""}, 5),
    "a literal block": ("---\nname: |\n  a\n   b\n\n  c\ntags: x\n---\nb", "b", {"name": "a\n b\n\nc", "tags": "x"}, 9),
    "a folded block": ("---\nname: >-\n  a\n  b\n\n  c\n---\nb", "b", {"name": "a b\nc"}, 8),
    "quotes stay": ('---\nname: "n"\n---\nb', "b", {"name": '"n"'}, 4),
    "blanks of other scripts at the ends": ("---\nname: n\n---\n\u3000b\u00a0\ufeff", "b", {"name": "n"}, 4),
}
AS_IT_IS = {
    "no header": "  a\n\nb\n\n",
    "not closed": "---\nname: n\n",
    "closed with a blank behind": "---\nname: n\n--- \nb",
    "nothing in between": "---\n---\nb",
}


@pytest.mark.parametrize(("text", "body", "fields", "line"), READ.values(), ids=READ)
def test_what_compiling_reads(text: str, body: str, fields: Fields, line: int) -> None:
    assert read(text) == Document(body, tuple(fields.items()), header=True, body_line=line)


@pytest.mark.parametrize("text", AS_IT_IS.values(), ids=AS_IT_IS)
def test_a_text_without_a_header_is_all_body(text: str) -> None:
    assert read(text) == Document(text)


PROBLEMS = {
    "memfs-frontmatter-01": ("---\nname: n\ndescription: d\n---\nb", []),
    "any order, blank lines between": ("---\n\ndescription: d\n\nname: n\n---\n", []),
    "spaces around": ("---\n name :  n \ndescription:d\n---", []),
    "memfs-frontmatter-03 no header": ("b\n", ["fm_missing"]),
    "memfs-frontmatter-03 empty file": ("", ["fm_missing"]),
    "memfs-frontmatter-03 not closed": ("---\nname: n\ndescription: d\n", ["fm_unclosed"]),
    "memfs-frontmatter-03 empty value": ("---\nname: n\ndescription: \n---\n", ["fm_empty_value"]),
    "memfs-frontmatter-03 missing name": ("---\ndescription: d\n---\n", ["fm_missing_field"]),
    "quoted and empty": ("---\nname: ''\ndescription: \"\"\n---\n", ["fm_empty_value", "fm_empty_value"]),
    "twice": ("---\nname: a\nname: b\ndescription: d\n---\n", ["fm_duplicate_key"]),
    "a third field": ("---\nname: n\ndescription: d\nlimit: 5\n---\n", ["fm_unknown_key"]),
    "another letter case": ("---\nName: n\ndescription: d\n---\n", ["fm_unknown_key", "fm_missing_field"]),
    "a tab before the field": ("---\n\tname: n\ndescription: d\n---\n", ["fm_unknown_key", "fm_missing_field"]),
    "a line of blanks": ("---\nname: n\n \ndescription: d\n---\n", ["fm_unknown_key"]),
    "crlf": ("---\r\nname: n\r\ndescription: d\r\n---\r\n", ["fm_missing"]),
    "bom": ("\ufeff---\nname: n\ndescription: d\n---\n", ["fm_missing"]),
}


@pytest.mark.parametrize(("text", "kinds"), PROBLEMS.values(), ids=PROBLEMS)
def test_what_a_commit_may_not_bring(text: str, kinds: list[str]) -> None:
    assert [one.kind for one in problems(text)] == kinds


@pytest.mark.parametrize(("text", "line"), [("x", 1), ("---\nname: n\ntags: x\ndescription: d\n---\n", 3)])
def test_a_problem_names_its_line(text: str, line: int) -> None:
    assert [one.line for one in problems(text)] == [line]


@pytest.mark.parametrize(("text", "why"), [("\ufeff---\n", "byte order mark"), ("---\r\n", "CRLF"), ("x", "no header")])
def test_a_header_that_is_not_seen_says_why(text: str, why: str) -> None:
    assert why in problems(text)[0].message


@pytest.mark.parametrize("text", ["---", "---\n", "---\r\nx", "\ufeff---\nx", "---\nA rule first.\n"])
def test_no_index_opens_with_a_fence(text: str) -> None:
    assert opens_header(text)


@pytest.mark.parametrize("text", ["", "----\n", "--- \n", " ---\n", "# I\n---\n"])
def test_a_fence_is_exact_and_first(text: str) -> None:
    assert not opens_header(text)


pieces = st.text(st.sampled_from("ab:-|>\n\r \t\ufeff\"'"), max_size=40)


@given(pieces, pieces)
def test_a_sound_file_is_read_as_it_is_written(value: str, body: str) -> None:
    """What passes the strict reading has, read leniently, both fields in words and its own body."""
    text = f"---\nname: n\ndescription: {value}\n---\n{body}"
    if not problems(text):
        found = read(text)
        assert found.header
        assert [key for key, _ in found.fields if key in {"name", "description"}] == ["name", "description"]


@given(pieces)
def test_no_text_is_too_odd_to_read(text: str) -> None:
    found = read(text)
    assert found.header or found.body == text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
