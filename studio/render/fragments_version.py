"""What stands around an opened version or an editor: what it is, how it can be shown, and what can be done with it."""

from collections.abc import Sequence
from datetime import datetime

from studio.domain.archive import is_creation
from studio.domain.memory import MEMORY_CAP_CHARACTERS
from studio.domain.timeline import Status, Version
from studio.render.fragments_agents import Href
from studio.render.fragments_head import button, who
from studio.render.fragments_timeline import MARKS, counts
from studio.render.tags import Html, joined, tag
from studio.render.times import exact, time


def opened(
    version: Version,
    against: Version | None,
    others: Sequence[Version],
    *,
    chosen: bool,
    now: datetime,
    view: str,
    layout: str,
    shown: str,
    blanks: str,
    actions: Sequence[Html],
    href: Href,
) -> Html:
    """The bar above an opened version.

    Args:
        version: the version that is open.
        against: the version it is compared with; None for the first, which is against nothing.
        others: every version it can be compared with.
        chosen: whether a person chose what it is compared with; otherwise it is the one before it.
        now: the time, for relative times.
        view: `change` or `whole`.
        layout: `split` or `unified`, for a change.
        shown: `rendered` or `raw`, for a whole text.
        blanks: `shown` or `ignored`: line endings and blanks at the ends of lines, for a change.
        actions: buttons: edit, restore.
        href: makes addresses.
    """
    title = joined(f"Version {version.number}", tag("span", "live", class_="badge live") if version.live else None)
    by = tag("p", who(version.author), " ", time(version.at, now), class_="by")
    ways = [
        _switch("view", "What to show", [("change", "Change"), ("whole", "Whole")], view, href),
        _switch("layout", "Layout", [("split", "Side by side"), ("unified", "Unified")], layout, href)
        if view == "change"
        else _switch("shown", "As", [("rendered", "Rendered"), ("raw", "Raw")], shown, href),
        _switch("blanks", "Line ends", [("shown", "All changes"), ("ignored", "No blanks at ends")], blanks, href)
        if view == "change"
        else None,
        _compare_with(version, against, others, chosen=chosen) if view == "change" else None,
    ]
    return tag(
        "div",
        tag("div", tag("div", tag("h2", title), by), tag("div", *actions, class_="actions"), class_="top"),
        _facts(version),
        tag("div", *ways, class_="ways"),
        class_="opened",
    )


def _switch(name: str, label: str, options: Sequence[tuple[str, str]], chosen: str, href: Href) -> Html:
    """A few ways of which one is chosen."""
    links = [
        tag(
            "a",
            words,
            href=href(**{name: value}),
            aria_current="true" if value == chosen else None,
            data_do=name,
            data_value=value,
            data_key=f"{name}-{value}",
        )
        for value, words in options
    ]
    return tag("div", *links, class_=f"switch {name}", role="group", aria_label=label)


def _compare_with(version: Version, against: Version | None, others: Sequence[Version], *, chosen: bool) -> Html:
    before = f"the version before ({against.number})" if against and not chosen else "the version before"
    options = [tag("option", before, value="", selected=not chosen)]
    options += [
        tag(
            "option",
            f"{one.number}{' (live)' if one.live else ''} · {exact(one.at)} · {one.author}",
            value=one.number,
            selected=chosen and against is not None and one.number == against.number,
        )
        for one in others
        if one.number != version.number
    ]
    select = tag("select", *options, name="against", data_do="against", data_key="against")
    return tag("label", tag("span", "Compare with"), select, class_="field")


def _facts(version: Version) -> Html:
    """How it came about, where it came from and what is special about it."""
    origin = version.origin
    told = [
        ("What happened", _happened(version)),
        ("To look at", ", ".join(MARKS[one] for one in version.marks)),
        ("Note", version.note),
        ("Occasion", version.occasion if not version.note and not origin else None),
        ("Commit", f"{origin.commit[:12]} {origin.subject or ''}".strip() if origin and origin.commit else None),
        ("File", _path(version)),
        ("Evidence", version.author.evidence),
        ("Had read", f"version {version.based_on}" if version.based_on else None),
        ("Size", f"{version.characters:,} {'bytes' if version.binary else 'characters'}"),
    ]
    items = [tag("div", tag("dt", name), tag("dd", words)) for name, words in told if words]
    items.insert(-1, tag("div", tag("dt", "Lines"), tag("dd", counts(version))))
    return tag("dl", *items, class_="facts")


