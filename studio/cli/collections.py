"""`studio collections`: tables that operators define, and their records."""

import json
from datetime import datetime
from typing import Annotated, Any

import typer

from studio.cli.inputs import STANDARD_INPUT, FileArgument, read_json_text
from studio.cli.notes import OwnerAgentOption, OwnerGuildOption
from studio.cli.output import note, visible, write_json, write_line, write_table
from studio.cli.session import Session, command, noun
from studio.domain.collections import Access, Column, Grant, Record
from studio.domain.moments import read_moment
from studio.errors import BadArgument
from studio.render.wire_notes import collection_record, row_record, row_written_record

CollectionArgument = Annotated[
    str,
    typer.Argument(
        metavar="COLLECTION", help="Its display path, or its name where no other has it.", show_default=False
    ),
]
UserOption = Annotated[
    str | None,
    typer.Option("--agent", metavar="AGENT", help="Only what this agent is granted.", show_default=False),
]

app = noun("Tables that operators define, and their records.")


@command(app, "list", example="studio collections list --agent scout")
def list_collections(session: Session, agent: UserOption = None) -> None:
    """List the collections by level and path."""
    with session.open() as studio:
        found = studio.collections.list(as_agent=agent)
    if session.json:
        write_json([collection_record(one) for one in found])
    elif found:
        write_table(("NAME", "PATH", "COLUMNS", "ACCESS"), [_row(one) for one in found])
    else:
        note("No collections; 'studio collections create' makes one.")


def _row(one: Grant) -> tuple[str, ...]:
    """One line of the table."""
    table = one.collection
    return (table.name, table.path, ", ".join(column.name for column in table.columns), str(one.access))


@command(app, "show", example="studio collections show leads")
def show_collection(session: Session, collection: CollectionArgument, agent: UserOption = None) -> None:
    """Show what a collection is for, and its columns."""
    with session.open() as studio:
        found = studio.collections.get(collection, as_agent=agent)
    if session.json:
        write_json(collection_record(found))
        return
    table = found.collection
    facts = [("Name", table.name), ("Path", table.path), ("Purpose", table.purpose or "none")]
    facts += [(f"Column {column.name}", column.description or "") for column in table.columns]
    write_table(("FIELD", "VALUE"), facts)


@command(
    app,
    "create",
    example='studio collections create leads --column company --column "status=new or won" --guild Desk',
    begins=True,
)
def create_collection(
    session: Session,
    *,
    path: Annotated[str, typer.Argument(metavar="NAME", help="Its name, or its display path.", show_default=False)],
    column: Annotated[
        list[str],
        typer.Option("--column", metavar="NAME[=TEXT]", help="A column, and what it holds.", show_default=False),
    ],
    purpose: Annotated[
        str | None, typer.Option("--purpose", metavar="TEXT", help="What it is for.", show_default=False)
    ] = None,
    agent: OwnerAgentOption = None,
    guild: OwnerGuildOption = None,
    grant: Annotated[
        Access | None, typer.Option("--grant", help="What the agent of --agent may do with it.", show_default=False)
    ] = None,
) -> None:
    """Define a collection of the organisation. --agent or --guild makes it theirs; 'studio agents set --from' grants it."""
    if agent is not None and guild is not None:
        raise typer.BadParameter("give --agent or --guild, not both", param_hint="options")
    if grant is not None and agent is None:
        raise typer.BadParameter("it needs --agent", param_hint="'--grant'")
    columns = [Column(name, text or None) for name, _, text in (one.partition("=") for one in column)]
    with session.open() as studio:
        full = studio.collections.path(path, agent=agent, guild=guild)
        made = studio.collections.create(full, columns, purpose=purpose)
        if agent is not None and grant is not None:
            studio.collections.grant(agent, made.path, grant)
    if session.json:
        write_json(collection_record(Grant(made, Access.WRITE)))
    else:
        write_line(f"Created {visible(made.path)}.")


@command(app, "records", example="studio collections records leads --where status=open --since 2026-09-01T00:00:00Z")
def list_records(
    session: Session,
    *,
    collection: CollectionArgument,
    since: Annotated[
        str | None,
        typer.Option(
            "--since",
            metavar="TIME",
            help="Only records written then or later; a time with its offset.",
            show_default=False,
        ),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--where",
            metavar="COLUMN=VALUE",
            help="Only records with this value; a number as JSON writes it.",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="How many records at most.", show_default=False)
    ] = None,
    agent: UserOption = None,
) -> None:
    """List a collection's records, last written first."""
    equals = dict(_condition(one) for one in where or ())
    moment = None if since is None else _moment(since)
    with session.open() as studio:
        table = studio.collections.get(collection, as_agent=agent).collection
        found = studio.collections.records(table.path, since=moment, equals=equals, limit=limit, as_agent=agent)
    if session.json:
        write_json([row_record(one) for one in found])
    elif found:
        names = [column.name for column in table.columns]
        write_table(("ID", *names, "WRITTEN", "BY"), [_record_row(one, names) for one in found])
    else:
        note("No records.")


def _record_row(one: Record, names: list[str]) -> tuple[str, ...]:
    """One line of the table."""
    values = [_cell(one.values.get(name)) for name in names]
    return (one.id, *values, f"{one.updated_at:%Y-%m-%d %H:%M:%S} UTC", str(one.updated_by))


def _cell(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@command(app, "write", example="studio collections write leads acme.json --id acme")
def write_record(
    session: Session,
    *,
    collection: CollectionArgument,
    file: FileArgument = STANDARD_INPUT,
    record_id: Annotated[
        str | None,
        typer.Option("--id", metavar="ID", help="Which record; else a new one is made.", show_default=False),
    ] = None,
) -> None:
    """Change a record, or make it, from a JSON object of values by column. Other columns stay, and null clears one."""
    values = _json_object(read_json_text(file))
    with session.open() as studio:
        written = studio.collections.write(collection, values, record_id=record_id)
    if session.json:
        write_json(row_written_record(written))
    elif written.changed:
        write_line(f"Wrote {visible(written.record.id)}.")
    else:
        write_line(f"Nothing changed; {visible(written.record.id)} is as it was.")


def _json_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise BadArgument('A record is a JSON object of values by column, as in {"company": "ACME"}.')
    return value


def _condition(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise typer.BadParameter(f"{text!r} is not COLUMN=VALUE", param_hint="'--where'")
    return name, value


def _moment(text: str) -> datetime:
    moment = read_moment(text)
    if moment is None:
        raise typer.BadParameter(f"{text!r} is no time like 2026-09-13T09:00:12Z", param_hint="'--since'")
    return moment
