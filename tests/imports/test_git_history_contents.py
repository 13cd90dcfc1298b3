"""Histories read from real repositories: bytes, encodings, names, times and authors as they were written."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from history_facts import FILE, contents, counts
from repository_builder import RepositoryBuilder

from studio.domain.authors import AuthorKind
from studio.domain.moments import UNKNOWN_TIME
from studio.imports.git_history import read_git_history


@pytest.fixture
def made(tmp_path: Path) -> RepositoryBuilder:
    return RepositoryBuilder(tmp_path / "repository")


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


@pytest.mark.parametrize(
    ("written", "at"),
    [
        (b"1700000100 +51800", datetime(2023, 11, 14, 22, 15, tzinfo=UTC)),
        (b"1700000200 -7530", datetime(2023, 11, 14, 22, 16, 40, tzinfo=UTC)),
        (b"1700000200 +000000000000530", datetime(2023, 11, 14, 22, 16, 40, tzinfo=UTC)),
        (b"1700000200 +5", datetime(2023, 11, 14, 22, 16, 40, tzinfo=UTC)),
        (b"0 +0000", datetime(1970, 1, 1, tzinfo=UTC)),
        (b"99999999999999 +0000", UNKNOWN_TIME),
        (b"nonsense", UNKNOWN_TIME),
        (b"", UNKNOWN_TIME),
    ],
)
def test_an_instant_is_its_seconds_and_what_names_none_is_unknown(
    made: RepositoryBuilder, written: bytes, at: datetime
) -> None:
    made.save("other", "x")
    made.write(FILE, "a\n")
    made.raw_commit(b"Ana <a@b.c> " + written, b"odd", b"Ana <a@b.c> " + written)
    assert read_git_history(made.folder, FILE).rows[0].at == at


def test_the_author_is_who_mailmap_says(made: RepositoryBuilder) -> None:
    made.write(".mailmap", "Somebody Else <else@example.org> <ana@example.org>\n")
    made.save(FILE, "a\n")
    assert read_git_history(made.folder, FILE).rows[0].author.name == "Somebody Else"


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
