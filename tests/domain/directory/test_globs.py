"""The globs of a config: `*`, `?` and `**`, everything else literal."""

import pytest

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
    ("a+(b)^$|.md", "a+(b)^$|.md", True),
    ("*.md", "with\nnewline.md", True),
    ("a.md", "a.md\n", False),
]


@pytest.mark.parametrize(("glob", "path", "names"), CASES, ids=[f"{glob} {path!r}" for glob, path, _ in CASES])
def test_what_a_glob_names(glob: str, path: str, *, names: bool) -> None:
    assert matches(glob, path) == names
