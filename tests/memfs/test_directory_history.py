"""A directory's history as versions: real commits in real repositories (decision 1)."""

import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repository_builder import RepositoryBuilder

from studio import git
from studio.domain.authors import AuthorKind
from studio.domain.bodies import Body
from studio.domain.directory.history import DirectoryHistory
from studio.domain.directory.layout import compile_tree
from studio.domain.directory.tree import FileMode, Tree, TreeFile
from studio.domain.timeline import Status, Version
from studio.errors import NothingToRead
from studio.memfs import history as reader
from studio.memfs.history import read_history

INDEX = "# Index\n"


def block(name: str, body: str = "Be direct.\n") -> str:
    return f"---\nname: {name}\ndescription: What {name} holds.\n---\n{body}"


def history(repo: RepositoryBuilder, path: str | None = None, rule: tuple[str, ...] = ()) -> DirectoryHistory:
    return read_history(git.open_repository(repo.folder), path, rule)


def facts(versions: Iterable[Version]) -> list[tuple[int, str, int | None, int | None]]:
    return [(one.number, str(one.status), one.added, one.removed) for one in versions]


def subjects(versions: Iterable[Version]) -> list[str | None]:
    return [one.origin.subject if one.origin else None for one in versions]


@pytest.fixture
def repo(tmp_path: Path) -> RepositoryBuilder:
    return RepositoryBuilder(tmp_path / "memory")


def test_only_what_changes_the_prompt_is_a_version(repo: RepositoryBuilder) -> None:
    repo.save("notes.txt", "no memory yet\n", "no memory")
    repo.save("MEMORY.md", INDEX, "index")
    repo.save("skills/pdf/SKILL.md", "a skill\n", "skill")
    repo.save("human.md", block("human"), "human")
    repo.save("ops/MEMORY.md", "Runbooks.\n", "a folder with an index")
    repo.save("ops/MEMORY.md", "Runbooks, all.\n", "the index of a folder")
    repo.save("ops/pager.md", block("pager"), "deferred")
    repo.write("human.md", block("human") + "\n\n")
    repo.commit("blank lines at the end")
    (repo.folder / "human.md").chmod(0o755)
    repo.commit("a mode")
    found = history(repo)
    assert subjects(found.versions) == ["a folder with an index", "human", "index"]
    assert facts(found.versions) == [(3, "modified", 3, 0), (2, "modified", 5, 0), (1, "added", 3, 0)]
    assert [one.live for one in found.versions] == [True, False, False]
    assert [one.first_kept for one in found.versions] == [False, False, True]
    assert found.versions[1].until == found.versions[0].at
    assert (found.head, found.warnings) == (repo.line("rev-parse", "HEAD"), ())


def test_a_repository_without_memory_has_no_versions(repo: RepositoryBuilder) -> None:
    repo.save("notes.txt", "nothing\n")
    assert history(repo).versions == ()
    assert history(repo).newest is None


def test_memory_that_is_all_gone_is_deleted_and_comes_back_added(repo: RepositoryBuilder) -> None:
    repo.save("MEMORY.md", INDEX, "first")
    repo.git("rm", "--quiet", "MEMORY.md")
    repo.commit("all gone")
    repo.save("MEMORY.md", INDEX + "More.\n", "back")
    assert facts(history(repo).versions) == [(3, "added", 1, 0), (2, "deleted", 0, 3), (1, "added", 3, 0)]


def test_a_branch_is_one_version_at_its_merge(repo: RepositoryBuilder) -> None:
    repo.save("MEMORY.md", INDEX, "first")
    repo.git("checkout", "--quiet", "-b", "side")
    repo.save("human.md", block("human"), "side 1")
    repo.save("human.md", block("human", "Other.\n"), "side 2")
    repo.git("checkout", "--quiet", "main")
    repo.save("persona.md", block("persona"), "main")
    merge = repo.merge("side")
    found = history(repo)
    assert subjects(found.versions) == ["merge", "main", "first"]
    assert found.chain == {merge, *repo.lines("rev-list", "--first-parent", "HEAD")}


def test_authors_come_with_their_evidence(repo: RepositoryBuilder) -> None:
    """Decision 3: attribution is that of an import."""
    repo.save("MEMORY.md", INDEX, "by a person")
    repo.save("MEMORY.md", INDEX + "1\n", "with help\n\nCo-Authored-By: Claude <noreply@anthropic.com>")
    repo.write("MEMORY.md", INDEX + "2\n")
    repo.commit("by a bot", author="letta[bot] <bot@letta.com>")
    bot, helped, person = history(repo).versions
    assert (person.author.kind, person.author.name, person.author.evidence) == (AuthorKind.OPERATOR, "Ana", None)
    assert (helped.author.kind, helped.author.via) == (AuthorKind.OPERATOR, "Claude")
    assert helped.author.evidence == "trailer: Co-Authored-By: Claude"
    assert (bot.author.kind, bot.author.evidence) == (AuthorKind.AGENT, "author-name")
    assert {one.author.kind for one in history(repo, rule=("Ana",)).versions} == {AuthorKind.AGENT}


