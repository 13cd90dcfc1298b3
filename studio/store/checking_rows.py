"""Check all rows that are not versions of a text: references, drafts, notes, closed values."""

from collections.abc import Iterator
from enum import StrEnum

from studio.domain.agents import Layout
from studio.domain.authors import AuthorKind
from studio.domain.bindings import Scope
from studio.domain.chain import EntryKind
from studio.domain.changes import TextKind
from studio.domain.checking import Break, StoreFinding
from studio.domain.collections import Access
from studio.domain.notes import folded
from studio.domain.paths import AgentId
from studio.domain.places import Level
from studio.domain.run_kinds import RunKind
from studio.domain.runs import Role as ChatRole
from studio.domain.runs import RunStatus
from studio.domain.tokens import Role
from studio.store.checking_reader import Reader, Row
from studio.store.checking_runs import check_runs

REFERENCES = (
    ("memory", "agent_id", "agents", "agent_id"),
    ("memory_revisions", "agent_id", "agents", "agent_id"),
    ("task_revisions", "agent_id", "agents", "agent_id"),
    ("task_drafts", "agent_id", "agents", "agent_id"),
    ("chain_entries", "agent_id", "agents", "agent_id"),
    ("replaced_drafts", "agent_id", "agents", "agent_id"),
    ("marked_versions", "agent_id", "agents", "agent_id"),
    ("file_changes", "agent_id", "agents", "agent_id"),
    ("runs", "agent_id", "agents", "agent_id"),
    ("directories", "agent_id", "agents", "agent_id"),
    ("collection_grants", "agent_id", "agents", "agent_id"),
    ("scripts", "agent_id", "agents", "agent_id"),
    ("environments", "agent_id", "agents", "agent_id"),
    ("agent_tools", "agent_id", "agents", "agent_id"),
    ("problems", "agent_id", "agents", "agent_id"),
    ("tokens", "agent_id", "agents", "agent_id"),
    ("agents", "org_id", "orgs", "org_id"),
    ("agents", "guild_id", "guilds", "guild_id"),
    ("guilds", "org_id", "orgs", "org_id"),
    ("operators", "org_id", "orgs", "org_id"),
    ("notes", "org_id", "orgs", "org_id"),
    ("collections", "org_id", "orgs", "org_id"),
    ("group_messages", "guild_id", "guilds", "guild_id"),
    ("repositories", "guild_id", "guilds", "guild_id"),
    ("collection_grants", "path", "collections", "path"),
    ("records", "path", "collections", "path"),
    ("messages", "run_id", "runs", "run_id"),
    ("leases", "run_id", "runs", "run_id"),
    ("memory_revisions", "run_id", "runs", "run_id"),
    ("file_changes", "run_id", "runs", "run_id"),
)
"""Which column names which row; NULL names none."""
OWNERS = ("notes", "collections")
"""Tables whose rows belong to an agent, a guild or the organisation."""
CLOSED: tuple[tuple[str, str, type[StrEnum]], ...] = (
    ("agents", "layout", Layout),
    ("runs", "kind", RunKind),
    ("runs", "status", RunStatus),
    ("messages", "role", ChatRole),
    ("tokens", "role", Role),
    ("notes", "level", Level),
    ("notes", "author_kind", AuthorKind),
    ("collections", "level", Level),
    ("collection_grants", "access", Access),
    ("records", "author_kind", AuthorKind),
    ("bindings", "scope", Scope),
    ("task_drafts", "author_kind", AuthorKind),
    ("replaced_drafts", "author_kind", AuthorKind),
    ("replaced_drafts", "gone_kind", AuthorKind),
    ("file_changes", "file", TextKind),
    ("file_changes", "author_kind", AuthorKind),
    ("chain_entries", "kind", EntryKind),
)
"""Columns whose values are of a closed kind."""
WRITTEN = (
    ("memory", "origin"),
    ("memory", "stand_in"),
    ("memory_revisions", "origin"),
    ("memory_revisions", "stand_in"),
    ("agents", "source_agent_authors"),
    ("runs", "composed_from"),
    ("runs", "metadata"),
    ("runs", "tags"),
    ("runs", "tools"),
    ("messages", "tool_calls"),
    ("collections", "columns"),
    ("records", "record"),
    ("logins", "pinned_prices"),
    ("directories", "agent_authors"),
)
"""Columns that hold JSON."""


def check_rows(reader: Reader) -> Iterator[StoreFinding]:
    """Every break outside of the versions of texts."""
    names = {row[0]: row[1] for row in reader.rows("agents", ("agent_id", "name"))}
    for look in (_references, _owners, _closed, _json, check_runs, _drafts, _replaced, _notes, _directories, _tokens):
        for kind, agent, what in look(reader):
            yield StoreFinding(kind, what, None if agent is None else AgentId(agent), names.get(agent or ""))


