"""What goes wrong, as problem+json (RFC 9457): the one table from families of errors to statuses."""

import json
from http import HTTPStatus
from typing import ClassVar

from studio.domain.records import Record
from studio.errors import (
    BlockChanged,
    Busy,
    Damaged,
    DraftChanged,
    NoteChanged,
    NotFound,
    RecordChanged,
    Refused,
    Stale,
    StudioError,
    TextChanged,
)

CONTENT_TYPE = "application/problem+json"
STATUS_OF_FAMILY: dict[type[StudioError], int] = {NotFound: 404, Refused: 422, Stale: 409, Busy: 503, Damaged: 500}
"""How each family is answered."""


class Problem(Exception):
    """A request that is answered with a problem of HTTP's own; nothing was changed."""

    kind: ClassVar[str] = "request"
    """What `kind` says of it; a `StudioError` says its family there."""

    def __init__(self, status: int, detail: str, **headers: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


def status_of(error: StudioError) -> int:
    """The status of an error, by its family."""
    return next((status for family, status in STATUS_OF_FAMILY.items() if isinstance(error, family)), 422)


def conflict(error: Stale, match: str | None) -> Record:
    """What a stale write is told beside the sentence: `{live, yours, version}`, sha256s and the live version's number.

    `live` is the ETag of what is there now, or null where nothing is; `yours` the one that the write was based on. Only memory
    and Task have a version.
    """
    if not isinstance(error, TextChanged | NoteChanged | DraftChanged | RecordChanged | BlockChanged):
        return {}
    record: Record = {"live": error.live_sha256, "yours": match or ""}
    return record | ({"version": error.version} if isinstance(error, TextChanged) else {})


def problem_record(status: int, kind: str, detail: str, request_id: str, **more: object) -> Record:
    """`{type, title, status, kind, detail, request_id}` and what the problem adds, such as `{live, yours, version}`."""
    title = HTTPStatus(status).phrase
    return {
        "type": "about:blank",
        "title": title,
        "status": status,
        "kind": kind,
        "detail": detail,
        "request_id": request_id,
        **more,
    }


def as_json(value: object) -> bytes:
    """A JSON value as it is sent: UTF-8; a lone surrogate in a sentence becomes an escape."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace")
