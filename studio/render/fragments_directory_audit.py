"""What went round the hook of a memory directory: the commits, and what each of them broke."""

from datetime import datetime

from studio.domain.directory.audit import Audit, AuditedCommit
from studio.domain.directory.findings import Finding
from studio.domain.directory.limits import CORE
from studio.render.fragments_agents import Href
from studio.render.fragments_directory import short, shown_name
from studio.render.fragments_directory_file import finding
from studio.render.fragments_head import who
from studio.render.tags import Html, tag
from studio.render.times import time

MOST_COMMITS = 100
"""How many commits are listed."""
NOTHING_THERE = {"root_index_missing", "dir_index_missing"}
"""Kinds of findings about a file that is not there."""
MOST_FINDINGS = 20
"""How many findings of one commit are listed."""


def audited(audit: Audit, *, now: datetime, href: Href) -> Html:
    """The commits that went round the hook, newest first, and those that changed the limits.

    Args:
        audit: what was found.
        now: the time, for relative times.
        href: makes addresses.
    """
    commits = "1 commit" if audit.commits == 1 else f"{audit.commits:,} commits"
    number = len(audit.round_the_hook)
    found = f"{number:,}" if number else "none"
    parts = [
        tag("h3", f"{commits} judged, {found} went round the hook"),
        tag(
            "p",
            "git runs no hook for --no-verify, cherry-picks and merges on a server. Each commit is judged by the limits it had.",
            class_="by",
        ),
    ]
    if audit.cut_off:
        words = "This is a shallow copy: its oldest commits answer for what came before them. Clone it in full."
        parts.append(tag("p", words, class_="warned"))
    parts += [tag("p", shown_name(one), class_="warned") for one in audit.warnings]
    parts += _listed(audit.round_the_hook, now, href, tag("span", "went round the hook", class_="badge strong"))
    if audit.notices:
        parts.append(tag("h3", "Commits that changed the limits"))
        words = "A person has to approve such a change, and whether one did is recorded nowhere."
        parts.append(tag("p", words, class_="by"))
        parts += _listed(audit.notices, now, href, tag("span", "approved?", class_="badge warm"))
    return tag("section", *parts, class_="audit", aria_label="Audit")


def _listed(commits: tuple[AuditedCommit, ...], now: datetime, href: Href, badge: Html) -> list[Html]:
    rows = [_commit(one, now, href, badge) for one in reversed(commits[-MOST_COMMITS:])]
    listed = [tag("ol", *rows, class_="audited")] if rows else []
    more = len(commits) - MOST_COMMITS
    return (
        [*listed, tag("p", f"{more:,} older ones are told by 'studio dir audit'.", class_="by")] if more > 0 else listed
    )


def _commit(one: AuditedCommit, now: datetime, href: Href, badge: Html) -> Html:
    link = tag(
        "a",
        short(one.commit),
        href=href(tab="files", commit=one.commit),
        data_do="files-here",
        data_value=one.commit,
        data_key=f"audited-{one.commit}",
    )
    head = tag(
        "p",
        tag("code", link),
        who(one.author),
        tag("span", time(one.at, now), class_="when"),
        tag("span", "merge", class_="badge") if one.parents > 1 else None,
        class_="audited-head",
    )
    broke = [
        tag("li", _place(found, one.commit, href), finding(found, badge=badge))
        for found in one.findings[:MOST_FINDINGS]
    ]
    more = len(one.findings) - MOST_FINDINGS
    carried = "1 finding" if one.carried == 1 else f"{one.carried:,} findings"
    return tag(
        "li",
        head,
        tag("p", shown_name(one.subject), class_="subject"),
        tag("ul", *broke, class_="findings") if broke else None,
        tag("p", f"{more:,} findings more.", class_="by") if more > 0 else None,
        tag("p", f"It left {carried} of before as it was.", class_="by") if one.carried else None,
    )


def _place(found: Finding, commit: str, href: Href) -> Html | None:
    """The file that a finding is about, as it was at the commit."""
    if found.path == CORE or found.kind in NOTHING_THERE:
        return None
    return tag(
        "a",
        shown_name(found.path),
        href=href(tab="files", commit=commit, file=found.path, row=found.line),
        class_="place-of",
        data_do="file-here",
        data_value=f"{commit}:{found.path}",
        data_key=f"audited-{commit}-{found.kind}-{found.path}-{found.line}",
    )
