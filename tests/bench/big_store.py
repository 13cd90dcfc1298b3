"""A store of 10,000 agents, or as many as asked for, with 51 memory versions of 8 KB each, built through SQL in minutes and kept.

Rows lie in the order in which years of use would leave them: every agent's version 2 before any agent's version 3. Texts are made of
random words and slide over one long list of lines, so that each version drops three lines and adds three. They repeat across agents and
are stored uncompressed, since packing 4 GB takes ten minutes and changes no time measured here by much.
"""

import hashlib
import os
import random
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb

from studio.store import migrations
from studio.store.database import open_database
from studio.store.sealing import seal_all

AGENTS = int(os.environ.get("STUDIO_BENCH_AGENTS", "10000"))
"""How many agents the store holds."""
REVISIONS = 50
"""How many archived versions each agent has."""
FOLDER = Path(os.environ.get("STUDIO_BENCH_FOLDER", str(Path(tempfile.gettempdir()) / "studio-bench")))
"""Where the store is kept between runs."""
TEXTS = 6_000
"""How many different texts there are."""
LINES_PER_TEXT, LINES_PER_STEP, LINE_CHARACTERS = 100, 3, 82
"""A text is 100 lines of 82 characters, about 8 KB, and starts three lines behind the one before."""
STARTED = "TIMESTAMPTZ '2026-01-01 00:00:00Z'"
NOW = datetime(2026, 6, 1, tzinfo=UTC)

TEXT_OF = "JOIN pool ON pool.k = (a * 61 + v) % (SELECT count(*) FROM pool)"
"""Which text is version `v` of agent number `a`: neighbours in the store share no line."""
HELD = f"""
    'a_' || lpad(a::VARCHAR, 6, '0') AS agent_id, v AS version, pool.text AS text, pool.sha256 AS sha256,
    length(pool.text) AS characters, {LINES_PER_STEP} AS added, {LINES_PER_STEP} AS removed, 'modified' AS status,
    {STARTED} + to_seconds(v * 86400 + a) AS since
"""
INSERT_REVISIONS = f"""
INSERT INTO memory_revisions BY NAME SELECT 'a_' || lpad(a::VARCHAR, 6, '0') || '/' || v AS revision_key, {HELD},
    strftime({STARTED} + to_seconds((v + 1) * 86400 + a), '%Y-%m-%dT%H-%M-%SZ') || '-r_' || a || '_' || v || '.md' AS archive_name,
    'run' AS actor_kind, 'r_' || a || '_' || v AS actor_name, {STARTED} + to_seconds((v + 1) * 86400 + a) AS replaced_at,
    'r_' || a || '_' || v AS run_id, 'c_1' AS call_id, v AS based_on, 'schedule wake-up: "check inbox"' AS occasion
FROM (SELECT $version AS v, a FROM range($agents) AS numbers(a)) {TEXT_OF}
"""
INSERT_LIVE = f"INSERT INTO memory BY NAME SELECT {HELD} FROM (SELECT $version AS v, a FROM range($agents) AS numbers(a)) {TEXT_OF}"
INSERT_CHANGES = """
INSERT INTO file_changes BY NAME SELECT nextval('file_change_numbers') AS change_id, 'a_' || lpad(a::VARCHAR, 6, '0') AS agent_id,
    'org/o_1/agents/a_' || lpad(a::VARCHAR, 6, '0') || '/memory.md' AS path, 'memory' AS file, 'memory_write' AS action, v AS version,
    sha256 AS sha256, 'run' AS author_kind, 'r_' || a || '_' || v AS author_name, 'r_' || a || '_' || v AS run_id, 'c_1' AS call_id,
    TIMESTAMPTZ '2026-01-01 00:00:00Z' + to_seconds(v * 86400 + a) AS changed_at
FROM (SELECT $version AS v, a FROM range($agents) AS numbers(a)) JOIN pool ON pool.k = (a * 61 + v) % (SELECT count(*) FROM pool)
"""
INSERT_AGENTS = f"""
INSERT INTO agents BY NAME SELECT 'a_' || lpad(a::VARCHAR, 6, '0') AS agent_id, 'o_1' AS org_id, 'g_' || (a // 50) AS guild_id,
    'agent ' || lpad(a::VARCHAR, 6, '0') AS name, 'Answers questions of region ' || (a % 97) AS focus, {STARTED} AS created_at,
    'artifact' AS layout, {REVISIONS} AS retention, true AS memory_on, true AS memory_write_on, 40 AS max_tool_calls,
    left(pool.text, 2000) AS task, 1 AS task_version, sha256(left(pool.text, 2000)) AS task_sha256, 2000 AS task_characters,
    25 AS task_added, 0 AS task_removed, {STARTED} AS task_since
FROM (SELECT 1 AS v, a FROM range($agents) AS numbers(a)) {TEXT_OF}
"""
INSERT_GUILDS = f"""
INSERT INTO guilds BY NAME SELECT 'g_' || g AS guild_id, 'o_1' AS org_id, 'Guild ' || lpad(g::VARCHAR, 4, '0') AS name,
    {STARTED} AS created_at FROM range($agents // 50 + 1) AS numbers(g)
"""


