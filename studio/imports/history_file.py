"""Read a history from a file: JSON lines, one version a line, oldest first.

Every line is an object with `n` (1 = oldest), `path`, `commit`, `author`, `kind` (`agent`, `human+agent`, `human`, or
`unknown` for version 1 of a history that was cut off), `time` (with an offset), `status` (git's letter) and `text` (null for
a deletion). `kind_evidence`, `mode`, `old_path`, `subject` and `text_sha256` are read where they are there; other fields
are left alone.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from studio.domain.agents import ImportSource
from studio.domain.attribution import is_person_rule, matching_rule, via_from_evidence
from studio.domain.authors import UNKNOWN, Author, AuthorKind
from studio.domain.bodies import Body
from studio.domain.history import History, HistoryRow, status_of, with_stand_in
from studio.domain.identities import clean_name
from studio.domain.moments import UNKNOWN_TIME
from studio.domain.timeline import Origin, Status
from studio.errors import NotAHistory, NothingToRead, NotText

_BOM = b"\xef\xbb\xbf"
_KINDS = ("agent", "human+agent", "human", "unknown")


def read_history_file(path: str | Path, agent_authors: Sequence[str] = (), *, content: bytes | None = None) -> History:
    """All versions of a file of JSON lines, oldest first.

    Args:
        path: the file; it is only named where its content is given.
        agent_authors: globs of author names that are agents, whatever the file says of them (decision 3).
        content: what the file holds, where it is on another machine.

    Raises:
        NothingToRead: the file is missing, empty, a folder, or cannot be opened.
        NotText: it is not UTF-8.
        NotAHistory: a line is no version, or the lines are not numbered from 1; the sentence names the line.
    """
    rows: list[HistoryRow] = []
    line_of_key: dict[str, int] = {}
    for number, line in enumerate(_lines(path, content), 1):
        if not line.strip():
            continue
        record = _Record(str(path), number, _parse(str(path), number, line))
        row = _row(record, len(rows) + 1, agent_authors)
        if row.key in line_of_key:
            raise record.refuse(f"repeats the commit and path of line {line_of_key[row.key]}")
        line_of_key[row.key] = number
        rows.append(row)
    if not rows:
        raise NothingToRead(str(path), "it is empty")
    asked_for, first = rows[-1].origin.path, rows[0].origin.commit
    source = ImportSource("history", f"history:{asked_for}:{first}", str(path), tuple(agent_authors))
    return History(source, tuple(rows))


@dataclass(frozen=True, slots=True)
class _Record:
    """One line, and where it stands."""

    file: str
    line: int
    fields: Mapping[str, object]

    def refuse(self, why: str) -> NotAHistory:
        """The refusal of this line; `why` continues a sentence that begins with the line."""
        return NotAHistory(f"{self.file} is not a history: line {self.line} {why}.")

    def text(self, name: str) -> str:
        """A field that must be there and hold a text."""
        if name not in self.fields:
            raise self.refuse(f"has no field {name!r}")
        value = self.fields[name]
        if not isinstance(value, str):
            raise self.refuse(f"has no text in {name!r}")
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise self.refuse(f"holds a lone surrogate in {name!r}, which is no character and cannot be stored")
        return value

    def optional(self, name: str) -> str | None:
        """A field that may be absent or null."""
        return None if self.fields.get(name) is None else self.text(name)


def _lines(path: str | Path, content: bytes | None) -> list[str]:
    """The lines of the file; cut at LF only, since JSON texts may hold other line separators."""
    held = (_read(path) if content is None else content).removeprefix(_BOM)
    try:
        return held.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise NotText(str(path), error.start) from error


def _read(path: str | Path) -> bytes:
    try:
        return Path(path).read_bytes()
    except FileNotFoundError as error:
        raise NothingToRead(str(path), "there is no such file") from error
    except IsADirectoryError as error:
        raise NothingToRead(str(path), "it is a folder; name a file of JSON lines") from error
    except (OSError, ValueError) as error:
        raise NothingToRead(str(path), getattr(error, "strerror", None) or "its name is not usable") from error


def _parse(path: str, number: int, line: str) -> Mapping[str, object]:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise NotAHistory(f"{path} is not a history: line {number} is not JSON.") from error
    if not isinstance(fields, dict):
        raise NotAHistory(f"{path} is not a history: line {number} is not a JSON object.")
    return fields


def _row(record: _Record, expected: int, agent_authors: Sequence[str]) -> HistoryRow:
    number = record.fields.get("n")
    if "n" not in record.fields:
        raise record.refuse("has no field 'n'")
    if isinstance(number, bool) or number != expected:
        raise record.refuse(
            f"is numbered {json.dumps(number)} where {expected} should follow; rows go from 1, oldest first"
        )
    commit, path, time = record.text("commit"), record.text("path"), _time(record)
    status = _status(record)
    body = _body(record, status)
    origin = Origin(
        commit=commit,
        subject=record.optional("subject"),
        path=path,
        old_path=record.optional("old_path"),
        utc_offset_minutes=_offset_minutes(time),
        copied=record.text("status").startswith("C"),
    )
    author = _author(record, agent_authors)
    row = HistoryRow(expected, f"{commit}:{path}", author, time.astimezone(UTC), body, status, origin)
    return with_stand_in(row, record.optional("mode") or "")


def _author(record: _Record, agent_authors: Sequence[str]) -> Author:
    """The author by the file's own guess, unless the operator's rule says that it is an agent (decision 3)."""
    if record.text("kind") == "unknown":
        return UNKNOWN
    written = record.text("author")
    name, kind = clean_name(written), record.text("kind")
    evidence = record.optional("kind_evidence")
    evidence = None if evidence == "none" else evidence
    rule = matching_rule(agent_authors, written)
    if is_person_rule(rule):
        kind, evidence = "human", f"rule: {rule}"
    elif rule is not None:
        return Author(AuthorKind.AGENT, name, evidence=f"rule: {rule}")
    if kind == "agent":
        return Author(AuthorKind.AGENT, name, evidence=evidence)
    if kind == "human+agent":
        return Author(AuthorKind.OPERATOR, name, via_from_evidence(evidence or "") or "agent", evidence)
    if kind == "human":
        return Author(AuthorKind.OPERATOR, name, evidence=evidence)
    raise record.refuse(f"has the kind {kind!r}; known are {', '.join(_KINDS)}")


def _time(record: _Record) -> datetime:
    if record.fields.get("time", "") is None:
        return UNKNOWN_TIME
    written = record.text("time")
    try:
        time = datetime.fromisoformat(written)
        time.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise record.refuse(f"has a time that is no ISO 8601 time: {written!r}") from error
    if time.tzinfo is None:
        raise record.refuse(f"has a time without an offset from UTC: {written!r}")
    return time


def _offset_minutes(time: datetime) -> int:
    offset = time.utcoffset()
    return 0 if offset is None else round(offset.total_seconds() / 60)


def _status(record: _Record) -> Status:
    written = record.text("status")
    status = status_of(written[:1], record.optional("mode") or "")
    if status is None:
        raise record.refuse(f"has the status {written!r}; known are git's letters A, M, D, T, R and C")
    return status


def _body(record: _Record, status: Status) -> Body | None:
    """The text as bytes or characters, checked against its own hash."""
    if status is Status.DELETED:
        if record.fields.get("text") is not None:
            raise record.refuse("is a deletion with a text")
        return None
    body = Body.of_bytes(record.text("text").encode("utf-8"))
    expected = record.optional("text_sha256")
    if expected is not None and expected != body.sha256:
        raise record.refuse("has a text that does not fit its text_sha256; the file was changed or cut")
    return body
