"""Rows of writes that came with a key, and what was answered."""

from datetime import datetime

from studio.domain.repeats import Answered
from studio.store.database import Cursor

GET = "SELECT fingerprint, answer FROM idempotency WHERE who = ? AND key = ? AND answered_at > ?"


def get(cursor: Cursor, who: str, key: str, after: datetime) -> Answered | None:
    """What was entered under a key after a time, or None."""
    row = cursor.execute(GET, [who, key, after]).fetchone()
    return None if row is None else Answered(row[0], row[1])


PUT = "INSERT OR REPLACE INTO idempotency VALUES (?, ?, ?, ?, ?)"


def put(cursor: Cursor, who: str, key: str, answered: Answered, at: datetime) -> None:
    """Enter what was answered, over what the key stood for before."""
    cursor.execute(PUT, [who, key, answered.fingerprint, answered.answer, at])


DELETE = "DELETE FROM idempotency WHERE who = ? AND key = ?"


def delete(cursor: Cursor, who: str, key: str) -> None:
    """Forget a key."""
    cursor.execute(DELETE, [who, key])


# The key at hand stays out of it: DuckDB takes no row anew whose key was deleted in the same transaction.
PRUNE = "DELETE FROM idempotency WHERE answered_at <= ? AND NOT (who = ? AND key = ?)"


def prune(cursor: Cursor, until: datetime, who: str, key: str) -> None:
    """Forget all keys entered up to a time, but this one, which is about to be entered."""
    cursor.execute(PRUNE, [until, who, key])
