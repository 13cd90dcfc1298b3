"""Whose memory directory a verb is about, and what is said beside its answer."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from studio.actions.directory import checking
from studio.actions.studio import Studio
from studio.cli.output import note, visible
from studio.cli.session import Session
from studio.domain.directory.link import Link
from studio.errors import BadArgument

WhoseArgument = Annotated[
    str,
    typer.Argument(
        metavar="REPO|AGENT",
        help="A repository, or an agent whose memory one is. A folder that is there, or a path, is a repository.",
        show_default=False,
    ),
]


def is_repository(whose: str) -> bool:
    """Whether a repository is named, and no agent."""
    return os.sep in whose or Path(whose).is_dir()


def only_one(*, staged: bool, commit: str | None) -> None:
    """Refuse `--staged` beside `--commit`."""
    if staged and commit is not None:
        raise BadArgument("What is staged is no commit; name --staged or --commit.")


@contextmanager
def agents_directory(session: Session, *, staged: bool = False) -> Iterator[Studio]:
    """The store, for a verb on the directory of an agent.

    Args:
        session: what the command was told.
        staged: whether what is staged was asked for, which an agent's prompt never is.

    Raises:
        BadArgument: it was.
    """
    if staged:
        raise BadArgument("What is staged lies in a repository; name that instead of the agent, or leave --staged out.")
    with session.open() as studio:
        yield studio


def missing_index(studio: Studio, agent: str, commit: str | None = None) -> str | None:
    """Why a commit of an agent's directory compiles to no `<memory>` and how to mend that; None where it has its root index."""
    return checking.missing_index_among(studio.directories.findings(agent, commit))


def note_missing_index(why: str | None) -> None:
    """Say beside an answer that nothing compiles, where that is so, as of a directory of the old layout."""
    if why is not None:
        note(visible(why))


def link_noting(studio: Studio, repository: str, agent: str, agent_authors: tuple[str, ...] = ()) -> Link:
    """Link a repository, and say beside it whose memory it is too, and whether nothing of it compiles."""
    made = studio.directories.link(repository, agent, agent_authors=agent_authors)
    real = os.path.realpath(made.path)
    others = [
        one for one in studio.directories.links() if one.agent != made.agent and os.path.realpath(one.path) == real
    ]
    if others:
        names = ", ".join(visible(studio.get_agent(one.agent).name) for one in others)
        note(f"It is the memory of {names} too: all of them read and edit the same files.")
    note_missing_index(missing_index(studio, made.agent))
    return made
