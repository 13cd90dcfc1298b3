"""`studio dir lint|shrink`, `studio memory lint` and `studio task lint`: what the writing rules advise."""

from collections.abc import Sequence
from typing import Annotated

import typer

from studio.actions.directory import checking, linting
from studio.cli import memory, task
from studio.cli.directory import CommitOption, SarifOption
from studio.cli.directory_group import dir_group
from studio.cli.directory_whose import (
    WhoseArgument,
    agents_directory,
    is_repository,
    missing_index,
    note_missing_index,
    only_one,
)
from studio.cli.exits import FINDINGS, judging
from studio.cli.output import note, visible, write_json, write_line, write_table
from studio.cli.session import AgentArgument, Session, command
from studio.domain.directory.findings import Finding
from studio.domain.directory.limits import CORE
from studio.domain.directory.lint.rules import RULES
from studio.domain.directory.proposal import SAYS, Candidate, Proposal, Step
from studio.domain.directory.shrink import as_findings
from studio.errors import BadArgument, NoDraft
from studio.render.sarif import sarif_log
from studio.render.wire_lint import lint_record, proposal_record, rules_record

OffOption = Annotated[
    list[str] | None,
    typer.Option(
        "--off",
        metavar="RULE",
        help="A rule to leave out, beside those of STUDIO_LINT_OFF; may be repeated.",
        show_default=False,
    ),
]
StagedOption = Annotated[bool, typer.Option("--staged", help="Look at what is staged.")]


@command(dir_group, "lint", example="studio dir lint ~/agents/researcher/memory --off rederivable")
def lint(
    session: Session,
    whose: Annotated[
        str | None,
        typer.Argument(metavar="REPO|AGENT", help="A repository, or an agent whose memory one is.", show_default=False),
    ] = None,
    *,
    staged: StagedOption = False,
    commit: CommitOption = None,
    off: OffOption = None,
    rules: Annotated[
        bool, typer.Option("--rules", help="List all rules with their reasons, and look at nothing.")
    ] = False,
    sarif: SarifOption = False,
) -> None:
    """Say what the writing rules advise. Exit codes: 0 clean, 1 findings, 2 could not run."""
    if rules:
        _tell_rules(session)
        return
    with judging(as_json=session.json):
        if whose is None:
            raise BadArgument("Name the repository of the directory or its agent, or --rules.")
        only_one(staged=staged, commit=commit)
        if is_repository(whose):
            found = linting.lint_directory(whose, staged=staged, commit=commit, off=off or ())
        else:
            with agents_directory(session, staged=staged) as studio:
                found = studio.directories.lint(whose, commit, off=tuple(off or ()))
    _answer(session, found, sarif=sarif)


@command(dir_group, "shrink", example="studio dir shrink ~/agents/researcher/memory")
def shrink(
    session: Session,
    whose: WhoseArgument,
    *,
    staged: StagedOption = False,
    commit: CommitOption = None,
    sarif: SarifOption = False,
) -> None:
    """Propose what to delete, move out of the core and turn into skills, with the characters each would free."""
    with judging(as_json=session.json):
        only_one(staged=staged, commit=commit)
        if is_repository(whose):
            proposal = linting.shrink_directory(whose, staged=staged, commit=commit)
            why = None if staged else checking.missing_index(whose, commit)
        else:
            with agents_directory(session, staged=staged) as studio:
                proposal = studio.directories.shrink(whose, commit)
                why = missing_index(studio, whose, commit)
    if sarif:
        write_json(sarif_log(as_findings(proposal)))
    elif session.json:
        write_json(proposal_record(proposal))
    else:
        _tell_proposal(proposal)
    note_missing_index(why)


@command(memory.app, "lint", example="studio memory lint scout")
def lint_memory(session: Session, agent: AgentArgument, *, off: OffOption = None, sarif: SarifOption = False) -> None:
    """Say what the writing rules advise on the live memory. Exit codes: 0 clean, 1 findings, 2 could not run."""
    with judging(as_json=session.json), session.open() as studio:
        found = studio.lint_memory(agent, off=tuple(off or ()))
    _answer(session, found, sarif=sarif)


@command(task.app, "lint", example="studio task lint scout --draft")
def lint_task(
    session: Session,
    agent: AgentArgument,
    *,
    draft: Annotated[bool, typer.Option("--draft", help="The draft that waits.")] = False,
    off: OffOption = None,
    sarif: SarifOption = False,
) -> None:
    """Say what the writing rules advise on the live Task. Exit codes: 0 clean, 1 findings, 2 could not run."""
    with judging(as_json=session.json), session.open() as studio:
        waiting = studio.get_task_draft(agent) if draft else None
        if draft and waiting is None:
            raise NoDraft(studio.get_agent(agent).name)
        found = studio.lint_task(agent, waiting.text if waiting else None, off=tuple(off or ()))
    _answer(session, found, sarif=sarif)


def _answer(session: Session, found: Sequence[Finding], *, sarif: bool) -> None:
    """Write the findings in the form asked for, and end with 1 where there are some."""
    if sarif:
        write_json(sarif_log(found))
    elif session.json:
        write_json(lint_record(found))
    else:
        _tell(found)
    if found:
        raise typer.Exit(FINDINGS)


def _tell(found: Sequence[Finding]) -> None:
    """A line for each finding and one for its suggestion, and how many there are beside them."""
    for one in found:
        place = one.path if one.line is None else f"{one.path}:{one.line}"
        write_line(f"{visible(place)}: {one.severity.value}: {one.kind}: {visible(one.message)}")
        if one.suggestion:
            write_line(f"    {visible(one.suggestion)}")
    note(
        "Clean."
        if not found
        else f"{len(found)} finding{'s' if len(found) > 1 else ''}; 'studio dir lint --rules' says why each is a rule."
    )


def _tell_rules(session: Session) -> None:
    if session.json:
        write_json(rules_record(RULES.values()))
        return
    for rule in RULES.values():
        write_line(f"{rule.kind} ({rule.severity.value}): {rule.title}")
        write_line(f"    {rule.reason}")


def _tell_proposal(proposal: Proposal) -> None:
    """The limits that are near, then each step with its candidates."""
    for gauge in proposal.near:
        what = "All root files together" if gauge.path == CORE else gauge.path
        write_line(
            f"{visible(what)}: {gauge.used:,} of {gauge.limit:,} characters ({visible(gauge.rule)}), {gauge.share:.0%}"
        )
    if not proposal.needed:
        note("No limit is near; this is what could go all the same.")
    for number, step in enumerate(Step, 1):
        found = proposal.of(step)
        write_line(f"{number}. {SAYS[step]}")
        if found:
            write_table(("frees", "where", "begins", "why"), [_row(one) for one in found])
        else:
            write_line("   nothing found")
    over = f"; {proposal.excess:,} are over four fifths of the limit" if proposal.excess else ""
    note(f"All of it would free {proposal.frees():,} characters{over}.")


def _row(one: Candidate) -> tuple[str, str, str, str]:
    lines = f"{one.line}" if one.line == one.end_line else f"{one.line}-{one.end_line}"
    return f"{one.frees:,}", f"{one.path}:{lines}", one.words, one.reason
