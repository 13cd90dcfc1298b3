"""`studio dir changes|show|restore`: what was done to a memory directory commit by commit, and what is gone from it."""

from typing import Annotated

import typer

from studio.actions.directory import checking, tending
from studio.cli.directory import CommitOption
from studio.cli.directory_group import dir_group
from studio.cli.directory_history import refuse_rule, tell_edited
from studio.cli.directory_whose import WhoseArgument, agents_directory, is_repository
from studio.cli.importing import AgentAuthorOption, PersonAuthorOption, rule_of
from studio.cli.inputs import YesToOption, words_of
from studio.cli.output import note, visible, write_json, write_line, write_text
from studio.cli.session import AgentArgument, Session, command
from studio.cli.texts import ExpectOption
from studio.domain.directory.changes import ChangeTexts, DirectoryChange, FileChange, LastSeen, selected_changes
from studio.domain.directory.tree import FileMode
from studio.domain.moments import moment_shown
from studio.domain.patch import unified_patch
from studio.domain.timeline import Status
from studio.errors import BadArgument
from studio.render.wire_directory_changes import change_texts_record, directory_change_record, last_seen_record

MOST_FILES = 20
"""How many files of one commit are listed for a person."""
FileArgument = Annotated[
    str, typer.Argument(metavar="PATH", help="The file, from the root of the directory.", show_default=False)
]


@command(dir_group, "changes", example="studio dir changes researcher --path notes/ --author agent")
def changes(
    session: Session,
    whose: WhoseArgument,
    *,
    path: Annotated[
        str | None,
        typer.Option("--path", metavar="PATH", help="One folder or file; else all of the memory.", show_default=False),
    ] = None,
    author: Annotated[
        str | None,
        typer.Option(
            "--author",
            metavar="AUTHOR",
            help="Only commits by operator or agent, or by one of them: agent:dreamer[bot].",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="How many at most.", show_default=False)
    ] = None,
    before: Annotated[
        int | None, typer.Option("--before", metavar="N", help="Only those with a smaller number.", show_default=False)
    ] = None,
    commit: Annotated[
        str | None,
        typer.Option("--commit", metavar="C", help="Write what one commit changed, as a patch.", show_default=False),
    ] = None,
    agent_author: AgentAuthorOption = None,
    person_author: PersonAuthorOption = None,
) -> None:
    """List every commit that touched memory, newest first, also deferred files, skills and the config, which the prompt does not show.

    Each says after which version of the compiled memory it came. --commit writes the texts that one of them changed.
    """
    if commit is not None:
        if (author, limit, before) != (None,) * 3:
            raise BadArgument("--commit names one change; leave --author, --limit and --before out.")
        _write_change(session, _texts(session, whose, commit, path, rule_of(agent_author, person_author)))
        return
    if is_repository(whose):
        found = tending.read_repository_changes(whose, path, rule_of(agent_author, person_author) or ())
        for warning in found.warnings:
            note(visible(warning))
        total = len(found.changes)
        listed = selected_changes(found.changes, author=author, limit=limit, before=before)
    else:
        refuse_rule(rule_of(agent_author, person_author))
        with agents_directory(session) as studio:
            total = len(studio.directories.changes(whose, path))
            listed = studio.directories.changes(whose, path, author=author, limit=limit, before=before)
    if session.json:
        write_json([directory_change_record(one) for one in listed])
        return
    for one in listed:
        _tell(one)
    if len(listed) < total:
        note(f"{len(listed)} of {total} changes.")


@command(dir_group, "show", example="studio dir show researcher notes/people.md")
def show(session: Session, whose: WhoseArgument, path: FileArgument, *, commit: CommitOption = None) -> None:
    """Write a file's bytes at HEAD, or at any commit, and nothing else. One that was deleted is written as it last was."""
    if is_repository(whose):
        found = tending.read_repository_file(whose, path, commit)
    else:
        with agents_directory(session) as studio:
            found = studio.directories.file(whose, path, commit)
    if session.json:
        write_json(last_seen_record(found))
    else:
        write_text(found.body.content)
    if found.gone is not None:
        note(_gone(found, whose, found.gone))


