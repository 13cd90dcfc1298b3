"""Check runs against their seals, their messages, and the versions that they read."""

import json
from collections.abc import Iterator
from typing import Any

from studio.domain.chain import run_seal
from studio.domain.changes import TextKind
from studio.domain.checking import Break
from studio.domain.runs import Role as ChatRole
from studio.store.checking_reader import Reader, Row

RUNS = (
    "SELECT r.run_id, r.agent_id, r.kind, r.instruction, r.tags, r.task_version, r.memory_version, r.composed_from, r.tools,"
    " r.max_steps, r.max_tool_calls, r.created_at, sha256(m.content), m.role, r.seal"
    " FROM runs r LEFT JOIN messages m ON m.run_id = r.run_id AND m.position = 0 ORDER BY r.run_id"
)
GAPS = (
    "SELECT run_id FROM messages GROUP BY run_id HAVING count(*) <> max(position) + 1 OR min(position) <> 0 ORDER BY 1"
)


def check_runs(reader: Reader) -> Iterator[Row]:
    """Every run that is not the one that was stored."""
    if not reader.has("runs", "seal"):
        return
    texts = _hashes(reader)
    newest = _newest(reader)
    for *fixed, created_at, prompt, role, seal in reader.cursor.execute(RUNS).fetchall():
        run, agent = fixed[0], fixed[1]
        if prompt is None or role != ChatRole.SYSTEM:
            yield Break.RUN, agent, f"the run {run} has no first message"
        elif run_seal(tuple(fixed), created_at, prompt) != seal:
            yield Break.RUN, agent, f"the run {run} or its first message is not the one that was stored"
        else:
            yield from _read_versions(run, agent, json.loads(fixed[7]), texts, newest)
    for (run,) in reader.cursor.execute(GAPS).fetchall():
        yield Break.RUN, None, f"rows of the run {run} are missing"


def _read_versions(
    run: str,
    agent: str,
    made_of: dict[str, Any],
    texts: dict[tuple[str, str, int], str],
    newest: dict[tuple[str, str], int],
) -> Iterator[Row]:
    """Whether the versions that a run names are there, unless they are pruned, and hold what it read."""
    read = [(TextKind.TASK, made_of.get("task_version"), made_of.get("task_sha256"))]
    if made_of.get("memory_commit") is None:
        read.append((TextKind.MEMORY, made_of.get("memory_version"), made_of.get("memory_sha256")))
    for kind, number, sha256 in read:
        if number is None or sha256 is None:
            continue
        held = texts.get((agent, str(kind), number))
        if held not in (None, sha256):
            yield Break.RUN, agent, f"the run {run} read another text as version {number} of its {kind}"
        elif number > newest.get((agent, str(kind)), number):
            yield Break.RUN, agent, f"the run {run} read version {number} of its {kind}, which is not there"


HASHES = (
    "SELECT agent_id, 'memory', version, sha256, status FROM memory UNION ALL"
    " SELECT agent_id, 'memory', version, sha256, status FROM memory_revisions UNION ALL"
    " SELECT agent_id, 'task', version, sha256, 'modified' FROM task_revisions UNION ALL"
    " SELECT agent_id, 'task', task_version, task_sha256, 'modified' FROM agents"
)
RESTARTED = "SELECT DISTINCT agent_id FROM chain_entries WHERE kind = 'restart'"


def _hashes(reader: Reader) -> dict[tuple[str, str, int], str]:
    """The hash of every version whose text was composed as it is: stand-ins and deletions compose as nothing."""
    again = {row[0] for row in reader.cursor.execute(RESTARTED).fetchall()}
    return {
        (agent, kind, number): sha256
        for agent, kind, number, sha256, status in reader.cursor.execute(HASHES).fetchall()
        if status not in ("stand-in", "deleted") and agent not in again
    }


def _newest(reader: Reader) -> dict[tuple[str, str], int]:
    """The highest number of every text."""
    found: dict[tuple[str, str], int] = {}
    again = {row[0] for row in reader.cursor.execute(RESTARTED).fetchall()}
    for agent, kind, number, _, _ in reader.cursor.execute(HASHES).fetchall():
        if agent not in again:
            found[agent, kind] = max(number, found.get((agent, kind), 0))
    return found
