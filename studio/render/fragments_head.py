"""The head of an agent's page: name, provenance and places; and the notices and questions that stand between it and the rest."""

from collections.abc import Sequence
from datetime import datetime

from studio.domain.agents import Agent, Layout
from studio.domain.authors import Author, AuthorKind
from studio.domain.backups import LostChanges
from studio.domain.embeds import EmbedEntry
from studio.domain.timeline import Version
from studio.render.fragments_agents import Href
from studio.render.fragments_embeds import broken_links
from studio.render.icons import author_icon, icon
from studio.render.tags import Html, joined, tag
from studio.render.times import time

PLACES = (("memory", "Memory"), ("prompt", "Prompt"), ("preview", "Preview"), ("runs", "Runs"), ("notes", "Notes"))
"""The places of an agent, by their name in an address and their label."""
DIRECTORY_PLACE = ("directory", "Directory")
"""The place that only an agent whose memory is a directory has."""


def head(
    agent: Agent,
    memory: Version | str,
    task: Version,
    *,
    place: str,
    draft: bool,
    broken: Sequence[EmbedEntry],
    now: datetime,
    href: Href,
) -> Html:
    """Who the agent is, who wrote what its next run reads, and its places.

    Args:
        agent: the agent.
        memory: its live memory, or why there is none to show.
        task: its live Task.
        place: the place that is open.
        draft: whether a Task draft waits.
        broken: the broken links of the live Task (decision 23).
        now: the time, for relative times.
        href: makes addresses.
    """
    name = tag("div", tag("h1", agent.name), tag("code", agent.id, class_="id"), class_="title")
    focus = tag("p", agent.focus, class_="focus") if agent.focus else None
    strip = tag(
        "dl",
        _memory(agent, memory, now),
        _provenance("Task", task, now),
        class_="provenance",
        aria_label="Who wrote what the next run reads",
    )
    offered = (*PLACES, DIRECTORY_PLACE) if agent.layout is Layout.DIRECTORY else PLACES
    places = _places(offered, place, draft=draft, href=href)
    return tag("div", name, focus, strip, broken_links(broken), places, class_="head")


def _provenance(what: str, version: Version, now: datetime) -> Html:
    written = joined(
        tag("span", f"version {version.number}", class_="number"),
        who(version.author),
        tag("span", version.occasion, class_="occasion", title=version.occasion) if version.occasion else None,
        tag("span", "· ", time(version.at, now)),
    )
    return tag("div", tag("dt", what), tag("dd", written))


def _memory(agent: Agent, memory: Version | str, now: datetime) -> Html:
    if agent.config.memory and not isinstance(memory, str):
        return _provenance("Memory", memory, now)
    words = memory if agent.config.memory and isinstance(memory, str) else "off: no run reads or writes it"
    return tag("div", tag("dt", "Memory"), tag("dd", tag("span", words, class_="occasion", title=words)))


def who(author: Author) -> Html:
    """An author: the picture of their kind and their name."""
    if author.kind is AuthorKind.UNKNOWN:
        label = str(author)
    elif author.kind is AuthorKind.RUN:
        label = f"run {author.name}"
    else:
        label = author.name or f"the {author.kind}"
    via = tag("span", f" via {author.via}", class_="via") if author.via else None
    return tag("span", author_icon(author.kind), tag("span", label), via, class_=f"who {author.kind}")


def _places(offered: Sequence[tuple[str, str]], place: str, *, draft: bool, href: Href) -> Html:
    links = [
        tag(
            "a",
            label,
            tag("span", "draft", class_="badge accent") if draft and name == "prompt" else None,
            href=href(place=name),
            aria_current="page" if name == place else None,
            data_do="place",
            data_value=name,
            data_key=f"place-{name}",
        )
        for name, label in offered
    ]
    return tag("nav", *links, class_="places", aria_label="Places of this agent")


