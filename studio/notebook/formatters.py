"""Rich display: how IPython shows our values, as HTML where it can and as one line of text where it can't."""

import sys
from collections.abc import Callable
from typing import Any, Protocol

from studio.domain.comparison import Comparison
from studio.domain.compose import Prompt
from studio.domain.diff import Diff
from studio.domain.moments import moment_shown
from studio.domain.timeline import Version, VersionText
from studio.render import fragments

MOST_LINES = 60
"""How many lines of a change or text a cell shows; the app shows them all."""
_AUTO = fragments.Theme.AUTO


def version_sentence(version: Version) -> str:
    """A version in one sentence: number, author, time, counts and size."""
    counts = "not counted" if version.added is None else f"+{version.added} −{version.removed}"
    live = ", live" if version.live else ""
    only = f" ({version.only_changed} only)" if version.only_changed else ""
    return (
        f"Version {version.number} by {version.author}, {moment_shown(version.at, seconds=False)}:"
        f" {counts} lines{only}, {version.characters:,} characters, {version.status}{live}"
    )


def comparison_sentence(comparison: Comparison) -> str:
    """Which versions are compared, and how many lines came and went."""
    return f"{_change_name(comparison)}: {_counts(comparison)}. {version_sentence(comparison.new)}"


def _change_name(comparison: Comparison) -> str:
    old = "nothing" if comparison.old is None else f"version {comparison.old.number}"
    return f"Change from {old} to version {comparison.new.number}"


def _counts(comparison: Comparison) -> str:
    if comparison.diff is None:
        return f"no diff, since {comparison.binary}"
    return f"+{comparison.diff.counts.added} −{comparison.diff.counts.removed} lines"


def diff_sentence(change: Diff) -> str:
    """How many lines came and went."""
    return f"Change: +{change.counts.added} −{change.counts.removed} lines"


def prompt_sentence(prompt: Prompt) -> str:
    """A prompt's sections with their sizes."""
    sizes = ", ".join(f"{section.name} {section.characters:,}" for section in prompt.sections)
    return f"Prompt of {len(prompt.text):,} characters: {sizes}"


def version_html(version: Version) -> str:
    """The sentence."""
    return fragments.message(version_sentence(version), theme=_AUTO)


def version_text_html(held: VersionText) -> str:
    """The sentence, and the beginning of what the version holds."""
    shown = fragments.whole_binary if held.body.binary else None
    whole = shown(held.body, most_lines=MOST_LINES, theme=_AUTO) if shown else _whole(held.body.text or "")
    return version_html(held.version) + whole


def comparison_html(comparison: Comparison) -> str:
    """The sentence, and the change in one column."""
    said = fragments.message(comparison_sentence(comparison), theme=_AUTO)
    if comparison.diff is None:
        return said
    old = "nothing" if comparison.old is None else f"version {comparison.old.number}"
    return said + diff_html(comparison.diff, old, f"version {comparison.new.number}")


def diff_html(change: Diff, old_name: str = "before", new_name: str = "after") -> str:
    """The change in one column."""
    return fragments.diff_unified(change, old_name=old_name, new_name=new_name, most_lines=MOST_LINES, theme=_AUTO)


def prompt_html(prompt: Prompt) -> str:
    """The sizes of the sections, and the beginning of the message."""
    return fragments.message(prompt_sentence(prompt), theme=_AUTO) + _whole(prompt.text)


def _whole(text: str) -> str:
    return fragments.whole_raw(text, most_lines=MOST_LINES, theme=_AUTO)


_SHOWN: dict[type, tuple[Callable[[Any], str], Callable[[Any], str]]] = {
    Version: (version_sentence, version_html),
    VersionText: (lambda held: version_sentence(held.version), version_text_html),
    Comparison: (comparison_sentence, comparison_html),
    Diff: (diff_sentence, diff_html),
    Prompt: (prompt_sentence, prompt_html),
}
"""Each of our types that is shown richly, as one line and as HTML; all text in either is escaped by `render.fragments`."""


class _Printer(Protocol):
    """What IPython's plain formatter hands over."""

    def text(self, words: str) -> None:
        """Write words."""


def register(shell: Any = None) -> bool:  # noqa: ANN401 - IPython's shell has no types
    """Teach a shell to show our values.

    Args:
        shell: an IPython shell; None is the one this code runs in.

    Returns:
        Whether there is a shell. Nothing is imported to find out.
    """
    if shell is None and "IPython" in sys.modules:
        shell = sys.modules["IPython"].get_ipython()
    if shell is None:
        return False
    formatters = shell.display_formatter.formatters
    for kind, (sentence, html) in _SHOWN.items():
        formatters["text/html"].for_type(kind, _with_style(html))
        formatters["text/plain"].for_type(kind, _printed(sentence))
    return True


def _with_style(html: Callable[[Any], str]) -> Callable[[Any], str]:
    return lambda value: fragments.with_style(html(value))


def _printed(sentence: Callable[[Any], str]) -> Callable[[Any, _Printer, bool], None]:
    return lambda value, printer, _cycle: printer.text(sentence(value))
