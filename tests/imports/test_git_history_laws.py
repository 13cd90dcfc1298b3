"""A law over histories nobody thought of."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from history_facts import LOG, commits, contents, edited
from repository_builder import START_SECONDS, RepositoryBuilder

from studio.imports.git_history import read_git_history


@pytest.fixture
def made(tmp_path: Path) -> RepositoryBuilder:
    return RepositoryBuilder(tmp_path / "repository")


def random_stream(dice: random.Random, commits: int) -> Iterator[bytes]:
    """A random graph of commits that edit, rename, delete, re-create and merge two files."""
    files: dict[int, dict[str, list[bytes]]] = {}
    for mark in range(1, commits + 1):
        near = range(max(1, mark - 4), mark)
        parents = dice.sample(near, k=min(len(near), dice.choice([1, 1, 1, 2, 2, 3])))
        held = {path: list(lines) for path, lines in (files[parents[0]] if parents else {}).items()}
        move = dice.random()
        if "a.md" in held and move < 0.1:
            held["b.md"] = held.pop("a.md")
        elif "b.md" in held and move < 0.2:
            held["a.md"] = held.pop("b.md")
        elif held and move < 0.3:
            held.pop(dice.choice(sorted(held)))
        elif move < 0.8 or not held:
            path = dice.choice(["a.md", "b.md"])
            held[path] = edited(dice, held.get(path, [b"line %d" % number for number in range(12)]))
        files[mark] = held
        branch = b"main" if mark == commits else b"b%d" % mark
        yield b"commit refs/heads/%s\nmark :%d\n" % (branch, mark)
        yield b"committer Ana <ana@example.org> %d +0000\ndata 1\nx\n" % (START_SECONDS + dice.randint(0, 10_000))
        for word, parent in zip([b"from", b"merge", b"merge"], parents, strict=False):
            yield b"%s :%d\n" % (word, parent)
        yield b"deleteall\n"
        for path, lines in held.items():
            text = b"\n".join(lines)
            yield b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(text), text)


@pytest.mark.parametrize("seed", range(12))
def test_the_newest_version_is_what_head_holds_and_no_commit_of_git_is_lost(made: RepositoryBuilder, seed: int) -> None:
    made.fast_import(b"".join(random_stream(random.Random(seed), 40)))
    for path in ("a.md", "b.md"):
        history = read_git_history(made.folder, path)
        held = made.lines("ls-tree", "HEAD", path)
        assert contents(history)[-1] == (made.git("cat-file", "blob", f"HEAD:{path}") if held else None)
        followed = any(row.origin.old_path for row in history.rows)
        expected = made.lines(*LOG, *(["--follow"] if followed else []), "--", path)[::-1]
        assert [commit for commit in commits(history) if commit in set(expected)] == expected
        for row in history.rows:
            at_commit = made.lines("ls-tree", str(row.origin.commit), str(row.origin.path))
            assert bool(at_commit) is (row.body is not None)
