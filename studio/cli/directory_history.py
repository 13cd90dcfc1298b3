"""`studio dir link|unlink|history|diff|edit`: a memory directory as an agent's memory."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from studio.actions.directory import checking, tending
from studio.cli.directory_group import dir_group
from studio.cli.directory_whose import WhoseArgument, is_repository, link_noting, missing_index, note_missing_index
from studio.cli.importing import AgentAuthorOption, PersonAuthorOption, rule_of
from studio.cli.inputs import STANDARD_INPUT, YesToOption, read_new_text
from studio.cli.output import note, visible, write_json, write_line, write_text
from studio.cli.session import AgentArgument, Session, command
from studio.cli.texts import AuthorOption, BeforeOption, ExpectOption, IgnoreOption, LimitOption, write_versions
from studio.domain.comparison import diff_without, read_ignored
from studio.domain.directory.changes import Around, DirectoryChange, between
from studio.domain.directory.editing import Edited
from studio.domain.directory.link import Link
from studio.domain.patch import unified_patch
from studio.domain.timeline import Version, selected
from studio.errors import BadArgument
from studio.render.wire_directory_changes import listed_version_record
from studio.render.wire_directory_history import commit_diff_record, edited_record, link_record

FILE_NAME = "memory.md"
"""What the compiled memory is called in a patch."""

PathOption = Annotated[
    str | None,
    typer.Option(
        "--path", metavar="PATH", help="One file or folder of it; else the compiled memory.", show_default=False
    ),
]


@command(dir_group, "link", example="studio dir link ~/agents/researcher/memory --agent researcher")
def link(
    session: Session,
    repo: Annotated[str, typer.Argument(metavar="REPO", help="The root of a git repository.", show_default=False)],
    agent: Annotated[
        str, typer.Option("--agent", metavar="AGENT", help="Its id or its unique name.", show_default=False)
    ],
    agent_author: AgentAuthorOption = None,
    person_author: PersonAuthorOption = None,
) -> None:
    """Make a repository the memory of an agent. What the agent had before is kept, and comes back with unlink."""
    with session.open() as studio:
        made = link_noting(studio, str(Path(repo).absolute()), agent, rule_of(agent_author, person_author) or ())
    if session.json:
        write_json(link_record(made))
        return
    said = f"version {made.seen.version}, {made.seen.characters:,} characters"
    write_line(f"{visible(agent)} remembers in {visible(made.path)} now: {said}.")


@command(dir_group, "unlink", example="studio dir unlink researcher")
def unlink(session: Session, agent: AgentArgument) -> None:
    """Make the memory that an agent had before its memory again. The repository stays as it is."""
    with session.open() as studio:
        was = studio.directories.unlink(agent)
        now = next(one for one in studio.list_agents(was.agent) if one.agent.id == was.agent)
    if session.json:
        live = {"version": now.memory_version, "characters": now.memory_characters}
        write_json(link_record(was) | {"live": live})
        return
    live_said = f"version {now.memory_version} of its own memory is live, {now.memory_characters:,} characters"
    said = "it has no memory of its own" if now.memory_version is None else live_said
    write_line(f"{visible(agent)} does not remember in {visible(was.path)} any more; {said}.")


@command(dir_group, "history", example="studio dir history researcher --author agent --limit 10")
def history(
    session: Session,
    whose: WhoseArgument,
    path: PathOption = None,
    author: AuthorOption = None,
    limit: LimitOption = None,
    before: BeforeOption = None,
    agent_author: AgentAuthorOption = None,
    person_author: PersonAuthorOption = None,
) -> None:
    """List the versions of a directory's compiled memory, or of one file or folder, newest first: one for each commit that changed it.

    Between the versions of the compiled memory it says how many commits changed memory outside of the prompt.
    """
    if is_repository(whose):
        rule = rule_of(agent_author, person_author) or ()
        found = tending.read_repository_history(whose, path, rule)
        for warning in found.warnings:
            note(visible(warning))
        note_missing_index(checking.missing_index(whose))
        versions = found.versions
        done = tending.read_repository_changes(whose, None, rule).changes if found.path is None else ()
    else:
        refuse_rule(rule_of(agent_author, person_author))
        versions, done = _of_agent(session, whose, path)
    listed = selected(versions, author=author, limit=limit, before=before)
    around = between(done, versions) if done else {}
    records = [listed_version_record(one, around) for one in listed]
    write_versions(listed, len(versions), records if session.json else None, beside=_beside(around))
    unseen = sum(not one.new_version for one in done)
    if unseen and not session.json:
        said = "1 commit changed memory outside" if unseen == 1 else f"{unseen} commits changed memory outside"
        note(f"{said} of the prompt; 'studio dir changes {visible(whose)}' lists all that touched memory.")


@command(dir_group, "diff", example="studio dir diff researcher HEAD~5")
def diff(
    session: Session,
    whose: WhoseArgument,
    old: Annotated[str, typer.Argument(metavar="A", help="A commit, by any name git knows.", show_default=False)],
    new: Annotated[str | None, typer.Argument(metavar="B", help="Another; else HEAD.", show_default=False)] = None,
    ignore: IgnoreOption = "",
) -> None:
    """Write what changed in the compiled memory from commit A to B as a patch."""
    if is_repository(whose):
        found = tending.diff_repository(whose, old, new)
    else:
        with session.open() as studio:
            found = studio.directories.diff(whose, old, new)
    found = replace(found, diff=diff_without(found.diff, read_ignored(ignore)))
    if session.json:
        write_json(commit_diff_record(found))
    else:
        write_text(unified_patch(found.before, found.after, FILE_NAME).encode())


@command(dir_group, "edit", example='studio dir edit researcher human.md new.md --message "Sharpen how to answer"')
def edit(
    session: Session,
    agent: AgentArgument,
    path: Annotated[str, typer.Argument(metavar="PATH", help="The file in the directory.", show_default=False)],
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Its new text; standard input where none is named, or for -.")
    ] = STANDARD_INPUT,
    *,
    message: Annotated[
        str, typer.Option("--message", metavar="WHY", help="Why; becomes the commit's message.", show_default=False)
    ],
    delete: Annotated[bool, typer.Option("--delete", help="Delete the file.")] = False,
    expect: ExpectOption = None,
    force: Annotated[bool, typer.Option("--force", help="Write over whatever is committed.")] = False,
    yes_to: YesToOption = "",
) -> None:
    """Commit a file of an agent's memory directory, through the checks of the hook and past what its owner is working on."""
    if expect is not None and force:
        raise typer.BadParameter("give --expect or --force, not both", param_hint="options")
    approved = checking.change_of_config_approved()
    text, answered = (None, ()) if delete else read_new_text(file, yes_to)
    with session.open() as studio:
        done = studio.directories.edit(
            agent, path, text, message, expect=expect, force=force, config_approved=approved, yes_to=answered
        )
    tell_edited(session, done)


