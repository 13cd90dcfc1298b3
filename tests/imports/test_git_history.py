"""Histories read from real repositories: which versions, in which order, with which texts and counts."""

import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest
from repository_builder import START_SECONDS, RepositoryBuilder

from studio.domain.authors import AuthorKind
from studio.domain.history import History, count_rows
from studio.domain.timeline import Status
from studio.errors import NotAHistory, NothingToRead
from studio.imports.git_history import read_git_history

FILE = "memory.md"
LOG = ("log", "--topo-order", "--format=%H")


@pytest.fixture
def made(tmp_path: Path) -> RepositoryBuilder:
    return RepositoryBuilder(tmp_path / "repository")


def numbered(first: int, last: int, **changed: str) -> str:
    """Lines with a number each; `l7="x"` replaces line 7."""
    return "".join(changed.get(f"l{number}", f"line {number}") + "\n" for number in range(first, last + 1))


def commits(history: History) -> list[str | None]:
    return [row.origin.commit for row in history.rows]


def statuses(history: History) -> list[Status]:
    return [row.status for row in history.rows]


def contents(history: History) -> list[bytes | None]:
    return [None if row.body is None else row.body.content for row in history.rows]


def counts(history: History) -> list[tuple[int | None, int | None]]:
    return [(one.added, one.removed) for one in count_rows(history.rows)]


def numstat(made: RepositoryBuilder, *arguments: str) -> list[tuple[int, int]]:
    output = made.lines(*arguments)
    return [(int(line.split("\t")[0]), int(line.split("\t")[1])) for line in output if "\t" in line]


