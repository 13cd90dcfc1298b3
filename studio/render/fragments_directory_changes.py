"""What was done to a memory directory, commit by commit; what one commit changed; and a file that is gone."""

from collections.abc import Sequence
from datetime import datetime

from studio.domain.directory.changes import ChangedFile, ChangeTexts, DirectoryChange, LastSeen
from studio.domain.directory.tree import FileMode
from studio.domain.timeline import Status
from studio.render.fragments import MOST_LINES, diff_side_by_side, diff_unified, message, whole_binary, whole_raw
from studio.render.fragments_agents import Href
from studio.render.fragments_directory import short, shown_name
from studio.render.fragments_head import button, nothing, who
from studio.render.fragments_timeline import line_counts
from studio.render.tags import Html, joined, tag
from studio.render.times import time

MOST_FILES = 40
"""How many files of a change are shown at first."""
FILE_LINES = 120
"""How many lines of each at first."""


def changes_head(place: str | None) -> Html:
    """What the list is of: all of the memory, or one folder or file with the way to all."""
    if place is None:
        words = "Every commit that touched memory: blocks, deferred files, skills and limits, in the prompt or not."
        return tag("div", tag("p", words, class_="by"), class_="history-head")
    words = tag("p", "Every commit that touched ", tag("code", shown_name(place)), class_="by")
    return tag("div", words, button("All of the memory", "whole-memory", quiet=True), class_="history-head")


def changes(
    shown: Sequence[DirectoryChange], *, chosen: DirectoryChange | None, hidden: int, now: datetime, href: Href
) -> Html:
    """The changes, newest first.

    Args:
        shown: those that the filter keeps.
        chosen: the one that is open.
        hidden: how many the filter hides.
        now: the time, for relative times.
        href: makes addresses.
    """
    everyone = button("Show everyone's changes", "author", quiet=True)
    if not shown:
        return nothing(f"No change is by this author; the filter hides all {hidden:,}.", everyone)
    items = [tag("li", _row(one, current=one == chosen, now=now, href=href)) for one in shown]
    word = "change" if hidden == 1 else "changes"
    note = (
        tag("p", f"The filter hides {hidden:,} {word}. ", everyone, class_="hidden-note", role="status")
        if hidden
        else None
    )
    return joined(note, tag("ol", *items, class_="versions", data_reveal=True, data_scroll="versions"))


def _row(change: DirectoryChange, *, current: bool, now: datetime, href: Href) -> Html:
    line = (
        tag("span", f"{change.number}", class_="number"),
        who(change.author),
        line_counts(change.added, change.removed),
    )
    gone = sum(one.status is Status.DELETED for one in change.files)
    badges = [
        _lies(change),
        tag("span", "1 file" if len(change.files) == 1 else f"{len(change.files):,} files", class_="badge"),
        tag("span", f"{gone:,} deleted", class_="badge strong") if gone else None,
        tag("span", "merge", class_="badge") if change.merge else None,
    ]
    return tag(
        "a",
        tag("span", *line, class_="line"),
        tag("span", shown_name(change.subject), class_="occasion"),
        tag("span", time(change.at, now), class_="when"),
        tag("span", *badges, class_="badges"),
        href=href(commit=change.commit),
        aria_current="true" if current else None,
        class_="version",
        data_do="commit",
        data_value=change.commit,
        data_key=f"change-{change.number}",
        aria_label=f"Change {change.number}, {change.author}, {change.added} lines added, {change.removed} removed",
    )


def _lies(change: DirectoryChange) -> Html:
    if change.new_version:
        return tag("span", f"version {change.version}", class_="badge live", title="It changed the compiled prompt")
    return tag("span", "outside the prompt", class_="badge", title=lies_between(change))


def lies_between(change: DirectoryChange) -> str:
    """Where a change lies among the versions of the compiled memory, in a sentence."""
    if change.new_version:
        return f"It made version {change.version} of the compiled memory."
    if change.version is None:
        return "It lies before version 1 of the compiled memory and changed nothing of the prompt."
    return f"It lies after version {change.version} of the compiled memory and changed nothing of the prompt."


def change_bar(change: DirectoryChange, *, now: datetime) -> Html:
    """Above the files of a change: who did it, when and why."""
    merge = " A merge: this is what it changed against its first parent." if change.merge else ""
    return tag(
        "div",
        tag(
            "div",
            tag(
                "div",
                tag("h3", shown_name(change.subject)),
                tag("p", who(change.author), " · ", time(change.at, now), " · ", tag("code", short(change.commit))),
                tag("p", lies_between(change) + merge, class_="by"),
            ),
            tag(
                "div",
                button("Files at this commit", "files-here", value=change.commit, quiet=True),
                class_="actions",
            ),
            class_="top",
        ),
        class_="opened change-bar",
    )


