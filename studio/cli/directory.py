"""`studio dir init|compile|check|hook`: begin a memory directory, see what it compiles to, and keep to its limits."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from studio.actions.directory import checking
from studio.actions.directory.creating import begin_directory, check_storable
from studio.cli.directory_group import dir_group
from studio.cli.exits import FINDINGS, judging
from studio.cli.inputs import read_text
from studio.cli.output import note, visible, write_json, write_line, write_text
from studio.cli.session import Session, command, noun
from studio.domain.directory.findings import Checked
from studio.domain.directory.hooks import HookState, HookStatus
from studio.errors import BadArgument
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
_SAYS = {
    HookState.INSTALLED: "The hook is installed",
    HookState.OUTDATED: "An older hook of ours is installed, or one of another installation; install it again",
    HookState.DISABLED: "The hook is there but not executable, so git does not run it; install it again",
    HookState.FOREIGN: "Another program's hook is installed",
    HookState.ABSENT: "No hook is installed",
}


@command(dir_group, "compile", example="studio dir compile ~/agents/researcher/memory --base prompt.txt")
def compile_memory(
    session: Session,
    repo: RepoArgument,
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
    compiled = checking.compile_directory(repo, commit, None if base is None else read_text(base))
    if session.json:
        write_json(compiled_record(compiled))
    else:
        write_text(compiled.text.encode())
    if not compiled.has_memory and (why := checking.missing_index(repo, commit)):
        note(visible(why))


@command(dir_group, "check", example="studio dir check ~/agents/researcher/memory --staged")
def check(
    session: Session,
    repo: RepoArgument,
    *,
    staged: Annotated[bool, typer.Option("--staged", help="Check what is staged, as the hook does.")] = False,
    commit: CommitOption = None,
    sarif: SarifOption = False,
) -> None:
    """Say everything that the hook refuses. Exit codes: 0 clean, 1 findings, 2 could not run."""
    with judging(as_json=session.json):
        if staged and commit is not None:
            raise BadArgument("What is staged is no commit; name --staged or --commit.")
        checked = checking.check_directory(repo, staged=staged, commit=commit)
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
    force: Annotated[
        bool, typer.Option("--force", help="Put another program's hook aside, or use a folder of hooks for all.")
    ] = False,
) -> None:
    """Check every commit before it is made. Installing again is no harm, and is what to do when Prompt Studio moved."""
    _answer(session, checking.install_hook(repo, force=force))


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
    begun = begin_directory(repo, now=datetime.now(UTC), prompts=who.prompts, operator=who.operator, hook=not no_hook)
    if agent is not None:
        with session.open() as studio:
            studio.directories.link(str(Path(begun.path).absolute()), agent)
    if begun.behind is not None:
        note(visible(begun.behind))
    if session.json:
        write_json(
            {"path": begun.path, "commit": begun.commit, "files": list(begun.files), "hook": hook_record(begun.hook)}
        )
        return
    write_line(f"Begun in {visible(begun.path)}, commit {begun.commit[:10]}: {', '.join(begun.files)}")
    if begun.hook is not None:
        write_line(_said(begun.hook))


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
        write_line(_said(found))


def _said(found: HookStatus) -> str:
    aside = f"; another program's hook is kept aside as {visible(found.kept)}" if found.kept else ""
    return f"{_SAYS[found.state]}: {visible(found.path)}{aside}"
