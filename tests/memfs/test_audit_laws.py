"""The audit against the hook on random histories: both say the same of each commit, whatever its parents are (decision 34)."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from repository_builder import RepositoryBuilder

from studio import git
from studio.domain.directory.findings import Finding
from studio.domain.directory.tree import CONFIG
from studio.memfs.audit import audit_commits
from studio.memfs.checks import check_staged
from studio.memfs.repo import open_directory

NOTE = "---\nname: n\ndescription: d\n---\n"
KEYS = ["ghp_" + "A1b2" * 9, "ghp_" + "C3d4" * 9, "AKIA" + "Z7Y6" * 4]
FILE, PROGRAM, LINK, MODULE = "100644", "100755", "120000", "160000"
PATHS = [
    "MEMORY.md",
    "a.md",
    "a.md/b.md",
    "x/b.md",
    "x/MEMORY.md",
    "skills/s.md",
    "skills/x/s.sh",
    "c.txt",
    "caf\udce9.md",
]
TEXTS = [
    *("# Index\n", NOTE, "---\nname: n\n---\n", f"---\nkey: {KEYS[0]}\n---\n", "a\0b", NOTE + "caf\udce9\n"),
    *(f"{NOTE}{KEYS[0]}\n", f"{NOTE}{KEYS[1]}\n{KEYS[0]}\n", f"{KEYS[1]} {KEYS[2]}\n", f"{KEYS[0]}\n{KEYS[0]}\n"),
]
CONFIGS = [
    '{"version": 1, "maxDepth": 0, "maxCoreMemoryCharacters": 30, "readOnlyFiles": ["a.md", "c.txt"]}',
    '{"version": 1, "maxFileCharacters": 10, "readOnlyFiles": ["**"]}',
    f'{{"version": 1, "maxDepth": -1, "maxFileCharacters": -1, "oops": "{KEYS[0]}"}}',
]
EXAMPLES = int(os.environ.get("STUDIO_AUDIT_EXAMPLES", "25"))
"""How many histories each law is tried on."""
Entry = tuple[str, str]
Files = dict[str, Entry]


@dataclass(frozen=True)
class Step:
    """One commit: what it is on, and what it changes of the first parent's tree and takes from the last."""

    back: frozenset[int]
    takes: frozenset[str]
    changes: tuple[tuple[str, Entry | None], ...]


def steps() -> st.SearchStrategy[list[Step]]:
    """Histories with several beginnings, merges of up to four, and every kind of file."""
    modes = st.sampled_from([FILE, FILE, FILE, PROGRAM, LINK, MODULE])
    change = st.one_of(
        st.tuples(st.sampled_from(PATHS), st.none() | st.tuples(modes, st.sampled_from(TEXTS))),
        st.tuples(st.just(CONFIG), st.none() | st.tuples(modes, st.sampled_from(CONFIGS))),
    )
    step = st.builds(
        Step,
        back=st.frozensets(st.integers(1, 4), max_size=4),
        takes=st.frozensets(st.sampled_from([*PATHS, CONFIG])),
        changes=st.lists(change, max_size=4).map(tuple),
    )
    return st.lists(step, min_size=2, max_size=8)


def placed(files: Files, path: str, entry: Entry | None) -> None:
    """Put a file where another, or a folder, may be in its way."""
    for other in [one for one in files if one == path or one.startswith(f"{path}/") or path.startswith(f"{one}/")]:
        del files[other]
    if entry is not None:
        files[path] = entry


