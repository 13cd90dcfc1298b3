"""Editing a file of a memory directory: the bar above its editor, why, what the checks say, and what happened meanwhile."""

from collections.abc import Sequence
from datetime import datetime

from studio.domain.diff import split_lines
from studio.domain.directory.findings import Checked, Finding
from studio.domain.directory.limits import Gauge
from studio.domain.directory.survey import refuses
from studio.domain.timeline import Version
from studio.render.fragments_directory import meter, shown_name
from studio.render.fragments_directory_file import finding
from studio.render.fragments_head import button, who
from studio.render.tags import Html, joined, tag
from studio.render.times import time

QUOTED_CHARACTERS = 160
"""How much of a line is quoted beside what was found in it."""


def editor_bar(path: str, gauge: Gauge | None, *, state: str, off: bool, changed: bool, hidden: bool) -> Html:
    """The bar above the editor.

    Args:
        path: the file.
        gauge: how much of its cap the typed text uses.
        state: how the text stands: `unsaved changes`.
        off: whether there is nothing to commit.
        changed: whether closing would drop something.
        hidden: whether the file keeps carriage returns or a byte order mark, which the editor does not show.
    """
    return tag(
        "div",
        tag(
            "div",
            tag("div", tag("h3", "Edit ", shown_name(path)), tag("p", state, class_="by")),
            tag(
                "div",
                button("Delete file", "delete", quiet=True),
                button("Discard changes" if changed else "Close editor", "close-editor", quiet=True),
                button("Commit", "save", off=off),
                class_="actions",
            ),
            class_="top",
        ),
        meter(gauge) if gauge else None,
        _kept_endings() if hidden else None,
        class_="opened editing file-bar",
    )


def _kept_endings() -> Html:
    words = "The file keeps its CRLF line endings or its byte order mark, which the hook refuses in a header. "
    return tag(
        "p", words, button("Commit it with LF", "plain-endings", quiet=True), class_="hidden-note", role="status"
    )


def new_bar(*, off: bool) -> Html:
    """The bar above the editor of a new file."""
    words = (
        "A file at the root becomes a block of the prompt, named after the file; one in a folder is deferred memory."
    )
    return tag(
        "div",
        tag(
            "div",
            tag("div", tag("h3", "New file"), tag("p", words, class_="by")),
            tag(
                "div", button("Cancel", "close-editor", quiet=True), button("Commit", "save", off=off), class_="actions"
            ),
            class_="top",
        ),
        class_="opened editing file-bar",
    )


def why_form(why: str, *, path: str | None = None) -> Html:
    """Where the operator says why; for a new file also where it goes."""
    where = None
    if path is not None:
        field = tag(
            "input",
            type="text",
            name="path",
            value=path,
            data_do="path",
            data_key="path",
            spellcheck="false",
            placeholder="human.md",
        )
        where = tag("label", tag("span", "Path"), field, class_="field wide")
    field = tag(
        "input",
        type="text",
        name="why",
        value=why,
        data_do="why",
        data_key="why",
        required=True,
        placeholder="Why this changes; it becomes the commit's message",
        autocomplete="off",
    )
    return tag("div", where, tag("label", tag("span", "Why"), field, class_="field wide"), class_="note-form why-form")


def judged(checked: Checked, text: str, *, refused: Sequence[str] = ()) -> Html | None:
    """What the checks say of the text in the editor, each beside the line it concerns.

    Args:
        checked: the findings.
        text: the text in the editor.
        refused: the sentences of a refusal, where a commit was tried.
    """
    errors = [one for one in checked.findings if refuses(one)]
    advice = [one for one in checked.findings if not refuses(one)]
    lines = split_lines(text)
    parts = []
    if errors or refused:
        head = "Not committed" if refused else "This would be refused"
        parts.append(tag("h3", f"{head}: {len(errors) or len(refused):,} to mend"))
        rows = [tag("li", _judged(one, lines, older=one in checked.older)) for one in errors]
        rows = rows or [tag("li", shown_name(one)) for one in refused]
        parts.append(tag("ul", *rows, class_="findings boxed"))
    if advice:
        parts.append(tag("h3", f"Advice: {len(advice):,}"))
        parts.append(tag("ul", *[tag("li", _judged(one, lines, older=False)) for one in advice], class_="findings"))
    if not parts:
        return None
    return tag("section", *parts, class_="judged", aria_label="What the checks say", aria_live="polite")


def _judged(one: Finding, lines: Sequence[str], *, older: bool) -> Html:
    at = one.line or 0
    quoted = None
    if 0 < at <= len(lines):
        line = lines[at - 1].rstrip("\r\n")
        cut = line if len(line) <= QUOTED_CHARACTERS else line[:QUOTED_CHARACTERS] + "…"
        quoted = tag("span", tag("span", f"{at}", class_="number"), tag("code", shown_name(cut)), class_="quoted")
    place = tag("span", "All root files", class_="place-of") if one.path == "." else None
    badge = tag("span", "older than your edit", class_="badge") if older else None
    return joined(quoted, place, finding(one), badge)


def changed_meanwhile(path: str, newest: Version | None, now: datetime, *, deleted: bool) -> Html:
    """The file was committed anew since the editor was opened: by whom, and the ways on."""
    did = "was deleted" if deleted else "changed"
    words = tag(
        "p",
        tag("strong", shown_name(path), f" {did} while you were editing."),
        joined(" It was committed by ", who(newest.author), ", ", time(newest.at, now), ".") if newest else None,
        " Your text is still in the editor; nothing was committed.",
    )
    ways = tag(
        "div",
        button("Compare with mine", "compare-mine", quiet=True),
        None if deleted else button("Take theirs", "take-theirs", quiet=True),
        button("Commit mine over it", "keep-mine"),
        class_="answers",
    )
    return tag("div", words, ways, class_="stale", role="alert")


def there_already(path: str) -> Html:
    """A new file was given the path of one that is there."""
    words = tag(
        "p", tag("strong", shown_name(path), " is there already."), " Give the new file another path, or edit that one."
    )
    ways = tag("div", button("Open it", "open-there", value=path, quiet=True), class_="answers")
    return tag("div", words, ways, class_="stale", role="alert")


def compared_mine() -> Html:
    """Above the change from what HEAD has to what is in the editor."""
    return tag(
        "div", tag("h3", "From what HEAD has to your text"), button("Hide", "hide-mine", quiet=True), class_="subhead"
    )
