"""The schema as analysts read it, and transactions that are whole or nothing."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from builders import START, open_store, wake

from studio.errors import StoreDamaged
from studio.store import migrations
from studio.store.database import Database, open_database


@pytest.fixture
def database() -> Iterator[Database]:
    opened = open_database(":memory:", START)
    yield opened
    opened.close()


def ask(database: Database, question: str) -> list[tuple[object, ...]]:
    with database.read() as cursor:
        return cursor.execute(question).fetchall()


@pytest.mark.parametrize(
    ("what", "question"),
    [
        ("table", "SELECT table_name, comment FROM duckdb_tables() WHERE NOT internal"),
        ("view", "SELECT view_name, comment FROM duckdb_views() WHERE NOT internal"),
        (
            "column",
            "SELECT table_name || '.' || column_name, comment FROM duckdb_columns() SEMI JOIN duckdb_tables() USING (table_oid)",
        ),
    ],
)
def test_everything_says_what_it_is(database: Database, what: str, question: str) -> None:
    found = ask(database, question)
    assert found
    assert [name for name, comment in found if not comment] == [], f"a {what} without a comment"


def test_there_is_nothing_that_costs_data(database: Database) -> None:
    """stack.md: primary keys only; no index, foreign key, unique constraint of its own, or default."""
    assert ask(database, "SELECT index_name FROM duckdb_indexes()") == []
    kinds = ask(database, "SELECT DISTINCT constraint_type FROM duckdb_constraints()")
    assert set(kinds) <= {("PRIMARY KEY",), ("NOT NULL",)}
    assert (
        ask(database, "SELECT column_name FROM duckdb_columns() WHERE NOT internal AND column_default IS NOT NULL")
        == []
    )


def test_runs_stored_before_they_were_numbered_are_numbered_as_they_were_listed(tmp_path: Path) -> None:
    """Decision 14: and the next one follows on the last."""
    file = tmp_path / "studio.duckdb"
    with open_store(file) as studio:
        studio.create_agent("scout")
        wake(studio, "scout")
    copy = (
        "INSERT INTO old.runs SELECT runs.* EXCLUDE (tools, max_steps, max_tool_calls, number, seal)"
        " REPLACE (given.id AS run_id, given.made AS created_at) FROM runs, (VALUES ('r_b', TIMESTAMPTZ '2026-01-02'),"
        " ('r_a', TIMESTAMPTZ '2026-01-02'), ('r_c', TIMESTAMPTZ '2026-01-01')) AS given (id, made)"
    )
    earlier = tmp_path / "earlier.duckdb"
    old = open_database(earlier, START, migrations.shipped()[:3])
    old.close()
    connection = duckdb.connect(file)
    connection.execute(f"ATTACH '{earlier}' AS old")
    connection.execute("INSERT INTO old.orgs SELECT * FROM orgs")
    later = "source_restarted_at, task_digest, task_chain_before, task_chain_link"
    connection.execute(f"INSERT INTO old.agents SELECT * EXCLUDE ({later}) FROM agents")
    connection.execute(copy)
    connection.close()
    with open_store(earlier) as studio:
        made = wake(studio, "scout")
        assert [run.id for run in studio.list_runs("scout")] == [made, "r_b", "r_a", "r_c"]


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("TimeZone", "UTC"),
        ("enable_external_access", "false"),
        ("autoinstall_known_extensions", "false"),
        ("autoload_known_extensions", "false"),
        ("lock_configuration", "true"),
    ],
)
def test_what_the_owner_sets(database: Database, setting: str, value: str) -> None:
    assert ask(database, f"SELECT current_setting('{setting}')::VARCHAR") == [(value,)]


@pytest.mark.parametrize("question", ["SELECT * FROM '/etc/passwd'", "SELECT * FROM read_text('/etc/hostname')"])
def test_no_query_reaches_other_files(database: Database, question: str) -> None:
    with pytest.raises(duckdb.Error):
        ask(database, question)


def test_reading_writes_nothing(database: Database) -> None:
    with pytest.raises(duckdb.Error, match="read-only"):
        ask(database, "INSERT INTO orgs VALUES ('o', 'x', now())")


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt, SystemExit])
def test_an_exception_in_a_transaction_leaves_nothing(database: Database, failure: type[BaseException]) -> None:
    with pytest.raises(failure), database.tx() as cursor:  # noqa: PT012 - the write before the failure is the test
        cursor.execute("INSERT INTO orgs VALUES ('o_1', 'x', now())")
        raise failure
    assert ask(database, "SELECT * FROM orgs") == []
    with database.tx() as cursor:
        cursor.execute("INSERT INTO orgs VALUES ('o_1', 'x', now())")
    assert ask(database, "SELECT org_id FROM orgs") == [("o_1",)]


def test_a_refused_statement_undoes_its_transaction(database: Database) -> None:
    """After an error inside a transaction COMMIT "succeeds" and discards everything, so `tx` never gets there."""
    with pytest.raises(duckdb.ConstraintException), database.tx() as cursor:  # noqa: PT012 - as above
        cursor.execute("INSERT INTO orgs VALUES ('o_1', 'x', now())")
        cursor.execute("INSERT INTO orgs VALUES ('o_1', 'again', now())")
    assert ask(database, "SELECT * FROM orgs") == []


def test_a_reader_sees_one_moment(database: Database) -> None:
    with database.tx() as cursor:
        cursor.execute("INSERT INTO orgs VALUES ('o_1', 'before', now())")
    with database.read() as reader:
        before = reader.execute("SELECT name FROM orgs").fetchall()
        with database.tx() as cursor:
            cursor.execute("UPDATE orgs SET name = 'after'")
        assert reader.execute("SELECT name FROM orgs").fetchall() == before == [("before",)]
    assert ask(database, "SELECT name FROM orgs") == [("after",)]


def test_a_failing_disk_is_one_of_our_sentences(database: Database) -> None:
    with pytest.raises(StoreDamaged, match="disk is gone"), database.tx():
        raise duckdb.IOException("IO Error: disk is gone")


@pytest.mark.parametrize("zone", ["UTC", "America/St_Johns", "Asia/Kathmandu", "Pacific/Kiritimati"])
def test_times_are_utc_in_every_zone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, zone: str) -> None:
    """time-02, time-04: the same rule for every row, whatever zone the machine is in."""
    monkeypatch.setenv("TZ", zone)
    with open_store(tmp_path / "s.duckdb") as studio:
        studio.create_agent("scout", focus="x")
        studio.save_memory("scout", "x", force=True)
        for version in studio.list_memory_versions("scout"):
            assert version.at == START
            assert version.at.utcoffset() is not None
            assert version.at.isoformat() == START.isoformat()