def fast_history(made: RepositoryBuilder, texts: list[bytes], path: str = FILE) -> None:
    """One commit for each text, in one process."""
    parts = []
    for number, text in enumerate(texts):
        parts.append(b"commit refs/heads/main\ncommitter Ana <ana@example.org> %d +0000\n" % (START_SECONDS + number))
        parts.append(b"data 1\nx\nM 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(text), text))
    made.fast_import(b"".join(parts))


def edited(dice: random.Random, lines: list[bytes]) -> list[bytes]:
    """The lines with a few taken out, put in and repeated, as a rewriting agent does."""
    lines = [line for line in lines if dice.random() > 0.1]
    for _ in range(dice.randint(0, 6)):
        lines.insert(dice.randint(0, len(lines)), dice.choice([b"", b"- repeated", b"- item %d" % dice.randint(0, 9)]))
    return lines


def test_a_linear_history_of_200_commits_lists_and_counts_as_git(made: RepositoryBuilder) -> None:
    dice, lines, texts = random.Random(16), [b"# Memory", b""], []
    for _ in range(200):
        lines = edited(dice, lines)
        texts.append(b"\n".join(lines) + (b"\n" if dice.random() > 0.3 and lines else b""))
    texts = [text for text, before in zip(texts, [None, *texts], strict=False) if text != before]
    fast_history(made, texts)

    history = read_git_history(made.folder, FILE)

    assert commits(history) == made.lines(*LOG, "--reverse", "--", FILE)
    assert contents(history) == texts
    assert counts(history) == numstat(made, "log", "--reverse", "--numstat", "--minimal", "--format=", "--", FILE)
    shas = [made.line("rev-parse", f"{row.origin.commit}:{FILE}") for row in history.rows[:40]]
    assert counts(history)[1:40] == [
        (numstat(made, "diff", "--minimal", "--numstat", old, new) or [(0, 0)])[0] for old, new in pairwise(shas)
    ]


def test_a_rename_is_followed_and_turned_round_afterwards_git_history_02(made: RepositoryBuilder) -> None:
    made.save("notes/old.md", numbered(1, 30))
    made.save("notes/old.md", numbered(1, 30, l3="three"))
    made.git("mv", "notes/old.md", FILE)
    made.write(FILE, numbered(1, 30, l3="three", l9="nine"))
    made.commit("move it")
    made.save(FILE, numbered(1, 31, l3="three", l9="nine"))

    history = read_git_history(made.folder, FILE)

    assert commits(history) == made.lines(*LOG, "--follow", "--", FILE)[::-1]
    assert statuses(history) == [Status.ADDED, Status.MODIFIED, Status.RENAMED, Status.MODIFIED]
    assert [(row.origin.path, row.origin.old_path) for row in history.rows[1:3]] == [
        ("notes/old.md", None),
        (FILE, "notes/old.md"),
    ]
    assert counts(history) == [(30, 0), (1, 1), (1, 1), (1, 0)]
    assert history.warnings == ()


def test_a_copy_found_by_following_is_a_rename(made: RepositoryBuilder) -> None:
    made.save("SOCIAL.md", numbered(1, 20))
    made.save(FILE, numbered(1, 20, l2="two"))
    history = read_git_history(made.folder, FILE)
    assert statuses(history) == [Status.ADDED, Status.RENAMED]
    assert history.rows[1].origin.old_path == "SOCIAL.md"


def two_sides(made: RepositoryBuilder) -> None:
    """The file changed on a branch and on main, in different places."""
    made.git("checkout", "--quiet", "-b", "side")
    made.save(FILE, numbered(1, 30, l3="three"))
    made.git("checkout", "--quiet", "main")
    made.save(FILE, numbered(1, 30, l27="27"))


def test_a_merge_that_differs_from_all_its_parents_is_a_version(made: RepositoryBuilder) -> None:
    made.save(FILE, numbered(1, 30))
    two_sides(made)
    merged = made.merge("side")
    history = read_git_history(made.folder, FILE)
    assert commits(history) == made.lines(*LOG, "--", FILE)[::-1]
    assert commits(history)[-1] == merged
    assert contents(history)[-1] == numbered(1, 30, l3="three", l27="27").encode()
    assert counts(history)[-1] == (1, 1)


@pytest.mark.parametrize("renamed", [False, True], ids=["same path", "renamed before"])
def test_a_resolved_conflict_is_the_newest_version(made: RepositoryBuilder, *, renamed: bool) -> None:
    made.save("old.md" if renamed else FILE, numbered(1, 30))
    if renamed:
        made.git("mv", "old.md", FILE)
        made.commit("move")
    made.git("checkout", "--quiet", "-b", "side")
    made.save(FILE, numbered(1, 30, l10="ten"))
    made.git("checkout", "--quiet", "main")
    made.save(FILE, numbered(1, 30, l10="TEN"))
    made.merge("side", resolved={FILE: numbered(1, 30, l10="ten or TEN")})
    history = read_git_history(made.folder, FILE)
    assert contents(history)[-1] == numbered(1, 30, l10="ten or TEN").encode()
    listed = set(made.lines(*LOG, "--follow", "--", FILE)) | {made.line("rev-parse", "HEAD")}
    assert len(history.rows) == len(listed)
    assert set(commits(history)) == listed


def test_a_merge_of_one_side_only_is_no_version(made: RepositoryBuilder) -> None:
    made.save(FILE, "one\n")
    made.git("checkout", "--quiet", "-b", "side")
    made.save(FILE, "two\n")
    made.git("checkout", "--quiet", "main")
    made.save("other", "x")
    made.merge("side")
    assert contents(read_git_history(made.folder, FILE)) == [b"one\n", b"two\n"]


def test_an_octopus_merge_is_read(made: RepositoryBuilder) -> None:
    made.save(FILE, numbered(1, 30))
    for branch, change in (("a", {"l2": "a"}), ("b", {"l15": "b"}), ("c", {"l28": "c"})):
        made.git("checkout", "--quiet", "-b", branch, "main")
        made.save(FILE, numbered(1, 30, **change))
    made.git("checkout", "--quiet", "main")
    made.merge("a", "b", "c")
    history = read_git_history(made.folder, FILE)
    assert len(made.line("log", "-1", "--format=%P").split()) > 2
    assert commits(history) == made.lines(*LOG, "--", FILE)[::-1]
    assert contents(history)[-1] == numbered(1, 30, l2="a", l15="b", l28="c").encode()


@pytest.mark.parametrize("renamed", [False, True], ids=["same path", "renamed before"])
def test_what_a_merge_threw_away_is_not_live(made: RepositoryBuilder, *, renamed: bool) -> None:
    made.save("old.md" if renamed else FILE, numbered(1, 30))
    if renamed:
        made.git("mv", "old.md", FILE)
        made.commit("move")
    two_sides(made)
    made.merge("side", how="--strategy=ours")
    history = read_git_history(made.folder, FILE)
    assert contents(history)[-1] == numbered(1, 30, l27="27").encode()
    assert renamed or commits(history) == made.lines(*LOG, "--", FILE)[::-1]


def test_deletion_and_re_creation_are_shown_as_such_git_history_04(made: RepositoryBuilder) -> None:
    made.save(FILE, "a\nb\n")
    made.git("rm", "--quiet", FILE)
    made.commit("delete")
    made.save(FILE, "b\nc\nd\n")
    history = read_git_history(made.folder, FILE)
    assert statuses(history) == [Status.ADDED, Status.DELETED, Status.ADDED]
    assert contents(history) == [b"a\nb\n", None, b"b\nc\nd\n"]
    assert counts(history) == [(2, 0), (0, 2), (2, 1)]


@pytest.mark.parametrize("kept", [True, False], ids=["beside its likeness", "while its likeness goes"])
def test_a_re_created_file_keeps_its_own_past_though_another_is_like_it(made: RepositoryBuilder, *, kept: bool) -> None:
    made.save(FILE, "first life\n")
    made.git("rm", "--quiet", FILE)
    made.commit("delete")
    made.save("task_02.md", numbered(1, 20))
    made.write(FILE, numbered(1, 20, l4="four"))
    if not kept:
        made.git("rm", "--quiet", "task_02.md")
    made.commit("again")
    history = read_git_history(made.folder, FILE)
    assert commits(history) == made.lines(*LOG, "--", FILE)[::-1]
    assert statuses(history) == [Status.ADDED, Status.DELETED, Status.ADDED]


def test_a_deleted_file_is_found_by_its_path(made: RepositoryBuilder) -> None:
    made.save(FILE, "a\n")
    made.git("rm", "--quiet", FILE)
    made.commit("delete")
    assert statuses(read_git_history(made.folder, FILE)) == [Status.ADDED, Status.DELETED]


def test_a_file_that_lived_and_died_on_a_branch_is_found(made: RepositoryBuilder) -> None:
    made.save("other", "x")
    made.git("checkout", "--quiet", "-b", "side")
    made.save(FILE, "a\n")
    made.git("rm", "--quiet", FILE)
    made.commit("delete")
    made.git("checkout", "--quiet", "main")
    made.save("other", "y")
    made.merge("side")
    assert statuses(read_git_history(made.folder, FILE)) == [Status.ADDED, Status.DELETED]


def test_a_link_and_back_git_history_06(made: RepositoryBuilder) -> None:
    made.save(FILE, "one\ntwo\n")
    (made.folder / FILE).unlink()
    (made.folder / FILE).symlink_to("AGENTS.md")
    made.commit("link")
    made.save(FILE, "one\ntwo\nthree\n")
    history = read_git_history(made.folder, FILE)
    assert statuses(history) == [Status.ADDED, Status.LINK, Status.MODIFIED]
    assert contents(history)[1] == b"AGENTS.md"
    assert counts(history) == [(2, 0), (1, 2), (3, 1)]


def test_a_change_of_mode_is_a_version_without_lines(made: RepositoryBuilder) -> None:
    made.save(FILE, "a\n")
    (made.folder / FILE).chmod(0o755)
    made.commit("chmod")
    assert counts(read_git_history(made.folder, FILE)) == [(1, 0), (0, 0)]


TEXTS = [
    pytest.param(b"a\r\nb\r\n", id="crlf"),
    pytest.param("\ufeffa\n".encode(), id="bom"),
    pytest.param(b"a\rb\n", id="lone-cr"),
    pytest.param(b"no final newline", id="no-final-newline"),
    pytest.param(b"", id="empty"),
    pytest.param("memoria: café\n".encode("latin-1"), id="encoding-01"),
    pytest.param(b"nul \0 within\n", id="nul"),
    pytest.param("\u2028 \x85 \x0c 😀\n".encode(), id="other line separators"),
    pytest.param(b"x" * 1_000_000 + b"\n", id="a line of a megabyte"),
]


@pytest.mark.parametrize("content", TEXTS)
def test_every_byte_survives(made: RepositoryBuilder, content: bytes) -> None:
    made.git("config", "core.autocrlf", "false")
    made.save(FILE, content)
    made.save(FILE, "after\n")
    assert contents(read_git_history(made.folder, FILE)) == [content, b"after\n"]


def test_a_latin_1_version_is_marked_and_the_next_one_counted_encoding_01(made: RepositoryBuilder) -> None:
    latin, utf = "línea\nsame\n".encode("latin-1"), "línea\nsame\n".encode()
    made.save(FILE, latin, "añadido".encode("latin-1"))
    made.write(FILE, utf)
    made.commit("in UTF-8", author="José <jose@example.org>".encode("latin-1"))
    first, second = read_git_history(made.folder, FILE).rows
    assert first.body is not None
    assert first.body.binary_reason == "not UTF-8, read as latin-1"
    assert first.origin.subject == "añadido"
    assert second.author.name == "José"
    assert counts(read_git_history(made.folder, FILE)) == [(2, 0), (1, 1)]


def test_a_message_in_a_declared_encoding_is_read_in_it(made: RepositoryBuilder) -> None:
    made.git("config", "i18n.commitEncoding", "Shift_JIS")
    made.save(FILE, "a\n", "記録".encode("shift_jis"))
    assert read_git_history(made.folder, FILE).rows[0].origin.subject == "記録"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("memory/2026-04-14 记录.md", id="encoding-03"),
        pytest.param('memory/"quoted"\ttab.md', id="quotes and a tab"),
        pytest.param("memory/[a-z]*.md", id="glob characters"),
        pytest.param(":(top)memory.md", id="pathspec magic"),
        pytest.param("-memory.md", id="a leading dash"),
        pytest.param("back\\slash.md", id="a backslash"),
        pytest.param("line\nbreak.md", id="a line break"),
    ],
)
def test_a_file_is_found_under_its_real_name(made: RepositoryBuilder, name: str) -> None:
    made.save(name, "a\n")
    made.save("memory/b.md", "not this\n")
    made.save("memory.md", "nor this\n")
    (row,) = read_git_history(made.folder, name).rows
    assert row.origin.path == name
    assert row.body is not None
    assert row.body.text == "a\n"


