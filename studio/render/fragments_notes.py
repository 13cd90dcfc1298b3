"""The Notes place: the list of notes and collections, and what stands above an opened note."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from studio.domain.authors import Author
from studio.domain.collections import Access, Collection
from studio.domain.notes import Note, NoteFacts, NoteHit
from studio.domain.places import parse_place
from studio.render.fragments_agents import Href
from studio.render.fragments_head import button, who
from studio.render.icons import icon
from studio.render.tags import Html, joined, tag
from studio.render.times import time

MOST_LISTED_NOTES = 200
"""How many notes of one level are listed; a search finds the others."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """The notes of one level, or those that a search found there."""

    label: str
    """Whose they are, for a person."""
    notes: tuple[NoteFacts | NoteHit, ...]
    """The notes; hits of a search bring the line they were found by."""
    more: int = 0
    """How many more there are than are listed."""


def notes_search(words: str) -> Html:
    """Where notes are searched, and where a new one begins."""
    field = tag(
        "input",
        type="search",
        name="words",
        value=words,
        placeholder="Find in notes",
        aria_label="Find in the titles and texts of notes",
        autocomplete="off",
        data_do="words",
        data_key="words",
    )
    return tag("div", field, button("New note", "new", quiet=True), class_="notes-search")


def note_list(
    shelves: Sequence[Shelf],
    tables: Sequence[tuple[Collection, Access | None]],
    *,
    words: str,
    chosen: str | None,
    now: datetime,
    href: Href,
) -> Html:
    """Notes by level, then collections.

    Args:
        shelves: the levels that have notes.
        tables: the collections, each with what the open agent may do with it.
        words: what was searched for.
        chosen: path of the note or collection that is open.
        now: the time, for relative times.
        href: makes addresses.
    """
    groups = [_shelf(one, chosen=chosen, now=now, href=href) for one in shelves]
    if words and not groups:
        clear = button("Show all notes", "words", quiet=True)
        groups.append(tag("div", tag("p", f"No note holds all the words of “{words}”."), clear, class_="nothing"))
    if tables:
        rows = [tag("li", _table(one, access, current=one.path == chosen, href=href)) for one, access in tables]
        groups.append(joined(tag("h2", "Collections"), tag("ul", *rows)))
    return tag("div", *groups, class_="shelves", data_reveal=True, data_scroll="shelves")


def _shelf(shelf: Shelf, *, chosen: str | None, now: datetime, href: Href) -> Html:
    items = [tag("li", _note(one, chosen=chosen, now=now, href=href)) for one in shelf.notes]
    rest = tag("p", f"{shelf.more:,} more; search to find them.", class_="by") if shelf.more else None
    return joined(tag("h2", shelf.label), tag("ul", *items), rest)


def _note(found: NoteFacts | NoteHit, *, chosen: str | None, now: datetime, href: Href) -> Html:
    facts = found.facts if isinstance(found, NoteHit) else found
    line = found.line if isinstance(found, NoteHit) else ""
    size = f"{facts.characters:,} characters"
    return tag(
        "a",
        tag("span", icon("note"), tag("span", facts.title, class_="name"), class_="line"),
        tag("span", parse_place(facts.path).name, class_="path"),
        tag("span", line, class_="found") if line else None,
        tag("span", size, " · ", who(facts.updated_by), " ", time(facts.updated_at, now), class_="when"),
        href=href(note=facts.path),
        aria_current="true" if facts.path == chosen else None,
        data_do="note",
        data_value=facts.path,
        data_key=f"note-{facts.path}",
    )


def _table(table: Collection, access: Access | None, *, current: bool, href: Href) -> Html:
    granted = {Access.WRITE: "reads and writes", Access.READ: "reads", None: "no grant"}[access]
    return tag(
        "a",
        tag(
            "span",
            icon("table"),
            tag("span", table.name, class_="name"),
            tag("span", granted, class_="badge"),
            class_="line",
        ),
        tag("span", table.purpose, class_="path") if table.purpose else None,
        href=href(note=table.path),
        aria_current="true" if current else None,
        data_do="note",
        data_value=table.path,
        data_key=f"note-{table.path}",
    )


def note_bar(note: Note, embedded: Sequence[str], *, shown: str, now: datetime, href: Href) -> Html:
    """The bar above an opened note.

    Args:
        note: the note.
        embedded: the names of the agents whose live Task embeds it.
        shown: `rendered` or `raw`.
        now: the time, for relative times.
        href: makes addresses.
    """
    facts = note.facts
    actions = [
        button("Delete", "delete", quiet=True),
        button("Move", "move", quiet=True),
        button("Edit", "edit"),
    ]
    return tag(
        "div",
        tag(
            "div",
            tag("div", tag("h2", facts.title), _by(facts.updated_by, facts.updated_at, now)),
            tag("div", *actions, class_="actions"),
            class_="top",
        ),
        tag(
            "dl",
            _fact("Path", tag("code", facts.path)),
            _fact("Level", str(facts.level)),
            _fact("Size", f"{facts.characters:,} characters"),
            _fact("Embedded by the live Task of", _agents(embedded, href)),
            class_="facts",
        ),
        tag("div", shown_switch(shown, href), button("Copy embed", "copy-embed", quiet=True), class_="ways"),
        class_="opened",
    )


def _by(author: Author, at: datetime, now: datetime) -> Html:
    return tag("p", who(author), " ", time(at, now), class_="by")


def _fact(name: str, words: str | Html) -> Html:
    return tag("div", tag("dt", name), tag("dd", words))


def _agents(names: Sequence[str], href: Href) -> Html | str:
    if not names:
        return "no agent"
    links = [
        tag("a", name, href=href(agent=name, place="prompt"), data_do="embedding", data_value=name) for name in names
    ]
    return joined(*[joined(", " if number else "", link) for number, link in enumerate(links)])


def shown_switch(shown: str, href: Href) -> Html:
    """Rendered or as written."""
    links = [
        tag(
            "a",
            label,
            href=href(shown=value),
            aria_current="true" if value == shown else None,
            data_do="shown",
            data_value=value,
            data_key=f"shown-{value}",
        )
        for value, label in (("rendered", "Rendered"), ("raw", "Raw"))
    ]
    return tag("div", *links, class_="switch", role="group", aria_label="As")
