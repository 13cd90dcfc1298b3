"""Numbered SQL files and what no SQL can do, each applied once, in one transaction with its record, and never edited after release."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from importlib import resources

from studio.errors import NotAStore, StoreDamaged, StoreNewer
from studio.store.transactions import Cursor

CREATE_RECORD = """
CREATE TABLE schema_migrations (
    migration_id INTEGER PRIMARY KEY, name VARCHAR NOT NULL, sha256 VARCHAR NOT NULL, applied_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE schema_migrations IS 'The schema steps this store has taken.';
COMMENT ON COLUMN schema_migrations.migration_id IS 'Number of the step.';
COMMENT ON COLUMN schema_migrations.name IS 'File name of the step.';
COMMENT ON COLUMN schema_migrations.sha256 IS 'sha256 of the file that was applied.';
COMMENT ON COLUMN schema_migrations.applied_at IS 'When it was applied.';
"""
LIST_TABLES = "SELECT table_name FROM duckdb_tables() WHERE NOT internal"
LIST_APPLIED = "SELECT migration_id, name, sha256 FROM schema_migrations ORDER BY migration_id"
RECORD = "INSERT INTO schema_migrations VALUES (?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered step of the schema."""

    number: int
    """Its number, from 1 without gaps."""
    name: str
    """Its file name."""
    sql: str
    """What it does."""
    fill: Callable[[Cursor], None] | None = None
    """What follows on that in the same transaction, where it takes more than SQL."""

    @property
    def sha256(self) -> str:
        """What is recorded, so that an edited step is noticed."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


def _seal_all(cursor: Cursor) -> None:
    from studio.store.sealing import seal_all  # noqa: PLC0415 - needed once in a store's life

    seal_all(cursor)


FILLS: dict[str, Callable[[Cursor], None]] = {"chain": _seal_all}
"""What follows on a step, by what its file is named for."""


def shipped() -> tuple[Migration, ...]:
    """The steps this program knows, in order."""
    folder = resources.files("studio.store") / "schema"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
    return tuple(
        Migration(int(file.name[:4]), file.name, file.read_text(encoding="utf-8"), FILLS.get(file.name[5:-4]))
        for file in files
    )


def pending(connection: Cursor, path: str, known: tuple[Migration, ...]) -> tuple[Migration, ...]:
    """The steps the store has not taken yet.

    Raises:
        NotAStore: the file holds tables, but none of ours.
        StoreNewer: it has steps that this program does not know.
        StoreDamaged: a step was edited after it was applied.
    """
    tables = {str(row[0]) for row in connection.execute(LIST_TABLES).fetchall()}
    if not tables:
        return known
    if "schema_migrations" not in tables:
        raise NotAStore(path, "a DuckDB file with other tables")
    import duckdb  # noqa: PLC0415 - it is loaded by now, and whoever only names a step does not need it

    try:
        applied = connection.execute(LIST_APPLIED).fetchall()
    except duckdb.BinderException:
        raise NotAStore(path, "a DuckDB file with other tables") from None
    if len(applied) > len(known):
        raise StoreNewer(path, len(applied), len(known))
    for step, (number, name, sha256) in zip(known, applied, strict=False):
        if (step.number, step.sha256) != (number, sha256):
            raise StoreDamaged(path, f"its schema step {name} is not the one this Prompt Studio knows")
    return known[len(applied) :]


def apply(connection: Cursor, steps: tuple[Migration, ...], now: datetime) -> None:
    """Take steps in order; each shares a transaction with its record, and none stays in the write-ahead log."""
    for step in steps:
        connection.execute("BEGIN")
        try:
            if step.number == 1:
                connection.execute(CREATE_RECORD)
            connection.execute(step.sql)
            if step.fill is not None:
                step.fill(connection)
            connection.execute(RECORD, [step.number, step.name, step.sha256, now])
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")
        connection.execute("CHECKPOINT")
