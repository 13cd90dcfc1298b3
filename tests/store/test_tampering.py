"""What is changed in a store by SQL is found, with the agent and version it was done to (decision 38)."""

from collections.abc import Iterator

import duckdb
import pytest
from builders import open_store
from golden_stores import golden_store

from studio.domain import chain
from studio.domain.changes import TextKind
from studio.domain.checking import Break, Checked, Head
from studio.domain.paths import AgentId
from studio.store.checking import check

KEPT = "(SELECT agent_id FROM agents WHERE name = 'kept')"
PRUNED = "(SELECT agent_id FROM agents WHERE name = 'pruned')"
IMPORTED = "(SELECT agent_id FROM agents WHERE name = 'imported')"
RUN = f"(SELECT run_id FROM memory_revisions WHERE agent_id = {KEPT} AND version = 3)"

Found = set[tuple[str, str | None, str | None, int | None]]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """The golden store with its chains; each test takes back what it does."""
    file = golden_store(tmp_path_factory.mktemp("golden"))
    open_store(file).close()
    with duckdb.connect(str(file)) as connection:
        yield connection


def tampered(
    store: duckdb.DuckDBPyConnection, *statements: str, noted: tuple[Head, ...] = (), quick: bool = False
) -> Checked:
    """What a check finds after these statements, which are taken back."""
    store.execute("BEGIN")
    try:
        for statement in statements:
            store.execute(statement)
        return check(store, noted=noted, quick=quick)
    finally:
        store.execute("ROLLBACK")


def named(checked: Checked) -> Found:
    """Each break with agent, text and version."""
    return {(str(one.kind), one.name, one.text and str(one.text), one.version) for one in checked.findings}


def test_an_untouched_store_has_no_break(store: duckdb.DuckDBPyConnection) -> None:
    assert check(store).findings == ()
    assert check(store, quick=True).findings == ()


def memory(version: int | None, *kinds: str, agent: str = "kept") -> Found:
    """Breaks of one version of a memory."""
    return {(kind, agent, "memory", version) for kind in kinds}


def task(version: int, *kinds: str, agent: str = "kept") -> Found:
    """Breaks of one version of a Task."""
    return {(kind, agent, "task", version) for kind in kinds}


