"""What becomes of a Task's embeds: the ledger under the editor and in the preview, broken links, and what can be embedded."""

from collections.abc import Sequence

from studio.domain.collections import Collection
from studio.domain.embeds import EMBED_BUDGET_BYTES, EmbedEntry, EmbedState
from studio.domain.notes import NoteFacts, NoteHit
from studio.domain.places import PlaceKind
from studio.render.fragments_agents import Href, left_out
from studio.render.icons import icon
from studio.render.tags import Html, joined, tag

_STATES = {
    EmbedState.INLINED: ("inlined", "badge accent"),
    EmbedState.REPEATED: ("repeated", "badge"),
    EmbedState.TABLE: ("table", "badge accent"),
    EmbedState.TEXT: ("text at hop 3", "badge"),
    EmbedState.OVER_BUDGET: ("over budget", "badge warm"),
    EmbedState.BROKEN: ("broken", "badge strong"),
}


def ledger(entries: Sequence[EmbedEntry], used: int, href: Href, *, empty: str | None = None) -> Html | None:
    """Every embed in reading order with what becomes of it, and how much of the budget they take.

    Args:
        entries: the ledger (decision 23).
        used: bytes used of the budget.
        href: makes addresses.
        empty: what to say where nothing is embedded; None shows nothing then.
    """
    if not entries:
        return tag("p", empty, class_="by embeds-none") if empty else None
    share = min(used / EMBED_BUDGET_BYTES, 1) * 100
    meter = tag(
        "span",
        tag("span", tag("span", class_="fill", style=f"width:{share:.1f}%"), class_="track"),
        tag("span", f"{used:,} of {EMBED_BUDGET_BYTES:,} bytes", class_="size"),
        class_=f"meter {'near' if share >= 90 else 'fine'}",  # noqa: PLR2004 - as for a memory's cap
    )
    headings = [tag("th", words, scope="col") for words in ("Embed", "What becomes of it", "Hop", "Bytes")]
    table = tag(
        "table",
        tag("caption", "Embeds in reading order", class_="unseen"),
        tag("thead", tag("tr", *headings)),
        tag("tbody", *[_entry(one, href) for one in entries]),
    )
    heading = f"{len(entries):,} embed{'' if len(entries) == 1 else 's'}"
    return tag("section", tag("h3", heading, meter), table, class_="embeds", aria_label="Embeds")


def _entry(entry: EmbedEntry, href: Href) -> Html:
    words, look = _STATES[entry.state]
    within = tag("span", f"in {entry.within}", class_="by") if entry.within else None
    title = tag("span", entry.shown, class_="by") if entry.shown else None
    return tag(
        "tr",
        tag("td", _path(entry, href), title, within),
        tag("td", tag("span", words, class_=look), tag("span", entry.reason, class_="by") if entry.reason else None),
        tag("td", entry.hop),
        tag("td", f"{entry.bytes:,}" if entry.bytes else "–"),
        class_=str(entry.state),
    )


def _path(entry: EmbedEntry, href: Href) -> Html:
    """What the embed names; a note or a collection that is there is a link to it."""
    if entry.path is None:
        return tag("code", entry.written)
    address = href(place="notes", note=entry.path)
    return tag("a", tag("code", entry.written), href=address, data_do="open-note", data_value=entry.path)


def broken_links(entries: Sequence[EmbedEntry]) -> Html | None:
    """What of a live Task's embeds is broken or over the budget, each with its reason; None where there is none."""
    if not entries:
        return None
    broken = sum(one.state is EmbedState.BROKEN for one in entries)
    return tag(
        "details",
        tag("summary", *left_out(broken, len(entries) - broken), " in the live Task"),
        tag("ul", *[tag("li", broken_link(one)) for one in entries]),
        class_="broken-links",
        data_key="broken-links",
    )


def broken_link(entry: EmbedEntry) -> Html:
    """One broken link with the reason, and where it stands."""
    within = f" It stands in the note {entry.within}." if entry.within else ""
    return joined(tag("code", f"![[{entry.written}]]"), f" {entry.reason}{within}")


def insert_search(what: PlaceKind) -> Html:
    """Where what to insert is searched for."""
    label = "Find a note to insert" if what is PlaceKind.NOTE else "Find a table to insert"
    field = tag(
        "input",
        type="search",
        name="insert",
        value="",
        placeholder=label,
        aria_label=label,
        autocomplete="off",
        data_do="find-insert",
        data_key="insert",
        data_focus=True,
    )
    close = tag(
        "button",
        icon("close"),
        type="button",
        class_="quiet",
        aria_label="Close",
        data_do="close-insert",
        data_escape=True,
    )
    return tag("div", field, close, class_="insert-search")


def insert_list(found: Sequence[NoteFacts | NoteHit | Collection], what: PlaceKind, words: str) -> Html:
    """What can be inserted; choosing one puts its embed where the caret stands."""
    if not found:
        thing = "note" if what is PlaceKind.NOTE else "collection"
        hint = f"No {thing} holds all the words of “{words}”." if words else f"There is no {thing} yet."
        return tag("p", hint, class_="by insert-none")
    items = [tag("li", _choice(one)) for one in found]
    return tag("ul", *items, class_="insert-list", aria_label="What can be inserted")


def _choice(found: NoteFacts | NoteHit | Collection) -> Html:
    facts = found.facts if isinstance(found, NoteHit) else found
    if isinstance(facts, Collection):
        picture, title, more = "table", facts.name, facts.purpose or ""
    else:
        picture, title, more = "note", facts.title, found.line if isinstance(found, NoteHit) else ""
    return tag(
        "button",
        icon(picture),
        tag("span", title, class_="name"),
        tag("code", facts.path),
        tag("span", more, class_="found") if more else None,
        type="button",
        class_="choice",
        data_do="insert",
        data_value=facts.path,
    )
