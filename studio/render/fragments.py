"""The HTML of texts and changes: a change in one column or side by side, a whole text, a binary body.

Every function returns one element, which looks right wherever `CSS` is at hand; `with_style` brings it along, for a notebook.
All text is escaped, and what is invisible is shown as a mark. Line numbers count from 1, sizes are in characters (code points).
A long text is opened with a note of its size and its first lines; render it with `most_lines=None` for the rest (case diff-14).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from html import escape

from studio.domain.bodies import Body
from studio.domain.diff import Block, Diff, FormatChange, Kind, hunks, split_lines
from studio.domain.endings import BOM, BYTE_ORDER_MARK, FINAL_NEWLINE, LINE_ENDINGS, Endings, endings
from studio.render import markdown
from studio.render.fragments_css import CSS
from studio.render.fragments_marks import marked
from studio.render.fragments_table import (
    SIDES_COLUMNS,
    UNIFIED_COLUMNS,
    WHOLE_COLUMNS,
    Limit,
    Shown,
    head_cell,
    sides_rows,
    table,
    unified_rows,
    whole_rows,
    wide_row,
)
from studio.render.rows import FOLD_AT_LEAST_LINES, Item, Line, items

__all__ = [
    "CSS",
    "Theme",
    "binary_change",
    "diff_side_by_side",
    "diff_unified",
    "format_statement",
    "marked",
    "message",
    "whole_binary",
    "whole_raw",
    "whole_rendered",
    "with_style",
]

MOST_LINES = 400
"""How many lines of a change or a text are shown at first."""


class Theme(StrEnum):
    """Which colours a fragment has."""

    LIGHT = "light"
    DARK = "dark"
    AUTO = "auto"
    """What its surroundings have: JupyterLab's theme, else what the system prefers."""


def with_style(fragment: str) -> str:
    """A fragment that brings its style along, for a notebook or a page of its own."""
    return f"<style>{CSS}</style>\n{fragment}"


def message(words: str, *, theme: Theme | str = Theme.LIGHT) -> str:
    """A sentence in place of lines, as where there are no changes."""
    return _root(f'<p class="message">{escape(words)}</p>', words, theme)


def diff_unified(
    change: Diff,
    *,
    old_name: str = "before",
    new_name: str = "after",
    context: int = 3,
    most_lines: int | None = MOST_LINES,
    theme: Theme | str = Theme.LIGHT,
) -> str:
    """A change in one column of text, removed lines above added ones: fit for narrow pages.

    Args:
        change: the change to show.
        old_name: what the old text is, e.g. `version 11`.
        new_name: what the new text is.
        context: how many equal lines to show beside each change.
        most_lines: how many lines to show at first, long ones cut; None shows everything.
        theme: the colours.
    """
    head = [head_cell(f"line in {old_name}"), head_cell(f"line in {new_name}"), head_cell("change"), head_cell("text")]
    made = _Table("unified", UNIFIED_COLUMNS, head, unified_rows)
    return _change(change, made, f"Change from {old_name} to {new_name}", context, Limit(most_lines), theme)


def diff_side_by_side(
    change: Diff,
    *,
    old_name: str = "before",
    new_name: str = "after",
    context: int = 3,
    most_lines: int | None = MOST_LINES,
    theme: Theme | str = Theme.LIGHT,
) -> str:
    """A change in two columns of text, lines that belong together beside each other; the arguments are those of `diff_unified`."""
    head = [head_cell(old_name, shown=True, span=3), head_cell(new_name, shown=True, span=3)]
    made = _Table("sides", SIDES_COLUMNS, head, sides_rows)
    return _change(change, made, f"Change from {old_name} to {new_name}", context, Limit(most_lines), theme)


def binary_change(old: Body, new: Body, *, theme: Theme | str = Theme.LIGHT) -> str | None:
    """What stands in place of a change where a side is kept as bytes (decision 5); None where both are texts."""
    if old.content == new.content and (old.binary or new.binary):
        return message("No changes.", theme=theme)
    reasons = [
        f"{name} is binary: {body.binary_reason}" for name, body in (("the old", old), ("the new", new)) if body.binary
    ]
    if not reasons:
        return None
    words = "; ".join(reasons)
    return message(f"{words[0].upper()}{words[1:]}. Such a version is shown whole, without a diff.", theme=theme)


def whole_raw(text: str, *, most_lines: int | None = MOST_LINES, theme: Theme | str = Theme.LIGHT) -> str:
    """A whole text as it is, with line numbers; a carriage return at a line's end is marked where endings are mixed."""
    if not text:
        return message("Empty: this text has no characters.", theme=theme)
    return _whole(text, [_facts(text)], Limit(most_lines), theme)


def whole_rendered(text: str, *, theme: Theme | str = Theme.LIGHT) -> str:
    """A whole text as Markdown, rendered and sanitised."""
    return _root(f'<div class="prose">\n{markdown.render(text)}</div>', "Text, rendered", theme)


def whole_binary(body: Body, *, most_lines: int | None = MOST_LINES, theme: Theme | str = Theme.LIGHT) -> str:
    """A body that is kept as bytes: why, and its bytes, escaped where they are no printable characters (decision 5)."""
    note = _said(f"Binary: {body.binary_reason or 'kept as bytes'}.")
    return _whole(body.shown, [note, _bar([f"{len(body.content):,} bytes"])], Limit(most_lines), theme)