@command(dir_group, "restore", example="studio dir restore researcher notes/people.md")
def restore(
    session: Session,
    agent: AgentArgument,
    path: FileArgument,
    *,
    commit: CommitOption = None,
    message: Annotated[
        str | None,
        typer.Option("--message", metavar="WHY", help="The commit's message.", show_default=False),
    ] = None,
    expect: ExpectOption = None,
    force: Annotated[bool, typer.Option("--force", help="Write over whatever is committed.")] = False,
    yes_to: YesToOption = "",
) -> None:
    """Bring a deleted file back as it last was, or any file as it was at a commit: one commit, through the checks of the hook."""
    if expect is not None and force:
        raise typer.BadParameter("give --expect or --force, not both", param_hint="options")
    approved = checking.change_of_config_approved()
    with session.open() as studio:
        done = studio.directories.restore(
            agent,
            path,
            commit,
            message=message,
            expect=expect,
            force=force,
            config_approved=approved,
            yes_to=words_of(yes_to),
        )
    tell_edited(session, done)


def _texts(session: Session, whose: str, commit: str, path: str | None, rule: tuple[str, ...] | None) -> ChangeTexts:
    if is_repository(whose):
        return tending.read_repository_change(whose, commit, path, rule or ())
    refuse_rule(rule)
    with agents_directory(session) as studio:
        return studio.directories.change(whose, commit, path)


def _write_change(session: Session, found: ChangeTexts) -> None:
    """The record of one change, or its patch."""
    if session.json:
        write_json(change_texts_record(found))
        return
    for one in found.files:
        old, new = (None if body is None else body.text for body in (one.before, one.after))
        if one.diff is None:
            write_line(f"Binary file {visible(one.change.path)} differs")
        else:
            write_text(unified_patch(old, new, one.change.path).encode("utf-8", "backslashreplace"))


def _tell(change: DirectoryChange) -> None:
    """One commit with its files."""
    when, kind = moment_shown(change.at, seconds=False), " merge" if change.merge else ""
    where = f"version {change.version}" if change.new_version else f"after version {change.version or 0}"
    head = f"{change.number:>4}  {change.commit[:10]}{kind} {when} {visible(str(change.author))}: {visible(change.subject)}"
    write_line(f"{head} · {where}")
    for one in change.files[:MOST_FILES]:
        write_line(f"      {_file(one)}")
    more = len(change.files) - MOST_FILES
    if more > 0:
        write_line(f"      and {more:,} files more; --json lists all of them")


def _file(file: FileChange) -> str:
    counts = "bytes" if file.added is None else f"+{file.added} −{file.removed}"
    before = f"{visible(file.old_path)} → " if file.old_path is not None else ""
    irregular = {FileMode.LINK: " (a symlink)", FileMode.SUBMODULE: " (a submodule)"}
    what = "" if file.mode is None else irregular.get(file.mode, "")
    return f"{file.status:<8}  {counts:>9}  {before}{visible(file.path)}{what}"


def _gone(found: LastSeen, whose: str, gone: DirectoryChange) -> str:
    """What became of a file, and how it comes back."""
    moved = next(
        (one.path for one in gone.files if one.old_path == found.path and one.status is not Status.DELETED), None
    )
    what = "was deleted" if moved is None else f"became {visible(moved)}"
    said = (
        f"{visible(found.path)} {what} in {gone.commit[:10]} by {visible(str(gone.author))}: {visible(gone.subject)}."
    )
    agent = "AGENT" if is_repository(whose) else visible(whose)
    return f"{said} This is how it last was; 'studio dir restore {agent} {visible(found.path)}' brings it back."