def test_a_name_that_is_not_utf_8_is_stored_escaped(made: RepositoryBuilder) -> None:
    blob = made.git("hash-object", "-w", "--stdin", given=b"a\n").strip()
    made.git("update-index", "-z", "--index-info", given=b"100644 %s\t\xe9.md\0" % blob)
    made.git("commit", "--quiet", "--message=one")
    (row,) = read_git_history(made.folder, b"\xe9.md".decode("utf-8", "surrogateescape")).rows
    assert row.origin.path == "\\xe9.md"


def test_order_is_by_sequence_and_times_keep_their_offset(made: RepositoryBuilder) -> None:
    made.write(FILE, "a\n")
    made.commit(at="1700000000 +0530")
    made.write(FILE, "b\n")
    made.commit(at="1600000000 -0800")
    history = read_git_history(made.folder, FILE)
    assert contents(history) == [b"a\n", b"b\n"]
    assert [row.at for row in history.rows] == [datetime.fromtimestamp(s, UTC) for s in (1_700_000_000, 1_600_000_000)]
    assert [row.origin.utc_offset_minutes for row in history.rows] == [330, -480]


@pytest.mark.parametrize(
    ("line", "name", "damaged"),
    [
        pytest.param(b"A <b> c <d@e.f> 1700000000 +0000", "A", False, id="angle brackets in the name"),
        pytest.param(b" <ana@example.org> 1700000000 +0000", "ana", False, id="no name"),
        pytest.param(b"ana@example.org <ana@example.org> 1700000000 +0000", "ana", False, id="an address for a name"),
        pytest.param(b"A\x01B\tC <d@e.f> 1700000000 +0000", "A B C", False, id="control characters"),
        pytest.param(b"Ana <a@b.c> 99999999999999 +0000", "Ana", True, id="a year past 9999"),
        pytest.param(b"Ana <a@b.c> nonsense", "Ana", True, id="no time"),
        pytest.param(b"Ana <a@b.c> 1700000000 +9999", "Ana", False, id="an offset of four days"),
    ],
)
def test_a_damaged_author_line_is_read(made: RepositoryBuilder, line: bytes, name: str, *, damaged: bool) -> None:
    made.save("other", "x")
    made.write(FILE, "a\n")
    made.raw_commit(line, b"odd")
    history = read_git_history(made.folder, FILE)
    assert history.rows[0].author.name == name
    assert history.rows[0].at.timestamp() == (1_700_009_999 if damaged else 1_700_000_000)
    assert bool(history.warnings) is damaged


