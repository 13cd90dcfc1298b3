"""The links of what was stored before there were chains, made in the transaction of the step that adds them (decision 38)."""

from collections.abc import Iterable, Iterator
from itertools import groupby, islice

from studio.domain import chain
from studio.domain.authors import Author, AuthorKind
from studio.domain.bodies import Body
from studio.domain.chain import Written
from studio.domain.changes import TextKind
from studio.domain.checking_counts import Counted, Counts, expected_counts
from studio.domain.paths import AgentId
from studio.store.transactions import Cursor

AT_ONCE = 20_000
"""How many seals are written in one statement."""
MEMORY = (
    "SELECT held.agent_id, held.version, held.sha256, held.characters, held.status, held.since,"
    " coalesce(held.own_kind, by_.actor_kind, 'unknown'), CASE WHEN held.own_kind IS NULL THEN"
    " [by_.actor_name, by_.actor_via, by_.actor_evidence, by_.run_id, by_.call_id] ELSE"
    " [held.own_name, held.own_via, held.own_evidence, held.own_run_id, held.own_call_id] END"
    " FROM (SELECT agent_id, version, sha256, characters, status, since, own_kind, own_name, own_via, own_evidence, own_run_id,"
    " own_call_id FROM memory_revisions UNION ALL SELECT agent_id, version, sha256, characters, status, since, own_kind, own_name,"
    " own_via, own_evidence, own_run_id, own_call_id FROM memory) AS held"
    " LEFT JOIN memory_revisions AS by_ ON by_.agent_id = held.agent_id AND by_.version = held.version - 1"
    " ORDER BY held.agent_id, held.version"
)
TASK = (
    "SELECT held.agent_id, held.version, held.sha256, held.characters, CASE WHEN held.version = 1 THEN 'added' ELSE 'modified' END,"
    " held.since, coalesce(by_.actor_kind, 'unknown'), [by_.actor_name, NULL, NULL, NULL, NULL]"
    " FROM (SELECT agent_id, version, sha256, characters, since FROM task_revisions"
    " UNION ALL SELECT agent_id, task_version, task_sha256, task_characters, task_since FROM agents) AS held"
    " LEFT JOIN task_revisions AS by_ ON by_.agent_id = held.agent_id AND by_.version = held.version - 1"
    " ORDER BY held.agent_id, held.version"
)
RUNS = (
    "SELECT r.run_id, r.agent_id, r.kind, r.instruction, r.tags, r.task_version, r.memory_version, r.composed_from, r.tools,"
    " r.max_steps, r.max_tool_calls, r.created_at, sha256(m.content)"
    " FROM runs r LEFT JOIN messages m ON m.run_id = r.run_id AND m.position = 0"
)
MADE = "CREATE TEMP TABLE sealed (agent_id VARCHAR, version INTEGER, digest VARCHAR, chain_before VARCHAR, chain_link VARCHAR)"
KEEP = f"INSERT INTO sealed SELECT {', '.join(['unnest(?)'] * 5)}"
TABLES = {
    TextKind.MEMORY: (("memory", "version", ""), ("memory_revisions", "version", "")),
    TextKind.TASK: (("task_revisions", "version", ""), ("agents", "task_version", "task_")),
}
"""The tables that hold each text, with the column of its number and how the names of its seal's columns begin."""
UPDATE = (
    "UPDATE {table} SET {begins}digest = s.digest, {begins}chain_before = s.chain_before, {begins}chain_link = s.chain_link"
    " FROM sealed s WHERE s.agent_id = {table}.agent_id AND s.version = {table}.{number}"
)

Sealed = tuple[str, int, str, str, str]
"""A row of the table `sealed`."""


def seal_all(cursor: Cursor) -> None:
    """Give every version that is kept its link, and every run its seal; count what follows a stand-in against the last text."""
    _recount(cursor)
    for text, question in ((TextKind.MEMORY, MEMORY), (TextKind.TASK, TASK)):
        cursor.execute(MADE)
        _keep(cursor, KEEP, _versions(cursor, text, question))
        for table, number, begins in TABLES[text]:
            cursor.execute(UPDATE.format(table=table, number=number, begins=begins))
        cursor.execute("DROP TABLE sealed")
    cursor.execute("CREATE TEMP TABLE sealed (run_id VARCHAR, seal VARCHAR)")
    _keep(cursor, "INSERT INTO sealed SELECT unnest(?), unnest(?)", _runs(cursor))
    cursor.execute("UPDATE runs SET seal = s.seal FROM sealed s WHERE s.run_id = runs.run_id")
    cursor.execute("DROP TABLE sealed")


STANDING = "SELECT DISTINCT agent_id FROM memory_revisions WHERE status = 'stand-in' ORDER BY 1"
TEXTS = " UNION ALL ".join(
    f"SELECT version, status, text, raw, added, removed, only_changed, '{table}' FROM {table} WHERE agent_id = $agent"
    for table in ("memory", "memory_revisions")
)
RECOUNT = "UPDATE {table} SET added = ?, removed = ?, only_changed = ? WHERE agent_id = ? AND version = ?"


def _recount(cursor: Cursor) -> None:
    """Let the versions after a stand-in, which counted against a link until it was one, count against the last text (decision 41)."""
    for (agent,) in cursor.execute(STANDING).fetchall():
        rows = sorted(cursor.execute(TEXTS, {"agent": agent}).fetchall())
        versions = [Counted(row[0], row[1], Body(row[2], row[3]), Counts(*row[4:7])) for row in rows]
        for place, (one, _, expected) in enumerate(expected_counts(versions)):
            if place and versions[place - 1].status == "stand-in" and expected and one.said not in expected:
                cursor.execute(RECOUNT.format(table=rows[place][7]), [*expected[0], agent, one.number])


def _keep(cursor: Cursor, statement: str, rows: Iterable[tuple[object, ...]]) -> None:
    """Write rows of seals."""
    made = iter(rows)
    while some := list(islice(made, AT_ONCE)):
        cursor.execute(statement, [list(column) for column in zip(*some, strict=True)])


def _versions(cursor: Cursor, text: TextKind, question: str) -> Iterator[Sealed]:
    """The seals of one text of every agent, in order. The oldest version kept is tied to where the chain starts."""
    for agent, rows in groupby(cursor.execute(question).fetchall(), key=lambda row: str(row[0])):
        end = chain.start(AgentId(agent), text)
        for _, number, sha256, characters, status, since, kind, (name, via, evidence, run, call) in rows:
            written = Written(Author(AuthorKind(kind), name, via, evidence), since, run, call)
            seal = chain.seal(end, number, sha256, characters, status, written)
            end = seal.link
            yield agent, number, *seal


def _runs(cursor: Cursor) -> Iterator[tuple[str, str]]:
    for *fixed, created_at, prompt in cursor.execute(RUNS).fetchall():
        yield str(fixed[0]), chain.run_seal(tuple(fixed), created_at, prompt)
