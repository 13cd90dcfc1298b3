"""The Directory place: what stands above it, its gauges, and what is said where a directory cannot be shown."""

import re
from collections.abc import Sequence
from datetime import datetime
from shlex import quote

from studio.domain.directory.limits import CORE, Gauge
from studio.domain.directory.lint.run import NEAR_LIMIT_SHARE
from studio.domain.directory.survey import Survey
from studio.domain.directory.tree import INDEX
from studio.render.fragments_agents import Href
from studio.render.fragments_head import button, nothing
from studio.render.fragments_marks import mark
from studio.render.tags import Html, joined, tag, text
from studio.render.times import time

TABS = (
    ("files", "Files"),
    ("prompt", "Compiled prompt"),
    ("history", "History"),
    ("changes", "Changes"),
    ("headroom", "Headroom"),
    ("audit", "Audit"),
)
"""The parts of the place, by their name in an address and their label."""
SHORT_SHA_CHARACTERS = 10
"""How much of a commit's sha is shown."""


def shown_name(path: str) -> Html:
    """A path on one line: what breaks lines in it becomes a mark, as everything that is invisible."""
    return Html("".join(mark(one) if one in "\n\r\t" else text(one) for one in _pieces(path)))


def _pieces(path: str) -> list[str]:
    """The path cut at what breaks lines, and that by itself."""
    return [one for one in re.split("([\n\r\t])", path) if one]


def short(commit: str) -> str:
    """A commit's sha, short."""
    return commit[:SHORT_SHA_CHARACTERS]


def frame(survey: Survey, *, tab: str, now: datetime, href: Href) -> Html:
    """Which directory at which commit, what is to be known of its history, and the parts of the place.

    Args:
        survey: the directory.
        tab: the part that is open.
        now: the time, for relative times.
        href: makes addresses.
    """
    contents = survey.contents
    facts = [f"{len(contents.tree.files):,} files", f"commit {short(contents.commit)}"]
    links = [_tab(name, label, tab, href) for name, label in TABS]
    return tag(
        "div",
        tag(
            "div",
            tag(
                "div",
                tag("h2", "Memory directory"),
                tag("p", tag("code", survey.link.path), f" · {' · '.join(facts)}", class_="by"),
            ),
            tag("div", button("New file", "new", quiet=True), class_="actions") if survey.at_head else None,
            class_="top",
        ),
        _rewritten(survey, now),
        *[tag("p", one, class_="warned", role="status") for one in survey.warnings],
        _not_head(survey),
        tag(
            "div", tag("div", *links, class_="switch", role="group", aria_label="Parts of the directory"), class_="ways"
        ),
        class_="opened directory-frame",
    )


def _tab(name: str, label: str, chosen: str, href: Href) -> Html:
    return tag(
        "a",
        label,
        href=href(tab=name),
        aria_current="true" if name == chosen else None,
        data_do="tab",
        data_value=name,
        data_key=f"tab-{name}",
    )


def _rewritten(survey: Survey, now: datetime) -> Html | None:
    """History was rewritten, so that numbers start anew (decision 1)."""
    link = survey.link
    if link.rewritten_from is None:
        return None
    when = joined(" ", time(link.rewritten_at, now)) if link.rewritten_at else None
    return tag(
        "p",
        tag("strong", "The history of this directory was rewritten"),
        when,
        f": commit {short(link.rewritten_from)}, seen before, is no longer part of it. Version numbers start anew; "
        "runs keep the prompts they began with.",
        class_="warned",
        role="status",
    )


def _not_head(survey: Survey) -> Html | None:
    if survey.at_head:
        return None
    words = (
        f"You look at commit {short(survey.contents.commit)}. HEAD, which the next run reads, is {short(survey.head)}. "
    )
    return tag("p", words, button("Back to HEAD", "commit", quiet=True), class_="hidden-note", role="status")


def level(gauge: Gauge) -> str:
    """How a gauge stands: `fine`, `near` its limit or `over` it; a depth is over its limit or fine."""
    if gauge.limit is None:
        return "fine"
    if gauge.used > gauge.limit:
        return "over"
    return "near" if gauge.share > NEAR_LIMIT_SHARE and gauge.limit_of != "depth" else "fine"


