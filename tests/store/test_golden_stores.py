"""Stores of earlier schemas open with everything in them."""

from pathlib import Path

import duckdb
import pytest
from builders import open_store
from golden_stores import SCHEMAS, golden_store

from studio.domain.stand_ins import StandIn, StandInKind
from studio.domain.timeline import Status

COLUMNS = (
    "SELECT table_name, list(column_name ORDER BY column_index)"
    " FROM duckdb_columns() SEMI JOIN duckdb_tables() USING (table_oid) GROUP BY ALL"
)

Rows = dict[str, list[tuple[object, ...]]]


def columns(file: Path) -> dict[str, list[str]]:
    with duckdb.connect(str(file), read_only=True) as store:
        return dict(store.execute(COLUMNS).fetchall())


def rows(file: Path, of: dict[str, list[str]]) -> Rows:
    """All rows of these columns, the same order each time."""
    with duckdb.connect(str(file), read_only=True) as store:
        store.execute("SET TimeZone = 'UTC'")
        return {
            table: store.execute(f'SELECT {", ".join(names)} FROM "{table}" ORDER BY ALL').fetchall()
            for table, names in of.items()
        }


@pytest.mark.parametrize("schema", SCHEMAS)
def test_every_row_of_an_earlier_schema_is_there_after_its_migration(tmp_path: Path, schema: str) -> None:
    file = golden_store(tmp_path, schema)
    old = {table: names for table, names in columns(file).items() if table != "schema_migrations"}
    before = rows(file, old)
    assert sum(map(len, before.values())) > 900
    open_store(file).close()
    assert rows(file, old) == {
        table: [_today(table, old[table], row) for row in held] for table, held in before.items()
    }


def _today(table: str, names: list[str], row: tuple[object, ...]) -> tuple[object, ...]:
    """A row as it must be after all steps.

    Decision 41 made a link a stand-in, which counts no lines, and what follows it counts against the text before, of bytes here; the
    search for notes reads their paths too.
    """
    if table == "notes":
        path = str(row[names.index("path")]).partition("notes/")[2].removesuffix(".md")
        folded = f"{row[names.index('folded_title')]}\n{path.lower()}"
        return tuple(folded if name == "folded_title" else value for name, value in zip(names, row, strict=True))
    changed: dict[str, object] = {"added": None, "removed": None, "only_changed": None}
    if table not in ("memory", "memory_revisions"):
        return row
    if row[names.index("status")] == "link":
        changed = {"status": "stand-in", "added": 0, "removed": 0, "only_changed": None}
    elif row[names.index("text")] != "back\nagain\n" or row[names.index("version")] != 4:
        return row
    return tuple(changed.get(name, value) for name, value in zip(names, row, strict=True))


def test_what_the_store_of_schema_8_says(tmp_path: Path) -> None:
    with open_store(golden_store(tmp_path)) as studio:
        kept = studio.list_memory_versions("kept")
        assert [str(version.author.kind) for version in kept] == ["operator", "run", "agent", "operator", "unknown"]
        assert studio.get_memory_version("kept").body.text == "By an operator.\r\nwith two line ends\n"
        assert [version.number for version in studio.list_memory_versions("pruned")] == list(range(60, 9, -1))
        assert [version.number for version in studio.list_task_versions("pruned")] == list(range(55, 4, -1))
        imported = studio.list_memory_versions("imported")
        assert [version.number for version in imported] == list(range(7, 0, -1))
        assert str(imported[0].author) == "agent release bot"
        assert studio.get_memory_version("imported", 2).body.raw == b"\xff\xfe\x00bytes\n"
        link = imported[4]
        assert (link.status, link.stand_in) == (Status.STAND_IN, StandIn(StandInKind.LINK, "other.md"))
        assert (link.added, link.removed, link.characters) == (0, 0, 0)
        assert studio.get_memory_version("imported", link.number).body.text == ""
        assert [version.number for version in studio.list_memory_versions("lost")] == [2, 1]
        assert [token.name for token in studio.tokens.list()] == ["ops", "reader", "runtime"]
        assert studio.get_task_draft("kept") is not None
