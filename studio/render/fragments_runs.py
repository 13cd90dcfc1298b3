"""The Runs place: the list of an agent's runs, and what stands above the chat rows of one."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import assert_never

from studio.domain.run_kinds import RunKind
from studio.domain.runs import Run, RunOutline, RunStatus
from studio.render.fragments_agents import Href
from studio.render.fragments_head import button
from studio.render.fragments_preview import warnings
from studio.render.icons import icon
from studio.render.tags import Html, joined, tag
from studio.render.times import exact, time

_KINDS = {
    RunKind.DIRECT: ("operator", "Direct run"),
    RunKind.GROUP: ("group", "Group chat"),
    RunKind.SCHEDULE: ("schedule", "Schedule wake-up"),
}
_OCCASION_CAP_CHARACTERS = 140
"""How much of an instruction or a message the list shows."""


def run_list(
    shown: Sequence[Run], outlines: Mapping[str, RunOutline], *, chosen: str | None, now: datetime, href: Href
) -> Html:
    """A page of runs, newest first.

    Args:
        shown: the page.
        outlines: what stands of each of them in a list, by its id.
        chosen: id of the run that is open.
        now: the time, for relative times.
        href: makes addresses.
    """
    items = [tag("li", _run(one, outlines[one.id], current=one.id == chosen, now=now, href=href)) for one in shown]
    return tag("ol", *items, class_="versions runs", data_reveal=True, data_scroll="runs")


def _run(run: Run, outline: RunOutline, *, current: bool, now: datetime, href: Href) -> Html:
    occasion = _occasion(run, outline)
    badges = _badges(run)
    return tag(
        "a",
        tag("span", kind(run.kind), tag("span", measure(outline), class_="did"), class_="line"),
        tag("span", occasion, class_="occasion", title=occasion) if occasion else None,
        tag("span", time(run.created_at, now), class_="when"),
        tag("span", *badges, class_="badges") if badges else None,
        href=href(run=run.id, row=None, call=None),
        aria_current="true" if current else None,
        class_="version",
        data_do="run",
        data_value=run.id,
        data_key=f"run-{run.id}",
    )


def kind(run_kind: RunKind) -> Html:
    """What started a run, with its picture."""
    picture, label = _KINDS[run_kind]
    return tag("span", icon(picture), tag("span", label), class_="who kind")


def _occasion(run: Run, outline: RunOutline) -> str | None:
    """What a person knows the run by: its instruction, who was tagged, or the message that opened it."""
    match run.kind:
        case RunKind.SCHEDULE:
            return _one_line(run.instruction or "")
        case RunKind.GROUP:
            return ", ".join(f"@{name}" for name in run.tags) or "nobody tagged"
        case RunKind.DIRECT:
            return _one_line(outline.opening) or None
        case _:
            assert_never(run.kind)


def _one_line(words: str) -> str:
    """The words in one line, cut where they are long."""
    line = " ".join(words.split())
    return line if len(line) <= _OCCASION_CAP_CHARACTERS else f"{line[: _OCCASION_CAP_CHARACTERS - 1]}…"


def measure(outline: RunOutline) -> str:
    """`3 steps, 2 calls`."""
    steps = f"{outline.steps:,} step{'' if outline.steps == 1 else 's'}"
    return f"{steps}, {outline.tool_calls:,} call{'' if outline.tool_calls == 1 else 's'}"


def _badges(run: Run) -> list[Html]:
    """What is not as usual about a run."""
    badges = []
    if run.memory_skipped:
        badges.append(tag("span", "memory skipped", class_="badge warm", title="It ended without a memory_write"))
    match run.status:
        case RunStatus.COMPLETED:
            pass
        case RunStatus.OPEN:
            badges.append(tag("span", "open", class_="badge accent"))
        case RunStatus.FAILED:
            badges.append(tag("span", "failed", class_="badge strong", title=run.failure or ""))
        case RunStatus.STOPPED:
            badges.append(tag("span", "stopped", class_="badge"))
        case _:
            assert_never(run.status)
    return badges


def pager(start: int, end: int, total: int, what: str) -> Html | None:
    """Steps through a list that has more than one page.

    Args:
        start: how many entries stand before the page.
        end: the number of its last entry.
        total: how many there are.
        what: the action is `next-<what>` or `previous-<what>`.
    """
    if end - start >= total:
        return None
    before = button("Previous", f"previous-{what}", quiet=True, off=start <= 0)
    after = button("Next", f"next-{what}", quiet=True, off=end >= total)
    return tag("div", before, tag("span", f"{start + 1:,}–{end:,} of {total:,}"), after, class_="pager")


def run_bar(run: Run, outline: RunOutline, notes: Sequence[tuple[str, str]], *, now: datetime, href: Href) -> Html:
    """What a run was: what started it, how it ended, and what its prompt was made of.

    Args:
        run: the run.
        outline: how much it did.
        notes: path of each embedded note, and what became of it since, for a person.
        now: the time, for relative times.
        href: makes addresses.
    """
    title = joined(kind(run.kind), *_badges(run))
    facts = [
        ("Instruction", run.instruction),
        ("Tagged", ", ".join(f"@{name}" for name in run.tags)),
        ("Status", str(run.status)),
        ("Ended", exact(run.finished_at) if run.finished_at else None),
        ("Why it failed", run.failure),
        ("Steps", f"{outline.steps:,} of at most {run.max_steps:,}"),
        ("Tool calls", f"{outline.tool_calls:,} of at most {run.max_tool_calls:,}"),
        ("Tools of ours", ", ".join(run.tools)),
    ]
    skipped = (
        tag("p", "This wake ended without a memory_write, after one reminder: the memory skipped it.", class_="warned")
        if run.memory_skipped
        else None
    )
    return tag(
        "div",
        tag("h2", title),
        tag("p", tag("code", run.id), " ", time(run.created_at, now), class_="by"),
        tag("dl", *[tag("div", tag("dt", name), tag("dd", words)) for name, words in facts if words], class_="facts"),
        _made_of(run, notes, href),
        warnings(run.composed_from.warnings),
        skipped,
        class_="opened",
    )


def _made_of(run: Run, notes: Sequence[tuple[str, str]], href: Href) -> Html:
    """The versions that message 0 was composed from, each a link."""
    of = run.composed_from
    parts: list[Html] = [_version_link("Task", "prompt", of.task_version, href)]
    if of.memory_version is not None:
        commit = f" (commit {of.memory_commit[:10]})" if of.memory_commit else None
        parts.append(joined(_version_link("memory", "memory", of.memory_version, href), commit))
    links = [
        tag(
            "li", tag("a", path, href=href(place="notes", note=path), data_do="open-note", data_value=path), f" {since}"
        )
        for path, since in notes
    ]
    words = joined("Composed from ", parts[0], *[joined(" and ", one) for one in parts[1:]], " and system.md.")
    listed = joined(tag("p", "Notes that its Task embedded:", class_="by"), tag("ul", *links)) if links else None
    return tag("div", tag("p", words, class_="by"), listed, class_="made-of")


def _version_link(what: str, place: str, number: int, href: Href) -> Html:
    return tag(
        "a",
        f"{what} version {number}",
        href=href(place=place, version=number),
        data_do=f"{place}-version",
        data_value=number,
        data_key=f"of-{place}",
    )
