"""The timeline of a text: its filter by author, its versions newest first, and what a filter hides."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from studio.domain.agents import Agent
from studio.domain.archive import is_creation
from studio.domain.authors import AuthorCount, AuthorKind
from studio.domain.directory.changes import Around
from studio.domain.memory import MEMORY_CAP_CHARACTERS
from studio.domain.timeline import Status, Version
from studio.render.fragments_agents import Href
from studio.render.fragments_head import button, nothing, who
from studio.render.tags import Html, joined, tag
from studio.render.times import time

_KIND_LABELS = {
    AuthorKind.RUN: "All runs",
    AuthorKind.OPERATOR: "All operators",
    AuthorKind.AGENT: "All agents without a run",
    AuthorKind.UNKNOWN: "No recorded author",
}

MARKS = {"markers": "conflict markers", "empty": "emptied", "key": "holds a key"}
"""What marks a version that would have deserved a question, for a badge (decision 39)."""
UNASKED = "This would have deserved a question before it went live"


def author_filter(counts: Sequence[AuthorCount], chosen: str | None) -> Html:
    """A choice of author: everyone, a kind, or a single author, each with how many versions are theirs."""
    total = sum(count.versions for count in counts)
    options = [_option("", f"Everyone ({total:,})", chosen or "")]
    kinds = [kind for kind in AuthorKind if any(count.author.kind is kind for count in counts)]
    known = {""}
    for kind in kinds:
        of_kind = [count for count in counts if count.author.kind is kind]
        label = f"{_KIND_LABELS[kind]} ({sum(count.versions for count in of_kind):,})"
        single = [
            _option(one.author.key, f"{one.author.name} ({one.versions:,})", chosen or "")
            for one in of_kind
            if one.author.name
        ]
        options.append(_option(str(kind), label, chosen or ""))
        known |= {str(kind), *(one.author.key for one in of_kind)}
        if single:
            options.append(tag("optgroup", *single, label=f"Single {kind}s"))
    if chosen and chosen not in known:
        options.append(_option(chosen, chosen, chosen))
    select = tag("select", *options, name="author", data_do="author", data_key="author")
    return tag("label", tag("span", "Written by"), select, class_="field filter")


def _option(value: str, label: str, chosen: str) -> Html:
    return tag("option", label, value=value, selected=value == chosen)


def versions(
    shown: Sequence[Version],
    *,
    chosen: int | None,
    against: int | None,
    hidden: int,
    cap: bool,
    now: datetime,
    href: Href,
    beside: Mapping[int, Around] | None = None,
) -> Html:
    """The versions, newest first.

    Args:
        shown: the versions that the filter keeps.
        chosen: number of the version that is open.
        against: number of the version it is compared with, where one was chosen.
        hidden: how many versions the filter hides.
        cap: whether sizes are shown against the cap of `memory_write`.
        now: the time, for relative times.
        href: makes addresses.
        beside: how many changes of a directory's memory lie beside a version, by its number.
    """
    if not shown:
        clear = button("Show everyone's versions", "author", quiet=True)
        return nothing(f"No version is by this author; the filter hides all {hidden:,}.", clear)
    items = [
        tag(
            "li",
            _lying((beside or {}).get(one.number), first=one.number == 1, before=False),
            _version(one, current=one.number == chosen, compared=one.number == against, cap=cap, now=now, href=href),
            _lying((beside or {}).get(one.number), first=one.number == 1, before=True),
        )
        for one in shown
    ]
    note = None
    if hidden:
        word = "version" if hidden == 1 else "versions"
        clear = button("Show all", "author", quiet=True)
        note = tag("p", f"The filter hides {hidden:,} {word}. ", clear, class_="hidden-note", role="status")
    return joined(note, tag("ol", *items, class_="versions", data_reveal=True, data_scroll="versions"))


def _lying(beside: Around | None, *, first: bool, before: bool) -> Html | None:
    """The changes between two versions, above the older one; below the oldest those that came before it."""
    number = 0 if beside is None or (before and not first) else beside.before if before else beside.after
    if not number:
        return None
    words = "1 change outside the prompt" if number == 1 else f"{number:,} changes outside the prompt"
    return button(words, "changes", quiet=True, title="Commits that touched memory and changed nothing of the prompt")


def _version(version: Version, *, current: bool, compared: bool, cap: bool, now: datetime, href: Href) -> Html:
    first = tag(
        "span",
        tag("span", f"{version.number}", class_="number"),
        tag("span", "live", class_="badge live") if version.live else None,
        who(version.author),
        counts(version),
        class_="line",
    )
    occasion = version.note or (version.origin.subject if version.origin else None) or version.occasion
    second = tag("span", occasion, class_="occasion") if occasion else None
    third = tag("span", time(version.at, now), class_="when")
    badges = [*_badges(version), *([tag("span", "compared with", class_="badge accent")] if compared else [])]
    return tag(
        "a",
        first,
        second,
        third,
        tag("span", *badges, class_="badges") if badges else None,
        _meter(version) if cap and not version.binary else None,
        href=href(version=version.number),
        aria_current="true" if current else None,
        class_="version",
        data_do="version",
        data_value=version.number,
        data_key=f"version-{version.number}",
        aria_label=_spoken(version),
    )


def _spoken(version: Version) -> str:
    live = ", live" if version.live else ""
    return f"Version {version.number}{live}, {version.author}, {version.added or 0} lines added, {version.removed or 0} removed"


def counts(version: Version) -> Html:
    """Lines added and removed, as git counts them (decision 15)."""
    return line_counts(version.added, version.removed)


def line_counts(added: int | None, removed: int | None) -> Html:
    """Lines added and removed; None where they are not counted."""
    if added is None or removed is None:
        return tag("span", "bytes", class_="counts", title="Not counted: kept as bytes")
    return tag(
        "span",
        tag("span", f"+{added:,}", class_="added"),
        " ",
        tag("span", f"−{removed:,}", class_="removed"),
        class_="counts",
    )


def _badges(version: Version) -> list[Html]:
    badges = []
    badges += [tag("span", MARKS[one], class_="badge strong", title=UNASKED) for one in version.marks]
    if version.changed_outside:
        badges.append(tag("span", "changed outside", class_="badge strong", title=version.changed_outside))
    if version.only_changed:
        badges.append(tag("span", f"only {version.only_changed}", class_="badge warm"))
    if version.occasion and version.occasion.startswith("restore of"):
        badges.append(tag("span", "restored", class_="badge"))
    if version.binary:
        badges.append(tag("span", "binary", class_="badge strong"))
    if version.status is Status.DELETED:
        badges.append(tag("span", "deleted", class_="badge strong"))
    elif version.stand_in:
        badges.append(
            tag("span", f"stand-in: {version.stand_in.kind}", class_="badge strong", title=str(version.stand_in))
        )
    elif version.status is Status.RENAMED:
        badges.append(tag("span", "renamed", class_="badge"))
    if version.origin and version.origin.copied:
        badges.append(tag("span", f"copied from {version.origin.old_path}", class_="badge"))
    if version.first_kept:
        badges.append(_first(version))
    return badges


def _first(version: Version) -> Html:
    if is_creation(version.occasion):
        return tag("span", "created", class_="badge", title="The empty memory that the agent began with")
    return tag("span", "first kept", class_="badge", title="The oldest version kept")


def _meter(version: Version) -> Html:
    share = version.characters / MEMORY_CAP_CHARACTERS
    level = "over" if share > 1 else "near" if share >= 0.9 else "fine"  # noqa: PLR2004 - as in the list of agents
    bar = tag("span", class_="fill", style=f"width:{min(share, 1) * 100:.1f}%")
    words = f"{version.characters:,} of {MEMORY_CAP_CHARACTERS:,} characters"
    return tag("span", tag("span", bar, class_="track"), tag("span", words, class_="size"), class_=f"meter {level}")


def restarted(agent: Agent, now: datetime) -> Html | None:
    """That an import began the numbers anew (decision 48); None where none did."""
    at = agent.source.restarted_at if agent.source else None
    if at is None:
        return None
    words = joined("More of this history was imported ", time(at, now), ", so the numbers start anew.")
    return tag("p", tag("span", words), class_="hidden-note", role="status")


def pager(start: int, end: int, total: int) -> Html | None:
    """Steps through a long timeline; None where one page holds it."""
    if end - start >= total:
        return None
    newer = button("Newer", "newer-page", quiet=True, off=start <= 0)
    older = button("Older", "older-page", quiet=True, off=end >= total)
    return tag("div", newer, tag("span", f"{start + 1:,}–{end:,} of {total:,}"), older, class_="pager")