def demo_banner() -> Html:
    """Says that this is the demo, and how to bring one's own history."""
    return tag(
        "p",
        tag("strong", "Demo organisation."),
        " All of it is made up and yours to try. Bring your own history with ",
        tag("code", "studio import git REPO --path CLAUDE.md --agent NAME"),
        class_="demo",
        role="note",
    )


def banners(*, demo: bool, lost: LostChanges | None) -> Html:
    """What stands above every page: that the store lacks changes, and that it is the demo."""
    missing = (
        None
        if lost is None
        else tag("p", tag("strong", "Changes are missing."), f" {lost}", class_="lost", role="alert")
    )
    return joined(missing, demo_banner() if demo else None)


def notice(words: str, *, kind: str = "info", actions: Sequence[tuple[str, str]] = (), close: bool = True) -> Html:
    """A sentence above the page.

    Args:
        words: the sentence.
        kind: `info`, `done` or `problem`.
        actions: buttons as action and label.
        close: whether it can be closed.
    """
    buttons = [button(label, action, quiet=True) for action, label in actions]
    closing = (
        tag("button", icon("close"), type="button", class_="close", aria_label="Close this message", data_do="close")
        if close
        else None
    )
    return tag(
        "div",
        icon("warning") if kind == "problem" else None,
        tag("p", words),
        *buttons,
        closing,
        class_=f"notice {kind}",
        role="alert" if kind == "problem" else "status",
    )


_WITH = {
    "markers": "conflict markers",
    "empty": "nothing in it",
    "broken-links": "broken links",
    "over-budget": "embeds left out",
    "key": "a key",
}
"""What goes live where a question is answered with yes, for the button that does it."""


def with_what(words: Sequence[str]) -> str:
    """What goes live with a text, as `with conflict markers and a key`."""
    return f"with {' and '.join(_WITH[word] for word in words)}"


def asked(sentences: Sequence[str]) -> Html:
    """What is the matter with a text that is to go live, one sentence each."""
    return tag("ul", *[tag("li", one) for one in sentences], class_="asked")


def question(words: str, detail: Html | str, *, yes: tuple[str, str], no: tuple[str, str]) -> Html:
    """A question that must be answered before anything else.

    Args:
        words: the question.
        detail: what the answers mean.
        yes: action and label of the answer that does it.
        no: action and label of the answer that does nothing; also what Escape means.
    """
    answers = tag("div", button(no[1], no[0], quiet=True, autofocus=True), button(yes[1], yes[0]), class_="answers")
    return tag(
        "dialog",
        tag("h2", words),
        detail if isinstance(detail, Html) else tag("p", detail),
        answers,
        data_cancel=no[0],
        aria_label=words,
    )


def button(
    label: str, action: str, *, value: str = "", quiet: bool = False, off: bool = False, **more: str | bool
) -> Html:
    """A button that reports an action; `off` keeps it readable and without effect."""
    return tag(
        "button",
        label,
        type="button",
        class_="quiet" if quiet else "main",
        data_do=action,
        data_value=value,
        data_key=f"button-{action}-{value}",
        aria_disabled="true" if off else None,
        **more,
    )


def broken(words: str) -> Html:
    """In place of the page: it could not be built."""
    return tag(
        "div",
        tag("h1", "This page cannot be shown"),
        tag("p", words),
        tag("p", "Reload the page to try again."),
        class_="welcome",
    )


def missing_agent(words: str, href: Href) -> Html:
    """In place of an agent: there is no such one, and what to do."""
    return tag(
        "div",
        tag("h1", "No such agent"),
        tag("p", words),
        tag("p", "Choose an agent from the list, or search for a part of its name."),
        tag("a", "Open the first agent", href=href(agent=None), data_do="agent", data_value="", class_="main button"),
        class_="welcome",
    )


def waiting(words: str) -> Html:
    """Long work is going on."""
    return tag("div", tag("span", class_="bar", aria_hidden="true"), tag("p", words), class_="working", role="status")


def nothing(words: str, *actions: Html) -> Html:
    """Where there is nothing to show: why, and what to do next."""
    return tag("div", tag("p", words), *actions, class_="nothing")
