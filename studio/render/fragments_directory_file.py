"""One file of a memory directory, with what was found in it beside the lines it concerns."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from studio.domain.diff import split_lines
from studio.domain.directory.findings import Finding, Severity
from studio.domain.directory.limits import READ_ONLY_CHANGED, STRUCTURE
from studio.domain.directory.survey import Contents, Folder, is_skill, refuses
from studio.domain.directory.tree import CONFIG, TreeFile, shown_path
from studio.render.fragments import MOST_LINES, message, whole_binary
from studio.render.fragments_agents import Href
from studio.render.fragments_directory import meter, shown_name
from studio.render.fragments_head import button, nothing
from studio.render.fragments_table import (
    WHOLE_COLUMNS,
    Limit,
    Shown,
    Side,
    head_cell,
    number_cell,
    table,
    text_cell,
    wide_row,
)
from studio.render.icons import icon
from studio.render.rows import Line
from studio.render.tags import Html, joined, tag, text

MOST_LISTED_FINDINGS = 100
"""How many findings are listed where all of a directory are."""


def file_bar(contents: Contents, file: TreeFile, *, edit: bool, href: Href) -> Html:
    """Above an opened file: what it is, how large, and what can be done with it.

    Args:
        contents: the commit.
        file: the file.
        edit: whether it can be edited: it is text, and HEAD is looked at.
        href: makes addresses.
    """
    path = shown_path(file.path)
    gauge = contents.gauge(path)
    locked = contents.read_only_by(file)
    lock = tag("p", "Read-only by ", shown_name(locked), f" in {CONFIG}.", class_="by") if locked else None
    return tag(
        "div",
        tag(
            "div",
            tag("div", tag("h3", shown_name(path)), tag("p", _what(contents, path), class_="by"), lock),
            tag("div", _versions(path, href), button("Edit", "edit") if edit else None, class_="actions"),
            class_="top",
        ),
        meter(gauge) if gauge else None,
        class_="opened file-bar",
    )


def _versions(path: str, href: Href) -> Html:
    return tag(
        "a",
        "Its versions",
        href=href(tab="history", file=path, row=None),
        class_="quiet button",
        data_do="tab",
        data_value="history",
        data_key="file-history",
    )


def _what(contents: Contents, path: str) -> str:
    """What a file is for, in a sentence."""
    block = contents.block(path)
    if block is not None:
        number = contents.compiled.blocks.index(block) + 1
        of = len(contents.compiled.blocks)
        return f"Block {number} of {of} of the prompt, <{block.name}>, with {block.characters:,} characters there."
    if path == CONFIG:
        return "The limits. The hook asks a person to approve each change of them."
    if is_skill(path):
        return "Part of a skill: skills are never compiled into the prompt."
    if path.endswith(".md"):
        return "Deferred memory: not in the prompt, read when the prompt sends the agent there."
    return "No memory: only Markdown files are."


def file_lines(file: TreeFile, findings: Sequence[Finding], *, row: int | None, all_lines: bool) -> str:
    """The text of a file as it is, with line numbers, and findings below the lines they concern.

    Args:
        file: the file.
        findings: those of this file.
        row: the line to bring into view.
        all_lines: whether all of a long text is shown.
    """
    whole = [one for one in findings if one.line is None]
    above = tag("ul", *[tag("li", finding(one)) for one in whole], class_="findings boxed") if whole else None
    if file.body is None:
        what = {"120000": "a symlink", "160000": "a submodule"}.get(str(file.mode), "no Markdown")
        return joined(above, Html(message(f"This is {what}; it is not shown.")))
    if file.body.binary:
        return joined(above, Html(whole_binary(file.body, most_lines=None if all_lines else MOST_LINES)))
    if not file.body.text:
        return joined(above, nothing("This file is empty: no character is in it."))
    most = None if all_lines or (row or 0) > MOST_LINES else MOST_LINES
    return joined(above, text_with_findings(file.body.text, findings, row=row, most_lines=most))


def text_with_findings(
    content: str, findings: Sequence[Finding], *, row: int | None = None, most_lines: int | None = MOST_LINES
) -> Html:
    """A text with line numbers, and findings below the lines they concern."""
    by_line: dict[int, list[Finding]] = defaultdict(list)
    for one in findings:
        if one.line is not None:
            by_line[one.line].append(one)
    lines = [line.rstrip("\r\n") for line in split_lines(content)]
    shown, limit = Shown(), Limit(most_lines)
    rows = list(_rows(lines, by_line, row, limit, shown))
    notes = []
    if shown.lines < len(lines):
        notes.append(f"Long: the first {shown.lines:,} of {len(lines):,} lines are shown.")
    elif shown.cut_characters:
        notes.append(f"Long lines are cut: {shown.cut_characters:,} characters are not shown.")
    said = tag("p", *notes, class_="said", role="note") if notes else None
    head = [head_cell("line"), head_cell("text")]
    made = table("whole", "Text, with findings below the lines they concern", WHOLE_COLUMNS, head, rows, len(lines))
    rest = button("Show all lines", "all-lines", quiet=True) if notes else None
    return joined(tag("section", said, Html(made), class_="studio-fragment light", aria_label="Text"), rest)


def _rows(
    lines: Sequence[str], by_line: dict[int, list[Finding]], row: int | None, limit: Limit, shown: Shown
) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        if not shown.room(limit):
            break
        cells = number_cell(number, Side.EQUAL) + text_cell(
            shown.text(Line(number, line), Side.EQUAL, limit), Side.EQUAL
        )
        here = ' data-show="line" class="here"' if number == row else ""
        yield f"<tr{here}>{cells}</tr>"
        yield from (_finding_row(one) for one in by_line.pop(number, ()))
    left = [one for several in by_line.values() for one in several]
    yield from (_finding_row(one) for one in left)  # of lines that are not shown, or not there


def _finding_row(one: Finding) -> str:
    return wide_row(f"finding {one.severity}", finding(one, line=True), len(WHOLE_COLUMNS))


def finding(one: Finding, *, line: bool = False, badge: Html | None = None) -> Html:
    """One finding: how much it weighs, what is wrong, why it is a rule, and what to do.

    Args:
        one: the finding.
        line: whether it stands below its line, which its words then name for screen readers only.
        badge: how much it weighs, where that is another word than `weight` has.
    """
    where = tag("span", f"Line {one.line}: ", class_="only-read") if line and one.line else None
    return joined(
        weight(one) if badge is None else badge,
        " ",
        tag("span", where, shown_name(one.message), class_="message-of"),
        tag("span", shown_name(one.suggestion), class_="suggestion") if one.suggestion else None,
        tag("span", _reason(one), class_="why"),
    )


def _reason(one: Finding) -> Html:
    """Where the rule comes from: a limit's glob or field, or the words of a writing rule."""
    if one.rule == STRUCTURE:
        return text("This is what every memory directory has to look like.")
    if one.kind == READ_ONLY_CHANGED:
        return joined("Read-only by: ", shown_name(one.rule))
    if one.limit is not None and refuses(one):
        return joined("The limit is set by: ", shown_name(one.rule))
    return joined("Why: ", shown_name(one.rule))