READ: Found = {("run", "kept", None, None)}
"""A run read what is not there any more."""
LIVE = f"WHERE agent_id = {KEPT}"
ARCHIVED = f"WHERE agent_id = {KEPT} AND version = 3"
FORGED = (
    "INSERT INTO memory_revisions BY NAME SELECT * REPLACE (revision_key || '0' AS revision_key, 40 AS version)"
    f" FROM memory_revisions {ARCHIVED}"
)
SWAPPED = (
    "UPDATE memory_revisions r SET text = o.text, sha256 = o.sha256, characters = o.characters"
    " FROM memory_revisions o WHERE o.agent_id = r.agent_id AND o.version = 5 - r.version AND r.version IN (2, 3)"
    f" AND r.agent_id = {KEPT}"
)
TAMPERINGS: dict[str, tuple[tuple[str, ...], Found]] = {
    "a live text": ((f"UPDATE memory SET text = text || 'x' {LIVE}",), memory(5, "text")),
    "an archived text": ((f"UPDATE memory_revisions SET text = 'mine' {ARCHIVED}",), memory(3, "text")),
    "a text of the same size": (
        (f"UPDATE memory_revisions SET text = reverse(text) {ARCHIVED}",),
        memory(3, "text"),
    ),
    "a text and its hash": (
        (f"UPDATE memory_revisions SET text = 'x', sha256 = sha256('x') {ARCHIVED}",),
        memory(3, "size", "link", "ledger") | READ,
    ),
    "a Task": ((f"UPDATE agents SET task = 'Obey.' {LIVE}",), task(3, "text")),
    "an archived Task": ((f"UPDATE task_revisions SET text = 'Obey.' {LIVE} AND version = 2",), task(2, "text")),
    "an author": (
        (f"UPDATE memory_revisions SET actor_name = 'Eve' {LIVE} AND version = 4",),
        memory(5, "author", "ledger") | memory(4, "name"),
    ),
    "a kind of author": (
        (f"UPDATE memory_revisions SET actor_kind = 'operator' {LIVE} AND version = 2",),
        memory(3, "author", "ledger"),
    ),
    "an author that is none": (
        (f"UPDATE memory_revisions SET actor_kind = 'ghost' {LIVE} AND version = 2",),
        memory(3, "value", "ledger"),
    ),
    "an imported author": (
        (f"UPDATE memory_revisions SET actor_name = 'Eve' WHERE agent_id = {IMPORTED} AND version = 3",),
        memory(4, "author", agent="imported"),
    ),
    "the name that an import gives": (
        (f"""UPDATE memory SET renamed = '["operator","Eve",null,null]' WHERE agent_id = {IMPORTED}""",),
        memory(7, "author", agent="imported"),
    ),
    "when it was written": (
        (f"UPDATE memory SET since = since - INTERVAL 1 DAY {LIVE}",),
        memory(5, "author"),
    ),
    "when it was replaced": (
        (f"UPDATE memory_revisions SET replaced_at = replaced_at - INTERVAL 1 DAY {LIVE} AND version = 4",),
        memory(5, "author") | memory(4, "name"),
    ),
    "a run": (
        (f"UPDATE memory_revisions SET run_id = NULL {ARCHIVED}",),
        memory(4, "author", "ledger"),
    ),
    "a call": ((f"UPDATE memory_revisions SET call_id = 'c_2' {ARCHIVED}",), memory(4, "author", "ledger")),
    "a number": (
        (f"UPDATE memory SET version = 7 {LIVE}",),
        memory(5, "numbers") | memory(7, "link", "ledger"),
    ),
    "a status": ((f"UPDATE memory_revisions SET status = 'renamed' {ARCHIVED}",), memory(3, "link")),
    "a status that is none": ((f"UPDATE memory_revisions SET status = 'odd' {ARCHIVED}",), memory(3, "link", "value")),
    "a size": ((f"UPDATE memory_revisions SET characters = 9 {ARCHIVED}",), memory(3, "size", "link")),
    "counts": ((f"UPDATE memory SET added = 7 {LIVE}",), memory(5, "counts")),
    "one revision deleted": (
        (f"DELETE FROM memory_revisions {ARCHIVED}",),
        memory(3, "numbers") | memory(4, "link"),
    ),
    "the oldest kept deleted": (
        (f"DELETE FROM memory_revisions WHERE agent_id = {PRUNED} AND version = 10",),
        memory(11, "counts", agent="pruned"),
    ),
    "the live row deleted": (
        (f"DELETE FROM memory {LIVE}",),
        memory(None, "live") | memory(5, "ledger") | READ,
    ),
    "an archive name": ((f"UPDATE memory_revisions SET archive_name = 'x.md' {ARCHIVED}",), memory(3, "name")),
    "a link": ((f"UPDATE memory_revisions SET chain_link = sha256('x') {ARCHIVED}",), memory(3, "link")),
    "a link taken away": ((f"UPDATE memory_revisions SET chain_link = NULL {ARCHIVED}",), memory(3, "link")),
    "a digest": ((f"UPDATE memory_revisions SET digest = sha256('x') {ARCHIVED}",), memory(3, "link", "author")),
    "one row of the ledger": (
        (f"DELETE FROM file_changes WHERE agent_id = {KEPT} AND file = 'memory' AND version = 4",),
        memory(4, "ledger"),
    ),
    "a hash in the ledger": (
        (f"UPDATE file_changes SET sha256 = sha256('x') WHERE agent_id = {KEPT} AND file = 'task' AND version = 2",),
        task(2, "ledger"),
    ),
    "a forged row": (
        (FORGED,),
        memory(40, "link", "ledger", "name") | memory(6, "numbers"),
    ),
    "texts of two versions swapped, hashes and sizes too": (
        (SWAPPED,),
        memory(2, "link", "ledger", "counts") | memory(3, "link", "ledger", "counts") | memory(4, "counts") | READ,
    ),
    "the first message of a run": (
        (f"UPDATE messages SET content = 'Obey.' WHERE position = 0 AND run_id = {RUN}",),
        {("run", "kept", None, None)},
    ),
    "the first message of a run deleted": (
        (f"DELETE FROM messages WHERE position = 0 AND run_id = {RUN}",),
        {("run", "kept", None, None), ("run", None, None, None)},
    ),
    "what a run was made of": (
        (
            f"UPDATE runs SET composed_from = replace(composed_from, 'task_version\": 1', 'task_version\": 2') WHERE run_id = {RUN}",
        ),
        {("run", "kept", None, None)},
    ),
    "a run deleted": (
        (f"CREATE TEMP TABLE gone AS SELECT {RUN} AS run_id", "DELETE FROM runs WHERE run_id = (FROM gone)"),
        {("reference", None, None, None)},
    ),
    "a draft": (("UPDATE task_drafts SET text = 'Obey.' WHERE agent_id = " + KEPT,), {("draft", "kept", None, None)}),
    "a note": (("UPDATE notes SET body = 'Obey.' WHERE path LIKE '%/rules.md'",), {("note", None, None, None)}),
    "a level that is none": (
        ("UPDATE notes SET level = 'odd' WHERE path LIKE '%/rules.md'",),
        {("value", None, None, None), ("reference", None, None, None)},
    ),
    "a grant's collection": (("DELETE FROM collections",), {("reference", None, None, None)}),
    "a token's role": (("UPDATE tokens SET role = 'root' WHERE name = 'ops'",), {("value", None, None, None)}),
    "a directory's link": (("DELETE FROM directories",), {("reference", "linked", None, None)}),
    "a guild": (("DELETE FROM guilds WHERE name = 'Golden guild'",), {("reference", None, None, None)}),
}


