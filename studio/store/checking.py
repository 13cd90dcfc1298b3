"""Read all rows of a store and check them against each other (decision 38); damaged blocks are what `copying` looks for.

Rows are read as they are stored, also in a copy of an earlier schema, whose missing columns read as NULL: what was changed by hand need
not be a value of ours any more. Agents are taken some at a time, so that a large store needs little memory.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from studio.domain.agents import Layout
from studio.domain.bodies import Body
from studio.domain.chain import Entry, EntryKind
from studio.domain.changes import TextKind
from studio.domain.checking import Break, Checked, Head, StoreFinding
from studio.domain.checking_chain import Said, Text, check_text, steps
from studio.domain.checking_counts import Counted, check_counts
from studio.domain.checking_ledger import Change, check_ledger
from studio.domain.paths import AgentId
from studio.store import checking_rows
from studio.store.checking_reader import Reader, Some
from studio.store.checking_versions import ReadVersion, memories, tasks
from studio.store.transactions import Cursor

AGENTS_AT_ONCE = 200
"""How many agents' versions are held at a time."""
Progress = Callable[[int, int], None]
"""Told how many of how many agents were checked."""


@dataclass(slots=True)
class _Agent:
    """What is known of an agent before its texts are read."""

    id: AgentId
    name: str | None
    layout: str | None = None
    known: bool = True


@dataclass(slots=True)
class Check:
    """One check of one store."""

    reader: Reader
    """Where rows are read."""
    quick: bool = False
    """Whether to leave out what takes long: the counts of lines."""
    noting: bool = False
    """Whether to give the newest link of every chain."""
    noted: dict[tuple[str, str], list[Head]] = field(default_factory=lambda: defaultdict(list))
    """Links that were noted before, by text."""
    findings: list[StoreFinding] = field(default_factory=list)
    """Every break so far."""
    heads: list[Head] = field(default_factory=list)
    """The newest links so far."""
    found: int = 0
    """How many noted links were found."""
    pruned: int = 0
    """How many of them are of versions that are pruned."""

    def agents(self, agents: Sequence[_Agent]) -> None:
        """Check the texts of some agents, which follow one another by id."""
        first, last = agents[0].id, agents[-1].id
        some = Some.of_agents(first, last)
        versions = {
            TextKind.MEMORY: memories(self.reader, some, some, bodies=not self.quick),
            TextKind.TASK: tasks(self.reader, some, bodies=not self.quick),
        }
        entries, changes = _entries(self.reader, first, last), _changes(self.reader, first, last)
        for agent in agents:
            for kind, read in versions.items():
                key = (agent.id, str(kind))
                found = read.get(agent.id, [])
                text = Text(agent.id, kind, tuple(one.held for one in found), tuple(entries.get(key, ())))
                self._text(agent, text, found, changes.get(key, []))

    def _text(self, agent: _Agent, text: Text, found: Sequence[ReadVersion], changes: Sequence[Change]) -> None:
        """Check one text."""
        if agent.known:
            self._live(agent, text)
        for one in found:
            if not one.text_ok:
                self._add(agent, text.kind, (Break.TEXT, one.held.number, "its text does not match its sha256"))
            elif not one.size_ok:
                self._add(agent, text.kind, (Break.SIZE, one.held.number, "its size is not the one it says"))
        for said in check_text(text) if self.reader.has("memory", "chain_link") else ():
            self._add(agent, text.kind, said)
        for said in check_ledger(text, changes) if agent.known else ():
            self._add(agent, text.kind, said)
        if not self.quick:
            counted = [
                Counted(one.held.number, one.held.status, one.body or Body(""), one.counts, one.text_ok)
                for one in found
            ]
            for said in check_counts(counted):
                self._add(agent, text.kind, said)
        self._heads(agent, text)

    def _live(self, agent: _Agent, text: Text) -> None:
        """Whether the live row of an agent's memory is there; a directory's memory is git's."""
        live = any(one.by is None for one in text.held)
        if text.kind is TextKind.MEMORY and not live and (agent.layout == Layout.ARTIFACT or text.held):
            self._add(agent, text.kind, (Break.LIVE, None, "its live row is missing"))

    def _heads(self, agent: _Agent, text: Text) -> None:
        """Note the newest link, and look for those that were noted."""
        walked = list(steps(text))
        if self.noting and walked and walked[-1].link:
            self.heads.append(Head(agent.id, text.kind, walked[-1].number, walked[-1].link))
        links = {link for step in walked for link in (step.before, step.link) if link}
        links |= {link for entry in text.entries for link in (entry.before, entry.link)}
        first = text.held[0].number if text.held else 0
        for head in self.noted.pop((agent.id, str(text.kind)), ()):
            if head.link in links:
                self.found += 1
            elif (walked and head.number < first - 1) or any(one.kind is EntryKind.RESTART for one in text.entries):
                self.pruned += 1
            else:
                self._add(agent, text.kind, (Break.HEAD, head.number, "the link that was noted is not in its chain"))

    def _add(self, agent: _Agent, text: TextKind | None, said: Said) -> None:
        kind, version, what = said
        self.findings.append(StoreFinding(kind, what, agent.id, agent.name, text, version))