def change_files(found: ChangeTexts, *, unified: bool, all_lines: bool, href: Href) -> str:
    """What one commit changed in each of its files.

    Args:
        found: the change with its texts.
        unified: whether a change stands in one column.
        all_lines: whether everything of it is shown.
        href: makes addresses.
    """
    shown = found.files if all_lines else found.files[:MOST_FILES]
    made = [_file(one, found.change.commit, unified=unified, all_lines=all_lines, href=href) for one in shown]
    cut = len(found.files) > len(shown) or any("Long: the first" in one for one in made)
    more = len(found.files) - len(shown)
    return joined(
        *made,
        tag("p", f"{more:,} files more.", class_="by") if more else None,
        button("Show all lines", "all-lines", quiet=True) if cut and not all_lines else None,
    )


def _file(one: ChangedFile, commit: str, *, unified: bool, all_lines: bool, href: Href) -> Html:
    change = one.change
    away = change.status is Status.DELETED
    before = tag("span", "from ", tag("code", shown_name(change.old_path)), class_="by") if change.old_path else None
    irregular = {FileMode.LINK: "symlink", FileMode.SUBMODULE: "submodule"}.get(change.mode or FileMode.REGULAR)
    head = tag(
        "h4",
        tag("code", shown_name(change.path)),
        tag("span", str(change.status), class_="badge strong" if away else "badge"),
        tag("span", irregular, class_="badge strong") if irregular else None,
        line_counts(change.added, change.removed),
        before,
    )
    old = change.old_path or change.path
    actions = [
        _action("Open as it last was", "as-it-was", old, href(tab="files", commit=None, file=old))
        if away
        else _action(
            "Open", "file-here", f"{commit}:{change.path}", href(tab="files", commit=commit, file=change.path)
        ),
        _action("Its changes", "only", change.path, href(file=change.path)),
    ]
    return tag(
        "section",
        tag("div", head, tag("div", *actions, class_="actions"), class_="top"),
        Html(_diff(one, unified=unified, all_lines=all_lines)),
        class_="changed-file",
        aria_label=change.path,
    )


def _action(label: str, action: str, value: str, address: str) -> Html:
    return tag(
        "a", label, href=address, class_="quiet button", data_do=action, data_value=value, data_key=f"{action}-{value}"
    )


def _diff(one: ChangedFile, *, unified: bool, all_lines: bool) -> str:
    made = one.diff
    if made is None:
        return message("No diff: a side of it is no text.")
    if one.before is not None and one.after is not None and one.before.content == one.after.content:
        return message("Its text stays as it was.")
    draw = diff_unified if unified else diff_side_by_side
    return draw(made, old_name="before", new_name="after", most_lines=None if all_lines else FILE_LINES)


def gone_bar(found: LastSeen, gone: DirectoryChange, *, now: datetime) -> Html:
    """Above a file that is gone: who took it away, and the way back."""
    moved = next((one.path for one in gone.files if one.old_path == found.path), None)
    what = tag("span", "Became ", tag("code", shown_name(moved)), " in ") if moved else tag("span", "Deleted in ")
    told = tag(
        "p", what, tag("code", short(gone.commit)), " by ", who(gone.author), " · ", time(gone.at, now), class_="warned"
    )
    back = button("Bring it back", "restore", value=found.path)
    where = button("See that change", "gone-change", value=gone.commit, quiet=True)
    return tag(
        "div",
        tag(
            "div",
            tag("div", tag("h3", shown_name(found.path)), told, tag("p", shown_name(gone.subject), class_="by")),
            tag("div", where, back, class_="actions"),
            class_="top",
        ),
        class_="opened file-bar",
    )


def gone_text(found: LastSeen, *, all_lines: bool) -> str:
    """What a file that is gone last held."""
    most = None if all_lines else MOST_LINES
    if found.body.binary:
        return whole_binary(found.body, most_lines=most)
    made = whole_raw(found.body.text or "", most_lines=most)
    cut = "Long: the first" in made or "Long lines are cut" in made
    return joined(Html(made), button("Show all lines", "all-lines", quiet=True)) if most and cut else made
