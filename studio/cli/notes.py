"""`studio notes`: what agents share in long form."""

from dataclasses import replace
from typing import Annotated

import typer

from studio.cli.inputs import STANDARD_INPUT, FileArgument, YesToOption, read_new_text
from studio.cli.output import note, visible, write_json, write_line, write_table, write_text
from studio.cli.session import Session, command, noun
from studio.cli.texts import ExpectOption
from studio.domain.notes import NoteFacts, NoteWritten, note_place
from studio.domain.places import Level
from studio.render.wire_notes import note_hit_record, note_record, note_text_record, note_written_record

PathArgument = Annotated[
    str,
    typer.Argument(
        metavar="PATH", help="Its display path, or the name of a note of the organisation.", show_default=False
    ),
]
LevelOption = Annotated[Level | None, typer.Option("--level", help="Only notes of this level.", show_default=False)]
ReaderOption = Annotated[
    str | None,
    typer.Option("--agent", metavar="AGENT", help="Only what this agent may read.", show_default=False),
]
OwnerAgentOption = Annotated[
    str | None, typer.Option("--agent", metavar="AGENT", help="Make it this agent's.", show_default=False)
]
OwnerGuildOption = Annotated[
    str | None, typer.Option("--guild", metavar="GUILD", help="Make it this guild's.", show_default=False)
]
TitleOption = Annotated[
    str | None,
    typer.Option(
        "--title", metavar="TITLE", help="Its title; else the first heading, else the file name.", show_default=False
    ),
]

app = noun("Notes that agents and operators share.")


@command(app, "list", example="studio notes list --level guild")
def list_notes(session: Session, level: LevelOption = None, agent: ReaderOption = None) -> None:
    """List the notes by level and path. Tasks and memories are no notes."""
    with session.open() as studio:
        found = studio.notes.list(level=level, as_agent=agent)
    if session.json:
        write_json([note_record(one) for one in found])
    elif found:
        write_table(("PATH", "TITLE", "CHARACTERS", "WRITTEN", "BY"), [_row(one) for one in found])
    else:
        note("No notes yet; 'studio notes create' makes one.")


def _row(one: NoteFacts) -> tuple[str, ...]:
    """One line of the table."""
    return (one.path, one.title, f"{one.characters:,}", f"{one.updated_at:%Y-%m-%d %H:%M:%S} UTC", str(one.updated_by))


@command(app, "show", example="studio notes show pricing.md > pricing.md")
def show_note(session: Session, path: PathArgument, agent: ReaderOption = None) -> None:
    """Write a note's body and nothing else."""
    with session.open() as studio:
        found = studio.notes.get(studio.notes.path(path), as_agent=agent)
    if session.json:
        write_json(note_text_record(found))
    else:
        write_text(found.body.encode("utf-8"))


@command(app, "create", example="studio notes create pricing.md prices.md --guild Desk", begins=True)
def create_note(
    session: Session,
    *,
    path: Annotated[str, typer.Argument(metavar="PATH", help="Its name, or its display path.", show_default=False)],
    file: FileArgument = STANDARD_INPUT,
    title: TitleOption = None,
    agent: OwnerAgentOption = None,
    guild: OwnerGuildOption = None,
    yes_to: YesToOption = "",
) -> None:
    """Make a note of the organisation. --agent or --guild makes it theirs."""
    if agent is not None and guild is not None:
        raise typer.BadParameter("give --agent or --guild, not both", param_hint="options")
    body, answered = read_new_text(file, yes_to)
    with session.open() as studio:
        full = studio.notes.path(path, agent=agent, guild=guild)
        written = studio.notes.create(full, body, title=title, yes_to=answered)
    _answer(session, written, "Created")


@command(app, "edit", example="studio notes edit pricing.md prices.md")
def edit_note(
    session: Session,
    *,
    path: PathArgument,
    file: FileArgument = STANDARD_INPUT,
    title: TitleOption = None,
    expect: ExpectOption = None,
    force: Annotated[bool, typer.Option("--force", help="Write over whatever is there.")] = False,
    yes_to: YesToOption = "",
) -> None:
    """Write a note's body. It is stored as given, and an empty --title removes the title.

    An edit is refused where the note is not the one with the sha256 that --expect gives; without --expect it must be the one that was
    there when the command started.
    """
    if expect is not None and force:
        raise typer.BadParameter("give --expect or --force, not both", param_hint="options")
    if expect is None and not force:
        # Read before the text is: whoever types or pipes it in started from what is there now, and the store is free meanwhile.
        with session.open() as studio:
            expect = studio.notes.get(studio.notes.path(path)).facts.sha256
    body, answered = read_new_text(file, yes_to)
    with session.open() as studio:
        full = studio.notes.path(path)
        written = studio.notes.edit(full, body, title=title, expect=expect, force=force, yes_to=answered)
    _answer(session, written, "Saved")


@command(app, "move", example="studio notes move pricing.md sales/pricing.md")
def move_note(
    session: Session,
    path: PathArgument,
    to: Annotated[
        str,
        typer.Argument(
            metavar="TO",
            help="Its new display path, or its new name where it is; folders are part of it.",
            show_default=False,
        ),
    ],
) -> None:
    """Give a note another path. With a mere name it stays at its level, its owner's. A note that a live Task embeds is not moved."""
    with session.open() as studio:
        full = studio.notes.path(path)
        target = to if to.startswith("org/") else str(replace(note_place(full), name=to))
        written = studio.notes.move(full, target)
    _answer(session, written, "Moved to")


@command(app, "delete", example="studio notes delete pricing.md")
def delete_note(session: Session, path: PathArgument, expect: ExpectOption = None) -> None:
    """Remove a note. A note that a live Task embeds stays."""
    with session.open() as studio:
        full = studio.notes.path(path)
        studio.notes.delete(full, expect=expect)
    if session.json:
        write_json({"path": full, "deleted": True})
    else:
        write_line(f"Deleted {visible(full)}.")


@command(app, "find", example="studio notes find delivery times --limit 5")
def find_notes(
    session: Session,
    words: Annotated[list[str], typer.Argument(metavar="WORDS", help="All must occur.", show_default=False)],
    level: LevelOption = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="How many notes at most.")] = 20,
    agent: ReaderOption = None,
) -> None:
    """Find the notes whose title, path and body hold all words, in any letter case. Most hits in title and path come first."""
    with session.open() as studio:
        found = studio.notes.find(" ".join(words), level=level, limit=limit, as_agent=agent)
    if session.json:
        write_json([note_hit_record(one) for one in found])
    elif found:
        write_table(
            ("PATH", "TITLE", "HITS", "LINE"),
            [(one.facts.path, one.facts.title, str(one.hits), one.line) for one in found],
        )
    else:
        note("No note has these words.")


def _answer(session: Session, written: NoteWritten, done: str) -> None:
    """What a write did."""
    if session.json:
        write_json(note_written_record(written))
    elif written.changed:
        write_line(f"{done} {visible(written.facts.path)}.")
    else:
        write_line(f"Nothing changed; {visible(written.facts.path)} is as it was.")