def test_the_author_is_as_written_whatever_mailmap_says(made: RepositoryBuilder) -> None:
    made.write(".mailmap", "Somebody Else <else@example.org> <ana@example.org>\n")
    made.save(FILE, "a\n")
    assert read_git_history(made.folder, FILE).rows[0].author.name == "Ana"


def test_authors_come_with_their_evidence_and_the_rule_attribution_07(made: RepositoryBuilder) -> None:
    made.save(FILE, "a\n", "by hand")
    made.save(FILE, "b\n", "with help\n\nCo-Authored-By: Claude <noreply@anthropic.com>\n")
    made.write(FILE, "c\n")
    made.commit(author="Letta Code <noreply@letta.com>")
    made.write(FILE, "d\n")
    made.commit(author="yoyo <yoyo@example.org>")
    history = read_git_history(made.folder, FILE, agent_authors=("yo*",))
    assert [(row.author.kind, row.author.via, row.author.evidence) for row in history.rows] == [
        (AuthorKind.OPERATOR, None, None),
        (AuthorKind.OPERATOR, "Claude", "trailer: Co-Authored-By: Claude"),
        (AuthorKind.AGENT, None, "author-name"),
        (AuthorKind.AGENT, None, "rule: yo*"),
    ]
    assert history.source.agent_authors == ("yo*",)


