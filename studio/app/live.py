"""What a page shows of the store, as a value: another value means that somebody wrote something that the page should show.

The store counts its commits, so a page on which nothing happens asks for one number a second. Only when that grew does it look, beside
the event loop, and only at what it shows.
"""

import re
from dataclasses import dataclass

from studio.actions.studio import Studio
from studio.app.agents_view import PAGE_AGENTS
from studio.app.notes_view import MOST_FOUND_NOTES, owners_of
from studio.app.runs_view import PAGE_RUNS
from studio.app.selection import Place, Selection, Source
from studio.domain.agents import Agent, Layout
from studio.domain.compose import REGISTERED_FLAGS
from studio.domain.run_kinds import RunKind
from studio.errors import SignedOut, StudioError
from studio.render.fragments_notes import MOST_LISTED_NOTES

LOOK_EVERY_MS = 1_000
"""How often an open page asks for the number of commits."""
_CLOCK = re.compile(r'"utc_(?:now|date)": "[^"]*"')
"""What of a preview changes with the clock alone."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page shows, as far as it decides what is to be looked at."""

    agent: str | None
    """Id of the open agent."""
    place: Place
    """Its open place."""
    run: str | None
    """The run that was opened; None is the newest."""
    note: str | None
    """The note or collection that was opened."""
    words: str
    """What notes are searched by."""
    kind: RunKind
    """The kind of run that is previewed."""
    flags: str
    """What the preview takes to be registered."""
    source: Source
    """Which Task is previewed."""

    @classmethod
    def of(cls, selection: Selection) -> "Shown":
        """As the selection says now."""
        return cls(
            selection.agent,
            Place(selection.place),
            selection.run,
            selection.note,
            selection.words,
            RunKind(selection.kind),
            selection.flags,
            Source(selection.source),
        )


def look(studio: Studio, shown: Shown) -> object:
    """What the store holds of all that is shown of the open agent; only good for being compared.

    Raises:
        SignedOut: whoever looks may no longer come in.
    """
    if shown.agent is None:
        return studio.count_agents()
    try:
        agent = studio.get_agent(shown.agent)
        head = (
            agent,
            studio.list_memory_versions(agent.id, limit=1),
            studio.list_task_versions(agent.id, limit=1),
            studio.get_task_draft(agent.id),
            studio.list_broken_links(agent.id),
        )
        return (*head, _look_at_place(studio, shown, agent))
    except SignedOut:
        raise
    except StudioError as error:
        return str(error)


def look_at_agents(studio: Studio, find: str, page: int) -> object:
    """What the store holds of the list at the left."""
    offset = (page - 1) * PAGE_AGENTS
    return studio.list_agents(find, limit=PAGE_AGENTS, offset=offset), studio.count_agents(find)


def _look_at_place(studio: Studio, shown: Shown, agent: Agent) -> object:
    match shown.place:
        case Place.PROMPT:
            return _look_at_task(studio, agent)
        case Place.PREVIEW:
            return _look_at_preview(studio, shown, agent)
        case Place.RUNS:
            return _look_at_runs(studio, shown, agent)
        case Place.NOTES:
            return _look_at_notes(studio, shown, agent)
        case Place.DIRECTORY:
            return _look_at_directory(studio, agent)
        case _:
            return studio.list_memory_versions(agent.id)


def _look_at_task(studio: Studio, agent: Agent) -> object:
    draft = studio.get_task_draft(agent.id)
    text = draft.text if draft else studio.get_task_version(agent.id).body.text or ""
    return studio.list_task_versions(agent.id), studio.expand_task(text).ledger


def _look_at_preview(studio: Studio, shown: Shown, agent: Agent) -> object:
    draft = studio.get_task_draft(agent.id) if shown.source is Source.DRAFT else None
    named = shown.flags.split(",")
    registered = frozenset(flag for flag in REGISTERED_FLAGS if flag in named)
    prompt = studio.preview(agent.id, kind=shown.kind, registered=registered, task=draft.text if draft else None)
    return _CLOCK.sub("", prompt.text), prompt.made_of


def _look_at_runs(studio: Studio, shown: Shown, agent: Agent) -> object:
    newest = studio.list_runs(agent.id, limit=PAGE_RUNS)
    named = dict.fromkeys([*(run.id for run in newest), *([shown.run] if shown.run else [])])
    opened = studio.get_run(shown.run) if shown.run else None
    return studio.count_runs(agent.id), newest, studio.outline_runs(list(named)), opened and (opened[0], len(opened[1]))


def _look_at_notes(studio: Studio, shown: Shown, agent: Agent) -> object:
    notes = studio.notes
    listed = [
        (notes.list(level=one.level, owner=one.id, limit=MOST_LISTED_NOTES), notes.count(one.level, one.id))
        for one in owners_of(agent)
    ]
    found = notes.find(shown.words, limit=MOST_FOUND_NOTES) if shown.words else None
    tables = studio.collections.list(), studio.collections.list(as_agent=agent.id)
    return found or listed, tables, _look_at_note(studio, shown.note)


def _look_at_directory(studio: Studio, agent: Agent) -> object:
    if agent.layout is not Layout.DIRECTORY:
        return None
    surveyed = studio.directories.survey(agent.id)
    return surveyed.link, surveyed.head, surveyed.warnings


def _look_at_note(studio: Studio, path: str | None) -> object:
    if path is None:
        return None
    try:
        if "/collections/" in path:
            return studio.collections.records(path)
        note = studio.notes.get(path)
        return note.facts, note.title_field, studio.notes.embedded_in(path)
    except StudioError as error:
        return str(error)