def tell_edited(session: Session, done: Edited) -> None:
    """What an edit did."""
    if done.behind is not None:
        note(visible(done.behind))
    if session.json:
        write_json(edited_record(done))
    elif done.changed:
        write_line(
            f"Committed {visible(done.path)} as {done.commit[:10]}; the memory is at version {done.version or 0}."
        )
    else:
        write_line(f"Nothing changed; {done.commit[:10]} has it already.")


def refuse_rule(rule: tuple[str, ...] | None) -> None:
    """Refuse a rule of authors beside an agent, whose link has one (decision 3)."""
    if rule:
        raise BadArgument("The author rule of an agent's directory is that of its link; give it to 'studio dir link'.")


def _beside(around: Mapping[int, Around]) -> dict[int, str]:
    """What a row of the list says of the changes beside it."""
    said = {}
    for number, (before, after) in around.items():
        first = [f"{before} outside the prompt before it"] if before and number == 1 else []
        said[number] = ", ".join([*first, *([f"then {after} outside the prompt"] if after else [])])
    return said


def _of_agent(
    session: Session, agent: str, path: str | None
) -> tuple[tuple[Version, ...], tuple[DirectoryChange, ...]]:
    """The versions of an agent's directory and what was done to it; what its link says of rewritten history goes to a person."""
    with session.open() as studio:
        versions = studio.directories.history(agent, path)
        done = studio.directories.changes(agent) if path is None else ()
        state = studio.directories.get(agent)
        why = missing_index(studio, agent)
    for warning in state.warnings:
        note(visible(warning))
    if state.link.rewritten_from is not None:
        note(_rewritten(state.link))
    note_missing_index(why)
    return versions, done


def _rewritten(link: Link) -> str:
    when = f" ({link.rewritten_at:%Y-%m-%d %H:%M} UTC)" if link.rewritten_at else ""
    return f"History was rewritten{when}: {(link.rewritten_from or '')[:10]} was HEAD before. Numbers start anew."
