"""Reading an archive by its keys finds what a scan finds, however long it is and whatever was pruned."""

from datetime import UTC, datetime
from itertools import pairwise

import pytest

from studio.domain.authors import operator
from studio.domain.bodies import Body
from studio.domain.paths import AgentId
from studio.domain.timeline import Actor, Facts
from studio.store import memory
from studio.store.database import open_database

NOW = datetime(2026, 9, 13, 9, 0, 12, tzinfo=UTC)
ACTOR = Actor(operator("Ana"), NOW)
LONG = memory.RECENT_REVISIONS


def facts(number: int) -> Facts:
    return Facts(number, Body(f"{number}").sha256, len(f"{number}"), 1, 1, NOW)


@pytest.mark.parametrize(
    ("written", "pruned"),
    [
        (0, 0),
        (1, 0),
        (50, 0),
        (LONG - 1, 0),
        (LONG, 0),
        (LONG + 1, 0),
        (200, 0),
        (70, 69),
        (200, 150),
        (70, 70),
        (200, 136),
    ],
)
def test_keys_find_what_a_scan_finds(written: int, pruned: int) -> None:
    database = open_database(":memory:", NOW)
    with database.tx() as cursor:
        for agent in ("a_1", "a_10"):
            rows = [(facts(number), Body(f"{number}"), f"{number}.md", ACTOR) for number in range(1, written + 1)]
            memory.insert_revisions(cursor, AgentId(agent), rows)
            memory.prune(cursor, AgentId(agent), pruned)
        inside = memory.revisions(cursor, AgentId("a_1"), written + 1)
    with database.read() as cursor:
        by_key = memory.revisions(cursor, AgentId("a_1"), written + 1)
        scanned = memory.revisions(cursor, AgentId("a_1"))
    assert by_key == scanned == inside
    assert [one.facts.number for one in by_key] == list(range(pruned + 1, written + 1))
    assert all(earlier.facts.number < later.facts.number for earlier, later in pairwise(by_key))
    database.close()


def test_keys_are_looked_up_without_reading_the_whole_archive() -> None:
    """As DuckDB does with a list of more than fifty of them, which made the list of an agent with 52 versions twice as slow."""
    database = open_database(":memory:", NOW)
    with database.tx() as cursor:
        rows = [(facts(number), Body(f"{number}"), f"{number}.md", ACTOR) for number in range(1, 1_000)]
        memory.insert_revisions(cursor, AgentId("a_1"), rows)
    with database.read() as cursor:
        keys = [f"a_1/{number}" for number in range(LONG)]
        plan = str(cursor.execute(f"EXPLAIN ANALYZE {memory.RECENT}", keys).fetchall())
    assert "Index Scan" in plan
    database.close()