def test_order_is_by_sequence_when_clocks_step_back(repo: RepositoryBuilder) -> None:
    """Decision 14."""
    for number, seconds in enumerate((300, 100, 200), 1):
        repo.write("MEMORY.md", f"{number}\n")
        repo.commit(str(number), at=f"{1_700_000_000 + seconds} +0200")
    assert subjects(history(repo).versions) == ["3", "2", "1"]
    assert {one.origin.utc_offset_minutes for one in history(repo).versions if one.origin} == {120}


def test_a_path_gives_the_versions_of_that_file(repo: RepositoryBuilder) -> None:
    repo.save("MEMORY.md", INDEX)
    repo.save("ops/pager.md", "one\n", "made")
    repo.save("ops/pager.md", "one\r\n", "crlf")
    repo.save("human.md", block("human"), "other")
    repo.save("ops/pager.md", b"\xff\0", "bytes")
    found = history(repo, "ops/pager.md")
    assert subjects(found.versions) == ["bytes", "crlf", "made"]
    assert [(one.binary, one.only_changed) for one in found.versions] == [
        (True, None),
        (False, "line endings"),
        (False, None),
    ]
    assert found.versions[0].origin is not None
    assert found.versions[0].origin.path == "ops/pager.md"


def test_a_rename_is_followed_and_the_old_path_ends(repo: RepositoryBuilder) -> None:
    repo.save("old.md", "1\n2\n3\n4\n", "made")
    repo.git("mv", "old.md", "new.md")
    repo.commit("moved")
    repo.save("new.md", "1\n2\n3\n5\n", "changed")
    assert facts(history(repo, "new.md").versions) == [(3, "modified", 1, 1), (2, "renamed", 0, 0), (1, "added", 4, 0)]
    assert facts(history(repo, "old.md").versions) == [(2, "deleted", 0, 4), (1, "added", 4, 0)]


def test_git_history_02_the_commits_are_those_that_git_follows(repo: RepositoryBuilder) -> None:
    """Turned round only after git listed them newest first."""
    repo.save("a.md", "1\n2\n3\n4\n", "made")
    repo.save("a.md", "1\n2\n3\n4\n5\n", "changed")
    repo.git("mv", "a.md", "b.md")
    repo.commit("moved")
    repo.save("other.md", "x\n", "other")
    repo.git("mv", "b.md", "c.md")
    repo.write("c.md", "1\n2\n3\n4\n5\n6\n")
    repo.commit("moved and changed")
    followed = repo.lines("log", "--follow", "--format=%H", "--", "c.md")
    found = history(repo, "c.md").versions
    assert [one.origin.commit for one in found if one.origin] == followed
    assert [one.number for one in found] == [4, 3, 2, 1]


def test_git_history_04_recreation_is_no_rename(repo: RepositoryBuilder) -> None:
    repo.save("human.md", "1\n2\n3\n4\n", "made")
    repo.git("rm", "--quiet", "human.md")
    repo.commit("deleted")
    repo.save("copy.md", "1\n2\n3\n4\n", "elsewhere")
    repo.git("mv", "copy.md", "human.md")
    repo.commit("again")
    found = history(repo, "human.md").versions
    assert [str(one.status) for one in found] == ["added", "deleted", "added"]
    assert subjects(found) == ["again", "deleted", "made"]


def test_git_history_06_a_file_that_became_a_link(repo: RepositoryBuilder) -> None:
    repo.save("human.md", block("human"), "text")
    (repo.folder / "human.md").unlink()
    (repo.folder / "human.md").symlink_to("other.md")
    repo.commit("link")
    found = history(repo, "human.md").versions
    assert [one.status for one in found] == [Status.STAND_IN, Status.ADDED]
    assert (str(found[0].stand_in), found[0].characters) == ("a link to other.md", 0)


def test_an_unknown_path_is_named(repo: RepositoryBuilder) -> None:
    repo.save("MEMORY.md", INDEX)
    with pytest.raises(NothingToRead, match=r"'nowhere\.md'.*no commit of HEAD knows it"):
        history(repo, "nowhere.md")