# --- what identifies a history -----------------------------------------------------------------------------------------


def test_the_same_history_has_the_same_keys_in_any_copy(made: RepositoryBuilder, tmp_path: Path) -> None:
    made.save("sub/memory.md", "a\n")
    made.save("sub/memory.md", "b\n")
    made.git("clone", "--quiet", "--bare", str(made.folder), str(tmp_path / "bare.git"))
    made.git("worktree", "add", "--quiet", str(tmp_path / "tree"), "-b", "other")
    first = read_git_history(made.folder, "sub/memory.md")
    copies = [
        read_git_history(tmp_path / "bare.git", "sub/memory.md"),
        read_git_history(tmp_path / "tree", "sub/memory.md"),
        read_git_history(made.folder / "sub", "memory.md"),
        read_git_history(made.folder / "sub", "sub/memory.md"),
        read_git_history(made.folder / ".git", "sub/memory.md"),
        read_git_history(str(made.folder), "./sub//../sub/memory.md"),
        read_git_history(made.folder, "sub\\memory.md"),
        read_git_history(made.folder, str(made.folder / "sub" / "memory.md")),
    ]
    assert first.source.kind == "git"
    assert {copy.source.key for copy in copies} == {first.source.key}
    assert all(copy.rows == first.rows for copy in copies)
    assert len({row.key for row in first.rows}) == len(first.rows)


