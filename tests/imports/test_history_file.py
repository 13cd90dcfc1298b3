"""Histories from files of JSON lines: what is read of a line, and the sentence for every line that is none."""

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from builders import stands_for

from studio.domain.authors import Author, AuthorKind
from studio.domain.history import count_rows
from studio.domain.timeline import Origin, Status
from studio.errors import NotAHistory, NothingToRead, NotText, StudioError
from studio.imports.history_file import read_history_file

SHARED = Path(__file__).parents[2] / "../shared/histories"
HISTORIES = sorted(SHARED.glob("*.jsonl"))
STATUS_OF = {"A": "added", "M": "modified", "D": "deleted", "T": "modified", "R": "renamed", "C": "added"}


def line(number: int = 1, **fields: Any) -> dict[str, Any]:
    """A line that is read; `fields` change it, `...` takes one out."""
    made = {
        "n": number,
        "path": "memory.md",
        "commit": f"{number:040x}",
        "author": "author-1",
        "kind": "human",
        "kind_evidence": "none",
        "time": "2026-03-01T10:00:00+02:00",
        "subject": "a change",
        "status": "A" if number == 1 else "M",
        "mode": "100644",
        "text": f"text {number}\n",
    }
    return {name: value for name, value in {**made, **fields}.items() if value is not ...}


def file_of(folder: Path, *lines: dict[str, Any] | bytes) -> Path:
    path = folder / "history.jsonl"
    encoded = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in lines]
    path.write_bytes(b"".join(one + b"\n" for one in encoded))
    return path


def records_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(one) for one in path.read_text(encoding="utf-8").split("\n") if one]


# --- the real histories -------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not HISTORIES, reason="../shared/histories is not here")
def test_there_are_real_histories_to_read() -> None:
    assert len(HISTORIES) == len(json.loads((SHARED / "index.json").read_text(encoding="utf-8"))["histories"])


@pytest.mark.parametrize("path", HISTORIES, ids=lambda path: path.stem)
def test_a_real_history_is_read_as_written(path: Path) -> None:
    records, history = records_of(path), read_history_file(path)
    assert history.warnings == ()
    assert [row.number for row in history.rows] == list(range(1, len(records) + 1))
    for record, row in zip(records, history.rows, strict=True):
        expected = "stand-in" if stands_for(record) is not None else STATUS_OF[record["status"][0]]
        assert row.status == expected
        assert (None if row.body is None else row.body.sha256) == record.get("text_sha256")
        assert (None if row.body is None else row.body.text) == record["text"]
        assert row.at == datetime.fromisoformat(record["time"])
        assert row.origin.commit == record["commit"]
        assert row.origin.old_path == record.get("old_path")
        assert row.origin.copied == record["status"].startswith("C")
        kind = AuthorKind.AGENT if record["kind"] == "agent" else AuthorKind.OPERATOR
        evidence = None if record["kind_evidence"] == "none" else record["kind_evidence"]
        assert (row.author.kind, row.author.name, row.author.evidence) == (kind, record["author"], evidence)
        assert bool(row.author.via) is (record["kind"] == "human+agent")


@pytest.mark.parametrize("path", HISTORIES, ids=lambda path: path.stem)
def test_counts_of_a_real_history_are_those_of_git(path: Path) -> None:
    last, after_link = "", False
    for record, counted in zip(records_of(path), count_rows(read_history_file(path).rows), strict=True):
        lines = last.count("\n") + bool(last and not last.endswith("\n"))
        if record["status"] == "D":
            assert (counted.added, counted.removed) == (0, lines)
            continue
        if (
            stands_for(record) is not None
        ):  # decision 41: it counts no lines, and the next one counts against the text before
            assert (counted.added, counted.removed) == (0, 0)
            after_link = True
            continue
        expected = record.get("vs_previous_version_minimal", record["git_log_numstat"])
        if not after_link:
            assert (counted.added, counted.removed) == (expected["added"], expected["removed"])
        last, after_link = record["text"], False


# --- what is read of a line ---------------------------------------------------------------------------------------------


