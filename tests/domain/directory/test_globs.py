"""The globs of a config: `*`, `?` and `**`, everything else literal."""

import re
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as some

from studio.domain.directory.globs import matches

CASES = [
    ("*.md", "alpha.md", True),
    ("*.md", ".hid.md", True),
    ("*.md", "a/alpha.md", False),
    ("a/*", "a/b", True),
    ("a/*", "a/b/c", False),
    ("a/**", "a/b/c", True),
    ("a/**", "a", False),
    ("a/**", "ab/c", False),
    ("**", "a/b", True),
    ("**/x.md", "x.md", True),
    ("**/x.md", "a/b/x.md", True),
    ("**/x.md", "a/bx.md", False),
    ("a/**/x.md", "a/x.md", True),
    ("a/**/x.md", "a/b/c/x.md", True),
    ("a?c", "abc", True),
    ("a?c", "a/c", False),
    ("a?c", "a🧠c", True),
    ("{a,b}.md", "a.md", False),
    ("{a,b}.md", "{a,b}.md", True),
    ("[ab].md", "a.md", False),
    ("!a.md", "b.md", False),
    ("a.md", "axmd", False),
    ("*a*b*", "xaxbx", True),
    ("*a*b*", "xbxa", False),
    ("*ab*ab", "abab", True),
    ("*ab*ab", "aab", False),
    ("*?b", "bb", True),
    ("a/**/b/**/c", "a/b/c", True),
    ("a/**/b/**/c", "a/x/b/y/b/c", True),
    ("a/**/b/**/c", "a/x/c", False),
    ("a/**/**/c", "a/c", True),
    ("**/a*/b*/**", "x/ab/ab/bc/d", True),
    ("**/a*/b*/**", "x/ab/bc", False),
    ("a/**/", "a/b", False),
    ("a+(b)^$|.md", "a+(b)^$|.md", True),
    ("*.md", "with\nnewline.md", True),
    ("a.md", "a.md\n", False),
]


@pytest.mark.parametrize(("glob", "path", "names"), CASES, ids=[f"{glob} {path!r}" for glob, path, _ in CASES])
def test_what_a_glob_names(glob: str, path: str, *, names: bool) -> None:
    assert matches(glob, path) == names


PART = some.text("ab*?", min_size=1, max_size=4).filter(lambda part: "**" not in part)
GLOB = some.lists(PART | some.just("**"), min_size=1, max_size=5).map("/".join)
PATH = some.lists(some.text("ab", min_size=1, max_size=3), min_size=1, max_size=5).map("/".join)


@given(glob=GLOB, path=PATH)
def test_a_glob_names_what_it_says_piece_by_piece(glob: str, path: str) -> None:
    says = {"/**/": "/(?:.*/)?", "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    once = reduce(lambda text, _: text.replace("**/**", "**"), range(4), glob)
    pieces = re.findall(r"(?:^|/)\*\*(?:/|$)|\*|\?|[^*?]", once)
    plain = "".join(
        piece.replace("**/", says["**/"]).replace("**", ".*") if "**" in piece else says.get(piece, piece)
        for piece in pieces
    )
    assert matches(glob, path) == bool(re.fullmatch(plain, path))


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("*a" * 40 + "b", "a" * 250),
        ("**/a/" * 40 + "b", "a/" * 500 + "c"),
        ("**/*a*a*a*a*/" * 20 + "b", "aaaa/" * 400 + "c"),
    ],
    ids=["stars in a part", "parts of many folders", "both"],
)
def test_no_glob_of_a_hostile_repository_takes_forever(glob: str, path: str) -> None:
    assert not matches(glob, path)