def test_a_grown_history_keeps_the_keys_of_its_rows(made: RepositoryBuilder) -> None:
    made.save(FILE, "a\n")
    before = read_git_history(made.folder, FILE)
    made.save(FILE, "b\n")
    after = read_git_history(made.folder, FILE)
    assert after.source.key == before.source.key
    assert after.rows[: len(before.rows)] == before.rows


def test_a_path_may_count_from_where_the_command_runs(made: RepositoryBuilder, monkeypatch: pytest.MonkeyPatch) -> None:
    made.save("sub/deep/memory.md", "a\n")
    monkeypatch.chdir(made.folder / "sub")
    assert read_git_history("..", "deep/memory.md").rows[0].origin.path == "sub/deep/memory.md"
    assert read_git_history(made.folder, "../sub/deep/memory.md").rows[0].origin.path == "sub/deep/memory.md"


def test_a_decomposed_name_is_found_by_its_composed_form(made: RepositoryBuilder) -> None:
    made.save("cafe\u0301.md", "a\n")
    assert read_git_history(made.folder, "caf\u00e9.md").rows[0].origin.path == "cafe\u0301.md"


def test_progress_ends_at_the_number_of_texts(made: RepositoryBuilder) -> None:
    for text in ("a\n", "b\n", "a\n"):
        made.save(FILE, text)
    seen: list[tuple[int, int]] = []
    read_git_history(made.folder, FILE, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]


# --- copies that lack something ----------------------------------------------------------------------------------------


def test_a_shallow_copy_is_read_and_named(made: RepositoryBuilder, tmp_path: Path) -> None:
    for text in ("a\n", "b\n", "c\n"):
        made.save(FILE, text)
    made.git("clone", "--quiet", "--depth=2", made.folder.as_uri(), str(tmp_path / "shallow"))
    history = read_git_history(tmp_path / "shallow", FILE)
    assert contents(history) == [b"b\n", b"c\n"]
    assert "shallow" in history.warnings[0]


def partial_copy(made: RepositoryBuilder, folder: Path, keep: str = "blob:limit=1k") -> None:
    made.git("config", "uploadpack.allowFilter", "true")
    made.git("clone", "--quiet", "--no-checkout", f"--filter={keep}", made.folder.as_uri(), str(folder))


def test_following_that_dies_in_a_partial_copy_falls_back_and_says_so_import_04(
    made: RepositoryBuilder, tmp_path: Path
) -> None:
    made.save("assets.txt", numbered(1, 1000))
    made.save(FILE, numbered(1, 20))
    made.save(FILE, numbered(1, 21))
    partial_copy(made, tmp_path / "partial")
    history = read_git_history(tmp_path / "partial", FILE)
    assert contents(history) == [numbered(1, 20).encode(), numbered(1, 21).encode()]
    assert len(history.warnings) == 1
    assert "Renames could not be followed" in history.warnings[0]


def test_versions_that_a_partial_copy_lacks_are_counted_and_never_fetched(
    made: RepositoryBuilder, tmp_path: Path
) -> None:
    for size in (10, 400, 20, 500, 30):
        made.save(FILE, numbered(1, size))
    partial_copy(made, tmp_path / "partial")
    have = ("-C", str(tmp_path / "partial"), "count-objects", "-v")
    before = made.lines(*have)
    history = read_git_history(tmp_path / "partial", FILE)
    assert [row.number for row in history.rows] == [1, 2, 3]
    assert contents(history) == [numbered(1, size).encode() for size in (10, 20, 30)]
    assert "2 versions are left out" in history.warnings[-1]
    assert made.lines(*have) == before