def meter(gauge: Gauge, *, short_words: bool = False) -> Html:
    """How much of a limit is used, as a bar and in words; what is near the limit or over it is named so."""
    how = level(gauge)
    unit = " folders deep" if gauge.limit_of == "depth" else "" if short_words else " characters"
    words = f"{gauge.used:,}{unit}, no cap" if gauge.limit is None else f"{gauge.used:,} of {gauge.limit:,}{unit}"
    named = {"near": " · near the cap", "over": " · over the cap", "fine": ""}[how]
    width = f"{min(gauge.share, 1) * 100:.1f}%"
    return tag(
        "span",
        tag("span", tag("span", class_="fill", style=f"width:{width}"), class_="track"),
        tag("span", words + named, class_="size"),
        class_=f"meter {how}",
        title=f"{gauge.share:.0%} of the cap ({gauge.rule})" if gauge.limit is not None else f"No cap ({gauge.rule})",
    )


def gauges(listed: Sequence[Gauge]) -> Html:
    """The core and the depth, and every file that is near its cap or over it."""
    rows = [
        tag("tr", tag("th", _name(one), scope="row"), tag("td", meter(one, short_words=True)), tag("td", one.rule))
        for one in listed
        if one.limit_of != "file" or level(one) != "fine"
    ]
    head = tag(
        "thead", tag("tr", *[tag("th", name, scope="col") for name in ("Limit", "Used, in characters", "Set by")])
    )
    caption = tag("caption", "The limits, and every file that is near its cap or over it.")
    return tag("table", caption, head, tag("tbody", *rows), class_="sizes gauges")


def _name(gauge: Gauge) -> Html | str:
    if gauge.path == CORE:
        return "All root files together"
    return joined("Depth of ", shown_name(gauge.path)) if gauge.limit_of == "depth" else shown_name(gauge.path)


def unreadable(words: str, agent: str) -> Html:
    """The linked repository cannot be read: why, and the ways on."""
    return tag(
        "div",
        tag("h2", "This memory directory cannot be read"),
        tag("p", words),
        tag("p", "Runs of this agent are refused until it can. Put the repository back, or link where it is now:"),
        _command(f"studio dir link REPO --agent {quote(agent)}"),
        class_="nothing",
    )


def not_linked(agent: str) -> Html:
    """The agent's memory is a text in the store: how it becomes a directory."""
    return tag(
        "div",
        tag("p", f"The memory of {agent} is one text in the store, which the Memory place shows. A memory directory is a git "
            "repository of Markdown files that are compiled into the prompt; to begin one and make it this agent's memory:"),
        _command(f"studio dir init REPO\nstudio dir link REPO --agent {quote(agent)}"),
        class_="nothing",
    )  # fmt: skip


def old_layout(path: str) -> Html:
    """The directory has the old layout, of which nothing compiles: how to migrate."""
    return tag(
        "div",
        tag("h2", "This directory has the old layout"),
        tag("p", "Its blocks lie in system/ and it has no MEMORY.md at the root, so what was its core does not reach the "
            "prompt. The first command shows what would move where, the second moves it in one commit:"),
        _command(f"studio dir migrate {quote(path)}\nstudio dir migrate {quote(path)} --apply"),
        class_="nothing",
    )  # fmt: skip


def _command(line: str) -> Html:
    return tag("pre", tag("code", line), class_="command", tabindex=0)


def empty_prompt() -> Html:
    """Nothing compiles."""
    return nothing(
        "Nothing of this commit reaches the prompt: it has no Markdown file at its root. Add MEMORY.md, the index.",
        button("Write MEMORY.md", "new", value=INDEX),
    )


def first_of_all(survey: Survey) -> Html | None:
    """What is to be done before anything else: migrate the old layout, or write something that compiles."""
    if survey.contents.legacy:
        return old_layout(survey.link.path)
    return None if survey.contents.compiled.blocks else empty_prompt()