def _references(reader: Reader) -> Iterator[Row]:
    """Rows that name one that is not there, together by what they name."""
    for table, column, parent, key in REFERENCES:
        if not reader.has(table, column) or not reader.has(parent, key):
            continue
        missing = reader.cursor.execute(
            f"SELECT {column}, count(*) FROM {table} WHERE {column} IS NOT NULL"
            f" AND {column} NOT IN (SELECT {key} FROM {parent}) GROUP BY 1 ORDER BY 1"
        ).fetchall()
        for named, count in missing:
            rows = "a row" if count == 1 else f"{count} rows"
            agent = named if column == "agent_id" else None
            yield Break.REFERENCE, agent, f"{rows} of {table} name {parent.rstrip('s')} {named}, which is not there"


def _owners(reader: Reader) -> Iterator[Row]:
    """Notes and collections of nobody, and bindings of no scope."""
    there = {
        (kind, str(row[0]))
        for kind, table, key in (
            ("agent", "agents", "agent_id"),
            ("guild", "guilds", "guild_id"),
            ("org", "orgs", "org_id"),
        )
        for row in reader.rows(table, (key,))
    }
    for table in OWNERS:
        for path, level, owner in reader.rows(table, ("path", "level", "owner_id")):
            if (level, owner) not in there:
                yield Break.REFERENCE, None, f"{path} belongs to {level} {owner}, which is not there"
    for scope, owner in reader.rows("bindings", ("scope", "scope_id")):
        if scope != Scope.INSTANCE and (scope, owner) not in there:
            yield Break.REFERENCE, None, f"a binding is of {scope} {owner}, which is not there"


def _closed(reader: Reader) -> Iterator[Row]:
    for table, column, kinds in CLOSED:
        allowed = [str(one) for one in kinds]
        if reader.has(table, column):
            question = (
                f"SELECT {column}, count(*) FROM {table} WHERE {column} NOT IN (SELECT unnest(?)) GROUP BY 1 ORDER BY 1"
            )
            for value, count in reader.cursor.execute(question, [allowed]).fetchall():
                yield Break.VALUE, None, f"{count} of {table} have {value!r} as {column}"


def _json(reader: Reader) -> Iterator[Row]:
    for table, column in WRITTEN:
        if reader.has(table, column):
            question = f"SELECT count(*) FROM {table} WHERE {column} IS NOT NULL AND NOT json_valid({column})"
            row = reader.cursor.execute(question).fetchone()
            if row is not None and row[0]:
                yield Break.VALUE, None, f"{row[0]} of {table} hold no JSON as {column}"


def _drafts(reader: Reader) -> Iterator[Row]:
    names = "SELECT d.agent_id, d.based_on, sha256(d.text) = d.sha256, a.task_version FROM task_drafts d JOIN agents a USING (agent_id)"
    for agent, based_on, same, newest in reader.cursor.execute(names).fetchall():
        if not same:
            yield Break.DRAFT, agent, "its draft does not match its sha256"
        if not 1 <= based_on <= newest:
            yield Break.DRAFT, agent, f"its draft starts from version {based_on} of the Task, which is not there"


def _replaced(reader: Reader) -> Iterator[Row]:
    if reader.has("replaced_drafts", "text"):
        question = "SELECT agent_id, number FROM replaced_drafts WHERE sha256(text) <> sha256 ORDER BY number"
        for agent, number in reader.cursor.execute(question).fetchall():
            yield Break.DRAFT, agent, f"its draft {number}, which was replaced, does not match its sha256"


def _notes(reader: Reader) -> Iterator[Row]:
    names = "path, body, folded_body, shown_title, folded_title, sha256(body) = sha256, length(body) = characters"
    if not reader.has("notes", "folded_body"):
        return
    for path, body, folded_body, title, folded_title, same, long in reader.cursor.execute(
        f"SELECT {names} FROM notes"
    ).fetchall():
        if not same:
            yield Break.NOTE, None, f"the note {path} does not match its sha256"
        elif not long:
            yield Break.NOTE, None, f"the size of the note {path} is not the one it says"
        elif folded(body) != folded_body or folded_title.partition("\n")[0] != folded(title):
            yield Break.NOTE, None, f"what searches read of the note {path} is not what it says"


def _directories(reader: Reader) -> Iterator[Row]:
    """Agents whose memory is a directory, and directories of others."""
    linked = {row[0] for row in reader.rows("directories", ("agent_id",))}
    for agent, layout in reader.rows("agents", ("agent_id", "layout")):
        if (layout == Layout.DIRECTORY) != (agent in linked):
            what = (
                "it has a directory and is not one"
                if agent in linked
                else "its memory is a directory, which is not linked"
            )
            yield Break.REFERENCE, agent, what


def _tokens(reader: Reader) -> Iterator[Row]:
    for name, sha256, role, agent in reader.rows("tokens", ("name", "sha256", "role", "agent_id")):
        if len(sha256) != 64 or (role == Role.AGENT) != (agent is not None):  # noqa: PLR2004 - a sha256 in hexadecimal
            yield Break.VALUE, agent, f"the token {name} is not one that was made here"