def test_a_line_becomes_a_row(tmp_path: Path) -> None:
    path = file_of(tmp_path, line(), line(2, status="R097", old_path="memory.md", path="MEMORY.md"))
    history = read_history_file(path)
    row = history.rows[1]
    assert row.status is Status.RENAMED
    assert row.at == datetime(2026, 3, 1, 8, tzinfo=UTC)
    assert row.origin == Origin(f"{2:040x}", "a change", "MEMORY.md", "memory.md", 120)
    assert row.key == f"{2:040x}:MEMORY.md"
    assert history.source.kind == "history"
    assert history.source.label == str(path)
    assert history.source.key == f"history:MEMORY.md:{1:040x}"


def test_the_key_is_that_of_the_history_and_not_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    first = read_history_file(file_of(tmp_path, line()))
    grown = read_history_file(file_of(tmp_path / "elsewhere", line(), line(2)), agent_authors=("author-*",))
    assert grown.source.key == first.source.key
    assert grown.rows[0].key == first.rows[0].key


@pytest.mark.parametrize(
    ("fields", "author"),
    [
        pytest.param({}, Author(AuthorKind.OPERATOR, "author-1"), id="a person"),
        pytest.param({"kind_evidence": ...}, Author(AuthorKind.OPERATOR, "author-1"), id="no evidence field"),
        pytest.param(
            {"kind": "agent", "kind_evidence": "author-name"},
            Author(AuthorKind.AGENT, "author-1", evidence="author-name"),
            id="attribution-07 agent",
        ),
        pytest.param(
            {"kind": "human+agent", "kind_evidence": "trailer: Co-Authored-By: Claude Opus 4.6"},
            Author(AuthorKind.OPERATOR, "author-1", "Claude Opus 4.6", "trailer: Co-Authored-By: Claude Opus 4.6"),
            id="attribution-07 trailer",
        ),
        pytest.param(
            {"kind": "human+agent", "kind_evidence": "trailer: Co-authored-by: marvin-context-protocol[bot]"},
            Author(
                AuthorKind.OPERATOR,
                "author-1",
                "marvin-context-protocol[bot]",
                "trailer: Co-authored-by: marvin-context-protocol[bot]",
            ),
            id="attribution-09 unknown tool",
        ),
        pytest.param(
            {"kind": "human+agent", "kind_evidence": "body: Executed-By:"},
            Author(AuthorKind.OPERATOR, "author-1", "agent", "body: Executed-By:"),
            id="evidence that names nobody",
        ),
    ],
)
def test_the_author_is_read_with_its_evidence(tmp_path: Path, fields: dict[str, Any], author: Author) -> None:
    assert read_history_file(file_of(tmp_path, line(**fields))).rows[0].author == author


def test_the_rule_of_the_operator_goes_first(tmp_path: Path) -> None:
    path = file_of(tmp_path, line(author="Yoyo"), line(2, author="Ana"))
    first, second = read_history_file(path, agent_authors=("x", "yo*")).rows
    assert first.author == Author(AuthorKind.AGENT, "Yoyo", evidence="rule: yo*")
    assert second.author.kind is AuthorKind.OPERATOR


def test_a_link_keeps_its_target_and_a_deletion_no_text(tmp_path: Path) -> None:
    lines = (
        line(),
        line(2, status="T", mode="120000", text="AGENTS.md"),
        line(3, status="T"),
        line(4, status="D", mode="000000", text=None),
    )
    rows = read_history_file(file_of(tmp_path, *lines)).rows
    assert [row.status for row in rows] == [Status.ADDED, Status.STAND_IN, Status.MODIFIED, Status.DELETED]
    assert rows[1].body is not None
    assert rows[1].body.text == "AGENTS.md"
    assert rows[3].body is None


@pytest.mark.parametrize(
    "text",
    ["", "a\r\nb", "\ufeffa\n", "a\rb\n", "line\u2028separator \x85\n", "😀\n", "no newline"],
    ids=["empty", "crlf", "bom", "lone-cr", "separators", "astral", "no final newline"],
)
def test_a_text_is_kept_to_the_byte(tmp_path: Path, text: str) -> None:
    raw = json.dumps(line(text=text), ensure_ascii=False).encode()
    (row,) = read_history_file(file_of(tmp_path, raw)).rows
    assert row.body is not None
    assert row.body.content == text.encode()


def test_a_text_with_nul_is_kept_as_bytes(tmp_path: Path) -> None:
    (row,) = read_history_file(file_of(tmp_path, line(text="a\0b\n"))).rows
    assert row.body is not None
    assert row.body.raw == b"a\0b\n"


