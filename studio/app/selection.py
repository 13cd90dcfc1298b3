"""What a person looks at: everything that the page's address holds, and the question asked before typed text is left.

The address is the state: `?agent=…&place=memory&version=12&against=11&author=run` opens the same view for whoever follows it.
A default is left out, so an address says only what was chosen.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any
from urllib.parse import parse_qs, urlencode

import param

from studio.domain.comparison import Ignored
from studio.domain.run_kinds import RunKind


class Place(StrEnum):
    """The places of an agent."""

    MEMORY = "memory"
    PROMPT = "prompt"
    PREVIEW = "preview"
    RUNS = "runs"
    NOTES = "notes"
    DIRECTORY = "directory"
    """Only of an agent whose memory is a directory."""


class Tab(StrEnum):
    """The parts of the Directory place."""

    FILES = "files"
    """All that a commit holds, or one of its files."""
    PROMPT = "prompt"
    """The compiled memory."""
    HISTORY = "history"
    """The versions of the compiled memory, or of one file or folder."""
    CHANGES = "changes"
    """Every commit that touched memory."""
    HEADROOM = "headroom"
    """How much of the limits was used over time."""
    AUDIT = "audit"
    """Which commits went round the hook."""


class View(StrEnum):
    """How a version is opened."""

    CHANGE = "change"
    """What it changed."""
    WHOLE = "whole"
    """All of it."""


class Layout(StrEnum):
    """How a change is laid out."""

    SPLIT = "split"
    UNIFIED = "unified"


class Shown(StrEnum):
    """How a whole text, or the composed message, is shown."""

    RENDERED = "rendered"
    RAW = "raw"


class Blanks(StrEnum):
    """Whether a change shows what differs in line endings and in blanks at the ends of lines only."""

    SHOWN = "shown"
    IGNORED = "ignored"

    @property
    def ignored(self) -> tuple[Ignored, ...]:
        """What the comparison leaves out."""
        return tuple(Ignored) if self is Blanks.IGNORED else ()


class Mode(StrEnum):
    """What is being done with the live text."""

    READ = "read"
    EDIT = "edit"
    """The memory, a note, or a file of the directory is in the editor."""
    NEW = "new"
    """A note, or a file of the directory, is being made."""
    REVIEW = "review"
    """The Task draft is under review."""


class Source(StrEnum):
    """Which Task the preview is composed with."""

    LIVE = "live"
    DRAFT = "draft"


_NUMBERS = ("version", "against", "page", "row")
_OF_AN_AGENT = {
    **dict.fromkeys(("version", "against", "author", "run", "row", "call", "note", "file", "commit", "compare")),
    "tab": Tab.FILES,
    "mode": Mode.READ,
    "source": Source.LIVE,
    "words": "",
}
"""What does not carry over to another agent or place."""
_EDITED_IN = frozenset({"agent", "place", "version", "note", "mode", "tab", "file", "commit"})
"""What cannot change while an editor holds text that is not kept."""


def _choice(kind: type[StrEnum], default: StrEnum) -> "param.Selector[StrEnum]":
    return param.Selector(default=default, objects=list(kind), check_on_set=True)


class Selection(param.Parameterized):
    """What is selected on one page, and what waits for an answer. Views call `go`; they never set a parameter themselves."""

    agent = param.String(default=None, allow_None=True, doc="Id or unique name of the agent; None shows the first.")
    place = _choice(Place, Place.MEMORY)
    version = param.Integer(
        default=None, allow_None=True, bounds=(1, None), doc="The version opened; None is the live one."
    )
    against = param.Integer(default=None, allow_None=True, bounds=(1, None), doc="The version it is compared with.")
    author = param.String(default=None, allow_None=True, doc="Author filter: a kind, or kind:name (decision 3).")
    view = _choice(View, View.CHANGE)
    layout = _choice(Layout, Layout.SPLIT)
    shown = _choice(Shown, Shown.RENDERED)
    blanks = _choice(Blanks, Blanks.SHOWN)
    mode = _choice(Mode, Mode.READ)
    kind = _choice(RunKind, RunKind.DIRECT)
    source = _choice(Source, Source.LIVE)
    flags = param.String(default="", doc="What the preview takes the runtime to have registered, comma between.")
    run = param.String(default=None, allow_None=True, doc="The run opened; None is the newest.")
    row = param.Integer(
        default=None, allow_None=True, bounds=(0, None), doc="The chat row, or the line of a file, opened."
    )
    call = param.String(default=None, allow_None=True, doc="The call in that row.")
    note = param.String(default=None, allow_None=True, doc="Display path of the note or collection opened.")
    tab = _choice(Tab, Tab.FILES)
    file = param.String(
        default=None,
        allow_None=True,
        doc="Path of the file opened in the directory, or of a folder with a slash at its end.",
    )
    commit = param.String(default=None, allow_None=True, doc="The commit that is looked at; None is HEAD.")
    compare = param.String(default=None, allow_None=True, doc="The commit it is compared with.")
    words = param.String(default="", doc="Words to find notes, or files of the directory, by.")
    find = param.String(default="", doc="Words to find agents by.")
    page = param.Integer(default=1, bounds=(1, None), doc="Page of the agent list.")

    unsaved = param.Boolean(
        default=False, doc="Whether an editor holds text that leaving would lose. Not in the address."
    )
    waiting = param.Dict(default=None, allow_None=True, doc="Changes that wait for the answer to: leave unsaved text?")
    stamp = param.Integer(default=0, doc="Grows with every write, so that views read anew. Not in the address.")

    ADDRESS = (
        "agent", "place", "version", "against", "author", "view", "layout", "shown", "blanks", "mode", "kind", "source", "flags",
        "run", "row", "call", "note", "tab", "file", "commit", "compare", "words", "find", "page",
    )  # fmt: skip
    """The parameters that the address holds, in its order."""

    def go(self, **changes: object) -> None:
        """Change what is looked at; over unsaved text the change waits until `leave` or `stay` answers."""
        full = self._completed(changes)
        different = {name: value for name, value in full.items() if getattr(self, name) != value}
        if not different:
            return
        if self.unsaved and different.keys() & _EDITED_IN:
            self.waiting = full
        else:
            self.param.update(**full)

    def leave(self) -> None:
        """Give up the unsaved text and make the change that waits."""
        changes, self.unsaved = self.waiting or {}, False
        self.param.update(waiting=None, **changes)

    def stay(self) -> None:
        """Forget the change that waits."""
        self.waiting = None

    def wrote(self, **changes: object) -> None:
        """Something was stored: nothing is unsaved any more, and every view reads anew."""
        self.param.update(unsaved=False, waiting=None, stamp=self.stamp + 1, **self._completed(changes))

    def query(self, **changes: object) -> str:
        """The address of this view, or of the one with these changes: `?agent=…`."""
        completed = self._completed(changes)
        chosen = [
            (name, str(value))
            for name in self.ADDRESS
            if (value := completed.get(name, getattr(self, name))) != self.param[name].default
        ]
        return f"?{urlencode(chosen)}"

    def _completed(self, changes: Mapping[str, object]) -> dict[str, Any]:
        """The changes with what they bring along: another agent or place starts at its live text, another search at page 1."""
        full: dict[str, Any] = dict(changes)
        new_agent = "agent" in full and full["agent"] != self.agent
        new_place = "place" in full and full["place"] != self.place
        if new_agent or new_place:
            full = {**_OF_AN_AGENT, **full}
        elif "version" in full:
            full = {"against": None, "mode": Mode.READ, **full}
        elif "run" in full and full["run"] != self.run:
            full = {"row": None, "call": None, **full}
        elif "note" in full and full["note"] != self.note:
            full = {"mode": Mode.READ, **full}
        elif "commit" in full and full["commit"] != self.commit:
            full = {"compare": None, "mode": Mode.READ, **full}
        elif "file" in full and full["file"] != self.file:
            full = {"mode": Mode.READ, **full}
        if "find" in full and full["find"] != self.find:
            full = {"page": 1, **full}
        return full


def parse_query(query: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Read an address.

    Args:
        query: what stands behind the `?`, with or without it; every parameter that it lacks has its default.

    Returns:
        All of a `Selection`'s address parameters, and one sentence for each part of the address that says nothing usable.
    """
    given = parse_qs(query.removeprefix("?"), keep_blank_values=False)
    values: dict[str, Any] = {}
    problems: list[str] = []
    for name in Selection.ADDRESS:
        declared = Selection.param[name]
        values[name] = declared.default
        if name not in given:
            continue
        text = given[name][-1]
        try:
            values[name] = _value(declared, name, text)
        except ValueError:
            problems.append(_problem(declared, name, text))
    return values, tuple(problems)


def _value(declared: "param.Parameter[object]", name: str, text: str) -> object:
    """One parameter's value; raises ValueError where the text is none."""
    if name in _NUMBERS:
        number = int(text) if text.isascii() and text.isdigit() else 0
        least = 0 if name == "row" else 1
        if not (text.isascii() and text.isdigit() and least <= number < 10**9):
            raise ValueError(text)
        return number
    if isinstance(declared, param.Selector):
        return type(declared.default)(text)
    return text


def _problem(declared: "param.Parameter[object]", name: str, text: str) -> str:
    if name in _NUMBERS:
        return f"The link names {name} {text!r}, which is no number; it was left out."
    known = ", ".join(declared.objects)
    return f"The link names {name} {text!r}, which there is not (there is {known}); it was left out."