@pytest.mark.parametrize("what", TAMPERINGS)
def test_what_was_changed_is_named(store: duckdb.DuckDBPyConnection, what: str) -> None:
    statements, expected = TAMPERINGS[what]
    checked = tampered(store, *statements)
    assert named(checked) == expected, [str(one) for one in checked.findings]
    assert all(one.advice for one in checked.findings)


def test_a_ledger_without_rows_is_named_for_every_version(store: duckdb.DuckDBPyConnection) -> None:
    found = named(tampered(store, "DELETE FROM file_changes"))
    assert memory(5, "ledger") | task(3, "ledger") | memory(7, "ledger", agent="imported") <= found
    assert {kind for kind, *_ in found} == {"ledger"}


@pytest.mark.parametrize(("which", "agents"), [("", 14), (" WHERE name = 'kept'", 1)])
def test_agents_that_are_gone_are_named_by_what_they_left(
    store: duckdb.DuckDBPyConnection, which: str, agents: int
) -> None:
    checked = tampered(store, f"DELETE FROM agents{which}")
    orphans = {one.agent for one in checked.findings if "of memory name agent" in one.what}
    assert len(orphans) == agents


QUICK = {
    "text",
    "size",
    "link",
    "author",
    "numbers",
    "live",
    "name",
    "ledger",
    "value",
    "run",
    "draft",
    "note",
    "reference",
}


def test_a_quick_check_leaves_out_the_counts_alone(store: duckdb.DuckDBPyConnection) -> None:
    for statements, expected in TAMPERINGS.values():
        found = {kind for kind, *_ in named(tampered(store, *statements, quick=True))}
        assert found == {kind for kind, *_ in expected} & QUICK


def test_a_chain_made_anew_is_found_by_what_was_noted_alone(store: duckdb.DuckDBPyConnection) -> None:
    """Decision 38: whoever recomputes all that follows on a change leaves nothing for the rows to tell."""
    heads = check(store, noting=True).heads
    assert (check(store, noted=heads).noted, len(heads)) == (28, 28)
    statements = tuple(_made_anew(store))
    assert tampered(store, *statements).findings == ()
    checked = tampered(store, *statements, noted=heads)
    assert named(checked) == memory(60, "head", agent="pruned")
    assert checked.noted == len(heads) - 1


def _made_anew(store: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """The live version of `pruned` written by hand, with a link and a ledger that are right."""
    live = f"WHERE agent_id = {PRUNED}"
    row = store.execute(f"SELECT status, digest, chain_before, sha256('mine') FROM memory {live}").fetchone()
    assert row is not None
    status, digest, before, sha256 = row
    link = chain.version_link(before, 60, sha256, len("mine"), status, digest)
    yield (
        f"UPDATE memory SET text = 'mine', sha256 = '{sha256}', characters = 4, chain_link = '{link}', added = 1, removed = 4,"
        f" only_changed = NULL {live}"
    )
    yield f"UPDATE file_changes SET sha256 = '{sha256}' {live} AND file = 'memory' AND version = 60"


def test_noted_links_of_what_is_pruned_or_gone(store: duckdb.DuckDBPyConnection) -> None:
    agent = store.execute(PRUNED).fetchall()[0][0]
    old = Head(AgentId(agent), TextKind.MEMORY, 3, "0" * 64)
    nobody = Head(AgentId("a_nobody"), TextKind.TASK, 1, "0" * 64)
    checked = check(store, noted=(old, nobody))
    assert (checked.noted, checked.pruned) == (0, 1)
    assert [(one.kind, one.agent) for one in checked.findings] == [(Break.HEAD, "a_nobody")]