def content_of(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def blob_sha(text: str) -> str:
    """The sha of a text; a hostile submodule points to one."""
    content = content_of(text)
    return hashlib.sha1(b"blob %d\0%s" % (len(content), content)).hexdigest()


def build(folder: Path, history: list[Step]) -> RepositoryBuilder:
    """Write the commits past any hook; HEAD is the last one."""
    repo = RepositoryBuilder(folder)
    texts = {entry[1] for step in history for _, entry in step.changes if entry}
    repo.fast_import(b"".join(b"blob\ndata %d\n%s\n" % (len(content_of(one)), content_of(one)) for one in texts))
    stream, trees = [], list[Files]()
    for number, step in enumerate(history):
        parents = [number - back for back in sorted(step.back) if back <= number]
        files = dict(trees[parents[0]]) if parents else {}
        for path in sorted(step.takes) if len(parents) > 1 else ():
            placed(files, path, trees[parents[-1]].get(path))
        for path, change in step.changes:
            placed(files, path, change)
        trees.append(files)
        stream.append(
            f"commit refs/heads/c{number}\nmark :{number + 1}\ncommitter A <a@b> {1_700_000_000 + number} +0000\n"
        )
        stream.append("data 0\n")
        stream += [f"{'merge' if at else 'from'} :{parent + 1}\n" for at, parent in enumerate(parents)]
        stream.append("deleteall\n")
        stream += [f"M {mode} {blob_sha(text)} {path}\n" for path, (mode, text) in files.items()]
    repo.fast_import(content_of("".join(stream)))
    repo.git("symbolic-ref", "HEAD", f"refs/heads/c{len(history) - 1}")
    return repo


def hook(repo: RepositoryBuilder, commit: str, parents: list[str]) -> tuple[Finding, ...]:
    """What the hook says where the tree of a commit is about to be committed on its parents."""
    repo.git("read-tree", commit)
    if parents:
        repo.git("update-ref", "--no-deref", "HEAD", parents[0])
    else:
        repo.git("symbolic-ref", "HEAD", "refs/heads/unborn")
    (repo.folder / ".git" / "MERGE_HEAD").write_text("".join(f"{one}\n" for one in parents[1:]), encoding="ascii")
    return check_staged(open_directory(repo.folder), config_approved=True).findings


def file(path: str, text: str, mode: str = FILE) -> tuple[str, Entry]:
    return path, (mode, text)


@settings(max_examples=EXAMPLES)
@given(history=steps())
@example(history=[Step(frozenset(), frozenset(), (file(CONFIG, CONFIGS[0]), file("a.md", NOTE)))])
@example(
    history=[
        Step(frozenset(), frozenset(), (file("MEMORY.md", ""), file("a.md", NOTE), file(CONFIG, CONFIGS[1]))),
        Step(frozenset({1}), frozenset(), (file(CONFIG, CONFIGS[1], LINK),)),
    ]
)
@example(history=[Step(frozenset(), frozenset(), (file("c.txt", KEYS[0], LINK), file("skills/s.md", KEYS[0])))])
@example(history=[Step(frozenset(), frozenset(), (file("a.md", "", MODULE), file("x/b.md", "")))])
@example(
    history=[
        Step(frozenset(), frozenset(), (file("MEMORY.md", ""),)),
        Step(frozenset({1}), frozenset(), (file("c.txt", KEYS[0]),)),
        Step(frozenset({2}), frozenset(), (file("a.md", NOTE),)),
        Step(frozenset({1, 2}), frozenset({"c.txt"}), ()),
    ]
)
def test_the_audit_says_of_each_commit_what_the_hook_says(
    tmp_path_factory: pytest.TempPathFactory, history: list[Step]
) -> None:
    repo = build(tmp_path_factory.mktemp("law") / "memory", history)
    repository = git.open_repository(repo.folder)
    judged = {one.commit: one for one in audit_commits(repository).round_the_hook}
    for line in repo.lines("rev-list", "--parents", "HEAD"):
        commit, *parents = line.split()
        refused = hook(repo, commit, parents)
        brought = judged[commit].findings if commit in judged else ()
        carried = judged[commit].carried if commit in judged else 0
        assert (len(refused), set(brought) - set(refused)) == (len(brought) + carried, set())


@settings(max_examples=EXAMPLES)
@given(history=steps(), start=st.integers(0, 7))
@example(
    history=[
        Step(frozenset(), frozenset(), (file("c.txt", f"{KEYS[0]}\n"),)),
        Step(frozenset({1}), frozenset(), (file("c.txt", f"{KEYS[0]}\nmore"),)),
    ],
    start=1,
)
def test_a_range_says_of_its_commits_what_the_whole_history_says(
    tmp_path_factory: pytest.TempPathFactory, history: list[Step], start: int
) -> None:
    repo = build(tmp_path_factory.mktemp("law") / "memory", history)
    repository = git.open_repository(repo.folder)
    commits = repo.lines("rev-list", "HEAD")
    revisions = f"{commits[start % len(commits)]}..HEAD"
    within = set(repo.lines("rev-list", revisions))
    whole, part = audit_commits(repository), audit_commits(repository, revisions)
    assert part.commits == len(within)
    assert set(part.round_the_hook) == {one for one in whole.round_the_hook if one.commit in within}
    assert set(part.notices) == {one for one in whole.notices if one.commit in within}
