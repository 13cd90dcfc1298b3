"""The compiled memory of a directory, its change between commits, and how it could shrink."""

from collections.abc import Sequence

from studio.domain.directory.layout import Compiled
from studio.domain.directory.proposal import SAYS, Candidate, Proposal, Step
from studio.domain.directory.tree import shown_path
from studio.domain.timeline import Version
from studio.render.fragments_agents import Href
from studio.render.fragments_directory import meter, short, shown_name
from studio.render.fragments_preview import CHARACTERS_PER_TOKEN, way
from studio.render.tags import Html, joined, tag
from studio.render.times import exact

MOST_CANDIDATES = 12
"""How many candidates of one step are listed."""


def prompt_bar(
    compiled: Compiled, commit: str, others: Sequence[Version], *, compare: str | None, layout: str, href: Href
) -> Html:
    """Above the compiled memory: its size, what takes how much of it, and what it can be compared with.

    Args:
        compiled: the compiled memory.
        commit: the commit it is of.
        others: the versions it can be compared with, newest first.
        compare: the commit it is compared with, if any.
        layout: `split` or `unified`, for a change.
        href: makes addresses.
    """
    total = len(compiled.text)
    by = (
        f"{total:,} characters, about {total // CHARACTERS_PER_TOKEN:,} tokens, of commit {short(commit)}, as the model reads them "
        "behind Guidelines, Task and State."
    )
    layouts = [
        way("layout", value, label, layout, href)
        for value, label in (("split", "Side by side"), ("unified", "Unified"))
    ]
    return tag(
        "div",
        tag("div", tag("div", tag("h3", "Compiled prompt"), tag("p", by, class_="by")), class_="top"),
        _blocks(compiled, href),
        tag(
            "div",
            _compare_with(commit, others, compare),
            tag("div", *layouts, class_="switch", role="group", aria_label="Layout") if compare else None,
            class_="ways",
        ),
        class_="opened file-bar",
    )  # fmt: skip


def _blocks(compiled: Compiled, href: Href) -> Html | None:
    """Each block with its share of the whole."""
    total = max(len(compiled.text), 1)
    rows = [
        tag(
            "li",
            tag(
                "a",
                f"<{one.name}>",
                href=href(tab="files", file=shown_path(one.file.path), row=None),
                data_do="file",
                data_value=shown_path(one.file.path),
                data_key=f"block-{shown_path(one.file.path)}",
            ),
            tag("span", f" {one.characters:,} · {one.characters / total:.0%}", class_="by"),
        )
        for one in compiled.blocks
    ]
    return tag("ol", *rows, class_="block-shares", aria_label="Blocks in prompt order") if rows else None


def _compare_with(commit: str, others: Sequence[Version], compare: str | None) -> Html:
    options = [tag("option", "nothing: show all of it", value="", selected=compare is None)]
    known = set()
    for one in others:
        sha = one.origin.commit if one.origin else None
        if sha is None or sha == commit:
            continue
        known.add(sha)
        words = f"version {one.number} · {short(sha)} · {exact(one.at)} · {one.author}"
        options.append(tag("option", words, value=sha, selected=sha == compare))
    if compare and compare not in known:
        options.append(tag("option", f"commit {short(compare)}", value=compare, selected=True))
    select = tag("select", *options, name="compare", data_do="compare", data_key="compare")
    return tag("label", tag("span", "Compare with"), select, class_="field")


def shrink(proposal: Proposal, href: Href) -> Html | None:
    """What could go, in the specification's three steps; None where no limit is near."""
    if not proposal.needed:
        return None
    near = [tag("li", _limit(one.path), " ", meter(one, short_words=True)) for one in proposal.near]
    words = tag(
        "p",
        f"What is listed here would free {proposal.frees():,} characters of the core. Nothing is changed by itself.",
    )
    steps = [_step(step, proposal.of(step), href) for step in Step]
    return tag(
        "section",
        tag("h3", "Shrink before you grow"),
        tag("ul", *near, class_="near-limits"),
        words,
        *steps,
        class_="shrink",
        aria_label="How the core memory could shrink",
    )  # fmt: skip


def _limit(path: str) -> Html | str:
    return "All root files together" if path == "." else shown_name(path)


def _step(step: Step, candidates: Sequence[Candidate], href: Href) -> Html:
    number = list(Step).index(step) + 1
    head = tag("h4", f"{number}. {SAYS[step]}")
    if not candidates:
        return joined(head, tag("p", "No candidate was found.", class_="by"))
    rows = [tag("li", _candidate(one, href)) for one in candidates[:MOST_CANDIDATES]]
    more = len(candidates) - MOST_CANDIDATES
    rest = tag("p", f"{more:,} more that would free less.", class_="by") if more > 0 else None
    return joined(head, tag("ul", *rows, class_="findings"), rest)


def _candidate(one: Candidate, href: Href) -> Html:
    lines = f"line {one.line}" if one.line == one.end_line else f"lines {one.line}–{one.end_line}"
    return joined(
        tag(
            "a",
            shown_name(one.path),
            f", {lines}",
            href=href(tab="files", file=one.path, row=one.line),
            class_="place-of",
            data_do="finding",
            data_value=f"{one.line}:{one.path}",
            data_key=f"candidate-{one.path}-{one.line}",
        ),
        tag("span", f"frees {one.frees:,}", class_="badge"),
        " ",
        tag("span", shown_name(one.words), class_="message-of"),
        tag("span", shown_name(one.reason), class_="why"),
        tag("span", "Pointer: ", tag("code", shown_name(one.pointer)), class_="suggestion") if one.pointer else None,
    )
