"""Rows of writes that came with a key, and what was answered.

A request is found by one column, since DuckDB looks a key of several columns up by reading them all.
"""

from datetime import datetime

from studio.domain.repeats import Answered
from studio.store.database import Cursor

GET = "SELECT fingerprint, answer, answered_at FROM idempotency WHERE request = ?"


def get(cursor: Cursor, who: str, key: str, after: datetime) -> Answered | None:
    """What was entered under a key after a time, or None."""
    row = cursor.execute(GET, [_request(who, key)]).fetchone()
    return None if row is None or row[2] <= after else Answered(row[0], row[1])


PUT = "INSERT OR REPLACE INTO idempotency VALUES (?, ?, ?, ?)"


def put(cursor: Cursor, who: str, key: str, answered: Answered, at: datetime) -> None:
    """Enter what was answered, over what the key stood for before."""
    cursor.execute(PUT, [_request(who, key), answered.fingerprint, answered.answer, at])


DELETE = "DELETE FROM idempotency WHERE request = ?"


def delete(cursor: Cursor, who: str, key: str) -> None:
    """Forget a key."""
    cursor.execute(DELETE, [_request(who, key)])


# The key at hand stays out of it: DuckDB takes no row anew whose key was deleted in the same transaction.
PRUNE = "DELETE FROM idempotency WHERE answered_at <= ? AND request <> ?"


def prune(cursor: Cursor, until: datetime, who: str, key: str) -> None:
    """Forget all keys entered up to a time, but this one, which is about to be entered."""
    cursor.execute(PRUNE, [until, _request(who, key)])


def _request(who: str, key: str) -> str:
    """Both in one column; neither holds a line break."""
    return f"{who}\n{key}"
