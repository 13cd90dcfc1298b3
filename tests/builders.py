"""Values and stores for tests: each builder fills in what the test at hand does not care about."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from studio.actions.context import Context
from studio.actions.studio import Studio
from studio.domain.agents import ImportSource
from studio.domain.authors import Author, AuthorKind, operator
from studio.domain.bodies import Body
from studio.domain.history import History, HistoryRow
from studio.domain.paths import RunId
from studio.domain.questions import Question
from studio.domain.run_kinds import RunKind
from studio.domain.runs import Trigger
from studio.domain.stand_ins import StandIn
from studio.domain.timeline import Actor, Facts, Origin, Revision, Status
from studio.sources.settings import Settings
from studio.sources.templates import Templates

START = datetime(2026, 9, 12, 9, 0, 7, tzinfo=UTC)
PROMPTS = Path(__file__).parents[1] / "prompts"
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"))
"""Every text that a write takes (decision 5)."""


EVERYTHING = tuple(Question)
"""Every question of decision 39, for texts that are not what a test is about."""


class Clock:
    """A clock that stands still until it is told."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def tick(self, seconds: int = 60) -> datetime:
        self.now += timedelta(seconds=seconds)
        return self.now


def open_store(
    path: str | Path, clock: Clock | None = None, *, prompts: Path = PROMPTS, operator: str = "Ana"
) -> Studio:
    """A store with the repository's templates."""
    settings = Settings(str(path), named=True, templates=Templates(prompts), operator=operator, clock=clock or Clock())
    return Studio(settings)


def blank_file(folder: Path) -> Path:
    """The file of a store that nobody has written to: a copy, since making a schema takes longer than most tests."""
    file = folder / "blank.duckdb"
    file.write_bytes(_blank())
    return file


@cache
def _blank() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "made.duckdb"
        open_store(file).close()
        return file.read_bytes()


@contextmanager
def blank_store(clock: Clock | None = None, *, prompts: Path = PROMPTS, operator: str = "Ana") -> Iterator[Studio]:
    """A store that nobody has written to, in a file that is gone after the block."""
    with (
        tempfile.TemporaryDirectory(prefix="studio-") as folder,
        open_store(blank_file(Path(folder)), clock, prompts=prompts, operator=operator) as studio,
    ):
        yield studio


def context_of(studio: Studio) -> Context:
    """What the facade hands to its actions: for tests that look at rows or import a history made of values."""
    return studio._context


def wake(studio: Studio, agent: str, kind: RunKind = RunKind.SCHEDULE, *, instruction: str = "check inbox") -> RunId:
    """A new run of an agent."""
    trigger = Trigger(kind, instruction=instruction if kind is RunKind.SCHEDULE else None)
    return studio.create_run(agent, trigger).id


def overwrite(studio: Studio, agent: str, text: str, by: str = "Ana") -> int:
    """A Save over whatever is live; gives the version it made."""
    return studio.save_memory(agent, text, force=True, operator=by, yes_to=EVERYTHING).version


def publish(studio: Studio, agent: str, text: str, by: str = "Ana") -> int:
    """A new Task over whatever is live, broken whatever it would ask; gives the version it made."""
    studio.draft_task(agent, text, force=True)
    return studio.publish_task(agent, operator=by, force=True, yes_to=EVERYTHING).version


def delete_live_memory(studio: Studio, agent: str) -> None:
    """The live row deleted by hand, as no action does it."""
    with context_of(studio).database.tx() as cursor:
        cursor.execute("DELETE FROM memory WHERE agent_id = ?", [studio.get_agent(agent).id])


def run_author(run: str) -> Author:
    return Author(AuthorKind.RUN, run)


def facts(number: int, text: str = "", since: datetime = START, **changed: object) -> Facts:
    """The facts of a version; counts are 0 unless given."""
    body = Body(text)
    built = Facts(number, body.sha256, body.characters, 0, 0, since)
    return replace(built, **changed)  # type: ignore[arg-type]


def revision(number: int, text: str, replaced_by: Author, at: datetime = START) -> Revision:
    """An archived version and who replaced it."""
    run = RunId(replaced_by.name) if replaced_by.kind is AuthorKind.RUN and replaced_by.name else None
    return Revision(facts(number, text), Actor(replaced_by, at, run))


def history_row(
    number: int,
    content: bytes | str | None,
    *,
    author: Author | None = None,
    status: Status | None = None,
    at: datetime | None = None,
    commit: str | None = None,
    stand_in: StandIn | None = None,
) -> HistoryRow:
    """One imported version; None is a deletion, and with a stand-in the content is what the file holds."""
    body = None if content is None else Body.of_bytes(content.encode() if isinstance(content, str) else content)
    named = commit or f"{number:040x}"
    usual = Status.DELETED if content is None else Status.ADDED if number == 1 else Status.MODIFIED
    usual = Status.STAND_IN if stand_in else usual
    return HistoryRow(
        number=number,
        key=f"{named}:memory.md",
        author=author or operator("Ben"),
        at=at or START + timedelta(days=number),
        body=body,
        status=status or usual,
        origin=Origin(commit=named, subject=f"change {number}", path="memory.md", utc_offset_minutes=120),
        stand_in=stand_in,
    )


def stands_for(record: Mapping[str, Any]) -> str | None:
    """What a line of a history file only stands for: a link's target, or the file that its one line mentions; else None."""
    text = record["text"] or ""
    if record["mode"] == "120000":
        return text
    lines = text.split()
    return lines[0][1:] if len(lines) == 1 and lines[0].startswith("@") else None


def history(rows: Sequence[HistoryRow], key: str = "memory.md:first", rule: tuple[str, ...] = ()) -> History:
    """A history of these rows."""
    return History(ImportSource("git", key, "a repository: memory.md", rule), tuple(rows))


def texts_history(*texts: bytes | str | None, key: str = "memory.md:first") -> History:
    """A history with these texts, oldest first."""
    return history([history_row(number, text) for number, text in enumerate(texts, 1)], key)
