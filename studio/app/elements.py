"""The three elements the page is made of. Python gives them values; they answer with `(action, value)`.

`Fragment` shows HTML that `studio.render` wrote and reports what was chosen in it. `Editor` is a text box that nothing but an
explicit load replaces. `Browser` is the window around them: address, history, keys, width.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Self

import param
from panel.custom import JSComponent

from studio.errors import BadArgument

Handler = Callable[[str, str], None]
"""Told which action was chosen, and its value."""
_SCRIPTS = Path(__file__).parent / "js"


class _Element(JSComponent):
    """An element of the page that reports actions."""

    __abstract = True

    def __init__(self, on: Handler | None = None, **params: object) -> None:
        super().__init__(margin=0, sizing_mode="stretch_width", **params)  # type: ignore[no-untyped-call]
        self._on = on

    def _handle_msg(self, data: object) -> None:
        if self._on is not None and isinstance(data, dict) and isinstance(data.get("do"), str):
            self._on(data["do"], str(data.get("value") or ""))


class Fragment(_Element):
    """HTML of `studio.render`; a click on `data-do`, or a change of an input that has it, is reported."""

    html = param.String(default="", doc="The markup, escaped by whoever wrote it.")

    _esm = _SCRIPTS / "fragment.js"

    def give(self, text: str, name: str | None = None) -> None:
        """Put a text on the reader's clipboard, or with a name into a file they download."""
        self._send_msg({"text": text, "name": name})

    def put(self, field: str, value: str) -> None:
        """Set what an input holds, unless it is being typed in."""
        self._send_msg({"field": field, "value": value})


class Regained(NamedTuple):
    """A text that was typed before the page loaded itself anew, over a stored text that is another by now."""

    base: str
    """sha256 of the text that it was typed over."""
    text: str
    """What was typed."""

    @classmethod
    def read(cls, value: str) -> Self:
        """As the editor reports it.

        Raises:
            BadArgument: it is no such report.
        """
        try:
            given = json.loads(value)
            return cls(str(given["base"]), str(given["text"]))
        except (ValueError, KeyError, TypeError):
            raise BadArgument("The text that was typed before cannot be read.") from None


class Editor(_Element):
    """A text box. `load` is the only way to replace what was typed in it; `typed` reports that."""

    text = param.String(default="", doc="What was loaded last; never what was typed since.")
    loads = param.Integer(default=0, doc="Grows with every load.")
    offers = param.Integer(default=0, doc="Grows with every offer.")
    label = param.String(default="", doc="Its name for screen readers.")
    guard = param.Boolean(
        default=False, doc="Whether the browser asks before the page is left with text that is not kept."
    )
    kept = param.String(default="", doc="The text that is stored; leaving with any other asks.")
    base = param.String(default="", doc="sha256 of the stored text; handed back with what was typed over another one.")

    _esm = _SCRIPTS / "editor.js"

    def load(self, text: str, *, base: str = "") -> None:
        """Put a text into the box, in place of whatever it holds; `base` is the sha256 of the stored one."""
        self.param.update(text=text, kept=text, base=base, loads=self.loads + 1)

    def offer(self, text: str) -> None:
        """Put a text into the box unless something was typed there since the last, which the server may not have heard of yet."""
        self.param.update(text=text, kept=text, offers=self.offers + 1)

    def insert(self, text: str) -> None:
        """Put a text where the caret is, in place of what is selected; it counts as typed."""
        self._send_msg({"insert": text})

    def focus(self) -> None:
        """Put the caret into the box."""
        self._send_msg({"focus": True})


class Browser(_Element):
    """The window: what its address says, and which keys were pressed outside of text boxes."""

    query = param.String(default="", doc="The address to show; a new one is a step that the back button undoes.")
    heading = param.String(default="", doc="The window's title.")
    place = param.String(default="", doc="Which place of the page to show.")
    part = param.String(default="", doc="Which part of that place is open, where it has parts.")
    opened = param.String(default="", doc="What is opened beside a list; a narrow window scrolls to it.")
    signed_out = param.Boolean(
        default=False, doc="Whether whoever looks must sign in anew; what they typed waits for that."
    )

    _esm = _SCRIPTS / "browser.js"