def format_statement(form: FormatChange) -> str | None:
    """What changed besides words, for a person; None where nothing did (decision 15).

    `Only line endings changed (CRLF to LF).` where nothing else changed; else `Line endings changed (LF to CRLF). BOM added.`
    """
    said: dict[str, str] = {}
    if form.endings_changed:
        differ = form.old_endings is not form.new_endings
        said[LINE_ENDINGS] = f"{form.old_endings} to {form.new_endings}" if differ else "of some lines"
    if form.bom is not None:
        said[BYTE_ORDER_MARK] = str(form.bom)
    if form.final_newline is not None:
        said[FINAL_NEWLINE] = str(form.final_newline)
    if not said:
        return None
    if form.only is not None:
        how = ", ".join(detail if len(said) == 1 else f"{word} {detail}" for word, detail in said.items())
        return f"Only {' and '.join(said)} changed ({how})."
    sentences = (
        f"Line endings changed ({detail})." if word is LINE_ENDINGS else f"{word[0].upper()}{word[1:]} {detail}."
        for word, detail in said.items()
    )
    return " ".join(sentences)


@dataclass(frozen=True, slots=True)
class _Table:
    """How a change is laid out."""

    kind: str
    columns: Sequence[str]
    head: Sequence[str]
    rows: Callable[[Iterable[Item], Limit, Shown], Iterator[str]]


def _change(change: Diff, made: _Table, name: str, context: int, limit: Limit, theme: Theme | str) -> str:
    """A change in the given layout."""
    if change.is_empty:
        return message("No changes.", theme=theme)
    shown = Shown()
    rows = list(made.rows(items(change, context), limit, shown))
    to_show = sum(_size(block) for hunk in hunks(change, context, FOLD_AT_LEAST_LINES) for block in hunk.blocks)
    last = change.blocks[-1]
    counts = _counts(change)
    said = format_statement(change.format_change)
    parts = [_bar([*counts.values()], [*counts]), _said(said) if said else "", *_size_note(shown, to_show)]
    rows += _rest(shown, to_show, len(made.columns))
    lines = table(made.kind, name, made.columns, made.head, rows, max(last.old_end, last.new_end))
    return _root("\n".join([*filter(None, parts), lines]), f"{name}: {', '.join(counts.values())}", theme)


def _size(block: Block) -> int:
    """How many lines a block shows."""
    return len(block.old) + (0 if block.kind is Kind.EQUAL else len(block.new))


def _counts(change: Diff) -> dict[str, str]:
    """What the bar above a change says, by class."""
    moved = sum(len(block.new) for block in change.blocks if block.moved is not None)
    counts = {"added": f"+{change.counts.added:,} added", "removed": f"−{change.counts.removed:,} removed"}
    if moved:
        counts["moved"] = f"{moved:,} of them moved"
    if not change.exact:
        counts["inexact"] = "too large to be sure that these are the fewest"
    return counts


def _whole(text: str, parts: list[str], limit: Limit, theme: Theme | str) -> str:
    """A text with line numbers, below what is said about it."""
    lines = split_lines(text)
    mixed = endings(text) is Endings.MIXED
    bare = (line.removesuffix("\n") if mixed or not line.endswith("\n") else _unended(line) for line in lines)
    shown = Shown()
    rows = list(whole_rows((Line(n, line) for n, line in enumerate(bare, 1)), limit, shown))
    rows += _rest(shown, len(lines), len(WHOLE_COLUMNS))
    head = [head_cell("line"), head_cell("text")]
    made = table("whole", "Text", WHOLE_COLUMNS, head, rows, len(lines))
    return _root("\n".join([*parts, *_size_note(shown, len(lines)), made]), "Text", theme)


def _unended(line: str) -> str:
    """A line without its ending, LF or CRLF."""
    return line.removesuffix("\n").removesuffix("\r")


def _facts(text: str) -> str:
    """The bar above a whole text: its size and form."""
    count = len(split_lines(text))
    facts = [f"{count:,} line{'' if count == 1 else 's'}", f"{len(text):,} character{'' if len(text) == 1 else 's'}"]
    if endings(text) in (Endings.CRLF, Endings.MIXED):
        facts.append(f"{endings(text)} line endings")
    if text.startswith(BOM):
        facts.append("starts with a BOM")
    if not text.endswith("\n"):
        facts.append("no newline at the end")
    return _bar(facts)


def _bar(facts: Sequence[str], styles: Sequence[str] = ()) -> str:
    """Facts in a row."""
    classes = [f' class="{style}"' for style in styles] or [""] * len(facts)
    return f'<p class="bar">{"".join(f"<span{one}>{escape(fact)}</span>" for one, fact in zip(classes, facts, strict=True))}</p>'


def _said(words: str) -> str:
    """A statement above the lines."""
    return f'<p class="said" role="note">{escape(words)}</p>'


def _size_note(shown: Shown, to_show: int) -> Iterator[str]:
    """Says at once that not everything is shown."""
    if shown.lines < to_show:
        yield _said(f"Long: the first {shown.lines:,} of {to_show:,} lines are shown.")
    elif shown.cut_characters:
        yield _said(f"Long lines are cut: {shown.cut_characters:,} characters are not shown.")


def _rest(shown: Shown, to_show: int, columns: int) -> Iterator[str]:
    """The last row, where not every line is shown."""
    left = to_show - shown.lines
    if left > 0:
        yield wide_row("fold", f"… {left:,} more line{'' if left == 1 else 's'}", columns)


def _root(inside: str, label: str, theme: Theme | str) -> str:
    """The element around it all, with the theme as its class."""
    return f'<section class="studio-fragment {Theme(theme)}" aria-label="{escape(label)}">\n{inside}\n</section>'