def test_names_that_are_no_text_are_shown_escaped(repo: RepositoryBuilder) -> None:
    repo.save("MEMORY.md", INDEX, "first")
    repo.fast_import(
        b"commit refs/heads/main\ncommitter A <a@b> 1700000900 +0000\ndata 1\nx\nfrom refs/heads/main^0\n"
        b'M 100644 inline "sp\\303 \\377.md"\ndata 2\nx\n\n'
    )
    newest = history(repo).newest
    assert newest is not None
    assert newest.characters > len(INDEX)


def test_a_shallow_copy_says_what_is_missing(repo: RepositoryBuilder, tmp_path: Path) -> None:
    for number in range(4):
        repo.save("MEMORY.md", f"{number}\n", str(number))
    copy = RepositoryBuilder(tmp_path / "copy")
    copy.git("fetch", "--quiet", "--depth", "2", f"file://{repo.folder}", "main")
    copy.git("reset", "--quiet", "--hard", "FETCH_HEAD")
    found = history(copy)
    assert subjects(found.versions) == ["3", "2"]
    assert "shallow" in found.warnings[0]
    copy.git("fetch", "--quiet", "--unshallow", f"file://{repo.folder}", "main")
    assert subjects(history(copy).versions) == ["3", "2", "1", "0"]


def test_a_partial_copy_leaves_out_what_it_lacks(repo: RepositoryBuilder, tmp_path: Path) -> None:
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.save("MEMORY.md", "long\n" * 1000, "long")
    repo.save("MEMORY.md", "short\n", "short")
    copy = tmp_path / "copy"
    repo.git("clone", "--quiet", "--no-checkout", "--filter=blob:limit=1k", f"file://{repo.folder}", str(copy))
    found = read_history(git.open_repository(copy))
    assert subjects(found.versions) == ["short"]
    assert "1 commit is left out" in found.warnings[0]


def test_it_is_read_once_for_each_head(repo: RepositoryBuilder, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.save("MEMORY.md", INDEX, "first")
    first = history(repo)
    asked: list[str] = []
    monkeypatch.setattr(git, "lineage", lambda *_, **__: asked.append("again"))
    assert history(repo) is first
    assert asked == []
    assert len(reader._cached) <= reader.CACHED_HISTORIES


def test_processes_do_not_grow_with_the_history(repo: RepositoryBuilder, started: list[object]) -> None:
    for number in range(12):
        repo.save(f"b{number}.md", block(f"b{number}"), str(number))
    repository = git.open_repository(repo.folder)
    started.clear()
    assert len(read_history(repository).versions) == 12
    assert len(started) == 3  # the log, whether there is a .mailmap, and the texts


BODIES = st.sampled_from(["", "a\n", "b\na\n", "a\nb\nc\n", "a\r\n"])
STEPS = st.lists(
    st.dictionaries(
        st.sampled_from(["MEMORY.md", "a.md", "b.md", "x/MEMORY.md", "x/y.md"]), st.none() | BODIES, min_size=1
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=12)
@given(steps=STEPS)
def test_the_versions_are_what_compiling_each_commit_gives(
    tmp_path_factory: pytest.TempPathFactory, steps: list[dict[str, str | None]]
) -> None:
    """The law: walking changes gives what compiling every first-parent commit by itself gives, counted by git itself."""
    repo = RepositoryBuilder(tmp_path_factory.mktemp("law"))
    texts: list[str | None] = []
    for step in steps:
        for path, content in step.items():
            if content is None:
                (repo.folder / path).unlink(missing_ok=True)
            else:
                repo.write(path, content)
        repo.commit()
        texts.append(compiled_alone(repo))
    expected = [text for before, text in zip([None, *texts], texts, strict=False) if text != before]
    found = history(repo).versions[::-1]
    assert [one.sha256 for one in found] == [Body(text or "").sha256 for text in expected]
    last = ""
    for version, text in zip(found, expected, strict=True):
        counts = numstat(repo.folder, last, text or "")
        assert (version.added, version.removed) == counts
        last = text if text is not None else last


def compiled_alone(repo: RepositoryBuilder) -> str | None:
    files = []
    for record in repo.git("ls-tree", "-r", "-z", "HEAD").split(b"\0")[:-1]:
        facts_, _, path = record.decode().partition("\t")
        mode, _, sha = facts_.split()
        files.append(TreeFile(path, FileMode(mode), sha, Body.of_bytes(repo.git("cat-file", "blob", sha))))
    compiled = compile_tree(Tree(tuple(files)))
    return compiled.text if compiled.blocks else None


def numstat(folder: Path, old: str, new: str) -> tuple[int, int]:
    before, after = folder.parent / "before", folder.parent / "after"
    before.write_text(old, newline="")
    after.write_text(new, newline="")
    command = ["git", "diff", "--no-index", "--minimal", "--numstat", str(before), str(after)]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()
    return (int(said[0]), int(said[1])) if said else (0, 0)