def test_a_partial_copy_without_any_text_is_refused(made: RepositoryBuilder, tmp_path: Path) -> None:
    made.save(FILE, "a\n")
    partial_copy(made, tmp_path / "partial", "blob:none")
    with pytest.raises(NotAHistory, match="partial copy lacks all"):
        read_git_history(tmp_path / "partial", FILE)


# --- what is refused ---------------------------------------------------------------------------------------------------


def a_missing_folder(made: RepositoryBuilder) -> Path:
    return made.folder / "nowhere"


def too_long_a_name(made: RepositoryBuilder) -> Path:
    return made.folder / ("x" * 300)


def a_file_for_a_repository(made: RepositoryBuilder) -> Path:
    made.write("plain", "x")
    return made.folder / "plain"


def a_plain_folder(made: RepositoryBuilder) -> Path:
    (made.folder.parent / "plain").mkdir()
    return made.folder.parent / "plain"


def no_commits(made: RepositoryBuilder) -> Path:
    return made.folder


@pytest.mark.parametrize(
    ("prepare", "says"),
    [
        (a_missing_folder, "does not exist"),
        (too_long_a_name, "too long"),
        (a_file_for_a_repository, "is a file"),
        (a_plain_folder, "not a git repository"),
        (no_commits, "no commits yet"),
    ],
)
def test_a_repository_that_cannot_be_read(
    made: RepositoryBuilder, prepare: Callable[[RepositoryBuilder], Path], says: str
) -> None:
    folder = prepare(made)
    with pytest.raises(NothingToRead, match=says) as refused:
        read_git_history(folder, FILE)
    assert str(folder) in str(refused.value)
    assert str(refused.value).count("\n") == 0


@pytest.mark.parametrize(
    ("path", "says"),
    [
        pytest.param("memroy.md", "no commit in the history of HEAD knows it, such as memory.md", id="misspelt"),
        pytest.param("MEMORY.md", "such as memory.md", id="another case"),
        pytest.param("docs", "is a folder; name one of its files, such as docs/a.md", id="a folder"),
        pytest.param("docs/", "is a folder", id="a folder with a slash"),
        pytest.param("lib", "is a submodule", id="a submodule"),
        pytest.param("lib/memory.md", "lies in the submodule lib", id="in a submodule"),
        pytest.param("linked/a.md", "linked is a link to another folder", id="behind a link"),
        pytest.param("../outside.md", "names no file in the repository", id="outside"),
        pytest.param("", "names no file in the repository", id="nothing"),
        pytest.param("a\0b", "names no file in the repository", id="NUL"),
    ],
)
def test_a_path_without_a_history(made: RepositoryBuilder, path: str, says: str) -> None:
    made.write("docs/a.md", "x")
    (made.folder / "linked").symlink_to("docs")
    head = made.save(FILE, "a\n")
    made.git("update-index", "--add", "--cacheinfo", f"160000,{head},lib")
    made.git("commit", "--quiet", "--message=submodule")
    with pytest.raises(NothingToRead, match=says):
        read_git_history(made.folder, path)


def test_a_path_that_was_a_folder_lists_only_the_file(made: RepositoryBuilder) -> None:
    made.save("memory.md/inner.md", "not this\n")
    made.git("rm", "--quiet", "-r", "memory.md")
    made.commit("away")
    made.save(FILE, "a\n")
    assert contents(read_git_history(made.folder, FILE)) == [b"a\n"]


def test_a_path_that_became_a_submodule_has_no_text(made: RepositoryBuilder) -> None:
    head = made.save(FILE, "a\n")
    made.git("rm", "--quiet", "--cached", FILE)
    made.git("update-index", "--add", "--cacheinfo", f"160000,{head},{FILE}")
    made.git("commit", "--quiet", "--message=submodule")
    made.git("rm", "--quiet", "--cached", FILE)
    made.save(FILE, "b\n")
    history = read_git_history(made.folder, FILE)
    assert statuses(history) == [Status.ADDED, Status.DELETED, Status.MODIFIED]
    assert "submodule" in history.warnings[0]


# --- a law over histories nobody thought of -----------------------------------------------------------------------------


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
