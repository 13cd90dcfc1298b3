"""`studio dir init|compile|check|hook`: begin a memory directory, see what it compiles to, and keep to its limits."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from studio.actions.directory import checking
from studio.actions.directory.creating import begin_directory, check_storable
from studio.cli.directory_group import dir_group
from studio.cli.directory_hooks import HooksConfirmed, confirmed, hook_said, tell_begun
from studio.cli.directory_whose import (
    WhoseArgument,
    agents_directory,
    is_repository,
    link_noting,
    missing_index,
    note_missing_index,
    only_one,
)
from studio.cli.exits import FINDINGS, judging
from studio.cli.inputs import read_text
from studio.cli.output import note, visible, write_json, write_line, write_text
from studio.cli.session import Session, command, noun
from studio.domain.directory.findings import Checked
from studio.domain.directory.hooks import OUTSIDE, HookStatus
from studio.render.sarif import sarif_log
from studio.render.wire_directory import checked_record, compiled_record, hook_record

app = dir_group
hook_group = noun("The pre-commit hook that keeps a memory directory to its limits.")
dir_group.add_typer(hook_group, name="hook")

RepoArgument = Annotated[
    str, typer.Argument(metavar="REPO", help="The repository of the directory.", show_default=False)
]
CommitOption = Annotated[
    str | None,
    typer.Option("--commit", metavar="C", help="A commit, by any name git knows; else HEAD.", show_default=False),
]
SarifOption = Annotated[bool, typer.Option("--sarif", help="Answer in SARIF 2.1.0, for editors and CI.")]


@command(dir_group, "compile", example="studio dir compile ~/agents/researcher/memory --base prompt.txt")
def compile_memory(
    session: Session,
    whose: WhoseArgument,
    *,
    commit: CommitOption = None,
    base: Annotated[
        str | None,
        typer.Option(
            "--base",
            metavar="FILE",
            help="A base prompt; {CORE_MEMORY} in it marks the place, else its end.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Print what the model reads of a directory, and nothing else. Only what is committed compiles."""
    around = None if base is None else read_text(base)
    if is_repository(whose):
        compiled = checking.compile_directory(whose, commit, around)
        why = None if compiled.has_memory else checking.missing_index(whose, commit)
    else:
        with agents_directory(session) as studio:
            compiled = studio.directories.compile(whose, commit, around)
            why = None if compiled.has_memory else missing_index(studio, whose, commit)
    if session.json:
        write_json(compiled_record(compiled))
    else:
        write_text(compiled.text.encode())
    note_missing_index(why)


@command(dir_group, "check", example="studio dir check ~/agents/researcher/memory --staged")
def check(
    session: Session,
    whose: WhoseArgument,
    *,
    staged: Annotated[bool, typer.Option("--staged", help="Check what is staged, as the hook does.")] = False,
    commit: CommitOption = None,
    sarif: SarifOption = False,
) -> None:
    """Say everything that the hook refuses. Exit codes: 0 clean, 1 findings, 2 could not run.

    --staged also judges what a commit would change. A commit is judged by what it holds: that it changed a read-only file or the config
    is said by 'studio dir audit'.
    """
    with judging(as_json=session.json):
        only_one(staged=staged, commit=commit)
        if is_repository(whose):
            checked = checking.check_directory(whose, staged=staged, commit=commit)
        else:
            with agents_directory(session, staged=staged) as studio:
                checked = Checked(studio.directories.findings(whose, commit))
    if sarif:
        write_json(sarif_log(checked.findings))
    elif session.json:
        write_json(checked_record(checked))
    else:
        _tell(checked)
    if not checked.clean:
        raise typer.Exit(FINDINGS)


@command(hook_group, "install", example="studio dir hook install ~/agents/researcher/memory")
def install(
    session: Session,
    repo: RepoArgument,
    *,
    force: Annotated[bool, typer.Option("--force", help="Put another program's hook aside.")] = False,
    yes_to: HooksConfirmed = None,
) -> None:
    """Check every commit and clean merge before it is made. Installing again is no harm, and is what to do when Prompt Studio moved."""
    _answer(session, checking.install_hook(repo, force=force, yes_to=confirmed(yes_to)))


@command(hook_group, "uninstall", example="studio dir hook uninstall ~/agents/researcher/memory")
def uninstall(session: Session, repo: RepoArgument) -> None:
    """Take the hook away, and put back the one that was put aside for it."""
    _answer(session, checking.uninstall_hook(repo))


@command(hook_group, "status", example="studio dir hook status ~/agents/researcher/memory")
def status(session: Session, repo: RepoArgument) -> None:
    """Say which hook is installed, and where."""
    _answer(session, checking.hook_status(repo))


@command(dir_group, "init", example="studio dir init ~/agents/researcher/memory")
def init(
    session: Session,
    repo: Annotated[
        str, typer.Argument(metavar="REPO", help="The folder; made where it is not there.", show_default=False)
    ],
    *,
    no_hook: Annotated[bool, typer.Option("--no-hook", help="Leave the hook out.")] = False,
    yes_to: HooksConfirmed = None,
    agent: Annotated[
        str | None,
        typer.Option("--agent", metavar="AGENT", help="Whose memory it is to be.", show_default=False),
    ] = None,
) -> None:
    """Begin a memory directory: a repository with a first commit of the template's files."""
    who = session.where
    if agent is not None:
        check_storable(repo)
        with session.open() as studio:
            studio.get_agent(agent)
    begun = begin_directory(
        repo,
        now=datetime.now(UTC),
        prompts=who.prompts,
        operator=who.operator,
        hook=not no_hook,
        hooks_outside=OUTSIDE in confirmed(yes_to),
    )
    if agent is not None:
        with session.open() as studio:
            link_noting(studio, str(Path(begun.path).absolute()), agent)
    if session.json:
        hook = hook_record(begun.hook)
        write_json({"path": begun.path, "commit": begun.commit, "files": list(begun.files), "hook": hook})
    tell_begun(begun, as_json=session.json)


def _tell(checked: Checked) -> None:
    """One line for each finding, and how many there are beside them."""
    for one in checked.findings:
        older = " (may be older than what is staged)" if one in checked.older else ""
        write_line(f"{one.kind}: {visible(one.message)}{older}")
    number = len(checked.findings)
    note("Clean." if checked.clean else f"{number} finding{'s' if number > 1 else ''}.")


def _answer(session: Session, found: HookStatus) -> None:
    if session.json:
        write_json(hook_record(found))
    else:
        write_line(hook_said(found))
