"""Make the golden store: one of every kind of row, as the schema of its day holds it.

`python tests/golden/make_store.py FILE.duckdb.xz` writes the store that the code of the checkout makes. Each file here was made once,
at the schema that its name says, and is never made again: what opens it proves that stores of that day open with everything in them.

It holds the demo, and
- `kept`: three memory versions by an operator, an agent and a run, a restore, a Task with versions and a draft;
- `pruned`: 60 memory versions and 55 Tasks, of which 51 are kept of each;
- `imported`: a history with a version of bytes, a link, a deletion and a renamed one, whose author rule was changed once;
- `carried on`: an imported history that was written on here; `ends deleted`: one whose last version is a deletion;
- `lost`: a memory whose first live row was not there and was made by a run;
- `linked`: an agent whose memory is a directory;
- notes of every level, a collection, records, bindings, tokens, a problem, group messages and what else State shows.
"""

import lzma
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from builders import (
    Clock,
    context_of,
    delete_live_memory,
    history,
    history_row,
    open_store,
    overwrite,
    publish,
    texts_history,
    wake,
)
from directory_repository import MemoryRepository, note

from studio.actions.imports import import_history
from studio.actions.studio import Studio
from studio.domain.authors import Author, AuthorKind, operator
from studio.domain.bindings import Scope
from studio.domain.run_kinds import RunKind
from studio.domain.runs import RunStatus, Trigger
from studio.domain.stand_ins import StandIn, StandInKind
from studio.domain.timeline import Status
from studio.domain.tokens import Role
from studio.store.database import open_database


def make(file: Path, folder: Path) -> None:
    """Fill a new store."""
    clock = Clock()
    with open_store(file, clock) as studio:
        studio.load_demo()
        for fill in (_kept, _pruned, _imported, _lost, _shelves):
            fill(studio, clock)
        _linked(studio, folder)
    _by_hand(file)


def _kept(studio: Studio, clock: Clock) -> None:
    studio.create_agent("kept", focus="Watch the inbox.", guild="Golden guild")
    overwrite(studio, "kept", "By an operator.\r\nwith two line ends\n")
    clock.tick()
    studio.memory_write("kept", "By the agent.\n")
    clock.tick()
    run = wake(studio, "kept")
    studio.memory_write("kept", "By a run: ä, 漢字, 🦊, \u202e\n", run=run, call="c_1")
    studio.finish_run(run, RunStatus.COMPLETED)
    clock.tick()
    studio.restore_memory("kept", 2)
    publish(studio, "kept", "Watch the inbox.\n\nAnd answer.\n")
    skipped = wake(studio, "kept", RunKind.GROUP)
    studio.finish_run(skipped, RunStatus.COMPLETED, memory_skipped=True)
    failed = studio.create_run("kept", Trigger(RunKind.DIRECT, message="Hello")).id
    studio.finish_run(failed, RunStatus.FAILED, failure="The model answered nothing.")
    wake(studio, "kept", RunKind.DIRECT)  # stays open


def _pruned(studio: Studio, clock: Clock) -> None:
    studio.create_agent("pruned", focus="Version 1.")
    for number in range(2, 61):
        overwrite(studio, "pruned", f"Memory {number}.\n" + "the same line\n" * (number % 7))
        clock.tick(20)
    for number in range(2, 56):
        publish(studio, "pruned", f"Task {number}.\n", by="Ben")
        clock.tick(20)


def _imported(studio: Studio, clock: Clock) -> None:
    rows = (
        history_row(1, "first\n", author=operator("Cleo")),
        history_row(2, b"\xff\xfe\x00bytes\n"),
        history_row(3, "other.md", stand_in=StandIn(StandInKind.LINK, "other.md")),
        history_row(4, "back\nagain\n", author=Author(AuthorKind.OPERATOR, "Ben", "Claude", "trailer")),
        history_row(5, "back\nagain\n", status=Status.RENAMED),
        history_row(6, None),
        history_row(7, "once more\n", author=operator("release bot")),
    )
    context = context_of(studio)
    import_history(context, "imported", history(rows))
    named = [*rows[:6], history_row(7, "once more\n", author=Author(AuthorKind.AGENT, "release bot", None, "rule"))]
    clock.tick()
    import_history(context, "imported", history(named, rule=("*bot*",)))
    import_history(context, "carried on", texts_history("one\n", "two\n", key="x.md:second"))
    overwrite(studio, "carried on", "three, by hand\n")
    import_history(context, "ends deleted", texts_history("one\n", None, key="y.md:third"))


def _lost(studio: Studio, clock: Clock) -> None:
    studio.create_agent("lost", focus="Lose a row.")
    clock.tick()
    delete_live_memory(studio, "lost")
    run = wake(studio, "lost")
    studio.memory_write("lost", "after\n", run=run, call="c_7")


def _shelves(studio: Studio, clock: Clock) -> None:
    guild = studio.get_agent("kept").guild
    assert guild is not None
    paths = [
        studio.notes.path("rules.md", agent="kept"),
        studio.notes.path("rules.md", guild=guild),
        studio.notes.path("rules.md"),
    ]
    for path in paths:
        studio.notes.create(path, f"# Rules of {path}\n\n![[{paths[-1]}]]\n")
        clock.tick()
    publish(studio, "kept", f"Keep to the rules.\n\n![[{paths[0]}]]\n")
    studio.draft_task("kept", "Watch the inbox, and rest.\n")
    wake(studio, "kept", RunKind.DIRECT)
    studio.tokens.create("ops", Role.OPERATOR)
    studio.tokens.create("reader", Role.VIEWER)
    studio.tokens.create("runtime", Role.AGENT, agent="kept")
    studio.set_binding(Scope.GUILD, guild, "note_find", turned_on=False)


def _linked(studio: Studio, folder: Path) -> None:
    repository = MemoryRepository.make(folder / "memory", {"MEMORY.md": "Index.\n", "human.md": note(name="human")})
    studio.create_agent("linked", focus="Remember.")
    studio.directories.link(str(repository.folder), "linked")


HAND = (
    "UPDATE directories SET path = '/home/user/memory'",
    "INSERT INTO problems SELECT 'p_1', agent_id, NULL, 'The search is down.', created_at FROM agents WHERE name = 'kept'",
    "INSERT INTO scripts SELECT agent_id, 1, 'tidy', 'Tidies up.' FROM agents WHERE name = 'kept'",
    "INSERT INTO environments SELECT agent_id, 1, 'staging', 'Where it is tried.', true FROM agents WHERE name = 'kept'",
    "INSERT INTO repositories SELECT guild_id, 1, 'app', '/home/user/app', 'main' FROM agents WHERE name = 'kept'",
    "INSERT INTO agent_tools SELECT agent_id, 'coding' FROM agents WHERE name = 'kept'",
    "INSERT INTO logins VALUES ('gecko', 'coingecko', NULL, 'GECKO_KEY', '[]')",
)
"""Rows that no action makes, and a path that is no machine's."""


def _by_hand(file: Path) -> None:
    clock = Clock()
    database = open_database(file, clock())
    with database.tx() as cursor:
        for statement in HAND:
            cursor.execute(statement)
    database.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        store = Path(made) / "golden.duckdb"
        make(store, Path(made))
        Path(sys.argv[1]).write_bytes(lzma.compress(store.read_bytes(), preset=9))
