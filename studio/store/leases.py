"""Rows of leases: which runs another process than the owner carries on."""

from studio.domain.runs import RunStatus
from studio.store.database import Cursor

GIVEN = "SELECT run_id, lease FROM leases JOIN runs USING (run_id) WHERE status = ?"


def given(cursor: Cursor) -> dict[str, str]:
    """The lease of each open run that has one."""
    return {str(run): str(lease) for run, lease in cursor.execute(GIVEN, [str(RunStatus.OPEN)]).fetchall()}


PUT = "INSERT OR REPLACE INTO leases VALUES (?, ?)"


def put(cursor: Cursor, run: str, lease: str) -> None:
    """Enter the lease of a run, over the one it had."""
    cursor.execute(PUT, [run, lease])


DELETE = "DELETE FROM leases WHERE run_id = ?"


def delete(cursor: Cursor, run: str) -> None:
    """Forget that a run had one."""
    cursor.execute(DELETE, [run])
