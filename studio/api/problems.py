"""What goes wrong, as problem+json (RFC 9457): the one place where an error becomes an answer."""

import json
from http import HTTPStatus

from studio.actions.caller import error_record
from studio.domain.records import Record
from studio.errors import (
    BadAgentFile,
    BlockChanged,
    BlockRefused,
    Busy,
    Damaged,
    DraftChanged,
    NotAllowed,
    NoteChanged,
    NotFound,
    RecordChanged,
    Refused,
    Stale,
    Stopping,
    StudioError,
    TextChanged,
    Unconfirmed,
)

CONTENT_TYPE = "application/problem+json"
STATUS_OF_FAMILY: dict[type[StudioError], int] = {NotFound: 404, Refused: 422, Stale: 409, Busy: 503, Damaged: 500}
"""How each family is answered."""


class Problem(Exception):
    """A request that is answered with a problem: one of HTTP's own, by which nothing was changed, or what `problem_of` makes."""

    def __init__(
        self, status: int, detail: str, *, kind: str = "request", more: Record | None = None, **headers: str
    ) -> None:
        """Take what is answered.

        Args:
            status: the HTTP status.
            detail: the sentence.
            kind: what `kind` says of it; a `StudioError` says its family there.
            more: what the problem says beside that, such as `{live, yours, version}`.
            **headers: headers of the answer, with `_` for `-`.
        """
        super().__init__(detail)
        self.status = status
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}
        self._says = {"kind": kind, "detail": detail}
        self._more = more or {}

    def record(self, request_id: str) -> Record:
        """`{type, title, status, kind, detail, request_id}` and what the problem says beside that."""
        known = {"type": "about:blank", "title": HTTPStatus(self.status).phrase, "status": self.status}
        return {**known, **self._says, "request_id": request_id, **self._more}


def problem_of(error: StudioError, match: str | None, *, whole: bool) -> Problem:
    """How an error is told, whoever raised it.

    Args:
        error: what an operation or a method of the Python API raised.
        match: the `If-Match` of a write that must say what it replaces, without its quotes.
        whole: whether the error is told with all that it carries, so that it can be raised again elsewhere.
    """
    more: Record = {"code": type(error).__name__}
    if isinstance(error, BadAgentFile | BlockRefused):
        more["findings"] = list(error.findings)
    if isinstance(error, Unconfirmed):
        more["questions"] = list(error.questions)
    if isinstance(error, Stale) and not whole:
        more |= _conflict(error, match)
    if whole:
        more["error"] = error_record(error)
    headers = {"Retry_After": "1"} if isinstance(error, Busy) else {}
    if isinstance(error, Stopping):
        headers["Connection"] = "close"
    return Problem(status_of(error), error.message, kind=error.kind, more=more, **headers)


def status_of(error: StudioError) -> int:
    """The status of an error, by its family; what a role does not reach is 403 as everywhere in HTTP."""
    if isinstance(error, NotAllowed):
        return HTTPStatus.FORBIDDEN
    return next((status for family, status in STATUS_OF_FAMILY.items() if isinstance(error, family)), 422)


def _conflict(error: Stale, match: str | None) -> Record:
    """What a stale write is told beside the sentence: `{live, yours, version}`, ETags and the live version's number.

    `live` is the ETag of what is there now, or null where nothing is; `yours` the one that the write was based on. Only memory
    and Task have a version.
    """
    if not isinstance(error, TextChanged | NoteChanged | DraftChanged | RecordChanged | BlockChanged):
        return {}
    record: Record = {"live": error.live_sha256, "yours": match or ""}
    return record | ({"version": error.version} if isinstance(error, TextChanged) else {})


def as_json(value: object) -> bytes:
    """A JSON value as it is sent: UTF-8; a lone surrogate in a sentence becomes an escape."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace")
