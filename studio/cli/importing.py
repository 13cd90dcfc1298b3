"""`studio import`: bring a history of one's own."""

from pathlib import Path
from typing import Annotated

import typer

from studio.actions.open import is_demo
from studio.actions.studio import Studio
from studio.cli.output import note, visible, write_json, write_line
from studio.cli.progress import progress_bar
from studio.cli.session import Session, command, noun
from studio.domain.history import Imported
from studio.render.wire import imported_record

app = noun("Bring a history of your own.")

AgentOption = Annotated[
    str,
    typer.Option(
        "--agent", metavar="NAME", help="The new agent's name, or an agent made from this history.", show_default=False
    ),
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
    agent: AgentOption,
    agent_author: AgentAuthorOption = None,
    replace: ReplaceOption = False,
) -> None:
    """Import a history in JSON Lines form. It becomes an agent's memory; importing it again adds what is new."""
    with session.open() as studio, progress_bar("Reading versions"):
        _say_if_demo(studio)
        rule = tuple(agent_author) if agent_author else None
        imported = studio.import_history_file(file, agent, agent_authors=rule, replace=replace)
    _answer(session, imported)


@command(app, "git", example='studio import git . --path CLAUDE.md --agent claude --agent-author "*[bot]"', begins=True)
def import_git(
    session: Session,
    *,
    repository: Annotated[Path, typer.Argument(metavar="REPO", help="A git repository.", show_default=False)],
    path: Annotated[str, typer.Option("--path", metavar="FILE", help="The file in it.", show_default=False)],
    agent: AgentOption,
    agent_author: AgentAuthorOption = None,
    full_history: Annotated[
        bool, typer.Option("--full-history", help="Take what every branch made of the file, also what merges left out.")
    ] = False,
    replace: ReplaceOption = False,
) -> None:
    """Import the history of a file in git. It becomes an agent's memory; importing it again adds what is new."""
    with session.open() as studio, progress_bar("Reading versions") as progress:
        _say_if_demo(studio)
        imported = studio.import_git(
            repository,
            path,
            agent,
            agent_authors=tuple(agent_author) if agent_author else None,
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
