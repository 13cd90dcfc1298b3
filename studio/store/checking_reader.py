"""Read rows as they are stored, whatever was done to them, also in a copy of an earlier schema."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from studio.domain.checking import Break
from studio.store.transactions import Cursor

Row = tuple[Break, str | None, str]
"""What does not hold, of which agent, in a sentence."""
COLUMNS = "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal"
SINCE = "SELECT applied_at FROM schema_migrations WHERE name LIKE '%_chain.sql'"


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the columns that there are; those of later schemas read as NULL."""

    cursor: Cursor
    """The snapshot."""
    columns: frozenset[tuple[str, str]] | None = None
    """Every table with every column; None for a store of today's schema."""

    @classmethod
    def of(cls, cursor: Cursor) -> "Reader":
        """Look at what the store has."""
        return cls(cursor, frozenset((str(table), str(name)) for table, name in cursor.execute(COLUMNS).fetchall()))

    def has(self, table: str, name: str) -> bool:
        """Whether the store has this column."""
        return self.columns is None or (table, name) in self.columns

    def rows(
        self, table: str, names: Sequence[str], first: str | None = None, last: str | None = None
    ) -> list[tuple[Any, ...]]:
        """The rows of a table, of all agents or of those between two ids; none where there is no such table."""
        if self.columns is not None and not any(one == table for one, _ in self.columns):
            return []
        where, values = ("", []) if first is None else (" WHERE agent_id BETWEEN ? AND ?", [first, last])
        return self.cursor.execute(f"SELECT {self._named(table, names)} FROM {table}{where}", values).fetchall()

    def distinct(self, table: str, name: str) -> list[tuple[Any, ...]]:
        """Every value of a column."""
        return self.cursor.execute(f"SELECT DISTINCT {name} FROM {table}").fetchall()

    def texts(
        self, table: str, names: Sequence[str], text: str, raw: str | None, some: "Some", *, bodies: bool
    ) -> list[tuple[Any, ...]]:
        """Rows that hold a text, each with whether hash and size of that hold, and with the text and bytes themselves if asked for.

        Args:
            table: the table.
            names: the columns to read.
            text: the column of the text; hash and size stand in columns named like it.
            raw: the column of the bytes that are kept in place of a text, where the table has one.
            some: which rows.
            bodies: whether to read the texts.
        """
        begins = "task_" if text == "task" else ""
        hashed = (
            f"sha256({text})" if raw is None else f"CASE WHEN {raw} IS NULL THEN sha256({text}) ELSE sha256({raw}) END"
        )
        size = (
            f"length({text})"
            if raw is None
            else f"CASE WHEN {raw} IS NULL THEN length({text}) ELSE octet_length({raw}) END"
        )
        read = f"{text}, {raw or 'NULL'}" if bodies else "NULL, NULL"
        asked = f"{hashed} IS NOT DISTINCT FROM {begins}sha256, {size} IS NOT DISTINCT FROM {begins}characters, {read}"
        question = f"SELECT {self._named(table, names)}, {asked} FROM {table} WHERE {some.where}"
        return self.cursor.execute(question, list(some.values)).fetchall()

    def chained_since(self) -> datetime | None:
        """When the store took the step that gave every version a link."""
        row = self.cursor.execute(SINCE).fetchone()
        return None if row is None else row[0]

    def _named(self, table: str, names: Sequence[str]) -> str:
        return ", ".join(name if self.has(table, name) else f"NULL AS {name}" for name in names)


class Some(NamedTuple):
    """Some rows of a table."""

    where: str
    """The condition."""
    values: tuple[object, ...]
    """Its parameters."""

    @classmethod
    def of_agents(cls, first: str, last: str | None = None) -> "Some":
        """Those of one agent, or of all whose ids lie between two."""
        return cls("agent_id = ?", (first,)) if last is None else cls("agent_id BETWEEN ? AND ?", (first, last))


def count_rows(cursor: Cursor) -> dict[str, int]:
    """How many rows each table has."""
    tables = [
        str(row[0]) for row in cursor.execute("SELECT table_name FROM duckdb_tables() WHERE NOT internal").fetchall()
    ]
    return {table: int((cursor.execute(f'SELECT count(*) FROM "{table}"').fetchone() or (0,))[0]) for table in tables}