def test_blank_lines_and_a_byte_order_mark_do_not_matter(tmp_path: Path) -> None:
    path = file_of(tmp_path, line(), b"", line(2), b"  ")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert len(read_history_file(path).rows) == 2


# --- what is refused ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        pytest.param([b"not json"], "line 1 is not JSON", id="not JSON"),
        pytest.param([line(), b'{"n": 2,'], "line 2 is not JSON", id="cut off"),
        pytest.param([b"[" * 100_000], "line 1 is not JSON", id="nested too deep"),
        pytest.param([b"[1]"], "line 1 is not a JSON object", id="a list"),
        *(
            pytest.param([line(), line(2, **{name: ...})], f"line 2 has no field '{name}'", id=f"no {name}")
            for name in ("n", "path", "commit", "author", "kind", "time", "status", "text")
        ),
        pytest.param([line(author=7)], "line 1 has no text in 'author'", id="a number for a name"),
        pytest.param([line(2)], "line 1 is numbered 2 where 1 should follow", id="starts at 2"),
        pytest.param([line(), line(3)], "line 2 is numbered 3 where 2 should follow", id="a gap"),
        pytest.param([line(), b"", line(1)], "line 3 is numbered 1 where 2 should follow", id="newest first"),
        pytest.param([line(n="1")], 'line 1 is numbered "1" where 1', id="a text for a number"),
        pytest.param([line(n=True)], "line 1 is numbered true where 1", id="a truth for a number"),
        pytest.param([line(time="yesterday")], "no ISO 8601 time: 'yesterday'", id="no time"),
        pytest.param([line(time="2026-03-01T10:00:00")], "without an offset from UTC", id="naive time"),
        pytest.param([line(time="0001-01-01T00:00:00+09:00")], "no ISO 8601 time", id="before the first year"),
        pytest.param([line(status="X")], "has the status 'X'", id="unknown status"),
        pytest.param([line(status="")], "has the status ''", id="no status"),
        pytest.param([line(kind="robot")], "has the kind 'robot'", id="unknown kind"),
        pytest.param([line(status="D")], "is a deletion with a text", id="deletion with a text"),
        pytest.param([line(text=None)], "line 1 has no text in 'text'", id="no text"),
        pytest.param([line(text_sha256="0" * 64)], "does not fit its text_sha256", id="wrong hash"),
        pytest.param([line(text="a\ud800")], "holds a lone surrogate in 'text'", id="lone surrogate"),
        pytest.param([line(), line(2, commit=f"{1:040x}")], "line 2 repeats the commit and path of line 1", id="twice"),
    ],
)
def test_a_line_that_is_no_version_is_named(tmp_path: Path, lines: list[dict[str, Any] | bytes], says: str) -> None:
    path = file_of(tmp_path, *lines)
    with pytest.raises(NotAHistory) as refused:
        read_history_file(path)
    assert says in str(refused.value)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_right_hash_is_accepted(tmp_path: Path) -> None:
    path = file_of(tmp_path, line(text="a\n", text_sha256=hashlib.sha256(b"a\n").hexdigest()))
    assert len(read_history_file(path).rows) == 1


@pytest.mark.parametrize(
    ("name", "content", "error", "says"),
    [
        pytest.param("nowhere", None, NothingToRead, "no such file", id="missing"),
        pytest.param(".", None, NothingToRead, "it is a folder", id="a folder"),
        pytest.param("empty", b"", NothingToRead, "it is empty", id="empty"),
        pytest.param("blank", b"\n\n", NothingToRead, "it is empty", id="blank"),
        pytest.param("latin", b'{"n": 1, "text": "caf\xe9"}', NotText, "not UTF-8 text (byte 21)", id="latin-1"),
        pytest.param("a\0b", None, NothingToRead, "not usable", id="NUL in the name"),
        pytest.param("x" * 300, None, NothingToRead, "too long", id="too long a name"),
    ],
)
def test_a_file_that_cannot_be_read(
    tmp_path: Path, name: str, content: bytes | None, error: type[StudioError], says: str
) -> None:
    path = f"{tmp_path}/{name}"
    if content is not None:
        Path(path).write_bytes(content)
    with pytest.raises(error) as refused:
        read_history_file(path)
    assert says in str(refused.value)