def weight(one: Finding) -> Html:
    """Whether a finding refuses or advises, in a word."""
    if refuses(one):
        return tag("span", icon("warning"), "refused", class_="badge strong")
    if one.severity is Severity.ERROR:
        return tag("span", "error", class_="badge strong")
    return tag("span", "advice", class_="badge warm")


@dataclass(frozen=True, slots=True)
class Found:
    """What was found in a whole directory."""

    findings: tuple[Finding, ...]
    """The findings."""
    reading: bool = False
    """Whether the writing rules are still being read."""


def findings_list(found: Found, href: Href) -> Html:
    """All findings of a directory, what refuses first, each leading to its line."""
    refused = [one for one in found.findings if refuses(one)]
    advised = [one for one in found.findings if not refuses(one)]
    parts = [tag("h3", _counted(len(refused), len(advised), reading=found.reading))]
    if found.reading:
        words = "The writing rules are read; advice appears here in a moment."
        parts.append(tag("p", tag("span", class_="bar"), words, class_="by", role="status"))
    listed = [*refused, *advised]
    rows = [tag("li", _place(one, href), finding(one)) for one in listed[:MOST_LISTED_FINDINGS]]
    parts.append(tag("ul", *rows, class_="findings")) if rows else None
    if len(listed) > MOST_LISTED_FINDINGS:
        more = f"{len(listed) - MOST_LISTED_FINDINGS:,} more; open the files that are marked in the list."
        parts.append(tag("p", more, class_="by"))
    return tag("section", *parts, class_="findings-of-all", aria_label="Findings")


def _counted(refused: int, advised: int, *, reading: bool) -> str:
    if not refused and not advised:
        return (
            "The hook would refuse nothing." if reading else "No findings: the limits hold and the writing rules too."
        )
    first = f"{refused:,} finding{'' if refused == 1 else 's'} that the hook refuses" if refused else "Nothing refused"
    return first if reading and not advised else f"{first}, {advised:,} of advice"


def _place(one: Finding, href: Href) -> Html:
    """Where a finding is, as the way there."""
    if one.path == ".":
        return tag("span", "All root files", class_="place-of")
    line = f", line {one.line}" if one.line else ""
    return tag(
        "a",
        shown_name(one.path),
        line,
        href=href(tab="files", file=one.path, row=one.line),
        class_="place-of",
        data_do="finding",
        data_value=f"{one.line or 0}:{one.path}",
        data_key=f"finding-{one.kind}-{one.path}-{one.line}",
    )


def folder_page(folder: Folder, href: Href) -> Html:
    """A folder that was opened: what it holds."""
    rows = [
        tag(
            "tr",
            tag("th", _file_link(one, href), scope="row"),
            tag("td", f"{one.body.characters:,}" if one.body else ""),
        )
        for one in folder.files[:MOST_LISTED_FINDINGS]
    ]
    count = f"{len(folder.files):,} file{'' if len(folder.files) == 1 else 's'}"
    more = len(folder.files) - MOST_LISTED_FINDINGS
    rest = tag("p", f"{more:,} more; search to find them.", class_="by") if more > 0 else None
    caption = tag("caption", f"{count} right in this folder, with their characters")
    made = tag("table", caption, tag("tbody", *rows), class_="sizes") if rows else None
    return joined(tag("div", tag("h3", shown_name(folder.path)), class_="opened file-bar"), made, rest)


def _file_link(file: TreeFile, href: Href) -> Html:
    path = shown_path(file.path)
    return tag(
        "a",
        shown_name(shown_path(file.name)),
        href=href(tab="files", file=path, row=None),
        data_do="file",
        data_value=path,
        data_key=f"listed-{path}",
    )