def check(
    cursor: Cursor,
    *,
    quick: bool = False,
    noting: bool = False,
    noted: Sequence[Head] = (),
    progress: Progress | None = None,
) -> Checked:
    """Check every row of a store in one snapshot of it; nothing is changed.

    Args:
        cursor: the snapshot.
        quick: whether to check hashes, sizes and links alone, and not the counts of lines.
        noting: whether to give the newest link of every chain.
        noted: links that were noted before, to be found again.
        progress: told how many of how many agents were checked.
    """
    reader = Reader.of(cursor)
    one = Check(reader, quick, noting)
    for head in noted:
        one.noted[head.agent, str(head.text)].append(head)
    agents = list(_agents(reader))
    for start in range(0, len(agents), AGENTS_AT_ONCE):
        if progress is not None:
            progress(start, len(agents))
        one.agents(agents[start : start + AGENTS_AT_ONCE])
    for left in one.noted.values():
        for head in left:
            gone = StoreFinding(
                Break.HEAD, "the text whose link was noted is not there", head.agent, None, head.text, head.number
            )
            one.findings.append(gone)
    one.findings += checking_rows.check_rows(reader)
    if progress is not None:
        progress(len(agents), len(agents))
    return Checked(tuple(one.findings), tuple(one.heads), reader.chained_since(), one.found, one.pruned)


def _agents(reader: Reader) -> Iterator[_Agent]:
    """Every agent, and every id that texts have without one."""
    known = {row[0]: row for row in reader.rows("agents", ("agent_id", "name", "layout"))}
    texts = {
        row[0]
        for table in ("memory", "memory_revisions", "task_revisions")
        for row in reader.distinct(table, "agent_id")
    }
    for agent in sorted(known.keys() | texts):
        row = known.get(agent)
        yield _Agent(AgentId(agent), None, known=False) if row is None else _Agent(AgentId(agent), row[1], row[2])


def _entries(reader: Reader, first: str, last: str) -> dict[tuple[str, str], list[Entry]]:
    """The entries of chains that are not versions, oldest first."""
    names = (
        "agent_id",
        "file",
        "position",
        "after_version",
        "kind",
        "content",
        "made_at",
        "chain_before",
        "chain_link",
    )
    rows = sorted(reader.rows("chain_entries", names, first, last), key=lambda row: row[:3])
    made = {key: list(some) for key, some in groupby(rows, key=lambda row: (row[0], row[1]))}
    kinds = set(EntryKind)
    return {
        key: [Entry(row[2], row[3], EntryKind(row[4]), *row[5:]) for row in some if row[4] in kinds]
        for key, some in made.items()
    }


def _changes(reader: Reader, first: str, last: str) -> dict[tuple[str, str], list[Change]]:
    """The ledger, oldest first."""
    names = (
        "change_id",
        "action",
        "version",
        "sha256",
        "author_kind",
        "author_name",
        "run_id",
        "call_id",
        "changed_at",
    )
    rows = sorted(reader.rows("file_changes", ("agent_id", "file", *names), first, last), key=lambda row: row[:3])
    return {key: [Change(*row[2:]) for row in some] for key, some in groupby(rows, key=lambda row: (row[0], row[1]))}
