"""The HTML of texts and changes: a change in one column or side by side, a whole text, a binary body.

Every function returns one element that looks right wherever `fragments_css.CSS` is at hand; `with_style` brings it along, for a
notebook. All text is escaped, and what is invisible is shown as a mark. Line numbers count from 1 and sizes are in characters
(code points). A long text is opened with a note of its size and its first lines; render it again with `most_lines=None` for the rest.
"""

from enum import StrEnum

from studio.domain.diff import Diff
from studio.render.fragments_css import CSS

MOST_LINES = 400
"""How many lines of a change or text are shown at first."""
MOST_LINE_CHARACTERS = 2_000
"""How many characters of one line are shown at first."""
_BEFORE_FIRST_MARK_CHARACTERS = 200
"""In a line that is cut, how much is shown before the first changed word."""


class Theme(StrEnum):
    """Which colours a fragment has."""

    LIGHT = "light"
    DARK = "dark"
    AUTO = "auto"
    """What its surroundings have: JupyterLab's theme, else what the system prefers."""


class Side(StrEnum):
    """What a cell says about its line; the class it has in the style."""

    EQUAL = "equal"
    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"
    ABSENT = "absent"


def with_style(fragment: str) -> str:
    """A fragment that brings its style along, for a notebook or a page of its own."""
    return f"<style>{CSS}</style>\n{fragment}"


def diff_unified(
    change: Diff, *, context: int = 3, most_lines: int | None = MOST_LINES, theme: Theme | str = Theme.LIGHT
) -> str:
    """A change in one column: the old line above the new one. Fit for narrow pages.

    Args:
        change: the change to show.
        context: how many equal lines to show beside each change.
        most_lines: how many lines to show at most, and long lines cut; None shows everything.
        theme: the colours.
    """
    return _change(change, _Unified(), context, most_lines, theme)


def diff_side_by_side(
    change: Diff, *, context: int = 3, most_lines: int | None = MOST_LINES, theme: Theme | str = Theme.LIGHT
) -> str:
    """A change in two columns: the old text left, the new one right, lines that belong together beside each other.

    Args:
        change: the change to show.
        context: how many equal lines to show beside each change.
        most_lines: how many rows to show at most, and long lines cut; None shows everything.
        theme: the colours.
    """
    return _change(change, _Sides(), context, most_lines, theme)
