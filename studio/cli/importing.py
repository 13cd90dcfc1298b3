"""`studio import`: bring a history of one's own."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from studio.actions.imports import read_history
from studio.actions.open import is_demo
from studio.actions.studio import Studio
from studio.cli.output import note, visible, write_json, write_line, write_table
from studio.cli.progress import progress_bar
from studio.cli.session import Session, command, noun
from studio.domain.attribution import PERSON
from studio.domain.history import Imported, found_authors
from studio.errors import NoStore
from studio.render.wire import imported_record
from studio.render.wire_history import found_record

app = noun("Bring a history of your own.")

AgentOption = Annotated[
    str | None,
    typer.Option(
        "--agent", metavar="NAME", help="The new agent's name, or an agent made from this history.", show_default=False
    ),
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Only list the authors found, with the evidence; write nothing.")
]
AgentAuthorOption = Annotated[
    list[str] | None,
    typer.Option(
        "--agent-author",
        metavar="GLOB",
        help="Authors whose name or address fits are agents; may be given several times.",
        show_default=False,
    ),
]
PersonAuthorOption = Annotated[
    list[str] | None,
    typer.Option(
        "--person-author",
        metavar="GLOB",
        help="Authors whose name or address fits are persons, whatever says that they are agents.",
        show_default=False,
    ),
]


def rule_of(agents: list[str] | None, persons: list[str] | None) -> tuple[str, ...] | None:
    """The operator's rule as the store keeps it; None where none was given."""
    return (*(agents or ()), *(PERSON + glob for glob in persons or ())) or None


ReplaceOption = Annotated[
    bool,
    typer.Option("--replace", help="Where this is more of its history than the agent holds, start its numbers anew."),
]


@command(app, "history", example="studio import history beads.jsonl --agent beads", begins=True)
def import_history(
    session: Session,
    *,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file of JSON lines, one version a line.", show_default=False)
    ],
    agent: AgentOption = None,
    agent_author: AgentAuthorOption = None,
    person_author: PersonAuthorOption = None,
    replace: ReplaceOption = False,
    dry_run: DryRunOption = False,
) -> None:
    """Import a history in JSON Lines form. It becomes an agent's memory; importing it again adds what is new."""
    rule = rule_of(agent_author, person_author)
    if dry_run:
        _preview(session, file, None, agent, rule)
        return
    who = _needed(agent)
    with session.open() as studio, progress_bar("Reading versions"):
        _say_if_demo(studio)
        imported = studio.import_history_file(file, who, agent_authors=rule, replace=replace)
    _answer(session, imported)


@command(app, "git", example='studio import git . --path CLAUDE.md --agent claude --agent-author "*[bot]"', begins=True)
def import_git(
    session: Session,
    *,
    repository: Annotated[Path, typer.Argument(metavar="REPO", help="A git repository.", show_default=False)],
    path: Annotated[str, typer.Option("--path", metavar="FILE", help="The file in it.", show_default=False)],
    agent: AgentOption = None,
    agent_author: AgentAuthorOption = None,
    person_author: PersonAuthorOption = None,
    full_history: Annotated[
        bool, typer.Option("--full-history", help="Take what every branch made of the file, also what merges left out.")
    ] = False,
    replace: ReplaceOption = False,
    dry_run: DryRunOption = False,
) -> None:
    """Import the history of a file in git. It becomes an agent's memory; importing it again adds what is new."""
    rule = rule_of(agent_author, person_author)
    if dry_run:
        _preview(session, repository, path, agent, rule, full=full_history)
        return
    who = _needed(agent)
    with session.open() as studio, progress_bar("Reading versions") as progress:
        _say_if_demo(studio)
        imported = studio.import_git(
            repository,
            path,
            who,
            agent_authors=rule,
            full_history=full_history,
            replace=replace,
            progress=progress.update if progress else None,
        )
    _answer(session, imported)


def _say_if_demo(studio: Studio) -> None:
    """Say where the history goes, when that is the demo's store because STUDIO_DB still names it."""
    if is_demo(studio):
        note(
            "This goes into the demo's store, which STUDIO_DB or --db names; without either it goes into one of your own."
        )


def _needed(agent: str | None) -> str:
    """The agent that an import needs, and a dry run does not."""
    if agent is None:
        raise typer.BadParameter("name the new agent, or one made from this history", param_hint="'--agent'")
    return agent


def _preview(
    session: Session,
    source: Path,
    path: str | None,
    agent: str | None,
    rule: tuple[str, ...] | None,
    *,
    full: bool = False,
) -> None:
    """List the authors that an import would find; a store is only asked how the agent was imported, and never made."""
    if agent is not None:
        with suppress(NoStore), replace(session, begins=False).open() as studio:
            rule = studio.agent_authors(agent) if rule is None else rule
            full = full or studio.has_full_history(agent)
    with progress_bar("Reading versions") as progress:
        history = read_history(
            source, path, rule or (), full_history=full, progress=progress.update if progress else None
        )
    if session.json:
        write_json(found_record(history))
        return
    rows = [
        (visible(str(found.author)), str(reason.versions), visible(reason.evidence or "nothing speaks for an agent"))
        for found in found_authors(history.rows)
        for reason in found.reasons
    ]
    write_table(("AUTHOR", "VERSIONS", "EVIDENCE"), rows)
    for warning in history.warnings:
        note(visible(warning))
    note(f"{_versions(len(history.rows))}; nothing was written.")


def _answer(session: Session, imported: Imported) -> None:
    """What an import did."""
    if session.json:
        write_json(imported_record(imported))
        return
    new = f"{imported.added} new" if imported.added else "nothing new"
    write_line(
        f"Imported {_versions(imported.versions)} into {visible(imported.agent.name)} ({imported.agent.id}); {new}."
    )
    for warning in imported.warnings:
        note(visible(warning))


def _versions(number: int) -> str:
    return "1 version" if number == 1 else f"{number} versions"