def big_store(agents: int = AGENTS) -> Path:
    """The store's file, built when it is not there yet or was built for another schema or size."""
    kind = hashlib.sha256("".join([step.sha256 for step in migrations.shipped()] + [INSERT_REVISIONS]).encode())
    file = FOLDER / f"{agents}-agents-{kind.hexdigest()[:12]}.duckdb"
    if not file.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        for left in FOLDER.glob(f"{agents}-agents-*"):
            left.unlink()
        unfinished = file.with_suffix(".unfinished")
        open_database(unfinished, NOW).close()
        _fill(unfinished, agents)
        unfinished.rename(file)
        Path(f"{unfinished}.lock").unlink(missing_ok=True)
    return file


def _fill(file: Path, agents: int) -> None:
    texts = _texts()
    config: dict[str, Any] = {"memory_limit": "4GB", "threads": 2}
    with duckdb.connect(str(file), config=config) as connection:
        connection.execute("SET disabled_compression_methods = 'zstd,fsst,dict_fsst'")
        connection.execute("SET checkpoint_threshold = '1GB'")
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute("SET enable_progress_bar = false")
        connection.execute("CREATE TEMP TABLE pool (k INTEGER, text VARCHAR, sha256 VARCHAR)")
        hashes = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
        connection.execute(
            "INSERT INTO pool SELECT unnest(?), unnest(?), unnest(?)", [list(range(TEXTS)), texts, hashes]
        )
        connection.execute(f"INSERT INTO orgs VALUES ('o_1', 'Organisation', {STARTED})")
        connection.execute(INSERT_GUILDS, {"agents": agents})
        connection.execute(INSERT_AGENTS, {"agents": agents})
        for version in range(1, REVISIONS + 1):
            connection.execute(INSERT_REVISIONS, {"version": version, "agents": agents})
            connection.execute(INSERT_CHANGES, {"version": version, "agents": agents})
        connection.execute(INSERT_LIVE, {"version": REVISIONS + 1, "agents": agents})
        connection.execute(INSERT_CHANGES, {"version": REVISIONS + 1, "agents": agents})
        seal_all(connection)
        connection.execute("CHECKPOINT")


def _texts() -> list[str]:
    chance = random.Random(7)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(2, 11))) for _ in range(5_000)]
    lines = [
        ("- " + " ".join(chance.choices(words, k=16)))[: LINE_CHARACTERS - 1].ljust(LINE_CHARACTERS - 1, ".") + "\n"
        for _ in range(TEXTS * LINES_PER_STEP + LINES_PER_TEXT)
    ]
    starts = range(0, TEXTS * LINES_PER_STEP, LINES_PER_STEP)
    return ["".join(lines[start : start + LINES_PER_TEXT]) for start in starts]
