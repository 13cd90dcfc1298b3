"""`studio backup`, `studio verify`, `studio restore-backup`: copies of a store."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from studio.actions.backups import restore_backup
from studio.actions.verifying import verify_store
from studio.cli.exits import FINDINGS
from studio.cli.heads import HeadsOption, WriteHeadsOption, judging_store, read_heads, write_heads_file
from studio.cli.output import note, visible, write_json, write_line
from studio.cli.progress import progress_bar
from studio.cli.session import Session, command, patiently
from studio.domain.archive import iso_z
from studio.domain.backups import StoreContents
from studio.domain.checking import Checked
from studio.render.wire_backups import backup_record, contents_record

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="The copy.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Make the three verbs of the program itself."""
    command(app, "backup", example="studio backup /backups/team-monday.duckdb")(backup)
    command(app, "verify", example="studio verify /backups/team-monday.duckdb --heads noted.jsonl")(verify_copy)
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


def verify_copy(
    session: Session,
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]", help="A copy, or any other store; else the store of --db.", show_default=False
        ),
    ] = None,
    *,
    quick: Annotated[
        bool, typer.Option("--quick", help="Check hashes, sizes and links alone, not the counts of lines.")
    ] = False,
    write_heads: WriteHeadsOption = None,
    heads: HeadsOption = None,
) -> None:
    """Check a store, also one that is served: its blocks, and all rows against each other. Nothing is changed.

    Who recomputes a whole chain of links is found by --heads alone. Exit codes: 0 sound, 1 findings, 2 could not run, 3 damaged.
    """
    with judging_store(as_json=session.json), progress_bar("Checking agents") as progress:
        noted = () if heads is None else read_heads(heads)
        contents = patiently(
            partial(
                verify_store,
                file or session.where.database,
                quick=quick,
                note_heads=write_heads is not None,
                heads=noted,
                operator=session.where.operator,
                progress=progress.update if progress else None,
            )
        )
        if write_heads is not None and contents.checked is not None:
            write_heads_file(write_heads, contents.checked.heads)
    _answer_checked(session, contents)


def _answer_checked(session: Session, contents: StoreContents) -> None:
    """Say what was found, each break with what to do."""
    checked = contents.checked or Checked()
    if session.json:
        write_json(contents_record(contents))
    else:
        many = "1 finding" if len(checked.findings) == 1 else f"{len(checked.findings):,} findings"
        whole = "Sound" if contents.lost is None else "Whole, but not up to date"
        write_line(f"{many if checked.findings else whole}: {_told(contents)}")
        for one in checked.findings:
            write_line(f"  [{one.kind}] {visible(str(one))}. {one.advice}")
        if checked.noted or checked.pruned:
            write_line(
                f"{checked.noted:,} noted links are in their chains; {checked.pruned:,} are of versions that are no longer kept."
            )
        since = "never, in this earlier schema" if checked.chained_since is None else iso_z(checked.chained_since)
        write_line(f"Every version has had its link from the start since {since}; older ones got theirs then.")
    if contents.lost is not None:
        note(visible(str(contents.lost)))
    if checked.findings or contents.lost is not None:
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
