"""`studio dir audit|migrate`: what went round the hook, and moving a directory from the old layout."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated

import typer

from studio.actions.directory import checking, tending
from studio.actions.directory.tending import MIGRATION_MESSAGE, Migrated
from studio.cli.directory import RepoArgument, SarifOption
from studio.cli.directory_group import dir_group
from studio.cli.directory_history import refuse_rule
from studio.cli.directory_whose import (
    WhoseArgument,
    agents_directory,
    is_repository,
    missing_index,
    note_missing_index,
)
from studio.cli.exits import COULD_NOT_RUN, FINDINGS, judging
from studio.cli.importing import AgentAuthorOption, PersonAuthorOption, rule_of
from studio.cli.output import note, visible, write_json, write_line
from studio.cli.session import Session, command
from studio.domain.directory.audit import Audit, AuditedCommit
from studio.domain.moments import moment_shown
from studio.render.sarif import sarif_log
from studio.render.wire_directory_history import audit_record, migration_record


@command(dir_group, "audit", example="studio dir audit ~/agents/researcher/memory v1..HEAD")
def audit(
    session: Session,
    whose: WhoseArgument,
    revisions: Annotated[
        str,
        typer.Argument(
            metavar="RANGE", help="Commits as git names them: A..B; else all of HEAD's.", show_default=False
        ),
    ] = "",
    *,
    agent_author: AgentAuthorOption = None,
    person_author: PersonAuthorOption = None,
    sarif: SarifOption = False,
) -> None:
    """Find every commit that went round the hook, and which broke each rule first. Exit codes: 0 clean, 1 findings, 2 could not run."""
    with judging(as_json=session.json):
        if is_repository(whose):
            found = tending.audit_directory(whose, revisions, rule_of(agent_author, person_author) or ())
            why = checking.missing_index(whose)
        else:
            refuse_rule(rule_of(agent_author, person_author))
            with agents_directory(session) as studio:
                found, why = studio.directories.audit(whose, revisions), missing_index(studio, whose)
    if sarif:
        findings = [
            replace(one, message=f"{one.message} (commit {commit.commit[:10]})")
            for commit in (*found.round_the_hook, *found.notices)
            for one in commit.findings
        ]
        notes = [commit.carries for commit in found.round_the_hook if commit.carries is not None]
        write_json(sarif_log(findings, notes))
    elif session.json:
        write_json(audit_record(found))
    else:
        _tell_audit(found)
    if found.cut_off:
        note(
            "The repository is a shallow copy: its oldest commits are blamed for what came before them; clone it in full."
        )
    for warning in found.warnings:
        note(visible(warning))
    note_missing_index(why)
    if not found.clean:
        raise typer.Exit(FINDINGS if found.round_the_hook else COULD_NOT_RUN)


@command(dir_group, "migrate", example="studio dir migrate ~/agents/researcher/memory --apply")
def migrate(
    session: Session,
    repo: RepoArgument,
    *,
    apply: Annotated[bool, typer.Option("--apply", help="Do it, in one commit.")] = False,
    message: Annotated[str, typer.Option("--message", metavar="WHY", help="The commit's message.")] = MIGRATION_MESSAGE,
) -> None:
    """Say what moving a directory from the old layout, with system/, would do; with --apply, do it."""
    operator = session.where.operator
    done = tending.migrate_directory(repo, apply=apply, now=datetime.now(UTC), message=message, operator=operator)
    if done.behind is not None:
        note(visible(done.behind))
    if session.json:
        write_json(migration_record(done.migration, done.commit))
    else:
        _tell_migration(done)
    if done.migration.reasons:
        raise typer.Exit(FINDINGS)


def _tell_audit(found: Audit) -> None:
    """A line for each commit and each of its findings, oldest first, and the sum."""
    for commit in found.round_the_hook:
        carried = f" · carries {commit.carried} of before" if commit.carried else ""
        _tell_commit(commit, carried)
    for commit in found.notices:
        _tell_commit(commit, " · approved?")
    many = "1 commit" if found.commits == 1 else f"{found.commits} commits"
    number = len(found.round_the_hook)
    none = "all clean" if found.clean else "none that could be judged went round the hook"
    note(f"{many} judged: {f'{number} went round the hook' if number else none}.")


def _tell_commit(commit: AuditedCommit, more: str) -> None:
    kind = " merge" if commit.parents > 1 else ""
    when = moment_shown(commit.at, seconds=False)
    write_line(f"{commit.commit[:10]}{kind} {when} {visible(str(commit.author))}: {visible(commit.subject)}{more}")
    for one in commit.findings:
        write_line(f"  {one.kind}: {visible(one.message)}")


def _tell_migration(done: Migrated) -> None:
    """What happens to each file, what to look at, and what stands against it."""
    for step in done.migration.steps:
        if step.new is None:
            write_line(f"drop   {visible(step.old or '')}")
        elif step.old is None:
            write_line(f"make   {visible(step.new)}")
        elif step.moves:
            write_line(f"move   {visible(step.old)} → {visible(step.new)}")
        else:
            write_line(f"change {visible(step.new)} (its header)")
    for sentence in (*done.migration.notices, *done.migration.reasons):
        note(visible(sentence))
    if done.commit is not None:
        write_line(f"Migrated in commit {done.commit[:10]}.")
    elif not done.migration.reasons:
        note("Nothing was changed; --apply does it in one commit.")
