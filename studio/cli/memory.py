"""`studio memory`: an agent's memory and its history."""

from typing import Annotated

import typer

from studio.cli.inputs import STANDARD_INPUT, FileArgument, YesToOption, read_new_text, words_of
from studio.cli.output import note, visible, write_json, write_line, write_text
from studio.cli.session import AgentArgument, Session, VersionArgument, command, noun
from studio.cli.texts import (
    AuthorOption,
    BeforeOption,
    ExpectOption,
    IgnoreOption,
    LimitOption,
    VersionOption,
    write_patch,
    write_saved,
    write_version,
    write_versions,
)
from studio.domain.comparison import ignoring, read_ignored
from studio.domain.memory import write_answer
from studio.domain.paths import archive_path
from studio.domain.records import change_record, version_record
from studio.errors import StudioError
from studio.render.wire import saved_record

FILE_NAME = "memory.md"
"""What the file is called in a patch."""

app = noun("An agent's memory and its history.")


@command(app, "list", example="studio memory list scout --author operator --limit 10")
def list_memory(
    session: Session,
    agent: AgentArgument,
    author: AuthorOption = None,
    limit: LimitOption = None,
    before: BeforeOption = None,
) -> None:
    """List the versions, newest first, without their texts."""
    with session.open() as studio:
        found = studio.list_memory_versions(agent, author=author, limit=limit, before=before)
        total = len(found) if session.json else len(studio.list_memory_versions(agent))
        source = None if session.json else studio.get_agent(agent).source
    write_versions(found, total, [version_record(one) for one in found] if session.json else None)
    if source is not None and source.restarted_at is not None:
        note(f"More of this history was imported on {source.restarted_at:%Y-%m-%d}, so the numbers start anew.")


@command(app, "show", example="studio memory show scout --version 7 > old.md")
def show_memory(session: Session, agent: AgentArgument, version: VersionOption = None) -> None:
    """Write a version's stored bytes and nothing else."""
    with session.open() as studio:
        found = studio.get_memory_version(agent, version)
    write_version(session, found)


@command(app, "diff", example="studio memory diff scout 6 7 | git apply")
def diff_memory(
    session: Session,
    agent: AgentArgument,
    old: Annotated[int, typer.Argument(metavar="A", help="Number of the old version.", show_default=False)],
    new: Annotated[int, typer.Argument(metavar="B", help="Number of the new version.", show_default=False)],
    ignore: IgnoreOption = "",
) -> None:
    """Write the change from A to B as a patch. git apply takes it; it is empty where both are equal."""
    ignored = read_ignored(ignore)
    with session.open() as studio:
        if session.json:
            write_json(change_record(ignoring(studio.compare_memory(agent, new, old), ignored)))
            return
        before, after = studio.get_memory_version(agent, old), studio.get_memory_version(agent, new)
    write_patch(before, after, FILE_NAME, ignored)


@command(app, "save", example="studio memory save scout memory.md")
def save_memory(
    session: Session,
    *,
    agent: AgentArgument,
    file: FileArgument = STANDARD_INPUT,
    expect: ExpectOption = None,
    force: Annotated[bool, typer.Option("--force", help="Write over whatever is live.")] = False,
    yes_to: YesToOption = "",
) -> None:
    """Save a text as the memory. It is written as given, whatever its size, and the text it replaces is archived.

    A save is refused where the live text is not the one with the sha256 that --expect gives; without --expect it must be the one that
    was live when the command started. Conflict markers, nothing in place of a text and a key are asked about: --yes-to answers.
    """
    if expect is not None and force:
        raise typer.BadParameter("give --expect or --force, not both", param_hint="options")
    if expect is None and not force:
        # Read before the text is: whoever types or pipes it in started from what is live now, and the store is free meanwhile.
        with session.open() as studio:
            expect = studio.get_memory_version(agent).version.sha256
    text, answered = read_new_text(file, yes_to)
    with session.open() as studio:
        saved = studio.save_memory(agent, text, expect=expect, force=force, yes_to=answered)
    write_saved(session, saved)


@command(app, "restore", example="studio memory restore scout 7")
def restore_memory(
    session: Session,
    agent: AgentArgument,
    number: VersionArgument,
    expect: ExpectOption = None,
    yes_to: YesToOption = "",
) -> None:
    """Write an old version's text as a new version. History only grows."""
    with session.open() as studio:
        saved = studio.restore_memory(agent, number, expect=expect, yes_to=words_of(yes_to))
    write_saved(session, saved)


@command(app, "write", example="studio memory write scout new.md --run r_ab12cd")
def write_memory(
    session: Session,
    agent: AgentArgument,
    file: FileArgument = STANDARD_INPUT,
    run: Annotated[
        str | None, typer.Option("--run", metavar="RUN", help="Id of the run that writes.", show_default=False)
    ] = None,
    call: Annotated[
        str | None, typer.Option("--call", metavar="CALL", help="Id of its tool call.", show_default=False)
    ] = None,
    yes_to: YesToOption = "",
) -> None:
    """Write the memory as the tool memory_write does. The text replaces all of it and has at most 12,000 characters.

    As the tool it is asked nothing; only standard input that brings nothing needs --yes-to empty.
    """
    text, _ = read_new_text(file, yes_to)
    with session.open() as studio:
        try:
            saved = studio.memory_write(agent, text, run=run, call=call)
        except StudioError as error:
            from studio.actions.agent_tools import error_line  # noqa: PLC0415 - the tools load slowly, and a list needs none

            error.message = error_line(error)  # the tool's own words (decision 6)
            raise
    if session.json:
        write_json(saved_record(saved))
    else:
        write_line(write_answer(saved, text))


@command(app, "archive", example="studio memory archive scout")
def archive_memory(
    session: Session,
    agent: AgentArgument,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="One archived file.", show_default=False)] = None,
) -> None:
    """List the archive's files, newest first, or show one. It shows as two header lines, a blank line and the text."""
    with session.open() as studio:
        found = studio.get_agent(agent)
        if name is None:
            files = sorted(studio.list_archive(found.id).items(), reverse=True)
        else:
            header, body = studio.read_archive(archive_path(found.org, found.id, name))
    if name is not None and session.json:
        write_json({"header": list(header), "text": body.shown, "sha256": body.sha256})
    elif name is not None:
        write_text("".join(f"{visible(line)}\n" for line in (*header, "")).encode() + body.content)
    elif session.json:
        write_json([{"version": version, "name": file} for version, file in files])
    else:
        for _, file in files:
            write_line(visible(file))