def _happened(version: Version) -> str | None:
    if version.changed_outside:
        return f"changed outside: {version.changed_outside}; 'studio verify' says more"
    if version.status is Status.DELETED:
        return "the file was deleted; this version has no text"
    if version.stand_in:
        return f"the file holds {version.stand_in}; its text is not here"
    if version.only_changed:
        return f"only {version.only_changed} changed"
    if is_creation(version.occasion):
        return "the agent was created, with an empty memory"
    return "the oldest version kept" if version.first_kept else None


def _path(version: Version) -> str | None:
    origin = version.origin
    if origin is None or origin.path is None:
        return None
    if origin.old_path is None:
        return origin.path
    return f"{origin.path} ({'copied from' if origin.copied else 'was'} {origin.old_path})"


def editor_bar(
    what: str, started: Version, *, characters: int, changed: bool, cap: bool, save: str, endings: str | None
) -> Html:
    """The bar above the memory's editor.

    Args:
        what: names the file, `memory.md`.
        started: the version that the text was loaded from.
        characters: what saving would store, in code points.
        changed: whether saving would change anything.
        cap: whether the text is held against the cap of `memory_write`.
        save: the label of the button that saves.
        endings: what the text keeps that the editor does not show (`CRLF line endings`), if anything.
    """
    state = "unsaved changes" if changed else "nothing changed yet"
    return tag(
        "div",
        tag(
            "div",
            tag("div", tag("h2", f"Edit {what}"), tag("p", f"from version {started.number} · {state}", class_="by")),
            tag(
                "div",
                button("Discard changes" if changed else "Close editor", "close-editor", quiet=True),
                button(save, "save", off=not changed),
                class_="actions",
            ),
            class_="top",
        ),
        tag("p", counter(characters, cap=cap), f" · keeps its {endings}" if endings else None, class_="counter"),
        _over_cap(characters) if cap else None,
        class_="opened editing",
    )


def counter(characters: int, *, cap: bool) -> Html:
    """How long a text is."""
    if not cap:
        return tag("span", f"{characters:,} characters")
    return tag(
        "span",
        f"{characters:,} of {MEMORY_CAP_CHARACTERS:,} characters",
        class_="over" if characters > MEMORY_CAP_CHARACTERS else None,
    )


def _over_cap(characters: int) -> Html | None:
    if characters <= MEMORY_CAP_CHARACTERS:
        return None
    words = (
        f"This is {characters - MEMORY_CAP_CHARACTERS:,} characters over the cap. You can save it, but the agent itself can no longer "
        "write a text this long: it must shorten it first."
    )
    return tag("p", words, class_="warned", role="status")


def changed_meanwhile(live: Version, now: datetime, *, number: int) -> Html:
    """The memory changed since the editor was opened: by whom, and the ways on."""
    words = tag(
        "p",
        tag("strong", "The memory changed while you were editing."),
        f" Version {live.number} by ",
        who(live.author),
        " is live now, ",
        time(live.at, now),
        ". Your text is still in the editor; nothing was saved.",
    )
    ways = tag(
        "div",
        button("Compare with mine", "compare-mine", quiet=True),
        button("Take theirs", "take-theirs", quiet=True),
        button(f"Save mine as version {number}", "keep-mine"),
        class_="answers",
    )
    return tag("div", words, ways, class_="stale", role="alert")


def compared_mine(live: Version) -> Html:
    """Above the change from the live text to what is in the editor."""
    return tag(
        "div",
        tag("h3", f"From version {live.number}, live now, to your text"),
        button("Hide", "hide-mine", quiet=True),
        class_="subhead",
    )
