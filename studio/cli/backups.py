"""`studio backup`, `studio verify`, `studio restore-backup`: copies of a store."""

from pathlib import Path
from typing import Annotated

import typer

from studio.actions.backups import restore_backup, verify
from studio.cli.exits import FINDINGS
from studio.cli.output import note, visible, write_json, write_line
from studio.cli.session import Session, command
from studio.domain.backups import StoreContents
from studio.render.wire_backups import backup_record, contents_record

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="The copy.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Make the three verbs of the program itself."""
    command(app, "backup", example="studio backup /backups/team-monday.duckdb")(backup)
    command(app, "verify", example="studio verify /backups/team-monday.duckdb")(verify_copy)
    command(app, "restore-backup", example="studio restore-backup /backups/team-monday.duckdb --db team.duckdb")(
        restore
    )


def backup(session: Session, file: FileArgument) -> None:
    """Copy the store into a new file, also while it is served. The copy is read from end to end before it gets its name."""
    with session.open() as studio:
        made = studio.backup(file.absolute())
    if session.json:
        write_json(backup_record(made))
    else:
        write_line(f"Copied to {_told(made.contents)}")


def verify_copy(session: Session, file: FileArgument) -> None:
    """Read a copy from end to end and say what it holds. Nothing is changed."""
    contents = verify(file)
    _answer(session, "Sound:" if contents.lost is None else "Whole, but not up to date:", contents)
    if contents.lost is not None:
        note(visible(str(contents.lost)))
        raise typer.Exit(FINDINGS)


def restore(session: Session, file: FileArgument) -> None:
    """Make the store of --db from a copy. A store that is there is never written over."""
    _answer(session, "Restored to", restore_backup(file, session.where.database))


def _answer(session: Session, done: str, contents: StoreContents) -> None:
    if session.json:
        write_json(contents_record(contents))
    else:
        write_line(f"{done} {_told(contents)}")


def _told(contents: StoreContents) -> str:
    """What a copy holds, for a person."""
    numbers = {"agent": contents.agents, "version": contents.versions, "run": contents.runs, "note": contents.notes}
    held = ", ".join(f"{number:,} {noun}{'' if number == 1 else 's'}" for noun, number in numbers.items())
    return f"{visible(contents.path)}: {held}; {contents.size_bytes:,} bytes."
